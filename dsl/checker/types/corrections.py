"""Corrections for mistakes in expressions that have one likely meaning."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.types.piece_kinds import attributes_of, kind_of, pieces_in, values_of
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.text.span import Span
from dsl.types import PLAYER, TRUTH, Listed, Number, PieceType, Type, bare, numeric, overlap


def index_help(context: Context, name: str, scope: Scope, index: Sequence[Type], where: str) -> list[str]:
    """Suggest an index for a zone or note that lacks one; `where` is `setup`, `example` or something else."""
    if tuple(index) != (PLAYER,):
        return [f"write `{name}[{', '.join('…' for _ in index)}]`"]
    seats = [seat for seat in scope.visible() if (local := scope.find(seat)) is not None and local.type == PLAYER]
    if seats:
        return [f"name the seat: `{name}[{seats[0]}]`"]
    if where == "setup":
        return [f"go through the seats: `for each p in Player: … {name}[p]`"]
    seat = context.model.seats[0] if where == "example" else "me"
    return [f"name the seat: `{name}[{seat}]`, or another one"]


def function_of(node: ast.Attribute, base: Type) -> Replacement | None:
    """Replace `deck.top` by `top(deck)`, if the function accepts what is before the dot."""
    if node.name not in FUNCTIONS or FUNCTIONS[node.name][1]([base]) is None:
        return None
    return Replacement(node.span, f"{node.name}({node.base.span.text})")


def kind_after_a_dot(context: Context, node: ast.Attribute, base: Type) -> Replacement | None:
    """Replace `hand[me].kings` by `hand[me] of king`, if it is a value that these pieces can have."""
    pieces = pieces_in(base)
    if pieces is None or isinstance(bare(base), PieceType):
        return None
    kinds = values_of(context, attributes_of(context, pieces))
    word = next((word for word in (node.name, node.name.removesuffix("s")) if word in kinds), None)
    return Replacement(node.span, f"{node.base.span.text} of {word}") if word is not None else None


def function_before(node: ast.Pattern) -> Replacement | None:
    """Replace `top deck` by `top(deck)`."""
    if node.amount is not None or len(node.words) != 2 or node.words[0].span.text not in FUNCTIONS:
        return None
    function, what = node.words
    return Replacement(node.span, f"{function.span.text}({what.span.text})")


_OPERATIONS = {"mod": "remainder({}, {})", "modulo": "remainder({}, {})", "div": "{} / {} rounded down"}


def operation_of(node: ast.Pattern) -> Replacement | None:
    """Replace `n mod k` by `remainder(n, k)`."""
    words = [str(node.amount)] * (node.amount is not None) + [word.span.text for word in node.words]
    written = _OPERATIONS.get(words[1]) if len(words) == 3 else None
    return Replacement(node.span, written.format(words[0], words[2])) if written else None


def kind_among(context: Context, node: ast.Compare, left: Type, right: Type) -> Replacement | None:
    """Replace `king is in hand[me]` by `hand[me] of king is not empty`: a kind is not a member of a set of pieces."""
    pieces, core = pieces_in(right), bare(left)
    plain = isinstance(node.left, ast.Name | ast.Call) and isinstance(node.right, ast.Name | ast.Index | ast.Call)
    if pieces is None or not plain or not isinstance(core, Listed):
        return None
    names = [
        name
        for name, type_ in attributes_of(context, pieces).items()
        if bare(type_) == core or overlap(bare(type_), core)
    ]
    test = "is not empty" if node.operator == "is in" else "is empty"
    text = f"{node.right.span.text} of {node.left.span.text} {test}"
    return Replacement(node.span, text) if len(names) == 1 else None


def kind_in_words(context: Context, node: ast.Of, whole: Type) -> Replacement | None:
    """Replace `five of clubs` by `five clubs`, if some pieces have both values as attributes."""
    values = context.values.get(node.part.name, []) if isinstance(node.part, ast.Name) else []
    for piece in context.model.pieces.values():
        types = [bare(type_) for type_ in piece.attributes.values()]
        rest = [type_ for type_ in types if not (type_ == bare(whole) or overlap(type_, bare(whole)))]
        if len(rest) < len(types) and any(value.type in rest for value in values):
            return Replacement(node.span, f"{node.whole.span.text} {node.part.span.text}")
    return None


def numbered_kind(context: Context, number: int, word: ast.Expression) -> tuple[str, str]:
    """What stands for `9 of clubs`: a condition of a piece c with these values, and the pieces with them as a set.

    Empty texts if no pieces have both as attributes. `9 clubs` would be nine of them.
    """
    values = context.values.get(word.name, []) if isinstance(word, ast.Name) else []
    for piece in context.model.pieces.values():
        types = {name: bare(type_) for name, type_ in piece.attributes.items()}
        numbers = [
            name
            for name, type_ in types.items()
            if (isinstance(type_, Number) and type_.low <= number <= type_.high)
            or (isinstance(type_, Listed) and number in context.model.type_symbols[type_.name].members)
        ]
        words = [name for name, type_ in types.items() if any(value.type == type_ for value in values)]
        if len(numbers) == len(words) == 1:
            condition = f"c.{numbers[0]} is {number} and c.{words[0]} is {word.span.text}"
            return condition, f"{{c in {piece.name} where {condition}}}"
    return "", ""


def one_kind_of(typer: Typer, node: ast.Expression, pieces: PieceType, scope: Scope) -> bool:
    """Read an expression as a kind where no amount can stand: `9 clubs` are nine of them, and not the nine."""
    good = kind_of(typer, node, pieces, scope)
    if not isinstance(node, ast.Pattern) or node.amount is None or not good:
        return good
    condition, such_pieces = (
        numbered_kind(typer.context, node.amount, node.words[0]) if len(node.words) == 1 else ("", "")
    )
    helps = ["write the kind without a number"]
    if condition:
        helps = [f"compare the values of a piece: `{condition}`", f"all such pieces are a set: `{such_pieces}`"]
    typer.context.error("E0322", f"`{node.span.text}` is an amount, where one kind is expected", node, helps)
    return False


def piece_called(context: Context, node: ast.Call) -> str:
    """What stands for `Card(five, clubs)`: `five clubs`, or for a number a set; empty if the arguments are others."""
    attributes, arguments = context.model.pieces[node.base.span.text].attributes, node.arguments
    texts = [argument.span.text for argument in arguments]
    if not all(isinstance(argument, ast.Name | ast.Number) for argument in arguments) or not arguments:
        return ""
    if not any(isinstance(argument, ast.Number) for argument in arguments):
        return " ".join(texts)
    if len(arguments) != len(attributes):
        return ""
    conditions = [f"c.{name} is {text}" for name, text in zip(attributes, texts, strict=True)]
    return f"{{c in {node.base.span.text} where {' and '.join(conditions)}}}"


def number_of(context: Context, node: ast.Expression, type_: Type) -> Replacement | None:
    """Replace `c.rank` by `c.rank.height`, if the values have exactly one column of numbers."""
    core = bare(type_)
    symbol = context.model.type_symbols.get(core.name) if isinstance(core, Listed) else None
    columns = [name for name, column in symbol.attributes.items() if numeric(column)] if symbol is not None else []
    short = isinstance(node, ast.Name | ast.Attribute | ast.Index | ast.Call)
    return Replacement(node.span, f"{node.span.text}.{columns[0]}") if len(columns) == 1 and short else None


# ---------------- expressions that bind more tightly or less tightly than intended, corrected by brackets or a
# repeated comparison


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


def before_comparison(counting: ast.Node, comparison: ast.Compare) -> Replacement | None:
    """Add brackets that end an expression before a comparison in its condition."""
    span = Span(counting.span.source, counting.span.start, comparison.span.end)
    left = Span(span.source, span.start, comparison.left.span.end)
    rest = Span(span.source, left.end, span.end)
    if counting.span.end > span.end or not _balanced(left.text):
        return None
    return Replacement(span, f"({left.text}){rest.text}")


def compares_condition(context: Context, node: ast.Quantified | ast.Aggregate) -> bool:
    """Whether the last condition after `where` compares a truth with a number, which is another error."""
    if node.where is None:
        return False
    last = ast.conjuncts(node.where)[-1]
    types = context.model.types
    return (
        isinstance(last, ast.Compare)
        and types.get(last.left.number) == TRUTH
        and isinstance(types.get(last.right.number), Number)
    )


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
