"""Races in step with OpenSpiel to ends that random games do not come to, and with more players than a `Twin` has.

Quoridor for four has its seats clockwise here; there they are numbered otherwise, by `Clockwise` the same. Chinese
checkers is played by players who mostly go ahead.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.classic.further_twins import chinese_checkers, quoridor
from tests.classic.twin import Pair, Spiel, played

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

STEPS = {
    "northwest": (0, -1),
    "northeast": (1, -1),
    "west": (-1, 0),
    "east": (1, 0),
    "southwest": (-1, 1),
    "southeast": (0, 1),
}
"""The change of column and row."""


class Clockwise:
    """A state of OpenSpiel for four, whose second and third seat have changed numbers."""

    def __init__(self, spiel: Spiel) -> None:
        self.spiel = spiel

    def __getattr__(self, name: str) -> Any:
        return getattr(self.spiel, name)

    def __str__(self) -> str:
        return str(self.spiel)

    def current_player(self) -> int:
        """The seat to move, or a negative number."""
        number: int = self.spiel.current_player()
        return {1: 2, 2: 1}.get(number, number)


class FourInStep(Pair):
    """A pair whose other side is clockwise."""

    def settle(self) -> None:
        """There is no chance; at the beginning, number the seats as here."""
        if not isinstance(self.spiel, Clockwise):
            self.spiel = Clockwise(self.spiel)
        super().settle()


def test_quoridor_for_four(long_run: bool) -> None:
    twin = replace(quoridor(), spiel="quoridor(players=4,wall_count=5)", players=4)
    for seed in range(20 if long_run else 1):
        for _ in played(FourInStep(twin, pyspiel, seed)):
            pass


def ahead(move: str, top: tuple[int, int]) -> int:
    """How much a move brings a man nearer to the top of a tip; the farther away it was, the more."""
    if move == "done":
        return 0
    kind, place, way = move.replace(")", "").replace("(", ",").split(",")
    column, row, steps = "abcdefghijklmnopq".index(place[0]) + 1, int(place[1:]), 2 if kind == "jump" else 1

    def far(column: int, row: int) -> int:
        x, y = column - top[0], row - top[1]
        return max(abs(x), abs(y), abs(x + y))

    across, along = STEPS[way]
    return int(far(column, row) ** 2 - far(column + steps * across, row + steps * along) ** 2)


def test_chinese_checkers_to_the_end(long_run: bool) -> None:
    tops = [(5, 17), (13, 1)]
    won = 0
    for seed in range(20 if long_run else 2):
        rng, twin = random.Random(seed), chinese_checkers(2, 1000)
        pair = Pair(twin, pyspiel, seed)
        while moves := pair.moves():
            top = tops[pair.spiel.current_player()]
            pair.make(
                rng.choice(moves) if rng.random() < 0.2 else max(moves, key=lambda move: (ahead(move, top), move))
            )
        assert pair.state.outcome is not None
        assert list(pair.spiel.returns()) == list(twin.returns(pair.state, pair.spiel))
        won += len(pair.state.outcome.winners) == 1
    assert won
