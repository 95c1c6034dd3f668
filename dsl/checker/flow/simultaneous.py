"""What may be in loops `at once`: everything is computed before anything changes, or all choose before anybody acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import asking, called
from dsl.checker.types.statements import all_statements
from dsl.symbols import LocalSymbol

BEFORE_OR_AFTER = "do it before the loop or after it"


def simultaneous(context: Context) -> None:
    """Report statements that cannot be part of a loop `at once`."""
    for node in context.model.nodes:
        if isinstance(node, ast.ForEach) and node.at_once:
            for statement, what, help_ in unsuitable(context, node.body):
                context.error("E0435", f"{what} inside a loop `at once`", statement, [help_])
        elif isinstance(node, ast.EachPlayer) and node.at_once:
            _choosing(context, node)


def _choosing(context: Context, node: ast.EachPlayer) -> None:
    """Report what does not let all seats choose before anybody acts."""
    decision, *rest = node.body
    if not isinstance(decision, ast.Question):
        problem = "a block `at once` must begin with the choice that all make"
        helps = ["begin with `must …`, `may …` or `must choose x from …`; the rest is done when all have chosen"]
        if not asking(context, node.body):
            helps = ["nobody decides anything here: `for each p in Player at once: …`, or omit `at once`"]
        context.error("E0436", problem, decision, helps)
        return
    if isinstance(decision, ast.Decide) and decision.bound is not None:
        problem = "a choice made `at once` cannot be repeated"
        helps = ["repeat the whole: `up to 3 times: each player from … at once: …`"]
        context.error("E0436", problem, decision.bound, helps)
    for act in called([decision]):
        rule = context.model.rules.get(act.name)
        if rule is not None and asking(context, rule.declaration.body):
            problem = f"`{act.name}` asks for more when all have chosen, so not everything is chosen `at once`"
            helps = ["make what it asks for a parameter of the action, or ask for it in a second loop"]
            context.error("E0436", problem, act, helps)
    for statement in all_statements(rest):
        if isinstance(statement, ast.Question):
            problem = "this is asked when all have chosen, one seat after another, so it is not part of `at once`"
            helps = ["only the first statement is chosen at once: ask for more in a second loop"]
            context.error("E0436", problem, statement, helps)
        elif isinstance(statement, ast.Do) and asking(context, [statement]):
            problem = f"`{statement.act.name}` asks when all have chosen, so it is not part of `at once`"
            helps = ["only the first statement is chosen at once: call the step in a second loop"]
            context.error("E0436", problem, statement, helps)


def unsuitable(context: Context, body: Sequence[ast.Statement]) -> Iterator[tuple[ast.Node, str, str]]:
    """The statements that cannot happen together with others, with the problem and a way out."""
    for node in body:
        match node:
            case ast.If():
                yield from unsuitable(context, (*node.then, *node.otherwise))
            case ast.Let():
                pass
            case ast.Move():
                if node.source is not None:
                    what = "`from` takes pieces one after another, so it cannot be used"
                    yield node.source, what, "name the pieces to move: `move c to …`, or a whole zone"
                elif node.position is not None and node.position.anchor is not None:
                    relation = node.position.relation
                    what = f"`{relation}` names a piece that may be moved at the same time, so it cannot be used"
                    yield node.position, what, "leave the position out, or place the pieces in a second loop"
            case ast.SetTo() | ast.Add() | ast.Remove():
                symbol = context.model.refers.get(node.target.number)
                if isinstance(symbol, LocalSymbol):
                    what = f"`{node.target.span.text}` changes from iteration to iteration, which is impossible"
                    yield node.target, what, "use a note, or `sum`, `count` or `highest` before the loop"
            case ast.ForEach():
                yield node, "no other loop", "add a name to the outer loop: `for each x in S with y in T at once`"
            case ast.EachPlayer() | ast.Repeat():
                yield node, "no other loop", BEFORE_OR_AFTER
            case ast.Do():
                yield node, "no step can be called", "write what the step does, or call it before the loop or after it"
            case ast.Decide() | ast.Choose():
                yield node, "nobody can be asked", "ask before the loop"
            case _:  # only what is known to be possible at once is
                yield node, f"no `{node.span.text.split()[0]}`", BEFORE_OR_AFTER
