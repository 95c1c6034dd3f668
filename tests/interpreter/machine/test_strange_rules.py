"""Small rules with unusual constructs and combinations of them, in both engines: at random, step by step, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.analysis.backends import why_no_machine
from regelwerk import load
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk

LEFT_TO_PYTHON = {"choices_of_several": "the operation offered"}
"""Rules that the machine engine cannot play yet: it does not know which pieces the acting seat sees."""

FOLDER = Path(__file__).parent / "strange"
STRANGE = sorted(path for path in FOLDER.glob("*.rules") if path.stem not in LEFT_TO_PYTHON)


@pytest.mark.parametrize("name", LEFT_TO_PYTHON)
def test_python_plays_what_is_left_to_it(name: str) -> None:
    game = load(FOLDER / f"{name}.rules", players=None)
    assert LEFT_TO_PYTHON[name] in (why_no_machine(game) or "")
    assert list(game.playouts(3, backend="auto")) == list(game.playouts(3, backend="python"))


@pytest.mark.parametrize("path", STRANGE, ids=lambda path: path.stem)
def test_both_engines_agree(path: Path) -> None:
    game = load(path, players=None)
    assert compared(game, 0, 25).total()
    for seed in range(3):
        Walk(game, seed).go(40)
