"""Repairing a history that deviates from the observation.

The seat saw a piece somewhere, and in the history another one lies there: the two are exchanged from the last shuffle
on that had both. Or a different decision must have been made: it is replaced. A variation is kept if the history then
agrees with the observation for longer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from dsl.lazy_dataclasses import dataclass
from interpreter.opponents.knowledge.following import Mismatch, first_ply, follow, options
from interpreter.opponents.knowledge.histories import ChanceResult, History, Observer, drawn_by, shuffles_in
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.slots import Slots
from interpreter.opponents.knowledge.suggestions import Suggestions
from interpreter.opponents.knowledge.variations import Variation, exchanging, varied, with_result

MOST_VALUES, MOST_MOVES, MOST_EARLIER, MOST_EXCHANGES, MOST_CUTS = 100, 30, 90, 60, 12
"""Maximum numbers of tries: results of a chance event, alternatives to a move, alternatives to earlier moves, random
exchanges, and continuations from an earlier decision."""

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
        """Continue a history (none: from the setup) so that it agrees with the observation; None on failure.

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
        """Candidate variations, most promising first."""
        failed = mismatch.ply
        whole = history if failed is None else (*history, failed)
        if failed is not None:
            for index, result in enumerate(failed.chance):
                if not result.is_shuffle:
                    for value in self._other_values(result)[:MOST_VALUES]:
                        yield self._variation(whole, with_result(whole, (len(history), index), value))
        suggested = Suggestions(self.observer, self.observation, history, mismatch, self.rng)
        for moment, exchange in suggested.of_what_was_seen():
            yield self._variation(whole, exchanging(whole, moment, exchange))
        yield from self._other_moves(whole)
        for moment, exchange in suggested.of_what_would_be_legal():
            yield self._variation(whole, exchanging(whole, moment, exchange))
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
        """Other moves that the seat could not have distinguished, latest first."""
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
