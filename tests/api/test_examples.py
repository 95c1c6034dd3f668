"""The programs in `examples/` run, where what they need is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from tests.support.project import ROOT

NEEDED = ("flax", "gymnasium", "jax", "optax")


@pytest.mark.skipif(not all(importlib.util.find_spec(name) for name in NEEDED), reason=f"needs {', '.join(NEEDED)}")
def test_a_network_learns_and_plays() -> None:
    few = ["--updates", "2", "--games", "16", "--length", "4", "--width", "8", "--bot", "random", "--against", "2"]
    command = [sys.executable, ROOT / "examples" / "ppo.py", "kuhn_poker", *few]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True)
    assert "mean return against random" in done.stdout
