"""Values with arguments: `run(1..3)` in a type, `run(2)` as a value, `kind is run(n)` as a pattern.

    type Kind is run(1..3), pair(Suit), joker

has the values run(1), run(2), run(3), pair(red) …, joker. They are listed once and for all as names, `run(2)` included,
so that everything that works with listed values works with these. A *family* is what the values of one form share: its
name, the types of its arguments and the position of its first value.

In a condition `kind is run(n)` an unknown name is bound: it is the argument where the condition holds. That is certain
only for conditions that must hold, those joined by `and`; under `or` and `not` there may be no argument (`_unbound`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope, near
from dsl.checker.names.declarations import PREDECLARED, add_type, declarations
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.types.expectations import about, declared, expect, expect_number, is_outside, refer
from dsl.checker.types.piece_kinds import attributes_of, pieces_in
from dsl.checker.types.type_declarations import MAX_MEMBER, type_of_union
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause, Label, Replacement
from dsl.symbols import BuiltinSymbol, DefineSymbol, FamilySymbol, LocalSymbol, TypeSymbol

# ---------------------------------------------------------------- in types


def has_families(node: ast.Node) -> bool:
    """True if a declaration is a type with values that have arguments."""
    return isinstance(node, ast.TypeList) and any(shape.arguments for shape in node.shapes)


def family_types(context: Context, nodes: Iterable[ast.Node]) -> None:
    """Declare types with families of values, once the other types are known; they may be arguments of each other."""
    waiting = {node.name: node for node in nodes if isinstance(node, ast.TypeList) and has_families(node)}
    unfinished: list[str] = []

    def settle(node: ast.TypeList) -> None:
        unfinished.append(node.name)
        circular: set[str] = set()
        for shape in node.shapes:
            for member in [member for argument in shape.arguments for member in argument.members]:
                name = member.name if isinstance(member, ast.TypeName) else ""
                if name in unfinished:
                    cycle = " → ".join(f"`{step}`" for step in [*unfinished[unfinished.index(name) :], name])
                    context.error("E0303", f"the values of `{node.name}` contain themselves: {cycle}", member)
                    circular.add(name)
                elif name in waiting and name not in finished:
                    settle(waiting[name])
        unfinished.pop()
        finished.add(node.name)
        _family_type(context, node, circular)

    finished: set[str] = set()
    for node in waiting.values():
        if node.name not in finished:
            settle(node)


def _listed_twice(context: Context, node: ast.TypeList, shape: ast.Shape, is_there: bool) -> bool:
    """Report a value that its type already has."""
    if is_there:
        first = next(earlier for earlier in node.shapes if earlier.name == shape.name)
        labels = [Label(first.span, "first here")]
        context.error("E0202", f"`{shape.name}` is listed twice in `{node.name}`", shape, labels=labels)
    return is_there


def _family_type(context: Context, node: ast.TypeList, circular: set[str]) -> None:
    type_ = ty.Listed(node.name)
    members: list[str] = []
    places: list[ast.Node] = []
    families: dict[str, FamilySymbol] = {}
    for shape in node.shapes:
        if shape.name is None:
            context.error("E0301", f"`{node.name}` mixes names and numbers", node, ["use only names or only numbers"])
            continue
        words = [shape.name]
        if shape.arguments:
            parameters = tuple(_argument_type(context, argument, circular) for argument in shape.arguments)
            words = _members_of(context, node, shape, parameters, MAX_MEMBER - len(members))
            if _listed_twice(context, node, shape, shape.name in families or shape.name in members):
                continue
            families[shape.name] = FamilySymbol(shape.name, shape, type_, parameters, len(members), len(words))
        elif _listed_twice(context, node, shape, shape.name in families):
            continue
        members += words
        places += [shape] * len(words)
    symbol = TypeSymbol(node.name, node, type_, tuple(members), families=families)
    add_type(context, symbol, places)
    for name, family in families.items():
        if name in PREDECLARED or name in FUNCTIONS:
            context.error("E0203", f"`{name}` is a built-in name", family.node or node, ["choose another name"])
        context.families.setdefault(name, []).append(family)


def _argument_type(context: Context, node: ast.TypeUnion, circular: set[str]) -> ty.Type:
    """Type of an argument of a value: a number, true or false, a value of a listed type."""
    # Pieces have no symbols yet when types are declared, but a message about `pair(Card)` can say what `Card` is.
    names = {member.name for member in node.members if isinstance(member, ast.TypeName)}
    if names & circular:
        return ty.UNKNOWN
    piece = next((d for d in declarations(context.model.file) if isinstance(d, ast.Piece) and d.name in names), None)
    type_ = type_of_union(context, node) if piece is None else ty.PieceType(frozenset({piece.name}))
    if (
        type_ == ty.TRUTH
        or isinstance(type_, ty.Number | ty.Unknown)
        or (isinstance(type_, ty.Listed) and type_ != ty.PLAYER)
    ):
        return type_
    helps = ["use a range, `Truth` or a listed type: `run(1..3)`, `pair(Suit)`"]
    context.error("E0303", f"an argument of a value cannot be {type_}", node, helps)
    return ty.UNKNOWN


def _members_of(
    context: Context, node: ast.TypeList, shape: ast.Shape, parameters: Sequence[ty.Type], room: int
) -> list[str]:
    """Spellings of all values of a family, in order."""
    words = [_spellings(context, type_) for type_ in parameters]
    if prod(map(len, words)) > room:
        message = f"`{node.name}` would have more than {MAX_MEMBER} values"
        context.error("E0338", message, shape, ["use smaller ranges, or two attributes instead of one"])
        words = [some[:1] for some in words]
    return [f"{shape.name}({', '.join(chosen)})" for chosen in product(*words)]


def _spellings(context: Context, type_: ty.Type) -> Sequence[str]:
    match type_:
        case ty.Number(low, high):
            return [str(number) for number in range(low, min(high, low + MAX_MEMBER) + 1)]
        case ty.Listed(name=name):
            return [str(member) for member in context.model.type_symbols[name].members]
        case _:
            return ["false", "true"]


def clashes(context: Context) -> None:
    """Report definitions, actions and steps with the name of a value with arguments, which is written like a call."""
    for name, families in context.families.items():
        namesake = context.globals.get(name)
        if namesake is not None and namesake.node is not None and families[0].node is not None:
            labels = [Label(families[0].node.span, f"a value of `{families[0].type.name}`")]
            context.error("E0202", f"`{name}` is declared twice", namesake.node, ["rename one of them"], labels)


# ---------------------------------------------------------------- as values


def family_of(context: Context, name: str, expected: ty.Type | None) -> FamilySymbol | None:
    """Find the family of that name, of the expected type if several types have one; None if it is ambiguous."""
    families = context.families.get(name, [])
    core = ty.bare(expected) if expected is not None else None
    for family in families:
        if isinstance(core, ty.Listed) and family.type.name in core.owners:
            return family
    return families[0] if len(families) == 1 else None


def family_call(typer: Typer, node: ast.Call, name: str, scope: Scope, expected: ty.Type | None) -> ty.Type | None:
    """Type of `run(2)`; None if no such value has the name."""
    context = typer.context
    if name not in context.families:
        return None
    family = family_of(context, name, expected)
    if family is None and isinstance(ty.bare(expected or ty.UNKNOWN), ty.Listed):
        family = context.families[name][0]  # none of them fits, which the caller reports
    if family is None:
        owners = " and of ".join(f"`{family.type.name}`" for family in context.families[name])
        helps = ["compare it with a value of one of these types"]
        context.error("E0205", f"`{name}` is ambiguous: it is a value of {owners}", node, helps)
        return ty.UNKNOWN
    refer(typer, node, family)
    if not _counted(context, node, family):
        return family.type
    for argument, parameter in zip(node.arguments, family.parameters, strict=True):
        if isinstance(argument, ast.Name) and not _is_known(context, argument.name, scope):
            _unbound(context, argument, parameter, scope)
        else:
            cause = Cause("declared", name, family.node.span if family.node is not None else None)
            expect(typer, argument, scope, parameter, _as_argument(family), cause)
    return family.type


def lacks_arguments(context: Context, node: ast.Name) -> bool:
    """Report a value that lacks its arguments; False if the name is not a value with arguments."""
    families = context.families.get(node.name)
    if not families:
        return False
    helps = [f"write `{_first_spelling(context, families[0])}`"]
    context.error("E0310", f"`{node.name}` needs arguments", node, helps)
    return True


def _as_argument(family: FamilySymbol) -> str:
    """What a type is expected for, in a message: `as the argument of run`."""
    return f"as {'the' if len(family.parameters) == 1 else 'an'} argument of `{family.name}`"


def _first_spelling(context: Context, family: FamilySymbol) -> str:
    """Spelling of the first value of a family."""
    return str(context.model.type_symbols[family.type.name].members[family.position])


def _counted(context: Context, node: ast.Call, family: FamilySymbol) -> bool:
    """True if a value has as many arguments as its type declares."""
    expected, given_count = len(family.parameters), len(node.arguments)
    if expected == given_count:
        return True
    takes = "one argument" if expected == 1 else f"{expected} arguments"
    helps = [f"write `{_first_spelling(context, family)}`"]
    context.error("E0315", f"`{family.name}` takes {takes}, found {given_count or 'none'}", node, helps)
    return False


def _is_known(context: Context, name: str, scope: Scope) -> bool:
    """True if a name is defined."""
    return scope.find(name) is not None or name in (*context.globals, *context.values, *context.families)


def _unbound(context: Context, node: ast.Name, expected: ty.Type, scope: Scope) -> None:
    """Report, once, an unknown name that no condition binds."""
    words = _spellings(context, expected) if isinstance(expected, ty.Listed) else []
    proposals = near(node.name, words)
    binding = "a name can match an argument only after `is` in the condition of a case or `if`, not under `or` or `not`"
    helps, cause = [] if proposals else [binding], Cause("unknown", node.name)
    context.error("E0345", f"there is no `{node.name}`", node, helps, proposals=proposals, causes=[cause])
    # The name is reported once; later uses have a type that fits everything.
    scope.bind(node.name, ty.UNKNOWN, "taken", node)


# ---------------------------------------------------------------- patterns


def match_pattern(typer: Typer, node: ast.Compare, scope: Scope, binding: bool) -> bool:
    """Check the pattern `kind is run(n)`: unknown names are bound to the arguments if `binding`, others compared.

    Return False if there is no value with arguments on the right.
    """
    context, right = typer.context, node.right
    if not isinstance(right, ast.Call) or not isinstance(right.base, ast.Name):
        return False
    if right.base.name not in context.families:
        return False
    left = typer.infer(node.left, scope)
    family = _compared_family(typer, right, right.base.name, left)
    if family is None:
        return False
    of_piece = right.number in context.model.attribute_of
    context.model.types[right.number] = ty.KIND if of_piece else family.type
    refer(typer, right, family)
    if not _counted(context, right, family):
        return True
    for argument, expected in zip(right.arguments, family.parameters, strict=True):
        if not isinstance(argument, ast.Name) or _is_known(context, argument.name, scope):
            type_ = typer.infer(argument, scope, expected)
            if not ty.comparable(type_, expected) or is_outside(typer, type_, expected):
                message = f"expected {expected} {_as_argument(family)}, found {type_}"
                context.error("E0316", message, argument)
        elif binding:
            scope.bind(argument.name, expected, "taken", argument)
            context.model.types[argument.number] = expected
        else:
            _unbound(context, argument, expected, scope)
    return True


def _compared_family(typer: Typer, right: ast.Call, name: str, left: ty.Type) -> FamilySymbol | None:
    """The family that a value, or an attribute of a piece, is compared with; None if they can never be equal."""
    context, core = typer.context, ty.bare(ty.settled(left))
    is_one_piece = isinstance(core, ty.PieceType) and not (isinstance(left, ty.Contents) and left.shape != "one")
    pieces = pieces_in(left) if is_one_piece else None
    if pieces is None:
        family = family_of(context, name, core)
        return family if family is not None and ty.comparable(family.type, core) else None
    for attribute, type_ in attributes_of(context, pieces).items():
        family = family_of(context, name, type_)
        if family is not None and ty.comparable(family.type, type_):
            context.model.attribute_of[right.number] = attribute
            return family
    return None


def unused(context: Context) -> None:
    """Warn of a name that is bound to an argument, never used, and spelled like a value."""
    for node in context.model.nodes:
        symbol = context.model.refers.get(node.number) if isinstance(node, ast.Name) else None
        if not isinstance(symbol, LocalSymbol) or symbol.role != "taken" or symbol.node is not node:
            continue
        proposals = near(symbol.name, _spellings(context, symbol.type)) if isinstance(symbol.type, ty.Listed) else []
        if proposals and node.number not in context.used:
            message = f"`{symbol.name}` matches any value here and is never used"
            context.error("E0501", message, node, severity="warning", proposals=proposals)


# ---------------- relations as edges: a definition of two places where a graph function takes a set of edges,
# `groups(S, linked)`


TRAILS = "trails"
"""The function whose results are sets of edges, so that it takes no relation."""

EDGES: Mapping[str, int] = {"reach": 1, "near": 1, "groups": 1, "path": 2, "paths": 1, TRAILS: 1}
"""The position of the edges among the arguments of each graph function."""

TAKEN: Mapping[str, int] = {"reach": 2, "near": 2, "groups": 2, "path": 3, "paths": 3}


def relation_in(typer: Typer, node: ast.Call, name: str, scope: Scope) -> DefineSymbol | None:
    """The definition that stands for the edges in a call of a graph function: one with parameters, true or false."""
    if name not in EDGES:
        return None
    edges = _edges(node, name)
    named = edges.base if isinstance(edges, ast.Call) else edges
    if not isinstance(named, ast.Name) or scope.find(named.name):
        return None
    symbol = typer.context.globals.get(named.name)
    if not isinstance(symbol, DefineSymbol) or not symbol.declaration.parameters:
        return None
    return symbol if ty.fits(typer.definition_type(symbol, edges), ty.TRUTH) else None


def related_type(typer: Typer, node: ast.Call, name: str, relation: DefineSymbol, scope: Scope) -> ty.Type:
    """The type of a call of a graph function with a relation in place of its edges."""
    context, edges = typer.context, _edges(node, name)
    refer(typer, node, context.globals[name])
    assert isinstance(context.globals[name], BuiltinSymbol)
    if name == TRAILS:
        helps = ["use edges: places of the board that have two ends, such as `type Side from beside(Cell)`"]
        context.error("E0761", f"`{name}` gives sets of edges, but a relation has no edges", edges, helps)
        return ty.UNKNOWN
    if isinstance(edges, ast.Call):
        new = Replacement(edges.span, relation.name)
        helps = [f"write `{relation.name}` alone: `{name}` asks it about the places itself"]
        context.error("E0761", f"`{name}` takes the relation, not its value", edges, helps, new=new)
        return ty.UNKNOWN
    refer(typer, edges, relation)
    place = _places_of(typer, relation, edges)
    if place is None:
        for argument in node.arguments:
            if argument is not edges:
                typer.infer(argument, scope)
        return ty.UNKNOWN
    if len(node.arguments) != TAKEN[name]:
        message = f"`{name}` takes {TAKEN[name]} arguments, found {len(node.arguments)}"
        context.error("E0314", message, node, [f"write {FUNCTIONS[name][0]}"])
        return ty.UNKNOWN
    where, cause = f"for `{relation.parameters[0].name}` of `{relation.name}`", declared(relation)
    if name in ("groups", "paths"):
        places = expect(
            typer, node.arguments[0], scope, ty.Several(place), f"for the places of `{relation.name}`", cause
        )
        if name == "paths":
            expect_number(typer, node.arguments[2], scope)
        element = ty.element_of(places)
        return ty.Several(ty.Several(element if isinstance(element, ty.PieceType) else place))
    expect(typer, node.arguments[0], scope, place, where, cause)
    if name == "path":
        expect(typer, node.arguments[1], scope, place, where, cause)
        return ty.maybe(ty.Several(place))
    return ty.Several(place)


def _edges(node: ast.Call, name: str) -> ast.Expression:
    """The argument in the position of the edges; if there are too few, the last one."""
    return node.arguments[min(EDGES[name], len(node.arguments) - 1)]


def _places_of(typer: Typer, relation: DefineSymbol, node: ast.Expression) -> ty.Type | None:
    """The type of the places that a relation links; None, with a diagnostic, if it is no relation."""
    types = [parameter.type for parameter in relation.parameters]
    if len(types) < len(relation.declaration.parameters) or any(isinstance(type_, ty.Unknown) for type_ in types):
        return None
    parameters = ", ".join(f"{parameter.name}: …" for parameter in relation.declaration.parameters)
    message = ""
    if len(types) != 2:
        message = f"a relation is between two places, but `{relation.name}` takes {len(types)}: {parameters}"
    elif types[0] != types[1]:
        message = f"a relation is between places of one type, but `{relation.name}` takes {types[0]} and {types[1]}"
    elif not _can_be_place(types[0]):
        message = f"{types[0]} cannot be a place of a relation"
    if not message:
        return types[0]
    helps = ["define it for two places: `define linked(a: Cell, b: Cell): …`"]
    typer.context.error("E0761", message, node, helps, causes=[declared(relation), about(typer, node)])
    return None


def _can_be_place(type_: ty.Type) -> bool:
    if isinstance(type_, ty.Number):
        return type_.low >= 0 and type_.high <= MAX_MEMBER
    return isinstance(type_, ty.Listed | ty.PieceType)
