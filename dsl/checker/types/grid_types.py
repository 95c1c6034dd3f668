"""Types whose places need no file: `grid(8, 8)`, `hexes(n, n)`, `plane(15)`, `track(40)`; and their links.

    option size: 3..5 = 4
    type Cell from grid(size, size)            a1 … e5
    type Pit from ring(2 * size + 2)           1 … 12
    type Side from beside(Cell)                the edges between neighbours
    type Border from borders(Cell)             the same, drawn as what lies between them
    type Way from directions(Cell)             north, east …
    type Block from blocks(Cell, 2, 2)         the blocks of 2 by 2 places: a1_b2 …

A size that an option or the number of players decides is a choice, like an alternative of a board: there is a grid for
each, and the type has the places of all of them. `MAX_CHOICES` limits what two such sizes multiply to. The places of
the largest grid are declared first, and those of the smaller ones are among them, so that the order of the values is
that of the largest grid.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import add, mul, sub

from dsl import ast
from dsl.boards import Entry
from dsl.boards.grids import BLOCKS, EDGES, FORMS, MAX_LETTERED_COLUMNS, Grid
from dsl.checker.context import Context, near, spelt
from dsl.checker.names.declarations import declarations
from dsl.checker.types.board_types import Choice, every_choice, type_of_entries
from dsl.checker.types.type_declarations import MAX_MEMBER
from dsl.diagnostics import Cause
from dsl.symbols import BuiltinSymbol, ConstantSymbol, OptionSymbol, TypeSymbol
from dsl.text.span import Span
from dsl.types import Listed, Number, Several, Type, bare

MAX_CHOICES = 64
SIZE_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}
LINKED = (*EDGES, "directions")
SOURCES = (*FORMS, *LINKED, BLOCKS)
LETTERED = ("grid", "hexes", "hexagon")
"""The forms whose columns are named by letters."""

OF_FORMS = f"of a type from {', '.join(f'`{form}`' for form in list(FORMS)[:-1])} or `{list(FORMS)[-1]}`"
WRITTEN = {
    "grid": "`grid(columns, rows)`",
    "hexes": "`hexes(columns, rows)`",
    "hexagon": "`hexagon(side)`",
    "plane": "`plane(steps)`, how far it reaches from its middle",
    "track": "`track(places)`",
    "ring": "`ring(places)`",
    "beside": f"`beside(Cell)`, {OF_FORMS}",
    "around": f"`around(Cell)`, {OF_FORMS}",
    "borders": f"`borders(Cell)`, {OF_FORMS}",
    "directions": f"`directions(Cell)`, {OF_FORMS}",
    BLOCKS: "`blocks(Cell, columns, rows)`, of a type from `grid`",
}


def _refused(
    context: Context,
    where: ast.Node | Span,
    message: str,
    helps: Sequence[str] = (),
    proposals: Sequence[str] = (),
    code: str = "E0758",
    cause: Cause | None = None,
) -> None:
    context.error(code, message, where, helps, proposals=proposals, causes=[cause])
    context.lacking = True


# ---------------------------------------------------------------- sizes


def sizes(context: Context, nodes: Sequence[ast.TypeBoard]) -> None:
    """Record what determines the sizes of grids: options and rows of `by players` select them like alternatives."""
    for node in nodes:
        for name in names_in_sizes(node.source):
            key = f".{name.name}"
            if key not in context.sizes:
                values = _values(context, name)
                if values is None:
                    continue
                context.sizes[key] = values
                context.model.chosen[key] = name
            context.size_names.append(name)
    if len(every_choice(context)) > MAX_CHOICES:
        first = next(name for node in nodes for name in names_in_sizes(node.source))
        _refused(context, first, f"the board has more than {MAX_CHOICES} sizes", ["use smaller ranges"])
        for key in context.sizes:
            context.sizes[key] = context.sizes[key][:1]


def _values(context: Context, node: ast.Name) -> tuple[int, ...] | None:
    """Numbers that an option, or a row of `by players`, can stand for; None, with a diagnostic, if it is neither."""
    numbers: list[int] = []
    for declared in declarations(context.model.file):
        if isinstance(declared, ast.Option) and declared.name == node.name:
            atoms = declared.type.members
            if len(atoms) == 1 and isinstance(atoms[0], ast.TypeRange):
                numbers = list(range(atoms[0].low, min(atoms[0].high, atoms[0].low + 999) + 1))
        elif isinstance(declared, ast.ByPlayers):
            rows = [row for row in declared.rows if row.key == node.name]
            numbers += [cell for row in rows for cell in row.cells if isinstance(cell, int)]
    if numbers:
        return tuple(dict.fromkeys(numbers))
    options = [declared.name for declared in context.model.file.options if declared.name != node.name]
    proposals = near(node.name, options)
    helps = [] if proposals else ["use an option with a range, `option size: 3..19 = 11`, or a row of `by players`"]
    message, cause = f"`{node.name}` is not a number fixed before the game", Cause("unknown", node.name)
    context.error("E0758", message, node, helps, proposals=proposals, causes=[cause])
    context.lacking = True
    return None


def size_names(context: Context) -> None:
    """Resolve the names of sizes, once options are known."""
    for node in context.size_names:
        symbol = context.globals.get(node.name)
        if isinstance(symbol, OptionSymbol | ConstantSymbol):
            context.model.refers[node.number] = symbol
            context.used.add(symbol.node.number if symbol.node else 0)


def names_in_sizes(source: ast.BoardSource) -> Iterator[ast.Name]:
    """The options and rows of `by players` in the sizes of a grid."""
    sizes_of_places = source.path if source.function in FORMS else source.path[1:] if source.function == BLOCKS else ()
    for size in sizes_of_places:
        for part in size.walk() if isinstance(size, ast.Node) else ():
            if isinstance(part, ast.Name):
                yield part


def _size(context: Context, node: ast.TypeBoard, part: str | ast.Expression, choice: Choice) -> int | None:
    match part:
        case ast.Number():
            return part.value
        case ast.Name():
            chosen = dict(zip(context.model.chosen, choice, strict=True))
            return int(chosen[f".{part.name}"]) if f".{part.name}" in chosen else None
        case ast.Arithmetic(operator="+" | "-" | "*"):
            left, right = (_size(context, node, side, choice) for side in (part.left, part.right))
            return None if left is None or right is None else SIZE_OPERATIONS[part.operator](left, right)
        case _:
            where = part if isinstance(part, ast.Node) else node.source
            message = "expected a number, an option, a row of `by players`, or a sum or product of these as the size"
            _refused(context, where, message)
            return None


# ---------------------------------------------------------------- types


def grid_types(context: Context, nodes: Sequence[ast.TypeBoard]) -> None:
    """Declare the types of places first, then those of their blocks, then those of the links of either."""
    for node in nodes:
        if node.source.function in FORMS:
            _places_type(context, node)
    for node in nodes:
        if node.source.function == BLOCKS:
            _blocks_type(context, node)
    for node in nodes:
        if node.source.function in LINKED:
            _links_type(context, node)
        elif node.source.function not in (*FORMS, BLOCKS):
            name = str(node.source.function)
            proposals = near(name, SOURCES)
            helps = [] if proposals else [f"use one of {', '.join(SOURCES)}"]
            _refused(context, spelt(node.source, name), f"there is no board `{name}`", helps, proposals)
            type_of_entries(context, node, {})


def _places_type(context: Context, node: ast.TypeBoard) -> None:
    form = str(node.source.function)
    grids: dict[Choice, Grid] = {}
    if len(node.source.path) != len(FORMS[form].sizes):
        _refused(context, node.source, f"`{form}` takes {_sizes(FORMS[form].sizes)}", [f"write {WRITTEN[form]}"])
    else:
        for choice in every_choice(context):
            lengths_or_none = [_size(context, node, part, choice) for part in node.source.path]
            lengths = [length for length in lengths_or_none if length is not None]
            if len(lengths) < len(lengths_or_none) or not _possible(context, node, form, lengths):
                break
            grids[choice] = Grid.of(form, *lengths)
        else:
            if (holes := _holes(context, node, grids.values())) is not None:
                grids = {choice: replace(grid, holes=holes) for choice, grid in grids.items()}
                context.model.grids[node.name] = grids
    _lattice_type(context, node)


def _lattice_type(context: Context, node: ast.TypeBoard) -> TypeSymbol:
    """Declare the type of the places of a grid, which the model has unless it was refused."""
    declared_grids = context.model.grids.get(node.name, {})
    symbol = _type(context, node, {choice: grid.places(node.name) for choice, grid in declared_grids.items()})
    # Places of a track or ring are numbers: their own value is their only coordinate.
    if declared_grids and not next(iter(declared_grids.values())).numbered:
        for axis, column in enumerate(("column", "row")):
            values = [grid.coordinates(place)[axis] for grid in declared_grids.values() for place in range(len(grid))]
            _column(context, symbol, column, Number(min(values), max(values)))
    return symbol


def _blocks_type(context: Context, node: ast.TypeBoard) -> None:
    """Declare `blocks(Cell, columns, rows)`: a grid, each of whose places has `places` of the other one."""
    target = _target(context, node, 3, ("grid",))
    name = "" if target is None else target.name
    grids, blocks_by_choice = context.model.grids.get(name, {}), dict[Choice, Grid]()
    for choice, grid in grids.items():
        wide, high = (_size(context, node, part, choice) for part in node.source.path[1:])
        if wide is None or high is None:
            break
        if wide < 1 or high < 1 or grid.columns % wide or grid.rows % high:
            size = f"{grid.columns} columns and {grid.rows} rows"
            message = f"`{name}` has {size}, which cannot be divided into blocks of {wide} by {high}"
            _refused(context, node.source, message)
            break
        blocks_by_choice[choice] = grid.blocks(wide, high)
    if blocks_by_choice and len(blocks_by_choice) == len(grids):
        context.model.grids[node.name] = blocks_by_choice
    symbol = _lattice_type(context, node)
    if target is not None and node.name in context.model.grids:
        symbol.attributes["places"] = Several(target.type)
        for choice, rows in symbol.rows.items():
            blocks = blocks_by_choice[choice]
            rows.cells["places"] = tuple(blocks.within(grids[choice], block) for block in blocks.cells)


def _named_in(hole: ast.Hole, grid: Grid) -> list[str]:
    """The places of a grid that a hole names, those of a rectangle only as far as they are there."""
    match hole:
        case ast.Name(name=name):
            return [name]
        case ast.Number():
            return [str(int(hole.span.text))]
        case ast.Range():
            return [str(number) for number in hole.numbers or ()]
        case ast.Rectangle():
            corners = [grid.cell_named(corner.name) for corner in (hole.first, hole.last)]
            if None in corners:
                return [hole.first.name, hole.last.name]
            (left, right), (low, high) = (sorted(axis) for axis in zip(*filter(None, corners), strict=True))
            return [
                name for name, (column, row) in zip(grid.names, grid.cells, strict=True)
                if left <= column <= right and low <= row <= high
            ]  # fmt: skip


def _holes(context: Context, node: ast.TypeBoard, grids: Collection[Grid]) -> frozenset[str] | None:
    """The places that are left out; None unless each is one of a grid, named once, and places are left on each grid."""
    names, omitted = {name for grid in grids for name in grid.names}, set[str]()
    for hole in node.source.holes:
        names_of_hole = dict.fromkeys(_named_in(hole, max(grids, key=len)))
        for name in names_of_hole:
            if name not in names:
                proposals = near(name, names)
                helps = [] if proposals else [f"its places run from `{_ends(grids)[0]}` to `{_ends(grids)[1]}`"]
                corner = next((part for part in hole.walk() if isinstance(part, ast.Name) and part.name == name), hole)
                _refused(context, corner, f"there is no place `{name}` to omit", helps, proposals)
            elif name in omitted:
                _refused(context, hole, f"`{name}` is omitted twice", ["remove one of them"])
        omitted.update(names_of_hole)
    if any(omitted.issuperset(grid.names) for grid in grids):
        _refused(context, node.source, "no place is left")
        return None
    return frozenset(omitted) if omitted <= names else None


def _ends(grids: Collection[Grid]) -> tuple[str, str]:
    """The first and last place of the largest grid."""
    names = max(grids, key=len).names
    return names[0], names[-1]


def _sizes(names: Sequence[str]) -> str:
    return "one size" if len(names) == 1 else f"{len(names)} sizes, {' and '.join(names)}"


def _possible(context: Context, node: ast.TypeBoard, form: str, lengths: Sequence[int]) -> bool:
    """True if such grids exist: sizes from 1 up, enough letters for the columns, not too many places for a type."""
    least = min(lengths)
    frame = Grid.of(form, *lengths)
    places, message = frame.columns * frame.rows, ""
    if least < 1:
        message = f"expected a size of 1 or more, found {least}"
    elif form in LETTERED and frame.columns > MAX_LETTERED_COLUMNS:
        most = (MAX_LETTERED_COLUMNS + 1) // 2 if form == "hexagon" else MAX_LETTERED_COLUMNS
        message = f"columns are named by letters: expected at most {most}, found {lengths[0]}"
    elif places > MAX_MEMBER:
        message = f"`{node.name}` would have {places} places, more than {MAX_MEMBER}"
    if message:
        _refused(context, node.source, message)
    return not message


def _target(context: Context, node: ast.TypeBoard, count: int, forms: Collection[str]) -> TypeSymbol | None:
    """The type that links or blocks are of, the first of `count` arguments; None unless it is of one of the forms."""
    what, path = str(node.source.function), node.source.path
    first = path[0] if len(path) == count and isinstance(path[0], ast.Name) else None
    target = context.model.type_symbols.get(first.name) if first is not None else None
    if target is None and first is not None:
        candidates = [name for name, symbol in context.model.type_symbols.items() if _is_form(symbol, forms)]
        message, cause = f"there is no type `{first.name}`", Cause("unknown", first.name)
        _refused(context, first, message, proposals=near(first.name, candidates), code="E0201", cause=cause)
    elif first is None or target is None or not _is_form(target, forms):
        takes = "one type of places" if count == 1 else "a type of places and 2 sizes"
        _refused(context, node.source, f"`{what}` takes {takes}", [f"write {WRITTEN[what]}"])
        return None
    else:
        context.model.refers[first.number] = target
        context.used.add(target.node.number if target.node else 0)
    return target


def _links_type(context: Context, node: ast.TypeBoard) -> None:
    """Declare `beside(Cell)`, `around(Cell)`, `borders(Cell)`, `directions(Cell)`."""
    what, target = str(node.source.function), _target(context, node, 1, (*FORMS, BLOCKS))
    grids = context.model.grids.get(target.name, {}) if target is not None else {}
    edges_by_choice: dict[Choice, tuple[Entry, ...]] = {}
    for choice, grid in grids.items():
        edges_by_choice[choice] = (
            grid.directions(node.name) if what == "directions" else grid.edges(node.name, what == "around")
        )
    most = max(map(len, edges_by_choice.values()), default=0)
    if most > MAX_MEMBER:
        helps = ["use a smaller board, or a relation: `define linked(a: Cell, b: Cell): …` in place of edges"]
        _refused(context, node.source, f"`{node.name}` would have {most} edges, more than {MAX_MEMBER}", helps)
        edges_by_choice = {}
    symbol = _type(context, node, edges_by_choice)
    if target is None or not edges_by_choice:
        return
    if what == "directions":
        context.model.directions[node.name] = target.name
        for column in next(iter(edges_by_choice.values()))[0].fields:
            _column(context, symbol, column, symbol.type if column == "opposite" else Number(-1, 1))
    else:
        symbol.attributes["ends"] = Several(target.type)
        for choice, rows in symbol.rows.items():
            numbered = grids[choice].numbered
            rows.cells["ends"] = tuple(
                tuple(int(end) if numbered else end for end in edge.ends) for edge in edges_by_choice[choice]
            )


def _are_refused_directions(context: Context, type_: Listed) -> bool:
    """True for `directions(X)` of something that has none, which is reported where it is declared."""
    symbol = context.model.type_symbols.get(type_.name)
    node = symbol.node if symbol is not None else None
    directions = isinstance(node, ast.TypeBoard) and node.source.function == "directions"
    return directions and type_.name not in context.model.directions


def _is_form(symbol: TypeSymbol, forms: Collection[str] = (*FORMS, BLOCKS)) -> bool:
    return isinstance(symbol.node, ast.TypeBoard) and symbol.node.source.function in forms


def _type(context: Context, node: ast.TypeBoard, entries_by_choice: Mapping[Choice, tuple[Entry, ...]]) -> TypeSymbol:
    """Declare the type of these entries; the names of the largest grid come first."""
    context.model.generated[node.name] = dict(entries_by_choice)
    return type_of_entries(context, node, dict(sorted(entries_by_choice.items(), key=lambda item: -len(item[1]))))


def _column(context: Context, symbol: TypeSymbol, name: str, type_: Type) -> None:
    """Add a column that every such type has, from the fields of its entries."""
    symbol.attributes[name] = type_
    for choice, rows in symbol.rows.items():
        cells = (entry.fields[name] for entry in context.model.generated[symbol.name][choice])
        rows.cells[name] = tuple(cell for cell in cells if isinstance(cell, int | str))


# ---------------------------------------------------------------- functions

STRAIGHT = frozenset({"next", "ray", "between", "lines"})
"""Functions on straight lines of places."""


def directions_of(context: Context, type_: Type) -> Type | None:
    """Type of the directions of the places of this type, if there is exactly one."""
    core = bare(type_)
    places = core.name if isinstance(core, Listed) else ""
    names = [name for name, target in context.model.directions.items() if target == places]
    return context.model.type_symbols[names[0]].type if len(names) == 1 else None


def check_straight_lines(context: Context, name: str, types: Sequence[Type], node: ast.Call) -> None:
    """Check that a function on straight lines gets places of a grid, and directions that belong to it."""
    core = bare(types[0])
    if isinstance(core, Several):
        core = bare(core.element)
    places = core.name if isinstance(core, Listed) else ""
    symbol = context.model.type_symbols.get(places)
    if places not in context.model.grids:
        if symbol is None or not _is_form(symbol):
            helps = [f"use {OF_FORMS.removeprefix('of ')}"]
            if symbol is not None and name == "next":
                helps.append(f"or, for the places that edges link, `near({node.arguments[0].span.text}, …)`")
            context.error("E0759", f"`{name}` needs straight lines, {core} has none", node, helps)
        return
    if name in ("next", "ray"):
        direction = bare(types[1])
        if isinstance(direction, Listed) and _are_refused_directions(context, direction):
            return
        if isinstance(direction, Listed) and context.model.directions.get(direction.name) != places:
            helps = [f"declare them: `type Way from directions({places})`"]
            context.error("E0759", f"expected a direction of {core}, found {direction}", node.arguments[1], helps)
    elif name == "lines" and not _fixed(context, node.arguments[1]):
        helps = ["write a number, an option or a row of `by players`"]
        context.error("E0759", "the length of lines must be fixed before the game", node.arguments[1], helps)


def _fixed(context: Context, node: ast.Expression) -> bool:
    symbol = context.model.refers.get(node.number)
    if isinstance(symbol, OptionSymbol):
        return not symbol.by_chance
    return isinstance(node, ast.Number) or (
        isinstance(symbol, ConstantSymbol) and not isinstance(symbol, BuiltinSymbol)
    )
