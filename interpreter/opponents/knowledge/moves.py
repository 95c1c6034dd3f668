"""Moves as their codes: the types of arguments, what a watching seat does not see of them, moves with other pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ast
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import Decision, acts_of, chosen_type
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen
from interpreter.opponents.knowledge.exchanges import Exchange, with_exchanged
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, number_in


def types_of(program: Program, decision: Decision, code: MoveCode) -> Sequence[Type]:
    """The types of the arguments of a move, or of what is chosen."""
    if code[0] < 0:
        return ()
    if isinstance(decision.node, ast.Choose):
        return (chosen_type(program.model, decision.node),)
    rule = program.model.rules[acts_of(decision.node)[code[0]].name]
    return [parameter.type for parameter in rule.parameters]


def may_hide(program: Program, S: Cells, decision: Decision, code: MoveCode, seat: int) -> bool:
    """True if another move could look the same to a watching seat, which is not shown all of this one."""
    if decision.node.secretly or decision.at_once:
        return True
    if code[0] >= 0 and isinstance(decision.node, ast.Decide):
        declaration = program.model.rules[acts_of(decision.node)[code[0]].name].declaration
        if any(parameter.secret for parameter in declaration.parameters):
            return True
        label = declaration.label if isinstance(declaration, ast.Action) else None
        if label is not None:
            shown = {part.name for part in label.parts if isinstance(part, ast.Name)}
            if any(parameter.name not in shown for parameter in declaration.parameters):
                return True
    for type_, value in zip(types_of(program, decision, code), code[1:], strict=True):
        core = bare(type_)
        if value is not None and isinstance(core, PieceType) and not fully_seen(program, S, seat, number_in(value)):
            return True
        if isinstance(core, Several) and isinstance(core.element, PieceType):
            return not all(fully_seen(program, S, seat, piece) for piece in bits(number_in(value or 0)))
    return False


def with_pieces_exchanged(program: Program, S: Cells, code: MoveCode, exchange: Exchange) -> MoveCode:
    """A move with other pieces, or an equal one if equal pieces are offered once."""
    decision = program.decision(S)
    assert decision is not None
    types = types_of(program, decision, code)
    values = [with_exchanged(type_, value, exchange) for type_, value in zip(types, code[1:], strict=True)]
    found = (code[0], *values)
    legal = program.legal(S)
    if found in legal:
        return found
    wanted = _by_kind(program, types, found)
    return next((other for other in legal if other[0] == code[0] and _by_kind(program, types, other) == wanted), found)


def _by_kind(program: Program, types: Sequence[Type], code: MoveCode) -> tuple[Any, ...]:
    """A move in which equal pieces are equal."""
    kinds = program.runtime.kinds

    def kind(type_: Type, value: Any) -> Any:
        core = bare(type_)
        if value is not None and isinstance(core, PieceType):
            return kinds[value]
        if value and isinstance(core, Several) and isinstance(core.element, PieceType):
            return sorted(kinds[piece] for piece in bits(value))
        return value

    return tuple(kind(type_, value) for type_, value in zip(types, code[1:], strict=True))
