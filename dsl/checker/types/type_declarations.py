"""Types and their values: lists, tables, tables by players, options, dice; and type expressions.

    type Suit is red, blue                 values are names, or numbers, never both
    type Rank with worth: 1..3:            a table: each row is a value, its cells are attributes
    by players  2  3  4:                   constants, one row each, that depend on the number of seats
    die cube: red, blue, blank             faces are values of types, words of the die itself, or both
    note trump: Suit or none = none        a union with `none`; of several listed types: `Suit or Honour`

A union of listed types is a type of its own, whose values are those of its parts, in the order of the declarations. Two
parts with a common word are refused, because the word alone would not say which value it is. A cell of a table is only
text until all types are known (`columns`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, near, spelt
from dsl.checker.names.declarations import add_type, declare, word_of
from dsl.checker.names.foreign_keywords import TYPES, type_helps
from dsl.diagnostics import Cause, Label, Replacement
from dsl.symbols import ConstantSymbol, DieSymbol, OptionSymbol, TypeSymbol
from dsl.text.nouns import choice_of, counted
from dsl.text.numbers import MAX_NUMBER, whole_number
from dsl.text.span import Span

NOTHING_WORDS = frozenset({"none", "nobody"})
"""The words for no value."""

MAX_MEMBER = 4095
"""The greatest number that a set may contain; `interpreter/runtime/primitives.py` has the same."""


def type_list(context: Context, node: ast.TypeList) -> None:
    """Declare `type Section is A, B, C`."""
    numbers: list[int] = []
    names: list[str] = []
    for shape in node.shapes:
        if shape.low is not None and shape.high is not None:
            numbers += range(shape.low, min(shape.high, shape.low + MAX_MEMBER) + 1)
        elif shape.name is not None:
            names.append(shape.name)
    _listed(context, node, node.shapes, tuple(numbers), tuple(names))


def type_table(context: Context, node: ast.TypeTable) -> None:
    """Declare `type Rank with face: 1..3:` and its rows."""
    numbers = tuple(row.key for row in node.rows if isinstance(row.key, int))
    names = tuple(row.key for row in node.rows if isinstance(row.key, str))
    symbol = _listed(context, node, node.rows, numbers, names)
    symbol.row_cites = tuple(row.cites for row in node.rows)
    helps = ["columns: " + ", ".join(column.name for column in node.columns)]
    for row in node.rows:
        if len(row.cells) != len(node.columns):
            message = f"this row has {_cells(row)}, but the table has {_columns(node.columns)}"
            context.error("E0302", message, row, helps)
    seen: dict[str, ast.Node] = {}
    for index, column in enumerate(node.columns):
        if seen.setdefault(column.name, column) is not column:
            labels = [Label(seen[column.name].span, "first here")]
            context.error("E0202", f"the column `{column.name}` is declared twice", column, labels=labels)
        symbol.cells[column.name] = tuple(row.cells[index] if index < len(row.cells) else "none" for row in node.rows)


def _listed(
    context: Context, node: ast.TypeList | ast.TypeTable, nodes: tuple[ast.Node, ...],
    numbers: tuple[int, ...], names: tuple[str, ...],
) -> TypeSymbol:  # fmt: skip
    """Create the symbol of a type whose values are all names or all numbers."""
    if numbers and names:
        helps, new = ["use only names or only numbers"], None
        if isinstance(node, ast.TypeList) and all(shape.low == shape.high for shape in node.shapes):
            worded = [
                f"{node.name.lower()}_{shape.low}" if shape.name is None else shape.span.text for shape in node.shapes
            ]
            span = Span(node.span.source, node.shapes[0].span.start, node.shapes[-1].span.end)
            new = Replacement(span, ", ".join(worded))
            helps = [f"write `type {node.name} is {new.text}`"]
        context.error("E0301", f"`{node.name}` mixes names and numbers", node, helps, new=new)
    if not numbers and not names:
        context.error("E0301", f"`{node.name}` has no values", node)
    if numbers and (min(numbers) < 0 or max(numbers) > MAX_MEMBER):
        context.error("E0344", f"the numbers of a type go from 0 to {MAX_MEMBER}", node)
    if len(names) > MAX_MEMBER:
        context.error("E0338", f"`{node.name}` would have {len(names)} values, more than {MAX_MEMBER}", node)
        names = names[:1]
    members: tuple[str | int, ...] = numbers if numbers and not names else names
    places = tuple(nodes) if len(nodes) == len(members) else (node,) * len(members)
    symbol = TypeSymbol(node.name, node, ty.Listed(node.name, bool(numbers) and not names), members)
    add_type(context, symbol, places)
    return symbol


def _cells(row: ast.Row) -> str:
    return "one cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"


def _columns(columns: tuple[object, ...]) -> str:
    return "one column" if len(columns) == 1 else f"{len(columns)} columns"


def columns(context: Context, symbol: TypeSymbol) -> None:
    """Set the types of the columns of a table, and check that its cells are values of them."""
    node = symbol.node
    if not isinstance(node, ast.TypeTable):
        return
    for index, column in enumerate(node.columns):
        if column.type is None:
            context.error("E0323", "a column needs a type: `face: 1..3`", column)
            symbol.attributes[column.name] = ty.UNKNOWN
            continue
        type_ = type_of_union(context, column.type)
        if ty.element_of(type_) is not None or isinstance(ty.bare(type_), ty.PieceType):
            if type_ != ty.UNKNOWN:
                context.error("E0339", f"a column cannot contain {type_}", column)
            symbol.attributes[column.name] = ty.UNKNOWN
            continue
        for row in node.rows:
            if index < len(row.cells) and not is_value(context, row.cells[index], type_):
                message = f"`{row.cells[index]}` is not a value of `{column.name}`: expected {type_}"
                context.error("E0302", message, row, causes=[_column(column)])
        always = all(context.model.always_has(type_, cell) for cell in symbol.cells[column.name])
        symbol.attributes[column.name] = type_ if always else ty.maybe(type_)


def _column(column: ast.Parameter) -> Cause:
    """Cause of cells that are not values of their column."""
    return Cause("declared", f"{column.name}@{column.number}", column.span, "another value")


def is_value(context: Context, cell: str | int, type_: ty.Type) -> bool:
    """True if a table cell is a value of a type."""
    if cell in NOTHING_WORDS:
        return isinstance(type_, ty.Maybe)
    core = ty.bare(type_)
    if isinstance(core, ty.Number):
        return isinstance(cell, int) and core.low <= cell <= core.high
    if core == ty.TRUTH:
        return cell in ("true", "false")
    return isinstance(core, ty.Listed) and cell in context.model.type_symbols[core.name].members


def by_players(context: Context, node: ast.ByPlayers) -> None:
    """Declare constants, with one cell for each number of players."""
    header = context.model.file.header
    increasing = header.fewest > 0 and all(low < high for low, high in pairwise(header.counts))
    expected = header.counts[:100] if increasing else node.counts
    if node.counts != expected:
        message = f"expected a column for each number of players, {choice_of(expected)}"
        if len(expected) == 1:
            message = f"expected one column, for {counted(header.most, 'player')}"
        helps = ["write `by players " + " ".join(map(str, expected[:12])) + ":`"]
        context.error("E0404", message, node, helps)
    if node.counts != expected:
        counts = tuple(range(1, max(map(len, (row.cells for row in node.rows))) + 1))
    else:
        counts = node.counts
    for row in node.rows:
        if not isinstance(row.key, str):
            context.error("E0302", "expected a name at the beginning of the row", row, ["name what the row counts"])
            continue
        if len(row.cells) != len(counts):
            helps = [f"write one for each number of players: {', '.join(map(str, node.counts))}"]
            message = f"this row has {_cells(row)}, but the table has {_columns(counts)}"
            context.error("E0302", message, row, helps)
        by_count = dict(zip(expected, row.cells, strict=False))
        declare(context, ConstantSymbol(row.key, row, by_count, _type_of(context, row)))


def _type_of(context: Context, row: ast.Row) -> ty.Type:
    """Type of a row of a table by players: of its numbers, of the options it names, or the type of its words."""
    options = context.model.options
    common: ty.Type = ty.UNKNOWN
    for cell in row.cells:
        if cell in options:
            context.used.add(options[str(cell)].declaration.number)
        if isinstance(cell, int) or cell in options or cell in ("true", "false"):
            type_ = (
                ty.Number(cell, cell) if isinstance(cell, int) else options[cell].type if cell in options else ty.TRUTH
            )
            joined = ty.join(common, type_)
            if joined is None:
                helps = ["use only numbers, only `true` and `false`, or only values of one type"]
                message = f"expected {common} as in the cells before, found `{cell}`, {type_}"
                context.error("E0302", message, row, helps)
                return ty.UNKNOWN
            common = joined
    words = [str(cell) for cell in row.cells if not isinstance(cell, int) and cell not in options]
    if common == ty.UNKNOWN:
        symbols = context.model.type_symbols.values()
        owners = [symbol for symbol in symbols if symbol.node and set(words) <= set(symbol.members)]
        if len(owners) == 1:
            type_ = owners[0].type
            everywhere = type_ == ty.PLAYER or all(context.model.always_has(type_, word) for word in words)
            return type_ if everywhere else ty.maybe(type_)
        what = "are not values of one type" if not owners else "are values of several types"
        helps = ["use values of one type, or the name of an option that decides"]
        context.error("E0302", f"the cells of `{row.key}` {what}", row, helps)
        return ty.UNKNOWN
    for word in words:
        if not is_value(context, word, common):
            context.error("E0302", f"`{word}` is not a value of `{row.key}`: expected {common}", row)
            return ty.UNKNOWN
    return common


def option(context: Context, node: ast.Option) -> None:
    """Declare an option with its values in words."""
    words = [member.name for member in node.type.members if isinstance(member, ast.TypeName)]
    by_chance = "random" in words and len(node.type.members) == 2
    nothing = next((word for word in words if word in NOTHING_WORDS and len(node.type.members) > 1), None)
    omitted = {nothing, "random" if by_chance else None}
    rest = [member for member in node.type.members if not (isinstance(member, ast.TypeName) and member.name in omitted)]
    type_, values = _values(context, node, rest)
    has_values = bool(values)
    if nothing is not None:
        type_, values = ty.maybe(type_), (*values, nothing)
    if by_chance:
        values = (*values, "random")
    default = word_of(node.default)
    if has_values and default not in values:
        helps = ["values: " + ", ".join(values[:20])]
        message = f"`{default}` is not a value of the option `{node.name}`"
        context.error("E0304", message, node.default, helps, proposals=near(str(default).strip('"'), values))
    symbol = OptionSymbol(node.name, node, node, type_, values, default, by_chance)
    context.model.options.setdefault(node.name, symbol)
    declare(context, symbol)


def _values(context: Context, node: ast.Option, rest: list[ast.TypeAtom]) -> tuple[ty.Type, tuple[str, ...]]:
    """Type of an option without `none` and `random`, and its values in words."""
    first = rest[0] if len(rest) == 1 else None
    if isinstance(first, ast.TypeRange) and first.low <= first.high <= first.low + MAX_MEMBER:
        return ty.Number(first.low, first.high), tuple(str(number) for number in range(first.low, first.high + 1))
    if isinstance(first, ast.TypeName) and (first.name[:1].isupper() or first.name in context.model.type_symbols):
        type_symbol = context.model.type_symbols.get(first.name)
        if first.name == "Truth":
            return ty.TRUTH, ("true", "false")
        if type_symbol is not None:
            return type_symbol.type, tuple(str(member) for member in type_symbol.members)
        proposals = _meant(first.name, [*context.model.type_symbols, "Truth"])
        helps = [] if proposals else ["declare it, or list words: `slow or fast`"]
        message, cause = f"there is no type `{first.name}`", Cause("unknown", first.name)
        context.error("E0201", message, first, helps, proposals=proposals, causes=[cause])
        context.missing_types.add(first.name)
        if not proposals and first.name not in context.lost:
            context.forgotten_types.add(first.name)
        return ty.UNKNOWN, ()
    names = tuple(member.name for member in rest if isinstance(member, ast.TypeName))
    types = [context.model.type_symbols.get(name) for name in names]
    if len(rest) == len(names) > 1 and all(type_ is not None and type_.node is not None for type_ in types):
        joined = union(context, [type_.type for type_ in types if type_ is not None], node.type)
        words = context.model.type_symbols[joined.name].members if isinstance(joined, ty.Listed) else ()
        return joined, tuple(map(str, words))
    if rest and len(names) == len(rest) and all(name not in context.model.type_symbols for name in names):
        type_ = ty.Listed(f"option {node.name}")
        context.model.type_symbols.setdefault(type_.name, TypeSymbol(type_.name, None, type_, names))
        return type_, names
    helps = ["write `Truth`, a range, a listed type or words: `slow or fast`"]
    if isinstance(first, ast.TypeRange):
        helps = [f"the range of an option has at most {MAX_MEMBER + 1} numbers; list those that make sense in a type"]
        if first.high < first.low:
            helps = [f"write the smaller number first: `{first.high}..{first.low}`"]
    context.error("E0303", f"this cannot be the type of the option `{node.name}`", node.type, helps)
    return ty.UNKNOWN, ()


def die_type(context: Context, die: DieSymbol) -> None:
    """Type of the faces: numbers, values of one type, or words of the die only; none before the first roll."""
    faces = tuple(dict.fromkeys(die.declaration.faces))
    if all(face.isdigit() for face in faces):
        read = [whole_number(face) for face in faces]
        numbers = [MAX_MEMBER + 1 if number is None else number for number in read]
        if max(numbers) > MAX_MEMBER:
            context.error("E0344", f"the faces of a die go from 0 to {MAX_MEMBER}", die.declaration)
        die.type = ty.Maybe(ty.Number(min(numbers), max(numbers)))
        return
    declared = [symbol for symbol in context.model.type_symbols.values() if symbol.node]
    owners = [symbol for symbol in declared if set(faces) <= set(symbol.members)]
    # Faces that are all values of one type and some of another mean the one.
    exact = [symbol for symbol in owners if set(symbol.members) == set(faces)]
    if len(exact) == 1:
        owners = exact
    if len(owners) > 1:
        names = " and of ".join(f"`{symbol.name}`" for symbol in owners)
        helps = ["give the values of these types different names"]
        context.error("E0205", f"the faces of `{die.name}` are ambiguous: values of {names}", die.declaration, helps)
    if owners:
        die.type = ty.Maybe(owners[0].type)
        return
    type_ = mixed_faces(context, die, faces)
    die.type = ty.UNKNOWN if type_ == ty.UNKNOWN else ty.Maybe(type_)


def type_of_union(context: Context, node: ast.TypeUnion) -> ty.Type:
    """Type that a parameter, note or result is declared with."""
    optional = False
    members: list[ty.Type] = []
    for member in node.members:
        if isinstance(member, ast.TypeName) and member.name in NOTHING_WORDS:
            optional = True
        else:
            members.append(_type_of_atom(context, member))
    if not members:
        context.error("E0303", "expected a type besides `none`", node, ["write the type before it: `Suit or none`"])
        return ty.UNKNOWN
    type_ = union(context, members, node) if len(members) > 1 else members[0]
    return ty.maybe(type_) if optional else type_


def _type_of_atom(context: Context, node: ast.TypeAtom) -> ty.Type:
    match node:
        case ast.TypeRange():
            if node.low > node.high:
                helps = [f"write `{node.high}..{node.low}`"]
                context.error("E0305", f"the range {node.low}..{node.high} is empty", node, helps)
                return ty.UNKNOWN
            if node.high > MAX_NUMBER or node.low < -MAX_NUMBER:
                context.error("E0305", f"numbers go from -{MAX_NUMBER} to {MAX_NUMBER}", node)
                return ty.UNKNOWN
            return ty.Number(node.low, node.high)
        case ast.TypeSeveral():
            element = _type_of_atom(context, node.element)
            if isinstance(element, ty.Several):
                context.error("E0339", f"a set cannot contain {element}", node, ["write `several` only once"])
                return ty.UNKNOWN
            if isinstance(element, ty.Number) and (element.low < 0 or element.high > MAX_MEMBER):
                context.error("E0344", f"numbers in a set go from 0 to {MAX_MEMBER}, found {element}", node)
                return ty.UNKNOWN
            return ty.several(element)
        case ast.TypeName():
            if node.name == "Truth":
                return ty.TRUTH
            if node.name in context.model.type_symbols:
                return context.model.type_symbols[node.name].type
            if node.name in context.model.pieces:
                return ty.PieceType(frozenset({node.name}))
            proposals = _meant(node.name, [*context.model.type_symbols, *context.model.pieces, "Truth"])
            helps = type_helps(node.name)
            message, cause = f"there is no type `{node.name}`", Cause("unknown", node.name)
            forgotten = not proposals and node.name not in context.lost
            causes = [cause, Cause("missing", "")] if forgotten else [cause]
            context.error("E0201", message, node, helps, proposals=() if helps else proposals, causes=causes)
            context.missing_types.add(node.name)
            if forgotten:
                context.forgotten_types.add(node.name)
            return ty.UNKNOWN


def _meant(name: str, names: Iterable[str]) -> list[str]:
    return [TYPES[name]] if name in TYPES else near(name, names)


# ---------------- unions of listed types: `Suit or Honour`; dice that show values of types and words of their own


def union(context: Context, types: Sequence[ty.Type], node: ast.Node) -> ty.Type:
    """Union of these types, which must be listed and share no value name."""
    if any(isinstance(type_, ty.Unknown) for type_ in types):
        return ty.UNKNOWN
    names: set[str] = set()
    for type_ in types:
        if not isinstance(type_, ty.Listed) or type_.numeric or type_ == ty.PLAYER:
            helps = ["use one type, one type `or none`, or listed types: `Suit or Honour`"]
            message = f"only listed types can be combined, found {type_}"
            context.error("E0303", message, node, helps)
            return ty.UNKNOWN
        names |= type_.owners
    type_symbols = context.model.type_symbols
    parts = tuple(name for name in type_symbols if name in names)
    if len(parts) == 1:
        return ty.Listed(parts[0])
    name = " or ".join(parts)
    if name not in type_symbols:
        owners: dict[str, str] = {}
        for part in parts:
            for word in [*map(str, type_symbols[part].members), *type_symbols[part].families]:
                if owners.setdefault(word, part) != part:
                    message = f"`{word}` is ambiguous: it is a value of `{owners[word]}` and of `{part}`"
                    labels = [
                        Label(spelt(node_of_owner, word), f"a value of `{owner}`")
                        for owner in (owners[word], part)
                        if (node_of_owner := type_symbols[owner].node) is not None
                    ]
                    context.error("E0205", message, node, ["give one of them another name"], labels)
                    return ty.UNKNOWN
        members = tuple(member for part in parts for member in type_symbols[part].members)
        attributes: dict[str, ty.Type] = {}
        for part in parts:
            attributes = {**type_symbols[part].attributes, **attributes}
        type_symbols[name] = TypeSymbol(name, None, ty.Listed(name, parts=parts), members, attributes)
    return type_symbols[name].type


def lacks(context: Context, type_: ty.Listed, attribute: str) -> bool:
    """True if some of the types lack an attribute."""
    return any(attribute not in context.model.type_symbols[part].attributes for part in type_.parts)


def mixed_faces(context: Context, die: DieSymbol, faces: Sequence[str]) -> ty.Type:
    """Type of faces that are values of one or several types, or words of the die only."""
    uncovered, types = list(faces), list[ty.Type]()
    declared = [symbol for symbol in context.model.type_symbols.values() if symbol.node]
    while True:
        # Greedy: the type with most of the faces that are left is taken next. Two types with equally many of the same
        # faces are ambiguous; which one was declared first is no reason to choose it.
        most = max((len(set(uncovered) & set(symbol.members)) for symbol in declared), default=0)
        if not most:
            break
        best = next(symbol for symbol in declared if len(set(uncovered) & set(symbol.members)) == most)
        covered = set(uncovered) & set(best.members)
        owners = [
            symbol
            for symbol in declared
            if len(shared_faces := set(uncovered) & set(symbol.members)) == most and shared_faces & covered
        ]
        if len(owners) > 1:
            names = " and of ".join(f"`{symbol.name}`" for symbol in owners)
            helps = ["give the values of these types different names"]
            message = f"the faces of `{die.name}` are ambiguous: values of {names}"
            context.error("E0205", message, die.declaration, helps)
            return ty.UNKNOWN
        types.append(best.type)
        uncovered = [face for face in uncovered if face not in best.members]
    if uncovered:
        die_type = ty.Listed(f"die {die.name}")
        context.model.type_symbols[die_type.name] = TypeSymbol(die_type.name, None, die_type, tuple(uncovered))
        types.append(die_type)
    return types[0] if len(types) == 1 else union(context, types, die.declaration)
