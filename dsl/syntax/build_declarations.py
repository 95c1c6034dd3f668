"""Build functions for rules of declarations, statements and expressions that the table of nodes cannot describe."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from itertools import dropwhile
from typing import Literal, NamedTuple

from dsl import ast
from dsl.syntax.build_tree import Builder, RuleSet, cites
from dsl.syntax.layout import Token
from dsl.text.span import Span

DECLARATION_RULES = RuleSet()
Parameters = tuple[ast.Parameter, ...]
Words = tuple[ast.TypeName, ...]
ZoneShape = Literal["heap", "one", "row", "stack"]


class Block(NamedTuple):
    """The statements under a heading line, and the citation of that line."""

    body: tuple[ast.Statement, ...] = ()
    cites: ast.Citations = ()


# ---------------------------------------------------------------- expressions and statements


@DECLARATION_RULES.add("call")
def _call(b: Builder, span: Span, base: ast.Expression, *arguments: ast.Expression) -> ast.Call | ast.Pattern:
    if not isinstance(base, ast.Pattern) or b.source.text[base.span.end - 1] == ")":
        return ast.Call(span=span, number=b.next(), base=base, arguments=arguments)
    last = base.words[-1]  # `2 run(1)`: the arguments belong to the last word
    call_span = Span(span.source, last.span.start, span.end)
    call = ast.Call(span=call_span, number=b.next(), base=last, arguments=arguments)
    return ast.Pattern(span=span, number=b.next(), amount=base.amount, words=(*base.words[:-1], call))


@DECLARATION_RULES.add("line")
def _line(b: Builder, span: Span, statement: ast.Statement, citation: Token | None) -> ast.Statement:
    return statement if citation is None else replace(statement, span=span, cites=cites(citation))


@DECLARATION_RULES.add("block")
def _block(b: Builder, span: Span, citation: Token | None, *body: ast.Statement) -> Block:
    return Block(body, cites(citation))


@DECLARATION_RULES.add("block_line", "else_if")
def _one_statement(b: Builder, span: Span, statement: ast.Statement) -> Block:
    return Block((statement,))


@DECLARATION_RULES.add("if_")
def _if(b: Builder, span: Span, condition: ast.Expression, then: Block, otherwise: Block | None) -> ast.If:
    last = otherwise or Block()
    return ast.If(
        span=span, number=b.next(), condition=condition, then=then.body, otherwise=last.body,
        cites=then.cites + last.cites,
    )  # fmt: skip


@DECLARATION_RULES.add("if_line")
def _if_line(b: Builder, span: Span, condition: ast.Expression, then: ast.Statement) -> ast.If:
    """An `if` behind a heading, all on one line: it has no `else`, which would seem to belong to the heading."""
    return ast.If(span=span, number=b.next(), condition=condition, then=(then,), otherwise=())


# ---------------------------------------------------------------- components


@DECLARATION_RULES.add("shape_number")
def _shape_number(b: Builder, span: Span, number: Token) -> ast.Shape:
    value = b.whole(number)
    return ast.Shape(span=span, number=b.next(), name=None, arguments=(), low=value, high=value)


@DECLARATION_RULES.add("cell", "signed")
def _signed(b: Builder, span: Span, token: Token) -> str | int:
    value = b.whole(token) if token.type == "INT" else str(token)
    return -value if isinstance(value, int) and span.text.startswith("-") else value


@DECLARATION_RULES.add("type_board_block")
def _type_board_block(
    b: Builder, span: Span, name: Token, source: ast.BoardSource, citation: Token | None,
    *lines: tuple[Parameters, ast.Citations],
) -> ast.TypeBoard:  # fmt: skip
    return ast.TypeBoard(
        span=span, number=b.next(), name=str(name), source=source,
        columns=tuple(column for columns, _ in lines for column in columns),
        cites=cites(citation) + tuple(id for _, ids in lines for id in ids),
    )  # fmt: skip


@DECLARATION_RULES.add("board_columns")
def _board_columns(
    b: Builder, span: Span, columns: Parameters, citation: Token | None
) -> tuple[Parameters, ast.Citations]:
    return columns, cites(citation)


@DECLARATION_RULES.add("holding")
def _holding(b: Builder, span: Span, holds: Words) -> tuple[ZoneShape, Words]:
    return "heap", holds


@DECLARATION_RULES.add("holding_word")
def _holding_word(b: Builder, span: Span, word: Token, holds: Words) -> tuple[ZoneShape, Words]:
    piece = holds[0].name
    if word in ("row", "stack"):
        message, helps = f"`{word}` must be followed by `of`", [f"write `holds {word} of {piece}`"]
        b.error("E0119", message, b.of_token(word), helps, new=f"{word} of")
    elif word != "one":
        proposal = _meant(word)
        new = f"{proposal} of" if proposal in ("row", "stack") else proposal
        b.error("E0119", f"a zone cannot hold `{word} {piece}`", b.of_token(word), _helps(proposal, piece), new)
    return "one", holds


@DECLARATION_RULES.add("holding_of")
def _holding_of(b: Builder, span: Span, word: Token, holds: Words) -> tuple[ZoneShape, Words]:
    piece = holds[0].name
    if word == "row" or word == "stack":
        return ("row" if word == "row" else "stack"), holds
    if word == "one":
        b.error("E0119", "`one` is not followed by `of`", b.of_token(word), [f"write `holds one {piece}`"])
    else:
        proposal = _meant(word)
        message = f"a zone cannot hold a `{word}` of pieces"
        b.error("E0119", message, b.of_token(word), _helps(proposal, piece), proposal if proposal != "one" else None)
    return "row", holds


_SYNONYMS = {"list": "row", "ordered": "row", "sequence": "row", "queue": "row", "pile": "stack", "deck": "stack"}
"""Words that other languages use for the shapes of zones."""


def _meant(word: str) -> str | None:
    """The zone shape that a word is a misspelling of, or a synonym."""
    close = get_close_matches(word.lower(), ["one", "row", "stack"], n=1, cutoff=0.6)
    return close[0] if close else _SYNONYMS.get(word.lower())


def _helps(proposal: str | None, piece: str) -> list[str]:
    helps = [f"did you mean `{proposal}`?"] if proposal else []
    return [*helps, f"write `holds {piece}`, `holds one {piece}`, `holds row of {piece}` or `holds stack of {piece}`"]


# ---------------------------------------------------------------- the winner, actions, steps and phases


_FOREIGN_EXTREMES = {
    **dict.fromkeys(("most", "max", "maximum", "best", "greatest"), "highest"),
    **dict.fromkeys(("least", "fewest", "min", "minimum", "smallest"), "lowest"),
    "unless": "not",
}
"""Words that stand before a criterion in plain English, and the words of the language."""

_FOREIGN_EXTREME = re.compile(rf"({'|'.join(_FOREIGN_EXTREMES)})\s+(?!(?:is|and|or|before|after|of)\b)(?=[A-Za-z(])")


@DECLARATION_RULES.add("condition")
def _condition(b: Builder, span: Span, value: ast.Expression, words: Token | None) -> ast.Criterion:
    foreign = _FOREIGN_EXTREME.match(span.text)
    if foreign:
        word, keyword = foreign[1], _FOREIGN_EXTREMES[foreign[1]]
        helps = [f"write `{keyword} {' '.join(span.text[foreign.end() :].split())}`"]
        b.error("E0112", f"`{word}` is not a keyword", b.span(span.start, span.start + len(word)), helps, keyword)
    return ast.Criterion(
        span=span, number=b.next(), direction=None, value=value, words="" if words is None else str(words)[1:-1]
    )


class ClauseHeading(NamedTuple):
    """The value of a clause and its own parameters."""

    value: ast.Name | ast.Call
    parameters: Parameters


class Label(NamedTuple):
    """The label of an action and its citation."""

    text: ast.Text | None = None
    cites: ast.Citations = ()


@DECLARATION_RULES.add("clause_params")
def _clause_parameters(
    b: Builder, span: Span, value: ast.Name | ast.Call, parameters: Parameters | None
) -> ClauseHeading:
    return ClauseHeading(value, parameters or ())


@DECLARATION_RULES.add("label")
def _label(b: Builder, span: Span, text: Token, citation: Token | None) -> Label:
    return Label(b.text(text), cites(citation))


Heading = Parameters | ClauseHeading | None
Content = ast.OfferedOnce | ast.Require | ast.Statement


def _clause(b: Builder, heading: Heading, rest: ast.Clause | None) -> tuple[Parameters, ast.Clause | None]:
    """The parameters of a rule, and what it is a clause for."""
    if not isinstance(heading, ClauseHeading):
        return heading or (), rest
    if rest is not None:
        helps = [f"for all other values, write a name and its type instead of `{heading.value.span.text}`"]
        b.error("E0426", "a clause is for one value or for all others, not both", rest.span, helps)
    return heading.parameters, ast.Clause(span=heading.value.span, number=b.next(), value=heading.value)


def _requirements(b: Builder, content: tuple[Content, ...]) -> tuple[ast.Require, ...]:
    """The requirements of a rule, which stand before its first statement that does something."""
    following = [*dropwhile(lambda part: isinstance(part, ast.OfferedOnce | ast.Require | ast.Let), content)]
    for part in following:
        if isinstance(part, ast.Require):
            keyword = b.span(part.span.start, part.span.start + len("require"))
            helps = ["move it up: all requirements are checked before the first statement runs"]
            if isinstance(following[0], ast.Do):
                helps.append(f"what `{following[0].act.name}` requires binds as well, wherever it is done")
            b.error("E0105", "requirements must come before statements", keyword, helps)
            break
    return tuple(part for part in content if isinstance(part, ast.Require))


def _statements(content: tuple[Content, ...]) -> tuple[ast.Statement, ...]:
    return tuple(part for part in content if isinstance(part, ast.Statement))


@DECLARATION_RULES.add("action")
def _action(
    b: Builder, span: Span, name: Token, heading: Heading, rest: ast.Clause | None, citation: Token | None,
    label: Label | None, *content: Content,
) -> ast.Action:  # fmt: skip
    parameters, clause = _clause(b, heading, rest)
    text, label_cites = label or Label()
    return ast.Action(
        span=span, number=b.next(), name=str(name), parameters=parameters, label=text,
        requires=_requirements(b, content), body=_statements(content), cites=cites(citation) + label_cites,
        clause=clause, once=tuple(part for part in content if isinstance(part, ast.OfferedOnce)),
    )  # fmt: skip


@DECLARATION_RULES.add("action_line")
def _action_line(
    b: Builder, span: Span, name: Token, heading: Heading, rest: ast.Clause | None, content: Content
) -> ast.Action:
    return _action(b, span, name, heading, rest, None, None, content)


@DECLARATION_RULES.add("step")
def _step(
    b: Builder, span: Span, name: Token, heading: Heading, rest: ast.Clause | None, cues: tuple[ast.Cue, ...] | None,
    citation: Token | None, *content: Content,
) -> ast.Step:  # fmt: skip
    parameters, clause = _clause(b, heading, rest)
    return ast.Step(
        span=span, number=b.next(), name=str(name), parameters=parameters, requires=_requirements(b, content),
        body=_statements(content), cites=cites(citation), clause=clause, cues=cues or (),
    )  # fmt: skip


@DECLARATION_RULES.add("step_line")
def _step_line(
    b: Builder, span: Span, name: Token, heading: Heading, rest: ast.Clause | None, cues: tuple[ast.Cue, ...] | None,
    content: Content,
) -> ast.Step:  # fmt: skip
    return _step(b, span, name, heading, rest, cues, None, content)


@DECLARATION_RULES.add("step_of_nothing")
def _step_of_nothing(
    b: Builder, span: Span, name: Token, heading: Heading, rest: ast.Clause, citation: Token | None
) -> ast.Step:
    return _step(b, span, name, heading, rest, None, citation)


@DECLARATION_RULES.add("phase")
def _phase(
    b: Builder, span: Span, name: Token, first: ast.Expression | None, last: ast.Expression | None,
    backwards: ast.Backwards | None, over_when: ast.Expression | None, repeated_until: ast.Expression | None,
    over_at_once: ast.Expression | None, citation: Token | None, *content: ast.Phase | ast.Statement,
) -> ast.Phase:  # fmt: skip
    return ast.Phase(
        span=span, number=b.next(), name=str(name), first=first, last=last, backwards=backwards,
        over_when=over_when, repeated_until=repeated_until, over_at_once=over_at_once,
        phases=tuple(part for part in content if isinstance(part, ast.Phase)),
        body=tuple(part for part in content if not isinstance(part, ast.Phase)),
        cites=cites(citation),
    )  # fmt: skip
