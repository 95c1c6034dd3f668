"""A summary of what a seat knows about pieces and notes that it does not see: what is certain, what is possible.

Everything is derived from states drawn for the seat (see `sampling.py`), never from the real one. A kind of piece
counts as possible at a place if it lay there in one of them, which is proof. What all of them have in common counts as
certain only once it was tested (`claims.py`).

Pieces that lie on other pieces are not included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.arguments import seat_number
from interpreter.engine.sight import note_seen
from interpreter.opponents.knowledge.claims import Inference, Questioned, hidden_at, places_with_hidden
from interpreter.opponents.knowledge.histories import never
from interpreter.play.game import State
from interpreter.runtime.cells import NoteCell
from interpreter.seat.notation.words import Value, name_by_attributes, place_words, plain_value, slot_words
from interpreter.seat.views.model import plain_data
from interpreter.wording.words import PLAIN, Words

SIZE, FIRST_DRAWS, DRAWS = 16, 8, 48
"""Histories of a short game, states that are drawn at first, and in all."""

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
    which all this follows. While not everything is `tested`, more may be certain or impossible than is said.
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

    What follows from a few states, soon after the call, is reported first, then what is found out as it goes on. Once
    somebody is in a `hurry`, no more is drawn and tested. Raises SamplingError if no state is found that agrees with
    what the seat has observed, and UsageError for a state that was not set up by its rules.
    """
    number = _number(state, seat)
    notes = _hidden_notes(state, number)
    shown = {other: _only_seen(state, seat, other) for other in state.game.seats if other != seat}
    shown = {other: places for other, places in shown.items() if places}
    if not places_with_hidden(state.program, state.cells, number) and not notes and not shown:
        return Knowledge(seat)
    sampler, naming = Questioned(state, seat, SEED, SIZE), Naming(state, number, words)

    def known(others: Sequence[Known], *, tested: bool) -> Knowledge:
        unaccounted, places = naming.kinds(inference.unaccounted).values(), _places_found(state, inference, naming)
        of_notes = (HiddenNote(naming.note(cell), _values(drawn, number, cell)) for cell in notes)
        return Knowledge(
            seat, len(drawn), tested, tuple(unaccounted), tuple(places), tuple(of_notes), tuple(others)
        )  # fmt: skip

    drawn = sampler.states(FIRST_DRAWS, hurry)
    inference = Inference(sampler, number, drawn, hurry)
    inference.test_quickly()
    report(known((), tested=False))
    if (notes or not inference.is_settled) and not hurry():
        more = sampler.states(DRAWS - FIRST_DRAWS, hurry, timed=True)
        drawn += more
        inference.draw(more)
        report(known((), tested=False))
    inference.test()
    if shown:
        report(known((), tested=False))
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
    return seat_number(state.game.seats, seat)


def _only_seen(state: State, seat: str, other: str) -> list[int]:
    """The places with pieces that a seat sees and another one does not."""
    own = _number(state, seat)
    program, S = state.program, state.cells
    places = places_with_hidden(program, S, _number(state, other))
    return [place for place in places if not hidden_at(program, S, own, place)]


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


def _places_found(state: State, inference: Inference, naming: Naming) -> Iterator[HiddenPlace]:
    """The places with hidden pieces, and what is certain and possible there."""
    program = state.program
    for place in inference.places:
        least, drawn = inference.certain(place), inference.drawn[place]
        kinds = (
            Chance(
                named.name, least[kind], named.count, sum(1 for counts in drawn if counts[kind]) / len(drawn),
                fmean(counts[kind] for counts in drawn),
            )
            for kind, named in naming.kinds(inference.possible(place)).items()
        )  # fmt: skip
        hidden = len(hidden_at(program, state.cells, naming.seat, place))
        lying = len(program.contents(state.cells, place))
        yield HiddenPlace(naming.place(place), lying, hidden, tuple(kinds))


def _others(
    drawn: Sequence[State], shown: Mapping[str, Sequence[int]], naming: Naming, hurry: Callable[[], bool]
) -> Iterator[Known]:
    """What other seats know of pieces that they do not see: what they would know in each of some drawn states."""
    for other, places in shown.items():
        certain: dict[int, Counter[int]] = {}
        for world in drawn[:WORLDS]:
            if hurry():
                return
            found = _known_in(world, other, places, hurry)
            certain = {place: certain.get(place, found[place]) & found[place] for place in places}
            if not any(certain.values()):
                break
        for place in places:
            if certain[place]:
                yield Known(other, naming.place(place), tuple(naming.kinds(certain[place]).values()))


def _known_in(
    world: State, other: str, places: Sequence[int], hurry: Callable[[], bool]
) -> dict[int, Counter[int]]:  # fmt: skip
    """What a seat would know for certain of the pieces at some places, were a state the real one."""
    sampler = Questioned(world, other, SEED, OTHERS_SIZE)
    sampler.begin_with(world)
    inference = Inference(sampler, _number(world, other), [world], hurry, only_least=places)
    inference.test_quickly()
    if inference.claims_count:
        inference.draw(sampler.states(OTHERS_DRAWS, hurry))
        inference.test()
    return {place: inference.certain(place) for place in places}
