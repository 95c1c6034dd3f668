"""Loops, and the values that they compute.

    count x in pieces where f(x)      total := 0
                                      for x in pieces:  if f(x):  total := total + 1
    some x in pieces where f(x)       exists := 0
                                      for x in pieces:  if f(x):  exists := 1; leave the loops
    count x in pieces                 the number of bits of `pieces`, without a loop
    {y for x in pieces with y in near(x)}     for x in pieces:  members := members | near(x)

INVARIANT: among equally good values, `highest` and `lowest` take the first, as `max` and `min` do in Python. So the
comparison is strict, and members come in the same order in both engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from interpreter.compiler.ir.expressions import NOTHING_FOUND, TRUE, Const, Expr, Fold, Let, Loop, Op, conjuncts
from interpreter.compiler.ir.types import Bool, Seq, Set
from interpreter.compiler.machine import numbers, sets
from interpreter.compiler.machine.body import Value, i32, i64, read, wide
from interpreter.compiler.machine.forms import SCALAR, Members, bytes_of, form_of
from interpreter.compiler.machine.operations import MAX_UNCHECKED, bounds_of, single
from interpreter.compiler.machine.scope import GrowingList, Scope
from interpreter.compiler.machine.sequences import same
from interpreter.compiler.wasm.instructions import I32, I64, Code, Label, Read, plain
from interpreter.runtime.cells import number_in

Visit = Callable[[Label], None]
"""Prints what is executed for a combination; the label continues with the next value of the innermost loop."""


def through(scope: Scope, loops: Sequence[Loop], visit: Visit) -> None:
    """Nested loops; branches out of them need a block around them."""
    loop, *rest = loops
    over, previous = loop.over, scope.locals.get(loop.local.name)

    def inside(following: Label) -> None:
        under(scope, conjuncts(loop.where), lambda: through(scope, rest, visit) if rest else visit(following))

    if isinstance(over.type, Set):
        members = scope.value(over)

        def member(number: Code, following: Label, out: Label) -> None:
            variables = scope.bind(loop.local, SCALAR)
            scope.body.assign(variables, (number,))
            inside(following)

        sets.each_member(scope.body, members, member)
    elif isinstance(over, Op) and over.name == "span":
        low, high = (scope.number(end) for end in over.args)
        _span(scope, loop, low, scope.body.held(high), inside)
    else:
        assert isinstance(over.type, Seq)
        _items(scope, loop, scope.body.named(scope.value(over)), inside)
    scope.restore(loop.local, previous)


def _span(scope: Scope, loop: Loop, low: Code, high: Code, inside: Visit) -> None:
    body = scope.body
    number = scope.bind(loop.local, SCALAR)
    body.assign(number, (low,))

    def once() -> None:
        body.block(inside)
        body.assign(number, (plain("i64.add", Read(number[0]), i64(1)),))

    body.repeated(lambda: plain("i64.le_s", Read(number[0]), high), once)


def _items(scope: Scope, loop: Loop, items: Value, inside: Visit) -> None:
    body, count = scope.body, items[0]
    assert isinstance(loop.over.type, Seq)
    form = form_of(loop.over.type.of)
    number, address = body.variable(I32), body.variable(I32)
    body.assign((number, address), (i32(0), items[1]))
    item = scope.bind(loop.local, form)

    def once() -> None:
        body.assign(item, scope.loaded(form, Read(address), 0))
        body.block(inside)
        body.assign(
            (number, address),
            (plain("i32.add", Read(number), i32(1)), plain("i32.add", Read(address), i32(bytes_of(form)))),
        )

    body.repeated(lambda: plain("i32.lt_s", Read(number), count), once)


def under(scope: Scope, parts: Sequence[Expr], inside: Callable[[], None]) -> None:
    """Statements executed if all of some conditions hold."""
    if not parts:
        inside()
        return
    first, *rest = parts
    if isinstance(first, Let):
        previous = scope.locals.get(first.local.name)
        value = scope.as_type(first.value, first.local.type)
        scope.body.assign(scope.bind(first.local), value)
        scope.note_record(first.local, first.value)
        under(scope, [*conjuncts(first.body), *rest], inside)
        scope.restore(first.local, previous)
        return
    scope.body.when(scope.condition(first), lambda: under(scope, rest, inside))


def fold(scope: Scope, node: Fold) -> Value:
    """The value of a fold. Raises UnprintableError."""
    first = node.loops[0]
    if len(node.loops) == 1 and first.where is None and isinstance(first.over.type, Set):
        if node.word == "any" and node.value == TRUE:
            return (wide(plain("i32.eqz", sets.is_empty(scope.value(first.over)))),)
        if node.word == "count" and node.value == TRUE:
            return (sets.size(scope.value(first.over)),)
        if node.word == "set" and node.value == first.local:
            return scope.as_type(first.over, node.type)
    match node.word:
        case "any":
            return _any(scope, node)
        case "count":
            return _count(scope, node)
        case "sum":
            return _sum(scope, node)
        case "max" | "min":
            return _extreme(scope, node)
        case "highest" | "lowest":
            return _best(scope, node)
        case "set":
            return _set(scope, node)
        case "first":
            return _first(scope, node)
        case "sets" | "list":
            return _list(scope, node)
        case _:
            assert_never(node.word)


def _any(scope: Scope, node: Fold) -> Value:
    body, exists = scope.body, scope.body.variable(I32)
    body.assign((exists,), (i32(0),))

    def search(out: Label) -> None:
        def hit() -> None:
            body.assign((exists,), (i32(1),))
            body.leave(out)

        through(scope, node.loops, lambda _: under(scope, conjuncts(node.value), hit))

    body.block(search)
    return (wide(Read(exists)),)


def _accumulated(scope: Scope, node: Fold, changed: Callable[[Code], Code], conditions: Sequence[Expr] = ()) -> Value:
    body, total = scope.body, scope.body.variable(I64)
    body.assign((total,), (i64(number_in(NOTHING_FOUND[node.word])),))
    through(
        scope, node.loops, lambda _: under(scope, conditions, lambda: body.assign((total,), (changed(Read(total)),)))
    )
    return (Read(total),)


def _count(scope: Scope, node: Fold) -> Value:
    conditions = conjuncts(node.value) if isinstance(node.value.type, Bool) else []
    return _accumulated(scope, node, lambda total: plain("i64.add", total, i64(1)), conditions)


def _sum(scope: Scope, node: Fold) -> Value:
    if _stays_small(node):
        return _accumulated(scope, node, lambda total: numbers.add(total, scope.number(node.value)))
    return _accumulated(scope, node, lambda total: numbers.checked_sum(scope.body, total, scope.number(node.value)))


def _stays_small(node: Fold) -> bool:
    """Whether a sum needs no checks: its loops are over sets, which are not larger than their types."""
    bounds, most = bounds_of(node.value), 1
    for loop in node.loops:
        if bounds is None or not isinstance(loop.over.type, Set):
            return False
        # A sum over 81 places of numbers up to 10 is at most 810. Without bounds, each addition is followed by a check.
        most *= max(1, loop.over.type.width)
    return bounds is not None and most * max(map(abs, bounds)) <= MAX_UNCHECKED


def _better(scope: Scope, node: Fold, word: str, keep: Callable[[], None]) -> tuple[Code, Code]:
    """Loops that keep the best value so far; its variable, and whether there is one."""
    body = scope.body
    best, some = body.variable(I64), body.variable(I32)
    body.assign((best, some), (i64(0), i32(0)))

    def visit(_: Label) -> None:
        value = body.held(scope.number(node.value))
        better = plain(word, value, Read(best))

        def take() -> None:
            keep()
            body.assign((best, some), (value, i32(1)))

        body.when(plain("i32.or", plain("i32.eqz", Read(some)), better), take)

    through(scope, node.loops, visit)
    return Read(best), Read(some)


def _extreme(scope: Scope, node: Fold) -> Value:
    best, _ = _better(scope, node, "i64.gt_s" if node.word == "max" else "i64.lt_s", lambda: None)
    return (best,)


def _best(scope: Scope, node: Fold) -> Value:
    """The first loop variable whose value is the highest or lowest."""
    local, form = node.loops[0].local, form_of(node.type)
    best = scope.body.variables(form)
    scope.body.assign(best, scope.as_form(Const(node.type, None), form))
    word = "i64.gt_s" if node.word == "highest" else "i64.lt_s"
    _better(scope, node, word, lambda: scope.body.assign(best, scope.as_form(local, form)))
    return read(best)


def _set(scope: Scope, node: Fold) -> Value:
    form = form_of(node.type)
    assert isinstance(form, Members)
    members = scope.body.variables(form)
    scope.body.assign(members, sets.constant_set(0, form.words))

    *outer, last = node.loops
    at_once = last.where is None and node.value == last.local and isinstance(last.over.type, Set)

    def visit(_: Label) -> None:
        added = scope.as_type(last.over, node.type) if at_once else single(scope, form.words, node.value)
        scope.body.assign(members, sets.union(read(members), added))

    through(scope, outer if at_once else node.loops, visit)
    return read(members)


def _first(scope: Scope, node: Fold) -> Value:
    form = form_of(node.type)
    result = scope.body.variables(form)
    scope.body.assign(result, scope.as_form(Const(node.type, None), form))

    def search(out: Label) -> None:
        def visit(_: Label) -> None:
            scope.body.assign(result, scope.as_form(node.value, form))
            scope.body.leave(out)

        through(scope, node.loops, visit)

    scope.body.block(search)
    return read(result)


def _list(scope: Scope, node: Fold) -> Value:
    """All values in order; `sets`: without duplicates."""
    assert isinstance(node.type, Seq)
    form, body = form_of(node.type.of), scope.body
    listed = GrowingList(scope.program, body, form)

    def visit(_: Label) -> None:
        value = body.named(scope.as_form(node.value, form))
        if node.word == "list":
            listed.add(value)
            return
        repeated = body.variable(I32)
        body.assign((repeated,), (i32(0),))

        def compare(number: Code) -> None:
            listed_value = body.named(scope.loaded(form, listed.address(number), 0))
            body.assign((repeated,), (plain("i32.or", Read(repeated), same(scope, form, listed_value, value)),))

        body.counted(i32(0), Read(listed.count), compare)
        body.when(plain("i32.eqz", Read(repeated)), lambda: listed.add(value))

    through(scope, node.loops, visit)
    return listed.value
