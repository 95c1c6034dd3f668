"""Grammar rules for expressions."""

from __future__ import annotations

from typing import Any

from dsl import ast
from dsl.syntax.build_tree import Builder, Rule, number
from dsl.text.span import Span

COMPARISONS = {
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


def present(children: list[Any]) -> tuple[Any, ...]:
    """Drop the None that lark puts where an optional part is missing."""
    return tuple(child for child in children if child is not None)


def _pair(model: type[ast.Node]) -> Rule:
    return lambda b, span, c: b.make(model, span, left=c[0], right=c[1])


def _based(model: type[ast.Node]) -> Rule:
    return lambda b, span, c: b.make(model, span, base=c[0], arguments=tuple(c[1:]))


def _single(model: type[ast.Node]) -> Rule:
    return lambda b, span, c: b.make(model, span, operand=c[0])


def _items(model: type[ast.Node]) -> Rule:
    return lambda b, span, c: b.make(model, span, items=present(c))


def _quantified(quantifier: str) -> Rule:
    return lambda b, span, c: b.make(ast.Quantified, span, quantifier=quantifier, binders=c[0], where=c[1])


def _the(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Quantified, span, quantifier="the", binders=(c[0],), where=c[1])


def _the_many(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Quantified, span, quantifier="the", binders=(c[0], *c[1]), where=c[2])


def _best(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Best, span, binder=c[0], function=str(c[1]), value=c[2], where=c[3])


def _comparison(operator: str) -> Rule:
    return lambda b, span, c: operator


def _compare(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Compare, span, operator=c[1], left=c[0], right=c[2])


def _arithmetic(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Arithmetic, span, operator=str(c[1]), left=c[0], right=c[2])


def _aggregate(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Aggregate, span, function=str(c[0]), value=c[1], binders=c[2], where=c[3])


def _binder(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Binder, span, name=str(c[0]), domain=c[1])


def _attribute(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Attribute, span, base=c[0], name=str(c[1]))


def _range(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Range, span, low=number(c[0]), high=number(c[1]))


def _pattern(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Pattern, span, amount=None, words=tuple(b.name(word) for word in c))


def _number_of(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Pattern, span, amount=number(c[0]), words=tuple(b.name(word) for word in c[1:]))


def _call(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    base, arguments = c[0], tuple(c[1:])
    if not isinstance(base, ast.Pattern) or b.source.text[base.span.end - 1] == ")":
        return b.make(ast.Call, span, base=base, arguments=arguments)
    last = base.words[-1]  # `2 run(1)`: the arguments belong to the last word
    call = b.make(ast.Call, Span(span.source, last.span.start, span.end), base=last, arguments=arguments)
    return b.make(ast.Pattern, span, amount=base.amount, words=(*base.words[:-1], call))


def _either(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Either, span, then=c[0], condition=c[1], otherwise=c[2])


def _filter(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    end = c[1].span.end
    if b.source.text[end : end + 1] == ")":  # the domain stood in brackets
        end = _behind_brackets(b, end, span.end)
    start = b.of_token(c[0]).start
    binder = b.make(ast.Binder, Span(b.source, start, end), name=str(c[0]), domain=c[1])
    return b.make(ast.Filter, span, binder=binder, where=c[2])


def _behind_brackets(b: Builder, start: int, end: int) -> int:
    while start < end and b.source.text[start] in ") \t":
        start += 1
    while b.source.text[start - 1] in " \t":
        start -= 1
    return start


def _builder(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Builder, span, value=c[0], binders=c[1], where=c[2])


def _of(b: Builder, span: Span, c: list[Any]) -> ast.Node:
    return b.make(ast.Of, span, whole=c[0], part=c[1])


EXPRESSIONS: dict[str, Rule] = {
    "name": lambda b, span, c: b.make(ast.Name, span, name=str(c[0])),
    "int": lambda b, span, c: b.make(ast.Number, span, value=number(c[0])),
    "text": lambda b, span, c: b.text(c[0]),
    "range_": _range,
    "pattern": _pattern,
    "number_of": _number_of,
    "either": _either,
    "list_": _items(ast.ListOf),
    "set_of": _items(ast.SetOf),
    "filter": _filter,
    "builder": _builder,
    "index": _based(ast.Index),
    "call": _call,
    "attr": _attribute,
    "of": _of,
    "count": _single(ast.Count),
    "negative": _single(ast.Negative),
    "not_": _single(ast.Not),
    "and_": _pair(ast.And),
    "or_": _pair(ast.Or),
    "compare": _compare,
    "arith": _arithmetic,
    "binder": _binder,
    "binders": lambda b, span, c: tuple(c),
    "count_each": _quantified("count"),
    "some": _quantified("some"),
    "no": _quantified("no"),
    "the": _the,
    "the_many": _the_many,
    "best": _best,
    "aggregate": _aggregate,
    **{rule: _comparison(operator) for rule, operator in COMPARISONS.items()},
}
