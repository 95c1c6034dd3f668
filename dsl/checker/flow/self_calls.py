"""Checks of definitions that call themselves: with each call a number falls, so the calls certainly come to an end.

    define most(x: Square, n: 0..12) -> 0..12:
        0                                                            if n is 0
        highest (1 + (most(y, n - 1) given leap(x, y))) for y in behind(x)      otherwise

Two things are proved:

- Every call passes a smaller number for one and the same parameter, here `n - 1`. So a chain of calls is at most as
  long as the parameter has values.
- Where that number would be below the range of the parameter, no call is made, because a case before it holds: here
  where `n` is 0. The cases are evaluated for each such value by partial evaluation.

Where more may be subtracted than the check can tell, as in `n - k`, a number outside the range is a fault in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.logic.partial_evaluation import KnownValue, Names, Partial, PartialEvaluation
from dsl.symbols import DefineSymbol, LocalSymbol
from dsl.types import Number

MAX_OPEN_CALLS = 100
"""The greatest number of values of the parameter that falls, and so of calls inside each other."""


def self_calls(context: Context) -> None:
    """Report definitions whose calls of themselves may not come to an end, or are too deep."""
    for symbol in context.model.defines.values():
        uses = [node for node in symbol.declaration.walk() if context.model.refers.get(node.number) is symbol]
        calls = [node for node in uses if isinstance(node, ast.Call)]
        if not uses or symbol.declaration.result is None:
            continue  # without a declared type, the call has been reported
        if len(calls) < len(uses):  # `reach(x, linked)` inside of `linked`
            _report_without_end(context, symbol, next(node for node in uses if not isinstance(node, ast.Call)))
        else:
            _check_calls(context, symbol, calls)


def _check_calls(context: Context, symbol: DefineSymbol, calls: list[ast.Call]) -> None:
    """Report calls of a definition inside itself, unless one parameter falls in all of them down to a last case."""
    decreases = [_decreases(context, symbol, call) for call in calls]
    falling = next((name for name in symbol.parameters if all(name in by_name for by_name in decreases)), None)
    if falling is None:
        without = (call for call, by_name in zip(calls, decreases, strict=True) if not by_name)
        _report_without_end(context, symbol, next(without, calls[-1]))
        return
    assert isinstance(falling.type, Number)
    low, high = falling.type.low, falling.type.high
    if high - low >= MAX_OPEN_CALLS:
        helps = [
            f"a range of {MAX_OPEN_CALLS} numbers is the largest, such as `{falling.name}: 0..{MAX_OPEN_CALLS - 1}`"
        ]
        message = f"`{symbol.name}` may call itself {high - low} times, which is too deep"
        context.error("E0406", message, symbol.declaration, helps)
        return
    evaluation = PartialEvaluation(context.model, context.assigned)
    for call, by_name in zip(calls, decreases, strict=True):
        # The values from which even the smallest decrease leads below the range.
        for value in range(low, min(low + by_name[falling], high + 1)):
            names = {falling: Partial(KnownValue(value))}
            if any(node is call for node in _evaluated(evaluation, symbol.declaration.cases, names)):
                test = f"is {low}" if value == low else f"<= {value}"
                helps = [f"begin with a case for it, such as `0 if {falling.name} {test}`"]
                message = f"`{symbol.name}` calls itself even where `{falling.name}` is {value}, the least it can be"
                if value > low:
                    message = f"`{symbol.name}` calls itself where `{falling.name}` is {value}: that leads below {low}"
                context.error("E0406", message, call, helps)
                return


def _decreases(context: Context, symbol: DefineSymbol, call: ast.Call) -> dict[LocalSymbol, int]:
    """The parameters for which a call passes their own value minus a number, each with the least that this can be."""
    decreases: dict[LocalSymbol, int] = {}
    for parameter, argument in zip(symbol.parameters, call.arguments, strict=False):
        match argument:
            case ast.Arithmetic(operator="-", left=ast.Name() as name, right=subtrahend):
                subtracted = context.model.types.get(subtrahend.number)
                is_own = context.model.refers.get(name.number) is parameter and isinstance(parameter.type, Number)
                if is_own and isinstance(subtracted, Number) and subtracted.low > 0:
                    decreases[parameter] = subtracted.low
            case _:
                pass
    return decreases


def _evaluated(evaluation: PartialEvaluation, cases: Iterable[ast.Case], names: Names) -> Iterator[ast.Node]:
    """The nodes of a definition that may be evaluated if these names have these values."""
    for case in cases:
        holds_surely = True
        if case.condition is not None:
            yield from _inside(evaluation, case.condition, names)
            condition = evaluation.value(case.condition, names).value
            if condition is not None and not condition.value:
                continue
            holds_surely = condition is not None
        yield from _inside(evaluation, case.value, names)
        if holds_surely:
            return


def _inside(evaluation: PartialEvaluation, node: ast.Node, names: Names) -> Iterator[ast.Node]:
    """A node and those inside it, without the branches that a known condition excludes."""
    yield node
    match node:
        case ast.Either():
            yield from _inside(evaluation, node.condition, names)
            condition = evaluation.value(node.condition, names).value
            for branch, truth in ((node.then, True), (node.otherwise, False)):
                if condition is None or bool(condition.value) is truth:
                    yield from _inside(evaluation, branch, names)
        case ast.And() | ast.Or():
            yield from _inside(evaluation, node.left, names)
            left = evaluation.value(node.left, names).value
            if left is None or bool(left.value) is isinstance(node, ast.And):
                yield from _inside(evaluation, node.right, names)
        case _:
            for child in node.children():
                yield from _inside(evaluation, child, names)


def _report_without_end(context: Context, symbol: DefineSymbol, node: ast.Node) -> None:
    name = symbol.name
    parameters = [parameter.name for parameter in symbol.parameters]
    numbers = [parameter.name for parameter in symbol.parameters if isinstance(parameter.type, Number)]
    falling = numbers[-1] if numbers else "n"
    arguments = ", ".join([parameter for parameter in parameters if parameter != falling] + [f"{falling} - 1"])
    helps = [
        f"let a number fall with each call: a parameter `{falling}: 0..20`, and `{name}({arguments})`",
        "or use `sum`, or keep the value in a note",
    ]
    message = f"`{name}` is defined in terms of itself, and no number falls with each call"
    context.error("E0406", message, node, helps)
