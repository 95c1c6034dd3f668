"""Lists and sets, and the type that several values share."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.types.causes import about
from dsl.checker.types.piece_kinds import kind_of, pieces_in
from dsl.checker.types.type_declarations import GREATEST_MEMBER
from dsl.checker.types.typer import Typer
from dsl.types import (
    FAR,
    UNKNOWN,
    ListType,
    Maybe,
    Number,
    Several,
    Type,
    Unknown,
    bare,
    element_of,
    join,
    known,
    maybe,
    part_of,
    settled,
    several,
)


def list_type(typer: Typer, node: ast.ListOf, scope: Scope, expected: Type | None) -> Type:
    """Type of a list; a list compared with pieces holds kinds."""
    if isinstance(expected, Unknown):
        return UNKNOWN
    pieces = pieces_in(expected)
    if pieces is not None:
        for item in node.items:
            kind_of(typer, item, pieces, scope)
        type_: Type = ListType(pieces)
    else:
        element = element_of(expected) if expected else None
        joined = join_all(typer, node.items, scope, element) if node.items else (element or UNKNOWN)
        type_ = ListType(joined)
        if element_of(joined) is not None and not isinstance(joined, Unknown):
            typer.context.error("E0339", f"a list cannot contain {joined}", node, ["list single values"])
            type_ = UNKNOWN
    typer.context.model.types[node.number] = type_
    return type_


def set_of_items(typer: Typer, node: ast.SetOf, scope: Scope, expected: Type | None) -> Type:
    """Type of `{a, b, c}`."""
    element = element_of(expected) if expected else None
    if not node.items:
        return Several(element or UNKNOWN)
    if isinstance(expected, Unknown):
        element = UNKNOWN
    return set_type(typer, join_all(typer, node.items, scope, element), node)


def set_type(typer: Typer, element: Type, node: ast.Expression, built: bool = False) -> Type:
    """Type of a set with this element type: single values, numbers from 0 up; if `built`, sets as well."""
    core = bare(element)
    if not built and element_of(core) is not None and not isinstance(core, Unknown):
        helps = ["join sets with `+`"]
        typer.context.error("E0339", f"a set cannot contain {core}", node, helps)
        return UNKNOWN
    if isinstance(core, Number) and (core.low < 0 or core.high > GREATEST_MEMBER):
        helps = ["if it always stays in a smaller range, declare that: `define … -> 0..99: …`"]
        message = f"numbers in a set go from 0 to {GREATEST_MEMBER}, found {_with_ends(core)}"
        typer.context.error("E0344", message, node, helps)
        core = Number(0, GREATEST_MEMBER)
    return several(core)


def join_all(
    typer: Typer, nodes: Sequence[ast.Expression], scope: Scope, expected: Type | None, first: Scope | None = None
) -> Type:
    """The common type of several values, inferred separately; `first` is the scope of the first one."""
    result: Type = UNKNOWN
    for index, node in enumerate(nodes):
        hint = expected if isinstance(result, Unknown) else result
        type_ = settled(typer.infer(node, scope if index or first is None else first, hint))
        joined = join(result, type_) or common_type(typer, result, type_, expected)
        if joined is None:
            message = f"cannot combine {result} with {type_}"
            typer.context.error("E0316", message, node, causes=[about(typer, node, result)])
        else:
            result = joined
    return result


def common_type(typer: Typer, a: Type, b: Type, expected: Type | None) -> Type | None:
    """The expected type, if it is a union that both types belong to."""
    core = bare(expected) if expected is not None else None
    if core is None or not (part_of(bare(a), core) and part_of(bare(b), core)):
        return None
    return maybe(core) if isinstance(a, Maybe) or isinstance(b, Maybe) else core


def value_type(typer: Typer, node: ast.Expression, scope: Scope, expected: Type | None = None) -> Type:
    """Type of a value that `let` names."""
    type_ = settled(typer.infer(node, scope, expected))
    if not known(type_) and not isinstance(bare(type_), Unknown):
        report_unknown_element(typer.context, node)
        return UNKNOWN
    return type_


def _with_ends(number: Number) -> str:
    """A range of numbers in words, where its ends matter."""
    if number.low == number.high:
        return str(number)
    if number.high < FAR and number.low > -FAR:
        return f"a number in {number.low}..{number.high}"
    return f"a number from {number.low} up" if number.low > -FAR else "any number"


def report_unknown_element(context: Context, node: ast.Node) -> None:
    """Report a set whose element type cannot be inferred: it is empty, or holds only none."""
    helps = ["declare a note with its type: `note marked: several Section = {}`"]
    what = "set" if isinstance(node, ast.SetOf) and node.items else "empty set"
    context.error("E0340", f"cannot infer the element type of this {what}", node, helps)
