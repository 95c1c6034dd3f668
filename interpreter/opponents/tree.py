"""The tree of one seat: what it can tell apart of the moves made since the root, and what they have been worth."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, log, sqrt
from random import Random

from interpreter.opponents.evaluation import Proven
from interpreter.opponents.move_keys import Key, Offer

EXPLORATION = 0.7
"""How much more is tried what has been tried little; values are in [0, 1]."""

AT_FIRST, PER_ROOT = 5, 2
"""Of many moves the first `AT_FIRST + PER_ROOT * sqrt(visits)` are considered: progressive widening."""


class Node:
    """What follows a move as one seat learns of it, with the value of that move for the seat that made it.

    `offered` has for each list of legal moves met here the nodes that they lead to, the most promising first, with
    their numbers. Where there are several such lists, `possible` is how often a move could have been chosen.
    `proven` is what the position is worth, if that is certain.
    """

    __slots__ = ("children", "offered", "possible", "proven", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.possible = 0
        self.proven: Proven | None = None
        self.children: dict[Key, Node] = {}
        self.offered: dict[Offer, list[tuple[Node, int]]] = {}

    def after(self, key: Key) -> Node:
        """The node after a move."""
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = Node()
        return found


class History:
    """What moves have been worth wherever they were made, to try promising ones first.

    Nijssen and Winands 2010, "Enhancements for multi-player Monte-Carlo tree search" (progressive history).
    """

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Key, list[float]] = {}

    def add(self, key: Key, value: float) -> None:
        """A move was made in a game that had this value for the seat that made it."""
        found = self._found.get(key)
        if found is None:
            self._found[key] = [1.0, value]
        else:
            found[0] += 1.0
            found[1] += value

    def mean(self, key: Key) -> float:
        """What the move has been worth; 0.5 if nothing is known."""
        found = self._found.get(key)
        return 0.5 if found is None else (found[1] + 0.5) / (found[0] + 1.0)


def ordered(node: Node, offer: Offer, history: History, rng: Random) -> list[tuple[Node, int]]:
    """The moves of an offer, the most promising first, and otherwise in random order."""
    found = node.offered.get(offer)
    if found is None:
        if len(node.offered) == 1:
            for child, _ in next(iter(node.offered.values())):
                child.possible = node.visits
        numbers = list(range(len(offer.own)))
        rng.shuffle(numbers)
        numbers.sort(key=lambda number: -history.mean(offer.own[number]))
        found = node.offered[offer] = [(node.after(offer.own[number]), number) for number in numbers]
    return found


def selected(at: Node, moves: Sequence[tuple[Node, int]], seat: int) -> tuple[Node, int]:
    """The move to try next: one that has not been tried, or the one with the greatest upper confidence bound."""
    considered = AT_FIRST + isqrt(PER_ROOT * PER_ROOT * at.visits)
    some = moves[:considered] if considered < len(moves) else moves
    if len(at.offered) > 1:
        return _selected_of_some(some)
    best = _selected_of_all(some, at.visits, seat)
    if best[0].proven is not None and len(some) < len(moves):
        return _selected_of_all(moves, at.visits, seat)
    return best


def _selected_of_all(moves: Sequence[tuple[Node, int]], visits: int, seat: int) -> tuple[Node, int]:
    """The same where these moves have been possible all the time. What is proven is worth no second try."""
    logarithm = EXPLORATION * EXPLORATION * log(visits) if visits else 0.0
    best, best_bound = moves[0], -1.0
    for move in moves:
        node = move[0]
        times = node.visits
        if not times:
            return move
        proven = node.proven
        bound = node.total / times + sqrt(logarithm / times) if proven is None else proven.values[seat]
        if bound > best_bound:
            best, best_bound = move, bound
    return best


def _selected_of_some(moves: Sequence[tuple[Node, int]]) -> tuple[Node, int]:
    """The same where other moves are possible in other worlds: by how often each of them was possible."""
    best, best_bound = moves[0], -1.0
    for move in moves:
        node = move[0]
        node.possible += 1
        times = node.visits
        if not times:
            return move
        bound = node.total / times + EXPLORATION * sqrt(log(node.possible) / times)
        if bound > best_bound:
            best, best_bound = move, bound
    return best
