"""What a seat may see of a position as a tensor: numbers at fixed places, each with a name.

A tensor is made of *sections*, one after the other: who looks and who decides, the phase, the question if it is the
seat's own, each place with its pieces, each note. It shows what `State.view` shows, and nothing else: pieces by those
of their attributes that the seat sees, never by their number. What is revealed when the game is over is not in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, Several, Type
from interpreter.compiler.decisions import FREE_POINT, OVER_POINT, chosen_type
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, note_seen
from interpreter.environments.actions import ActionSpace, PartialMove
from interpreter.environments.columns import Columns, columns_of
from interpreter.environments.looks import UNSEEN, Locations, Looks, held_in, seen_together
from interpreter.runtime.cells import Cells, NoteCell, NumberCell
from interpreter.runtime.layout import ME, OUT, POINT, Place
from interpreter.seat.notation.words import question_names


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a tensor: the columns from `first` on, with their names; `fill` adds what a seat sees.

    Numbers are from `least` to `most`.
    """

    name: str
    first: int
    columns: tuple[str, ...]
    fill: Callable[[Sight, array[float], int], None]
    least: float
    most: float

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.columns)


class Sight:
    """What one seat sees of one position, and how much of a move it has chosen."""

    def __init__(
        self, program: Program, locations: Locations, state: Cells, seat: int, chosen: Sequence[int] = ()
    ) -> None:
        self.program, self.locations, self.seat, self.chosen = program, locations, seat, chosen
        self.own = state[POINT] >= 0 and state[ME] == seat
        self.over = state[POINT] == OVER_POINT
        if self.over:  # what is revealed now has no columns
            state = Cells(state)
            state[POINT] = FREE_POINT
        self.state = state

    def look(self, piece: int, place: int) -> int:
        """The look of a piece at a place, among those in its zone."""
        layout = self.program.layout
        seen = known_attributes(self.program, self.state, self.seat, piece, place)
        return self.locations.looks[layout.places[place].zone].number(layout.pieces[piece], seen)

    def location(self, piece: int) -> int:
        """See `Sighted`."""
        place = self.state[self.program.layout.place_cells + piece]
        return -1 if place == OUT else self.locations.first[place] + self.look(piece, place)


class ObservationSpace:
    """The tensors of a game with its seats and options: their sections and columns, all named."""

    def __init__(self, program: Program, actions: ActionSpace) -> None:
        self._program = program
        self._locations = Locations(program)
        self.sections = tuple(_Sections(program, self._locations, actions).sections())
        self.size = sum(section.size for section in self.sections)

    @property
    def shape(self) -> tuple[int]:
        """The shape of a tensor, which is flat."""
        return (self.size,)

    @cached_property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The least and the greatest that each number can be."""
        least = [section.least for section in self.sections for _ in section.columns]
        return least, [section.most for section in self.sections for _ in section.columns]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all columns: `hand[red]: red king`."""
        return tuple(
            f"{section.name}: {column}" if column else section.name
            for section in self.sections
            for column in section.columns
        )

    def describe(self) -> str:
        """The sections as lines of text: the columns, the name, what the columns say."""
        lines = [f"{self.size} numbers"]
        for section in self.sections:
            if section.size:
                last = section.first + section.size - 1
                lines.append(f"{section.first}..{last}  {section.name}: {_brief(section.columns)}")
        return "\n".join(lines)

    def tensor(self, state: Cells, seat: int, partial: PartialMove | None = None) -> array[float]:
        """What a seat sees of a position, and what it has chosen of its move, as numbers of 32 bits."""
        tensor = array("f", bytes(4 * self.size))
        sight = Sight(self._program, self._locations, state, seat, () if partial is None else partial.chosen)
        for section in self.sections:
            section.fill(sight, tensor, section.first)
        return tensor


def _brief(columns: Sequence[str]) -> str:
    shown = columns if len(columns) <= 8 else [*columns[:4], "…", *columns[-2:]]
    return ", ".join(column or "the value" for column in shown)


class _Sections:
    """Lays out the sections of a game."""

    def __init__(self, program: Program, locations: Locations, actions: ActionSpace) -> None:
        self.program, self.layout, self.model = program, program.layout, program.model
        self.locations, self.actions = locations, actions
        self._end = 0

    def _section(
        self, name: str, columns: Sequence[str], fill: Callable[[Sight, array[float], int], None], least: float = 0.0,
        most: float = 1.0,
    ) -> Section:  # fmt: skip
        section = Section(name, self._end, tuple(columns), fill, least, most)
        self._end += section.size
        return section

    def sections(self) -> Iterator[Section]:
        """All sections of a tensor, in order."""
        yield from self._course()
        yield from self._question()
        for place, name in self.program.places_about_no_piece:
            yield self._place(place, name)
        for cell, (name, slot) in self.layout.notes_of_cell.items():
            if name not in self.program.notes_about_pieces:
                yield self._note(cell, name, slot)

    # ------------------------------------------------------------ the course of the game

    def _course(self) -> Iterator[Section]:
        seats, phase_cell = self.layout.seats, self.program.phase_cell

        def looks(sight: Sight, tensor: array[float], at: int) -> None:
            tensor[at + sight.seat] = 1

        def decides(sight: Sight, tensor: array[float], at: int) -> None:
            if sight.state[POINT] >= 0:
                tensor[at + sight.state[ME]] = 1

        def phase(sight: Sight, tensor: array[float], at: int) -> None:
            if not sight.over:
                tensor[at + sight.state[phase_cell]] = 1

        def over(sight: Sight, tensor: array[float], at: int) -> None:
            tensor[at] = sight.over

        yield self._section("looks", seats, looks)
        yield self._section("decides", seats, decides)
        yield self._section("phase", list(self.model.phases), phase)
        yield self._section("over", [""], over)

    def _question(self) -> Iterator[Section]:
        """The pending question of the seat itself, how many it has picked, and what it has chosen of its move."""
        decisions = self.program.lowered.decisions
        nodes: dict[int, ast.Question] = {decision.node.number: decision.node for decision in decisions.values()}
        offsets = {number: offset for offset, number in enumerate(nodes)}
        points = {point: offsets[decision.node.number] for point, decision in decisions.items()}

        def question(sight: Sight, tensor: array[float], at: int) -> None:
            if sight.own:
                tensor[at + points[sight.state[POINT]]] = 1

        yield self._section("question", [", ".join(question_names(node)) for node in nodes.values()], question)
        picking: dict[int, ast.Choose] = {}
        for decision in decisions.values():
            if decision.chosen is not None and isinstance(decision.node, ast.Choose):
                picking[decision.node.number] = decision.node
        for node in picking.values():
            yield self._picked(node)
        if self.actions.is_compound:

            def chosen(sight: Sight, tensor: array[float], at: int) -> None:
                for action in sight.chosen if sight.own else ():
                    tensor[at + action] += 1

            most = float(max(2, len(self.layout.pieces)))
            yield self._section("chosen", self.actions.names, chosen, most=most)

    def _picked(self, node: ast.Choose) -> Section:
        """What has been picked so far where several are chosen one by one."""
        columns = columns_of(self.program, Several(chosen_type(self.model, node)), self.locations)
        decisions = self.program.lowered.decisions

        def picked(sight: Sight, tensor: array[float], at: int) -> None:
            decision = decisions.get(sight.state[POINT])
            if sight.own and decision is not None and decision.node is node and decision.chosen is not None:
                columns.put(sight.state[decision.chosen], sight, tensor, at)

        return self._section(f"picked as {node.name}", columns.names, picked, columns.least, columns.most)

    # ------------------------------------------------------------ places

    def _place(self, place: Place, name: str) -> Section:
        looks = self.locations.looks[place.zone]
        about = _About(self.program, self.locations, held_in(self.program, place.zone))
        if place.shape == "heap" or (len(looks.names) == 1 and not about.names):
            return self._counted(place, name, looks, about)
        return self._in_order(place, name, looks, about)

    def _counted(self, place: Place, name: str, looks: Looks, about: _About) -> Section:
        """How many pieces lie there, by their look, and what is known about these, added up."""
        width = 1 + len(about.names)
        columns = [f"{look}{', ' * bool(part)}{part}" for look in looks.names for part in ("", *about.names)]

        def fill(sight: Sight, tensor: array[float], at: int) -> None:
            for piece in sight.program.contents(sight.state, place.number):
                column = at + width * sight.look(piece, place.number)
                tensor[column] += 1
                about.put(piece, sight, tensor, column + 1)

        pieces = max(1, len(self.layout.pieces))
        return self._section(name, columns, fill, pieces * about.least, pieces * about.most)

    def _in_order(self, place: Place, name: str, looks: Looks, about: _About) -> Section:
        """The pieces one after the other, the first in a row and the top of a stack first; each by its attributes."""
        program, layout = self.program, self.layout
        types = held_in(program, place.zone)
        most = 1 if place.shape == "one" else sum(end - first for first, end in map(layout.piece_range.get, types))  # type: ignore[misc]
        parts: list[str] = []
        offsets: dict[tuple[str, str, object], int] = {}
        for type_ in types:
            if len(types) > 1 or not self.model.pieces[type_].attributes:
                offsets[type_, "", None] = len(parts)
                parts.append(type_)
            for attribute, attribute_type in self.model.pieces[type_].attributes.items():
                pieces = layout.pieces[slice(*layout.piece_range[type_])]
                for value in dict.fromkeys(piece.attributes[attribute] for piece in pieces):
                    offsets[type_, attribute, value] = len(parts)
                    parts.append(layout.name_of(attribute_type, value))
                if any(attribute not in seen for seen in seen_together(program, place.zone, type_)):
                    offsets[type_, attribute, UNSEEN] = len(parts)
                    parts.append(f"{attribute} {UNSEEN}")
        width = len(parts) + len(about.names)
        positions = [""] if place.shape == "one" else [f"{number}: " for number in range(1, most + 1)]
        columns = [f"{position}{part}" for position in positions for part in (*parts, *about.names)]

        def fill(sight: Sight, tensor: array[float], at: int) -> None:
            for number, piece in enumerate(program.contents(sight.state, place.number)):
                info, start = layout.pieces[piece], at + width * number
                seen = known_attributes(program, sight.state, sight.seat, piece, place.number)
                if (info.type, "", None) in offsets:
                    tensor[start + offsets[info.type, "", None]] = 1
                for attribute, value in info.attributes.items():
                    tensor[start + offsets[info.type, attribute, value if attribute in seen else UNSEEN]] = 1
                about.put(piece, sight, tensor, start + len(parts))

        return self._section(name, columns, fill, about.least, about.most)

    # ------------------------------------------------------------ notes

    def _note(self, cell: int, name: str, slot: tuple[int, ...]) -> Section:
        symbol = self.model.notes.get(name) or self.model.dice[name]
        assert symbol.type is not None
        columns = columns_of(self.program, symbol.type, self.locations)
        if not is_ever_hidden(self.program, name):
            return self._section(
                self.layout.cell_name(cell), columns.names,
                lambda sight, tensor, at: columns.put(sight.state[NoteCell(cell)], sight, tensor, at), columns.least,
                columns.most,
            )  # fmt: skip

        def fill(sight: Sight, tensor: array[float], at: int) -> None:
            if note_seen(sight.program, sight.state, sight.seat, name, slot):
                tensor[at] = 1
                columns.put(sight.state[NoteCell(cell)], sight, tensor, at + 1)

        return self._section(
            self.layout.cell_name(cell), ["is seen", *columns.names], fill, columns.least, columns.most
        )


def is_ever_hidden(program: Program, note: str) -> bool:
    """Whether a note is not open to everybody."""
    symbol = program.model.notes.get(note)
    return symbol is not None and bool(symbol.declaration.sights)


class _About:
    """What is known about a piece beside its attributes: the notes about it, and what lies at the places of its own."""

    def __init__(self, program: Program, locations: Locations, types: Sequence[str]) -> None:
        self._program = program
        self._notes: dict[tuple[str, tuple[int, ...]], tuple[int, bool, Columns]] = {}
        self._places: dict[tuple[str, tuple[int, ...]], int] = {}
        names: list[str] = []
        self.least, self.most = 0.0, 1.0
        layout, model = program.layout, program.model
        for name, symbol in model.notes.items():
            if not _is_about(symbol.index, types):
                continue
            assert symbol.type is not None
            columns, hidden = columns_of(program, symbol.type, locations), is_ever_hidden(program, name)
            self.least, self.most = min(self.least, columns.least), max(self.most, columns.most)
            for slot in _slots_without_pieces(program, symbol.index):
                words = _slot_name(program, name, symbol.index, slot)
                self._notes[name, slot] = len(names), hidden, columns
                names += [f"{words}{': ' * bool(part)}{part}" for part in [*["is seen"] * hidden, *columns.names]]
        for name, zone in model.zones.items():
            if _is_about(zone.index, types):
                for slot in _slots_without_pieces(program, zone.index):
                    words = _slot_name(program, name, zone.index, slot)
                    self._places[name, slot] = len(names)
                    names += [f"{words}: {look}" for look in locations.looks[name].names]
                    self.most = max(self.most, float(len(layout.pieces)))
        self.names = tuple(names)
        self._layout = layout

    def put(self, piece: int, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees about a piece."""
        if not self.names:
            return
        program, state, model = sight.program, sight.state, sight.program.model
        for name, cell, slot in program.notes_about[piece]:
            if note_seen(program, state, sight.seat, name, slot):
                offset, hidden, columns = self._notes[name, _without_pieces(model.notes[name].index, slot)]
                if hidden:
                    tensor[at + offset] += 1
                columns.put(state[NoteCell(cell)], sight, tensor, at + offset + hidden)
        for mask, number, _ in program.runtime.attached[piece]:
            if state[NumberCell(mask)]:
                place = self._layout.places[number]
                offset = self._places[place.zone, _without_pieces(model.zones[place.zone].index, place.index)]
                for attached in program.contents(state, number):
                    tensor[at + offset + sight.look(attached, number)] += 1


def _is_about(index: Sequence[Type], types: Sequence[str]) -> bool:
    return any(isinstance(type_, PieceType) and not type_.piece_types.isdisjoint(types) for type_ in index)


def _slots_without_pieces(program: Program, index: Sequence[Type]) -> Iterator[tuple[int, ...]]:
    yield from product(*(program.layout.members(type_) for type_ in index if not isinstance(type_, PieceType)))


def _without_pieces(index: Sequence[Type], slot: Sequence[int]) -> tuple[int, ...]:
    pairs = zip(index, slot, strict=True)
    return tuple([value for type_, value in pairs if not isinstance(type_, PieceType)])


def _slot_name(program: Program, name: str, index: Sequence[Type], slot: Sequence[int]) -> str:
    types = tuple([type_ for type_ in index if not isinstance(type_, PieceType)])
    return program.layout.slot_name(name, types, tuple(slot))
