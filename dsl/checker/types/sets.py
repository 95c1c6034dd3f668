"""Lists and sets, and the type that several values share."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope
from dsl.checker.names.functions import HANDFULS
from dsl.checker.types.expectations import about, expect_number, number_range
from dsl.checker.types.piece_kinds import kind_of, pieces_in
from dsl.checker.types.type_declarations import MAX_MEMBER
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.text.span import Span


def list_type(typer: Typer, node: ast.ListOf, scope: Scope, expected: ty.Type | None) -> ty.Type:
    """Type of a list; a list compared with pieces holds kinds."""
    if isinstance(expected, ty.Unknown):
        return ty.UNKNOWN
    pieces = pieces_in(expected)
    if pieces is not None:
        for item in node.items:
            kind_of(typer, item, pieces, scope)
        type_: ty.Type = ty.ListType(pieces)
    else:
        element = ty.element_of(expected) if expected else None
        joined = join_all(typer, node.items, scope, element) if node.items else (element or ty.UNKNOWN)
        type_ = ty.ListType(joined)
        if ty.element_of(joined) is not None and not isinstance(joined, ty.Unknown):
            typer.context.error("E0339", f"a list cannot contain {joined}", node, ["list single values"])
            type_ = ty.UNKNOWN
    typer.context.model.types[node.number] = type_
    return type_


def set_of_items(typer: Typer, node: ast.SetOf, scope: Scope, expected: ty.Type | None) -> ty.Type:
    """Type of `{a, b, c}`."""
    element = ty.element_of(expected) if expected else None
    if not node.items:
        return ty.Several(element or ty.UNKNOWN)
    if isinstance(expected, ty.Unknown):
        element = ty.UNKNOWN
    return set_type(typer, join_all(typer, node.items, scope, element), node)


def set_type(typer: Typer, element: ty.Type, node: ast.Expression, built: bool = False) -> ty.Type:
    """Type of a set with this element type: single values, numbers from 0 up; if `built`, sets as well."""
    core = ty.bare(element)
    if not built and ty.element_of(core) is not None and not isinstance(core, ty.Unknown):
        only = node.items[0] if isinstance(node, ast.SetOf) and len(node.items) == 1 else None
        new = Replacement(node.span, only.span.text) if isinstance(only, ast.Range) else None
        helps = [f"write a range without braces: `{new.text}`" if new else "join sets with `+`"]
        typer.context.error("E0339", f"a set cannot contain {core}", node, helps, new=new)
        return ty.UNKNOWN
    if isinstance(core, ty.Number) and (core.low < 0 or core.high > MAX_MEMBER):
        helps = ["if it always stays in a smaller range, declare that: `define … -> 0..99: …`"]
        message = f"numbers in a set go from 0 to {MAX_MEMBER}, found {_with_ends(core)}"
        typer.context.error("E0344", message, node, helps)
        core = ty.Number(0, MAX_MEMBER)
    return ty.several(core)


def range_type(typer: Typer, node: ast.Range, scope: Scope) -> ty.Type:
    """Type of `1..7` and `n..count hand[me]`: from the lowest possible beginning to the highest possible end."""
    types = [typer.infer(end, scope) for end in (node.low, node.high)]
    if not all(map(ty.numeric, types)):
        for end, type_ in zip((node.low, node.high), types, strict=True):
            number_range(typer, type_, end)
        return ty.UNKNOWN
    low, high = (number_range(typer, type_, end) for end, type_ in zip((node.low, node.high), types, strict=True))
    if low.low > high.high:
        message = f"the range {node.span.text} is empty"
        if node.numbers is None:
            message = f"{message}: it begins at {low.low} or later, and ends at {high.high} or earlier"
        helps = [f"write `{high.high}..{low.low}`"] if node.numbers is not None else []
        typer.context.error("E0305", message, node, helps)
        return ty.Several(ty.Number(0, 0))  # so that nothing else is reported about it
    return set_type(typer, ty.Number(low.low, high.high), node)


def join_all(
    typer: Typer, nodes: Sequence[ast.Expression], scope: Scope, expected: ty.Type | None, first: Scope | None = None
) -> ty.Type:
    """The common type of several values, inferred separately; `first` is the scope of the first one."""
    result: ty.Type = ty.UNKNOWN
    for index, node in enumerate(nodes):
        hint = expected if isinstance(result, ty.Unknown) else result
        type_ = ty.settled(typer.infer(node, scope if index or first is None else first, hint))
        joined = ty.join(result, type_) or common_type(result, type_, expected)
        if joined is None:
            message = f"cannot combine {result} with {type_}"
            typer.context.error("E0316", message, node, causes=[about(typer, node, result)])
        else:
            result = joined
    return result


def common_type(a: ty.Type, b: ty.Type, expected: ty.Type | None) -> ty.Type | None:
    """The expected type, if it is a union that both types belong to."""
    core = ty.bare(expected) if expected is not None else None
    if core is None or not (ty.part_of(ty.bare(a), core) and ty.part_of(ty.bare(b), core)):
        return None
    return ty.maybe(core) if isinstance(a, ty.Maybe) or isinstance(b, ty.Maybe) else core


def value_type(typer: Typer, node: ast.Expression, scope: Scope) -> ty.Type:
    """Type of a value that `let` names."""
    type_ = ty.settled(typer.infer(node, scope))
    if not ty.known(type_) and not isinstance(ty.bare(type_), ty.Unknown):
        report_unknown_element(typer.context, node)
        return ty.UNKNOWN
    return type_


def _with_ends(number: ty.Number) -> str:
    """A range of numbers in words, where its ends matter."""
    if number.low == number.high:
        return str(number)
    if number.high < ty.FAR and number.low > -ty.FAR:
        return f"a number in {number.low}..{number.high}"
    return f"a number from {number.low} up" if number.low > -ty.FAR else "any number"


def report_unknown_element(context: Context, node: ast.Node) -> None:
    """Report a set whose element type cannot be inferred: it is empty, or holds only none."""
    helps = ["declare a note with its type: `note marked: several Section = {}`"]
    what = "set" if isinstance(node, ast.SetOf) and node.items else "empty set"
    context.error("E0340", f"cannot infer the element type of this {what}", node, helps)


# ---------------- choices of several elements: `handfuls(S, a, b)`, and `choose N xs from S`


def is_handfuls(node: ast.Node | None) -> bool:
    """True if an expression is `handfuls(...)`."""
    return isinstance(node, ast.Call) and isinstance(node.base, ast.Name) and node.base.name == HANDFULS


def taken_from(node: ast.Expression) -> ast.Expression:
    """The set that elements are chosen from: S of `handfuls(S, a, b)`, or the expression itself."""
    return node.arguments[0] if isinstance(node, ast.Call) and is_handfuls(node) else node


def check_sizes(context: Context, node: ast.Call, types: Sequence[ty.Type]) -> None:
    """Report `handfuls` whose sizes allow no choice, whatever the set."""
    fewest, most = (ty.bare(type_) for type_ in types[1:])
    if isinstance(fewest, ty.Number) and isinstance(most, ty.Number) and (fewest.low > most.high or most.high < 0):
        context.error("E0305", f"no choice has {fewest.low} to {most.high} members", node)


def check_written_order(context: Context, node: ast.Call, elements: ty.Type | None) -> None:
    """Warn of `nth(n, {5, 3, 2})`: a set has the order of its type, in whatever order it is written."""
    written = node.arguments[-1]
    if not isinstance(written, ast.SetOf):
        return
    words = [item.span.text for item in written.items]
    symbol = context.model.type_symbols.get(elements.name) if isinstance(elements, ty.Listed) else None
    ordered = [str(member) for member in symbol.members] if symbol is not None else []
    if all(isinstance(item, ast.Number) for item in written.items):
        ordered = sorted(words, key=int)
    if not set(words) <= set(ordered) or words == (meant := sorted(words, key=ordered.index)):
        return
    new = Replacement(written.span, f"{{{', '.join(meant)}}}")
    helps = [f"its members are in the order of their type: `{new.text}`"]
    helps.append("to say what belongs to each number, write a definition with cases, or a type with columns")
    message = f"`{node.base.span.text}` does not follow the order in which this set is written"
    context.error("E0348", message, written, helps, new=new, severity="warning")


def check_amount(typer: Typer, node: ast.Choose, amount: ast.Amount, scope: Scope) -> None:
    """Report a number of elements to choose that is none, and bounds that no number meets."""
    fewest = None if amount.fewest is None else expect_number(typer, amount.fewest, scope)
    most = expect_number(typer, amount.most, scope)
    if most.high <= 0:
        message = "this chooses nothing: the number is 0"
        typer.context.error("E0305", message, node, ["remove this choice"])
    elif fewest is not None and fewest.low > most.high:
        literal = isinstance(amount.fewest, ast.Number) and isinstance(amount.most, ast.Number)
        new = Replacement(amount.span, f"{most.high} to {fewest.low}") if literal else None
        helps = [f"write the smaller number first: `{new.text}`"] if new else []
        typer.context.error("E0305", f"no choice has {fewest.low} to {most.high} members", amount, helps, new=new)
    elif fewest is not None and fewest.high <= 0:
        start = node.span.start
        text = node.span.source.text[start : amount.span.start].replace("must", "may", 1)
        new = Replacement(Span(node.span.source, start, amount.span.end), f"{text}up to {amount.most.span.text}")
        message = "this has no lower bound: the number is 0"
        typer.context.error("E0305", message, amount, [f"write `{new.text}`"], new=new)


def choice_type(typer: Typer, node: ast.Choose | ast.Pick, element: ty.Type) -> ty.Type:
    """Type of a choice of several elements: a set."""
    if isinstance(element, ty.Unknown):
        return ty.UNKNOWN
    return set_type(typer, element, node.domain)
