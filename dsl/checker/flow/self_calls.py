"""Checks of definitions that call themselves: with each call a number falls, so that the last one is certainly reached.

    define most(x: Square, n: 0..12) -> 0..12:
        0                                                            if n is 0
        highest (1 + (most(y, n - 1) given leap(x, y))) for y in behind(x)      otherwise

Two things are proved. Every call of itself passes a smaller number for one and the same parameter, `n - 1`, so a chain
of calls is at most as long as the parameter has values. And where that number would certainly be less than the least
one, no such call is made, because a case before it holds. What is taken away may be more than the check can tell, as in
`n - k`: then it is a fault in play if the number is outside the range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.logic.partial_evaluation import KnownValue, Names, Partial, PartialEvaluation
from dsl.symbols import DefineSymbol, LocalSymbol
from dsl.types import Number

MAX_CALLS = 100
"""The most values of the parameter that falls: as many calls may be open at once."""


def self_calls(context: Context) -> None:
    """Report definitions that call themselves without an end."""
    for symbol in context.model.defines.values():
        uses = [node for node in symbol.declaration.walk() if context.model.refers.get(node.number) is symbol]
        calls = [node for node in uses if isinstance(node, ast.Call)]
        if not uses or symbol.declaration.result is None:
            continue  # without a declared type, the call has been reported
        if len(calls) < len(uses):  # `reach(x, linked)` inside of `linked`
            _report_without_end(context, symbol, next(node for node in uses if not isinstance(node, ast.Call)))
        else:
            _examine(context, symbol, calls)


def _examine(context: Context, symbol: DefineSymbol, calls: list[ast.Call]) -> None:
    steps = [_falling(context, symbol, call) for call in calls]
    falling = next((p for p in symbol.parameters if all(p in step for step in steps)), None)
    if falling is None:
        _report_without_end(context, symbol, next((c for c, s in zip(calls, steps, strict=True) if not s), calls[-1]))
        return
    assert isinstance(falling.type, Number)
    low, high = falling.type.low, falling.type.high
    if high - low >= MAX_CALLS:
        helps = [f"a range of {MAX_CALLS} numbers is the largest, such as `{falling.name}: 0..{MAX_CALLS - 1}`"]
        message = f"`{symbol.name}` may call itself {high - low} times, which is too deep"
        context.error("E0406", message, symbol.declaration, helps)
        return
    evaluation = PartialEvaluation(context.model, context.assigned)
    for call, step in zip(calls, steps, strict=True):
        for value in range(low, min(low + step[falling], high + 1)):
            names = {falling: Partial(KnownValue(value))}
            if any(node is call for node in _evaluated(evaluation, symbol.declaration.cases, names)):
                test = f"is {low}" if value == low else f"<= {value}"
                helps = [f"begin with a case for it, such as `0 if {falling.name} {test}`"]
                message = f"`{symbol.name}` calls itself even where `{falling.name}` is {value}, the least it can be"
                if value > low:
                    message = f"`{symbol.name}` calls itself where `{falling.name}` is {value}: that leads below {low}"
                context.error("E0406", message, call, helps)
                return


def _falling(context: Context, symbol: DefineSymbol, call: ast.Call) -> dict[LocalSymbol, int]:
    """The parameters for which a call passes their own value less a number, each with the least that this can be."""
    steps: dict[LocalSymbol, int] = {}
    for parameter, argument in zip(symbol.parameters, call.arguments, strict=False):
        match argument:
            case ast.Arithmetic(operator="-", left=ast.Name() as name, right=less):
                less_type = context.model.types.get(less.number)
                own = context.model.refers.get(name.number) is parameter and isinstance(parameter.type, Number)
                if own and isinstance(less_type, Number) and less_type.low > 0:
                    steps[parameter] = less_type.low
            case _:
                pass
    return steps


def _evaluated(evaluation: PartialEvaluation, cases: Iterable[ast.Case], names: Names) -> Iterator[ast.Node]:
    """The nodes of a definition that may be evaluated if these names have these values."""
    for case in cases:
        held = True
        if case.condition is not None:
            yield from _inside(evaluation, case.condition, names)
            held_value = evaluation.value(case.condition, names).value
            if held_value is not None and not held_value.value:
                continue
            held = held_value is not None
        yield from _inside(evaluation, case.value, names)
        if held:
            return


def _inside(evaluation: PartialEvaluation, node: ast.Node, names: Names) -> Iterator[ast.Node]:
    """A node and those inside it, except where a condition that is known spares them."""
    yield node
    match node:
        case ast.Either():
            yield from _inside(evaluation, node.condition, names)
            held = evaluation.value(node.condition, names).value
            for part, needed in ((node.then, True), (node.otherwise, False)):
                if held is None or bool(held.value) is needed:
                    yield from _inside(evaluation, part, names)
        case ast.And() | ast.Or():
            yield from _inside(evaluation, node.left, names)
            first = evaluation.value(node.left, names).value
            if first is None or bool(first.value) is isinstance(node, ast.And):
                yield from _inside(evaluation, node.right, names)
        case _:
            for child in node.children():
                yield from _inside(evaluation, child, names)


def _report_without_end(context: Context, symbol: DefineSymbol, node: ast.Node) -> None:
    name = symbol.name
    takes = [parameter.name for parameter in symbol.parameters]
    numbers = [parameter.name for parameter in symbol.parameters if isinstance(parameter.type, Number)]
    falling = numbers[-1] if numbers else "n"
    arguments = ", ".join([other for other in takes if other != falling] + [f"{falling} - 1"])
    helps = [
        f"let a number fall with each call: a parameter `{falling}: 0..20`, and `{name}({arguments})`",
        "or use `sum`, or keep the value in a note",
    ]
    message = f"`{name}` is defined in terms of itself, and no number falls with each call"
    context.error("E0406", message, node, helps)
