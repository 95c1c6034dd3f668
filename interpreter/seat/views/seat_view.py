"""The view of a seat: everything it may know of a state, as plain data.

A view is what programs, bots and screens get instead of the state: zones with their pieces, notes, the tables of the
rules, the question. `successive_views.py` makes those of states that follow each other.

What is hidden must not show in the order either. Two face-down cards have the same `PieceView`, but the numbers of the
pieces follow the order in which they were declared. A heap listed by number would show that the second card is the
greater one. Everything that has no order in the rules is sorted by what the seat sees (`in_listed_order`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any, Protocol, TypeVar, cast

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import PLAYER, Contents, PieceType, Several, Type, bare
from interpreter.compiler.decisions import OVER_POINT
from interpreter.compiler.expression_facts import loose_pieces
from interpreter.compiler.names import NO_NAMES, Names
from interpreter.engine.program import Program, once_for_program
from interpreter.engine.sight import SPECTATOR, Standing, known_attributes, look, note_seen, standing, value_standing
from interpreter.errors import LimitError, PlayError, public_if_same
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, NoteCell, StoredValue, number_in
from interpreter.runtime.layout import ME, POINT, Place, acting_as
from interpreter.seat.explain.outcome import outcome_of
from interpreter.seat.notation.words import (
    name_by_attributes,
    plain_value,
    progress_of,
    question_names,
    slot_words,
    text_words,
    value_words,
)
from interpreter.seat.redaction import HiddenValueError, PublicVisibility, SeatVisibility
from interpreter.seat.views.board_view import attribute_value, board_view, table_on_board
from interpreter.seat.views.frozen_map import FrozenMap
from interpreter.seat.views.history import Question
from interpreter.seat.views.model import (
    HIDDEN,
    AttributeValue,
    Cell,
    EachCell,
    EachEntry,
    NoteValue,
    Order,
    OutcomeView,
    PiecesCell,
    PieceView,
    Row,
    TableView,
    Together,
    Value,
    ValueCell,
    View,
    ZoneView,
    value_text,
)

UNKNOWN_TEXT = "?"
"""The text of a value in a table that a spectator may not know."""

NOTHING: FrozenMap[str, Any] = FrozenMap()  # without entries, so one of every kind
T = TypeVar("T")


@once_for_program
def _views_of_pieces(program: Program) -> dict[tuple[int, frozenset[str]], PieceView]:
    """Views of pieces without notes and attached pieces, by their kind and the attributes that are seen of them."""
    return {}


class Remember(Protocol):
    """Makes a part of a view from an observer and the state, with the seat it is made for as `me`.

    `key` names the part among all of a view; a part that was made before may be used again if it would be the same.
    """

    def __call__(self, key: Hashable, state: Cells, me: Cells, make: Callable[[SeatObserver, Cells], T]) -> T:
        """The part."""


def view_of(program: Program, state: Cells, seat: int | None, remember: Remember | None = None) -> View:
    """The view of a seat: zones, notes, tables, and the question if it is its own.

    For None it is that of an observer who sees everything, for SPECTATOR of one who sees what all seats see. Raises
    PlayError, and PublicFaultError if a table fails by what every seat knows.
    """
    observer, seats = SeatObserver(program, state, seat), program.layout.seats

    def afresh(key: Hashable, state: Cells, me: Cells, make: Callable[[SeatObserver, Cells], T]) -> T:
        return make(observer, me)

    part = remember or afresh
    over = state[POINT] == OVER_POINT
    zones, notes = _zones(observer, part), _notes(observer, part)
    try:
        tables = _tables(observer, part) if program.model.tables else _plain_tables(zones, notes)
    except PlayError as fault:
        raise (fault if seat is None or seat == SPECTATOR else _judged(program, state, seat, fault)) from None
    return View(
        title=program.words.text(program.model.file.header.title.value),
        seats=tuple(seats),
        viewer=None if seat is None or seat == SPECTATOR else seats[seat],
        turn=seats[state[ME]] if state[POINT] >= 0 else None,
        phase=None if over else list(program.model.phases)[state[program.phase_cell]],
        rounds=NOTHING if over else rounds_in_progress(program, state),
        over=over,
        question=_question(program, state, seat),
        zones=FrozenMap(zones),
        notes=FrozenMap(notes),
        tables=tables,
        board=board_view(program, state, tables),
        outcome=_outcome(program, state) if over else None,
    )


def rounds_in_progress(program: Program, state: Cells) -> FrozenMap[str, int]:
    """The numbers of the rounds of the present phase and of those around it, by phase."""
    cells = program.rounds_around[state[program.phase_cell]]
    return FrozenMap({phase: state[cell] for cell, phase in cells.items()}) if cells else NOTHING


def question_of(program: Program, state: Cells) -> Question | None:
    """The pending question, whoever is asked."""
    decision = program.decision(state)
    if decision is None:
        return None
    node, player = decision.node, program.layout.seats[state[ME]]
    names, progress = question_names(node), progress_of(program, state, decision)
    return Question(player, node.duty, names, node.secretly, node.span.location, tuple(node.cites), progress)


def _question(program: Program, state: Cells, seat: int | None) -> Question | None:
    return question_of(program, state) if seat is None or seat == state[ME] else None


def _outcome(program: Program, state: Cells) -> OutcomeView:
    outcome = outcome_of(program, state)
    scores, places, teams = FrozenMap(outcome.scores), FrozenMap(outcome.places), FrozenMap(outcome.teams)
    return OutcomeView(outcome.winners, scores, outcome.reason, outcome.criteria, places, teams)


# ---------------------------------------------------------------- pieces


class SeatObserver:
    """Pieces as one seat sees them in one state; what is visible at a place is computed once."""

    def __init__(self, program: Program, state: Cells, seat: int | None) -> None:
        self.program, self.state, self.seat = program, state, seat
        self.layout = program.layout
        self.attached = program.runtime.attached
        self.written = program.notes_about
        self.sights: dict[tuple[int, int | str], frozenset[str]] = {}
        self.pieces_by_place: dict[int, tuple[PieceView, ...]] = {}

    def known(self, piece: int, place: int) -> frozenset[str]:
        """The attributes of a piece that the seat sees at a place."""
        info = self.layout.pieces[piece]
        # `seen by owner of it` differs from piece to piece; otherwise one answer holds for all pieces of a type at the
        # place.
        by_piece = self.program.visibility_depends_on_piece(self.layout.places[place].zone)
        key = (place, piece if by_piece else info.type)
        if key not in self.sights:
            self.sights[key] = known_attributes(self.program, self.state, self.seat, piece, place)
        return self.sights[key]

    def piece(self, piece: int, place: int, under: frozenset[int] = frozenset()) -> PieceView:
        """A piece at a place, with its notes and what is attached to it; `under` are the pieces it is attached to."""
        alone = self._alone(piece, self.known(piece, place))
        attached = self._attached(piece, under | {piece}) if self.attached[piece] else NOTHING
        notes = self._notes(piece) if self.written[piece] else NOTHING
        if not attached and not notes:
            return alone
        return PieceView(alone.type, alone.name, alone.attributes, alone.owner, alone.hidden, attached, notes)

    def _alone(self, piece: int, visible: frozenset[str]) -> PieceView:
        """A piece without notes and attached pieces, which looks the same in every state."""
        info = self.layout.pieces[piece]
        views, key = _views_of_pieces(self.program), (info.kind, visible)
        view = views.get(key)
        if view is None:
            types = self.program.model.pieces[info.type].attributes
            attributes: dict[str, AttributeValue] = {
                name: attribute_value(self.layout, types[name], value) if name in visible else HIDDEN
                for name, value in info.attributes.items()
            }
            seats = (attributes[name] for name, type_ in types.items() if bare(type_) == PLAYER and name in visible)
            owner = next((str(seat) for seat in seats), None)
            name, hidden = name_by_attributes(self.program, piece, visible), len(visible) < len(attributes)
            view = views[key] = PieceView(info.type, name, FrozenMap(attributes), owner, hidden, NOTHING, NOTHING)
        return view

    def _attached(self, piece: int, under: frozenset[int]) -> FrozenMap[str, tuple[PieceView, ...]]:
        """The pieces that lie on a piece, by zone; pieces that lie on one another in a cycle are shown once."""
        contents: list[tuple[str, str, tuple[PieceView, ...]]] = []
        for mask, number, plain in self.attached[piece]:
            if self.state[mask] != plain:
                place = self.layout.places[number]
                index = self.program.model.zones[place.zone].index
                name = self._about(place.zone, index, place.index, piece)
                contents.append((place.zone, name, self.pieces(number, under)))
        attached: dict[str, tuple[PieceView, ...]] = {}
        for _, name, pieces in self._in_order(contents, list(self.program.model.zones)):
            attached[name] = attached.get(name, ()) + pieces
        return FrozenMap(attached)

    def _notes(self, piece: int) -> FrozenMap[str, Value | Together]:
        """The notes about a piece as far as the seat may know them, by name."""
        contents = [
            (name, self._about(name, self.program.model.notes[name].index, slot, piece), _note(self, name, cell))
            for name, cell, slot in self.written[piece]
            if note_seen(self.program, self.state, self.seat, name, slot)
        ]
        values_by_note: dict[str, list[Value]] = {}
        for _, name, content in self._in_order(contents, list(self.program.model.notes)):
            values_by_note.setdefault(name, []).append(content)
        return FrozenMap(
            {
                name: values[0] if len(values) == 1 else Together(tuple(values))
                for name, values in values_by_note.items()
            }
        )

    def _in_order(self, entries: list[tuple[str, str, T]], declared: list[str]) -> list[tuple[str, str, T]]:
        """Zones on a piece or notes about it in declared order, those of one name by what the seat sees of them."""
        if len(entries) < 2:
            return entries
        return sorted(entries, key=lambda entry: (declared.index(entry[0]), entry[1], str(entry[2])))

    def _about(self, name: str, types: Sequence[Type], slot: Sequence[int], piece: int) -> str:
        """The name of a zone or note, with its index except for the piece."""
        rest = [
            (type_, value)
            for type_, value in zip(types, slot, strict=True)
            if value != piece or not isinstance(type_, PieceType)
        ]
        return slot_words(
            self.program, self.state, name, [type_ for type_, _ in rest], [value for _, value in rest], self.seat
        )

    def pieces(self, place: int, under: frozenset[int] = frozenset()) -> tuple[PieceView, ...]:
        """The pieces at a place: rows from the left, stacks from the top, others as they are listed for the seat."""
        if under:
            return self.pieces_at(place, under)
        if place not in self.pieces_by_place:
            self.pieces_by_place[place] = self.pieces_at(place, under)
        return self.pieces_by_place[place]

    def pieces_at(self, place: int, under: frozenset[int] = frozenset()) -> tuple[PieceView, ...]:
        """The pieces at a place, as they are in the state."""
        pieces = self.program.contents(self.state, place)
        if self.layout.places[place].order or len(pieces) < 2:
            return tuple(self.piece(piece, place, under) for piece in pieces if piece not in under)
        if not any(self.attached[piece] or self.written[piece] for piece in pieces):
            # At one place, they differ in nothing but what is seen of them.
            known = [(piece, self.known(piece, place)) for piece in pieces]
            return in_listed_order((look(self.program, piece, seen), self._alone(piece, seen)) for piece, seen in known)
        return self.heap(((piece, place) for piece in pieces), under)

    def heap(self, pieces: Iterable[tuple[int, int]], under: frozenset[int] = frozenset()) -> tuple[PieceView, ...]:
        """Pieces, each with its place, in the order in which they are listed for the seat."""
        return in_listed_order(
            (standing(self.program, self.state, self.seat, piece), self.piece(piece, place, under))
            for piece, place in pieces
            if piece not in under
        )


def in_listed_order(entries: Iterable[tuple[Standing, T]]) -> tuple[T, ...]:
    """Views sorted by sort key; ties are broken by the displayed text.

    Two pieces have the same key if the seat sees no difference between them, yet their views can differ in what lies on
    them. Left in the order of their numbers, these would tell apart pieces that nobody can.
    """
    # INVARIANT: the result depends on keys and views alone, so it is the same in every state that the seat cannot tell
    # from this one.
    ranked = sorted(entries, key=_standing)
    if all(previous[0] != following[0] for previous, following in pairwise(ranked)):
        return tuple(view for _, view in ranked)
    groups: list[T] = []
    for _, group in groupby(ranked, key=_standing):
        tied = [view for _, view in group]
        # Views of alike pieces are one object (`_alone`), so sorting by text, which is slow, is rarely needed.
        if any(view is not tied[0] for view in tied):
            tied.sort(key=str)
        groups += tied
    return tuple(groups)


def _standing(entry: tuple[Standing, object]) -> Standing:
    return entry[0]


def _zones(observer: SeatObserver, part: Remember) -> dict[str, ZoneView]:
    program, state = observer.program, observer.state
    zones: dict[str, ZoneView] = {}
    for place, name in program.places_about_no_piece:
        zones[name] = part(("zone", place.number), state, state, partial(_zone, place))
    return zones


def _zone(place: Place, observer: SeatObserver, state: Cells) -> ZoneView:
    return ZoneView(state[place.mask].bit_count(), cast("Order", place.shape), observer.pieces(place.number))


def _notes(observer: SeatObserver, part: Remember) -> dict[str, NoteValue]:
    program, state = observer.program, observer.state
    notes: dict[str, NoteValue] = {}
    for cell, (name, slot) in program.layout.notes_of_cell.items():
        if name in program.notes_about_pieces:
            continue  # shown with the piece it is about
        notes[program.layout.cell_name(cell)] = part(
            ("note", cell), state, state, partial(_note_if_seen, name, cell, slot)
        )
    return notes


def _note_if_seen(name: str, cell: int, slot: tuple[int, ...], observer: SeatObserver, state: Cells) -> NoteValue:
    return _note(observer, name, cell) if note_seen(observer.program, state, observer.seat, name, slot) else HIDDEN


def _note(observer: SeatObserver, name: str, cell: int) -> Value:
    """The content of a note or die."""
    program = observer.program
    symbol = program.model.notes.get(name) or program.model.dice[name]
    assert symbol.type is not None
    return plain_value(program, observer.state, symbol.type, observer.state[NoteCell(cell)], observer.seat)


# ---------------------------------------------------------------- tables


def _tables(observer: SeatObserver, part: Remember) -> tuple[TableView, ...]:
    program, state, seat = observer.program, observer.state, observer.seat
    tables: list[TableView] = []
    for table in program.model.tables:
        is_personal = program.mentions_me(table) and not table.on_board
        is_seated = seat is not None and seat != SPECTATOR
        if is_personal and not is_seated:
            seats: Sequence[int] = range(len(program.layout.seats))
        else:
            seats = [seat if is_seated and seat is not None else state[ME]]
        for viewer in seats:
            mine = Cells(state)
            mine[ME] = viewer
            if seat == SPECTATOR and program.mentions_me(table):
                tables += _as_spectators_see(observer, mine, table)
                continue
            title = text_words(program, mine, table.title, NO_NAMES, seat)
            if is_personal and not is_seated:
                title = _titled_for(program, title, viewer)
            tables += _drawn(observer, mine, table, title, part)
    return tuple(tables)


def _titled_for(program: Program, title: str, viewer: int) -> str:
    return f"{title}: {program.words.name(program.layout.seats[viewer])}"


def _as_spectators_see(observer: SeatObserver, mine: Cells, table: ast.Table) -> Iterator[TableView]:
    """A table that is another one for each seat, as far as it follows from what everybody sees.

    The rules may say anything in it that its own seat knows, so each value is computed from what spectators may read.
    """
    redacted = SeatVisibility(observer.program, SPECTATOR).redacted(mine)

    def afresh(key: Hashable, state: Cells, me: Cells, make: Callable[[SeatObserver, Cells], T]) -> T:
        return make(observer, me)

    try:
        title = text_words(observer.program, redacted, table.title, NO_NAMES, SPECTATOR)
        if not table.on_board:
            title = _titled_for(observer.program, title, mine[ME])
        yield from tuple(_drawn(observer, redacted, table, title, afresh))
    except HiddenValueError:
        return


def _plain_tables(zones: dict[str, ZoneView], notes: dict[str, NoteValue]) -> tuple[TableView, ...]:
    """The tables of a game that declares none: every zone that is not empty, and every note."""
    tables: list[TableView] = []
    contents: list[Row] = [
        (ValueCell(name, name), ValueCell(zone.count, str(zone.count)), PiecesCell(zone.pieces, zone.order))
        for name, zone in zones.items()
        if zone.count
    ]
    if contents:
        tables.append(TableView("Table", ("Zone", "Pieces", ""), tuple(contents)))
    if notes:
        rows = tuple((ValueCell(name, name), _note_cell(content)) for name, content in notes.items())
        tables.append(TableView("Notes", ("Note", ""), rows))
    return tuple(tables)


def _note_cell(content: NoteValue) -> ValueCell:
    if isinstance(content, tuple):
        return ValueCell(content, ", ".join(map(value_text, content)) or "-")
    return ValueCell(content, "-" if content is None else value_text(content))


def _drawn(
    observer: SeatObserver, state: Cells, table: ast.Table, title: str, part: Remember
) -> Iterator[TableView]:  # fmt: skip
    """A table; one for each copy of the board, if its rows are about places of several."""
    program, viewer = observer.program, state[ME]
    headings = tuple(program.words.text(column.heading.value) for column in table.columns)
    about = part(("table", table.number, viewer), observer.state, state, partial(_about, table, table.binders))
    rows = [
        (
            key,
            part(("row", table.number, viewer, *names.values()), observer.state, state, partial(_row, table, names)),
            names,
        )
        for key, names in about
    ]
    if any(loose_pieces(program.model, binder.domain) for binder in table.binders):
        rows.sort(key=lambda row: (row[0], str(row[1])))
    if not table.on_board:
        yield TableView(title, headings, tuple(row for _, row, _ in rows))
        return
    # A copy is drawn even if there is no row about it.
    copies = part(("copies", table.number, viewer), observer.state, state, partial(_about, table, table.binders[:-1]))
    for _, copy in copies:
        shown = [(row, names) for _, row, names in rows if copy.items() <= names.items()]
        places = [[*names.values()][-1] for _, names in shown]
        board = table_on_board(program, table, [*copy.values()], places)
        yield TableView(title, headings, tuple(row for row, _ in shown), board)


def _row(table: ast.Table, names: Names, observer: SeatObserver, state: Cells) -> Row:
    def cells() -> Iterator[Cell]:
        for column in table.columns:
            try:
                yield _cell(observer, state, column, names)
            except HiddenValueError:
                yield ValueCell(None, UNKNOWN_TEXT)

    return tuple(cells())


RowNames = Mapping[LocalSymbol, StoredValue]
"""What a row of a table is about: a value for each of its names."""


def _about(
    table: ast.Table, binders: Sequence[ast.Binder], observer: SeatObserver, state: Cells
) -> list[tuple[Standing, RowNames]]:
    """What the rows of a table are about, as far as some of its first binders say, each with its sort key."""
    about: list[tuple[Standing, RowNames]] = [((), {})]
    for binder in binders:
        symbol = observer.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        where = table.where if binder is table.binders[-1] else None
        loose = loose_pieces(observer.program.model, binder.domain)
        about = [
            ((*key, value_standing(observer.program, state, observer.seat, symbol.type, value) if loose else (number,)),
             {**names, symbol: value})
            for key, names in about
            for number, value in enumerate(_through(observer, state, binder.domain, where, symbol, names))
        ]  # fmt: skip
    return about


def _through(
    observer: SeatObserver, state: Cells, domain: ast.Expression, where: ast.Expression | None, symbol: LocalSymbol,
    names: Names,
) -> list[StoredValue]:  # fmt: skip
    """The values that a table iterates over; those of a set that is written out are in the order of the text."""
    program = observer.program
    values = program.members_of(domain, state, names)
    if isinstance(domain, ast.SetOf) and not loose_pieces(program.model, domain):
        written = [program.value_of(item, state, names) for item in domain.items]
        ranks = {value: rank for rank, value in reversed(list(enumerate(written)))}
        values = tuple(sorted(values, key=lambda value: ranks.get(value, len(ranks))))
    return [value for value in values if where is None or program.value_of(where, state, {**names, symbol: value})]


def _cell(observer: SeatObserver, state: Cells, column: ast.Column, names: Names) -> Cell:
    program = observer.program
    symbol = program.model.refers.get(column.number)
    if column.name is None or column.domain is None or not isinstance(symbol, LocalSymbol):
        return _shown(observer, state, column.value, names)
    entries: list[EachEntry] = []
    type_ = program.model.types[column.value.number]
    values = _through(observer, state, column.domain, column.where, symbol, names)
    for value in values:
        content = program.value_of(column.value, state, {**names, symbol: value})
        if isinstance(bare(symbol.type), PieceType):
            number = number_in(value)
            piece = observer.piece(number, state[program.layout.place_cells + number])
            item: PiecesCell | ValueCell = PiecesCell((piece,), "one")
        else:
            item = _value_cell(observer, state, symbol.type, value)
        entries.append(EachEntry(item, _value_cell(observer, state, type_, content)))
    if not loose_pieces(program.model, column.domain):
        return EachCell(tuple(entries))
    ranks = (value_standing(program, state, observer.seat, symbol.type, value) for value in values)
    return EachCell(in_listed_order(zip(ranks, entries, strict=True)))


def _shown(observer: SeatObserver, state: Cells, node: ast.Expression, names: Names) -> Cell:
    program = observer.program
    type_ = program.model.types[node.number]
    if isinstance(type_, Contents) and isinstance(node, ast.Name | ast.Index):
        place = program.place_of(node, state, names)
        return PiecesCell(observer.pieces(place), cast("Order", program.layout.places[place].shape))
    value = program.value_of(node, state, names)
    core = bare(type_)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        places = ((piece, state[program.layout.place_cells + piece]) for piece in bits(number_in(value)))
        return PiecesCell(observer.heap(places), "heap")
    return _value_cell(observer, state, type_, value)


def failing_part(program: Program, state: Cells, seat: int) -> ast.Column | ast.Table | None:
    """The first column in whose cells a rule fails when a seat looks, or the table if its rows do; None if none do."""
    part: ast.Column | ast.Table | None = None
    try:
        for part in _parts(SeatObserver(program, state, seat), acting_as(state, seat)):  # noqa: B007 (the one that fails)
            pass
    except PlayError:
        return part
    return None


def _judged(program: Program, state: Cells, seat: int, fault: PlayError) -> PlayError:
    """The fault of a table that a seat looks at: a PublicFaultError if every seat knows what it follows from."""
    if isinstance(fault, LimitError):
        return fault
    redacted = PublicVisibility(program).redacted(acting_as(state, seat))
    try:
        for _ in _parts(SeatObserver(program, state, SPECTATOR), redacted):
            pass
    except HiddenValueError:
        return fault
    except PlayError as public:
        return public_if_same(fault, public)
    return fault


def _parts(observer: SeatObserver, mine: Cells) -> Iterator[ast.Column | ast.Table]:
    """The tables and their columns, in the order of a view; each before it is computed."""
    for table in observer.program.model.tables:
        yield table
        text_words(observer.program, mine, table.title, NO_NAMES, observer.seat)
        for _, names in _about(table, table.binders, observer, mine):
            for column in table.columns:
                yield column
                _cell(observer, mine, column, names)


def _value_cell(observer: SeatObserver, state: Cells, type_: Type, value: StoredValue) -> ValueCell:
    """A value with its text."""
    program, seat = observer.program, observer.seat
    return ValueCell(
        plain_value(program, state, type_, value, seat), value_words(program, state, type_, value, seat, program.words)
    )
