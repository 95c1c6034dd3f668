"""Unreachable rules: cases shadowed by earlier ones, conditions that never hold, moves that are never legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.logic.satisfiability import Assignment, TooManyAssignments, World, outcomes
from dsl.diagnostics import Label

MAX_NAMED = 6


def unreachable_cases(context: Context) -> None:
    """Report cases of definitions, and branches of `if`, that are never reached."""
    worlds = Assignment(context.model)
    for symbol in context.model.defines.values():
        cases = symbol.declaration.cases
        if len(cases) > 1:
            tests = [case.condition for case in cases]
            reached, firsts = _not_to_report(context, worlds, tests, cases), _firsts(tests)
            for index, case in enumerate(cases):
                if index not in reached:
                    _unreached(context, worlds, case, firsts, case.condition)
    nested_branches = set()
    for node in context.model.nodes:
        if not isinstance(node, ast.If) or node.number in nested_branches:
            continue
        branches = [node]
        while len(branches[-1].otherwise) == 1 and isinstance(branches[-1].otherwise[0], ast.If):
            branches.append(branches[-1].otherwise[0])
        # `if … else if … else …` is nested in the tree. It is examined once, from its first `if`: a branch further down
        # looks possible on its own, and is not because of the conditions before it.
        nested_branches |= {branch.number for branch in branches}
        conditions: list[ast.Expression | None] = [branch.condition for branch in branches]
        last = branches[-1].otherwise
        tests, firsts = [*conditions, *([None] if last else [])], _firsts(conditions)
        reached = _not_to_report(context, worlds, tests, [*(branch.condition for branch in branches), *last[:1]])
        for index, branch in enumerate(branches):
            if index not in reached:
                _unreached(context, worlds, branch.condition, firsts, branch.condition)
        if last and len(branches) not in reached:
            _unreached(context, worlds, last[0], firsts, None)


def _not_to_report(
    context: Context, worlds: Assignment, conditions: Sequence[ast.Expression | None], nodes: Sequence[ast.Node]
) -> set[int]:
    """Indices of the conditions that can be the first to hold, and of those that are right where they stand.

    `nodes` are what is written there. A variant may have fewer seats, values or options than its game, so that some of
    the game is never reached: its author did not write that. What the cases of the variant cover is reported.
    """
    reached = _reached(worlds, conditions)
    sources = [variant.span.source for variant in context.model.variants]
    if not sources or reached.issuperset(range(len(conditions))):
        return reached
    of_game = [index for index, node in enumerate(nodes) if all(node.span.source is not source for source in sources)]
    reached_without = _reached(worlds, [conditions[index] for index in of_game])
    return reached | {index for position, index in enumerate(of_game) if position not in reached_without}


def _firsts(conditions: Sequence[ast.Expression | None]) -> dict[ast.Expression, ast.Expression]:
    """For each condition the first that is equal to it."""
    firsts: dict[ast.Expression, ast.Expression] = {}
    for condition in conditions:
        if condition is not None:
            firsts.setdefault(condition, condition)
    return firsts


def _reached(worlds: Assignment, conditions: Sequence[ast.Expression | None]) -> set[int]:
    """Indices of the conditions that, tried in order, can be the first to hold; None always holds."""

    def first(world: World) -> int:
        for index, condition in enumerate(conditions):
            if condition is None or worlds.holds(condition, world):
                return index
        return len(conditions)

    reached = set()
    try:
        for _, index in outcomes(first):
            reached.add(index)
            # Everything is reached, so further assignments can add nothing. `len(conditions)`, that none holds, is not
            # a case.
            if len(reached) > len(conditions) or (len(reached) == len(conditions) and len(conditions) not in reached):
                break
    except TooManyAssignments:
        return set(range(len(conditions)))
    return reached


def _unreached(
    context: Context,
    worlds: Assignment,
    node: ast.Node,
    firsts: Mapping[ast.Expression, ast.Expression],
    condition: ast.Expression | None,
) -> None:
    """Warn that a case or branch is never reached; `firsts` has the first condition that is equal to each."""
    alone = condition is not None and 0 not in _reached(worlds, [condition])
    labels = []
    if alone and condition is not None:
        message, helps = f"`{condition.span.text}` never holds", ["check the values it compares"]
        node = condition
    elif condition is None:
        message = "this is never reached: the cases before it cover everything"
        rest = "otherwise" if isinstance(node, ast.Case) else "else"
        helps = [f"remove it, or make the last of them the `{rest}`"]
    else:
        message, helps = (
            "this is never reached: whenever it holds, an earlier case holds too",
            ["remove it, or move it before them"],
        )
    if condition is not None and firsts[condition] is not condition:
        labels = [Label(firsts[condition].span, "the same condition is tested here")]
    context.error("E0503", message, node, helps, labels, severity="warning")


def missing(context: Context, node: ast.Define) -> list[str]:
    """Describe the values that no case of a definition covers, if all its cases test the same expression."""
    worlds = Assignment(context.model)
    conditions = [case.condition for case in node.cases if case.condition is not None]
    tested: set[int] = set()
    uncovered: list[str] = []

    def covered(world: World) -> bool:
        # Not `any`: all conditions are evaluated, so that `tested` has everything that some case reads.
        return sum(worlds.holds(condition, world) for condition in conditions) > 0

    try:
        for world, is_covered in outcomes(covered):
            tested |= set(world)
            if not is_covered and len(world) == 1:
                value = next(iter(world.values()))
                uncovered.append(
                    "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
                )
    except TooManyAssignments:
        return []
    if len(tested) != 1 or not uncovered or uncovered in (["true"], ["false"]):
        return []
    more = f" and {len(uncovered) - MAX_NAMED} more" if len(uncovered) > MAX_NAMED else ""
    return [f"no case covers {', '.join(f'`{value}`' for value in uncovered[:MAX_NAMED])}{more}"]


def impossible_moves(context: Context) -> None:
    """Report an action whose requirements can never all hold, so that it is never legal."""
    worlds = Assignment(context.model)
    for rule in context.model.rules.values():
        conditions = [require.condition for require in rule.declaration.requires]
        # The requirement to report is the first that cannot hold together with those above it. It need not be the one
        # at fault, so the label names one that contradicts it, if there is a single such requirement.
        for index in [] if _compatible(worlds, conditions) else range(len(conditions)):
            if _compatible(worlds, conditions[: index + 1]):
                continue
            node, alone = conditions[index], not _compatible(worlds, conditions[index : index + 1])
            message = f"`{rule.name}` is never possible: "
            message += "this never holds" if alone else "this contradicts the requirements above"
            clashing = (
                [] if alone else [earlier for earlier in conditions[:index] if not _compatible(worlds, [earlier, node])]
            )
            labels = [Label(earlier.span, "this requirement conflicts with it") for earlier in clashing[:1]]
            helps = ["check the values it compares"] if alone else ["remove one of them"]
            context.error("E0504", message, node, helps, labels, severity="warning")
            break


def _compatible(worlds: Assignment, conditions: Sequence[ast.Expression]) -> bool:
    """True if the conditions can all hold."""
    try:
        assignments = outcomes(lambda world: all(worlds.holds(c, world) for c in conditions), deep=True)
        return any(held for _, held in assignments)
    except TooManyAssignments:
        return True
