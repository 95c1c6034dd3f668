"""Straight lines over a board: what is seen over the places between, and what a move encloses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter.compiler.ir.expressions import Table
from interpreter.compiler.ir.types import COUNT, Set, Type
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, Variables, i32, i64, narrow, negated, read
from interpreter.compiler.machine.forms import WORD_BITS, Form, Members, form_of
from interpreter.compiler.machine.scope import Scope
from interpreter.compiler.wasm.instructions import I64, Code, Label, Read, call, load, plain, select, write


def _called(
    scope: Scope, name: str, table: Table, form: Form, args: Sequence[Value], fill: Callable[[Body], None]
) -> Value:
    operands = [part for arg in args for part in arg]
    params = tuple([type_ for operand in operands for type_ in operand.results])
    callee = scope.program.helper(name, (table, form), params, form.operands, fill)
    result = scope.body.variables(form)
    scope.body.add(write(result, call(callee, *operands)))
    return read(result)


def seen_over(scope: Scope, table: Table, args: Sequence[Value], type_: Type) -> Value:
    """The places from which a line leads to one of `ends`, over one or more places, all in `over`."""
    form = form_of(type_)
    assert isinstance(form, Members) and isinstance(type_, Set)
    ends, over = (scope.converted(arg, Members(len(arg)), form) for arg in args)

    def fill(body: Body) -> None:
        words = form.words
        params = body.function.locals
        at, passed = read(params[:words]), read(params[words : 2 * words])
        seen, new = body.variables(form), body.variables(form)
        body.assign(seen, sets.constant_set(0, words))
        for step, inner_places in table.content:
            way = body.named(sets.both(passed, sets.constant_set(inner_places, words)))
            for by in (step, -step):
                body.assign(new, sets.both(sets.shifted(at, by, words), way))
                _extend(body, new, by, way, _longest_run(inner_places, by))
                body.assign(seen, sets.union(read(seen), sets.shifted(read(new), by, words)))
        body.give(read(seen))

    return _called(scope, "seen_over", table, form, (ends, over), fill)


def _longest_run(places: int, by: int) -> int:
    """The number of places of a set that follow each other in a direction, at most."""
    length = 0
    while places:
        places &= places << by if by > 0 else places >> -by
        length += 1
    return length


def _extend(body: Body, reached: Variables, by: int, way: Value, longest: int) -> None:
    """Extend a set by all places that follow in a direction, on a way with at most `longest` in a row."""
    # Twice as far each time, in as many steps for every position: a loop that ends where nothing follows has its end
    # guessed wrong in most directions, and a game that looks in all of them took 1.5 times as long.
    words, free, step = len(reached), body.variables(Members(len(reached))), by
    body.assign(free, way)
    for stage in range((longest - 1).bit_length()):
        if stage:
            body.assign(free, sets.both(read(free), sets.shifted(read(free), step // 2, words)))
        body.assign(reached, sets.union(read(reached), sets.both(read(free), sets.shifted(read(reached), step, words))))
        step *= 2


def enclosed(scope: Scope, table: Table, args: Sequence[Value], type_: Type) -> Value:
    """The places on lines from one place to one of `ends`, over places that are all in `over`."""
    form = form_of(type_)
    assert isinstance(form, Members)
    place, *both = args
    ends, over = (scope.converted(arg, Members(len(arg)), form) for arg in both)
    starts, rays, firsts = [0], list[int](), list[int]()
    for upwards_downwards in table.content:
        for part in upwards_downwards:
            rays += [ray for ray, _ in part]
            firsts += [first for _, first in part]
            starts.append(len(rays))
    assert isinstance(type_, Set)
    data = scope.program.data
    addresses = (
        data.values(starts, COUNT), data.values(rays, type_), data.values(firsts, type_), len(table.content)
    )  # fmt: skip
    return _called(scope, "enclosed", table, form, (place, ends, over), lambda body: _enclosed(body, form, *addresses))


def _enclosed(body: Body, form: Members, starts: int, rays: int, firsts: int, places: int) -> None:
    words = form.words
    params = body.function.locals
    place = Read(params[0])
    ends, over = read(params[1 : 1 + words]), read(params[1 + words : 1 + 2 * words])
    body.fault(plain("i64.ge_u", place, i64(places)))
    enclosed = body.variables(form)
    body.assign(enclosed, sets.constant_set(0, words))
    start = body.held(plain("i32.mul", narrow(place), i32(16)))
    number = body.variable(I64)
    body.assign((number,), (load("i64.load", start, starts),))
    for upwards in (True, False):
        until = body.held(load("i64.load", start, starts + (8 if upwards else 16)))

        def follow(out: Label, upwards: bool = upwards, until: Code = until) -> None:
            def once(next_ray: Label) -> None:
                body.leave(out, plain("i64.ge_s", Read(number), until))
                at = body.held(plain("i32.mul", narrow(Read(number)), i32(8 * words)))
                ray = body.named(tuple([load("i64.load", at, rays + 8 * word) for word in range(words)]))
                near = tuple([load("i64.load", at, firsts + 8 * word) for word in range(words)])
                _ray(body, enclosed, ray, near, ends, over, upwards)
                body.assign((number,), (plain("i64.add", Read(number), i64(1)),))
                body.leave(next_ray)

            body.loop(once)

        body.block(follow)
    body.give(read(enclosed))


def _ray(body: Body, enclosed: Variables, ray: Value, near: Value, ends: Value, over: Value, upwards: bool) -> None:
    """The part of a ray up to the first of `ends`, if the places before it are of `over`; `near` do not count."""
    words = len(ray)
    stop = body.named(sets.minus(ray, over))
    empty = sets.is_empty(stop)
    if upwards:
        beyond = plain("i64.add", sets.lowest(body, stop), i64(1))
        limit = select(empty, i64(WORD_BITS * words), beyond)
        within = sets.both(sets.both(ray, ends), sets.below(body, limit, words))
    else:
        limit = select(empty, i64(0), sets.last(body, stop))
        within = sets.minus(sets.both(ray, ends), sets.below(body, limit, words))
    end = body.named(sets.minus(within, near))

    def add() -> None:
        if upwards:
            part = sets.both(ray, sets.below(body, sets.last(body, end), words))
        else:
            following = plain("i64.add", sets.lowest(body, end), i64(1))
            part = sets.minus(ray, sets.below(body, following, words))
        body.assign(enclosed, sets.union(read(enclosed), part))

    body.when(negated(sets.is_empty(end)), add)


PRINTERS: Mapping[str, Callable[[Scope, Table, Sequence[Value], Type], Value]] = {
    "seen_over": seen_over, "enclosed": enclosed,
}  # fmt: skip
"""The functions that print searches along lines, by their names."""
