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
from operator import and_, or_
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen, known_attributes, look, note_seen
from interpreter.opponents.knowledge.sampling import Sampler, sampler_of
from interpreter.play.game import State
from interpreter.runtime.cells import NoteCell
from interpreter.runtime.layout import OUT
from interpreter.seat.notation.words import Value, name_by_attributes, place_words, plain_value, slot_words
from interpreter.seat.views.model import plain_data
from interpreter.wording.words import PLAIN, Words

SIZE, DRAWS, TESTS, PAIRS = 4, 48, 3, 6
"""Histories that are kept, states that are drawn, histories in which each claim is tested, and exchanges in each."""

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
class HiddenPlace:
    """A place with pieces that the seat does not see completely: how many lie there, and how many of them are such.

    `certain` are kinds of which at least that number is among the hidden ones.
    """

    name: str
    count: int
    hidden: int
    certain: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class HiddenPieces:
    """Places with the same possibilities.

    Hidden pieces that are not certain come from `possible`: kinds, each with its number of pieces unaccounted for.
    `anything` is true if these are all kinds that are unaccounted for anywhere.
    """

    places: tuple[HiddenPlace, ...]
    possible: tuple[Kind, ...]
    anything: bool


@dataclass(frozen=True, slots=True)
class HiddenNote:
    """A note that the seat does not see, and the values that it had in the states that were drawn."""

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What another seat knows, without seeing it, of the pieces at a place that this seat sees."""

    seat: str
    place: str
    certain: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows about what it does not see, and what others know about what only it sees."""

    seat: str
    unaccounted: tuple[Kind, ...]
    pieces: tuple[HiddenPieces, ...]
    notes: tuple[HiddenNote, ...]
    others: tuple[Known, ...]

    def as_data(self) -> dict[str, Any]:
        """The knowledge as dictionaries and lists, ready for JSON."""
        data: dict[str, Any] = plain_data(self)
        return data


def never() -> bool:
    """Never in a hurry."""
    return False


def knowledge_of(state: State, seat: str, hurry: Callable[[], bool] = never, words: Words = PLAIN) -> Knowledge:
    """What a seat knows at present, in these words. It is the same in two states that the seat cannot distinguish.

    Once somebody is in a `hurry`, less is drawn and tested. Raises SamplingError if no state is found that agrees with
    what the seat has observed, and UsageError for a state that was not set up by its rules.
    """
    number = _number(state, seat)
    hidden = _hidden(state, number)
    notes = _hidden_notes(state, number)
    shown = {other: _only_seen(state, seat, other) for other in state.game.seats if other != seat}
    shown = {other: places for other, places in shown.items() if places}
    if not hidden and not notes and not shown:
        return Knowledge(seat, (), (), (), ())
    sampler = sampler_of(state, seat, SEED, SIZE)
    drawn = sampler.states(DRAWS, hurry)
    inference = Inference(sampler, number, drawn, hurry)
    naming = Naming(state, number, words)
    pieces = tuple(_grouped(inference, state, hidden, naming))
    return Knowledge(
        seat,
        naming.kinds(inference.unaccounted),
        pieces,
        tuple(HiddenNote(naming.note(cell), _values(drawn, number, cell)) for cell in notes),
        tuple(_others(drawn, shown, naming, hurry)),
    )


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

    def kinds(self, counts: Mapping[int, int]) -> tuple[Kind, ...]:
        """Kinds with their counts, in declared order."""
        program, pieces = self.state.program, self.state.program.layout.pieces
        return tuple(
            Kind(name_by_attributes(program, kind, pieces[kind].attributes, self.words, count), count)
            for kind, count in sorted(counts.items())
            if count > 0
        )


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
    program, S = state.program, state.cells
    return [
        cell
        for cell, (name, slot) in program.layout.notes_of_cell.items()
        if name not in program.notes_about_pieces and not note_seen(program, S, seat, name, slot)
    ]


def _values(drawn: Sequence[State], seat: int, cell: int) -> tuple[Value, ...]:
    """The values of a note in the states that were drawn, in their order."""
    program = drawn[0].program
    symbol = program.model.notes[program.layout.notes_of_cell[cell][0]]
    assert symbol.type is not None
    found = {repr(one.cells[cell]): one for one in drawn}
    states = sorted(found.values(), key=lambda one: (one.cells[cell] is not None, _rank(one.cells[cell])))
    return tuple(
        dict.fromkeys(plain_value(program, one.cells, symbol.type, one.cells[NoteCell(cell)], seat) for one in states)
    )


def _rank(value: Any) -> Any:
    return value if isinstance(value, int) else 0


# ---------------------------------------------------------------- what follows


class Inference:
    """What is certain and what is possible for the hidden pieces at places, from states that were drawn for a seat."""

    def __init__(self, sampler: Sampler[State], seat: int, drawn: Sequence[State], hurry: Callable[[], bool]) -> None:
        self.sampler, self.seat, self.hurry = sampler, seat, hurry
        self.program = drawn[0].program
        self.kind_of = kinds_of(self.program)
        self.places = _hidden(drawn[0], seat)
        self.counts: dict[int, list[Counter[int]]] = {place: [] for place in self.places}
        self.outside: list[Counter[int]] = []
        for state in drawn:
            self._count(state)
        self.unaccounted = self._unaccounted()

    def _count(self, state: State) -> None:
        for place, counts in self.counts.items():
            counts.append(Counter(self.kind_of[piece] for piece in _hidden_at(state, self.seat, place)))
        out = state.cells[self.program.layout.place_cells : self.program.layout.place_cells + len(self.kind_of)]
        self.outside.append(Counter(self.kind_of[piece] for piece, place in enumerate(out) if place == OUT))

    def _unaccounted(self) -> Counter[int]:
        """The pieces of each kind that are somewhere where the seat does not see them."""
        most: Counter[int] = Counter()
        for number in range(len(self.outside)):
            there: Counter[int] = Counter()
            for counts in self.counts.values():
                there += counts[number]
            most |= there
        return most

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
        for one, other in [pair for pair in pairs if self._look_alike(state, *pair)][:PAIRS]:
            found = self.sampler.exchange(
                number, one, other, lambda after: len(self._of_kind(after, [place], kind)) == wanted
            )
            if found is not None:
                self._count(found)
                return True
        return False

    def _look_alike(self, state: State, one: int, other: int) -> bool:
        """True if each of two pieces would look like the other one in its place."""
        program, pieces = self.program, self.program.layout.pieces
        if pieces[one].type != pieces[other].type:
            return False
        known = [known_attributes(program, state.cells, self.seat, piece) for piece in (one, other)]
        return all(look(program, one, each) == look(program, other, each) for each in known)

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


def _grouped(inference: Inference, state: State, hidden: Sequence[int], naming: Naming) -> Iterator[HiddenPieces]:
    """The places with hidden pieces; those for which the same is possible together."""
    program = inference.program
    for place in hidden:
        inference.test(place)
    certain = {place: inference.certain(place) for place in hidden}
    possible = {place: set(inference.possible(place)) for place in hidden}
    remaining = Counter(inference.unaccounted)
    for counts in certain.values():
        remaining -= counts
    groups: dict[tuple[tuple[Kind, ...], bool], list[HiddenPlace]] = {}
    for place in hidden:
        count = len(_hidden_at(state, inference.seat, place))
        kinds = {kind: remaining[kind] for kind in possible[place] if remaining[kind]}
        if certain[place].total() == count:
            kinds = {}
        types = {program.layout.pieces[kind].type for kind in possible[place]}
        every = {kind for kind in remaining if program.layout.pieces[kind].type in types}
        lying = len(program.contents(state.cells, place))
        content = HiddenPlace(naming.place(place), lying, count, naming.kinds(certain[place]))
        groups.setdefault((naming.kinds(kinds), bool(kinds) and set(kinds) == every), []).append(content)
    for (kinds_there, anything), contents in groups.items():
        yield HiddenPieces(tuple(contents), kinds_there, anything)


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
            states = [world, *sampler.states(OTHERS_DRAWS, hurry)]
            inference = Inference(sampler, _number(world, other), states, hurry)
            for place in places:
                inference.test(place)
            for place in places:
                found = inference.certain(place)
                certain[place] = certain[place] & found if place in certain else found
        for place in places:
            if certain[place]:
                yield Known(other, naming.place(place), naming.kinds(certain[place]))
