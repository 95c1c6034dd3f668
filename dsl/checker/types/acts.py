"""Types of the arguments of steps and actions."""

from __future__ import annotations

from typing import Literal

from dsl import ast
from dsl.checker.context import Scope, near, spelt
from dsl.checker.names.foreign_keywords import idle_helps
from dsl.checker.types.causes import declared
from dsl.checker.types.expectations import refer
from dsl.checker.types.lookup import check_argument, count_error
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause
from dsl.types import UNKNOWN

Use = Literal["call", "offer", "hypothesis"]
"""What an act is for: a step is called, an action is offered, or the outcome of a step is supposed."""


def check_act(typer: Typer, node: ast.Act, scope: Scope, use: Use) -> None:
    """Check a step that is called or supposed, or an action that is offered, with its arguments."""
    context, step = typer.context, use != "offer"
    rule = context.model.rules.get(node.name)
    texts = [argument for argument in node.arguments if isinstance(argument, ast.Text)]
    if rule is None and len(texts) == len(node.arguments) == 1:
        new = f"tell {texts[0].span.text}"
        context.error("E0201", f"there is no step `{node.name}`", node, [f"to announce a text, write `{new}`"], new=new)
        return
    for index, argument in enumerate(node.arguments):
        if rule is not None and index < len(rule.parameters):
            parameter = rule.parameters[index]
            check_argument(typer, argument, parameter.type, scope, f"for `{parameter.name}`", declared(rule))
        else:
            typer.infer(argument, scope, UNKNOWN)
    if rule is None:
        what = "step" if step else "action"
        is_declared = node.name in context.globals
        article = "a" if step else "an"
        message = f"`{node.name}` is not {article} {what}" if is_declared else f"there is no {what} `{node.name}`"
        rule_names = [name for name, symbol in context.model.rules.items() if symbol.is_action is not step]
        rule_names += context.lost
        cause = Cause("declared" if is_declared else "unknown", node.name)
        proposals = near(node.name, rule_names)
        helps = [] if is_declared or proposals else idle_helps(node.name, offered=not step)
        at = spelt(node, node.name)
        context.error("E0201", message, node, helps, proposals=proposals, at=at, causes=[cause])
        return
    refer(typer, node, rule)
    if step and rule.is_action and not typer.in_example:
        helps = [f"write `must {node.name}` or `may {node.name}`, or declare it as a `step`"]
        correction: str | None = f"must {node.span.text}"
        message = f"`{node.name}` is an action: a player must choose it"
        if use == "hypothesis":
            helps, correction = [f"move what `{node.name}` does to a `step`, and suppose that"], None
        elif node.span.is_inside(rule.declaration.span) and not node.arguments:
            helps, correction = [f'for the label of the action, write `"{node.name}"`'], f'"{node.name}"'
        context.error("E0412", message, node, helps, new=correction, causes=[declared(rule)])
        return
    if not step and not rule.is_action:
        helps = [f"write `{node.name}` alone, or declare it as an `action`"]
        message = f"`{node.name}` is a step, not an action"
        context.error("E0413", message, node, helps, causes=[declared(rule)])
    given_count, takes = len(node.arguments), len(rule.parameters)
    if given_count > takes or (step and given_count < takes):
        names = ", ".join(parameter.name for parameter in rule.parameters)
        count_error(typer, rule, takes, given_count, node, names)
