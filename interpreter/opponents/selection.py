"""Which move to try next: upper confidence bounds (Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning").

Of many moves only the first few are considered, and more with every visit: progressive widening (Coulom 2007,
"Computing Elo ratings of move patterns in the game of Go"). For moves that are legal only in some worlds, their
availability count replaces the parent's visits, as in MO-ISMCTS.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, log, sqrt
from random import Random

from interpreter.opponents.tree import Node

EXPLORATION = 1.0
"""The exploration constant, in standard deviations of the values of random games."""

PRIOR_GAMES, PRIOR_VARIANCE = 8, 0.25
"""The prior variance of values is that of wins and losses, with the weight of this many games."""

AT_FIRST, PER_ROOT = 5, 2
"""Progressive widening considers the first `AT_FIRST + PER_ROOT * sqrt(visits)` moves."""

BIAS = 1.0
"""The weight of the prior value of an untried position, in random games."""

LUCK = 0.2
"""The amplitude of the random perturbation of the exploration term."""

Choices = Sequence[tuple[Node, int]]
"""The nodes that moves lead to, the most promising first, with the numbers of the moves."""


class Exploration:
    """The amount of exploration: proportional to the spread of the values of random games, which differs by game."""

    __slots__ = ("_games", "_squares", "_sums", "of_seat")

    def __init__(self, seats: int) -> None:
        self._games = 0
        self._sums, self._squares = [0.0] * seats, [0.0] * seats
        self.of_seat = [EXPLORATION * sqrt(PRIOR_VARIANCE)] * seats

    def add(self, values: Sequence[float]) -> None:
        """Add the values of a random game."""
        self._games += 1
        games = self._games
        for seat, value in enumerate(values):
            self._sums[seat] += value
            self._squares[seat] += value * value
            squares = self._squares[seat] - self._sums[seat] * self._sums[seat] / games
            variance = (squares + PRIOR_GAMES * PRIOR_VARIANCE) / (games + PRIOR_GAMES)
            self.of_seat[seat] = EXPLORATION * sqrt(max(0.0, variance))


def selected(at: Node, moves: Choices, seat: int, exploration: float, luck: Random | None) -> tuple[Node, int]:
    """The move to try next: an untried one, or the one with the greatest upper confidence bound.

    If seats choose simultaneously, some `luck` is needed: otherwise two of them could cycle through their moves in
    lockstep, each always against the same move of the other.
    """
    considered = AT_FIRST + isqrt(PER_ROOT * PER_ROOT * at.visits)
    some = moves[:considered] if considered < len(moves) else moves
    if luck is not None:
        return _with_luck(at, some, exploration, luck)
    if len(at.offered) > 1:
        return _possible_sometimes(some, exploration)
    best = _possible_always(some, at.visits, seat, exploration)
    if best[0].proven is not None and len(some) < len(moves):
        return _possible_always(moves, at.visits, seat, exploration)
    return best


def _possible_always(moves: Choices, visits: int, seat: int, exploration: float) -> tuple[Node, int]:
    """The same if these moves have always been legal. Proven moves are not tried again."""
    logarithm = exploration * exploration * log(visits) if visits else 0.0
    best, best_bound = moves[0], -1.0
    for move in moves:
        node = move[0]
        times = node.visits
        if not times:
            return move
        proven = node.proven
        bound = (node.total + node.prior) / times + sqrt(logarithm / times) if proven is None else proven.values[seat]
        if bound > best_bound:
            best, best_bound = move, bound
    return best


def _possible_sometimes(moves: Choices, exploration: float) -> tuple[Node, int]:
    """The same if different moves are legal in other worlds."""
    best, best_bound = moves[0], -1.0
    for move in moves:
        node = move[0]
        node.possible += 1
        times = node.visits
        if not times:
            return move
        bound = (node.total + node.prior) / times + exploration * sqrt(log(node.possible) / times)
        if bound > best_bound:
            best, best_bound = move, bound
    return best


def _with_luck(at: Node, moves: Choices, exploration: float, luck: Random) -> tuple[Node, int]:
    """The same with some luck."""
    sometimes = len(at.offered) > 1
    best, best_bound = moves[0], -1.0
    for move in moves:
        node = move[0]
        node.possible += 1
        times = node.visits
        if not times:
            return move
        tried = log(node.possible if sometimes else at.visits + 1) / times
        bound = (node.total + node.prior) / times + exploration * (1.0 + LUCK * (luck.random() - 0.5)) * sqrt(tried)
        if bound > best_bound:
            best, best_bound = move, bound
    return best
