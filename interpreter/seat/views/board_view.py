"""The board of a game in a view: its places, and what the tables drawn on it can hold.

The possible content of a place follows from the types, so that a renderer can assign letters once and for all. Only of
an unframed grid it depends on the state which places are shown; everything else is computed once for a program and
shared by all views.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import cast

from dsl import ast
from dsl.boards import Board, Entry
from dsl.boards.grids import BLOCKS, EDGES, Grid, captions, window
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol
from dsl.types import Contents, Listed, PieceType, Several, Truth, Type, bare, numeric
from interpreter.engine.program import Program, once_for_program
from interpreter.runtime.cells import Cells, Content, StoredValue
from interpreter.runtime.layout import Layout
from interpreter.seat.notation.words import plain_scalar
from interpreter.seat.views.board_shape import Point, size_in_places
from interpreter.seat.views.frozen_map import FrozenMap
from interpreter.seat.views.model import (
    BlockView,
    BoardView,
    Caption,
    Column,
    EachColumn,
    LinksColumn,
    NumberColumn,
    Order,
    PieceKinds,
    PiecesColumn,
    PlaceView,
    TableOnBoard,
    TableView,
    TruthColumn,
    WordColumn,
)

UNFRAMED = (4, 2)
"""The columns and lines of a place of an unframed grid, so that the long names of columns fit."""

MAX_ACROSS, GAP_ACROSS, GAP_DOWN = 30, 3, 4
"""The greatest width of copies of a board beside each other, and the distance between boards."""

NO_TRAITS: FrozenMap[str, str] = FrozenMap()
NONE = "none"


@dataclass
class _Parts:
    """The parts of boards that depend on no state, and the latest board with the windows it shows of unframed grids.

    `contents` are the cells about the places of a type, `columns` those of a table on the board, by its number.
    """

    contents: dict[str, list[tuple[int, str, object]]] = field(default_factory=dict)
    columns: dict[int, tuple[Column, ...]] = field(default_factory=dict)
    windows: tuple[tuple[object, ...], ...] | None = None
    board: BoardView | None = None


@once_for_program
def _parts(program: Program) -> _Parts:
    return _Parts()


def board_view(program: Program, state: Cells, tables: Sequence[TableView]) -> BoardView | None:
    """The board of a game in a state, with what its tables say; None if it draws no tables on it."""
    model = program.model
    if not any(table.on_board for table in model.tables):
        return None
    choice = program.layout.choice
    unframed = {name: grids[choice] for name, grids in model.grids.items() if grids[choice].unframed}
    used_windows = {name: window(grid, _used(program, state, tables, name, grid)) for name, grid in unframed.items()}
    copies = _copies(program, tables)
    windows = (*((name, *places) for name, places in used_windows.items()), *copies.items())
    parts = _parts(program)
    if parts.windows != windows:
        parts.windows, parts.board = windows, _board(program, used_windows, copies)
    return parts.board


def _copies(program: Program, tables: Sequence[TableView]) -> dict[str, tuple[str, ...]]:
    """The copies of the board by the list of places that tables are about; the board itself is the copy of no name."""
    copies: dict[str, dict[str, None]] = {}
    for declared in program.model.tables:
        name = _list_of(program, declared)
        if name is not None and len(declared.binders) == 1:
            copies[name] = {"": None}
    for table in tables:
        if table.board is not None:
            name, copy = _copy_of(table)
            copies.setdefault(name, {})[copy] = None
    return {name: tuple(names) for name, names in copies.items()}


def _used(program: Program, state: Cells, tables: Sequence[TableView], name: str, grid: Grid) -> set[int]:
    """The places of an unframed grid with pieces, with notes that have changed, or in tables not about all places."""
    numbers = {place: number for number, place in enumerate(grid.names)}
    used = {
        numbers[place]
        for cell, place, empty in _contents(program, name) if state[cell] != empty
    }  # fmt: skip
    for table in tables:
        if table.board is not None and _copy_of(table)[0] == name and len(table.board.places) < len(grid):
            used |= {numbers[place] for place in table.board.places}
    return used


def _contents(program: Program, name: str) -> list[tuple[int, str, object]]:
    """The cells about the places of a type: of zones, and of notes that everybody sees, each with its first content."""
    contents = _parts(program).contents
    if name not in contents:
        model, layout = program.model, program.layout
        type_ = model.type_symbols[name].type
        cells: list[tuple[int, str, tuple[int, ...], Content]] = [
            (place.mask, place.zone, place.index, 0) for place in layout.places[1:]
        ]
        cells += [
            (cell, note, slot, program.initial[cell]) for cell, (note, slot) in layout.notes_of_cell.items()
            if note in model.notes and not model.notes[note].declaration.sights
        ]  # fmt: skip
        contents[name] = [
            (cell, layout.name_of(type_, value), empty)
            for cell, owner, slot, empty in cells
            for index, value in zip((model.zones.get(owner) or model.notes[owner]).index, slot, strict=True)
            if index == type_
        ]
    return contents[name]


def _board(program: Program, windows: Mapping[str, Sequence[int]], copies: Mapping[str, Sequence[str]]) -> BoardView:
    """The board, with its copies one beside the other; of unframed grids only the places that are shown."""
    model, board = program.model, program.model.board
    borders = tuple(name for name in model.generated if _function(program, name) == "borders")
    sheets = [*_grids(program, windows, copies)]
    if board is not None:
        places, borders = _places(program, board, copies), (*board.borders, *borders)
        sheets.insert(0, _Sheet(places, (), (), (), frozenset(place.list for place in places)))
    at_file = [place.at[1] for place in sheets[0].places if place.at] if board is not None else []
    drawn = _Drawn([], [], [], [], min(at_file, default=0))
    for sheet in sheets:
        names = dict.fromkeys(name for of_list in sheet.lists for name in copies.get(of_list, ()))
        drawn.add(sheet, [*names] or [""])
    borders = tuple(copied(name, copy) for name in borders for copy in copies.get(name, ("",)))
    title, unit = program.words.text(model.file.header.title.value), UNFRAMED if windows else None
    if board is not None:
        title, unit = board.name, (board.drawing[0], board.drawing[1])
    return BoardView(
        title, unit, tuple(drawn.places), tuple(drawn.captions), borders, tuple(drawn.seams), tuple(drawn.blocks)
    )


@dataclass(frozen=True)
class _Sheet:
    """Places that are drawn together, with the words beside them: those of a file, or a grid with its edges.

    `seams` are the lines between the `blocks` of a grid. A sheet of such blocks goes `beside` the list of their places.
    """

    places: tuple[PlaceView, ...]
    captions: tuple[Caption, ...]
    seams: tuple[tuple[Point, Point], ...]
    blocks: tuple[BlockView, ...]
    lists: frozenset[str]
    beside: str | None = None


@dataclass
class _Drawn:
    """What is drawn already. The next sheet begins at `below`.

    `corners` are the points to the right of the first rows, by the lists that are drawn once.
    """

    places: list[PlaceView]
    captions: list[Caption]
    seams: list[tuple[Point, Point]]
    blocks: list[BlockView]
    below: float
    corners: dict[str, Point] = field(default_factory=dict)

    def add(self, sheet: _Sheet, copies: Sequence[str]) -> None:
        """Draw a sheet below the others; blocks and several copies beside each other, as far as there is room."""
        points = [place.at for place in sheet.places if place.at is not None]
        if not points:
            self.places += sheet.places
            return
        left, top = min(x for x, _ in points), min(y for _, y in points)
        width, height = size_in_places(points)
        if len(copies) == 1:
            right, above = self.corners.get(sheet.beside or "", (MAX_ACROSS, 0))
            if right + GAP_ACROSS + width <= MAX_ACROSS:
                self._copy(sheet, copies[0], right + GAP_ACROSS - left, above - top)
                return
            self.corners.update(dict.fromkeys(sheet.lists, (left + width, self.below)))
        in_row = max(1, int((MAX_ACROSS + GAP_ACROSS) // (width + GAP_ACROSS)))
        for number, copy in enumerate(copies):
            row, column = divmod(number, in_row)
            across = column * (width + GAP_ACROSS) if len(copies) > 1 else 0
            down = self.below - top + row * (height + GAP_DOWN)
            self._copy(sheet, copy, across, down)
            if copy:
                highest = min((caption.at[1] for caption in sheet.captions), default=top)
                self.captions.append(Caption(copy, (left + width - 1 + across, min(top, highest) - 1 + down)))
        self.below = max(place.at[1] for place in self.places if place.at is not None) + GAP_DOWN

    def _copy(self, sheet: _Sheet, copy: str, across: float, down: float) -> None:
        places = sheet.places
        if copy:  # edges follow their ends, and faces their edges, so that each refers to those of its copy
            places = tuple(sorted(places, key=lambda place: (bool(place.edges), bool(place.ends))))

        def moved(point: Point) -> Point:
            return point[0] + across, point[1] + down

        for place in places:
            at = None if place.at is None else moved(place.at)
            self.places.append(replace(place, list=copied(place.list, copy), at=at))
        self.captions += [replace(word, at=moved(word.at)) for word in sheet.captions]
        self.seams += [(moved(start), moved(end)) for start, end in sheet.seams]
        self.blocks += [
            replace(block, list=copied(block.list, copy), start=moved(block.start), end=moved(block.end))
            for block in sheet.blocks
        ]


def _function(program: Program, name: str) -> str | None:
    """What the values of a generated type are taken from: `grid`, `beside`."""
    node = program.model.type_symbols[name].node
    return node.source.function if isinstance(node, ast.TypeBoard) else None


def _grids(program: Program, windows: Mapping[str, Sequence[int]], drawn: Collection[str]) -> Iterator[_Sheet]:
    """The boards without a file that a table is about, each with its edges."""
    model, choice = program.model, program.layout.choice
    for name, grids in model.grids.items():
        grid = grids[choice]
        linked = [edges for edges in _types_of(program, name, *EDGES) if edges in drawn]
        if name not in drawn and not linked:
            continue
        entries, seen = grid.places(name), windows.get(name, range(len(grid)))
        words = tuple(Caption(text, at) for text, at in captions(grid, seen))
        ids = {entries[place].id for place in seen}
        edges = [edge for of_type in linked for edge in model.generated[of_type][choice] if ids.issuperset(edge.ends)]
        divisions = {blocks: model.grids[blocks][choice] for blocks in _types_of(program, name, BLOCKS)}
        blocks = [
            BlockView(of_type, block, division.within(grid, division.cells[number]), *division.corners(number))
            for of_type, division in divisions.items()
            for number, block in enumerate(division.names)
        ]
        seams = [seam for division in divisions.values() for seam in division.seams()]
        yield _Sheet(
            tuple(_place(entry) for entry in (*(entries[place] for place in seen), *edges)), words, tuple(seams),
            tuple(blocks), frozenset((name, *linked)), _beside(program, name, grid),
        )  # fmt: skip


def _beside(program: Program, name: str, grid: Grid) -> str | None:
    """The grid beside which that of its blocks is drawn, unless it is so high that a seam would run through it."""
    node = program.model.type_symbols[name].node
    path = node.source.path if isinstance(node, ast.TypeBoard) else ()
    is_low = grid.block is not None and grid.rows <= grid.block[1]
    return path[0].name if is_low and isinstance(path[0], ast.Name) else None


def _types_of(program: Program, name: str, *functions: str) -> Iterator[str]:
    """The types that are made from a grid by one of the functions: `beside(Cell)`, `blocks(Cell, 3, 3)`."""
    for made in program.model.generated:
        node = program.model.type_symbols[made].node
        source = node.source if isinstance(node, ast.TypeBoard) and node.source.function in functions else None
        if source is not None and isinstance(source.path[0], ast.Name) and source.path[0].name == name:
            yield made


def _place(entry: Entry, traits: Mapping[str, str] = NO_TRAITS) -> PlaceView:
    return PlaceView(
        ".".join(entry.path), entry.id, entry.name, entry.mark, entry.at, tuple(entry.ends), tuple(entry.edges),
        tuple(entry.parents), traits,
    )  # fmt: skip


def _places(program: Program, board: Board, tabled: Collection[str]) -> tuple[PlaceView, ...]:
    """The places of a board file, of alternatives only those of this game."""
    alternatives = dict(zip(program.model.chosen, program.layout.choice, strict=True))
    traits = _traits(program)
    bounding = {edge for entry in board.walk() for edge in entry.edges}
    return tuple(
        _place(entry, traits.get((entry.path, entry.id), NO_TRAITS))
        for entry in board.walk()
        if entry.path[0] not in board.alternatives or alternatives.get(entry.path[0]) in (entry.id, *entry.parents)
        if entry.path[0] not in board.undrawn or ".".join(entry.path) in tabled or entry.id in bounding
    )


def _traits(program: Program) -> dict[tuple[tuple[str, ...], str], FrozenMap[str, str]]:
    """The attributes of places whose value is one word, by the list and the name of the place."""
    by_member: dict[tuple[tuple[str, ...], str], dict[str, str]] = {}
    for symbol in program.model.type_symbols.values():
        if not isinstance(symbol.node, ast.TypeBoard) or not symbol.rows:
            continue
        path = tuple(part for part in symbol.node.source.path if isinstance(part, str))
        rows = symbol.rows[program.layout.choice]
        for name, type_ in symbol.attributes.items():
            if isinstance(bare(type_), Listed):
                for position, word in zip(rows.present, rows.cells[name], strict=True):
                    if word != NONE:
                        by_member.setdefault((path, str(symbol.members[position])), {})[name] = str(word)
    return {place: FrozenMap(traits) for place, traits in by_member.items()}


def table_on_board(
    program: Program, table: ast.Table, copy: Sequence[StoredValue], values: Sequence[StoredValue]
) -> TableOnBoard:
    """Where a table on the board is drawn; `values` are the places of its rows, `copy` what its copy is for."""
    symbol, name = _row(program, table), _list_of(program, table)
    assert name is not None
    columns = _parts(program).columns
    if table.number not in columns:
        columns[table.number] = tuple(_column(program, column, _row(program, table).type) for column in table.columns)
    places = tuple(program.layout.name_of(symbol.type, value) for value in values)
    owners = zip(table.binders, copy, strict=False)
    of_copy = ", ".join(program.layout.name_of(_bound(program, binder).type, value) for binder, value in owners)
    return TableOnBoard(copied(name, of_copy), places, columns[table.number])


def copied(name: str, copy: str) -> str:
    """The name of a list of places in a copy of the board: `Spot[ann]`; that of the board itself without a copy."""
    return f"{name}[{copy}]" if copy else name


def _copy_of(table: TableView) -> tuple[str, str]:
    """The list of places of a table on the board, and the copy of the board that it is in."""
    assert table.board is not None
    name, _, copy = table.board.list.partition("[")
    return name, copy.removesuffix("]")


def _list_of(program: Program, table: ast.Table) -> str | None:
    """The list of places that a table on the board is about."""
    if not table.on_board:
        return None
    core = bare(_row(program, table).type)
    assert isinstance(core, Listed)
    places = program.model.type_symbols[core.name].node
    assert isinstance(places, ast.TypeBoard)
    return ".".join(part for part in places.source.path if isinstance(part, str)) or places.name


def _row(program: Program, table: ast.Table) -> LocalSymbol:
    """The place of each row of a table on the board: its last name."""
    return _bound(program, table.binders[-1])


def _bound(program: Program, binder: ast.Binder) -> LocalSymbol:
    symbol = program.model.refers[binder.number]
    assert isinstance(symbol, LocalSymbol)
    return symbol


def _column(program: Program, column: ast.Column, places: Type) -> Column:
    """The possible content of a column of a table that is about such places."""
    symbol = program.model.refers.get(column.number)
    if column.name is None or not isinstance(symbol, LocalSymbol):
        type_ = program.model.types[column.value.number]
        is_of_places = isinstance(type_, Several) and bare(type_.element) == bare(places)
        return LinksColumn() if is_of_places else _plain_column(program, column.value, type_)
    if isinstance(core := bare(symbol.type), PieceType):
        return EachColumn(_pieces(program.layout, core, "one"))
    return EachColumn(WordColumn(_words(program.layout, symbol.type)))


def _plain_column(program: Program, node: ast.Expression, type_: Type) -> Column:
    core = bare(type_)
    if isinstance(core, Contents) and isinstance(node, ast.Name | ast.Index):
        return _pieces(program.layout, core.pieces, cast("Order", core.shape))
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        return _pieces(program.layout, core.element, "heap")
    if isinstance(core, Truth):
        return TruthColumn()
    if numeric(core):
        return NumberColumn()
    return WordColumn(_words(program.layout, core.element if isinstance(core, Several) else core))


def _words(layout: Layout, type_: Type) -> tuple[str, ...]:
    """The names of all values of a listed type; empty for other types, whose values are not known beforehand."""
    if not isinstance(bare(type_), Listed):
        return ()
    return tuple(layout.name_of(type_, value) for value in layout.members(type_))


def _pieces(layout: Layout, pieces: PieceType, order: Order) -> PiecesColumn:
    """The types of pieces that can lie there, each with the possible values of its attributes."""
    kinds: list[PieceKinds] = []
    for piece_type, symbol in layout.model.pieces.items():
        if piece_type in pieces.piece_types:
            infos = layout.pieces[slice(*layout.piece_range[piece_type])]
            attributes = {
                name: tuple(dict.fromkeys(attribute_value(layout, type_, info.attributes[name]) for info in infos))
                for name, type_ in symbol.attributes.items()
            }
            kinds.append(PieceKinds(piece_type, FrozenMap(attributes)))
    return PiecesColumn(order, tuple(kinds))


def attribute_value(layout: Layout, type_: Type, value: int) -> bool | int | str:
    """The value of an attribute, which is never none."""
    scalar = plain_scalar(layout, type_, value)
    assert scalar is not None
    return scalar
