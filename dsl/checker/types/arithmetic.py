"""Types of `+`, `-`, `*`, `/` and `&` on numbers and sets."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.names.number_ranges import quotients, spanning
from dsl.checker.types.causes import about
from dsl.checker.types.expectations import expect_number, number_range
from dsl.checker.types.move_corrections import free_name
from dsl.checker.types.orders import has_order
from dsl.checker.types.precedence import counted_together, joined, leading_count
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.types import ANY_NUMBER, TRUTH, UNKNOWN, Number, Several, Type, Unknown, comparable, element_of, join, numeric


def arithmetic_type(typer: Typer, node: ast.Arithmetic, scope: Scope, expected: Type | None) -> Type:
    """Type of `+`, `-`, `*` on numbers and `+`, `-`, `&` on sets."""
    count = leading_count(node)
    if count is not None and node.operator == "&":
        return _counted(typer, node, count, scope)
    left = typer.infer(node.left, scope, expected)
    if element_of(left) is not None and not isinstance(left, Unknown):
        return _sets(typer, node, left, scope)
    if node.operator == "&":
        typer.infer(node.right, scope)
        if not isinstance(left, Unknown):
            helps = ["write `and` between conditions"] if left == TRUTH else []
            typer.context.error("E0320", f"expected a set before `&`, found {left}", node, helps)
        return UNKNOWN
    if isinstance(left, Unknown):
        right = typer.infer(node.right, scope)
        return ANY_NUMBER if numeric(right) and not isinstance(right, Unknown) else UNKNOWN
    right = typer.infer(node.right, scope)
    both = counted_together(node, count) if count is not None and element_of(right) is not None else None
    helps = [f"or count both together: `{both.text}`"] if both and node.operator != "*" else []
    a, b = (
        number_range(typer, left, node.left, _beside(typer, node, left)),
        number_range(typer, right, node.right, helps),
    )
    match node.operator:
        case "+":
            return spanning((a.low + b.low, a.high + b.high))
        case "-":
            return spanning((a.low - b.high, a.high - b.low))
        case _:
            return spanning(x * y for x in (a.low, a.high) for y in (b.low, b.high))


def _beside(typer: Typer, node: ast.Arithmetic, left: Type) -> list[str]:
    """Suggest `next(v)` instead of `v + 1`."""
    neighbours = {"+": "next", "-": "previous"}
    by_one = isinstance(node.right, ast.Number) and node.right.value == 1
    if not by_one or node.operator not in neighbours or not has_order(typer.context.model, left):
        return []
    return [f"for the value beside it, write `{neighbours[node.operator]}({node.left.span.text})`"]


def division_type(typer: Typer, node: ast.Division, scope: Scope) -> Number:
    """Type of `a / b rounded up`."""
    dividend, divisor = expect_number(typer, node.left, scope), expect_number(typer, node.right, scope)
    check_divisor(typer.context, node.right, divisor)
    return quotients(dividend, divisor, node.rounded == "up")


def check_divisor(context: Context, node: ast.Expression, type_: Type) -> None:
    """Report a divisor that is certainly 0."""
    if type_ == Number(0, 0):
        context.error("E0347", "nothing can be divided by 0", node)


def _counted(typer: Typer, node: ast.Arithmetic, count: ast.Count, scope: Scope) -> Type:
    """Type of `count a & b`, where only `a` is counted."""
    types = [typer.infer(operand, scope) for operand in joined(node, count)]
    if any(isinstance(type_, Unknown) for type_ in types):
        return UNKNOWN
    if any(element_of(type_) is None for type_ in types):
        message = "`&` takes a set on each side: it keeps what is in both"
        typer.context.error("E0320", message, node, ["write `and` between conditions"])
        return UNKNOWN
    new = counted_together(node, count)
    helps = [f"write `{new.text}`"] if new else ["write `count (… & …)`"]
    message = f"`count` applies only to `{count.operand.span.text}` here: add brackets"
    typer.context.error("E0134", message, new.span if new else node, helps, new=new)
    return ANY_NUMBER


def _of_sets_of_sets(typer: Typer, node: ast.Arithmetic, scope: Scope) -> tuple[list[str], Replacement | None]:
    """Express `+`, `-`, `&` of two sets of sets by conditions on their members, and how to join these instead."""
    name, left, right = free_name(typer.context, scope), node.left.span.text, node.right.span.text
    join = "to join the inner sets: `{f for g in … with f in g}`"
    if node.operator == "+":
        form = f"{{{name} in … where {name} is in {left} or {name} is in {right}}}"
        return [f"write one set that contains both, with a condition: `{form}`", join], None
    short = isinstance(node.left, ast.Name | ast.Index | ast.Call | ast.Attribute)
    new = f"{{{name} in {left} where {name} is {'in' if node.operator == '&' else 'not in'} {right}}}"
    return [f"write `{new}`", join], Replacement(node.span, new) if short else None


def _sets(typer: Typer, node: ast.Arithmetic, left: Type, scope: Scope) -> Type:
    right = typer.infer(node.right, scope, left)
    if isinstance(right, Unknown):
        return Several(element_of(left) or UNKNOWN)
    elements = element_of(left), element_of(right)
    if node.operator == "*" or elements[1] is None:
        single = elements[1] is None and node.operator != "*" and comparable(right, elements[0] or UNKNOWN)
        new = Replacement(node.right.span, f"{{{node.right.span.text}}}") if single else None
        helps = [f"write a set of one as `{new.text}`"] if new else []
        message = f"cannot use `{node.operator}` on {left} and {right}"
        typer.context.error("E0320", message, node, helps, new=new)
        return UNKNOWN
    if isinstance(elements[0], Several):
        helps, fix = _of_sets_of_sets(typer, node, scope)
        typer.context.error("E0320", f"cannot use `{node.operator}` on {left}", node, helps, new=fix)
        return UNKNOWN
    joined = join(Several(elements[0] or UNKNOWN), Several(elements[1]))
    if joined is None:
        message = f"cannot combine {left} with {right}"
        causes = [about(typer, node.left, right), about(typer, node.right, left)]
        both = f"count {node.left.span.text} + count {node.right.span.text}"
        helps = [f"for how many there are in both together, write `{both}`"] if node.operator == "+" else []
        typer.context.error("E0316", message, node.right, helps, causes=causes)
        return UNKNOWN
    return joined
