"""Witnesses: the members that decide a condition with `some` or `no`, through definitions and hypotheses.

The explanation of a refused move should name the attacker, not only say that there is one:

    require no p in pieces[you]: hits(p, king)        false, and no value in it says why
      p is the rook on a4                             a witness: the condition holds for it
      hits(p, king) → some line of p: king in line    looked into, for the witnesses of what it asks

So the member for which the inner condition holds is searched for again, through definitions and hypotheses, until the
condition that decides is found. Of a position that a hypothesis asks for, the explanation says how often it has been
recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from dsl import ast
from dsl.symbols import DefineSymbol, LocalSymbol
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator, ShownValue
from interpreter.seat.redaction import HiddenValueError, fully_known

MAX_WITNESSES = 6
"""Maximum number of witnesses that are named."""

MAX_NESTING = 8
"""Maximum number of definitions and conditions inside each other that are looked into."""


def witnesses(evaluator: SeatEvaluator, node: ast.Expression, names: Bindings, state: Cells) -> tuple[ShownValue, ...]:
    """The members that decide a condition, as far as a seat may know them."""
    try:
        return tuple(islice(_Search(evaluator, state, "").of(node, names, 0), MAX_WITNESSES))
    except (HiddenValueError, PlayError):
        return ()


class _Search:
    """The search in one position; `supposed` says how it differs from the present one."""

    def __init__(self, evaluator: SeatEvaluator, state: Cells, supposed: str) -> None:
        self.evaluator, self.program, self.state, self.supposed = evaluator, evaluator.program, state, supposed

    def of(self, node: ast.Expression, names: Bindings, depth: int) -> Iterator[ShownValue]:
        """The witnesses of a condition. Raises HiddenValueError, PlayError."""
        if depth > MAX_NESTING:
            return
        symbol = self.program.model.refers.get(node.number)
        match node:
            case ast.Not():
                yield from self.of(node.operand, names, depth)
            case ast.And() | ast.Or():
                yield from self._decisive(node, names, depth)
            case ast.Hypothesis():
                supposed_state = self.program.supposed(node, self.evaluator.redacted(self.state), names.values)
                argument_words = [
                    self.evaluator.render(argument, names, self.state, "argument") for argument in node.step.arguments
                ]
                arguments = ", ".join(argument_words)
                step = f"{node.step.name}({arguments})" if arguments else node.step.name
                yield from _Search(self.evaluator, supposed_state, f"after {step}: ").of(node.value, names, depth + 1)
            case ast.Compare() if self.supposed:
                for side in (node.left, node.right):
                    if isinstance(side, ast.Times):
                        yield ShownValue(
                            f"{self.supposed}{side.span.text}", self.evaluator.render(side, names, self.state)
                        )
            case ast.Quantified(quantifier="some" | "no"):
                yield from self._of_members(node, node.binders, names, depth)
            case ast.Name() | ast.Call() if isinstance(symbol, DefineSymbol):
                yield from self._definition(symbol, getattr(node, "arguments", ()), names, depth)
            case _:
                return

    def _holds(self, node: ast.Expression, names: Bindings) -> bool:
        return bool(self.evaluator.value(node, names, self.state))

    def _decisive(self, node: ast.And | ast.Or, names: Bindings, depth: int) -> Iterator[ShownValue]:
        """The witnesses of the part that decides: the first that fails, or that holds; of both if both are needed."""
        decisive = isinstance(node, ast.Or)
        for part in (node.left, node.right):
            if self._holds(part, names) == decisive:
                yield from self.of(part, names, depth)
                return
        for part in (node.left, node.right):
            yield from self.of(part, names, depth)

    def _definition(
        self, symbol: DefineSymbol, arguments: Sequence[ast.Expression], names: Bindings, depth: int
    ) -> Iterator[ShownValue]:
        values = [fully_known(self.evaluator.value(argument, names, self.state)) for argument in arguments]
        parameters = Bindings.of(symbol.parameters, values)
        for case in symbol.declaration.cases:
            case_names = (
                parameters if case.condition is None else self.evaluator.with_captures(case.condition, parameters)
            )
            if case.condition is None or self._holds(case.condition, case_names):
                yield from self.of(case.value, case_names, depth + 1)
                return

    def _of_members(
        self, node: ast.Quantified, binders: Sequence[ast.Binder], names: Bindings, depth: int
    ) -> Iterator[ShownValue]:
        """The first combination of members for which the condition holds, and what decides that."""
        members = self._first(node.where, binders, names)
        if members is None:
            return
        for binder in binders:
            symbol = self._symbol(binder)
            member = self.program.value_of_name(symbol, self.state, members.values)
            yield ShownValue(f"{self.supposed}{binder.name}", self.evaluator.words(symbol.type, member, self.state))
        if node.where is not None:
            yield from self.of(node.where, members, depth + 1)

    def _first(
        self, where: ast.Expression | None, binders: Sequence[ast.Binder], names: Bindings
    ) -> Bindings | None:  # fmt: skip
        if not binders:
            return names if where is None or self._holds(where, names) else None
        symbol = self._symbol(binders[0])
        for member in self.program.members_of(binders[0].domain, self.evaluator.redacted(self.state), names.values):
            member_names = Bindings({**names.values, symbol: fully_known(member)}, names.unknown)
            members = self._first(where, binders[1:], member_names)
            if members is not None:
                return members
        return None

    def _symbol(self, binder: ast.Binder) -> LocalSymbol:
        symbol = self.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol
