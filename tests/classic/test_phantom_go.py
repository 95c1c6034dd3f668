"""Phantom go in step with OpenSpiel, which lets a player try a point again that has just been refused; we do not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.classic.twin import Pair, Spiel, Twin, played

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")


class Remembering:
    """A state of OpenSpiel without the moves that have been refused in this turn."""

    def __init__(self, spiel: Spiel) -> None:
        self._spiel, self._refused = spiel, set[int]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._spiel, name)

    def __str__(self) -> str:
        return str(self._spiel)

    def legal_actions(self) -> list[int]:
        """Those not yet tried in vain."""
        return [action for action in self._spiel.legal_actions() if action not in self._refused]

    def apply_action(self, action: int) -> None:
        """Make a move; who is to move again has been refused."""
        seat = self._spiel.current_player()
        self._spiel.apply_action(action)
        self._refused = self._refused | {action} if self._spiel.current_player() == seat else set()


class Match(Pair):
    """A game of ours beside OpenSpiel's."""

    def settle(self) -> None:
        """Wrap OpenSpiel's state at the beginning; there is no chance."""
        if not isinstance(self.spiel, Remembering):
            self.spiel = Remembering(self.spiel)


def twin_of(size: int) -> Twin:
    """Phantom go on a board of this size."""

    def called(spiel: Spiel, action: int) -> str:
        row, column = divmod(action, size)
        return "pass" if action == size**2 else f"try({chr(ord('a') + column)}{row + 1})"

    game = f"phantom_go(board_size={size},max_game_length=100000)"
    return Twin("phantom_go", game, called, options={"size": size}, longest=100_000)


@pytest.mark.parametrize(("size", "games"), [(5, 3), (9, 1)])
def test_random_games_in_step(size: int, games: int, long_run: bool) -> None:
    for seed in range(100 if long_run else games):
        for _ in played(Match(twin_of(size), pyspiel, seed)):
            pass
