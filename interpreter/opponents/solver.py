"""Proven positions in games of perfect information without chance.

Winands, Björnsson and Saito 2008, "Monte-Carlo tree search solver", for any number of seats: a position has the value
of the deciding seat's best move, if that move wins outright or all moves are proven.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.opponents.evaluation import Proven
from interpreter.opponents.tree import Node


def prove(root: Node, path: Sequence[Node], seats: Sequence[int], proven: Proven) -> None:
    """Propagate the proven value of the last node of a path to the nodes before it.

    `seats` made the moves to the nodes of the path.
    """
    path[-1].proven = proven
    for place in range(len(path) - 1, -1, -1):
        parent, seat = path[place - 1] if place else root, seats[place]
        found = _of_moves(parent, path[place], seat)
        if found is None:
            return
        parent.proven = found


def _of_moves(parent: Node, child: Node, seat: int) -> Proven | None:
    """The value of a position, one of whose moves has just been proven, for the deciding seat."""
    if child.proven is not None and child.proven.shares[seat] == 1.0:
        return child.proven
    found = [node.proven for node in parent.children.values() if node.proven is not None]
    if len(found) < len(parent.children):
        return None
    return max(found, key=lambda each: (each.values[seat], each.shares[seat]))
