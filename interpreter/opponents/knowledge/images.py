"""Images of a history: the same game with other pieces in the places that a seat does not see.

Ann knows that Ben holds three cards, but not which. In the history that was found they are two kings and a ten; in an
image of it a queen of the deck is in his hand instead of the ten, and everything else is as before. An image is kept as
the exchange of its pieces alone, since most decisions read nothing that an exchange changes (`footprints.py`): only the
others are made again. So another world takes a few decisions instead of all since the cards were dealt.

INVARIANT: every decision of an image does what it did in the history, with the pieces exchanged: the same chance, moves
with the same labels, and the same changes. If a rule does anything else, there is no such image; the walk in
`variations.py` also finds the histories that then follow.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.engine.sight import known_attributes
from interpreter.opponents.knowledge.exchanges import Exchange, about_pieces, exchanged, exchanged_set, with_exchanged
from interpreter.opponents.knowledge.following import ends_right, options
from interpreter.opponents.knowledge.footprints import footprint_of_choice, footprint_of_question, footprints_of_effects
from interpreter.opponents.knowledge.histories import (
    ChanceResult,
    Footprint,
    History,
    Impossible,
    Moment,
    Observer,
    Ply,
    Zones,
    given,
    reordered,
    shuffles_in,
)
from interpreter.opponents.knowledge.moves import types_of
from interpreter.opponents.knowledge.observation import Observation, is_over
from interpreter.opponents.knowledge.reads import Lying, Reads
from interpreter.opponents.knowledge.slots import NOTHING_SEEN, Slots
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import LOOP, REASON, TOLD, Cells, Journal, MoveCode, changes
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import MOVES
from interpreter.seat.views.history import Made

MAX_TRIES = 8
"""The number of exchanges of two pieces that are tried at first, and the most that are tried between two worlds."""

DECISIONS_OF_A_WORLD = 6
"""As many exchanges are tried between two worlds that about this many decisions are made again."""

MAX_TRIES_FOR_ONE_EXCHANGE = 16
"""Maximum number of exchanges tried between two worlds where few are accepted: enough for one to be, on average.

In a game of cards that only the others see, 14 of 22 worlds differ then, instead of 4.
"""

FIRST_TRIES = 64
"""The number of exchanges tried after which it is known how many decisions one concerns."""

VALUES_SHOWN = frozenset([REASON, LOOP, TOLD])
"""The marks of a journal with values that a log may show: pieces among them are not found by exchanging cells."""


class Images:
    """A random walk over the images of a history, from itself on; `drawn` is how often it went on.

    Pieces of a shuffle lie in each other's slots (`slots.py`) from then on. Two of them are exchanged if all decisions
    that this concerns are as before, with the odds that `variations.py` explains.
    """

    def __init__(self, observer: Observer, observation: Observation, history: History) -> None:
        self._observer, self._observation, self._history = observer, observation, history
        self._program = observer.program
        self._base, self._kinds = self._program.layout.place_cells, self._program.runtime.kinds
        places = self._program.layout.places[1:]
        self._sets, self._orders = {place.mask for place in places}, {place.order for place in places if place.order}
        # Otherwise what the seat saw would have to be examined at all decisions.
        self._groups = {} if observer.attributes_of_sight is None else self._slots_by_shuffle()
        self._places = {moment: self._by_place(slots) for moment, slots in self._groups.items()}
        # What holds for the present image where it differs from the history.
        self._changed_choices = 0
        self._changed_effects: dict[int, list[Footprint] | None] = {}
        self._alike: dict[int, int] = {}
        # What decisions of the present image read, by the bits of their plies; the pending one comes after all plies.
        self._decisions = (1 << len(history)) - 1
        self._reads_of_effects, self._reads_of_choices = Reads(), Reads()
        self._unread_effects, self._unread_choices = self._decisions, self._decisions | 1 << len(history)
        self._places_of_slots: dict[int, Lying] = {}
        self._zones = self._zones_of_slots()
        self._moments = list(self._groups)
        self._exchanges: dict[int, dict[int, int]] = {}
        self._cells_of_image: dict[int, Cells] = {}
        self._tries, self._tried, self._made_again = MAX_TRIES, 0, 0
        self._accepted = 0
        self.drawn = 0

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

    def _zones_of_slots(self) -> Zones:
        """The zones in which pieces are shuffled, or ever lie, that may be exchanged."""
        layout, moments = self._program.layout, [moment for moment, places in self._places.items() if places]
        slots = [slot for moment in moments for slots in self._places[moment] for slot in slots]
        masks = {mask for slot in slots for mask in self._lying(slot)}
        shuffled = {self._history[number].chance[index].place for number, index in moments}
        return frozenset([place.zone for place in layout.places[1:] if place.mask in masks or place.number in shuffled])

    # ------------------------------------------------------------ the walk

    def walk(self, rng: random.Random) -> None:
        """Try some exchanges of two pieces."""
        self.drawn += 1
        moments = [moment for moment, places in self._places.items() if places]
        if not moments:
            return
        for _ in range(self._tries):
            moment = rng.choice(moments)
            # INVARIANT: exchanges leave slots where they are, so each is tried as often as the one that undoes it.
            first, second = (rng.choice(rng.choice(self._places[moment])) for _ in range(2))
            self._try(moment, first, second, rng)
        self._tried += self._tries
        # Only at first: if a world came the sooner the fewer decisions its exchanges concern, such worlds would be too
        # frequent.
        if self._tried <= FIRST_TRIES:
            cheap = DECISIONS_OF_A_WORLD * self._tried // max(1, self._made_again)
            enough = self._tried // max(1, self._accepted)
            self._tries = max(1, min(MAX_TRIES, cheap), min(MAX_TRIES_FOR_ONE_EXCHANGE, enough))

    def _try(self, moment: Moment, one: int, other: int, rng: random.Random) -> None:
        slots = self._groups[moment]
        first, second = slots.contents[one], slots.contents[other]
        if self._kinds[first] == self._kinds[second] or not self._is_seen_alike(first, second):
            return
        if not slots.can_swap(one, other):
            return
        effects, choices = self._concerned(moment, one, other)
        slots.swap(one, other)
        self._forget()
        self._made_again += (effects | choices & self._decisions).bit_count()
        is_accepted = False
        try:
            alike = self._repeated_all(effects, choices)
            if alike is not None:
                odds = 1.0
                for number, count in alike.items():
                    odds *= self._alike.get(number, self._history[number].alike) / count
                is_accepted = rng.random() < odds
                if is_accepted:
                    self._accepted += 1
                    self._alike |= alike
                    self._changed_effects |= dict.fromkeys(bits(effects))
                    self._changed_choices |= effects | choices
                    self._unread_effects |= effects
                    self._unread_choices |= effects | choices
        finally:
            if not is_accepted:
                slots.contents[one], slots.contents[other] = first, second
                self._forget()

    def _forget(self) -> None:
        """The exchange is another one now."""
        self._cells_of_image.clear()
        self._exchanges.clear()

    def _is_seen_alike(self, first: int, second: int) -> bool:
        """True if nobody's sight depends on which of two pieces lies where."""
        one, other = (self._program.layout.pieces[piece].attributes for piece in (first, second))
        return all(one.get(name) == other.get(name) for name in self._observer.attributes_of_sight or ())

    def _repeated_all(self, effects: int, choices: int) -> dict[int, int] | None:
        """Make decisions again; how many moves look alike at each, None if one of them is no longer the same."""
        alike: dict[int, int] = {}
        for number in reversed(bits(effects | choices & self._decisions)):
            count = self._repeated(number, bool(effects >> number & 1), bool(choices >> number & 1))
            if count is None:
                return None
            alike[number] = count
        return None if choices & ~self._decisions and not self._ends_right() else alike

    def _concerned(self, moment: Moment, one: int, other: int) -> tuple[int, int]:
        """The plies for which it matters what lies in two slots of a shuffle: for the effects, and for the choice.

        The choice of those with concerned effects counts as concerned if it has not been examined yet. The bit behind
        those of the plies is the pending decision.
        """
        contents = self._groups[moment].contents
        first, second, start = contents[one], contents[other], moment[0]
        later, lying, among = -1 << start + 1, (self._lying(one), self._lying(other)), self._decisions
        together = 0
        for mask, plies in lying[0].items():
            together |= plies & lying[1].get(mask, 0)

        def reading(reads: Reads) -> int:
            plies = reads.of_pieces(first, second)
            for of_slot in lying:
                plies |= reads.of_sets(first, second, of_slot, ~together)
            return plies & later

        for number in bits(self._unread_effects & later & among):
            self._reads_of_effects.put(number, self._effects(number)[0])
        self._unread_effects &= ~later
        effects = reading(self._reads_of_effects) & among
        for number in bits(self._unread_choices & later & ~effects):
            self._reads_of_choices.put(number, self._choice(number))
        self._unread_choices &= ~later | effects
        choices = reading(self._reads_of_choices) | self._unread_choices & effects
        if self._is_marked(one) or self._is_marked(other):
            choices |= 1 << len(self._history)
        if self._matters_at(moment, first, second):
            effects |= 1 << start
        return effects, choices

    def _matters_at(self, moment: Moment, first: int, second: int) -> bool:
        """True if it mattered in the ply of a shuffle, after it, which of two pieces comes first."""
        start, index = moment
        footprint, both = self._effects(start)[index + 1], 1 << first | 1 << second
        mask = self._program.runtime.masks[self._history[start].chance[index].place]
        return bool(footprint.everything or (footprint.pieces | footprint.members.get(mask, 0)) & both)

    def _is_marked(self, slot: int) -> bool:
        """True if others lie on the piece of a slot in the end, or there are notes about it."""
        program, S = self._program, self._history[-1].after
        of_notes = any(S[cell] != program.initial[cell] for _, cell, _ in program.notes_about[slot])
        return of_notes or any(S[mask] != empty for mask, _, empty in program.runtime.attached[slot])

    def _cells_before(self, number: int) -> Cells:
        """The cells before a ply of the history, or at its end."""
        return self._history[number].before if number < len(self._history) else self._history[-1].after

    def _lying(self, slot: int) -> Lying:
        """The plies before which a slot lies at each place."""
        if slot not in self._places_of_slots:
            masks, cell, plies = self._program.runtime.masks, self._base + slot, defaultdict[int, int](int)
            for number in range(1, len(self._history) + 1):
                plies[masks[self._cells_before(number)[cell]]] |= 1 << number
            self._places_of_slots[slot] = plies
        return self._places_of_slots[slot]

    # ------------------------------------------------------------ decisions made again

    def _exchange(self, number: int, index: int = -1) -> dict[int, int]:
        """The pieces exchanged before a ply, or after one of its chance results."""
        count = bisect_right(self._moments, (number, index))
        if count not in self._exchanges:
            self._exchanges[count] = {}
            for moment in self._moments[:count]:
                self._exchanges[count] |= self._groups[moment].exchange
        return self._exchanges[count]

    def _before(self, number: int) -> Cells:
        if number not in self._cells_of_image:
            cells = exchanged(self._program, self._history[number].before, self._exchange(number))
            cells[MOVES] = None
            self._cells_of_image[number] = cells
        return self._cells_of_image[number]

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

    def _repeated(self, number: int, with_effects: bool, with_choice: bool) -> int | None:
        """Make a decision again; how many moves look alike now, None if it is no longer the same."""
        old, code, before = self._history[number], self._code(number), self._before(number)
        alike = self._alike.get(number, old.alike)
        if code is not None and with_choice:
            # What is seen of pieces in slots is the same in all images, and so is how they are seen to lie.
            last = replace(self._history[number - 1], after=before)
            consistent_codes = options(self._observer, self._observation, last, code)
            if code not in consistent_codes:
                return None
            alike = len(consistent_codes)
        if not with_effects:
            return alike

        try:
            cells, journal, _ = self._observer.made(before, code, given(self._results(number), _never))
        except Impossible:
            return None
        exchange = self._exchange(number, len(old.chance))
        if self._has_same_changes(old, journal, cells, exchange):
            return alike
        _, found = changes(cells, journal, 0)
        if self._observer.learnt(before, code, found, cells).lines != old.learnt.lines:
            return None
        expected = exchanged(self._program, old.after, exchange)
        expected[MOVES] = cells[MOVES] = None
        return alike if cells == expected else None

    def _has_same_changes(self, old: Ply, journal: Journal, cells: Cells, exchange: Exchange) -> bool:
        """True if it is easy to see that a decision changed the same as before, with pieces exchanged.

        The seat then learns the same of it.
        """
        program, about = self._program, about_pieces(self._program)
        if len(journal) != len(old.journal) or any(result.is_shuffle for result in old.chance):
            return False
        first, end = self._base, self._base + len(program.layout.pieces)
        moved: list[tuple[int, Any]] = []
        moved_before: list[tuple[int, Any]] = []

        def content(cell: int, value: Any) -> Any:
            if cell in self._sets:
                return exchanged_set(value, exchange)
            if cell in about.locals:  # which no log shows
                return with_exchanged(about.locals[cell], value, exchange)
            return tuple([exchange.get(piece, piece) for piece in value]) if cell in self._orders else value

        for (cell, value), (old_cell, old_value) in zip(journal, old.journal, strict=True):
            if cell in VALUES_SHOWN:
                return False
            if first <= cell < end and first <= old_cell < end:
                target = first + exchange.get(old_cell - first, old_cell - first)
                if old.after[old_cell] != cells[target]:
                    return False
                moved.append((cell, value))
                moved_before.append((target, old_value))
                continue
            is_same = cell == old_cell and value == content(cell, old_value)
            if not is_same or cell in about.filled or (cell in about.noted and cell not in about.locals):
                return False
            if cell >= 0 and cells[cell] != content(cell, old.after[cell]):
                return False
        # Pieces of a set move in the order of their numbers.
        return sorted(moved) == sorted(moved_before)

    def _ends_right(self) -> bool:
        cells = self.cells
        last = replace(self._history[-1], after=cells, arranged=None)
        has_moves = is_over(cells) or bool(self._program.legal(cells))
        return has_moves and ends_right(self._observer, self._observation, last)

    def _choice(self, number: int) -> Footprint:
        """What the choice of a decision of the present image depends on."""
        if number == len(self._history):
            return footprint_of_question(self._observer, self.cells, self._zones)
        if self._changed_choices >> number & 1:
            return footprint_of_choice(self._observer, self._before(number), self._code(number), self._zones)
        ply = self._history[number]
        if ply.choice is None or not self._zones <= ply.choice.zones:
            ply.choice = footprint_of_choice(self._observer, ply.before, ply.code, self._zones)
        return ply.choice

    def _effects(self, number: int) -> list[Footprint]:
        """What the effects of a decision of the present image depend on."""
        ply = self._history[number]
        if number in self._changed_effects:
            footprints = self._changed_effects[number]
            if footprints is None:
                before, results = self._before(number), self._results(number)
                footprints = footprints_of_effects(self._observer, before, self._code(number), results, self._zones)
                self._changed_effects[number] = footprints
            return footprints
        if ply.effects is None or not self._zones <= ply.effects[0].zones:
            ply.effects = footprints_of_effects(self._observer, ply.before, ply.code, ply.chance, self._zones)
        return ply.effects

    # ------------------------------------------------------------ the present image

    @property
    def past(self) -> Callable[[], tuple[Journal, list[Made]]]:
        """The journal and the decisions of the present image, which are made again."""
        # What follows is a copy: the walk goes on.
        images = Images.__new__(Images)
        images._history, images._program, images._moments, images._exchanges = (
            self._history, self._program, self._moments, dict[int, dict[int, int]]()
        )  # fmt: skip
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


def _never(_: int, __: ChanceEvent) -> Any:
    """No other results of chance than those of the history."""
    raise Impossible
