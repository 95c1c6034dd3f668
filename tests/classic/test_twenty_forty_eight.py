"""2048 in step with OpenSpiel, where the cell and the number of a new tile are one outcome of chance.

Excluded is what OpenSpiel 2.0 does wrong: it leaves out some moves in which tiles double and none moves without that,
such as 0 0 4 4 to the right, and ends the game if there are no others.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter.play.game import load
from interpreter.runtime.chance import ChanceEvent

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

WAYS = ["north", "east", "south", "west"]
NUMBERS = {2: 0.9, 4: 0.1}


class Tiles:
    """New tiles, drawn here and repeated there."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.cells: list[str] = []
        self.numbers: list[int] = []

    def draw(self, event: ChanceEvent) -> int:
        """A cell, or what is rolled for it."""
        result = self.rng.randrange(event.size)
        if event.kind == "roll":
            self.numbers.append(int(event.faces[result]))
        else:
            self.cells.append(event.faces[result])
        return result

    def repeat(self, spiel: Any) -> None:
        """Add the next tile there; every free cell is as likely, and nine of ten tiles are a 2."""
        outcomes, cell, number = dict(spiel.chance_outcomes()), self.cells.pop(0), self.numbers.pop(0)
        place = 4 * (4 - int(cell[1])) + "abcd".index(cell[0])
        assert outcomes[2 * place + (number == 4)] == pytest.approx(2 * NUMBERS[number] / len(outcomes))
        spiel.apply_action(2 * place + (number == 4))


@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")
def test_random_games_in_step(long_run: bool) -> None:
    for seed in range(200 if long_run else 2):
        tiles, spiel = Tiles(seed), pyspiel.load_game("2048").new_initial_state()
        state = load("twenty_forty_eight", 1).start(seed, chance=tiles.draw)
        while True:
            while spiel.is_chance_node():
                tiles.repeat(spiel)
            there = [int(number) for line in str(spiel).splitlines() for number in line.split()]
            cells = [f"{column}{row}" for row in (4, 3, 2, 1) for column in "abcd"]
            assert [int(str(state.evaluate(f"tile[{cell}]"))) for cell in cells] == there
            if spiel.is_terminal():
                break
            moves = {f"slide({WAYS[action]})" for action in spiel.legal_actions()}
            assert moves <= {move.notation for move in state.legal_moves}
            action = tiles.rng.choice(spiel.legal_actions())
            spiel.apply_action(action)
            state.push(f"slide({WAYS[action]})")
        assert spiel.returns() == [float(str(state.evaluate("points")))]
