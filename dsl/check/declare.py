"""First checks: every declaration gets its symbol, every type its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.check.context import Context, suggest
from dsl.check.functions import FUNCTIONS
from dsl.diagnostics import Label
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    NoteSymbol,
    OptionSymbol,
    PhaseSymbol,
    PieceSymbol,
    RuleSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    WhenSymbol,
    ZoneSymbol,
)  # fmt: skip
from dsl.types import NOTHING, PLAYER, TRUTH, UNKNOWN, Listed, Maybe, Number, PieceType, Several, Type, bare

PREDECLARED: dict[str, Type | None] = {
    "me": PLAYER,
    "nobody": NOTHING,
    "none": NOTHING,
    "all": Several(PLAYER),
    "true": TRUTH,
    "false": TRUTH,
    "somebody": None,
    "empty": None,
    "random": None,
    "over": TRUTH,
    "winners": Several(PLAYER),
    "moves": Several(Number(0, 9999)),
    "player": Maybe(PLAYER),
}
EXAMPLE_NAMES = frozenset({"over", "winners", "moves", "player"})


def declarations(file: ast.GameFile) -> Iterator[ast.Declaration]:
    """Every declaration of the file in order, nested phases too."""
    yield from file.options
    for part in file.parts:
        for declaration in part.declarations:
            yield declaration
            if isinstance(declaration, ast.Phase):
                yield from nested_phases(declaration)


def nested_phases(phase: ast.Phase) -> Iterator[ast.Phase]:
    """The phases inside a phase, outer before inner."""
    for inner in phase.phases:
        yield inner
        yield from nested_phases(inner)


def collect(context: Context) -> None:
    """Give each declaration its symbol; report names declared twice."""
    model = context.model
    for name, type_ in PREDECLARED.items():
        if name not in EXAMPLE_NAMES:
            context.globals[name] = BuiltinSymbol(name, None, type_)
    for name in FUNCTIONS:
        context.globals[name] = BuiltinSymbol(name, None, None)
    header = model.file.header
    _header(context, header)
    seats = TypeSymbol("Player", header, PLAYER, header.seats)
    _add_type(context, seats, [header] * len(header.seats))
    context.globals["Truth"] = TypeSymbol("Truth", None, TRUTH, ())
    for declaration in declarations(model.file):
        _collect_one(context, declaration)
    if not model.course:
        context.error(
            "E0401", "the game has no phase", header.span, ["say how play goes round: `phase main, turns from …:`"]
        )
    if model.winner is None:
        context.error(
            "E0402", "nobody can win: there is no `winner`", header.span, ["add `winner highest …` to `== scoring ==`"]
        )


def _header(context: Context, header: ast.Header) -> None:
    if not 1 <= header.fewest <= header.most:
        context.error("E0403", f"{header.fewest} to {header.most} players is no range", header)
    if header.most > len(header.seats):
        context.error(
            "E0403", f"{header.most} players need {header.most} seats, {len(header.seats)} are named", header,
            ["name one seat a player after `players`"],
        )  # fmt: skip
    for position, seat in enumerate(header.seats):
        if seat in header.seats[:position]:
            context.error("E0202", f"the seat `{seat}` is named twice", header)


def _declare(context: Context, symbol: Symbol) -> None:
    other = context.globals.get(symbol.name)
    if other is not None and symbol.node is not None:
        if other.node is None:
            context.error("E0203", f"`{symbol.name}` is a word of the language", symbol.node, ["take another name"])
        else:
            context.error(
                "E0202", f"`{symbol.name}` is declared twice", symbol.node, ["give one of them another name"],
                [Label(other.node.span, "first here")],
            )  # fmt: skip
        return
    context.globals[symbol.name] = symbol


def _add_type(context: Context, symbol: TypeSymbol, nodes: list[ast.Header] | list[ast.Row] | list[ast.Shape]) -> None:
    if symbol.node is not None:
        _declare(context, symbol)
    context.model.type_symbols[symbol.name] = symbol
    if isinstance(symbol.type, Listed) and symbol.type.numeric:
        return
    for position, (member, node) in enumerate(zip(symbol.members, nodes, strict=False)):
        if member in symbol.members[:position] and symbol.name != "Player":
            context.error("E0202", f"`{member}` is listed twice in `{symbol.name}`", node)
        value = ValueSymbol(str(member), node, symbol.type, position)
        context.values.setdefault(str(member), []).append(value)


def _collect_one(context: Context, node: ast.Declaration) -> None:
    model = context.model
    match node:
        case ast.TypeList():
            _type_list(context, node)
        case ast.TypeTable():
            _type_table(context, node)
        case ast.ByPlayers():
            _by_players(context, node)
        case ast.Piece():
            model.pieces[node.name] = PieceSymbol(node.name, node, node)
            _declare(context, model.pieces[node.name])
        case ast.Zone():
            model.zones[node.name] = ZoneSymbol(node.name, node, node)
            _declare(context, model.zones[node.name])
        case ast.Note():
            model.notes[node.name] = NoteSymbol(node.name, node, node)
            _declare(context, model.notes[node.name])
        case ast.Option():
            _option(context, node)
        case ast.Define():
            model.defines[node.name] = DefineSymbol(node.name, node, node)
            _declare(context, model.defines[node.name])
        case ast.Action() | ast.Step():
            model.rules[node.name] = RuleSymbol(node.name, node, node)
            _declare(context, model.rules[node.name])
        case ast.When():
            model.whens.append(WhenSymbol(node.name, node, node))
        case ast.Phase():
            model.phases[node.name] = PhaseSymbol(node.name, node, node)
            _declare(context, model.phases[node.name])
        case ast.Winner():
            if model.winner is not None:
                context.error("E0202", "`winner` stands twice", node, [], [Label(model.winner.span, "first here")])
            model.winner = node
        case ast.Table():
            model.tables.append(node)
        case ast.Example():
            model.examples += (node,)
        case ast.Die():
            _die(context, node)
        case ast.Board() | ast.TypeBoard():
            later(context, node, "boards")
        case ast.Names():
            later(context, node, "names in other languages")


def later(context: Context, node: ast.Node, what: str) -> None:
    """Report a construct of the language that this version reads but does not run."""
    context.error(
        "E0901", f"{what} are not run by this version", node, ["see `What this version runs` in docs/language.md"]
    )


def _type_list(context: Context, node: ast.TypeList) -> None:
    numbers: list[int] = []
    names: list[str] = []
    for shape in node.shapes:
        if shape.arguments:
            later(context, shape, "values with arguments")
        if shape.low is not None and shape.high is not None:
            numbers += range(shape.low, shape.high + 1)
        elif shape.name is not None:
            names.append(shape.name)
    if numbers and names:
        context.error("E0301", f"`{node.name}` mixes names and numbers", node)
    members: tuple[str | int, ...] = tuple(numbers) if numbers else tuple(names)
    type_ = Listed(node.name, numeric=bool(numbers))
    _add_type(context, TypeSymbol(node.name, node, type_, members), list(node.shapes))


def _type_table(context: Context, node: ast.TypeTable) -> None:
    numeric = all(isinstance(row.key, int) for row in node.rows)
    if not numeric and any(isinstance(row.key, int) for row in node.rows):
        context.error("E0301", f"`{node.name}` mixes names and numbers", node)
    members = tuple(row.key for row in node.rows)
    symbol = TypeSymbol(
        node.name, node, Listed(node.name, numeric), members, row_cites=tuple(row.cites for row in node.rows)
    )
    for row in node.rows:
        if len(row.cells) != len(node.columns):
            context.error(
                "E0302", f"this row has {len(row.cells)} cells, the table {len(node.columns)} columns", row,
                ["columns: " + ", ".join(column.name for column in node.columns)],
            )  # fmt: skip
    for place, column in enumerate(node.columns):
        symbol.cells[column.name] = tuple(row.cells[place] for row in node.rows if place < len(row.cells))
    _add_type(context, symbol, list(node.rows))


def _by_players(context: Context, node: ast.ByPlayers) -> None:
    header = context.model.file.header
    wanted = tuple(range(header.fewest, header.most + 1))
    if node.counts != wanted:
        context.error(
            "E0404", f"the columns are not the player counts {header.fewest} to {header.most}", node,
            ["write `by players " + " ".join(map(str, wanted)) + ":`"],
        )  # fmt: skip
        return
    for row in node.rows:
        if len(row.cells) != len(wanted):
            context.error("E0302", f"this row has {len(row.cells)} cells, the table {len(wanted)} columns", row)
            continue
        if not isinstance(row.key, str):
            context.error("E0302", "a row begins with the name of what it counts", row)
            continue
        by_count = dict(zip(wanted, row.cells, strict=True))
        numbers = [cell for cell in row.cells if isinstance(cell, int)]
        if len(numbers) == len(row.cells):
            type_: Type = Number(min(numbers), max(numbers))
        elif all(cell in ("true", "false") for cell in row.cells):
            type_ = TRUTH
        else:
            context.error("E0302", "the cells must be numbers, or `true` and `false`", row)
            type_ = UNKNOWN
        _declare(context, ConstantSymbol(row.key, row, by_count, type_))


def _option(context: Context, node: ast.Option) -> None:
    members = list(node.type.members)
    words = [member.name for member in members if isinstance(member, ast.TypeName)]
    by_chance = "random" in words and len(members) == 2
    optional = "none" in words and len(members) > 1
    rest = [
        member for member in members
        if not (isinstance(member, ast.TypeName) and (member.name == "none" or (member.name == "random" and by_chance)))
    ]  # fmt: skip
    type_: Type = UNKNOWN
    values: tuple[str, ...] = ()
    if len(rest) == 1 and isinstance(rest[0], ast.TypeRange):
        type_ = Number(rest[0].low, rest[0].high)
        values = tuple(str(number) for number in range(rest[0].low, rest[0].high + 1))
    elif len(rest) == 1 and isinstance(rest[0], ast.TypeName) and rest[0].name[:1].isupper():
        known = context.model.type_symbols.get(rest[0].name)
        if rest[0].name == "Truth":
            type_, values = TRUTH, ("true", "false")
        elif known is not None:
            type_, values = known.type, tuple(str(member) for member in known.members)
        else:
            context.error(
                "E0201", f"there is no type `{rest[0].name}`", rest[0],
                suggest(rest[0].name, [*context.model.type_symbols, "Truth"])
                or ["a type used by an option is `Player`, `Truth`, a range or a list of words"],
            )  # fmt: skip
    elif all(isinstance(member, ast.TypeName) and member.name[:1].islower() for member in rest):
        names = tuple(member.name for member in rest if isinstance(member, ast.TypeName))
        type_, values = Listed(f"option {node.name}"), names
        context.model.type_symbols[type_.name] = TypeSymbol(type_.name, None, type_, names)
    else:
        context.error("E0303", f"`{node.name}` has no type an option can have", node.type)
    if optional:
        type_, values = Maybe(type_), (*values, "none")
    if by_chance:
        values = (*values, "random")
    default = word_of(node.default)
    if values and default not in values:
        context.error(
            "E0304",
            f"`{default}` is no value of the option `{node.name}`",
            node.default,
            ["values: " + ", ".join(values)],
        )
    symbol = OptionSymbol(node.name, node, node, type_, values, default, by_chance)
    context.model.options[node.name] = symbol
    _declare(context, symbol)


def word_of(node: ast.Expression) -> str:
    """The value of an option as it is said: a word or a number."""
    match node:
        case ast.Name():
            return node.name
        case ast.Number():
            return str(node.value)
    return node.span.text.strip()


def _die(context: Context, node: ast.Die) -> None:
    faces = tuple(dict.fromkeys(node.faces))
    numeric = all(face.isdigit() for face in faces)
    type_ = Listed(f"die {node.name}", numeric)
    members: tuple[str | int, ...] = tuple(int(face) for face in faces) if numeric else faces
    context.model.type_symbols[type_.name] = TypeSymbol(type_.name, None, type_, members)
    symbol = DieSymbol(node.name, node, node, type=type_)
    context.model.dice[node.name] = symbol
    _declare(context, symbol)


def cells(context: Context, table: ast.TypeTable, columns: Sequence[Type]) -> None:
    """Every cell of a table of values is of the type of its column."""
    for row in table.rows:
        for cell, type_ in zip(row.cells, columns, strict=False):
            if not _is_value(context, cell, type_):
                helps = [f"`{row.key}` is a row of `{table.name}`"]
                context.error("E0302", f"this column holds {type_}, `{cell}` is none of them", row, helps)


def _is_value(context: Context, cell: str | int, type_: Type) -> bool:
    core = bare(type_)
    match core:
        case _ if cell in ("none", "nobody"):
            return core != type_
        case Number():
            return isinstance(cell, int) and core.low <= cell <= core.high
        case Listed():
            return cell in context.model.type_symbols[core.name].members
    return core != TRUTH or cell in ("true", "false")


def type_of_union(context: Context, node: ast.TypeUnion) -> Type:
    """The type a parameter, note or result is declared with."""
    optional = False
    found: list[Type] = []
    for member in node.members:
        if isinstance(member, ast.TypeName) and member.name in ("none", "nobody"):
            optional = True
        else:
            found.append(_type_of_atom(context, member))
    if len(found) != 1:
        context.error("E0303", "a type is one type, or one type `or none`", node)
        return UNKNOWN
    return Maybe(found[0]) if optional else found[0]


def _type_of_atom(context: Context, node: ast.TypeAtom) -> Type:
    match node:
        case ast.TypeRange():
            if node.low > node.high:
                context.error("E0305", f"{node.low}..{node.high} holds no number", node)
            return Number(node.low, node.high)
        case ast.TypeSeveral():
            return Several(_type_of_atom(context, node.element))
        case ast.TypeName():
            if node.name == "Truth":
                return TRUTH
            if node.name in context.model.type_symbols:
                return context.model.type_symbols[node.name].type
            if node.name in context.model.pieces:
                return PieceType(frozenset({node.name}))
            context.error(
                "E0201", f"there is no type `{node.name}`", node,
                suggest(node.name, [*context.model.type_symbols, *context.model.pieces, "Truth"]),
            )  # fmt: skip
            return UNKNOWN
