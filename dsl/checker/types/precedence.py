"""Expressions that bind more tightly or less tightly than intended, corrected by brackets or a repeated comparison."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.diagnostics import Replacement
from dsl.text.span import Span


def leading_count(node: ast.Arithmetic) -> ast.Count | None:
    """Find the `count` whose set may have been meant to extend over an operator: `count a & b`."""
    operand = node.left
    while isinstance(operand, ast.Arithmetic) and operand.operator == node.operator:
        operand = operand.left
    while isinstance(operand, ast.Arithmetic | ast.Negative):
        operand = operand.right if isinstance(operand, ast.Arithmetic) else operand.operand
    return operand if isinstance(operand, ast.Count) else None


def joined(node: ast.Arithmetic, count: ast.Count) -> list[ast.Expression]:
    """The sets that are joined if `count` was meant to count all of them."""
    sets = [node.right]
    operand = node.left
    while isinstance(operand, ast.Arithmetic) and operand.operator == node.operator:
        sets.insert(0, operand.right)
        operand = operand.left
    return [count.operand, *sets]


def counted_together(node: ast.Arithmetic, count: ast.Count) -> Replacement | None:
    """Replace `count a & b` by `count (a & b)`; None if there are brackets already."""
    span = Span(count.span.source, count.span.start, node.span.end)
    sets = span.text.removeprefix("count").strip()
    return Replacement(span, f"count ({sets})") if _balanced(sets) else None


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


Computation = ast.Arithmetic | ast.Division


def overlong_domain(binders: Sequence[ast.Binder], where: ast.Expression | None) -> Computation | None:
    """Find the sum that has absorbed the set after `in`: `in S + 1`."""
    domain = binders[-1].domain if binders and where is None else None
    while isinstance(domain, Computation) and isinstance(domain.left, Computation):
        domain = domain.left
    if not isinstance(domain, Computation):
        return None
    if isinstance(domain, ast.Division):
        return domain
    number = isinstance(domain.right, ast.Number | ast.Count | ast.Aggregate)
    return domain if domain.operator == "*" or number else None


def bracketed(expression: ast.Node, part: Computation) -> Replacement | None:
    """Add brackets that end an expression before the operator of a part of it."""
    source = expression.span.source
    between = source.text[part.left.span.end : part.right.span.start]
    if "(" in between or ")" in between:
        return None
    span = Span(source, expression.span.start, part.left.span.end)
    return Replacement(span, f"({span.text})")


def repeated_comparison(condition: ast.Expression, value: ast.Expression) -> str | None:
    """Repeat a comparison: `c is b` for the b of `c is a or b`; None if nothing before it is compared with a value."""
    while isinstance(condition, ast.And | ast.Or):
        right = condition.right
        if isinstance(right, ast.Compare) or not isinstance(right, ast.Name | ast.Number):
            condition = right
        else:
            condition = condition.left
    if isinstance(condition, ast.Not):
        condition = condition.operand
    plain = isinstance(value, ast.Name | ast.Number | ast.Call)
    if not isinstance(condition, ast.Compare) or condition.operator not in ("is", "is not") or not plain:
        return None
    return f"{condition.left.span.text} {condition.operator} {value.span.text}"
