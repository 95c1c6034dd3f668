"""Slots: positions of pieces that a seat has not fully seen, and the other pieces that may lie there instead.

A random walk of swaps that preserve what was seen of each slot can reach most assignments; drawing one directly would
mean drawing a random perfect matching. A slot has what was seen of a piece since a shuffle and is seen in the end
(`sampling.py`); in tests that draw from the present view alone, what is seen now.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, look
from interpreter.opponents.knowledge.histories import Moment, Observer, Ply, seen_between

NOTHING_SEEN: frozenset[str] = frozenset()


@dataclass
class Slots:
    """Slots, each named by the piece that lies there, with the attributes that were seen of it and its content now."""

    program: Program
    pieces: tuple[int, ...]
    seen: Mapping[int, frozenset[str]]
    contents: dict[int, int]
    settled: set[int] = field(default_factory=set)

    @classmethod
    def of(
        cls,
        observer: Observer,
        history: Sequence[Ply],
        moment: Moment,
        end: Moment | None = None,
        until: int | None = None,
        misplaced: Collection[int] = (),
    ) -> Slots:
        """The slots of a shuffle; only those of pieces that are still in it at the end.

        `until`: observations in later plies are ignored. How `misplaced` pieces look in the end does not count.
        """
        program = observer.program
        pieces = history[moment[0]].chance[moment[1]].new
        if end is not None:
            kept = set(history[end[0]].chance[end[1]].old)
            pieces = tuple(piece for piece in pieces if piece in kept)
        seen = seen_between(history[:until], moment, end)
        past = history[:until]
        if end is None and moment[0] < len(past):
            # A piece that is turned over where it lies is not among those that were seen on their way.
            S = past[-1].after
            for piece in set(pieces).difference(misplaced):
                seen[piece] = seen.get(piece, NOTHING_SEEN) | known_attributes(program, S, observer.seat, piece)
        return cls.with_seen(program, pieces, seen)

    @classmethod
    def with_seen(cls, program: Program, pieces: tuple[int, ...], seen: Mapping[int, frozenset[str]]) -> Slots:
        """The slots of some pieces, each with its own one in it."""
        return cls(program, pieces, seen, {piece: piece for piece in pieces})

    def fits(self, piece: int, slot: int) -> bool:
        """True if a piece looks like what was seen in a slot."""
        program, known = self.program, self.seen.get(slot)
        if known:
            return look(program, piece, known) == look(program, slot, known)
        pieces = program.layout.pieces
        return piece == slot or pieces[piece].type == pieces[slot].type

    def can_swap(self, one: int, other: int) -> bool:
        """True if the contents of two slots fit each other's."""
        if one == other or one in self.settled or other in self.settled:
            return False
        return self.fits(self.contents[one], other) and self.fits(self.contents[other], one)

    def swap(self, one: int, other: int) -> bool:
        """Swap the contents of two slots, if they fit; whether they do."""
        if not self.can_swap(one, other):
            return False
        self.contents[one], self.contents[other] = self.contents[other], self.contents[one]
        return True

    def settle(self, slot: int) -> None:
        """Fix the content of a slot."""
        self.settled.add(slot)

    @property
    def swappable(self) -> list[int]:
        """The slots of pieces of which there are several of the same type."""
        return [piece for alike in self._of_type.values() if len(alike) > 1 for piece in alike]

    @cached_property
    def _of_type(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for piece in self.pieces:
            found[self.program.layout.pieces[piece].type].append(piece)
        return found

    def walk(self, rng: random.Random, tries: int, most: int | None = None) -> None:
        """Try random swaps of pieces of the same type, until `most` of them were possible."""
        pieces, swaps = self.swappable, 0
        for _ in range(tries if pieces else 0):
            one = rng.choice(pieces)
            other = rng.choice(self._of_type[self.program.layout.pieces[one].type])
            swaps += self.swap(one, other)
            if swaps == most:
                return

    @property
    def exchange(self) -> dict[int, int]:
        """The pieces that are not in their own slots."""
        return {slot: piece for slot, piece in self.contents.items() if slot != piece}
