"""Neovim from the package manager, without anybody at it, edits the large games."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the server of editors is the extra `editor`")

from tests.support.long_run import one_in
from tests.support.project import ROOT

NEOVIM = shutil.which("nvim")
SCRIPT = Path(__file__).with_name("neovim.lua")
PATIENCE = 60
LARGE = {"china": "hand", "chinesische_mauer": "hand", "dschingis_khan": "lost", "mauerbauer": "hand"}
"""The large games, each with a zone of it."""


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
@pytest.mark.parametrize(("game", "zone"), one_in(4, LARGE.items()))
def test_neovim_edits_a_game(game: str, zone: str, tmp_path: Path) -> None:
    """It shows an error, applies its fix, hovers, renames in all files, and formats."""
    folder = tmp_path / "games"
    shutil.copytree(ROOT / "games", folder)
    path = folder / f"{game}.rules"
    original, report = path.read_text("utf-8"), tmp_path / "report.json"
    use = next(word for word in (f"to {zone}[", f"from {zone}[", f"{zone}[me]") if word in original)
    environment = {
        **os.environ, "RULES": str(path), "REPORT": str(report), "PATIENCE": str(PATIENCE),
        "SERVER": f"{sys.executable} -m regelwerk.command lsp", "WORD": use, "MISSPELT": use.replace(zone, f"{zone}x"),
        "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    assert NEOVIM is not None
    command = [NEOVIM, "--headless", "--clean", "-n", "-S", str(SCRIPT)]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, timeout=5 * PATIENCE, capture_output=True)
    told = json.loads(report.read_text("utf-8"))
    assert "failed" not in told, told["failed"]
    assert f"`{zone}x`" in told["fault"]["message"] and told["fault"]["code"] == "E0201"
    assert told["fix"] == f"replace `{zone}x` by `{zone}`"
    assert told["fixed"] == original
    assert f"zone {zone}[" in told["hover"]
    assert told["renamed"] != original and "renamed_by_test" in told["renamed"]
    assert told["formatted"] != told["untidy"] and "renamed_by_test" in told["formatted"]
