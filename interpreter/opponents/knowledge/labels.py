"""Labels of the moves of others as shown to a seat, rendered once for moves that look the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from operator import itemgetter

from dsl import ast
from interpreter.compiler.decisions import Decision, acts_of
from interpreter.engine.program import Program
from interpreter.opponents.knowledge.cached_results import CachedResults
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.layout import POINT
from interpreter.seat.notation.moves import Listing
from interpreter.seat.views.history import is_unnoticed, label_shown


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
