"""What a seat may know of a state, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dsl import ast
from dsl.symbols import BuiltinSymbol, LocalSymbol
from dsl.types import Contents, PieceType, Several, bare
from interpreter.compile.layout import ME, POINT, Place
from interpreter.compile.points import OVER_POINT
from interpreter.compile.program import Program
from interpreter.outcome import outcome_of
from interpreter.runtime import Cells, bits
from interpreter.wording import acts_of, named, sees, text_words, value_words

if TYPE_CHECKING:
    from interpreter.game import Game

Data = dict[str, Any]


def view_of(game: Game, program: Program, S: Cells, seat: int | None) -> Data:
    """The view of a seat (None: of everybody): zones, notes, tables, and the question if it is its own."""
    over = S[POINT] == OVER_POINT
    outcome = outcome_of(program, S) if over else None
    return {
        "title": game.title,
        "seats": list(game.seats),
        "viewer": None if seat is None else game.seats[seat],
        "turn": game.seats[S[ME]] if S[POINT] >= 0 else None,
        "phase": None if over else list(program.model.phases)[S[program.points.phase_cell]],
        "over": over,
        "question": _question(program, S, seat),
        "zones": _zones(program, S, seat),
        "notes": _notes(program, S, seat),
        "tables": _tables(program, S, seat),
        "outcome": None if outcome is None else outcome.as_data(),
    }


def _question(program: Program, S: Cells, seat: int | None) -> Data | None:
    decision = program.decision(S)
    if decision is None or (seat is not None and seat != S[ME]):
        return None
    node = decision.node
    names = [act.name for act in acts_of(node)] if isinstance(node, ast.Decide) else [f"choose {node.name}"]
    return {
        "player": program.layout.seats[S[ME]],
        "duty": node.duty,
        "names": names,
        "secretly": node.secretly,
        "place": node.span.place,
        "cites": list(node.cites),
    }


# ---------------------------------------------------------------- pieces


def piece_data(program: Program, S: Cells, piece: int, seat: int | None, place: int) -> Data:
    """A piece as a seat sees it at a place, with what is attached to it."""
    info = program.layout.pieces[piece]
    known = {name for name in info.attributes if sees(program, S, seat, place, name)}
    types = program.model.pieces[info.sort].attributes
    attached: Data = {}
    for cell, plain in program_runtime(program, piece):
        if S[cell] != plain:
            where = _place_of_mask(program, cell)
            attached[where.zone] = pieces_data(program, S, where.number, seat)
    return {
        "type": info.sort,
        "name": named(program, piece, known),
        "attributes": {
            name: program.layout.name_of(types[name], value) if name in known else None
            for name, value in info.attributes.items()
        },
        "hidden": len(known) < len(info.attributes),
        "attached": attached,
    }


def program_runtime(program: Program, piece: int) -> tuple[tuple[int, Any], ...]:
    """The cells of what can be attached to a piece, each with the value of nothing attached."""
    found: tuple[tuple[int, Any], ...] = program.names["distinct"].__self__.attached[piece]
    return found


def _place_of_mask(program: Program, cell: int) -> Place:
    return next(place for place in program.layout.places if place.mask == cell)


def pieces_data(program: Program, S: Cells, place: int, seat: int | None) -> list[Data]:
    """The pieces at a place: rows from the left, stacks from the top, heaps in an order that tells nothing."""
    where = program.layout.places[place]
    pieces = program.names["contents"](S, place)
    found = [piece_data(program, S, piece, seat, place) for piece in pieces]
    if not where.order:
        found.sort(key=lambda data: (data["type"], data["hidden"], _values(program, data), str(data["attached"])))
    return found


def _values(program: Program, data: Data) -> list[tuple[int, str]]:
    """Sort key of a piece in a heap: its known attribute values in declared order."""
    types = program.model.pieces[data["type"]].attributes
    key: list[tuple[int, str]] = []
    for name, value in data["attributes"].items():
        members = [program.layout.name_of(types[name], m) for m in program.layout.members(types[name])]
        key.append((members.index(value), "") if value in members else (-1, ""))
    return key


def _zones(program: Program, S: Cells, seat: int | None) -> Data:
    zones: Data = {}
    for place in program.layout.places[1:]:
        index = program.model.zones[place.zone].index
        if any(isinstance(type_, PieceType) for type_ in index):
            continue
        zones[program.layout.place_name(place.number)] = {
            "count": S[place.mask].bit_count(),
            "order": place.shape,
            "pieces": pieces_data(program, S, place.number, seat),
        }
    return zones


def _notes(program: Program, S: Cells, seat: int | None) -> Data:
    notes: Data = {}
    for cell, (name, slot) in program.layout.notes_of_cell.items():
        symbol = program.model.notes.get(name)
        words = program.layout.cell_name(cell)
        if symbol is not None and not note_seen(program, S, seat, name, slot):
            notes[words] = "hidden"
            continue
        type_ = symbol.type if symbol is not None else program.model.dice[name].type
        assert type_ is not None
        core = bare(type_)
        if isinstance(core, Several):
            notes[words] = [program.layout.name_of(core.element, member) for member in bits(S[cell])]
        else:
            notes[words] = None if S[cell] is None else program.layout.name_of(type_, S[cell])
    return notes


def note_seen(program: Program, S: Cells, seat: int | None, name: str, slot: tuple[int, ...]) -> bool:
    """Whether a seat sees a note."""
    if seat is None or S[POINT] == OVER_POINT or name not in program.model.notes:
        return True
    return bool(program.names[f"see_note_{name}"](S, *slot) >> seat & 1)


# ---------------------------------------------------------------- tables


def _tables(program: Program, S: Cells, seat: int | None) -> list[Data]:
    shown: list[Data] = []
    for table in program.model.tables:
        own = any(
            isinstance(symbol := program.model.refers.get(node.number), BuiltinSymbol) and symbol.name == "me"
            for node in table.walk()
        )
        seats = range(len(program.layout.seats)) if own and seat is None else [seat if seat is not None else S[ME]]
        for viewer in seats:
            mine = list(S)
            mine[ME] = viewer
            title = text_words(program, mine, table.title, {}, {}, seat)
            if own and seat is None:
                title = f"{title}: {program.layout.seats[viewer]}"
            shown.append({"title": title, **_rows(program, mine, table, seat)})
    return shown


def _rows(program: Program, S: Cells, table: ast.Table, seat: int | None) -> Data:
    headings = [column.heading.value for column in table.columns]
    symbol = program.model.refers.get(table.number)
    if table.domain is None or not isinstance(symbol, LocalSymbol):
        return {"headings": headings, "rows": [[_cell(program, S, c, {}, {}, seat) for c in table.columns]]}
    env = {symbol: "row"}
    rows = []
    for value in _through(program, S, table.domain, table.where, symbol, {}, {}):
        rows.append([_cell(program, S, column, env, {"row": value}, seat) for column in table.columns])
    return {"headings": headings, "rows": rows}


def _through(
    program: Program, S: Cells, domain: ast.Expression, where: ast.Expression | None, symbol: LocalSymbol,
    env: dict[LocalSymbol, str], known: Data,
) -> list[Any]:  # fmt: skip
    """The values a table goes through."""
    points = program.points
    values = list(program.evaluate(f"tuple({points.loop(points.domain(domain, env))})", S, **known))
    if where is None:
        return values
    condition = points.value(where, {**env, symbol: "each"})
    return [value for value in values if program.evaluate(condition, S, **known, each=value)]


def _cell(
    program: Program, S: Cells, column: ast.Column, env: dict[LocalSymbol, str], known: Data, seat: int | None
) -> Data:
    points = program.points
    symbol = program.model.refers.get(column.number)
    if column.name is None or column.domain is None or not isinstance(symbol, LocalSymbol):
        return _shown(program, S, column.value, env, known, seat)
    entries = []
    inner = {**env, symbol: "each"}
    for value in _through(program, S, column.domain, column.where, symbol, env, known):
        number = program.evaluate(points.value(column.value, inner), S, **known, each=value)
        note = value_words(program, S, program.model.types[column.value.number], number, seat)
        if isinstance(bare(symbol.type), PieceType):
            place = S[program.layout.place_cells + value]
            item: Data = {"kind": "pieces", "pieces": [piece_data(program, S, value, seat, place)], "order": "one"}
        else:
            item = {"kind": "text", "text": program.layout.name_of(symbol.type, value)}
        entries.append({"item": item, "note": note})
    return {"kind": "each", "entries": entries}


def _shown(
    program: Program, S: Cells, node: ast.Expression, env: dict[LocalSymbol, str], known: Data, seat: int | None
) -> Data:
    type_ = program.model.types[node.number]
    if isinstance(type_, Contents) and isinstance(node, ast.Name | ast.Index):
        place = program.evaluate(program.points.place(node, env), S, **known)
        return {
            "kind": "pieces",
            "pieces": pieces_data(program, S, place, seat),
            "order": program.layout.places[place].shape,
        }
    value = program.evaluate(program.points.value(node, env), S, **known)
    if isinstance(bare(type_), Several) and isinstance(bare(type_).element, PieceType):  # type: ignore[union-attr]
        pieces = [piece_data(program, S, p, seat, S[program.layout.place_cells + p]) for p in bits(value)]
        return {"kind": "pieces", "pieces": pieces, "order": "heap"}
    return {"kind": "text", "text": value_words(program, S, type_, value, seat)}
