"""Recorded positions: how often the values of a position have been recorded.

Recording gives another value and leaves the old one as it is, so that undo, hypotheses and listed moves need no copies.
A plain dictionary would be copied at each decision of a long game, which makes its cost quadratic; here both values
share what they have in common.

Up to `MAX_IN_LEAF` positions are one dictionary. With the next one it is split into 16 by the first four bits of their
hashes, and so on: a hash trie. Recording a position copies one dictionary and the tuples of 16 on the way to it,
whatever the number of recorded positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

StoredValue: TypeAlias = int | tuple["StoredValue", ...] | None
"""A value of the language as a state stores it.

Numbers are themselves, truth values `True` and `False`; a member of a listed type, a seat, a piece or a place is its
number, and a set of them the number with their bits. A tuple is a sequence, a set of sets, or a value with several
parts. None is none.
"""

Key = tuple[StoredValue, ...]
"""The values of a position."""

Node = dict[Key, int] | tuple["Node", ...]
"""Recorded keys with their numbers, or the nodes of all keys by the next bits of their hashes."""

BITS = 4
MAX_IN_LEAF = 32
MAX_DEPTH = 15
"""Maximum number of times that a leaf is split: by then 60 bits of the hash are used up."""


class Recorded:
    """Recorded positions, each with how often it was recorded; the order of recording makes no difference."""

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
        # INVARIANT: the shape depends on the keys alone, not on the order in which they were recorded: a leaf is split
        # when it has too many keys, and nothing is ever removed. Equal contents therefore have equal trees.
        return self._root == other._root

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        """A text that is the same for equal values in every process."""
        return f"<{', '.join(sorted(f'{key}: {times}' for key, times in self.items()))}>"

    def __reduce__(self) -> tuple[object, ...]:
        return recorded_from_counts, (dict(self.items()),)


NOTHING_RECORDED = Recorded()


def recorded_from_counts(counts: dict[Key, int]) -> Recorded:
    """Build recorded positions from their counts, such as those of another process, where hashes differ."""
    return Recorded(_node(counts, 0))


def _node(counts: dict[Key, int], depth: int) -> Node:
    """The node for some keys at this depth; the bits of their hashes above it are equal."""
    if len(counts) <= MAX_IN_LEAF or depth == MAX_DEPTH:
        return counts
    parts: tuple[dict[Key, int], ...] = tuple({} for _ in range(1 << BITS))
    for key, times in counts.items():
        parts[hash(key) >> BITS * depth & (1 << BITS) - 1][key] = times
    return tuple([_node(part, depth + 1) for part in parts])


def _with_one_more(node: Node, key: Key, rest: int, depth: int) -> Node:
    """A node with a key recorded once more; `rest` are the bits of its hash below this depth."""
    if isinstance(node, tuple):
        part = rest & (1 << BITS) - 1
        return (*node[:part], _with_one_more(node[part], key, rest >> BITS, depth + 1), *node[part + 1 :])
    return _node({**node, key: node.get(key, 0) + 1}, depth)
