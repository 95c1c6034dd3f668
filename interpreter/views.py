"""What a seat may know of a state, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import PLAYER, Contents, PieceType, Several, bare
from interpreter.boards import board_data, table_data
from interpreter.compile.layout import ME, POINT
from interpreter.compile.points import OVER_POINT
from interpreter.compile.program import Program
from interpreter.masks import bits
from interpreter.outcome import outcome_of
from interpreter.runtime import Cells
from interpreter.wording import named, names_asked, note_seen, sees, so_far, text_words, value_words

Data = dict[str, Any]


def view_of(program: Program, S: Cells, seat: int | None) -> Data:
    """The view of a seat (None: of everybody): zones, notes, tables, and the question if it is its own."""
    eyes, seats = Onlooker(program, S, seat), program.layout.seats
    over = S[POINT] == OVER_POINT
    outcome = outcome_of(program, S) if over else None
    zones, notes = _zones(eyes), _notes(program, S, seat)
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
        "tables": _tables(eyes) if program.model.tables else _plain_tables(zones, notes),
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
        "names": list(names_asked(node)),
        "secretly": node.secretly,
        "place": node.span.place,
        "cites": list(node.cites),
        "so_far": so_far(S, decision),
    }


# ---------------------------------------------------------------- pieces


class Onlooker:
    """Pieces as one seat sees them in one state; what it sees at a place is worked out once."""

    def __init__(self, program: Program, S: Cells, seat: int | None) -> None:
        self.program, self.S, self.seat = program, S, seat
        self.layout = program.layout
        self.attached = program.names["distinct"].__self__.attached
        self.written = program.written_on
        self.sights: dict[tuple[int, int | str], frozenset[str]] = {}
        self.owners: dict[str, list[str]] = {}

    def known(self, piece: int, place: int) -> frozenset[str]:
        """The attributes of a piece that the seat sees at a place."""
        info = self.layout.pieces[piece]
        by_piece = self.program.told_by_piece(self.layout.places[place].zone)
        key = (place, piece if by_piece else info.sort)
        if key not in self.sights:
            seen = (name for name in info.attributes if sees(self.program, self.S, self.seat, place, name, piece))
            self.sights[key] = frozenset(seen)
        return self.sights[key]

    def piece(self, piece: int, place: int) -> Data:
        """A piece at a place, with what is attached to it."""
        info = self.layout.pieces[piece]
        known = self.known(piece, place)
        words = self.layout.attribute_words(piece)
        return {
            "type": info.sort,
            "name": named(self.program, piece, known),
            "attributes": {name: word if name in known else None for name, word in words.items()},
            "owner": next((words[name] for name in self.seats_of(info.sort) if name in known), None),
            "hidden": len(known) < len(words),
            "attached": {
                self.layout.places[number].zone: self.pieces(number)
                for mask, number, plain in self.attached[piece]
                if self.S[mask] != plain
            },
            "notes": {
                name: _note_words(self.program, self.S, name, cell)
                for name, cell, index in self.written[piece]
                if note_seen(self.program, self.S, self.seat, name, index)
            },
        }

    def seats_of(self, sort: str) -> Sequence[str]:
        """The attributes of a sort of pieces that are seats."""
        if sort not in self.owners:
            types = self.program.model.pieces[sort].attributes
            self.owners[sort] = [name for name, type_ in types.items() if bare(type_) == PLAYER]
        return self.owners[sort]

    def pieces(self, place: int) -> list[Data]:
        """The pieces at a place: rows from the left, stacks from the top, heaps in an order that tells nothing."""
        pieces = self.program.names["contents"](self.S, place)
        if self.layout.places[place].order or len(pieces) < 2:
            return [self.piece(piece, place) for piece in pieces]
        return self.heap((piece, place) for piece in pieces)

    def heap(self, pieces: Iterable[tuple[int, int]]) -> list[Data]:
        """Pieces, each with its place, in an order that tells nothing."""
        found = [(self._rank(piece, place), self.piece(piece, place)) for piece, place in pieces]
        found.sort(key=lambda entry: (entry[0], str(entry[1]["attached"])))
        return [data for _, data in found]

    def _rank(self, piece: int, place: int) -> tuple[str, bool, tuple[int, ...]]:
        """Sort key of a piece in a heap: what is known of it, in declared order."""
        info, known = self.layout.pieces[piece], self.known(piece, place)
        values = tuple(value if name in known else -1 for name, value in info.attributes.items())
        return info.sort, len(known) < len(values), values


def _zones(eyes: Onlooker) -> Data:
    program, S = eyes.program, eyes.S
    zones: Data = {}
    for place in program.layout.places[1:]:
        index = program.model.zones[place.zone].index
        if any(isinstance(type_, PieceType) for type_ in index):
            continue
        zones[program.layout.place_name(place.number)] = {
            "count": S[place.mask].bit_count(),
            "order": place.shape,
            "pieces": eyes.pieces(place.number),
        }
    return zones


def _notes(program: Program, S: Cells, seat: int | None) -> Data:
    notes: Data = {}
    for cell, (name, slot) in program.layout.notes_of_cell.items():
        symbol = program.model.notes.get(name)
        if symbol is not None and any(isinstance(type_, PieceType) for type_ in symbol.index):
            continue  # shown with the piece it is about
        seen = note_seen(program, S, seat, name, slot)
        notes[program.layout.cell_name(cell)] = _note_words(program, S, name, cell) if seen else "hidden"
    return notes


def _note_words(program: Program, S: Cells, name: str, cell: int) -> str | list[str] | None:
    """What a note or die holds, in words."""
    symbol = program.model.notes.get(name)
    type_ = symbol.type if symbol is not None else program.model.dice[name].type
    assert type_ is not None
    core = bare(type_)
    if isinstance(core, Several):
        return [program.layout.name_of(core.element, member) for member in bits(S[cell])]
    return None if S[cell] is None else program.layout.name_of(type_, S[cell])


# ---------------------------------------------------------------- tables


def _tables(eyes: Onlooker) -> list[Data]:
    program, S, seat = eyes.program, eyes.S, eyes.seat
    shown: list[Data] = []
    for table in program.model.tables:
        own = program.speaks_of_me(table) and not table.on_board
        seats = range(len(program.layout.seats)) if own and seat is None else [seat if seat is not None else S[ME]]
        for viewer in seats:
            mine = list(S)
            mine[ME] = viewer
            title = text_words(program, mine, table.title, {}, {}, seat)
            if own and seat is None:
                title = f"{title}: {program.layout.seats[viewer]}"
            shown.append({"title": title, **_rows(eyes, mine, table)})
    return shown


def _plain_tables(zones: Data, notes: Data) -> list[Data]:
    """What is shown of a game that declares no table: every zone that is not empty, and every note."""
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


def _rows(eyes: Onlooker, S: Cells, table: ast.Table) -> Data:
    headings = [column.heading.value for column in table.columns]
    env: dict[LocalSymbol, str] = {}
    about: list[Data] = [{}]
    for place, binder in enumerate(table.binders):
        symbol = eyes.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        where = table.where if binder is table.binders[-1] else None
        name = f"row{place}"
        about = [
            {**known, name: value}
            for known in about
            for value in _through(eyes, S, binder.domain, where, symbol, env, known)
        ]
        env[symbol] = name
    rows = [[_cell(eyes, S, column, env, known) for column in table.columns] for known in about]
    board = table_data(eyes.program, table, [known["row0"] for known in about if known])
    return {"headings": headings, "rows": rows, **({"board": board} if board else {})}


def _through(
    eyes: Onlooker, S: Cells, domain: ast.Expression, where: ast.Expression | None, symbol: LocalSymbol,
    env: dict[LocalSymbol, str], known: Data,
) -> list[Any]:  # fmt: skip
    """The values a table goes through."""
    program = eyes.program
    values = list(program.evaluate(program.text("loop", domain, env), S, **known))
    if where is None:
        return values
    condition = program.text("value", where, {**env, symbol: "each"})
    return [value for value in values if program.evaluate(condition, S, **known, each=value)]


def _cell(eyes: Onlooker, S: Cells, column: ast.Column, env: dict[LocalSymbol, str], known: Data) -> Data:
    program = eyes.program
    symbol = program.model.refers.get(column.number)
    if column.name is None or column.domain is None or not isinstance(symbol, LocalSymbol):
        return _shown(eyes, S, column.value, env, known)
    entries = []
    note = program.text("value", column.value, {**env, symbol: "each"})
    type_ = program.model.types[column.value.number]
    for value in _through(eyes, S, column.domain, column.where, symbol, env, known):
        number = program.evaluate(note, S, **known, each=value)
        if isinstance(bare(symbol.type), PieceType):
            piece = eyes.piece(value, S[program.layout.place_cells + value])
            item: Data = {"kind": "pieces", "pieces": [piece], "order": "one"}
        else:
            item = {"kind": "text", "text": program.layout.name_of(symbol.type, value)}
        entries.append({"item": item, "note": value_words(program, S, type_, number, eyes.seat)})
    return {"kind": "each", "entries": entries}


def _shown(eyes: Onlooker, S: Cells, node: ast.Expression, env: dict[LocalSymbol, str], known: Data) -> Data:
    program = eyes.program
    type_ = program.model.types[node.number]
    if isinstance(type_, Contents) and isinstance(node, ast.Name | ast.Index):
        place = program.evaluate(program.text("place", node, env), S, **known)
        return {"kind": "pieces", "pieces": eyes.pieces(place), "order": program.layout.places[place].shape}
    value = program.evaluate(program.text("value", node, env), S, **known)
    core = bare(type_)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        lying = ((piece, S[program.layout.place_cells + piece]) for piece in bits(value))
        return {"kind": "pieces", "pieces": eyes.heap(lying), "order": "heap"}
    return {"kind": "text", "text": value_words(program, S, type_, value, eyes.seat)}
