"""The tree of one seat: the moves since the root as far as the seat can distinguish them, with their values."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import NamedTuple

from interpreter.opponents.evaluation import Proven
from interpreter.opponents.move_keys import Key, MoveKeys, Offer


class Node:
    """A node after a move as one seat learns of it, with the value of that move for the seat that made it.

    `offered` maps each list of legal moves met here to the nodes they lead to, most promising first, with their
    numbers. If there are several such lists, `possible` counts how often a move was available. `proven` is the proven
    value of the position, if any; `prior` its estimate before any visit.
    """

    __slots__ = ("children", "offered", "possible", "prior", "proven", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.possible = 0
        self.prior = 0.0
        self.proven: Proven | None = None
        self.children: dict[Key, Node] = {}
        self.offered: dict[Offer, list[tuple[Node, int]]] = {}

    def after(self, key: Key) -> Node:
        """The node after a move."""
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = Node()
        return found


class Trees(NamedTuple):
    """The trees of a search, with the keys of their moves.

    `root` is that of the tree of the deciding seat, or of the only tree; `others` are those of the other seats, each
    with what it holds.
    """

    keys: MoveKeys
    root: Node
    others: dict[tuple[int, Hashable], Node]


class History:
    """The average values of moves across the tree, to try promising ones first.

    Nijssen and Winands 2010, "Enhancements for multi-player Monte-Carlo tree search" (progressive history).
    """

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Key, list[float]] = {}

    def add(self, key: Key, value: float) -> None:
        """Add the value of a game for the seat that made a move in it."""
        found = self._found.get(key)
        if found is None:
            self._found[key] = [1.0, value]
        else:
            found[0] += 1.0
            found[1] += value

    def mean(self, key: Key) -> float:
        """The average value of a move; 0.5 if it is unknown."""
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
