"""Go in step with OpenSpiel's: legal moves at every decision and the result of random games.

Excluded is what the two define differently:

- A move that brings a position back is forbidden here. OpenSpiel forbids only the direct recapture and ends the game
  with a draw where any earlier position comes about again; these moves are left out on its side.
- OpenSpiel ends a game after `max_game_length` moves; it is set so high that two passes come first.
- Komi is 7½ on both sides: here as 7 and a half point that decides between equal points.
- Handicap stones, which OpenSpiel puts on fixed points and black chooses here.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.classic.twin import Spiel, Twin, in_step

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

LONGEST = 5000


class Superko:
    """A state of OpenSpiel without the moves that bring a position back."""

    def __init__(self, spiel: Spiel, size: int) -> None:
        self._spiel, self.size = spiel, size
        self.left_out = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spiel, name)

    def __str__(self) -> str:
        return str(self._spiel)

    def legal_actions(self) -> list[int]:
        """Passing, and the moves after which the game goes on."""
        legal = self._spiel.legal_actions()
        kept = [action for action in legal if action == self.size**2 or not self._spiel.child(action).is_terminal()]
        self.left_out += len(legal) - len(kept)
        return kept


class OpenSpiel:
    """The part of `pyspiel` that a pair needs."""

    def __init__(self, size: int) -> None:
        self.size = size

    def load_game(self, name: str) -> OpenSpiel:
        """Go of this size."""
        self.game = pyspiel.load_game(name)
        return self

    def new_initial_state(self) -> Superko:
        """The empty board."""
        return Superko(self.game.new_initial_state(), self.size)


def twin_of(size: int) -> Twin:
    """Go on a board of this size."""

    def called(spiel: Spiel, action: int) -> str:
        row, column = divmod(action, size)
        return "pass" if action == size**2 else f"put({chr(ord('a') + column)}{row + 1})"

    settings = f"board_size={size},komi=7.5,max_game_length={LONGEST}"
    return Twin("go", f"go({settings})", called, options={"size": size}, longest=LONGEST)


def left_out(size: int, seed: int) -> int:
    """Play a game; how many moves were left out of it on the other side."""
    number = 0
    for pair in in_step(twin_of(size), OpenSpiel(size), seed):
        number = pair.spiel.left_out
    return number


@pytest.mark.parametrize(("size", "games"), [(5, 6), (9, 3), (13, 1)])
def test_a_few_random_games_in_step(size: int, games: int) -> None:
    for seed in range(games):
        left_out(size, seed)


@pytest.mark.long
@pytest.mark.parametrize(("size", "games"), [(5, 200), (9, 60), (13, 10), (19, 3)])
def test_many_random_games_in_step(size: int, games: int) -> None:
    found = sum(left_out(size, seed) for seed in range(100, 100 + games))
    assert size > 9 or found > 0
