"""A summary of what a seat knows about pieces and notes that it does not see: what is certain, what is possible.

Everything is derived from states drawn for the seat (see `sampling.py`), never from the real one. A kind of piece
counts as possible at a place if it lay there in one of them, which is proof. A kind that never lay there in `DRAWS`
states is tested: pieces are exchanged so that it would lie there, in up to `TESTS` histories. Only if the seat would
have noticed every time, the kind counts as impossible there. What all states have in common is tested in the same way,
by exchanges after which there would be less of it, before it counts as certain. These are strong evidence but no proof:
a history that differs in several respects at once may not have been found.

Pieces that lie on other pieces are not included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import and_, or_
from statistics import fmean
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen, note_seen
from interpreter.opponents.knowledge.histories import never
from interpreter.opponents.knowledge.sampling import Sampler, sampler_of
from interpreter.play.game import State
from interpreter.runtime.cells import NoteCell
from interpreter.seat.notation.words import Value, name_by_attributes, place_words, plain_value, slot_words
from interpreter.seat.views.model import plain_data
from interpreter.wording.words import PLAIN, Words

SIZE, FIRST_DRAWS, DRAWS = 4, 8, 48
"""Histories that are kept, states that are drawn at first, and in all."""

TESTS, PAIRS = 3, 6
"""Histories in which each claim is tested, and exchanges in each."""

WORLDS, OTHERS_SIZE, OTHERS_DRAWS = 2, 2, 12
"""The number of states in which another seat's knowledge is computed, and the number of draws in each."""

SEED = 1
"""A fixed seed, so that the answer is always the same."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A number of pieces of one kind."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Chance:
    """Pieces of one kind among the hidden ones at a place: the least and the greatest number there may be.

    `likely` is the fraction of the sampled states in which at least one lay there, `mean` how many did on average.
    """

    name: str
    least: int
    most: int
    likely: float
    mean: float


@dataclass(frozen=True, slots=True)
class HiddenPlace:
    """A place with pieces that the seat does not see completely: how many lie there, and how many of them are such.

    `kinds` are those that may be among the hidden ones, in declared order.
    """

    name: str
    count: int
    hidden: int
    kinds: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class HiddenNote:
    """A note that the seat does not see, and the values that it had in the sampled states, each with how often."""

    name: str
    values: tuple[tuple[Value, float], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What another seat knows, without seeing it, of the pieces at a place that this seat sees."""

    seat: str
    place: str
    certain: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows about what it does not see, and what others know about what only it sees.

    `unaccounted` are the pieces that it does not see, wherever they are. `worlds` is the number of sampled states from
    which all this follows; `tested` is false while what is certain or impossible has not been tested.
    """

    seat: str
    worlds: int = 0
    tested: bool = True
    unaccounted: tuple[Kind, ...] = ()
    places: tuple[HiddenPlace, ...] = ()
    notes: tuple[HiddenNote, ...] = ()
    others: tuple[Known, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The knowledge as dictionaries and lists, ready for JSON."""
        data: dict[str, Any] = plain_data(self)
        return data


def knowledge_of(
    state: State, seat: str, hurry: Callable[[], bool] = never, words: Words = PLAIN,
    report: Callable[[Knowledge], None] = lambda _: None,
) -> Knowledge:  # fmt: skip
    """What a seat knows at present, in these words. It is the same in two states that the seat cannot distinguish.

    What follows from a few states, soon after the call, is reported first. Once somebody is in a `hurry`, less is drawn
    and tested. Raises SamplingError if no state is found that agrees with what the seat has observed, and UsageError
    for a state that was not set up by its rules.
    """
    number = _number(state, seat)
    notes = _hidden_notes(state, number)
    shown = {other: _only_seen(state, seat, other) for other in state.game.seats if other != seat}
    shown = {other: places for other, places in shown.items() if places}
    if not _hidden(state, number) and not notes and not shown:
        return Knowledge(seat)
    sampler, naming = sampler_of(state, seat, SEED, SIZE), Naming(state, number, words)

    def known(others: Sequence[Known], *, tested: bool) -> Knowledge:
        unaccounted, places = naming.kinds(inference.unaccounted).values(), inference.places_found(state, naming)
        of_notes = (HiddenNote(naming.note(cell), _values(drawn, number, cell)) for cell in notes)
        return Knowledge(
            seat, len(drawn), tested, tuple(unaccounted), tuple(places), tuple(of_notes), tuple(others)
        )  # fmt: skip

    drawn = sampler.states(FIRST_DRAWS, hurry)
    inference = Inference(sampler, number, drawn, hurry)
    report(known((), tested=False))
    if not hurry():
        drawn += sampler.states(DRAWS - FIRST_DRAWS, hurry, timed=True)
        inference = Inference(sampler, number, drawn, hurry)
    for place in inference.places:
        inference.test(place)
    others = tuple(_others(drawn, shown, naming, hurry))
    return known(others, tested=not hurry())


@dataclass(frozen=True)
class Naming:
    """Names places, notes and pieces for a seat."""

    state: State
    seat: int
    words: Words

    def place(self, number: int) -> str:
        """The name of a place."""
        return place_words(self.state.program, self.state.cells, number, self.seat, self.words)

    def note(self, cell: int) -> str:
        """The name of a note."""
        program = self.state.program
        name, slot = program.layout.notes_of_cell[cell]
        index = program.model.notes[name].index
        return slot_words(program, self.state.cells, name, index, slot, self.seat, self.words)

    def kinds(self, counts: Mapping[int, int]) -> dict[int, Kind]:
        """Kinds that there are, by their numbers, in declared order."""
        program, pieces = self.state.program, self.state.program.layout.pieces
        return {
            kind: Kind(name_by_attributes(program, kind, pieces[kind].attributes, self.words, count), count)
            for kind, count in sorted(counts.items())
            if count > 0
        }


# ---------------------------------------------------------------- what is hidden


def _number(state: State, seat: str) -> int:
    number = state.seat_number(seat)
    assert number is not None
    return number


def _hidden_at(state: State, seat: int, place: int) -> list[int]:
    """The pieces at a place that a seat does not see completely."""
    program, S = state.program, state.cells
    return [piece for piece in program.contents(S, place) if not fully_seen(program, S, seat, piece)]


def _hidden(state: State, seat: int) -> list[int]:
    """The places with hidden pieces."""
    places = [place.number for place, _ in state.program.places_about_no_piece]
    return [place for place in places if _hidden_at(state, seat, place)]


def _only_seen(state: State, seat: str, other: str) -> list[int]:
    """The places with pieces that a seat sees and another one does not."""
    own = _number(state, seat)
    return [place for place in _hidden(state, _number(state, other)) if not _hidden_at(state, own, place)]


def _hidden_notes(state: State, seat: int) -> list[int]:
    """The notes that a seat does not see, without those about pieces and those that keep no secret."""
    program, S = state.program, state.cells
    omitted = program.notes_about_pieces | program.model.open_notes
    return [
        cell
        for cell, (name, slot) in program.layout.notes_of_cell.items()
        if name not in omitted and not note_seen(program, S, seat, name, slot)
    ]


def _values(drawn: Sequence[State], seat: int, cell: int) -> tuple[tuple[Value, float], ...]:
    """The values of a note in the states that were drawn, in their order, each with its frequency."""
    program = drawn[0].program
    symbol = program.model.notes[program.layout.notes_of_cell[cell][0]]
    assert symbol.type is not None
    counts: dict[Value, int] = {}

    def place_of(state: State) -> tuple[bool, int]:
        content: Any = state.cells[cell]
        return content is not None, content if isinstance(content, int) else 0

    for state in sorted(drawn, key=place_of):
        value = plain_value(program, state.cells, symbol.type, state.cells[NoteCell(cell)], seat)
        counts[value] = counts.get(value, 0) + 1
    return tuple((value, count / len(drawn)) for value, count in counts.items())


# ---------------------------------------------------------------- what follows


class Inference:
    """What is certain and what is possible for the hidden pieces at places, from states that were drawn for a seat."""

    def __init__(self, sampler: Sampler[State], seat: int, drawn: Sequence[State], hurry: Callable[[], bool]) -> None:
        self.sampler, self.seat, self.hurry = sampler, seat, hurry
        self.program = drawn[0].program
        self.kind_of = kinds_of(self.program)
        self.places = _hidden(drawn[0], seat)
        self.counts: dict[int, list[Counter[int]]] = {place: [] for place in self.places}
        for state in drawn:
            self._count(state)
        self.unaccounted = self._unaccounted()
        self.drawn_count = len(drawn)

    def places_found(self, state: State, naming: Naming) -> Iterator[HiddenPlace]:
        """The places with hidden pieces, and what is certain and possible there."""
        for place in self.places:
            least, most = self.certain(place), self.possible(place)
            drawn = self.counts[place][: self.drawn_count]  # exchanges say nothing about how likely they are
            kinds = (
                Chance(
                    named.name, least[kind], named.count, sum(1 for counts in drawn if counts[kind]) / len(drawn),
                    fmean(counts[kind] for counts in drawn),
                )
                for kind, named in naming.kinds(most).items()
            )  # fmt: skip
            hidden = len(_hidden_at(state, self.seat, place))
            lying = len(self.program.contents(state.cells, place))
            yield HiddenPlace(naming.place(place), lying, hidden, tuple(kinds))

    def _count(self, state: State) -> None:
        for place, counts in self.counts.items():
            counts.append(Counter(self.kind_of[piece] for piece in _hidden_at(state, self.seat, place)))

    def _unaccounted(self) -> Counter[int]:
        """The pieces of each kind that are somewhere where the seat does not see them."""
        in_each_state = zip(*self.counts.values(), strict=True)
        return reduce(or_, (sum(counts, Counter[int]()) for counts in in_each_state), Counter[int]())

    def test(self, place: int) -> None:
        """Try to reach fewer pieces of each kind at a place, and kinds that were never drawn there."""
        histories = range(min(TESTS, self.sampler.kept))
        for kind in list(self.certain(place)):
            for number in histories:
                while self.certain(place)[kind] and self._exchange(number, place, leaving=kind):
                    pass
        types = {self._type(kind) for kind in self.possible(place)}
        for kind in self.unaccounted:
            for number in histories:
                if self._type(kind) in types and not self.possible(place)[kind]:
                    self._exchange(number, place, coming=kind)

    def certain(self, place: int) -> Counter[int]:
        """The least number of each kind at a place."""
        return reduce(and_, self.counts[place])

    def possible(self, place: int) -> Counter[int]:
        """The most of each kind at a place."""
        return reduce(or_, self.counts[place])

    def _type(self, kind: int) -> str:
        return self.program.layout.pieces[kind].type

    def _exchange(self, number: int, place: int, leaving: int | None = None, coming: int | None = None) -> bool:
        """Exchange a hidden piece, of a kind that is `leaving`, with one elsewhere, of a kind that is `coming`.

        False if there is none, or the seat would have noticed each of the exchanges that were tried.
        """
        if self.hurry():
            return False
        state = self.sampler.kept_state(number)
        kind, change = (leaving, -1) if coming is None else (coming, 1)
        wanted = len(self._of_kind(state, [place], kind)) + change
        here = self._of_kind(state, [place], leaving)
        there = self._of_kind(state, [other for other in self.places if other != place], coming)
        pairs = _different([(one, other) for one in here for other in there], self.kind_of)
        unnoticed = (pair for pair in pairs if self.sampler.may_be_exchanged(number, *pair))
        for one, other in islice(unnoticed, PAIRS):
            found = self.sampler.exchange(
                number, one, other, lambda after: len(self._of_kind(after, [place], kind)) == wanted
            )
            if found is not None:
                self._count(found)
                return True
        return False

    def _of_kind(self, state: State, places: Sequence[int], kind: int | None) -> list[int]:
        pieces = [piece for place in places for piece in _hidden_at(state, self.seat, place)]
        return [piece for piece in pieces if kind is None or self.kind_of[piece] == kind]


def _different(pairs: Sequence[tuple[int, int]], kind_of: Mapping[int, int]) -> list[tuple[int, int]]:
    """One pair of pieces of each pair of different kinds, those with new kinds first."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for one, other in pairs:
        if kind_of[one] != kind_of[other]:
            found.setdefault((kind_of[one], kind_of[other]), (one, other))
    spread: list[tuple[int, int]] = []
    rest: list[tuple[int, int]] = []
    seen: set[int] = set()
    for (_, kind), pair in found.items():
        (rest if kind in seen else spread).append(pair)
        seen.add(kind)
    return spread + rest


def kinds_of(program: Program) -> dict[int, int]:
    """The kind of each piece: the first piece that has the same name, as far as the words of the game go."""
    first: dict[tuple[str, str], int] = {}
    found = {}
    for piece, info in enumerate(program.layout.pieces):
        name = name_by_attributes(program, piece, frozenset(info.attributes))
        found[piece] = first.setdefault((info.type, name), piece)
    return found


def _others(
    drawn: Sequence[State], shown: Mapping[str, Sequence[int]], naming: Naming, hurry: Callable[[], bool]
) -> Iterator[Known]:
    """What other seats know of pieces that they do not see: what they would know in each of some drawn states."""
    for other, places in shown.items():
        certain: dict[int, Counter[int]] = {}
        for world in drawn[:WORLDS]:
            if hurry():
                return
            sampler = sampler_of(world, other, SEED, OTHERS_SIZE)
            sampler.begin_with(world)
            states = [world, *sampler.states(OTHERS_DRAWS, hurry)]
            inference = Inference(sampler, _number(world, other), states, hurry)
            for place in places:
                inference.test(place)
            for place in places:
                found = inference.certain(place)
                certain[place] = certain[place] & found if place in certain else found
        for place in places:
            if certain[place]:
                yield Known(other, naming.place(place), tuple(naming.kinds(certain[place]).values()))
