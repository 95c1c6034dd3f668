"""Legal moves as runs, which can be counted without being listed: one move per member of a set, or a single one.

A random game needs one of the legal moves, not all. If the function that lists them has this form, their number is the
sum of the sizes of sets, and move n is the nth member of one of them:

    if is_empty(hand):                            Run((is_empty(hand),), x in slots, (0, x))
        for x in slots:  emit move 0(x)
    emit done if there are moves                  Run((), none, (DECLINED,), after="some")

Anything else, such as a condition on x that cannot become a part of the set, has to be listed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Expr, Loop, Op, conjuncts, mentions
from interpreter.compiler.ir.types import Int, Set

DECLINED = Const(Int(-1, -1), -1)
"""The number of the act of the declining move."""


@dataclass(frozen=True)
class Run:
    """A move for each member of a set, or a single one without `loop`, if the conditions hold.

    `after`: only if there are moves before it, or if there are none. With `alternatives`, each a set and a move, there
    is a move for each member of each set, in the order of the members, then of the alternatives.
    """

    conditions: tuple[Expr, ...]
    loop: Loop | None
    move: tuple[Expr, ...]
    after: Literal["any", "some", "none"] = "any"
    alternatives: tuple[tuple[Expr, tuple[Expr, ...]], ...] = ()


def runs_of(block: st.Block) -> tuple[st.Block, list[Run]] | None:
    """The assignments and runs that statements which emit moves consist of; None if they are anything else.

    A run that depends on whether there are moves before it sees those of all runs before it.
    """
    assignments: list[st.Statement] = []
    runs: list[Run] = []
    for node in block:
        if isinstance(node, st.Assign) and not runs:
            assignments.append(node)
            continue
        node_runs = _runs(node, ())
        if node_runs is None:
            return None
        runs += node_runs
    return tuple(assignments), runs


def _runs(node: st.Statement, conditions: tuple[Expr, ...]) -> list[Run] | None:
    match node:
        case st.Emit():
            return [Run(conditions, None, node.move)]
        case st.EmitDone():
            return [Run(conditions, None, (DECLINED,), "some" if node.any_before else "any")]
        case st.If(otherwise=()):
            inside = (*conditions, *conjuncts(node.condition))
            branches = [_runs(nested, inside) for nested in node.then]
            if not branches or None in branches:  # the conditions of an empty branch would not be evaluated
                return None
            return [run for runs in branches for run in runs or ()]
        case st.For(loops=(Loop(where=None) as loop,), body=(st.Emit() as emit,)) if isinstance(loop.over.type, Set):
            return [Run(conditions, loop, emit.move)]
        case st.For(loops=(Loop(where=None) as loop,), body=body) if isinstance(loop.over.type, Set):
            alternatives = _alternatives(loop, body)
            return None if alternatives is None else [Run(conditions, loop, (), "any", alternatives)]
        case st.IfNoMoves(body=(nested,)) if not conditions:
            nested_runs = _runs(nested, ())
            if nested_runs is None or len(nested_runs) != 1 or nested_runs[0].after != "any":
                return None
            return [replace(nested_runs[0], after="none")]
        case _:
            return None


def _alternatives(loop: Loop, body: st.Block) -> tuple[tuple[Expr, tuple[Expr, ...]], ...] | None:
    """The alternatives of a loop over the union of several sets that emits a move for each set a member is in."""
    alternatives: list[tuple[Expr, tuple[Expr, ...]]] = []
    for node in body:
        match node:
            case st.If(condition=Op(name="has", args=(members, value)), then=(st.Emit(move=move),), otherwise=()):
                if value != loop.local or mentions(members, loop.local) or not isinstance(members.type, Set):
                    return None
                alternatives.append((members, move))
            case _:
                return None
    return tuple(alternatives) if _united(loop.over) == [members for members, _ in alternatives] else None


def _united(node: Expr) -> list[Expr]:
    """The sets of which a set is the union."""
    if isinstance(node, Op) and node.name == "union":
        return [*_united(node.args[0]), *_united(node.args[1])]
    return [node]
