"""Go in lockstep with OpenSpiel's: legal moves at every decision, handicap stones, and the points of random games.

Excluded is what the two define differently:

- A move that brings a position back is forbidden here. OpenSpiel forbids only the direct recapture, and ends the game
  with a draw where any earlier position recurs; such moves are not compared.
- OpenSpiel ends a game after `max_game_length` moves; it is set so high that two passes come first.
- Black chooses the points of handicap stones. OpenSpiel puts them on fixed points, on boards of 19 lines only; black
  chooses these points in the comparison. Of other points and boards, and of a single handicap stone, which OpenSpiel
  ignores, nothing is compared.
- OpenSpiel gives white a point for each handicap stone. Here only komi does, which is raised by as many.
- OpenSpiel's komi may be any number. Here it is a whole number up to 99, with or without a half point.

Suicide is forbidden on both sides, and dead stones are not removed at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.classic.twin import Pair, Spiel, Twin, played

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

LONGEST = 5000
KOMI = 7
LARGEST = 19
"""OpenSpiel has handicap stones on this board only."""


def openspiel(size: int, handicap: int = 0, komi: float = KOMI + 0.5) -> str:
    """OpenSpiel's name of a game."""
    return f"go(board_size={size},handicap={handicap},komi={komi},max_game_length={LONGEST})"


class Superko:
    """A state of OpenSpiel without the moves that bring a position back. `left_out` counts them."""

    def __init__(self, spiel: Spiel) -> None:
        self._spiel = spiel
        self.left_out = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spiel, name)

    def __str__(self) -> str:
        return str(self._spiel)

    def legal_actions(self) -> list[int]:
        """Passing, and the moves that do not end the game; only one to a point used before can end it."""
        legal, used = self._spiel.legal_actions(), set(self._spiel.history())
        kept = [
            action for action in legal
            if action == max(legal) or action not in used or not self._spiel.child(action).is_terminal()
        ]  # fmt: skip
        self.left_out += len(legal) - len(kept)
        return kept


class Match(Pair):
    """A game of ours beside OpenSpiel's, which black begins with the handicap stones that OpenSpiel has."""

    def settle(self) -> None:
        """Wrap OpenSpiel's state at the beginning, and choose the points of its stones."""
        if isinstance(self.spiel, Superko):
            return
        for column, row in stones(self.spiel):
            self.state.push(f"choose({point(column, row)})")
        self.spiel = Superko(self.spiel)


def point(column: int, row: int) -> str:
    """Our name of a point; both count from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


def stones(spiel: Spiel) -> list[tuple[int, int]]:
    """The columns and rows of the stones on a board of OpenSpiel, from its text, in our order."""
    rows = [(int(row) - 1, text) for row, text in re.findall(r"^ *(\d+) ([+XO]+)$", str(spiel), re.MULTILINE)]
    return [(column, row) for row, text in sorted(rows) for column, shown in enumerate(text) if shown != "+"]


def twin_of(size: int, handicap: int) -> Twin:
    """Go on a board of this size."""

    def called(spiel: Spiel, action: int) -> str:
        row, column = divmod(action, size)
        return "pass" if action == size**2 else f"put({point(column, row)})"

    options = {"size": size, "handicap": handicap, "komi": KOMI + handicap}
    return Twin("go", openspiel(size, handicap), called, options=options, longest=LONGEST)


def in_step(size: int, seed: int, handicap: int = 0, opening: Sequence[str] = (), most: int = LONGEST) -> int:
    """Play a random game on both sides, and compare its points; returns how many of OpenSpiel's moves were ignored.

    After `most` moves it is left without points.
    """
    pair = Match(twin_of(size, handicap), pyspiel, seed)
    for move in opening:
        assert move in pair.moves()
        pair.make(move)
    for number, _ in enumerate(played(pair)):
        if number == most:
            return pair.spiel.left_out
    areas = pair.state.evaluate("area(black) - area(white)")
    assert isinstance(areas, int)
    ahead = float(areas - handicap)
    for komi, black in ((ahead - 0.5, 1), (ahead, 0), (ahead + 0.5, -1)):
        state = pyspiel.load_game(openspiel(size, handicap, komi)).new_initial_state()
        for action in pair.spiel.history():
            state.apply_action(action)
        assert state.returns() == [black, -black]
    return pair.spiel.left_out


@pytest.mark.parametrize(("size", "games"), [(5, 3), (9, 1)])
def test_a_few_random_games_in_step(size: int, games: int) -> None:
    for seed in range(games):
        in_step(size, seed)


def test_the_beginning_of_a_game_with_handicap_stones_in_step() -> None:
    in_step(LARGEST, 0, 9, most=40)


def test_a_position_that_comes_back() -> None:
    """White loses two stones and would capture one: not the direct recapture, but the position before them."""
    opening = [f"put({name})" for name in ("a2", "b1", "b2", "c2", "e5", "d1", "e4", "a1", "c1")]
    assert in_step(5, 0, opening=opening)


@pytest.mark.long
@pytest.mark.parametrize(("size", "games"), [(5, 300), (9, 100), (13, 20), (19, 8)])
def test_many_random_games_in_step(size: int, games: int) -> None:
    for seed in range(100, 100 + games):
        in_step(size, seed)


@pytest.mark.long
@pytest.mark.parametrize("handicap", range(2, 10))
def test_games_with_handicap_stones(handicap: int) -> None:
    in_step(LARGEST, 100 + handicap, handicap)
