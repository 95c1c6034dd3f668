"""The board of a game as plain data for a view: its places, and what the tables drawn on it can hold.

Nothing here depends on the state: the possible content of a place follows from the types, so that a renderer can assign
letters once and for all.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from dsl import ast
from dsl.boards import Board, Entry
from dsl.boards.grids import Grid
from dsl.symbols import LocalSymbol
from dsl.types import Contents, Listed, PieceType, Several, Truth, Type, bare, numeric
from interpreter.layout.cells import Layout
from interpreter.program import Program

Data = dict[str, Any]


def board_data(program: Program) -> Data | None:
    """The board of a game that draws tables on it: `name`, `drawing` (text columns and lines per unit) and `places`.

    A place has the names of the lists that contain it, joined by dots, and `id`, `name`, `mark`, `at`, `ends` and
    `edges` as in the board file. Of alternatives only those of this game are included. The places are shared by all
    views and must not be changed.
    """
    model, board = program.model, program.model.board
    if not any(table.on_board for table in model.tables):
        return None
    if board is None:
        name = program.model.file.header.title.value
        return {"name": name, "drawing": None, "places": (), **_grids(program, 0)}
    chosen = tuple(zip(model.chosen, program.layout.choice, strict=True))
    places = _places(board, chosen)
    data: Data = {"name": board.name, "drawing": list(board.drawing), "places": places}
    if model.grids:
        below = 2 + max((place["at"][1] for place in places if place["at"]), default=-2)
        grids = _grids(program, below)
        data |= grids | {"places": [*places, *grids["places"]]}
    return data


def _grids(program: Program, below: float) -> Data:
    """The boards without a file, one below the other, from `below` on; edges where a table is about them."""
    model, choice = program.model, program.layout.choice
    drawn = {table["list"] for table in map(partial(_about, program), model.tables) if table}
    edges = tuple(
        entries[choice] for name, entries in model.generated.items() if name in drawn and name not in model.grids
    )
    return _drawn(tuple((name, grids[choice]) for name, grids in model.grids.items()), edges, below)


@lru_cache(maxsize=16)
def _drawn(grids: tuple[tuple[str, Grid], ...], edges: tuple[tuple[Entry, ...], ...], below: float) -> Data:
    """The places of grids and edges, and the captions beside them."""
    places: list[Data] = []
    captions: list[Data] = []
    for name, grid in grids:
        points = [grid.at(place) for place in range(len(grid))]
        captions += [{"text": text, "at": [x, y + below]} for text, (x, y) in grid.captions()]
        places += [_place(entry, below) for entry in grid.places(name)]
        below += max(y for _, y in points) + 4
    places += [_place(entry, 0) for entries in edges for entry in entries]
    return {"places": places, "captions": captions}


def _place(entry: Entry, below: float) -> Data:
    return {
        "list": ".".join(entry.path),
        "id": entry.id,
        "name": entry.name,
        "mark": entry.mark,
        "at": None if entry.at is None else [entry.at[0], entry.at[1] + below],
        "ends": list(entry.ends),
        "edges": list(entry.edges),
    }


@lru_cache(maxsize=16)
def _places(board: Board, chosen: tuple[tuple[str, str], ...]) -> list[Data]:
    taken = dict(chosen)
    return [
        _place(entry, 0)
        for entry in board.walk()
        if entry.path[0] not in board.alternatives or taken.get(entry.path[0]) in (entry.id, *entry.parents)
    ]


def table_data(program: Program, table: ast.Table, values: list[Any]) -> Data | None:
    """Where a table is drawn: its list of places, the place of each row, the possible content of the columns."""
    symbol, about = _row(program, table), _about(program, table)
    if about is None or symbol is None:
        return None
    return {
        **about,
        "places": [program.layout.name_of(symbol.type, value) for value in values],
        "columns": [_column(program, column) for column in table.columns],
    }


def _about(program: Program, table: ast.Table) -> Data | None:
    """The list of places that a table on the board is about."""
    symbol = _row(program, table)
    if not table.on_board or symbol is None:
        return None
    core = bare(symbol.type)
    assert isinstance(core, Listed)
    places = program.model.type_symbols[core.name].node
    assert isinstance(places, ast.TypeBoard)
    return {"list": ".".join(part for part in places.source.path if isinstance(part, str)) or places.name}


def _row(program: Program, table: ast.Table) -> LocalSymbol | None:
    """The subject of each row of a table, if there is exactly one."""
    symbols = [program.model.refers.get(binder.number) for binder in table.binders]
    return symbols[0] if len(symbols) == 1 and isinstance(symbols[0], LocalSymbol) else None


def _column(program: Program, column: ast.Column) -> Data:
    """The possible content of a column: `pieces`, `truth`, `number`, `word` or an entry for `each`."""
    symbol = program.model.refers.get(column.number)
    if column.name is None or not isinstance(symbol, LocalSymbol):
        return _kind(program, column.value, program.model.types[column.value.number])
    if isinstance(core := bare(symbol.type), PieceType):
        return {"kind": "each", "item": _pieces(program.layout, core, "one")}
    return {"kind": "each", "item": {"kind": "word", "words": _words(program.layout, symbol.type)}}


def _kind(program: Program, node: ast.Expression, type_: Type) -> Data:
    core = bare(type_)
    if isinstance(core, Contents) and isinstance(node, ast.Name | ast.Index):
        return _pieces(program.layout, core.pieces, core.shape)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        return _pieces(program.layout, core.element, "heap")
    if isinstance(core, Truth):
        return {"kind": "truth"}
    if numeric(core):
        return {"kind": "number"}
    return {"kind": "word", "words": _words(program.layout, core.element if isinstance(core, Several) else core)}


def _words(layout: Layout, type_: Type) -> list[str]:
    """The names of all values of a listed type; empty for other types, whose values are not known beforehand."""
    if not isinstance(bare(type_), Listed):
        return []
    return [layout.name_of(type_, value) for value in layout.members(type_)]


def _pieces(layout: Layout, pieces: PieceType, order: str) -> Data:
    """The types of pieces that can lie there, each with the possible words of its attributes."""
    sorts = []
    for sort in layout.model.pieces:
        if sort in pieces.sorts:
            attributes: dict[str, dict[str, None]] = {name: {} for name in layout.model.pieces[sort].attributes}
            for number in range(*layout.piece_range[sort]):
                for name, word in layout.attribute_words(number).items():
                    attributes[name][word] = None
            sorts.append({"type": sort, "attributes": {name: list(words) for name, words in attributes.items()}})
    return {"kind": "pieces", "order": order, "sorts": sorts}
