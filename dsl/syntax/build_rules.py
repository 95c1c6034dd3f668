"""Build functions for definitions, the winner, actions, steps, reactions and phases."""

from __future__ import annotations

import re

from lark import Token

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.build_declarations import Parameters
from dsl.syntax.build_expressions import EXTREMES, Expression
from dsl.syntax.build_statements import Block
from dsl.syntax.build_tree import Builder, RuleSet, cited, cites
from dsl.text.span import Span

GAME_RULES = RuleSet()

_FOREIGN_EXTREMES = {
    **dict.fromkeys(("most", "max", "maximum", "best", "greatest"), "highest"),
    **dict.fromkeys(("least", "fewest", "min", "minimum", "smallest"), "lowest"),
    "unless": "not",
}
"""Words that stand before a criterion in plain English, and the words of the language."""

_FOREIGN_EXTREME = re.compile(rf"({'|'.join(_FOREIGN_EXTREMES)})\s+(?!(?:is|and|or|before|after|of)\b)(?=[A-Za-z(])")


# ---------------------------------------------------------------- definitions and the winner


@GAME_RULES.add("define")
def _define(
    b: Builder, span: Span, name: Token, parameters: Parameters | None, result: ast.TypeUnion | None,
    citation: Token | None, *cases: ast.Case,
) -> ast.Define:  # fmt: skip
    return ast.Define(
        span=span, number=b.next(), name=str(name), parameters=parameters or (), result=result, cases=cases,
        cites=cites(citation),
    )  # fmt: skip


@GAME_RULES.add("define_value")
def _define_value(
    b: Builder, span: Span, name: Token, parameters: Parameters | None, result: ast.TypeUnion | None,
    citation: Token | None, value: Expression, value_citation: Token | None,
) -> ast.Define:  # fmt: skip
    case_span = value.span if value_citation is None else value.span.to(b.of_token(value_citation))
    case = ast.Case(span=case_span, number=b.next(), value=value, condition=None, cites=cites(value_citation))
    return _define(b, span, name, parameters, result, citation, case)


@GAME_RULES.add("define_line")
def _define_line(
    b: Builder, span: Span, name: Token, parameters: Parameters | None, result: ast.TypeUnion | None,
    value: Expression, citation: Token | None,
) -> ast.Define:  # fmt: skip
    case = ast.Case(span=value.span, number=b.next(), value=value, condition=None)
    return _define(b, span, name, parameters, result, citation, case)


@GAME_RULES.add("guarded")
def _guarded(b: Builder, span: Span, value: Expression, condition: Expression, citation: Token | None) -> ast.Case:
    return ast.Case(span=span, number=b.next(), value=value, condition=condition, cites=cites(citation))


@GAME_RULES.add("otherwise")
def _otherwise(b: Builder, span: Span, value: Expression, citation: Token | None) -> ast.Case:
    return ast.Case(span=span, number=b.next(), value=value, condition=None, cites=cites(citation))


@GAME_RULES.add("winner")
def _winner(b: Builder, span: Span, *rest: ast.Criterion | Token | None) -> ast.Winner:
    criteria, citation = cited(*rest)
    return ast.Winner(span=span, number=b.next(), criteria=criteria, cites=citation)


@GAME_RULES.add("criterion")
def _criterion(b: Builder, span: Span, direction: Token, value: Expression, words: Token | None) -> ast.Criterion:
    return ast.Criterion(
        span=span, number=b.next(), direction=EXTREMES[direction], value=value, words=_unquoted(words)
    )  # fmt: skip


def _unquoted(text: Token | None) -> str:
    return "" if text is None else str(text)[1:-1]


@GAME_RULES.add("condition")
def _condition(b: Builder, span: Span, value: Expression, words: Token | None) -> ast.Criterion:
    foreign = _FOREIGN_EXTREME.match(span.text)
    if foreign:
        word, keyword = foreign[1], _FOREIGN_EXTREMES[foreign[1]]
        helps = [f"write `{keyword} {' '.join(span.text[foreign.end() :].split())}`"]
        b.error("E0112", f"`{word}` is not a keyword", b.span(span.start, span.start + len(word)), helps, keyword)
    return ast.Criterion(span=span, number=b.next(), direction=None, value=value, words=_unquoted(words))


@GAME_RULES.add("teams")
def _teams(b: Builder, span: Span, value: Expression, citation: Token | None) -> ast.Teams:
    return ast.Teams(span=span, number=b.next(), value=value, cites=cites(citation))


# ---------------------------------------------------------------- actions, steps and reactions


@dataclass(frozen=True)
class Label:
    """The label of an action and its citation."""

    text: ast.Text
    cites: ast.Citations


@dataclass(frozen=True)
class ClauseParameters:
    """The value of a clause and its own parameters."""

    value: ast.Name | ast.Call
    parameters: Parameters


@dataclass(frozen=True)
class RuleBody:
    """The contents of an action or a step: which moves are the same, requirements, statements."""

    once: tuple[ast.OfferedOnce, ...]
    requires: tuple[ast.Require, ...]
    statements: tuple[ast.Statement, ...]


def _body(*content: ast.OfferedOnce | ast.Require | ast.Statement) -> RuleBody:
    return RuleBody(
        tuple(part for part in content if isinstance(part, ast.OfferedOnce)),
        tuple(part for part in content if isinstance(part, ast.Require)),
        tuple(part for part in content if not isinstance(part, ast.OfferedOnce | ast.Require)),
    )


Given = Parameters | ClauseParameters | None


@GAME_RULES.add("clause_family")
def _clause_family(b: Builder, span: Span, name: Token, *arguments: Token) -> ast.Call:
    return ast.Call(span=span, number=b.next(), base=b.name(name), arguments=tuple(map(b.name, arguments)))


@GAME_RULES.add("clause_params")
def _clause_parameters(
    b: Builder, span: Span, value: ast.Name | ast.Call, parameters: Parameters | None
) -> ClauseParameters:
    return ClauseParameters(value, parameters or ())


@GAME_RULES.add("rest_clause")
def _rest_clause(b: Builder, span: Span) -> ast.Clause:
    return ast.Clause(span=span, number=b.next(), value=None)


def _clause(b: Builder, heading: Given, rest: ast.Clause | None) -> tuple[Parameters, ast.Clause | None]:
    """The parameters of a rule, and what it is a clause for."""
    if not isinstance(heading, ClauseParameters):
        return heading or (), rest
    if rest is not None:
        helps = [f"for all other values, write a name and its type instead of `{heading.value.span.text}`"]
        b.error("E0426", "a clause is for one value or for all others, not both", rest.span, helps)
    return heading.parameters, ast.Clause(span=heading.value.span, number=b.next(), value=heading.value)


@GAME_RULES.add("action")
def _action(
    b: Builder, span: Span, name: Token, heading: Given, rest: ast.Clause | None, citation: Token | None,
    label: Label | None, *content: ast.OfferedOnce | ast.Require | ast.Statement,
) -> ast.Action:  # fmt: skip
    body = _body(*content)
    parameters, clause = _clause(b, heading, rest)
    return ast.Action(
        span=span, number=b.next(), name=str(name), parameters=parameters, label=label.text if label else None,
        requires=body.requires, body=body.statements, cites=cites(citation) + (label.cites if label else ()),
        clause=clause, once=body.once,
    )  # fmt: skip


@GAME_RULES.add("label")
def _label(b: Builder, span: Span, text: Token, citation: Token | None) -> Label:
    return Label(b.text(text), cites(citation))


@GAME_RULES.add("once")
def _once(b: Builder, span: Span, *rest: Expression | Token | None) -> ast.OfferedOnce:
    values, citation = cited(*rest)
    return ast.OfferedOnce(span=span, number=b.next(), values=values, cites=citation)


@GAME_RULES.add("require")
def _require(b: Builder, span: Span, condition: Expression, reason: Token, citation: Token | None) -> ast.Require:
    text = b.text(reason)
    return ast.Require(span=span, number=b.next(), condition=condition, reason=text, cites=cites(citation))


@GAME_RULES.add("step")
def _step(
    b: Builder, span: Span, name: Token, heading: Given, rest: ast.Clause | None, citation: Token | None,
    *content: ast.Require | ast.Statement,
) -> ast.Step:  # fmt: skip
    body = _body(*content)
    parameters, clause = _clause(b, heading, rest)
    return ast.Step(
        span=span, number=b.next(), name=str(name), parameters=parameters, requires=body.requires,
        body=body.statements, cites=cites(citation), clause=clause,
    )  # fmt: skip


@GAME_RULES.add("step_line")
def _step_line(
    b: Builder, span: Span, name: Token, heading: Given, rest: ast.Clause | None, content: ast.Require | ast.Statement
) -> ast.Step:
    return _step(b, span, name, heading, rest, None, content)


@GAME_RULES.add("when")
def _when(b: Builder, span: Span, name: Token, parameters: Parameters | None, block: Block) -> ast.When:
    return ast.When(
        span=span, number=b.next(), name=str(name), parameters=parameters or (), body=block.body, cites=block.cites
    )


# ---------------------------------------------------------------- phases


@GAME_RULES.add("phase")
def _phase(
    b: Builder, span: Span, name: Token, first: Expression | None, last: Expression | None,
    over_when: Expression | None, repeated_until: Expression | None, over_at_once: Expression | None,
    citation: Token | None, *content: ast.Phase | ast.Statement,
) -> ast.Phase:  # fmt: skip
    return ast.Phase(
        span=span, number=b.next(), name=str(name), first=first, last=last, over_when=over_when,
        repeated_until=repeated_until, over_at_once=over_at_once,
        phases=tuple(part for part in content if isinstance(part, ast.Phase)),
        body=tuple(part for part in content if not isinstance(part, ast.Phase)),
        cites=cites(citation),
    )  # fmt: skip
