"""Moves as their codes: the types of arguments, moves with other pieces, what a watching seat is shown of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from dsl import ast
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import Decision, acts_of, chosen_type
from interpreter.engine.program import Program
from interpreter.engine.sight import fully_seen
from interpreter.opponents.knowledge.cached_results import CachedResults
from interpreter.opponents.knowledge.exchanges import Exchange, with_exchanged
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, number_in
from interpreter.runtime.layout import POINT
from interpreter.seat.notation.moves import Listing
from interpreter.seat.views.history import is_unnoticed, label_shown


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


class Labels:
    """What a seat is shown of moves of others: rendered once for equal values of what a label reads."""

    def __init__(self, program: Program, seat: int) -> None:
        self._program, self._seat = program, seat
        self._shown: dict[tuple[int, int], Callable[[MoveCode], Hashable]] = {}
        self._numbers: dict[tuple[int, Hashable], int] = {}
        self._moves: list[tuple[Decision, MoveCode]] = []
        self._first: list[int] = []
        self._labels = CachedResults(self._rendered, self._first)

    def number(self, decision: Decision, code: MoveCode) -> int:
        """The number of a move without its secret arguments, which no label shows to others."""
        act = decision.number, code[0]
        if act not in self._shown:
            shown: Iterable[int] = range(len(code))
            if code[0] >= 0 and not isinstance(decision.node, ast.Choose):
                rule = self._program.model.rules[acts_of(decision.node)[code[0]].name]
                parameters = enumerate(rule.declaration.parameters, start=1)
                shown = [0, *[place for place, parameter in parameters if not parameter.secret]]
            self._shown[act] = itemgetter(0, *shown)
        key = decision.number, self._shown[act](code)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._moves)
            self._moves.append((decision, code))
            self._first.append(POINT)
        return number

    def label(self, S: Cells, number: int) -> str | None:
        """The label of a move that could be made; None if the seat does not notice the decision."""
        decision, code = self._moves[number]
        return None if is_unnoticed(decision, S, code) else self._labels.result(number, S)

    def read(self, S: Cells, number: int) -> tuple[int, ...] | None:
        """The cells that the label of a move reads; None if it may read all."""
        decision, code = self._moves[number]
        return () if is_unnoticed(decision, S, code) else self._labels.read(number, S)

    def _rendered(self, S: Cells, number: int) -> str:
        decision, code = self._moves[number]
        return label_shown(Listing(self._program, S, decision.node, (code,)), decision, code, self._seat)
