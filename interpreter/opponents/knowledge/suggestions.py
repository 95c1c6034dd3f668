"""Exchanges of pieces that may make a history agree with what was observed next."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, Several, bare
from interpreter.engine.program import Program
from interpreter.engine.sight import Look, Standing, fully_seen, look, place_standing
from interpreter.opponents.knowledge.arrangement import look_in, shown_at
from interpreter.opponents.knowledge.exchanges import exchanged
from interpreter.opponents.knowledge.following import Mismatch, next_ply, options
from interpreter.opponents.knowledge.histories import (
    History,
    Moment,
    Observer,
    Ply,
    drawn_by,
    seen_between,
    shuffles_in,
)
from interpreter.opponents.knowledge.moves import types_of
from interpreter.opponents.knowledge.observation import Observation, Seen, Sighting
from interpreter.opponents.knowledge.slots import NOTHING_SEEN, Slots
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, number_in
from interpreter.runtime.layout import ME, MOVES, POINT

MAX_PROBED_EXCHANGES, MAX_PROBED_MOVES = 60, 16
"""Number of exchanges probed in the present position, and of the moves tried that each makes possible."""

ROUNDS = 10
"""Number of random choices of pieces for the places where they were seen."""

Way = tuple[Standing, ...]
Differences = tuple[list[tuple[int, Look | None]], list[Sighting]]
Exchanges = Iterator[tuple[Moment, dict[int, int]]]


@dataclass
class Suggestions:
    """Candidate repairs where a history deviates from an observation; `history` ends just before."""

    observer: Observer
    observation: Observation
    history: History
    mismatch: Mismatch
    rng: random.Random
    _seen_since: dict[tuple[Moment, frozenset[int] | None], Slots] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        """The rules of the game."""
        return self.observer.program

    @cached_property
    def whole(self) -> History:
        """The history with the deviating ply."""
        return self.history if self.mismatch.ply is None else (*self.history, self.mismatch.ply)

    def _slots(self, unsettled: frozenset[int] | None = None) -> Iterator[tuple[Moment, Slots]]:
        """The slots of all shuffles, the latest first; what was seen of the unsettled ones in the end does not count.

        By default nothing does that was seen in the end.
        """
        for moment in reversed(shuffles_in(self.whole)):
            key = moment, unsettled
            if key not in self._seen_since:
                self._seen_since[key] = self._seen_of_slots(moment, unsettled)
            slots = self._seen_since[key]
            yield moment, Slots.with_seen(self.program, slots.pieces, slots.seen)

    def _seen_of_slots(self, moment: Moment, unsettled: frozenset[int] | None) -> Slots:
        misplaced = self._misplaced if unsettled is None else self._misplaced & unsettled
        slots = Slots.of(self.observer, self.whole, moment, until=len(self.history), misplaced=misplaced)
        if unsettled is not None:
            seen = dict(slots.seen)
            for piece, known in seen_between(self.whole, moment).items():
                if piece not in unsettled:
                    seen[piece] = seen.get(piece, NOTHING_SEEN) | known
            slots.seen = seen
        return slots

    # ------------------------------------------------------------ pieces that were seen

    def of_what_was_seen(self) -> Exchanges:
        """Exchanges that put the pieces that were seen where they were seen."""
        on_table: Differences = self._differences_on_table, []
        differences = self._differences(), self._differences_in_order(), on_table
        variants = [(list(wrong), missing) for wrong, missing in differences if wrong or missing]
        known: list[tuple[Moment, dict[int, int]]] = []
        for number in range(ROUNDS * len(variants)):
            wrong, missing = variants[number % len(variants)]
            for moment, slots in self._slots(frozenset([piece for piece, _ in wrong])):
                self.rng.shuffle(wrong)
                self._bring(slots, missing)
                for piece, seen in wrong:
                    if seen is not None or not missing or self.rng.random() < 0.5:
                        self._put(slots, piece, seen)
                found = [(moment, slots.exchange)]
                if number >= len(variants) and self._make_way(slots, missing or self._expected):
                    found.append((moment, slots.exchange))
                for suggestion in found:
                    if suggestion[1] and suggestion not in known:
                        known.append(suggestion)
                        yield suggestion

    @cached_property
    def _expected(self) -> list[Sighting]:
        return [] if self.mismatch.entry is None else list(self.mismatch.entry.sightings)

    @cached_property
    def _seen(self) -> list[Seen]:
        """What was seen instead, from the beginning of the entry on."""
        failed = self.mismatch.ply
        last = failed or (self.history[-1] if self.history else None)
        if last is None or (failed is None and last.lines == len(self.observation.entries[last.entry].lines)):
            return []  # nothing of the entry has happened
        return [one for ply in self.whole if ply.entry == last.entry for one in ply.learnt.seen]

    def _differences(self) -> Differences:
        """Pieces that were seen where others should have been, with what should have been seen; and what is missing."""
        missing: dict[Way, list[Look]] = defaultdict(list)
        for sighting in (Counter(self._expected) - Counter(one.sighting for one in self._seen)).elements():
            missing[sighting[0]].append(sighting[1])
        spare = Counter(one.sighting for one in self._seen) - Counter(self._expected)
        wrong: list[tuple[int, Look | None]] = []
        for one in self._seen:
            if spare[one.sighting] > 0:
                spare[one.sighting] -= 1
                instead = missing[one.sighting[0]]
                wrong.append((one.piece, instead.pop() if instead else None))
        return wrong, [(way, appearance) for way, left in missing.items() for appearance in left]

    def _differences_in_order(self) -> Differences:
        """The same where the order of the pieces that came the same way matters."""
        expected: dict[Way, list[Look]] = defaultdict(list)
        for way, appearance in reversed(self._expected):
            expected[way].append(appearance)
        wrong: list[tuple[int, Look | None]] = []
        for one in self._seen:
            way, appearance = one.sighting
            instead = expected[way].pop() if expected[way] else None
            if instead != appearance:
                wrong.append((one.piece, instead))
        return wrong, []

    @cached_property
    def _differences_on_table(self) -> list[tuple[int, Look | None]]:
        """Pieces that lie where others were seen when the last entry was complete, with what was seen there.

        A piece that is turned over where it lies is not among those that were seen on their way.
        """
        entries = self.observation.entries
        last = self.history[-1] if self.history and self.mismatch.ply is None else None
        if last is None or last.lines < len(entries[last.entry].lines):
            return []
        wrong: list[tuple[int, Look | None]] = []
        for number, expected in self.observation.arrangements[last.entry]:
            pieces = self.program.contents(last.after, number)
            shown = shown_at(self.program, last.after, self.observer.seat, number)
            if self.program.layout.places[number].order:
                pairs = zip(pieces, shown, expected, strict=False)
                wrong += [(piece, look_in(instead)) for piece, item, instead in pairs if item != instead]
                continue
            missing, spare = list(expected), list[int]()
            for piece, item in zip(pieces, shown, strict=True):
                if item in missing:
                    missing.remove(item)
                else:
                    spare.append(piece)
            wrong += zip(spare, map(look_in, missing), strict=False)
        return wrong

    @cached_property
    def _misplaced(self) -> frozenset[int]:
        return frozenset([piece for piece, _ in self._differences_on_table])

    def _put(self, slots: Slots, place: int, seen: Look | None) -> bool:
        """Put a piece that looks like this (or any other) into a slot, where it stays."""
        if place not in slots.contents:
            return False
        others = [
            slot for slot in slots.pieces
            if slot != place and (seen is None or _can_be(self.program, slots.contents[slot], seen))
        ]  # fmt: skip
        self.rng.shuffle(others)
        if any(slots.swap(place, other) for other in others):
            slots.settle(place)
            return True
        return False

    def _bring(self, slots: Slots, missing: Sequence[Sighting]) -> None:
        """Bring pieces to where they were last before they were seen, beside those that were seen to leave it so."""
        used: set[int] = set()
        for way, seen in missing:
            left = {one.piece for one in self._seen if one.sighting[0] == way}
            lying = [piece for piece in self._lying.get(way[0], []) if piece not in used | left]
            self.rng.shuffle(lying)
            there = [slot for slot in lying if _can_be(self.program, slots.contents.get(slot, slot), seen)]
            used.add(there[0] if there else next((slot for slot in lying if self._put(slots, slot, seen)), -1))

    @cached_property
    def _lying(self) -> Mapping[Standing, list[int]]:
        """The pieces that lie at each place, as the seat knows the place."""
        found: dict[Standing, list[int]] = defaultdict(list)
        if self.history:
            S = self.history[-1].after
            for place in self.program.layout.places[1:]:
                pieces = self.program.contents(S, place.number)
                if pieces:
                    found[place_standing(self.program, S, self.observer.seat, place.number)] += pieces
        return found

    # ------------------------------------------------------------ what makes a move illegal

    def _make_way(self, slots: Slots, wanted: Sequence[Sighting]) -> bool:
        """Exchange the pieces that the rules offer instead of those that are wanted, and all that are like them.

        Such as cards of a suit that must be followed. Whether anything was exchanged.
        """
        if not self.history or self.history[-1].after[POINT] < 0:
            return False
        cells = self._exchanged_cells(slots.exchange)
        offered = self._offered(cells)
        where = {way[0] for way, _ in wanted}
        aims = [
            piece for place in where for slot in self._lying.get(place, [])
            for piece in [slots.contents.get(slot, slot)]
            if any(way[0] == place and _can_be(self.program, piece, seen) for way, seen in wanted)
        ]  # fmt: skip
        if not offered or not aims or any(piece in offered for piece in aims):
            return False
        attributes = self.program.layout.pieces
        common = {
            name: value for name, value in attributes[min(offered)].attributes.items()
            if all(attributes[piece].attributes.get(name) == value for piece in offered)
            and all(attributes[piece].attributes.get(name) != value for piece in aims)
        }  # fmt: skip
        if not common:
            return False

        def is_like_those(piece: int) -> bool:
            return any(attributes[piece].attributes.get(name) == value for name, value in common.items())

        changed = False
        together = {slot for place in where for slot in self._lying.get(place, [])}
        for slot in sorted(together):
            if slot in slots.contents and is_like_those(slots.contents[slot]):
                others = [
                    other for other in slots.pieces
                    if other not in together and not is_like_those(slots.contents[other])
                ]  # fmt: skip
                self.rng.shuffle(others)
                changed |= any(slots.swap(slot, other) for other in others)
        return changed

    def _offered(self, cells: Cells) -> set[int]:
        """The pieces among the arguments of the legal moves."""
        decision = self.program.decision(cells)
        assert decision is not None
        found: set[int] = set()
        for code in self.program.legal(cells):
            for type_, value in zip(types_of(self.program, decision, code), code[1:], strict=True):
                core = bare(type_)
                if value is not None and isinstance(core, PieceType):
                    found.add(number_in(value))
                elif isinstance(core, Several) and isinstance(core.element, PieceType):
                    found.update(bits(number_in(value or 0)))
        return found

    def _exchanged_cells(self, exchange: Mapping[int, int]) -> Cells:
        cells = exchanged(self.program, self.history[-1].after, {**exchange})
        cells[MOVES] = None
        return cells

    def of_what_would_be_legal(self) -> Exchanges:
        """Exchanges of two pieces with which the decision that was observed could be made now."""
        if not self.history:
            return
        last = self.history[-1]
        S = last.after
        if S[POINT] < 0 or S[ME] == self.observer.seat:
            return
        for moment, slots in self._slots():
            hidden = [piece for piece in slots.pieces if not fully_seen(self.program, S, self.observer.seat, piece)]
            own = [piece for piece in hidden if fully_seen(self.program, S, S[ME], piece)]
            self.rng.shuffle(hidden)
            kinds: set[tuple[int, int]] = set()
            probed = 0
            for other in hidden:
                self.rng.shuffle(own)
                for piece in own[:2]:
                    kind = self.program.layout.kind_of(other), self.program.layout.kind_of(piece)
                    if probed == MAX_PROBED_EXCHANGES or kind in kinds or not slots.swap(piece, other):
                        continue
                    kinds.add(kind)
                    probed += 1
                    exchange = slots.exchange
                    slots.swap(piece, other)
                    if self._helps(replace(last, after=self._exchanged_cells(exchange))):
                        yield moment, exchange

    def _helps(self, last: Ply) -> bool:
        """True if the observation can be followed further from a position."""
        found = options(self.observer, self.observation, last)
        self.rng.shuffle(found)
        for code in found[:MAX_PROBED_MOVES]:
            ply = next_ply(self.observer, self.observation, last, code, len(found), drawn_by(self.rng))
            if not isinstance(ply, Mismatch) or ply.agrees > self.mismatch.agrees:
                return True
        return False


def _can_be(program: Program, piece: int, seen: Look) -> bool:
    """True if a piece can be the one of which this was seen."""
    names = program.layout.pieces[piece].attributes
    if len(names) != len(seen[-1]):
        return False
    known = frozenset(name for name, (shown, _) in zip(names, seen[-1], strict=True) if shown)
    return look(program, piece, known) == seen
