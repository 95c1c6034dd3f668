"""Ctrl-C while games are simulated: the games played so far are reported."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOME = str(Path.home())
"""The real one, with the cached parser: building it takes longer than playing games."""


def interrupted(jobs: str, folder: Path, seconds: float) -> tuple[int, str, str]:
    """The exit code, output and messages of a long simulation that is interrupted after some time."""
    words = ["simulate", "pig", "--games", "9000000", "--jobs", jobs, "--backend", "python"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *words], env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": HOME},
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeding_interrupts,
    )  # fmt: skip
    try:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    return process.returncode, out, err


def heeding_interrupts() -> None:
    """Heed Ctrl-C even where tests run in the background, which makes all that they start ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_simulation_reports_what_it_has(jobs: str, tmp_path: Path) -> None:
    for seconds in (4, 20, 60):
        code, out, err = interrupted(jobs, tmp_path, seconds)
        assert code == 130
        if out:
            break  # on a busy machine no game may have been played yet
    found = re.search(r"interrupted: the figures cover the first (\d+) of 9000000 games", err)
    assert found is not None
    assert f": {found[1]} games of 2 random bots" in out
    assert "decisions per game" in out
