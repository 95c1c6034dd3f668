"""Build functions for statements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, get_args

from lark import Token

from dsl import ast
from dsl.ast.base import content_fields
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.build_expressions import Binders, Condition, Expression, present
from dsl.syntax.build_tree import Builder, BuildFunction, RuleSet, cites
from dsl.text.span import Span

STATEMENTS = RuleSet()


@dataclass(frozen=True)
class Block:
    """The statements under a heading line, and the citation of that line."""

    cites: ast.Citations
    body: tuple[ast.Statement, ...]


# ---------------------------------------------------------------- blocks


@STATEMENTS.add("line")
def _line(b: Builder, span: Span, statement: ast.Statement, citation: Token | None) -> ast.Statement:
    return statement if citation is None else replace(statement, span=span, cites=cites(citation))


@STATEMENTS.add("block")
def _block(b: Builder, span: Span, citation: Token | None, *body: ast.Statement) -> Block:
    return Block(cites(citation), body)


@STATEMENTS.add("block_line", "else_if")
def _one_statement(b: Builder, span: Span, statement: ast.Statement) -> Block:
    return Block((), (statement,))


@STATEMENTS.add("else_block")
def _else(b: Builder, span: Span, block: Block) -> Block:
    return block


@STATEMENTS.add("if_")
def _if(b: Builder, span: Span, condition: Expression, then: Block, otherwise: Block | None) -> ast.If:
    last = otherwise or Block((), ())
    return ast.If(
        span=span, number=b.next(), condition=condition, then=then.body, otherwise=last.body,
        cites=then.cites + last.cites,
    )  # fmt: skip


@STATEMENTS.add("for_each")
def _for_each(
    b: Builder, span: Span, binders: Binders, where: Condition, at_once: Token | None, block: Block
) -> ast.ForEach:
    return ast.ForEach(
        span=span, number=b.next(), binders=binders, where=where, at_once=at_once is not None, body=block.body,
        cites=block.cites,
    )  # fmt: skip


@STATEMENTS.add("each_player")
def _each_player(
    b: Builder, span: Span, first: Expression, last: Expression | None, where: Condition, at_once: Token | None,
    block: Block,
) -> ast.EachPlayer:  # fmt: skip
    return ast.EachPlayer(
        span=span, number=b.next(), first=first, last=last, where=where, at_once=at_once is not None, body=block.body,
        cites=block.cites,
    )  # fmt: skip


@STATEMENTS.add("repeat")
def _repeat(b: Builder, span: Span, bound: ast.Bound, block: Block) -> ast.Repeat:
    return ast.Repeat(span=span, number=b.next(), bound=bound, body=block.body, cites=block.cites)


@STATEMENTS.add("bound")
def _bound(b: Builder, span: Span, times: Expression, condition: Condition) -> ast.Bound:
    return ast.Bound(span=span, number=b.next(), times=times, condition=condition)


# ---------------------------------------------------------------- effects


@STATEMENTS.add("move_all")
def _move_all(b: Builder, span: Span, what: Expression, target: ast.Target, position: ast.Position | None) -> ast.Move:
    return ast.Move(span=span, number=b.next(), what=what, source=None, target=target, position=position)


@STATEMENTS.add("move_some")
def _move_some(
    b: Builder, span: Span, what: Expression, source: Expression, target: ast.Target, position: ast.Position | None
) -> ast.Move:
    return ast.Move(span=span, number=b.next(), what=what, source=source, target=target, position=position)


@STATEMENTS.add("position")
def _position(b: Builder, span: Span, word: Token, anchor: Expression | None = None) -> ast.Position:
    relation: Literal["before", "after", "at bottom"] = "at bottom"
    if anchor is not None:
        relation = "before" if word == "before" else "after"
    return ast.Position(span=span, number=b.next(), relation=relation, anchor=anchor)


@STATEMENTS.add("add_")
def _add(b: Builder, span: Span, value: Expression, target: ast.Target, reason: Token | None) -> ast.Add:
    because = None if reason is None else b.text(reason)
    return ast.Add(span=span, number=b.next(), value=value, target=target, because=because)


@STATEMENTS.add("tell")
def _tell(b: Builder, span: Span, text: Token) -> ast.Tell:
    return ast.Tell(span=span, number=b.next(), seat=None, text=b.text(text))


@STATEMENTS.add("tell_seat")
def _tell_seat(b: Builder, span: Span, seat: Expression, text: Token) -> ast.Tell:
    return ast.Tell(span=span, number=b.next(), seat=seat, text=b.text(text))


@STATEMENTS.add("roll")
def _roll(b: Builder, span: Span, *dice: ast.Target) -> ast.Roll:
    return ast.Roll(span=span, number=b.next(), dice=dice)


@STATEMENTS.add("record")
def _record(b: Builder, span: Span, position: Token) -> ast.Record:
    return ast.Record(span=span, number=b.next(), target=b.name(position))


@STATEMENTS.add("let")
def _let(b: Builder, span: Span, name: Token, value: Expression) -> ast.Let:
    return ast.Let(span=span, number=b.next(), name=str(name), value=value)


# ---------------------------------------------------------------- decisions


@STATEMENTS.add("decide")
def _decide(
    b: Builder, span: Span, duty: ast.Duty, secretly: Token | None, acts: tuple[ast.Act, ...],
    otherwise: tuple[ast.Act, ...] | None, bound: ast.Bound | None,
) -> ast.Decide:  # fmt: skip
    return ast.Decide(
        span=span, number=b.next(), duty=duty, secretly=secretly is not None, acts=acts, otherwise=otherwise or (),
        bound=bound,
    )  # fmt: skip


@STATEMENTS.add("choose")
def _choose(
    b: Builder, span: Span, duty: ast.Duty, secretly: Token | None, amount: ast.Amount | None, name: Token,
    domain: Expression, where: Condition,
) -> ast.Choose:  # fmt: skip
    return ast.Choose(
        span=span, number=b.next(), duty=duty, secretly=secretly is not None,
        amount=amount, name=str(name), domain=domain, where=where,
    )  # fmt: skip


@STATEMENTS.add("must")
def _must(b: Builder, span: Span) -> ast.Duty:
    return "must"


@STATEMENTS.add("may")
def _may(b: Builder, span: Span) -> ast.Duty:
    return "may"


@STATEMENTS.add("exactly")
def _exactly(b: Builder, span: Span, most: Expression) -> ast.Amount:
    return ast.Amount(span=span, number=b.next(), fewest=None, most=most, exactly=True)


@STATEMENTS.add("at_most")
def _at_most(b: Builder, span: Span, most: Expression) -> ast.Amount:
    return ast.Amount(span=span, number=b.next(), fewest=None, most=most, exactly=False)


@STATEMENTS.add("at_least")
def _at_least(b: Builder, span: Span, fewest: Expression, most: Expression) -> ast.Amount:
    return ast.Amount(span=span, number=b.next(), fewest=fewest, most=most, exactly=False)


@STATEMENTS.add("acts")
def _acts(b: Builder, span: Span, *acts: ast.Act) -> tuple[ast.Act, ...]:
    return acts


@STATEMENTS.add("act")
def _act(b: Builder, span: Span, name: Token, *arguments: Expression | None) -> ast.Act:
    return ast.Act(span=span, number=b.next(), name=str(name), arguments=present(arguments))


# ---------------------------------------------------------------- statements that consist of nodes only

NODES = frozenset({"Act", "Expression", "Target"})
"""The types of fields that hold the node of one child of the rule."""


def _of_nodes(statement: Any, names: list[str]) -> BuildFunction:
    def build(b: Builder, span: Span, *children: ast.Node) -> ast.Statement:
        node: ast.Statement = statement(span=span, number=b.next(), **dict(zip(names, children, strict=True)))
        return node

    return build


def _statements_of_nodes() -> RuleSet:
    """Functions for statements whose rule is named like their kind, and whose fields are its children in order."""
    builders = RuleSet()
    for statement in get_args(ast.Statement):
        declared = statement.__dataclass_fields__
        names = [name for name in content_fields(statement) if name not in ("kind", "cites")]
        if all(declared[name].type in NODES for name in names):
            builders[declared["kind"].default] = _of_nodes(statement, names)
    return builders


STATEMENTS.update(_statements_of_nodes())
