"""Build functions for expressions."""

from __future__ import annotations

from typing import Literal, get_args

from lark import Token

from dsl import ast
from dsl.syntax.build_tree import Builder, BuildFunction, RuleSet, parse_number
from dsl.text.span import Span

EXPRESSIONS = RuleSet()
Expression = ast.Expression
Condition = ast.Expression | None
Binders = tuple[ast.Binder, ...]

# The words of the grammar as the literals of the nodes.
EXTREMES: dict[str, ast.Extreme] = {word: word for word in get_args(ast.Extreme)}
_AGGREGATES: dict[str, ast.AggregateFunction] = {word: word for word in get_args(ast.AggregateFunction)}
_ARITHMETIC: dict[str, ast.ArithmeticOperator] = {word: word for word in get_args(ast.ArithmeticOperator)}


@EXPRESSIONS.add("name")
def _name(b: Builder, span: Span, name: Token) -> ast.Name:
    return ast.Name(span=span, number=b.next(), name=str(name))


@EXPRESSIONS.add("int")
def _number(b: Builder, span: Span, digits: Token) -> ast.Number:
    return ast.Number(span=span, number=b.next(), value=parse_number(digits))


@EXPRESSIONS.add("text")
def _text(b: Builder, span: Span, text: Token) -> ast.Text:
    return b.text(text)


@EXPRESSIONS.add("range_")
def _range(b: Builder, span: Span, low: Token, high: Token) -> ast.Range:
    return ast.Range(span=span, number=b.next(), low=parse_number(low), high=parse_number(high))


@EXPRESSIONS.add("pattern")
def _pattern(b: Builder, span: Span, *words: Token) -> ast.Pattern:
    return ast.Pattern(span=span, words=tuple(b.name(word) for word in words), number=b.next(), amount=None)


@EXPRESSIONS.add("number_of")
def _number_of(b: Builder, span: Span, amount: Token, *words: Token) -> ast.Pattern:
    names = tuple(b.name(word) for word in words)
    return ast.Pattern(span=span, number=b.next(), amount=parse_number(amount), words=names)


@EXPRESSIONS.add("either")
def _either(b: Builder, span: Span, then: Expression, condition: Expression, otherwise: Expression) -> ast.Either:
    return ast.Either(span=span, number=b.next(), then=then, condition=condition, otherwise=otherwise)


@EXPRESSIONS.add("list_")
def _list(b: Builder, span: Span, *items: Expression | None) -> ast.ListOf:
    return ast.ListOf(span=span, number=b.next(), items=present(items))


@EXPRESSIONS.add("set_of")
def _set(b: Builder, span: Span, *items: Expression | None) -> ast.SetOf:
    return ast.SetOf(span=span, number=b.next(), items=present(items))


def present(children: tuple[Expression | None, ...]) -> tuple[Expression, ...]:
    """Drop the None that lark puts where an optional list is missing."""
    return tuple(child for child in children if child is not None)


@EXPRESSIONS.add("filter")
def _filter(b: Builder, span: Span, name: Token, domain: Expression, where: Condition) -> ast.Filter:
    end = domain.span.end
    if b.source.text[end : end + 1] == ")":  # the domain was in parentheses
        end = _after_parentheses(b, end, span.end)
    binder_span = Span(b.source, b.of_token(name).start, end)
    binder = ast.Binder(span=binder_span, number=b.next(), name=str(name), domain=domain)
    return ast.Filter(span=span, number=b.next(), binder=binder, where=where)


def _after_parentheses(b: Builder, start: int, end: int) -> int:
    while start < end and b.source.text[start] in ") \t":
        start += 1
    while b.source.text[start - 1] in " \t":
        start -= 1
    return start


@EXPRESSIONS.add("builder")
def _builder(b: Builder, span: Span, value: Expression, binders: Binders, where: Condition) -> ast.Builder:
    return ast.Builder(span=span, number=b.next(), value=value, binders=binders, where=where)


@EXPRESSIONS.add("index")
def _index(b: Builder, span: Span, base: Expression, *arguments: Expression) -> ast.Index:
    return ast.Index(span=span, number=b.next(), base=base, arguments=arguments)


@EXPRESSIONS.add("call")
def _call(b: Builder, span: Span, base: Expression, *arguments: Expression) -> ast.Call | ast.Pattern:
    if not isinstance(base, ast.Pattern) or b.source.text[base.span.end - 1] == ")":
        return ast.Call(span=span, number=b.next(), base=base, arguments=arguments)
    last = base.words[-1]  # `2 run(1)`: the arguments belong to the last word
    call_span = Span(span.source, last.span.start, span.end)
    call = ast.Call(span=call_span, number=b.next(), base=last, arguments=arguments)
    return ast.Pattern(span=span, number=b.next(), amount=base.amount, words=(*base.words[:-1], call))


@EXPRESSIONS.add("attr")
def _attribute(b: Builder, span: Span, base: Expression, name: Token) -> ast.Attribute:
    return ast.Attribute(span=span, number=b.next(), base=base, name=str(name))


@EXPRESSIONS.add("hypothesis")
def _hypothesis(b: Builder, span: Span, value: Expression, step: ast.Act) -> ast.Hypothesis:
    return ast.Hypothesis(span=span, number=b.next(), value=value, step=step)


@EXPRESSIONS.add("times")
def _times(b: Builder, span: Span, position: Token) -> ast.Times:
    return ast.Times(span=span, number=b.next(), position=b.name(position))


@EXPRESSIONS.add("of")
def _of(b: Builder, span: Span, whole: Expression, part: Expression) -> ast.Of:
    return ast.Of(span=span, number=b.next(), whole=whole, part=part)


# ---------------------------------------------------------------- operators


@EXPRESSIONS.add("count")
def _count(b: Builder, span: Span, operand: Expression) -> ast.Count:
    return ast.Count(span=span, number=b.next(), operand=operand)


@EXPRESSIONS.add("negative")
def _negative(b: Builder, span: Span, operand: Expression) -> ast.Negative:
    return ast.Negative(span=span, number=b.next(), operand=operand)


@EXPRESSIONS.add("not_")
def _not(b: Builder, span: Span, operand: Expression) -> ast.Not:
    return ast.Not(span=span, number=b.next(), operand=operand)


@EXPRESSIONS.add("and_")
def _and(b: Builder, span: Span, left: Expression, right: Expression) -> ast.And:
    return ast.And(span=span, number=b.next(), left=left, right=right)


@EXPRESSIONS.add("or_")
def _or(b: Builder, span: Span, left: Expression, right: Expression) -> ast.Or:
    return ast.Or(span=span, number=b.next(), left=left, right=right)


@EXPRESSIONS.add("compare")
def _compare(b: Builder, span: Span, left: Expression, operator: ast.Comparison, right: Expression) -> ast.Compare:
    return ast.Compare(span=span, number=b.next(), operator=operator, left=left, right=right)


OPERATORS: dict[str, ast.Comparison] = {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "is_": "is",
    "is_not": "is not",
    "is_in": "is in",
    "is_not_in": "is not in",
    "before": "before",
    "after": "after",
}
"""Comparisons by the grammar rule for the operator."""


def _comparison(operator: ast.Comparison) -> BuildFunction:
    def build(b: Builder, span: Span, word: Token | None = None) -> ast.Comparison:
        return operator

    return build


EXPRESSIONS.update({rule: _comparison(operator) for rule, operator in OPERATORS.items()})


@EXPRESSIONS.add("arith")
def _arithmetic(b: Builder, span: Span, left: Expression, operator: Token, right: Expression) -> ast.Arithmetic:
    return ast.Arithmetic(span=span, number=b.next(), operator=_ARITHMETIC[operator], left=left, right=right)


@EXPRESSIONS.add("division")
def _division(b: Builder, span: Span, left: Expression, right: Expression, rounded: Token) -> ast.Division:
    direction: Literal["up", "down"] = "up" if rounded.type == "ROUNDED_UP" else "down"
    return ast.Division(span=span, number=b.next(), left=left, right=right, rounded=direction)


# ---------------------------------------------------------------- quantifiers


@EXPRESSIONS.add("binder")
def _binder(b: Builder, span: Span, name: Token, domain: Expression) -> ast.Binder:
    return ast.Binder(span=span, number=b.next(), name=str(name), domain=domain)


@EXPRESSIONS.add("binders")
def _binders(b: Builder, span: Span, *binders: ast.Binder) -> Binders:
    return binders


@EXPRESSIONS.add("count_each")
def _count_each(b: Builder, span: Span, binders: Binders, where: Condition) -> ast.Quantified:
    return ast.Quantified(span=span, number=b.next(), quantifier="count", binders=binders, where=where)


@EXPRESSIONS.add("some")
def _some(b: Builder, span: Span, binders: Binders, where: Condition) -> ast.Quantified:
    return ast.Quantified(span=span, number=b.next(), quantifier="some", binders=binders, where=where)


@EXPRESSIONS.add("no")
def _no(b: Builder, span: Span, binders: Binders, where: Condition) -> ast.Quantified:
    return ast.Quantified(span=span, number=b.next(), quantifier="no", binders=binders, where=where)


@EXPRESSIONS.add("the")
def _the(b: Builder, span: Span, binder: ast.Binder, where: Condition) -> ast.Quantified:
    return ast.Quantified(span=span, number=b.next(), quantifier="the", binders=(binder,), where=where)


@EXPRESSIONS.add("the_many")
def _the_many(b: Builder, span: Span, first: ast.Binder, more: Binders, where: Condition) -> ast.Quantified:
    return ast.Quantified(span=span, number=b.next(), quantifier="the", binders=(first, *more), where=where)


@EXPRESSIONS.add("best")
def _best(b: Builder, span: Span, binder: ast.Binder, function: Token, value: Expression, where: Condition) -> ast.Best:
    extreme = EXTREMES[function]
    return ast.Best(span=span, number=b.next(), binder=binder, function=extreme, value=value, where=where)


@EXPRESSIONS.add("aggregate")
def _aggregate(
    b: Builder, span: Span, function: Token, value: Expression, binders: Binders, where: Condition
) -> ast.Aggregate:
    name = _AGGREGATES[function]
    return ast.Aggregate(span=span, number=b.next(), function=name, value=value, binders=binders, where=where)
