"""Repairing a history that deviates from the observation.

The seat saw a piece somewhere, and in the history another one lies there: the two are exchanged from the last shuffle
on that had both. Or a different decision must have been made: it is replaced. A variation is kept if the history then
agrees with the observation for longer.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice

from dsl.lazy_dataclasses import dataclass
from interpreter.opponents.knowledge.exchanges import Exchange
from interpreter.opponents.knowledge.following import Mismatch, first_ply, follow, options
from interpreter.opponents.knowledge.histories import (
    ChanceResult,
    History,
    Moment,
    Observer,
    Ply,
    drawn_by,
    is_loose,
    shuffles_in,
)
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.slots import Slots
from interpreter.opponents.knowledge.suggestions import Suggestions
from interpreter.opponents.knowledge.variations import Variation, exchanging, loosened, varied, with_result
from interpreter.runtime.cells import MoveCode

MAX_VALUES, MAX_OTHER_MOVES, MAX_EARLIER_CHANGES, MAX_EXCHANGES = 100, 30, 90, 20
"""Maximum numbers of tries: results of a chance event, alternatives to a move, alternatives to earlier moves, and
random exchanges. Whatever else may have been chosen in secret is tried after all these."""

MAX_ROUNDS = 6
"""Maximum number of rounds of suggestions, loosely."""

MAX_RENUMBERED = 4
"""Maximum number of exchanges of the numbers of equal pieces."""

Attempt = tuple[History, Mismatch | None]

Choice = tuple[int, MoveCode]
"""A move, with the number of its ply."""


@dataclass
class Fitter:
    """Makes histories agree with an observation; `tries` counts what was tried for that.

    `loosely`: pieces are exchanged without making earlier moves again, which is much faster, but does not find out
    whether these would have been legal and would have looked the same. `patience` is the greatest number of variations
    tried for one deviation.
    """

    observer: Observer
    observation: Observation
    rng: random.Random
    tries: int = 0
    loosely: bool = False
    patience: int | None = None

    def begin(self) -> Attempt:
        """Set the game up at random."""
        ply = first_ply(self.observer, self.observation, drawn_by(self.rng))
        return ((), ply) if isinstance(ply, Mismatch) else ((ply,), None)

    def fitted(self, history: History, most: int) -> History | None:
        """Continue a history (none: from the setup) so that it agrees with the observation; None on failure.

        At most `most` variations are tried.
        """
        mismatch: Mismatch | None = None
        last, has_renumbered = self.tries + most, False
        if not history:
            history, mismatch = self.begin()
        elif is_loose(history) and not self.loosely:
            history, mismatch = self._made_again(history)
        while True:
            if mismatch is None:
                history, mismatch = follow(self.observer, self.observation, history, self.rng)
                if mismatch is None:
                    return history
            if mismatch.ply is None and history and not has_renumbered and not is_loose(history):
                has_renumbered, renumbered = True, self.renumbered(history)
                if renumbered is not None:
                    history, mismatch = renumbered, None
                    continue
            repaired = self._repaired(history, mismatch, last)
            if repaired is None:
                return None
            history, mismatch = repaired

    def renumbered(self, history: History) -> History | None:
        """The same history with the numbers of equal pieces exchanged; None if they need not be, or it does not agree.

        Those seen first get the lowest numbers. Of equal pieces rules take the first, so one that came unseen stays
        unseen as long as the others suffice, and may still be another one. Ann took a king from the table into her
        hand and played a king: had it been the one that she was dealt, her hand would be known.
        """
        is_changed = False
        for _ in range(MAX_RENUMBERED):
            for moment in shuffles_in(history):
                exchange = self._by_first_sight(history, moment)
                if exchange:
                    variation = exchanging(history, moment, exchange)
                    found = varied(self.observer, self.observation, history, variation, self.rng)
                    if found.mismatch is not None:
                        return None
                    history, is_changed = found.history, True
                    break
            else:
                break
        return history if is_changed else None

    def _by_first_sight(self, history: History, moment: Moment) -> Exchange:
        """The exchange after which equal pieces of a shuffle have been seen since in the order of their numbers.

        Those that were shuffled again come last, as what was seen of them before that no longer tells where they are.
        """
        program, later = self.observer.program, dict[int, Moment]()
        for other in shuffles_in(history):
            if other > moment:
                later.update(dict.fromkeys(history[other[0]].chance[other[1]].new, other))
        first_sights: dict[int, int] = {}
        for number, ply in enumerate(history[moment[0] :], moment[0]):
            for one in ply.learnt.seen:
                since, index = later.get(one.piece, moment)
                is_complete = len(one.known) == len(program.layout.pieces[one.piece].attributes)
                if is_complete and (number > since or (number == since and one.after > ply.chance[index].after)):
                    first_sights.setdefault(one.piece, number)
        pieces_by_kind: dict[int, list[int]] = defaultdict(list)
        for piece in sorted(history[moment[0]].chance[moment[1]].new):
            pieces_by_kind[program.layout.kind_of(piece)].append(piece)
        return {
            slot: piece
            for pieces in pieces_by_kind.values()
            for slot, piece in zip(
                sorted(pieces, key=lambda piece: (piece in later, first_sights.get(piece, len(history)))),
                pieces,
                strict=True,
            )
            if slot != piece
        }

    def _made_again(self, history: History) -> Attempt:
        """A loose history with all moves made again, as far as that agrees with the observation."""
        first = next(number for number, ply in enumerate(history) if ply.loose)
        self.tries += 1
        found = varied(self.observer, self.observation, history, Variation(first), self.rng)
        return found.history, found.mismatch

    def _repaired(self, history: History, mismatch: Mismatch, last: int) -> Attempt | None:
        """A variation that agrees for longer."""
        for attempt in islice(self._attempts(history, mismatch), self.patience):
            if self.tries >= last:
                return None
            self.tries += 1
            found, left = attempt()
            if left is None or left.agrees > mismatch.agrees:
                return found, left
        return None

    def _attempts(self, history: History, mismatch: Mismatch) -> Iterator[Callable[[], Attempt]]:
        """Candidate variations, most promising first; loosely, only those that change what happened last."""
        failed = mismatch.ply
        whole = history if failed is None else (*history, failed)
        if failed is not None:
            for index, result in enumerate(failed.chance):
                if _can_differ(failed, result):
                    for value in self._other_values(result)[:MAX_VALUES]:
                        yield self._variation(whole, with_result(whole, (len(history), index), value))
        suggested = Suggestions(self.observer, self.observation, history, mismatch, self.rng)
        for moment, exchange in suggested.of_what_was_seen():
            yield self._exchange(history, failed, moment, exchange)
        latest_choices: set[Choice] = set()
        for number, code in self._latest_choices(whole):
            latest_choices.add((number, code))
            yield self._variation(whole, Variation(number, code))
        for moment, exchange in suggested.of_what_would_be_legal():
            yield self._exchange(history, failed, moment, exchange)
        yield from self._other_results(history, whole)
        if self.loosely:
            for _ in range(MAX_ROUNDS):  # each chooses other pieces at random
                is_hopeless = True
                for moment, exchange in suggested.of_what_was_seen():
                    is_hopeless = False
                    yield self._exchange(history, failed, moment, exchange)
                if is_hopeless:
                    return
            return
        shuffles = shuffles_in(whole)
        for _ in range(MAX_EXCHANGES if shuffles else 0):  # what was noticed may follow from several pieces together
            moment = self.rng.choice(shuffles)
            slots = Slots.of(self.observer, whole, moment, until=len(history))
            slots.walk(self.rng, self.rng.choice((2, 4, 8, 2 * len(slots.pieces))))
            if slots.exchange:
                yield self._variation(whole, exchanging(whole, moment, slots.exchange))
        # Many answers may leave one of a thousand codes, or only another place for what was hidden first.
        others = [each for choices in self._choices(whole) for each in choices if each not in latest_choices]
        self.rng.shuffle(others)
        for number, code in others:
            yield self._variation(whole, Variation(number, code))

    def _exchange(
        self, history: History, failed: Ply | None, moment: Moment, exchange: Exchange
    ) -> Callable[[], Attempt]:
        """Exchange pieces since a shuffle; loosely, only what followed the last decision noticed is repeated."""
        whole = history if failed is None else (*history, failed)
        begun = next((number for number, ply in enumerate(history) if ply.entry == history[-1].entry), 0)
        after_loose = next((number for number in range(len(history), 0, -1) if history[number - 1].loose), 0)
        end = max(begun, after_loose)
        if moment[0] >= end or not self.loosely:
            return self._variation(whole, exchanging(whole, moment, exchange))

        def attempt() -> Attempt:
            changed = loosened(self.observer.program, whole, moment, exchange, end)
            return self._variation(changed, Variation(end))()

        return attempt

    def _variation(self, whole: History, variation: Variation) -> Callable[[], Attempt]:
        def attempt() -> Attempt:
            found = varied(self.observer, self.observation, whole, variation, self.rng)
            if found.mismatch is None:
                return follow(self.observer, self.observation, found.history, self.rng)
            return found.history, found.mismatch

        return attempt

    def _other_values(self, result: ChanceResult) -> list[int]:
        values = [value for value in range(result.size) if value != result.result]
        self.rng.shuffle(values)
        return values

    def _latest_choices(self, whole: History) -> Iterator[Choice]:
        """Some alternatives to each of the latest moves that have any."""
        count = 0
        for choices in self._choices(whole):
            yield from choices[:MAX_OTHER_MOVES]
            count += len(choices[:MAX_OTHER_MOVES])
            if count >= MAX_EARLIER_CHANGES:
                return

    def _choices(self, whole: History) -> Iterator[list[Choice]]:
        """The other moves that the seat could not have distinguished, of each ply in random order, latest first."""
        for number in range(len(whole) - 1, 0, -1):
            ply = whole[number]
            if ply.loose:
                return
            if ply.alike < 2:
                continue
            found = [code for code in options(self.observer, self.observation, whole[number - 1]) if code != ply.code]
            self.rng.shuffle(found)
            yield [(number, code) for code in found]

    def _other_results(self, history: History, whole: History) -> Iterator[Callable[[], Attempt]]:
        """Other results of rolls and picks, the latest first."""
        count = 0
        for number in range(len(history) - 1, -1, -1):
            if history[number].loose:
                return
            for index, result in enumerate(whole[number].chance):
                if _can_differ(whole[number], result):
                    for value in self._other_values(result)[:MAX_OTHER_MOVES]:
                        yield self._variation(whole, with_result(whole, (number, index), value))
                        count += 1
            if count >= MAX_EARLIER_CHANGES:
                return


def _can_differ(ply: Ply, result: ChanceResult) -> bool:
    """True if something else could have been rolled or picked, as far as the seat saw."""
    return not result.is_shuffle and all(roll.cell != result.cell for roll in ply.learnt.rolls)
