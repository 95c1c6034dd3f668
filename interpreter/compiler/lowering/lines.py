"""Functions of places as constant tables: straight lines, and the relation of edges.

    next(c, d)         N[c][d]          none at the edge
    ray(c, d)          R[c][d]          a set of places
    between(c, e)      W[c][e]          the empty set for places that are not in line
    lines(Cell, 3)     L                a list of sets
    near(c, Edge)      near[c]          a set

On a rectangle `next` could be computed, `c + 9` and a test for the edge. Boards also have holes, hexagons and places
that the rules have left out, and a table of any of these costs the same. Passes turn steps of whole sets into shifts.

Tables are made for the board of this game, and each once, under a name that contains its types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl import ast
from dsl.boards.grids import Grid
from dsl.symbols import TypeSymbol
from dsl.types import Listed, Several, Type, bare
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Const, Data, Expr, Lookup, Op, Table
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.context import Context, Env, table
from interpreter.compiler.lowering.types import domain_of
from interpreter.compiler.lowering.values import ir_type_of, mask, needed, plain, strict, type_of
from interpreter.runtime.graphs import Adjacency

GRID_FUNCTIONS = frozenset({"next", "ray", "between", "lines"})
LINKS, JOINED = ir.Opaque("links"), ir.Opaque("neighbours")


def grid_function(ctx: Context, name: str, node: ast.Call, env: Env) -> Expr:
    """A call of a function of straight lines.

    Places and directions index the tables by their numbers; a table has none where there is no place.
    """
    arguments = node.arguments
    places = listed(type_of(ctx, arguments[0]))
    if name == "lines":
        return _lines(ctx, places, node, env)

    def call(place: Expr, second: Expr) -> Expr:
        """The value for a place, and a direction or another place."""
        if name == "between":
            return Lookup(_set_of(ctx, places), _between(ctx, places), (place, second), node)
        directions = listed(type_of(ctx, arguments[1]))
        if name == "ray":
            return Lookup(_set_of(ctx, places), _rays(ctx, places, directions), (place, second), node)
        steps = _steps(ctx, places, directions)
        if len(arguments) == 2:
            return Lookup(steps.type, steps, (place, second), node)
        count = needed(ctx, arguments[2], env)
        return Op(steps.type, "steps_on", (Data(ir.Opaque("steps"), steps), place, second, count), node)

    return strict(ctx, [plain(ctx, argument, env) for argument in arguments[:2]], call, node)


def _place(ctx: Context, places: Listed) -> ir.Type:
    """A place as a value; places may be numbers."""
    if places.numeric:
        members = ctx.layout.members(places)
        return ir.Int(min(members, default=0), max(members, default=0))
    return domain_of(ctx, places)


def _set_of(ctx: Context, places: Listed) -> ir.Set:
    type_ = _place(ctx, places)
    if isinstance(type_, ir.Ref):
        return ir.Set(type_.domain, type_.width)
    assert isinstance(type_, ir.Int)
    return ir.Set(ir.NUMBER_DOMAIN, type_.high + 1)


def _grid(ctx: Context, places: Listed) -> tuple[Grid, list[int]]:
    """The grid of this game, and the number of each place by its position there."""
    grid = ctx.model.grids[places.name][ctx.layout.choice]
    symbol = ctx.model.type_symbols[places.name]
    numbers = ctx.layout.numbers(symbol)
    by_name = {str(symbol.members[position]): number for position, number in numbers.items()}
    return grid, [by_name[name] for name in grid.names]


def _by_direction(ctx: Context, directions: Listed) -> list[tuple[int, str]]:
    symbol: TypeSymbol = ctx.model.type_symbols[directions.name]
    return [(number, str(symbol.members[position])) for position, number in ctx.layout.numbers(symbol).items()]


def _steps(ctx: Context, places: Listed, directions: Listed) -> Table:
    """Table from place and direction to the next place."""
    name = named("N", places.name, directions.name)
    if name in ctx.module.tables:
        return ctx.module.tables[name]
    grid, values = _grid(ctx, places)
    rows: dict[int, object] = {}
    for position, value in enumerate(values):
        following = {number: grid.step(position, direction) for number, direction in _by_direction(ctx, directions)}
        next_places = {number: None if reached is None else values[reached] for number, reached in following.items()}
        rows[value] = dense(next_places)
    return table(ctx, Table(name, dense(rows), ir.Opt(_place(ctx, places))))


def _rays(ctx: Context, places: Listed, directions: Listed) -> Table:
    """Table from place and direction to the set of places seen there."""
    name = named("R", places.name, directions.name)
    if name in ctx.module.tables:
        return ctx.module.tables[name]
    grid, values = _grid(ctx, places)
    rows: dict[int, object] = {}
    for position, value in enumerate(values):
        seen = {number: grid.ray(position, direction) for number, direction in _by_direction(ctx, directions)}
        rows[value] = dense({number: union(values, some) for number, some in seen.items()})
    return table(ctx, Table(name, dense(rows), _set_of(ctx, places)))


def _between(ctx: Context, places: Listed) -> Table:
    """Table from a place to a mapping from each place in line with it to the set of places between."""
    name = named("W", places.name)
    if name in ctx.module.tables:
        return ctx.module.tables[name]
    grid, values = _grid(ctx, places)
    rows: dict[int, object] = {}
    for position, value in enumerate(values):
        rows[value] = {values[end]: union(values, some) for end, some in grid.between(position).items()}
    return table(ctx, Table(name, dense(rows), _set_of(ctx, places), True, 0))


def _lines(ctx: Context, places: Listed, node: ast.Call, env: Env) -> Expr:
    """The lines of a length; for a set of places only those within it."""
    length = needed(ctx, node.arguments[1], env)
    assert isinstance(length, Const)
    name = named("L", places.name, str(length.value).replace("-", "minus"))
    type_ = ir_type_of(ctx, node)
    if name not in ctx.module.tables:
        grid, values = _grid(ctx, places)
        table(ctx, Table(name, tuple(union(values, line) for line in grid.lines(length.value)), type_))
    every = Data(type_, ctx.module.tables[name], node)
    if isinstance(ctx.model.refers.get(node.arguments[0].number), TypeSymbol):
        return every
    return Op(type_, "lines_in", (every, mask(ctx, node.arguments[0], env)), node)


def links(ctx: Context, places: ast.Expression, edges: ast.Expression) -> Data:
    """The places that each edge of a type joins."""
    to, by = listed(type_of(ctx, places)), listed(type_of(ctx, edges))
    name = named("K", by.name, to.name)
    if name not in ctx.module.tables:
        table(ctx, Table(name, _adjacency(ctx, to, by), LINKS))
    return Data(LINKS, ctx.module.tables[name])


def neighbours(ctx: Context, places: ast.Expression, edges: ast.Expression) -> Table:
    """Table from a place to its neighbours by edges of a type."""
    to, by = listed(type_of(ctx, places)), listed(type_of(ctx, edges))
    name = named("near", by.name, to.name)
    if name not in ctx.module.tables:
        joined: Adjacency = links(ctx, places, edges).table.content
        count, by_value = joined.count, joined.ends
        content = tuple(joined.neighbours((1 << count) - 1, (1 << len(by_value)) - 1))
        table(ctx, Table(name, content, _set_of(ctx, to)))
    return ctx.module.tables[name]


def _adjacency(ctx: Context, to: Listed, by: Listed) -> Adjacency:
    ends = ctx.model.links[by.name, to.name][ctx.layout.choice]
    edges, places = (ctx.layout.numbers(ctx.model.type_symbols[type_.name]) for type_ in (by, to))
    by_value: list[tuple[int, int] | None] = [None] * (1 + max(ctx.layout.members(by), default=0))
    for position, pair in enumerate(ends):
        if pair is not None:
            by_value[edges[position]] = pair if to.numeric else (places[pair[0]], places[pair[1]])
    return Adjacency(1 + max(ctx.layout.members(to), default=0), tuple(by_value))


def all_edges(ctx: Context, edges: ast.Expression) -> bool:
    """Whether the edges are all edges of their type."""
    return isinstance(edges, ast.Name) and isinstance(ctx.model.refers.get(edges.number), TypeSymbol)


def dense(cells: Mapping[int, object]) -> tuple[object, ...]:
    """A tuple with each value at the index that is its number, and None elsewhere."""
    return tuple(cells.get(number) for number in range(1 + max(cells, default=-1)))


def union(values: list[int], positions: Iterable[int]) -> int:
    """The set of the places at these positions."""
    return sum(1 << values[position] for position in positions)


def listed(type_: Type) -> Listed:
    """A listed type, or that of the members of a set."""
    core = bare(type_)
    single = core.element if isinstance(core, Several) else core
    assert isinstance(single, Listed)
    return single
