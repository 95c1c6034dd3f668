"""The values that decide who wins, computed for all seats together where a game ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Call, Cell, Const, Expr, Group, Local, Op, number, rebuilt
from interpreter.compiler.ir.module import Function, Module, named
from interpreter.compiler.ir.types import Row, Type
from interpreter.compiler.passes.facts.accesses import AccessAnalysis
from interpreter.compiler.passes.facts.effects import effect_test
from interpreter.compiler.passes.simplifying.inlining import Definitions, with_inlined
from interpreter.compiler.passes.simplifying.rule_inlining import has_at_most
from interpreter.runtime.layout import ME

RESULTS = named("results")
"""The name of the function that returns the values of all seats, seat by seat."""


def add_results(module: Module, seats: int) -> None:
    """Add the function that returns the results, unless a definition that it calls depends on whose turn it is."""
    criteria = [function for function in module.functions.values() if function.kind == "criterion"]
    me = me_of(module)
    accesses = AccessAnalysis(module)
    parts: list[Expr] = []
    types: list[Type] = []
    for seat in range(seats):
        for function in criteria:
            match function.body:
                # `winner highest points(me)`: for each seat the constant takes the place of `me` in the expression
                # itself. A definition that reads `me` inside would still see the seat that acted last.
                case (st.Return(value=value),) if me is None or not _asks_for(value, me, accesses):
                    parts.append(_of_seat(value, me, seat))
                    types.append(value.type)
                case _:
                    return
    body: st.Block = (st.Return(Op(Row(tuple(types)), "row", tuple(parts))),)
    within = with_inlined(body, Definitions(module, effect_test(module), most=MAX_INLINED_SIZE))
    body = within if has_at_most(within, MAX_INLINED_SIZE * seats) else body
    module.functions[RESULTS] = Function("define", RESULTS, (), body, Row(tuple(types)))


def _asks_for(node: Expr, me: Group, accesses: AccessAnalysis) -> bool:
    """Whether a called definition depends on whose turn it is."""
    accessed = accesses.expression(node)
    return accessed.everything or any(me.name in accesses.function(name).reads for name in accessed.calls)


def _of_seat(node: Expr, me: Group | None, seat: int) -> Expr:
    if isinstance(node, Cell) and node.group == me:
        return Const(node.type, seat, node.source)
    return rebuilt(node, lambda child: _of_seat(child, me, seat))


MAX_INLINED_SIZE = 200
"""Maximum number of nodes of a definition that is inlined into the results of a seat."""

Results = tuple[tuple[Local, ...], ...]
"""The locals that hold the results when the game is over: one per criterion, seat by seat."""


def results_at_end(module: Module, seats: int) -> Results:
    """Compute the results where the game ends; returns the locals that hold them."""
    criteria = [function for function in module.functions.values() if function.kind == "criterion"]
    results = tuple(
        tuple(Local(result_of(criterion), named("result", seat, number)) for number, criterion in enumerate(criteria))
        for seat in range(seats)
    )
    together = module.functions.get(RESULTS)
    if together is None:
        end = tuple(_one_by_one(module, criteria, results))
    else:
        end = _at_once(together, [local for numbers in results for local in numbers])
    for block in module.blocks.values():
        if isinstance(block.body[-1], st.Stop):
            block.body = (*block.body[:-1], *end, block.body[-1])
    return results


def _at_once(together: Function, names: Sequence[Local]) -> st.Block:
    """The body of the function with all results if it has no branches; otherwise a call."""
    *assignments, last = together.body
    if (
        isinstance(last, st.Return)
        and isinstance(last.value, Op)
        and all(isinstance(node, st.Assign) for node in assignments)
    ):
        result_assignments = [st.Assign(local, part) for local, part in zip(names, last.value.args, strict=True)]
        return (*assignments, *result_assignments)
    row = Local(result_of(together), named("results"))
    parts = [st.Assign(local, Op(local.type, "part", (row, number(i)))) for i, local in enumerate(names)]
    return (st.Assign(row, Call(row.type, RESULTS, ())), *parts)


def result_of(function: Function) -> Type:
    """The type of the value of a function."""
    assert function.result is not None
    return function.result


def _one_by_one(module: Module, criteria: list[Function], results: Results) -> Iterator[st.Statement]:
    """The criteria of each seat in turn, evaluated as if it were to act.

    Afterwards the seat that acted last is the acting one again: otherwise equal states would have different keys.
    """
    me = me_of(module)
    evaluated = [
        [st.Assign(local, Call(local.type, function.name, ())) for function, local in zip(criteria, row, strict=True)]
        for row in results
    ]
    if me is None:
        yield from chain.from_iterable(evaluated)
        return
    cell, acting = Cell(me.type, me, number(0)), Local(me.type, named("acting"))
    yield st.Assign(acting, cell)
    for seat, statements in enumerate(evaluated):
        yield st.Store(cell, Const(me.type, seat))
        yield from statements
    yield st.Store(cell, acting)


def me_of(module: Module) -> Group | None:
    """The cell with the acting seat, if the rules read it."""
    return next((group for group in module.cells.values() if group.first == ME), None)
