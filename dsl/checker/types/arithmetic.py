"""Types of `+`, `-`, `*`, `/` and `&` on numbers and sets.

The type of a number is its range: `a + b` of `1..3` and `0..5` is `1..8`. The range of a note or parameter decides
whether a check at run time is needed, so ranges may be too wide but never too narrow. The extremes of a product are
among the products of the extremes; beyond `FAR`, ranges are unknown.

The same signs work on sets, and much of this module is about what an author meant where they do not: `count a & b`
counts `a` alone, `hand + card` lacks braces, `4 - n of red` lacks brackets. Such a message comes with the line as it
should be, if it is certain (`Replacement`).
"""

from __future__ import annotations

from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope
from dsl.checker.names.declarations import PREDECLARED
from dsl.checker.names.functions import FUNCTIONS, quotients, spanning
from dsl.checker.types.comparisons import has_order
from dsl.checker.types.corrections import counted_together, joined, leading_count
from dsl.checker.types.expectations import about, expect_number, number_range
from dsl.checker.types.piece_kinds import attributes_of
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.symbols import LocalSymbol, PieceSymbol, ZoneSymbol
from dsl.text.span import Span


def arithmetic_type(typer: Typer, node: ast.Arithmetic, scope: Scope, expected: ty.Type | None) -> ty.Type:
    """Type of `+`, `-`, `*` on numbers and `+`, `-`, `&` on sets."""
    count = leading_count(node)
    if count is not None and node.operator == "&":
        return _counted(typer, node, count, scope)
    left = typer.infer(node.left, scope, expected)
    if ty.element_of(left) is not None and not isinstance(left, ty.Unknown):
        return _sets(typer, node, left, scope)
    if node.operator == "&":
        typer.infer(node.right, scope)
        if not isinstance(left, ty.Unknown):
            helps = ["write `and` between conditions"] if left == ty.TRUTH else []
            typer.context.error("E0320", f"expected a set before `&`, found {left}", node, helps)
        return ty.UNKNOWN
    # The error on the left is reported. What the sum is follows from the right side, so that no other error results
    # from it.
    if isinstance(left, ty.Unknown):
        right = typer.infer(node.right, scope)
        return ty.ANY_NUMBER if ty.numeric(right) and not isinstance(right, ty.Unknown) else ty.UNKNOWN
    right = typer.infer(node.right, scope)
    both = counted_together(node, count) if count is not None and ty.element_of(right) is not None else None
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
        case "*":
            return spanning(x * y for x in (a.low, a.high) for y in (b.low, b.high))
        case _ as never:
            assert_never(never)


def _beside(typer: Typer, node: ast.Arithmetic, left: ty.Type) -> list[str]:
    """Suggest `next(v)` instead of `v + 1`."""
    neighbours = {"+": "next", "-": "previous"}
    by_one = isinstance(node.right, ast.Number) and node.right.value == 1
    if not by_one or node.operator not in neighbours or not has_order(typer.context.model, left):
        return []
    return [f"for the value beside it, write `{neighbours[node.operator]}({node.left.span.text})`"]


def division_type(typer: Typer, node: ast.Division, scope: Scope) -> ty.Number:
    """Type of `a / b rounded up`."""
    dividend, divisor = expect_number(typer, node.left, scope), expect_number(typer, node.right, scope)
    check_divisor(typer.context, node.right, divisor)
    return quotients(dividend, divisor, node.rounded == "up")


def check_divisor(context: Context, node: ast.Expression, type_: ty.Type) -> None:
    """Report a divisor that is certainly 0."""
    if type_ == ty.Number(0, 0):
        context.error("E0347", "nothing can be divided by 0", node)


def _counted(typer: Typer, node: ast.Arithmetic, count: ast.Count, scope: Scope) -> ty.Type:
    """Type of `count a & b`, where only `a` is counted."""
    types = [typer.infer(operand, scope) for operand in joined(node, count)]
    if any(isinstance(type_, ty.Unknown) for type_ in types):
        return ty.UNKNOWN
    if any(ty.element_of(type_) is None for type_ in types):
        message = "`&` takes a set on each side: it keeps what is in both"
        typer.context.error("E0320", message, node, ["write `and` between conditions"])
        return ty.UNKNOWN
    new = counted_together(node, count)
    helps = [f"write `{new.text}`"] if new else ["write `count (… & …)`"]
    message = f"`count` applies only to `{count.operand.span.text}` here: add brackets"
    typer.context.error("E0134", message, new.span if new else node, helps, new=new)
    return ty.ANY_NUMBER


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


def _sets(typer: Typer, node: ast.Arithmetic, left: ty.Type, scope: Scope) -> ty.Type:
    right = typer.infer(node.right, scope, left)
    if isinstance(right, ty.Unknown):
        return ty.Several(ty.element_of(left) or ty.UNKNOWN)
    elements = ty.element_of(left), ty.element_of(right)
    if node.operator == "*" or elements[1] is None:
        single = elements[1] is None and node.operator != "*" and ty.comparable(right, elements[0] or ty.UNKNOWN)
        new = Replacement(node.right.span, f"{{{node.right.span.text}}}") if single else None
        helps = [f"write a set of one as `{new.text}`"] if new else []
        by_number = node.operator == "*" and ty.numeric(right)
        if isinstance(node.left, ast.Range) and (by_number or (single and node.left.numbers is None)):
            low, high = node.left.low.span.text, node.left.high.span.text
            new = Replacement(node.span, f"{low}..({high} {node.operator} {node.right.span.text})")
            helps = [f"put a computed end in brackets: `{new.text}`"]
        message = f"cannot use `{node.operator}` on {left} and {right}"
        typer.context.error("E0320", message, node, helps, new=new)
        return ty.UNKNOWN
    if isinstance(elements[0], ty.Several):
        helps, fix = _of_sets_of_sets(typer, node, scope)
        typer.context.error("E0320", f"cannot use `{node.operator}` on {left}", node, helps, new=fix)
        return ty.UNKNOWN
    joined = ty.join(ty.Several(elements[0] or ty.UNKNOWN), ty.Several(elements[1]))
    if joined is None:
        message = f"cannot combine {left} with {right}"
        causes = [about(typer, node.left, right), about(typer, node.right, left)]
        both = f"count {node.left.span.text} + count {node.right.span.text}"
        helps = [f"for how many there are in both together, write `{both}`"] if node.operator == "+" else []
        typer.context.error("E0316", message, node.right, helps, causes=causes)
        return ty.UNKNOWN
    _check_brackets(typer.context, node)
    return joined


def _check_brackets(context: Context, node: ast.Arithmetic) -> None:
    """Warn of `a + b & c`, which is read from left to right by those who do not know that `&` comes first."""
    common, source = node.right, node.span.source
    if node.operator not in ("+", "-") or not isinstance(common, ast.Arithmetic) or common.operator != "&":
        return
    # Other nodes than those that are written have no sign in the text.
    sign = source.text.find("&", common.left.span.end, common.right.span.start)
    if sign < 0 or "(" in Span(source, node.left.span.end, common.span.start).text:
        return
    from_left = f"({Span(source, node.span.start, sign).text.rstrip()}) {Span(source, sign, node.span.end).text}"
    new = Replacement(common.span, f"({common.span.text})")
    helps = [f"if that is meant, say so by brackets: `{new.text}`", f"if not, write `{from_left}`"]
    message = f"`&` comes before `{node.operator}`: `{common.span.text}` belongs together"
    context.error("E0134", message, node, helps, new=new, severity="warning")


# ---------------- corrections for moves that do not fit: pieces that the zone does not hold, or a set where one
# piece is needed


NAMES = ("c", "x", "y", "a", "b")
"""Candidate names for a piece in a correction; the first free one is taken."""


def free_name(context: Context, scope: Scope) -> str:
    """A name that is free for a piece here."""
    used_names = {*scope.visible(), *context.globals, *context.values, *context.families, *PREDECLARED, *FUNCTIONS}
    return next((name for name in (*NAMES, *(f"c{n}" for n in range(1, 99))) if name not in used_names), "piece_moved")


def fitting_pieces(
    context: Context, node: ast.Move, moved: ty.PieceType, target: ty.Contents, scope: Scope
) -> tuple[list[str], Replacement | None]:
    """Restrict a move to the pieces that fit the zone, and suggest how the zone would hold all of them."""
    wider = " or ".join(sorted(moved.piece_types | target.pieces.piece_types))
    helps = [f"or let the zone hold them too: `holds {wider}`"]
    common = sorted(moved.piece_types & target.pieces.piece_types)
    if len(common) != 1:
        return [helps[0].removeprefix("or ")], None
    fix = _restricted(context, node, common[0], scope)
    return ([f"move only `{common[0]}`: `{fix.text}`", *helps] if fix is not None else helps), fix


def _restricted(context: Context, node: ast.Move, piece: str, scope: Scope) -> Replacement | None:
    """Rewrite the moved part so that only pieces of one type move."""
    what = node.what
    if node.source is not None:
        return Replacement(what.span, f"{what.span.text} of {piece}") if isinstance(what, ast.Number) else None
    domain: ast.Expression | None = None
    symbol = context.model.refers.get(what.number)
    bound = symbol.node if isinstance(symbol, LocalSymbol) else None
    if isinstance(what, ast.Quantified | ast.Best):
        domain = what.binders[0].domain if isinstance(what, ast.Quantified) else what.binder.domain
    elif isinstance(bound, ast.Binder) or (isinstance(bound, ast.Parameter) and bound.domain is not None):
        domain = bound.domain
    if domain is not None:
        return Replacement(domain.span, f"{domain.span.text} of {piece}") if _short(domain) else None
    type_ = context.model.types.get(what.number)
    if _short(what) and isinstance(type_, ty.Contents | ty.Several) and not _one(type_):
        return Replacement(what.span, f"{what.span.text} of {piece}")
    if isinstance(what, ast.Call) and len(what.arguments) == 1 and _short(what.arguments[0]):
        name, zone = free_name(context, scope), what.arguments[0].span.text
        return Replacement(what.span, f"(the {name} in {zone} of {piece} where {name} is {what.span.text})")
    return None


def single_piece(context: Context, node: ast.Move, type_: ty.Type | None, scope: Scope) -> Replacement | None:
    """Replace a type, a zone or a set by one piece, where a piece is placed before or after another."""
    name, what = free_name(context, scope), node.what
    if node.source is None:
        several = isinstance(type_, ty.Several | ty.Contents)
        return Replacement(what.span, f"(the {name} in {what.span.text})") if several and _short(what) else None
    span = what.span.to(node.source.span)
    if isinstance(what, ast.Of) and what.whole.span.text == "1" and _short(node.source):
        return Replacement(span, f"(the {name} in {node.source.span.text} of {what.part.span.text})")
    if isinstance(what, ast.Number) and what.value == 1 and _short(node.source):
        shape = getattr(context.model.types.get(node.source.number), "shape", "")
        end = {"stack": "top", "row": "first"}.get(shape)
        zone = node.source.span.text
        return Replacement(span, f"{end}({zone})" if end else f"(the {name} in {zone})")
    return None


def piece_of_kind(context: Context, node: ast.Move, type_: ty.Type, target: ty.Contents | None, scope: Scope) -> str:
    """Find one piece of the kind that a value describes, if only one piece type is possible; empty otherwise."""
    core = ty.bare(type_)
    possible = [
        piece
        for piece in (sorted(target.pieces.piece_types) if target is not None else [])
        if isinstance(core, ty.Listed)
        and any(
            ty.bare(attribute) == core or ty.overlap(ty.bare(attribute), core)
            for attribute in attributes_of(context, ty.PieceType(frozenset({piece}))).values()
        )
    ]
    if len(possible) != 1 or not isinstance(node.what, ast.Name | ast.Call):
        return ""
    return f"(the {free_name(context, scope)} in {possible[0]} of {node.what.span.text})"


def without_from(context: Context, node: ast.Move) -> tuple[list[str], Replacement | None]:
    """Correct a piece, or a piece type, written where a number is needed."""
    assert node.source is not None
    what = node.what.span.text
    if isinstance(context.model.refers.get(node.what.number), PieceSymbol):
        return [f"write `1 of {what}`"], Replacement(node.what.span, f"1 of {what}")
    fix = Replacement(node.what.span.to(node.source.span), what)
    return [f"move a piece without `from`: `move {what} to {node.target.span.text}`"], fix


def computed_number(typer: Typer, node: ast.Move, scope: Scope) -> bool:
    """Report `4 - n of red`, where `of` applies to `n` alone; True if that is what is moved.

    Also `4 - count hand[me] of deck`, where `of` applies to what is counted, and no pieces are in a zone of others.
    """
    last = node.what
    while isinstance(last, ast.Arithmetic):
        last = last.right
    counted = isinstance(last, ast.Count)
    if isinstance(last, ast.Count):
        last = last.operand
    if last is node.what or not isinstance(last, ast.Of):
        return False
    if counted and not (node.source is None and names_zone(typer.context, last.part)):
        return False
    if not counted and not ty.numeric(typer.infer(last.whole, scope)):
        return False
    number = Span(node.span.source, node.what.span.start, last.whole.span.end).text
    if node.source is None and names_zone(typer.context, last.part):
        from_zone(typer.context, node, number, last.part)
        return True
    new = f"({number}) of {last.part.span.text}"
    source = node.source.span.text if node.source is not None else "…"
    typer.context.error(
        "E0134",
        f"`of` applies only to `{last.whole.span.text}` here: add brackets",
        node.what,
        [f"write `move {new} from {source} to {node.target.span.text}`"],
        new=new if node.source is not None else None,
    )
    return True


def all_of_zone(context: Context, node: ast.Move) -> bool:
    """Report `move all of hand[me] to deck` and `move all from hand[me] to deck`; True if that is what is written."""
    zone: ast.Expression | None = node.source
    amount = node.what
    if zone is None and isinstance(amount, ast.Of):
        zone, amount = amount.part, amount.whole
    if zone is None or not isinstance(amount, ast.Name) or amount.name != "all" or not names_zone(context, zone):
        return False
    at = node.what.span.to(zone.span)
    new = f"move {zone.span.text} to {node.target.span.text}"
    context.error("E0336", "`all` is no number of pieces", at, [f"write `{new}`"], new=Replacement(at, zone.span.text))
    return True


def names_zone(context: Context, node: ast.Expression) -> bool:
    """True for the name of a zone, with its index or without."""
    base = node.base if isinstance(node, ast.Index) else node
    return isinstance(base, ast.Name) and isinstance(context.globals.get(base.name), ZoneSymbol)


def from_zone(context: Context, node: ast.Move, number: str, zone: ast.Expression) -> None:
    """Report `move 3 of deck`, where a zone follows `of`."""
    new = f"{number} from {zone.span.text}"
    message, helps = "a zone comes after `from`, not after `of`", [f"write `move {new} to {node.target.span.text}`"]
    context.error("E0332", message, node.what, helps, new=new)


def _short(node: ast.Expression) -> bool:
    """True if a following `of` certainly applies to all of it."""
    return isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call)


def _one(type_: ty.Type) -> bool:
    return isinstance(type_, ty.Contents) and type_.shape == "one"
