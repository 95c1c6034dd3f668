"""Repairing a history that goes on differently from what was observed.

The seat saw a piece somewhere, and in the history another one lies there: the two are exchanged from the last shuffle
on that had both. Or a decision turns out to have been another one: it is made differently. Whatever is tried is kept if
the history agrees with the observation for longer.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.knowledge.following import Mismatch, first_ply, follow, options
from interpreter.knowledge.histories import ChanceResult, History, Moment, Observer, Ply, drawn_by, shuffles_in
from interpreter.knowledge.observation import Entry, Observation
from interpreter.knowledge.variations import Slots, Variation, exchanging, varied, with_result
from interpreter.program import Program
from interpreter.visibility.sight import Standing, look, place_standing

MOST_VALUES, MOST_MOVES, MOST_EARLIER, MOST_EXCHANGES, MOST_CUTS = 100, 30, 90, 60, 12
"""How many possible results of a chance event, alternatives of a move, alternatives of earlier moves, random exchanges,
and continuations from an earlier decision are tried."""

Attempt = tuple[History, Mismatch | None]


@dataclass
class Fitter:
    """Makes histories agree with an observation; `tries` counts what was tried for that."""

    observer: Observer
    observation: Observation
    rng: random.Random
    tries: int = 0

    def begin(self) -> Attempt:
        """Set the game up at random."""
        ply = first_ply(self.observer, self.observation, drawn_by(self.rng))
        return ((), ply) if isinstance(ply, Mismatch) else ((ply,), None)

    def fitted(self, history: History, most: int) -> History | None:
        """Continue a history (none: from the setup) so that it agrees with the observation; None if that fails.

        At most `most` variations are tried.
        """
        mismatch: Mismatch | None = None
        last = self.tries + most
        if not history:
            history, mismatch = self.begin()
        while True:
            if mismatch is None:
                history, mismatch = follow(self.observer, self.observation, history, self.rng)
                if mismatch is None:
                    return history
            repaired = self._repaired(history, mismatch, last)
            if repaired is None:
                return None
            history, mismatch = repaired

    def _repaired(self, history: History, mismatch: Mismatch, last: int) -> Attempt | None:
        """A variation that agrees for longer."""
        for attempt in self._attempts(history, mismatch):
            if self.tries >= last:
                return None
            self.tries += 1
            found, left = attempt()
            if left is None or left.agrees > mismatch.agrees:
                return found, left
        return None

    def _attempts(self, history: History, mismatch: Mismatch) -> Iterator[Callable[[], Attempt]]:
        """What may help, the most promising first."""
        failed = mismatch.ply
        whole = history if failed is None else (*history, failed)
        if failed is not None:
            for index, result in enumerate(failed.chance):
                if not result.is_shuffle:
                    for value in self._other_values(result)[:MOST_VALUES]:
                        yield self._variation(whole, with_result(whole, (len(history), index), value))
        if mismatch.entry is not None:
            for moment, exchange in self._wanted(history, mismatch, mismatch.entry):
                yield self._variation(whole, exchanging(whole, moment, exchange))
        yield from self._other_moves(whole)
        yield from self._other_results(history, whole)
        shuffles = shuffles_in(whole)
        for _ in range(MOST_EXCHANGES if shuffles else 0):
            moment = self.rng.choice(shuffles)
            slots = Slots.of(self.observer.program, whole, moment, until=len(history))
            slots.walk(self.rng, self.rng.choice((2, 4, 8, 2 * len(slots.pieces))))
            if slots.exchange:
                yield self._variation(whole, exchanging(whole, moment, slots.exchange))
        for number in range(MOST_CUTS):
            cut = len(history) - (1 << number // 2)
            if cut > 0:
                yield self._continuation(history[:cut])

    def _variation(self, whole: History, variation: Variation) -> Callable[[], Attempt]:
        def attempt() -> Attempt:
            found = varied(self.observer, self.observation, whole, variation, self.rng)
            if found.mismatch is None:
                return follow(self.observer, self.observation, found.history, self.rng)
            return found.history, found.mismatch

        return attempt

    def _continuation(self, history: History) -> Callable[[], Attempt]:
        return lambda: follow(self.observer, self.observation, history, self.rng)

    def _other_values(self, result: ChanceResult) -> list[int]:
        values = [value for value in range(result.size) if value != result.result]
        self.rng.shuffle(values)
        return values

    def _other_moves(self, whole: History) -> Iterator[Callable[[], Attempt]]:
        """Other moves that the seat could not have told apart, the latest first."""
        count = 0
        for number in range(len(whole) - 1, 0, -1):
            ply = whole[number]
            if ply.alike < 2:
                continue
            found = [code for code in options(self.observer, self.observation, whole[number - 1]) if code != ply.code]
            self.rng.shuffle(found)
            for code in found[:MOST_MOVES]:
                yield self._variation(whole, Variation(number, code))
                count += 1
            if count >= MOST_EARLIER:
                return

    def _other_results(self, history: History, whole: History) -> Iterator[Callable[[], Attempt]]:
        """Other results of rolls and picks, the latest first."""
        count = 0
        for number in range(len(history) - 1, -1, -1):
            for index, result in enumerate(whole[number].chance):
                if not result.is_shuffle:
                    for value in self._other_values(result)[:MOST_MOVES]:
                        yield self._variation(whole, with_result(whole, (number, index), value))
                        count += 1
            if count >= MOST_EARLIER:
                return

    # ------------------------------------------------------------ pieces that should lie elsewhere

    def _wanted(self, history: History, mismatch: Mismatch, entry: Entry) -> list[tuple[Moment, dict[int, int]]]:
        """Exchanges that would put the pieces that were seen where they were seen."""
        program, failed = self.observer.program, mismatch.ply
        wrong = _differences(history, failed, entry)
        if not wrong:
            return []
        whole = history if failed is None else (*history, failed)
        lying = _lying(program, history[-1], self.observer.seat) if history else {}
        found = []
        for moment in reversed(shuffles_in(whole)):
            for _ in range(2):
                slots = Slots.of(program, whole, moment, until=len(history))
                for piece, seen, way in self._shuffled_list(wrong):
                    self._put(slots, piece, seen, lying.get(way[0], []) if way else [])
                if slots.exchange:
                    found.append((moment, slots.exchange))
        return found

    def _shuffled_list(self, wrong: list[Difference]) -> list[Difference]:
        wrong = list(wrong)
        self.rng.shuffle(wrong)
        return wrong

    def _put(self, slots: Slots, piece: int | None, seen: Standing | None, lying: Sequence[int]) -> None:
        """Put a piece of this look where another piece is, or where any of those that lie there is."""
        program, known = slots.program, set(slots.pieces)

        def is_wanted(other: int) -> bool:
            return seen is None or _looks(program, other, seen)

        places = [piece] if piece is not None else list(lying)
        places = [place for place in places if place in known]
        self.rng.shuffle(places)
        if piece is None and any(is_wanted(slots.contents.get(other, other)) for other in lying):
            return  # it is there already
        for place in places:
            others = [slot for slot in slots.pieces if slot != place and is_wanted(slots.contents[slot])]
            self.rng.shuffle(others)
            if any(slots.swap(place, other) for other in others):
                return


Difference = tuple[int | None, Standing | None, tuple[Standing, ...]]
"""A piece that was not seen in this way, what was seen of it instead, and the places it came through."""


def _differences(history: History, failed: Ply | None, entry: Entry) -> list[Difference]:
    """What was seen of pieces in an entry and is different in a history."""
    plies = [] if failed is None else [ply for ply in history if ply.entry == failed.entry and failed.lines > 0]
    seen = [one for ply in [*plies, *([] if failed is None else [failed])] for one in ply.learnt.seen]
    missing: dict[tuple[Standing, ...], list[Standing]] = defaultdict(list)
    for (way, appearance), count in (Counter(entry.sightings) - Counter(one.sighting for one in seen)).items():
        missing[way] += [appearance] * count
    spare = Counter(one.sighting for one in seen) - Counter(entry.sightings)
    found: list[Difference] = []
    for one in seen:
        if spare[one.sighting] > 0:
            spare[one.sighting] -= 1
            way = one.sighting[0]
            found.append((one.piece, missing[way].pop() if missing[way] else None, way))
    found += [(None, appearance, way) for way, left in missing.items() for appearance in left]
    return found


def _looks(program: Program, piece: int, seen: Standing) -> bool:
    """True if a piece can be the one of which this was seen."""
    names = program.layout.pieces[piece].attributes
    known = frozenset(name for name, (shown, _) in zip(names, seen[-1], strict=False) if shown)
    return len(names) == len(seen[-1]) and look(program, piece, known) == seen


def _lying(program: Program, last: Ply, seat: int) -> dict[Standing, list[int]]:
    """The pieces that lie at each place, as the seat knows the place."""
    found: dict[Standing, list[int]] = defaultdict(list)
    for place in program.layout.places[1:]:
        pieces = program.contents(last.after, place.number)
        if pieces:
            found[place_standing(program, last.after, seat, place.number)] += pieces
    return found
