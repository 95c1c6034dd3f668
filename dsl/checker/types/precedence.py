"""Expressions that bind more tightly or less tightly than intended, corrected by brackets or a repeated comparison."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.diagnostics import Replacement
from dsl.text.span import Span


def leading_count(node: ast.Arithmetic) -> ast.Count | None:
    """Find the `count` whose set may have been meant to extend over an operator: `count a & b`."""
    left = node.left
    while isinstance(left, ast.Arithmetic) and left.operator == node.operator:
        left = left.left
    while isinstance(left, ast.Arithmetic | ast.Negative):
        left = left.right if isinstance(left, ast.Arithmetic) else left.operand
    return left if isinstance(left, ast.Count) else None


def joined(node: ast.Arithmetic, count: ast.Count) -> list[ast.Expression]:
    """The sets that are joined if `count` was meant to count all of them."""
    found = [node.right]
    left = node.left
    while isinstance(left, ast.Arithmetic) and left.operator == node.operator:
        found.insert(0, left.right)
        left = left.left
    return [count.operand, *found]


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


def bracketed(whole: ast.Node, part: Computation) -> Replacement | None:
    """Add brackets that end an expression before the operator of a part of it."""
    source = whole.span.source
    between = source.text[part.left.span.end : part.right.span.start]
    if "(" in between or ")" in between:
        return None
    span = Span(source, whole.span.start, part.left.span.end)
    return Replacement(span, f"({span.text})")


def repeated_comparison(before: ast.Expression, value: ast.Expression) -> str | None:
    """Repeat a comparison: `c is b` for the b of `c is a or b`; None if nothing before it is compared with a value."""
    while isinstance(before, ast.And | ast.Or):
        right = before.right
        if isinstance(right, ast.Compare) or not isinstance(right, ast.Name | ast.Number):
            before = right
        else:
            before = before.left
    if isinstance(before, ast.Not):
        before = before.operand
    plain = isinstance(value, ast.Name | ast.Number | ast.Call)
    if not isinstance(before, ast.Compare) or before.operator not in ("is", "is not") or not plain:
        return None
    return f"{before.left.span.text} {before.operator} {value.span.text}"
