"""What a step reads, with the steps that it calls and the reactions that it may trigger."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.calls import called
from dsl.checker.types.statements import all_statements
from dsl.symbols import DefineSymbol, DieSymbol, NoteSymbol, PositionSymbol, RuleSymbol, ZoneSymbol

MENTIONED = ZoneSymbol | NoteSymbol | DieSymbol | DefineSymbol | PositionSymbol


def reads_of(context: Context, rule: RuleSymbol) -> Iterator[ast.Expression]:
    """The zones, notes, dice, definitions and positions that a step mentions.

    Not those zones that it only puts pieces into.
    """
    model = context.model
    waiting, seen = [rule.declaration.body], {rule.name}
    waiting += [when.declaration.body for when in model.whens]
    # INVARIANT: each step is followed once, so this ends although reactions may call the step again.
    while waiting:
        body = list(all_statements(list(waiting.pop())))
        for statement in body:
            entered = {zone.number for zone in ast.entered(statement)}
            for node in _own(statement):
                symbol = model.refers.get(node.number)
                mentioned = isinstance(symbol, MENTIONED)
                if mentioned and isinstance(node, ast.Name | ast.Index | ast.Call) and node.number not in entered:
                    yield node
        for act in called(body):
            if act.name in model.rules and act.name not in seen:
                seen.add(act.name)
                waiting.append(model.rules[act.name].declaration.body)
    for when in model.whens:
        yield from (
            node for node in model.defines[when.name].declaration.walk()
            if isinstance(node, ast.Name | ast.Index | ast.Call)
            and isinstance(model.refers.get(node.number), MENTIONED)
        )  # fmt: skip


def _own(statement: ast.Statement) -> Iterator[ast.Node]:
    """A statement and what is inside it, but for the statements inside."""
    inside = {nested.number for block in ast.blocks(statement) for nested in block}
    waiting: list[ast.Node] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in node.children() if child.number not in inside]
