"""Moves that can be counted without being listed: runs of as many as a set has members, and single ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from interpreter.ir import statements as st
from interpreter.ir.expressions import TRUE, Const, Expr, Loop, Op, conjuncts, mentions
from interpreter.ir.types import Int, Set

DECLINED = Const(Int(-1, -1), -1)
"""The number of the act of a move that goes on."""


@dataclass(frozen=True)
class Run:
    """A move for each member of a set, or a single one without `loop`, if the conditions hold.

    `after`: only if there are moves before it, or if there are none. With `ways` there is a move for each member in
    each of their sets, in the order of the members, then of the ways.
    """

    conditions: tuple[Expr, ...]
    loop: Loop | None
    move: tuple[Expr, ...]
    after: Literal["any", "some", "none"] = "any"
    ways: tuple[tuple[Expr, tuple[Expr, ...]], ...] = ()


def runs_of(block: st.Block) -> tuple[st.Block, list[Run]] | None:
    """Statements that emit moves as runs in the order of the moves, and what is computed before; None if they are not.

    Only the first run without any moves before it can follow others: what is true of those before stays true.
    """
    before: list[st.Statement] = []
    runs: list[Run] = []
    for node in block:
        if isinstance(node, st.Assign) and not runs:
            before.append(node)
            continue
        found = _runs(node, ())
        if found is None:
            return None
        runs += found
    return tuple(before), runs


def _runs(node: st.Statement, conditions: tuple[Expr, ...]) -> list[Run] | None:
    match node:
        case st.Emit():
            return [Run(conditions, None, node.move)]
        case st.EmitDone():
            return [Run(conditions, None, (DECLINED,), "some" if node.any_before else "any")]
        case st.If(otherwise=()):
            inside = (*conditions, *conjuncts(node.condition))
            branches = [_runs(inner, inside) for inner in node.then]
            if not branches or None in branches:  # without any run the conditions would be lost
                return None
            return [run for runs in branches for run in runs or ()]
        case st.For(loops=(Loop(where=None) as loop,), body=(st.Emit() as emit,)) if isinstance(loop.over.type, Set):
            return [Run(conditions, loop, emit.move)]
        case st.For(loops=(Loop(where=None) as loop,), body=body) if isinstance(loop.over.type, Set):
            ways = _ways(loop, body)
            return None if ways is None else [Run(conditions, loop, (), "any", ways)]
        case st.IfNoMoves(body=(inner,)) if not conditions:
            found = _runs(inner, ())
            if found is None or len(found) != 1 or found[0].after != "any":
                return None
            return [replace(found[0], after="none")]
        case _:
            return None


def _ways(loop: Loop, body: st.Block) -> tuple[tuple[Expr, tuple[Expr, ...]], ...] | None:
    """The ways of a loop through several sets together that emits a move for each in which a member is."""
    ways: list[tuple[Expr, tuple[Expr, ...]]] = []
    for node in body:
        match node:
            case st.If(condition=Op(name="has", args=(those, value)), then=(st.Emit(move=move),), otherwise=()):
                if value != loop.local or mentions(those, loop.local) or not isinstance(those.type, Set):
                    return None
                ways.append((those, move))
            case _:
                return None
    return tuple(ways) if _united(loop.over) == [those for those, _ in ways] else None


def _united(node: Expr) -> list[Expr]:
    """The sets of which a set is the union."""
    if isinstance(node, Op) and node.name == "union":
        return [*_united(node.args[0]), *_united(node.args[1])]
    return [node]


MOST_CONDITIONS = 6
"""For so many conditions there is an entry for each way in which they may hold or not."""


def constant_moves(runs: list[Run]) -> bool:
    """Whether all runs are single moves that are known, under few different conditions."""
    return (
        all(
            run.loop is None and run.after == "any" and all(isinstance(part, Const) for part in run.move)
            for run in runs
        )
        and len({run.conditions for run in runs}) <= MOST_CONDITIONS
        and not any(condition == TRUE for run in runs for condition in run.conditions)
    )
