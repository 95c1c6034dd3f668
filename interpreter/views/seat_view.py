"""The view of a seat: everything it may know of a state, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import PLAYER, Contents, PieceType, Several, Type, bare
from interpreter.bitset import bits
from interpreter.compile.domains import loose_pieces
from interpreter.compile.points import OVER_POINT
from interpreter.explain.outcome import outcome_of
from interpreter.layout.cells import ME, POINT
from interpreter.notation.words import (
    member_words,
    name_by_attributes,
    progress_of,
    question_names,
    slot_words,
    text_words,
    value_words,
)
from interpreter.program import Program
from interpreter.runtime.primitives import Cells
from interpreter.views.board_view import board_data, table_data
from interpreter.visibility.sight import Standing, known_attributes, note_seen, standing, value_standing

Data = dict[str, Any]


def view_of(program: Program, S: Cells, seat: int | None) -> Data:
    """The view of a seat (None: everything): zones, notes, tables, and the question if it is its own."""
    observer, seats = SeatObserver(program, S, seat), program.layout.seats
    over = S[POINT] == OVER_POINT
    outcome = outcome_of(program, S) if over else None
    zones, notes = _zones(observer), _notes(observer)
    return {
        "title": program.model.file.header.title.value,
        "seats": list(seats),
        "viewer": None if seat is None else seats[seat],
        "turn": seats[S[ME]] if S[POINT] >= 0 else None,
        "phase": None if over else list(program.model.phases)[S[program.points.phase_cell]],
        "over": over,
        "question": _question(program, S, seat),
        "zones": zones,
        "notes": notes,
        "tables": _tables(observer) if program.model.tables else _plain_tables(zones, notes),
        "board": board_data(program),
        "outcome": None if outcome is None else outcome.as_data(),
    }


def _question(program: Program, S: Cells, seat: int | None) -> Data | None:
    decision = program.decision(S)
    if decision is None or (seat is not None and seat != S[ME]):
        return None
    node = decision.node
    return {
        "player": program.layout.seats[S[ME]],
        "duty": node.duty,
        "names": list(question_names(node)),
        "secretly": node.secretly,
        "place": node.span.place,
        "cites": list(node.cites),
        "so_far": progress_of(S, decision),
    }


# ---------------------------------------------------------------- pieces


class SeatObserver:
    """Pieces as one seat sees them in one state; the visible attributes at a place are computed once."""

    def __init__(self, program: Program, S: Cells, seat: int | None) -> None:
        self.program, self.S, self.seat = program, S, seat
        self.layout = program.layout
        self.attached = program.attached
        self.written = program.notes_about
        self.sights: dict[tuple[int, int | str], frozenset[str]] = {}
        self.owners: dict[str, list[str]] = {}

    def known(self, piece: int, place: int) -> frozenset[str]:
        """The attributes of a piece that the seat sees at a place."""
        info = self.layout.pieces[piece]
        by_piece = self.program.visibility_depends_on_piece(self.layout.places[place].zone)
        key = (place, piece if by_piece else info.type)
        if key not in self.sights:
            self.sights[key] = known_attributes(self.program, self.S, self.seat, piece, place)
        return self.sights[key]

    def piece(self, piece: int, place: int, under: frozenset[int] = frozenset()) -> Data:
        """A piece at a place, with its notes and what is attached to it; `under` are the pieces it is attached to."""
        info = self.layout.pieces[piece]
        known = self.known(piece, place)
        words = self.layout.attribute_words(piece)
        return {
            "type": info.type,
            "name": name_by_attributes(self.program, piece, known),
            "attributes": {name: word if name in known else None for name, word in words.items()},
            "owner": next((words[name] for name in self.seats_of(info.type) if name in known), None),
            "hidden": len(known) < len(words),
            "attached": self._attached(piece, under | {piece}),
            "notes": self._notes(piece),
        }

    def _attached(self, piece: int, under: frozenset[int]) -> dict[str, list[Data]]:
        """The pieces that lie on a piece, by zone; pieces that lie on one another in a cycle are shown once."""
        lying: list[tuple[str, str, list[Data]]] = []
        for mask, number, plain in self.attached[piece]:
            if self.S[mask] != plain:
                place = self.layout.places[number]
                index = self.program.model.zones[place.zone].index
                name = self._about(place.zone, index, place.index, piece)
                lying.append((place.zone, name, self.pieces(number, under)))
        found: dict[str, list[Data]] = {}
        for _, name, pieces in self._in_order(lying, list(self.program.model.zones)):
            found[name] = found.get(name, []) + pieces
        return found

    def _notes(self, piece: int) -> dict[str, str | list[str] | None]:
        """The notes about a piece as far as the seat may know them, by name."""
        found: dict[str, str | list[str] | None] = {}
        told = [
            (name, self._about(name, self.program.model.notes[name].index, slot, piece), _note_words(self, name, cell))
            for name, cell, slot in self.written[piece]
            if note_seen(self.program, self.S, self.seat, name, slot)
        ]
        for _, name, words in self._in_order(told, list(self.program.model.notes)):
            found[name] = words if name not in found else f"{found[name]}, {words}"
        return found

    def _in_order(self, entries: list[tuple[str, str, Any]], declared: list[str]) -> list[tuple[str, str, Any]]:
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
            self.program, self.S, name, [type_ for type_, _ in rest], [value for _, value in rest], self.seat
        )

    def seats_of(self, sort: str) -> Sequence[str]:
        """The attributes of a type of pieces that are seats."""
        if sort not in self.owners:
            types = self.program.model.pieces[sort].attributes
            self.owners[sort] = [name for name, type_ in types.items() if bare(type_) == PLAYER]
        return self.owners[sort]

    def pieces(self, place: int, under: frozenset[int] = frozenset()) -> list[Data]:
        """The pieces at a place: rows from the left, stacks from the top, others as they are listed for the seat."""
        pieces = self.program.names["contents"](self.S, place)
        if self.layout.places[place].order or len(pieces) < 2:
            return [self.piece(piece, place, under) for piece in pieces if piece not in under]
        return self.heap(((piece, place) for piece in pieces), under)

    def heap(self, pieces: Iterable[tuple[int, int]], under: frozenset[int] = frozenset()) -> list[Data]:
        """Pieces, each with its place, in the order in which they are listed for the seat."""
        found = [
            (standing(self.program, self.S, self.seat, piece), self.piece(piece, place, under))
            for piece, place in pieces
            if piece not in under
        ]
        found.sort(key=lambda entry: (entry[0], str(entry[1])))
        return [data for _, data in found]


def _zones(observer: SeatObserver) -> Data:
    program, S = observer.program, observer.S
    zones: Data = {}
    for place in program.layout.places[1:]:
        index = program.model.zones[place.zone].index
        if any(isinstance(type_, PieceType) for type_ in index):
            continue
        zones[program.layout.place_name(place.number)] = {
            "count": S[place.mask].bit_count(),
            "order": place.shape,
            "pieces": observer.pieces(place.number),
        }
    return zones


def _notes(observer: SeatObserver) -> Data:
    program, S, seat = observer.program, observer.S, observer.seat
    notes: Data = {}
    for cell, (name, slot) in program.layout.notes_of_cell.items():
        symbol = program.model.notes.get(name)
        if symbol is not None and any(isinstance(type_, PieceType) for type_ in symbol.index):
            continue  # shown with the piece it is about
        seen = note_seen(program, S, seat, name, slot)
        notes[program.layout.cell_name(cell)] = _note_words(observer, name, cell) if seen else "hidden"
    return notes


def _note_words(observer: SeatObserver, name: str, cell: int) -> str | list[str] | None:
    """Render the content of a note or die."""
    program, value = observer.program, observer.S[cell]
    symbol = program.model.notes.get(name)
    type_ = symbol.type if symbol is not None else program.model.dice[name].type
    assert type_ is not None
    core = bare(type_)
    if isinstance(core, Several):
        return member_words(program, observer.S, core.element, value, observer.seat)
    return None if value is None else value_words(program, observer.S, type_, value, observer.seat)


# ---------------------------------------------------------------- tables


def _tables(observer: SeatObserver) -> list[Data]:
    program, S, seat = observer.program, observer.S, observer.seat
    shown: list[Data] = []
    for table in program.model.tables:
        own = program.mentions_me(table) and not table.on_board
        seats = range(len(program.layout.seats)) if own and seat is None else [seat if seat is not None else S[ME]]
        for viewer in seats:
            mine = list(S)
            mine[ME] = viewer
            title = text_words(program, mine, table.title, {}, {}, seat)
            if own and seat is None:
                title = f"{title}: {program.layout.seats[viewer]}"
            shown.append({"title": title, **_rows(observer, mine, table)})
    return shown


def _plain_tables(zones: Data, notes: Data) -> list[Data]:
    """The tables of a game that declares none: every zone that is not empty, and every note."""
    shown: list[Data] = []
    lying = [
        [
            {"kind": "text", "text": name},
            {"kind": "text", "text": str(zone["count"])},
            {"kind": "pieces", "pieces": zone["pieces"], "order": zone["order"]},
        ]
        for name, zone in zones.items()
        if zone["count"]
    ]
    if lying:
        shown.append({"title": "Table", "headings": ["Zone", "Pieces", ""], "rows": lying})
    told = [
        [
            {"kind": "text", "text": name},
            {"kind": "text", "text": ", ".join(value) or "-" if isinstance(value, list) else str(value or "-")},
        ]
        for name, value in notes.items()
    ]
    if told:
        shown.append({"title": "Notes", "headings": ["Note", ""], "rows": told})
    return shown


def _rows(observer: SeatObserver, S: Cells, table: ast.Table) -> Data:
    headings = [column.heading.value for column in table.columns]
    env: dict[LocalSymbol, str] = {}
    about: list[tuple[Standing, Data]] = [((), {})]  # the sort key and the values of each row
    for place, binder in enumerate(table.binders):
        symbol = observer.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        where = table.where if binder is table.binders[-1] else None
        name, loose = f"row{place}", loose_pieces(observer.program.model, binder.domain)
        about = [
            ((*key, value_standing(observer.program, S, observer.seat, symbol.type, value) if loose else (number,)),
             {**known, name: value})
            for key, known in about
            for number, value in enumerate(_through(observer, S, binder.domain, where, symbol, env, known))
        ]  # fmt: skip
        env[symbol] = name
    found = [(key, [_cell(observer, S, column, env, known) for column in table.columns], known) for key, known in about]
    if any(loose_pieces(observer.program.model, binder.domain) for binder in table.binders):
        found.sort(key=lambda row: (row[0], str(row[1])))
    board = table_data(observer.program, table, [known["row0"] for _, _, known in found if known])
    return {"headings": headings, "rows": [row for _, row, _ in found], **({"board": board} if board else {})}


def _listed(observer: SeatObserver, S: Cells, type_: Type, values: Sequence[Any], shown: Sequence[Data]) -> list[Data]:
    """The shown data of pieces, in the order in which they are listed for the seat."""
    found = list(zip(values, shown, strict=True))
    found.sort(key=lambda entry: (value_standing(observer.program, S, observer.seat, type_, entry[0]), str(entry[1])))
    return [data for _, data in found]


def _through(
    observer: SeatObserver, S: Cells, domain: ast.Expression, where: ast.Expression | None, symbol: LocalSymbol,
    env: dict[LocalSymbol, str], known: Data,
) -> list[Any]:  # fmt: skip
    """The values that a table iterates over."""
    program = observer.program
    values = list(program.evaluate(program.text("loop", domain, env), S, **known))
    if where is None:
        return values
    condition = program.text("value", where, {**env, symbol: "each"})
    return [value for value in values if program.evaluate(condition, S, **known, each=value)]


def _cell(observer: SeatObserver, S: Cells, column: ast.Column, env: dict[LocalSymbol, str], known: Data) -> Data:
    program = observer.program
    symbol = program.model.refers.get(column.number)
    if column.name is None or column.domain is None or not isinstance(symbol, LocalSymbol):
        return _shown(observer, S, column.value, env, known)
    entries = []
    note = program.text("value", column.value, {**env, symbol: "each"})
    type_ = program.model.types[column.value.number]
    values = _through(observer, S, column.domain, column.where, symbol, env, known)
    for value in values:
        number = program.evaluate(note, S, **known, each=value)
        if isinstance(bare(symbol.type), PieceType):
            piece = observer.piece(value, S[program.layout.place_cells + value])
            item: Data = {"kind": "pieces", "pieces": [piece], "order": "one"}
        else:
            item = {"kind": "text", "text": value_words(program, S, symbol.type, value, observer.seat)}
        entries.append({"item": item, "note": value_words(program, S, type_, number, observer.seat)})
    if loose_pieces(program.model, column.domain):
        entries = _listed(observer, S, symbol.type, values, entries)
    return {"kind": "each", "entries": entries}


def _shown(observer: SeatObserver, S: Cells, node: ast.Expression, env: dict[LocalSymbol, str], known: Data) -> Data:
    program = observer.program
    type_ = program.model.types[node.number]
    if isinstance(type_, Contents) and isinstance(node, ast.Name | ast.Index):
        place = program.evaluate(program.text("place", node, env), S, **known)
        return {"kind": "pieces", "pieces": observer.pieces(place), "order": program.layout.places[place].shape}
    value = program.evaluate(program.text("value", node, env), S, **known)
    core = bare(type_)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        lying = ((piece, S[program.layout.place_cells + piece]) for piece in bits(value))
        return {"kind": "pieces", "pieces": observer.heap(lying), "order": "heap"}
    return {"kind": "text", "text": value_words(program, S, type_, value, observer.seat)}
