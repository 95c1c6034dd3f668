"""Name resolution and types of names, indices, calls and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Scope, near, spelt
from dsl.checker.names import foreign_keywords
from dsl.checker.names.declarations import EXAMPLE_NAMES, PREDECLARED
from dsl.checker.names.functions import FUNCTIONS, HANDFULS, LINKING, MEMBERS_IN_ORDER, REMAINDER, SEATED
from dsl.checker.names.unknown_names import unknown_name, unknown_word
from dsl.checker.types.arithmetic import check_divisor
from dsl.checker.types.board_types import link
from dsl.checker.types.comparisons import NEIGHBOURS, has_order, without_neighbours
from dsl.checker.types.constructors import family_call, lacks_arguments, related_type, relation_in
from dsl.checker.types.corrections import function_of, index_help, kind_after_a_dot, piece_called
from dsl.checker.types.expectations import about, declared, expect, refer
from dsl.checker.types.grid_types import STRAIGHT, check_straight_lines, directions_of
from dsl.checker.types.piece_kinds import kind_of
from dsl.checker.types.positions import round_type
from dsl.checker.types.sets import check_sizes, check_written_order, list_type
from dsl.checker.types.type_declarations import lacks
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause, Label, Replacement
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    PieceSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from dsl.text.span import Span


def name_type(typer: Typer, node: ast.Name, scope: Scope, expected: ty.Type | None) -> ty.Type:
    """Type of a name on its own."""
    symbol = symbol_of(typer, node, scope, expected)
    if symbol is None:
        return ty.UNKNOWN
    refer(typer, node, symbol)
    match symbol:
        case ValueSymbol(type=ty.Listed(name=owner), position=position):
            model = typer.context.model
            # The seat `blue` of a game for two to four is nobody in a game for two: naming it gives `Player or
            # nobody`, and rules have to say what holds then.
            always = model.in_every_game(model.type_symbols[owner], position)
            return symbol.type if always else ty.Maybe(symbol.type)
        case LocalSymbol() | ValueSymbol() | ConstantSymbol() | OptionSymbol():
            return symbol.type
        case TypeSymbol():
            return ty.Several(symbol.type)
        case ZoneSymbol(index=index):
            if not index:
                return symbol.contents or ty.UNKNOWN
            # `board` for `zone board[f: Field] holds one Piece` is the set of the filled fields; other zones with an
            # index have no such reading.
            if len(index) == 1 and symbol.declaration.shape == "one":
                return (
                    ty.several(index[0])
                    if not isinstance(index[0], ty.Number)
                    else _whole(typer, node, index[0], scope)
                )
            return _without_index(typer, node, symbol, scope)
        case NoteSymbol() | DieSymbol():
            return _without_index(typer, node, symbol, scope) if symbol.index else symbol.type or ty.UNKNOWN
        case DefineSymbol():
            if symbol.declaration.parameters:
                names = ", ".join(parameter.name for parameter in symbol.declaration.parameters)
                helps = [f"write `{symbol.name}({names})` with a value for each parameter"]
                typer.context.error("E0310", f"`{symbol.name}` needs arguments", node, helps, causes=[declared(symbol)])
                return ty.UNKNOWN
            return typer.definition_type(symbol, node)
        case PieceSymbol():
            return ty.Several(ty.PieceType(frozenset({symbol.name})))
        case BuiltinSymbol():
            if symbol.type is not None:
                return symbol.type
            helps = [f"write {FUNCTIONS[node.name][0]}"] if node.name in FUNCTIONS else []
            typer.context.error("E0311", f"`{symbol.name}` is not a value on its own", node, helps)
            return ty.UNKNOWN
        case _:
            typer.context.error("E0311", f"`{symbol.name}` is not a value", node)
            return ty.UNKNOWN


def _whole(typer: Typer, node: ast.Name, index: ty.Number, scope: Scope) -> ty.Type:
    """Type of the filled places of a zone, where they are numbers: sets hold no number below 0."""
    zone = typer.context.model.zones[node.name]
    return ty.Several(index) if index.low >= 0 else _without_index(typer, node, zone, scope)


def _without_index(typer: Typer, node: ast.Name, symbol: ZoneSymbol | NoteSymbol | DieSymbol, scope: Scope) -> ty.Type:
    where = "example" if typer.in_example else "setup" if typer.before_play else ""
    helps = index_help(typer.context, symbol.name, scope, symbol.index, where)
    typer.context.error("E0309", f"`{symbol.name}` needs an index", node, helps, causes=[declared(symbol)])
    return ty.UNKNOWN


def symbol_of(typer: Typer, node: ast.Name, scope: Scope, expected: ty.Type | None) -> Symbol | None:
    """Resolve a name: a local, a value of the expected type, a declaration, a value."""
    context = typer.context
    # The order is that of the language: what is bound nearest, then what fits the context, and only then what the
    # name means without context. The context goes before declarations, or a new zone called `ace` would change what
    # `c.rank is ace` means.
    local = scope.find(node.name)
    if local is not None:
        return local
    values = context.values.get(node.name, [])
    target = ty.bare(expected) if expected else None
    for value in values:
        if value.type == target or ty.overlap(value.type, target):
            return value
    own_word = _own_word(typer, node.name, target)
    if own_word is not None:
        return own_word
    if typer.in_example and node.name in EXAMPLE_NAMES:
        return BuiltinSymbol(node.name, None, PREDECLARED[node.name])
    if node.name in context.globals:
        return context.globals[node.name]
    # Without an expected type a word is a value if only one type has it.
    if len(values) == 1:
        return values[0]
    # The caller has failed already, or the type that is compared with is unknown: a second report would only follow
    # from the first.
    if lacks_arguments(context, node) or (values and isinstance(target, ty.Unknown)):
        return None
    if values and target is not None:
        return values[0]  # none of them fits, which the caller reports
    if values:
        owners = " and of ".join(f"`{getattr(value.type, 'name', '')}`" for value in values)
        helps = ["compare it with a value of one of these types"]
        named = [(value.node, getattr(value.type, "name", "")) for value in values]
        labels = [
            Label(spelt(value_node, node.name), f"a value of `{owner}`") for value_node, owner in named if value_node
        ]
        context.error("E0205", f"`{node.name}` is ambiguous: it is a value of {owners}", node, helps, labels)
        return None
    candidates = [*scope.visible(), *(name for name in context.names() if name not in FUNCTIONS)]
    if isinstance(target, ty.Listed):
        candidates += [str(member) for member in context.model.type_symbols[target.name].members]
    # A declaration that could not be read may be the one that is missing here: no report then.
    if not context.lacking and not (isinstance(target, ty.Unknown) and context.missing_types):
        same = foreign_keywords.NAMES.get(node.name)
        proposals = [same] if same in context.globals or same in context.values else near(node.name, candidates)
        helps = [foreign_keywords.WORDS[node.name]] if node.name in foreign_keywords.WORDS else []
        unknown_name(context, node, helps, () if helps else proposals)
    return None


def _own_word(typer: Typer, name: str, target: ty.Type | None) -> ValueSymbol | None:
    """Resolve a value that exists only for an option or a die, where such a value is expected."""
    for owner in sorted(target.owners) if isinstance(target, ty.Listed) else ():
        members = typer.context.model.type_symbols[owner].members
        # Types of words of an option or a die have a blank in their names, `die d`, as no type of the rules can.
        if " " in owner and name in members:
            return ValueSymbol(name, None, ty.Listed(owner), members.index(name))
    return None


def index_type(typer: Typer, node: ast.Index, scope: Scope) -> ty.Type:
    """Type of `hand[me]`."""
    context = typer.context
    base = context.globals.get(node.base.name) if isinstance(node.base, ast.Name) else None
    if isinstance(node.base, ast.Name) and scope.find(node.base.name):
        base = None
    # INVARIANT: arguments are inferred on every path, also after an error: later stages look up the type of every
    # node, and names in them are marked as used.
    if unknown_word(context, node.base, scope):
        _infer_all(typer, node.arguments, scope)
        return ty.UNKNOWN
    if not isinstance(base, ZoneSymbol | NoteSymbol | DieSymbol):
        name = node.base.span.text
        names = [*context.model.zones, *context.model.notes, *context.model.dice]
        if isinstance(base, DefineSymbol):
            new = Replacement(node.span, f"{name}({_bracketed_text(node, node.base)})")
            helps, cause = [f"write `{new.text}`"], declared(base)
            context.error("E0312", f"`{name}` takes no index", node.base, helps, new=new, causes=[cause])
        elif name in context.globals or name in context.values or scope.find(name):
            message, cause = f"`{name}` takes no index", Cause("declared", name)
            context.error("E0312", message, node.base, causes=[cause])
        else:
            message, cause = f"there is no zone, note or die `{name}`", Cause("unknown", name)
            context.error("E0201", message, node.base, proposals=near(name, names), causes=[cause])
        _infer_all(typer, node.arguments, scope)
        return ty.UNKNOWN
    refer(typer, node, base)
    if len(node.arguments) != len(base.index):
        takes = {0: "no index", 1: "one index"}.get(len(base.index), f"{len(base.index)} indices")
        found_number = f", found {len(node.arguments)}" if base.index else ""
        alone = None if base.index else base.name
        helps = [f"write `{alone}`"] if alone else []
        context.error(
            "E0309", f"`{base.name}` takes {takes}{found_number}", node, helps, new=alone, causes=[declared(base)]
        )
    for argument, expected in zip(node.arguments, base.index, strict=False):
        expect(typer, argument, scope, expected, f"as the index of `{base.name}`", declared(base))
    return (base.contents if isinstance(base, ZoneSymbol) else base.type) or ty.UNKNOWN


def _infer_all(typer: Typer, arguments: Sequence[ast.Expression], scope: Scope) -> None:
    """Check arguments of something undefined, without an expected type to disambiguate their names."""
    # Ambiguous names are not reported here: with a definition there would have been an expected type that decides.
    errors_before = len(typer.context.diagnostics)
    for argument in arguments:
        typer.infer(argument, scope, ty.UNKNOWN)
    errors = typer.context.diagnostics[errors_before:]
    typer.context.diagnostics[errors_before:] = [diagnostic for diagnostic in errors if diagnostic.code != "E0205"]


def call_type(typer: Typer, node: ast.Call, scope: Scope, expected: ty.Type | None = None) -> ty.Type:
    """Type of `f(x)`, or of a value with arguments."""
    context = typer.context
    if not isinstance(node.base, ast.Name):
        context.error("E0313", "only a definition or a function can be called", node.base)
        return ty.UNKNOWN
    name = node.base.name
    symbol = context.globals.get(name)
    if isinstance(symbol, DefineSymbol):
        refer(typer, node, symbol)
        _check_arguments(typer, node.arguments, symbol, scope, node)
        return typer.definition_type(symbol, node)
    # `round(hand)` looks like a call of a function, but its argument is no value: it has to be recognised before
    # arguments are inferred.
    number = round_type(context, node)
    if number is not None:
        return number
    if isinstance(symbol, BuiltinSymbol) and name in FUNCTIONS:
        # `groups(S, linked)` takes a definition, which is no value either.
        relation = relation_in(typer, node, name, scope)
        if relation is not None:
            return related_type(typer, node, name, relation, scope)
        seat = ty.PLAYER if name in SEATED else None
        types: list[ty.Type] = []
        for index, argument in enumerate(node.arguments):
            # `next(f, north)`: `north` may be a direction of several boards; the type of the place before decides
            # which.
            hint = directions_of(context, types[0]) if index == 1 and name in STRAIGHT else None
            types.append(typer.infer(argument, scope, hint if index else seat))
        refer(typer, node, symbol)
        written, signature = FUNCTIONS[name]
        if name == "sees" and not typer.in_example:
            context.error("E0311", "`sees` is only for examples", node)
            return ty.UNKNOWN
        # One error is enough: a function of something unknown is unknown, and not a function that "does not accept"
        # it.
        result = ty.UNKNOWN if any(isinstance(type_, ty.Unknown) for type_ in types) else signature(types)
        beside = name in NEIGHBOURS and len(types) == 1
        if beside and not isinstance(types[0], ty.Unknown) and not has_order(context.model, types[0]):
            result = None
        if name == "sees" and len(types) == 2 and ty.fits(types[0], ty.PLAYER) and _is_note(typer, node.arguments[1]):
            result = ty.TRUTH
        if result is not None and name == HANDFULS:
            check_sizes(context, node, types)
        if result is not None and name in MEMBERS_IN_ORDER:
            check_written_order(context, node, ty.element_of(types[-1]))
        if result is not None and name == REMAINDER:
            check_divisor(context, node.arguments[1], ty.bare(types[1]))
        if result is not None and name in LINKING:
            _link(typer, types, node)
        if result is not None and not isinstance(result, ty.Unknown) and name in STRAIGHT and not beside:
            check_straight_lines(context, name, types, node)
        if result is None:
            found_types = ", ".join(map(str, types))
            message, causes = (
                f"`{name}` does not accept {found_types}",
                [about(typer, operand) for operand in node.arguments],
            )
            help_, new = without_neighbours(context, node, types[0]) if beside else (f"write {written}", None)
            context.error("E0314", message, node, [help_], new=new, causes=causes)
            return ty.UNKNOWN
        return result
    value = family_call(typer, node, name, scope, expected)
    if value is not None:
        return value
    _infer_all(typer, node.arguments, scope)
    names = [*context.model.defines, *FUNCTIONS, *context.families]
    is_declared = name in context.globals or name in context.values
    message = f"`{name}` is not a definition" if is_declared else f"there is no definition `{name}`"
    filled = context.model.zones.get(name) or context.model.notes.get(name)
    if filled is not None:
        new = Replacement(node.span, f"{name}[{_bracketed_text(node, node.base)}]" if filled.index else name)
        helps = [f"write the index in square brackets: `{new.text}`" if filled.index else f"write `{name}` alone"]
        context.error("E0201", message, node.base, helps, new=new)
    elif name in context.model.pieces and (called := piece_called(context, node)):
        new = Replacement(node.span, called) if not called.startswith("{") else None
        what = "the values of a piece side by side" if new is not None else "the pieces with these values as a set"
        context.error("E0201", message, node.base, [f"write {what}: `{called}`"], new=new)
    elif name in foreign_keywords.COUNTED and len(node.arguments) == 1:
        new = foreign_keywords.counted(node, node.arguments[0])
        context.error("E0201", message, node.base, [f"write `{new.text}`"], new=new)
    elif (function := foreign_keywords.renamed(node)) is not None and not is_declared:
        context.error("E0201", message, node.base, [f"write `{function.text}`"], new=function)
    else:
        helps = [foreign_keywords.FUNCTIONS[name]] if name in foreign_keywords.FUNCTIONS else []
        rule = context.model.rules.get(name)
        if rule is not None and not rule.is_action:
            helps = [f"a step has no value; for a value after it, write `… given {node.span.text}`"]
        cause = Cause("declared" if is_declared else "unknown", name)
        context.error("E0201", message, node.base, helps, proposals=() if helps else near(name, names), causes=[cause])
    return ty.UNKNOWN


def _is_note(typer: Typer, node: ast.Expression) -> bool:
    """True if an expression names a note, with its index if it has one."""
    return isinstance(typer.context.model.refers.get(node.number), NoteSymbol)


def _link(typer: Typer, types: Sequence[ty.Type], node: ast.Call) -> None:
    """Check that the edges of a graph function join places of its type."""
    names = [core.name for core in map(_single, types) if isinstance(core, ty.Listed)]
    if len(names) > 1:
        symbols = typer.context.model.type_symbols
        link(typer.context, symbols[names[-1]], symbols[names[0]], node)


def _check_arguments(
    typer: Typer, arguments: Sequence[ast.Expression], symbol: DefineSymbol, scope: Scope, node: ast.Node
) -> None:
    """Check arguments against the parameters of a definition: their number and types."""
    takes = symbol.declaration.parameters
    if len(arguments) != len(takes):
        names = ", ".join(parameter.name for parameter in takes)
        count_error(typer, symbol, len(takes), len(arguments), node, names)
    for argument, parameter in zip(arguments, symbol.parameters, strict=False):
        check_argument(typer, argument, parameter.type, scope, f"for `{parameter.name}`", declared(symbol))
    for argument in arguments[len(symbol.parameters) :]:
        typer.infer(argument, scope)


def count_error(typer: Typer, symbol: Symbol, expected: int, given_count: int, node: ast.Node, names: str) -> None:
    """Report a wrong number of arguments."""
    name = symbol.name
    takes = {0: "no arguments", 1: "one argument"}.get(expected, f"{expected} arguments")
    helps = [f"write `{name}({names})`" if names else f"write `{name}` alone"]
    message = f"`{name}` takes {takes}, found {given_count or 'none'}"
    typer.context.error("E0315", message, node, helps, causes=[declared(symbol)])


def check_argument(
    typer: Typer, node: ast.Expression, expected: ty.Type, scope: Scope, where: str, cause: Cause | None = None
) -> None:
    """Check one argument; in an example a piece may be given by its kind, and a set by a list."""
    core = ty.bare(expected)
    if isinstance(core, ty.Unknown) and isinstance(node, ast.Pattern | ast.ListOf):
        return
    if typer.in_example and isinstance(core, ty.PieceType) and kind_of(typer, node, core, scope, quiet=True):
        typer.context.model.types[node.number] = ty.KIND
        return
    if typer.in_example and isinstance(core, ty.Several) and isinstance(node, ast.ListOf):
        type_ = list_type(typer, node, scope, core)
        if not ty.fits(ty.element_of(type_) or ty.UNKNOWN, core.element):
            typer.context.error("E0306", f"expected {expected} {where}, found {type_}", node, causes=[cause])
        return
    expect(typer, node, scope, expected, where, cause)


def _no_attribute(typer: Typer, node: ast.Attribute, base: ty.Type, attributes: Mapping[str, ty.Type]) -> None:
    """Report an unknown attribute."""
    message = f"{base} has no attribute `{node.name}`"
    if node.name in foreign_keywords.COUNTED and ty.element_of(base) is not None:
        new = foreign_keywords.counted(node, node.base)
        typer.context.error("E0207", message, node, [f"write `{new.text}`"], new=new)
        return
    symbol = typer.context.model.type_symbols.get(getattr(ty.bare(base), "name", ""))
    if symbol is not None and isinstance(symbol.node, ast.TypeBoard) and not symbol.rows:
        return
    proposals, at = near(node.name, attributes), Span(node.span.source, node.span.end - len(node.name), node.span.end)
    helps = [f"attributes: {', '.join(attributes)}"] if attributes and not proposals else []
    cause, fix = Cause("unknown", message), function_of(node, base)
    fix = fix or kind_after_a_dot(typer.context, node, base)
    if fix is not None:
        helps, proposals = [f"write `{fix.text}`"], []
    typer.context.error("E0207", message, node, helps, proposals=proposals, at=at, new=fix, causes=[cause])


def _index_after_dot(typer: Typer, node: ast.Attribute, scope: Scope) -> bool:
    """Report `hand.me`, where a zone or note lacks its index."""
    symbol = typer.context.globals.get(node.base.name) if isinstance(node.base, ast.Name) else None
    if not isinstance(symbol, ZoneSymbol | NoteSymbol) or len(symbol.index) != 1:
        return False
    if not (scope.find(node.name) or node.name == "me" or node.name in typer.context.values):
        return False
    new = f"{symbol.name}[{node.name}]"
    typer.context.error(
        "E0309", f"`{symbol.name}` needs an index", node.base, [f"write `{new}`"], new=new, at=node.span
    )
    return True


def attribute_type(typer: Typer, node: ast.Attribute, scope: Scope) -> ty.Type:
    """Type of `c.rank`; of none it is none, or the empty set."""
    if _index_after_dot(typer, node, scope):
        return ty.UNKNOWN
    base = typer.infer(node.base, scope)
    core = ty.bare(base)
    optional = isinstance(base, ty.Maybe)
    if isinstance(core, ty.Contents) and core.shape == "one":
        core, optional = core.pieces, True
    if isinstance(core, ty.Unknown):
        return ty.UNKNOWN
    type_by_name: dict[str, ty.Type] = {}
    lacking = False
    if isinstance(core, ty.PieceType):
        for piece_type in sorted(core.piece_types):
            of_piece_type = typer.context.model.pieces[piece_type].attributes
            type_by_name.update({name: type_ for name, type_ in of_piece_type.items() if name not in type_by_name})
            lacking |= node.name not in of_piece_type
    elif isinstance(core, ty.Listed):
        type_by_name = typer.context.model.type_symbols[core.name].attributes
        lacking = lacks(typer.context, core, node.name)
    if node.name not in type_by_name:
        _no_attribute(typer, node, base, type_by_name)
        return ty.UNKNOWN
    type_ = type_by_name[node.name]
    return ty.maybe(type_) if (optional or lacking) and not isinstance(type_, ty.Several) else type_


def _bracketed_text(node: ast.Node, base: ast.Node) -> str:
    """The text between the brackets after a name."""
    return node.span.text[base.span.end - node.span.start + 1 : -1]


def _single(type_: ty.Type) -> ty.Type:
    """A type, or that of the members of a set."""
    core = ty.bare(type_)
    return core.element if isinstance(core, ty.Several) else core
