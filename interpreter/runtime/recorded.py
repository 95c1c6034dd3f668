"""Recorded positions: how often the values of a position have been recorded.

States share what they have in common: recording gives another value and leaves the old one as it is, so that undo,
hypotheses and listed moves need no copies. Whatever the number of recorded positions, recording one and asking for one
takes few steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Key = tuple[Any, ...]
"""The values of a position."""

Node = dict[Key, int] | tuple[Any, ...]
"""Recorded keys with their numbers, or the nodes of all keys by the next bits of their hashes."""

BITS = 4
MOST_IN_LEAF = 32
DEEPEST = 15
"""How many times a leaf can be split: then no bits of the hash are left."""


class Recorded:
    """Recorded positions, each with how often it was recorded; equal if the same were, in whatever order."""

    __slots__ = ("_root",)

    def __init__(self, root: Node | None = None) -> None:
        self._root: Node = {} if root is None else root

    def times(self, key: Key) -> int:
        """How often these values have been recorded."""
        node, rest = self._root, hash(key)
        while isinstance(node, tuple):
            node, rest = node[rest & (1 << BITS) - 1], rest >> BITS
        return node.get(key, 0)

    def with_one_more(self, key: Key) -> Recorded:
        """The same with these values recorded once more."""
        return Recorded(_with_one_more(self._root, key, hash(key), 0))

    def items(self) -> Iterator[tuple[Key, int]]:
        """The recorded values, in no particular order, each with how often they were recorded."""
        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, tuple):
                waiting += node
            else:
                yield from node.items()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recorded):
            return NotImplemented
        return self._root == other._root  # where leaves are split depends on the keys alone

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        """A text that is the same for equal values in every process."""
        return f"<{', '.join(sorted(f'{key}: {times}' for key, times in self.items()))}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return recorded_anew, (dict(self.items()),)


NOTHING_RECORDED = Recorded()


def recorded_anew(counts: dict[Key, int]) -> Recorded:
    """Recorded positions from their numbers, such as those of another process, where hashes differ."""
    return Recorded(_node(counts, 0))


def _node(counts: dict[Key, int], depth: int) -> Node:
    """The node of keys of which the first bits of the hashes, as many as its depth says, are equal."""
    if len(counts) <= MOST_IN_LEAF or depth == DEEPEST:
        return counts
    parts: tuple[dict[Key, int], ...] = tuple({} for _ in range(1 << BITS))
    for key, times in counts.items():
        parts[hash(key) >> BITS * depth & (1 << BITS) - 1][key] = times
    return tuple([_node(part, depth + 1) for part in parts])


def _with_one_more(node: Node, key: Key, rest: int, depth: int) -> Node:
    """A node with one more of a key; `rest` are the bits of its hash that are left."""
    if isinstance(node, tuple):
        at = rest & (1 << BITS) - 1
        return (*node[:at], _with_one_more(node[at], key, rest >> BITS, depth + 1), *node[at + 1 :])
    return _node({**node, key: node.get(key, 0) + 1}, depth)
