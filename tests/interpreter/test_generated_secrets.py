"""No generated game lets a seat tell states apart that differ only in what it may not know.

A game that `check` refuses is not played. In the others every decision is compared, from two seats, with a state in
which the hidden pieces have changed places: view, question, moves and answers to `why` before it, and log, view, trace
and explained values after it. Then the move must do the same with the pieces that have changed places: nothing may
follow from the order in which hidden pieces are declared.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interpreter.generated import tried

PARTS, PARTS_IN_THE_LONG_RUN = 4, 20
GAMES, GAMES_IN_THE_LONG_RUN = 15, 1_000


@pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=() if part < PARTS else pytest.mark.long) for part in range(PARTS_IN_THE_LONG_RUN)],
)
def test_generated_games_reveal_nothing_hidden(part: int, long_run: bool, tmp_path: Path) -> None:
    games = GAMES_IN_THE_LONG_RUN if long_run else GAMES
    figures = tried(range(part * games, (part + 1) * games), tmp_path)
    assert figures.leaks == []
    assert figures.games["accepted"] > games / 2
    assert figures.compared > games
    assert figures.ordered > games / 3
