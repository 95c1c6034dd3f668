"""Small rules with unusual constructs and combinations of them, in both engines: at random, step by step, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk

STRANGE = sorted((Path(__file__).parent / "strange").glob("*.rules"))


@pytest.mark.parametrize("path", STRANGE, ids=lambda path: path.stem)
def test_both_engines_agree(path: Path) -> None:
    game = load(path, players=None)
    assert compared(game, 0, 25).total()
    for seed in range(3):
        Walk(game, seed).go(40)
