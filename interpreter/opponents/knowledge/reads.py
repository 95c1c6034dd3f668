"""An index of footprints: which decisions of a history read what would change if two pieces changed places.

A history has a hundred decisions and more, and many exchanges are tried. So footprints are not looked through one by
one: for everything that can be read, the decisions that did are kept as the bits of a number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import Any

from interpreter.opponents.knowledge.histories import Footprint
from interpreter.runtime.bitset import bits

Lying = Mapping[int, int]
"""The decisions before which a slot lies at a place, by the cell of the set of its pieces."""


class Reads:
    """The footprints of numbered decisions; see `Footprint` for what is read."""

    def __init__(self) -> None:
        self._everything: dict[str, int] = {"": 0}
        self._pieces: dict[int, int] = {}
        self._cells: dict[int, int] = {}
        self._members: dict[int, dict[int, int]] = defaultdict(dict)
        self._sizes: dict[int, dict[int, int]] = defaultdict(dict)
        self._entries: dict[int, list[tuple[dict[Any, int], Hashable]]] = {}

    def put(self, number: int, footprint: Footprint) -> None:
        """Take over what a decision read, instead of what it read before."""
        bit = 1 << number
        for of_key, key in self._entries.get(number, ()):
            of_key[key] &= ~bit
        entries: list[tuple[dict[Any, int], Hashable]] = []
        if footprint.everything:
            entries.append((self._everything, ""))
        else:
            entries += [(self._pieces, piece) for piece in bits(footprint.pieces)]
            entries += [(self._cells, cell) for cell in footprint.cells]
            entries += [(self._members[cell], part) for cell, part in footprint.members.items()]
            for cell, parts in footprint.sizes.items():
                entries += [(self._sizes[cell], part) for part in parts]
        for of_key, key in entries:
            of_key[key] = of_key.get(key, 0) | bit
        self._entries[number] = entries

    def of_pieces(self, first: int, second: int) -> int:
        """The decisions for which it mattered where one of two pieces lies."""
        return self._everything[""] | self._pieces.get(first, 0) | self._pieces.get(second, 0)

    def of_sets(self, first: int, second: int, lying: Lying, apart: int) -> int:
        """The decisions for which it mattered that one of two pieces is in the set of a place instead of the other.

        `apart` are those before which only one of them was there, so that numbers of pieces change.
        """
        both, plies = 1 << first | 1 << second, 0
        for cell, there in lying.items():
            for part, read in self._members[cell].items():
                if part & both:
                    plies |= read & there
            alone = there & apart
            if alone:
                plies |= self._cells.get(cell, 0) & alone
                for part, read in self._sizes[cell].items():
                    if (part >> first ^ part >> second) & 1:
                        plies |= read & alone
        return plies
