"""Interrupts: the steps with cues, `step events, before infect, after build: …`, and the rules that do them.

A rule that is named in a cue gets a statement that does the step, at its beginning or end:

    step events, after build: …        action build:                 action build:
                                           add 1 to houses    ->         add 1 to houses
                                                                         do events

Before an action means after its choice and before its effects. All later stages, both engines included, see only these
statements.

Before: the tree with its clauses as rules of their own. After: the statements that do the interrupts are in the bodies
of the rules. Their spans are those of the rules named in the cue, so that errors in them are reported there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from dsl import ast
from dsl.checker.context import Context, near
from dsl.diagnostics import Label

Rule = ast.Action | ast.Step


def interrupting(file: ast.GameFile) -> list[ast.Step]:
    """The interrupts of a file."""
    steps = [node for part in file.parts for node in part.declarations if isinstance(node, ast.Step)]
    return [step for step in steps if step.cues]


def interrupted(file: ast.GameFile, number: int, unwritten: frozenset[int]) -> tuple[ast.GameFile, frozenset[int]]:
    """The file in which rules do their interrupts, and the numbers of the new nodes, from `number` on.

    `unwritten` are the numbers of the steps that only choose a clause: their clauses do the interrupts.
    """
    steps = [step for step in interrupting(file) if _needs_no_value(step)]
    if not steps:
        return file, frozenset()
    new_nodes: list[ast.Node] = []
    parts = [
        replace(part, declarations=tuple(
            _with_interrupts(node, steps, number, new_nodes)
            if isinstance(node, Rule) and node.number not in unwritten else node
            for node in part.declarations
        ))
        for part in file.parts
    ]  # fmt: skip
    return replace(file, parts=tuple(parts)), frozenset(node.number for node in new_nodes)


def _needs_no_value(step: ast.Step) -> bool:
    """True if a step can be done without arguments. `cues` reports the others."""
    return not step.parameters and step.clause is None


def _with_interrupts(rule: Rule, steps: Sequence[ast.Step], number: int, new_nodes: list[ast.Node]) -> Rule:
    """A rule with the statements that do its interrupts. Their nodes are numbered from `number` on in `new_nodes`."""

    def do(step: ast.Step, named: ast.CuedRule) -> ast.Do:
        act = ast.Act(span=named.span, number=number + len(new_nodes), name=step.name, arguments=())
        statement = ast.Do(span=named.span, number=number + len(new_nodes) + 1, act=act)
        new_nodes.extend((act, statement))
        return statement

    others = [step for step in steps if step is not rule]
    before = [do(step, named) for step in others for named in _named(step, "before") if is_named(rule, named)]
    after = [do(step, named) for step in others for named in _named(step, "after") if is_named(rule, named)]
    if not before and not after:
        return rule
    # The `let`s above the requirements stay in front: they are part of the choice, and bind names for what follows.
    lets = len(ast.lets_at_head(rule))
    return replace(rule, body=(*rule.body[:lets], *before, *rule.body[lets:], *after))


def _named(step: ast.Step, relation: Literal["before", "after"]) -> Iterator[ast.CuedRule]:
    return (named for cue in step.cues if cue.relation == relation for named in cue.rules)


def is_named(rule: Rule, named: ast.CuedRule) -> bool:
    """True if a cue names a rule, alone or as one of its clauses."""
    if named.clause is not None or rule.clause is None:
        return rule.name == named.full_name
    return rule.name == ast.clause_name(named.name, rule.clause.key)


def cues(context: Context) -> None:
    """Report cues that name no rule, or one twice, and interrupts that somebody would have to give arguments."""
    rules = [rule.declaration for rule in context.model.rules.values()]
    for step in interrupting(context.model.file):
        if step.clause is not None or step.parameters:
            where = step.clause or step.parameters[0]
            helps = ["note in the rule what it needs, and read the note in it"]
            context.error("E0431", f"nobody gives the interrupt `{step.name}` a value for this", where, helps)
        first_cues: dict[tuple[str, str], ast.CuedRule] = {}
        for cue in step.cues:
            for named in cue.rules:
                _check_name(context, step, named, rules)
                first = first_cues.setdefault((cue.relation, named.full_name), named)
                if first is not named:
                    labels = [Label(first.span, "first here")]
                    message = f"`{step.name}` is done {cue.relation} `{named.full_name}` twice"
                    context.error("E0431", message, named, ["name it once"], labels)


def _check_name(context: Context, step: ast.Step, named: ast.CuedRule, rules: Sequence[Rule]) -> None:
    """Report a name in a cue that is none of the rules, or the step itself, with what it is instead."""
    name = named.full_name
    if name == step.name:
        context.error("E0431", f"`{name}` interrupts itself", named, ["repeat with `up to N times while …:`"])
    elif any(is_named(rule, named) for rule in rules):
        return
    elif named.clause is not None and any(rule.clause and rule.name.startswith(f"{named.name}(") for rule in rules):
        context.error("E0201", f"`{named.name}` has no clause of its own for `{named.clause}`", named)
    elif named.name in context.model.phases:
        helps = [f"do it where the phase begins or ends: write `{step.name}` in its block"]
        context.error("E0431", f"`{name}` is a phase: only actions and steps are interrupted", named, helps)
    elif named.name in context.globals:
        context.error("E0431", f"`{name}` is not an action or step", named)
    else:
        proposals = near(name, [rule.name for rule in rules if rule.name != step.name] + [*context.lost])
        context.error("E0201", f"there is no action or step `{name}`", named, proposals=proposals)
