"""A game with twice as many declarations takes about twice the work to compile: calls are counted, not seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.game import load
from tests.dsl.test_many_declarations import DECLARATIONS, LINEAR, calls_in, text_of

MANY = 40


@pytest.mark.parametrize("sort", [sort for sort in DECLARATIONS if sort != "examples"])
def test_twice_as_many_take_twice_the_work(tmp_path: Path, sort: str) -> None:
    path = tmp_path / "x.rules"

    def work(many: int) -> int:
        path.write_text(text_of(sort, many), encoding="utf-8")
        game = load(path)
        return calls_in(lambda: game.start(1).legal_moves)

    work(1)  # what is imported, and compiled once for all games
    few, many = work(MANY), work(2 * MANY)
    assert many < LINEAR * few, f"{many / few:.2f} times the calls"
