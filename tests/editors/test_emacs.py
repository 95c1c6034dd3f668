"""Emacs with eglot, as the package manager installs them, opens a game with a mistake."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the server of editors is the extra `editor`")

from tests.support.project import ROOT

EMACS = shutil.which("emacs")
SCRIPT = Path(__file__).with_name("emacs.el")
PATIENCE = 60


@pytest.mark.long
@pytest.mark.skipif(EMACS is None, reason="Emacs is not installed")
def test_emacs_shows_a_mistake_and_completes(tmp_path: Path) -> None:
    """The mistake of a misspelt note is shown in its line, and the names that fit there are offered."""
    assert EMACS is not None
    has_eglot = subprocess.run(
        [EMACS, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"], capture_output=True, check=False
    )
    if has_eglot.returncode:
        pytest.skip("eglot is not installed")
    path, report = tmp_path / "nim.rules", tmp_path / "report.json"
    text = (ROOT / "games" / "nim.rules").read_text("utf-8").replace("set taker to me", "set takr to me")
    path.write_text(text, "utf-8")
    environment = {
        **os.environ, "RULES": str(path), "REPORT": str(report), "PATIENCE": str(PATIENCE), "PYTHON": sys.executable,
        "WORD": "set tak", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path),
    }  # fmt: skip
    done = subprocess.run(
        [EMACS, "--batch", "-l", str(SCRIPT)], env=environment, cwd=tmp_path, capture_output=True, text=True,
        timeout=5 * PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(report.read_text("utf-8"))
    line = next(number for number, line in enumerate(text.splitlines(), start=1) if "set takr" in line)
    assert any(one["line"] == line and "`takr`" in one["text"] for one in told["diagnostics"]), told
    assert any("taker" in name for name in told["completions"]), told
