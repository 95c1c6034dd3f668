"""Random play: the only place that decides which legal move is made when a game is played at random."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.game import State
    from interpreter.notation.words import Move


def random_choice(seed: int, decision: int, count: int) -> int:
    """Choose one of `count` legal moves, all equally likely, after `decision` decisions of the game with a seed.

    The choice depends on nothing else, so a game is the same wherever it is played, and after an undo or a resume.
    Every decision counts, whoever made it, including those with a single legal move.
    """
    draws = _draws(seed)
    while len(draws.drawn) <= decision:
        draws.drawn.append(draws.generator.random())
    return int(draws.drawn[decision] * count)


def random_move(state: State) -> Move:
    """Choose the move that random play makes; the game must not be over."""
    moves = state.legal_moves
    return moves[random_choice(state.seed, state.ply, len(moves))]


class _Draws:
    """The draws of one seed so far, in order."""

    __slots__ = ("drawn", "generator")

    def __init__(self, seed: int) -> None:
        self.generator = Random(seed)
        self.drawn: list[float] = []


@lru_cache(maxsize=4)
def _draws(seed: int) -> _Draws:
    return _Draws(seed)
