"""Images of a history: the same game with other pieces in the places that a seat does not see.

Ann knows that Ben holds three cards, but not which. In the history that was found they are two kings and a ten; in an
image of it a queen of the deck is in his hand instead of the ten, and everything else is as before. An image is kept as
the exchange of its pieces alone, since most decisions read nothing that an exchange changes (`footprints.py`): only the
others are made again. So another world takes a few decisions instead of all since the cards were dealt.

INVARIANT: every decision of an image does what it did in the history, with the pieces exchanged: the same chance, moves
with the same labels, and the same changes. If a rule does anything else, there is no such image; `mixing.py` also finds
the histories that then follow.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interpreter.engine.sight import known_attributes
from interpreter.opponents.knowledge.exchanges import exchanged, exchanged_set, with_exchanged
from interpreter.opponents.knowledge.following import Mismatch, ends_right, first_ply, next_ply, options
from interpreter.opponents.knowledge.footprints import (
    footprint_of_choice,
    footprint_of_question,
    footprints_of_effects,
)
from interpreter.opponents.knowledge.histories import (
    ChanceResult,
    Footprint,
    History,
    Impossible,
    Moment,
    Observer,
    Ply,
    given,
    reordered,
    shuffles_in,
)
from interpreter.opponents.knowledge.moves import types_of
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.slots import NOTHING_SEEN, Slots
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, Journal, MoveCode, NumberCell
from interpreter.runtime.layout import MOVES
from interpreter.seat.views.history import Made

MAX_TRIES = 8
"""The number of exchanges of two pieces that are tried at first, and the most that are tried between two worlds."""

DECISIONS_OF_A_WORLD = 6
"""As many exchanges are tried between two worlds that about this many decisions are made again."""


class Images:
    """A random walk over the images of a history, from itself on; `drawn` is how often it went on.

    Pieces of a shuffle lie in each other's slots (`slots.py`) from then on. Two of them are exchanged if all decisions
    that this concerns are as before, with the odds that `mixing.py` explains.
    """

    def __init__(self, observer: Observer, observation: Observation, history: History) -> None:
        self._observer, self._observation, self._history = observer, observation, history
        self._program = observer.program
        self._base, self._kinds = self._program.layout.place_cells, self._program.runtime.kinds
        # Otherwise what the seat saw would have to be examined at all decisions.
        self._groups = {} if observer.attributes_of_sight is None else self._slots_by_shuffle()
        self._places = {moment: self._by_place(slots) for moment, slots in self._groups.items()}
        # What holds for the present image where it differs from the history.
        self._choices: dict[int, Footprint | None] = {}
        self._changed_effects: dict[int, list[Footprint] | None] = {}
        self._alike: dict[int, int] = {}
        self._tries, self._made_again = MAX_TRIES, 0
        self.drawn = 0
        self._marked_at_end = self._marked_in(history[-1].after)
        self._question: Footprint | None = None

    @property
    def is_alone(self) -> bool:
        """True if no other image is known to exist."""
        return not any(self._places.values())

    def _slots_by_shuffle(self) -> dict[Moment, Slots]:
        """The slots of each shuffle, of the pieces that were not shuffled again since."""
        slots_by_shuffle: dict[Moment, Slots] = {}
        later: set[int] = set()
        for moment in reversed(shuffles_in(self._history)):
            slots = Slots.of(self._observer, self._history, moment)
            pieces = tuple([piece for piece in slots.pieces if piece not in later])
            later.update(slots.pieces)
            seen = dict(slots.seen)
            for ply in self._history[moment[0] :] if self._observer.sight_changes else ():
                for piece, known in self._glimpses(ply).items():
                    seen[piece] = seen.get(piece, NOTHING_SEEN) | known
            slots_by_shuffle[moment] = Slots.with_seen(self._program, pieces, seen)
        return dict(reversed(slots_by_shuffle.items()))

    def _glimpses(self, ply: Ply) -> dict[int, frozenset[str]]:
        """What the seat sees after a ply of pieces that lie where visibility may change without a move."""
        if ply.glimpses is None:
            program, S, seat = self._program, ply.after, self._observer.seat
            places = [
                place for place in program.layout.places[1:] if place.zone not in program.zones_of_fixed_visibility
            ]  # fmt: skip
            ply.glimpses = {
                piece: known_attributes(program, S, seat, piece, place.number)
                for place in places
                for piece in bits(S[place.mask])
            }
        return ply.glimpses

    def _by_place(self, slots: Slots) -> list[list[int]]:
        """The slots that are not seen completely, by the place where they lie in the end."""
        slots_by_place: dict[int, list[int]] = defaultdict(list)
        S, pieces = self._history[-1].after, self._program.layout.pieces
        for slot in slots.pieces:
            if len(slots.seen.get(slot, ())) < len(pieces[slot].attributes):
                slots_by_place[S[self._base + slot]].append(slot)
        return list(slots_by_place.values()) if sum(map(len, slots_by_place.values())) > 1 else []

    # ------------------------------------------------------------ the walk

    def walk(self, rng: random.Random) -> None:
        """Try some exchanges of two pieces."""
        self.drawn += 1
        moments = [moment for moment, places in self._places.items() if places]
        if not moments:
            return
        begun, tries = self._made_again, self._tries
        for _ in range(tries):
            moment = rng.choice(moments)
            # INVARIANT: exchanges leave slots where they are, so each is tried as often as the one that undoes it.
            first, second = (rng.choice(rng.choice(self._places[moment])) for _ in range(2))
            self._try(moment, first, second, rng)
        if not begun and self._made_again:
            # Once and for all: if a world came the sooner the fewer decisions its exchanges concern, such worlds would
            # be too frequent.
            self._tries = max(1, min(MAX_TRIES, tries * DECISIONS_OF_A_WORLD // self._made_again))

    def _try(self, moment: Moment, one: int, other: int, rng: random.Random) -> None:
        slots = self._groups[moment]
        first, second = slots.contents[one], slots.contents[other]
        if self._kinds[first] == self._kinds[second] or not self._is_seen_alike(first, second):
            return
        concerned = self._concerned(moment, one, other)
        is_end_concerned = self._is_end_concerned(one, other, first, second)
        if not slots.swap(one, other):
            return
        self._made_again += len(concerned)
        is_accepted = False
        try:
            alike = self._repeated_all(concerned)
            if alike is not None and (not is_end_concerned or self._ends_right()):
                odds = 1.0
                for number, count in alike.items():
                    odds *= self._alike.get(number, self._history[number].alike) / count
                is_accepted = rng.random() < odds
                if is_accepted:
                    self._alike |= alike
                    self._question = None if is_end_concerned else self._question
                    self._choices |= dict.fromkeys(concerned)
                    self._changed_effects |= dict.fromkeys([number for number in concerned if concerned[number]])
        finally:
            if not is_accepted:
                slots.contents[one], slots.contents[other] = first, second

    def _is_seen_alike(self, first: int, second: int) -> bool:
        """True if nobody's sight depends on which of two pieces lies where."""
        one, other = (self._program.layout.pieces[piece].attributes for piece in (first, second))
        return all(one.get(name) == other.get(name) for name in self._observer.attributes_of_sight or ())

    def _repeated_all(self, concerned: Mapping[int, bool]) -> dict[int, int] | None:
        """Make decisions again; how many moves look alike at each, None if one of them is no longer the same."""
        alike: dict[int, int] = {}
        for number in reversed(concerned):
            count = self._repeated(number, concerned[number])
            if count is None:
                return None
            alike[number] = count
        return alike

    def _concerned(self, moment: Moment, one: int, other: int) -> dict[int, bool]:
        """The plies for which it matters what lies in two slots of a shuffle: for the effects, or the choice alone."""
        contents, history, base = self._groups[moment].contents, self._history, self._base
        first, second, slots = contents[one], contents[other], 1 << one | 1 << other
        start, index = moment
        place = history[start].chance[index].place
        concerned: dict[int, bool] = {}
        if self._matters(self._effects(start)[index + 1], start, place, place, first, second):
            concerned[start] = True
        for number in range(start + 1, len(history)):
            ply = history[number]
            here, there = ply.before[base + one], ply.before[base + other]
            marked = self._marked(ply) & slots
            for footprint, with_effects in ((self._effects(number)[0], True), (self._choice(number), False)):
                is_about = marked and footprint.about & (slots | 1 << first | 1 << second)
                if is_about or self._matters(footprint, number, here, there, first, second):
                    concerned[number] = with_effects
                    break
        return concerned

    def _is_end_concerned(self, one: int, other: int, first: int, second: int) -> bool:
        """True if it matters for the pending decision of the seat, or for what lies on pieces, what is in two slots."""
        S, base = self._history[-1].after, self._base
        if self._marked_at_end & (1 << one | 1 << other):
            return True
        if self._question is None:
            self._question = footprint_of_question(self._observer, self.cells)
        return self._matters(self._question, len(self._history), S[base + one], S[base + other], first, second)

    def _matters(self, footprint: Footprint, number: int, here: int, there: int, first: int, second: int) -> bool:
        """True if it mattered in a ply, or for the pending decision, which of two pieces lie at two places."""
        both = 1 << first | 1 << second
        if footprint.everything or footprint.pieces & both:
            return True
        members, masks = footprint.members, self._program.runtime.masks
        for place in (here, there) if here != there else (here,):
            mask = masks[place]
            if mask in members and members[mask] & both:
                return True
            if here != there and (mask in footprint.cells or self._counts(footprint, number, mask, first, second)):
                return True
        return False

    def _counts(self, footprint: Footprint, number: int, mask: NumberCell, first: int, second: int) -> bool:
        """True if it mattered how many pieces are in a part of a set, and that changes with one of two pieces."""
        if any((part >> first ^ part >> second) & 1 for part in footprint.sizes.get(mask, ())):
            return True
        history = self._history
        limits = [limit for limit in footprint.thresholds.get(mask, ()) if (limit[0] >> first ^ limit[0] >> second) & 1]
        if not limits:
            return False
        if number < len(history) and history[number].chance:
            return True
        S = history[number].before if number < len(history) else history[-1].after
        present = exchanged_set(S[mask], self._exchange(number))
        swapped = present ^ (1 << first | 1 << second)
        return any(
            ((present & part).bit_count() >= least) != ((swapped & part).bit_count() >= least) for part, least in limits
        )

    def _marked(self, ply: Ply) -> int:
        """See `_marked_in`: before a ply."""
        if ply.marked is None:
            ply.marked = self._marked_in(ply.before)
        return ply.marked

    def _marked_in(self, S: Cells) -> int:
        """The pieces on which others lie, and those with notes about them."""
        program, marked = self._program, 0
        for piece in range(len(program.layout.pieces)):
            has_notes = any(S[cell] != program.initial[cell] for _, cell, _ in program.notes_about[piece])
            if has_notes or any(S[mask] != plain for mask, _, plain in program.runtime.attached[piece]):
                marked |= 1 << piece
        return marked

    # ------------------------------------------------------------ decisions made again

    def _exchange(self, number: int, index: int = -1) -> dict[int, int]:
        """The pieces exchanged before a ply, or after one of its chance results."""
        exchange: dict[int, int] = {}
        for moment, slots in self._groups.items():
            if moment <= (number, index):
                exchange |= slots.exchange
        return exchange

    def _before(self, number: int) -> Cells:
        cells = exchanged(self._program, self._history[number].before, self._exchange(number))
        cells[MOVES] = None
        return cells

    def _code(self, number: int) -> MoveCode | None:
        ply = self._history[number]
        if ply.code is None:
            return None
        decision = self._program.decision(ply.before)
        assert decision is not None
        exchange = self._exchange(number)
        if not exchange:
            return ply.code
        types = types_of(self._program, decision, ply.code)
        values = [with_exchanged(type_, value, exchange) for type_, value in zip(types, ply.code[1:], strict=True)]
        return (ply.code[0], *values)

    def _results(self, number: int) -> list[ChanceResult]:
        return [
            reordered(result, self._exchange(number, index - 1), self._exchange(number, index))
            if result.is_shuffle else result
            for index, result in enumerate(self._history[number].chance)
        ]  # fmt: skip

    def _repeated(self, number: int, with_effects: bool) -> int | None:
        """Make a decision again; how many moves look alike now, None if it is no longer the same."""
        old, results = self._history[number], self._results(number)

        def never(_: int, event: Any) -> Any:
            raise Impossible

        chance, alike = given(results, never), 1
        try:
            if old.code is None:
                ply = first_ply(self._observer, self._observation, chance)
            else:
                before, code = self._history[number - 1], self._code(number)
                last = replace(before, after=self._before(number), arranged=None)
                consistent_codes = options(self._observer, self._observation, last, code)
                if code is None or code not in consistent_codes:
                    return None
                alike = len(consistent_codes)
                if not with_effects:
                    return alike
                ply = next_ply(self._observer, self._observation, last, code, alike, chance)
        except Impossible:
            return None
        if isinstance(ply, Mismatch) or (ply.entry, ply.lines) != (old.entry, old.lines):
            return None
        expected = exchanged(self._program, old.after, self._exchange(number, len(old.chance)))
        same = all(a == b for cell, (a, b) in enumerate(zip(ply.after, expected, strict=True)) if cell != MOVES)
        return alike if same else None

    def _ends_right(self) -> bool:
        last = self._history[-1]
        return ends_right(self._observer, self._observation, replace(last, after=self.cells, arranged=None))

    def _choice(self, number: int) -> Footprint:
        """What the choice of a decision of the present image depends on."""
        ply = self._history[number]
        if number in self._choices:
            footprint = self._choices[number]
            if footprint is None:
                footprint = footprint_of_choice(self._observer, self._before(number), self._code(number))
                self._choices[number] = footprint
            return footprint
        if ply.choice is None:
            ply.choice = footprint_of_choice(self._observer, ply.before, ply.code)
        return ply.choice

    def _effects(self, number: int) -> list[Footprint]:
        """What the effects of a decision of the present image depend on."""
        ply = self._history[number]
        if number in self._changed_effects:
            footprints = self._changed_effects[number]
            if footprints is None:
                before, results = self._before(number), self._results(number)
                footprints = footprints_of_effects(self._observer, before, self._code(number), results)
                self._changed_effects[number] = footprints
            return footprints
        if ply.effects is None:
            ply.effects = footprints_of_effects(self._observer, ply.before, ply.code, ply.chance)
        return ply.effects

    # ------------------------------------------------------------ the present image

    @property
    def past(self) -> Callable[[], tuple[Journal, list[Made]]]:
        """The journal and the decisions of the present image, which are made again."""
        # What follows is a copy: the walk goes on.
        images = Images.__new__(Images)
        images._history, images._program = self._history, self._program
        images._groups = {
            moment: Slots(slots.program, slots.pieces, slots.seen, dict(slots.contents))
            for moment, slots in self._groups.items()
        }
        return images._again

    def _again(self) -> tuple[Journal, list[Made]]:
        results = iter([result.result for number in range(len(self._history)) for result in self._results(number)])
        journal, cells, made = Journal(lambda _: next(results)), Cells(self._program.initial), list[Made]()
        for number in range(len(self._history)):
            code = self._code(number)
            if code is None:
                self._program.run(cells, journal, 0)
            else:
                made.append(Made(len(journal), code, None))
                cells[MOVES] = None
                self._program.do(cells, journal, code)
        journal.chance = None
        return journal, made

    @property
    def cells(self) -> Cells:
        """The position at the end of the present image."""
        cells = exchanged(self._program, self._history[-1].after, self._exchange(len(self._history)))
        cells[MOVES] = None
        return cells
