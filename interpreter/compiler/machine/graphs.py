"""Searches over graphs: their constant data, and the calls of the routines that search them.

The edges of a board are known before the game. Routines get them as three arrays of numbers: those of place n are
entries `starts[n]` to `starts[n + 1]` of the others. For places 0, 1 and 2 in a row, joined by edges 0 and 1:

    starts     0  1     3  4
    edges      0  0  1  1
    others     1  0  2  1         the place at the other end

A relation that the rules define is an expression with a place as its parameter (`reach_by`, `path_by`). It is printed
into the search itself, at the one place where the search asks for the neighbours of a place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter.compiler.ir.expressions import Data, Expr, Lambda, Op
from interpreter.compiler.ir.types import COUNT, Seq, Set, bare
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Value, i32, i64, narrow, negated, read, wide
from interpreter.compiler.machine.forms import (
    NUMBER_ITEMS,
    SCALAR,
    WORD_BITS,
    WORD_BYTES,
    Form,
    Items,
    Maybe,
    Members,
    Parts,
    UnprintableError,
    form_of,
)
from interpreter.compiler.machine.routines import graphs, packings, walks
from interpreter.compiler.machine.routines.kinds import NUMBERS, TRUTH, ArrayOf, RecordOf, Typed
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import Scope, allot
from interpreter.compiler.machine.sequences import address
from interpreter.compiler.wasm.instructions import I32, I64, Code, Label, Read, load, plain, select, store, write


def _data(node: Expr) -> Data:
    if not isinstance(node, Data):
        raise UnprintableError("a graph that is not known before the game")
    return node


def _number(value: int) -> Typed:
    return (i64(value),), SCALAR


def typed(scope: Scope, node: Expr, form: Form | None = None) -> Typed:
    """An expression as an argument of a routine, in a form or that of its type."""
    form = form or form_of(node.type)
    return scope.body.named(scope.as_form(node, form)), form


def _links(scope: Scope, node: Expr) -> tuple[list[Typed], int]:
    """The edges of a graph by place, as routines take them, and the number of places."""
    links = _data(node).table.content
    starts, edges, others = [0], list[int](), list[int]()
    for pairs in links.incidences:
        edges += [edge.bit_length() - 1 for edge, _ in pairs]
        others += [neighbour for _, neighbour in pairs]
        starts.append(len(edges))
    data = scope.program.data
    return [((i32(data.values(values, COUNT)),), NUMBERS) for values in (starts, edges, others)], links.count


def _checked_place(scope: Scope, node: Expr, count: int) -> Typed:
    (place,) = scope.body.named((scope.number(node),))
    scope.body.fault(plain("i64.ge_u", place, i64(count)))
    return (place,), SCALAR


def _empty(form: Form) -> Typed:
    assert isinstance(form, Members)
    return sets.constant_set(0, form.words), form


def _reach(scope: Scope, node: Op) -> Value:
    links, count = _links(scope, node.args[0])
    start = _checked_place(scope, node.args[1], count)
    used = typed(scope, node.args[2])
    return called(scope.program, scope.body, graphs, node.name, *links, start, used, _empty(form_of(node.type)))[0]


def _groups(scope: Scope, node: Op) -> Value:
    links, count = _links(scope, node.args[0])
    places, used = (typed(scope, arg) for arg in node.args[1:])
    return called(scope.program, scope.body, graphs, "groups", *links, _number(count), places, used)[0]


def _neighbours(scope: Scope, content: Sequence[int], form: Form) -> Typed:
    assert isinstance(form, Members)
    type_ = Set("", 64 * form.words)
    return (i32(scope.program.data.values(content, type_)),), ArrayOf(form)


def _hanging(scope: Scope, node: Op) -> Value:
    places = typed(scope, node.args[1])
    assert isinstance(places[1], Members)
    beside = _neighbours(scope, _data(node.args[0]).table.content, places[1])
    return called(scope.program, scope.body, graphs, "hanging", beside, places)[0]


def joined(scope: Scope, node: Op) -> Code:
    """Whether places of two sets are connected, as a condition."""
    places = typed(scope, node.args[1])
    assert isinstance(places[1], Members)
    beside = _neighbours(scope, _data(node.args[0]).table.content.neighbours, places[1])
    ends = [typed(scope, arg, places[1]) for arg in node.args[2:]]
    value, kind = called(scope.program, scope.body, graphs, "joined", beside, places, *ends)
    assert kind == TRUTH
    return value[0]


def _steps_on(scope: Scope, node: Op) -> Value:
    content = _data(node.args[0]).table.content
    # The numbers of places may have gaps, as those of a ring begin with 1: no row is there.
    ways = max((len(row) for row in content if row is not None), default=0)
    nowhere = (None,) * ways
    rows = [nowhere if row is None else row for row in content]
    table = scope.program.data.values([value for row in rows for value in row], COUNT)
    args = [typed(scope, arg, SCALAR) for arg in node.args[1:]]
    sizes = _number(len(content)), _number(ways)
    return called(scope.program, scope.body, graphs, "steps_on", ((i32(table),), NUMBERS), *sizes, *args)[0]


def _path(scope: Scope, node: Op) -> Value:
    """The edges of a path; none if there is none."""
    form = form_of(node.type)
    assert isinstance(form, Maybe)
    links, count = _links(scope, node.args[0])
    start, goal = (_checked_place(scope, arg, count) for arg in node.args[1:3])
    used = typed(scope, node.args[3])
    args = (*links, _number(count), start, goal, used, _empty(form.of))
    edges = scope.body.named(called(scope.program, scope.body, graphs, "path", *args)[0])
    # No edges are the path from a place to itself, but also what the routine gives if there is no path.
    connected = plain("i32.or", plain("i64.eq", start[0][0], goal[0][0]), negated(sets.is_empty(edges)))
    return scope.body.held(connected), *edges


# ---------------------------------------------------------------- relations


def _applied(
    scope: Scope, function: Expr, args: Sequence[tuple[Value, Form]], inside: Callable[[Expr], Value]
) -> Value:
    """The value of a function that is written where it is used."""
    if not isinstance(function, Lambda):
        raise UnprintableError("a function that is not written where it is used")
    befores = [scope.locals.get(param.name) for param in function.params]
    for param, (value, form) in zip(function.params, args, strict=True):
        variables = scope.bind(param, form)
        scope.body.assign(variables, value)
    result = scope.body.named(inside(function.body))
    for param, previous in zip(function.params, befores, strict=True):
        scope.restore(param, previous)
    return result


def _reach_by(scope: Scope, node: Op) -> Value:
    """The places reachable over a relation, whose neighbours of a place are given by an expression."""
    start, linked = node.args
    form, body = form_of(node.type), scope.body
    assert isinstance(form, Members)
    reached, waiting = body.variables(form), body.variables(form)
    body.assign(reached, sets.bit(body, scope.number(start), form.words))
    body.assign(waiting, read(reached))

    def visit() -> None:
        place = body.held(sets.lowest(body, read(waiting)))
        body.assign(waiting, sets.minus(read(waiting), body.named(sets.bit(body, place, form.words))))
        beside = _applied(scope, linked, [((place,), SCALAR)], lambda result: scope.as_form(result, form))
        more = body.named(sets.minus(beside, read(reached)))
        body.assign(reached, sets.union(read(reached), more))
        body.assign(waiting, sets.union(read(waiting), more))

    body.repeated(lambda: negated(sets.is_empty(read(waiting))), visit)
    return read(reached)


def _path_by(scope: Scope, node: Op) -> Value:
    """The places of the shortest path over a relation that breadth-first search finds; none if there is none.

    `queue` are the places found, in that order, and `came_from` for each place the one from which it was found.
    """
    start, goal, linked = node.args
    form, body = form_of(bare(node.type)), scope.body
    assert isinstance(form, Members)
    first, end = body.named((scope.number(start), scope.number(goal)))
    queue, came_from = (allot(scope, i32(WORD_BYTES * WORD_BITS * form.words)) for _ in range(2))
    reached, route, connected = body.variables(form), body.variables(form), body.variable(I32)
    place, visited, count = body.variable(I64), body.variable(I32), body.variable(I32)
    body.assign(reached, sets.bit(body, first, form.words))
    body.assign(route, read(reached))
    body.assign((connected, visited, count), (i32(0), i32(0), i32(1)))
    body.add(store("i64.store", queue, first))

    def back() -> None:
        body.assign(route, sets.union(read(route), sets.bit(body, Read(place), form.words)))
        body.assign((place,), (load("i64.load", address(came_from, narrow(Read(place)), SCALAR)),))

    def search(out: Label) -> None:
        def arrived() -> None:
            body.repeated(lambda: plain("i64.ne", Read(place), first), back)
            body.assign((connected,), (i32(1),))
            body.leave(out)

        def member(neighbour: Code, following: Label, out: Label) -> None:
            body.add(store("i64.store", address(queue, Read(count), SCALAR), neighbour))
            body.add(store("i64.store", address(came_from, narrow(neighbour), SCALAR), Read(place)))
            body.assign((count,), (plain("i32.add", Read(count), i32(1)),))

        def visit() -> None:
            body.assign((place,), (load("i64.load", address(queue, Read(visited), SCALAR)),))
            body.assign((visited,), (plain("i32.add", Read(visited), i32(1)),))
            body.when(plain("i64.eq", Read(place), end), arrived)
            beside = _applied(scope, linked, [((Read(place),), SCALAR)], lambda result: scope.as_form(result, form))
            more = body.named(sets.minus(beside, read(reached)))
            body.assign(reached, sets.union(read(reached), more))
            sets.each_member(body, more, member)

        body.repeated(lambda: plain("i32.lt_s", Read(visited), Read(count)), visit)

    body.block(search)
    return Read(connected), *read(route)


def _inside(scope: Scope, node: Op) -> Value:
    """Components or paths of places over a relation, given the neighbours of each of them within them."""
    places, linked, *fewest = node.args
    form = _form_of_sets(node)
    args = typed(scope, places, form), typed(scope, linked, Items(form)), *[typed(scope, arg) for arg in fewest]
    return called(scope.program, scope.body, walks if fewest else graphs, node.name, *args)[0]


# ---------------------------------------------------------------- paths, and the best choice of rows


def _form_of_sets(node: Expr) -> Members:
    if not isinstance(node.type, Seq) or not isinstance(node.type.of, Set):
        raise UnprintableError(f"a search among {node.type}")
    form = form_of(node.type.of)
    assert isinstance(form, Members)
    return form


def _beside(scope: Scope, links: Expr, places: Typed, used: Expr) -> Typed:
    edges, count = _links(scope, links)
    return called(scope.program, scope.body, graphs, "neighbours", *edges, _number(count), places, typed(scope, used))


def _all_paths(scope: Scope, node: Op) -> Value:
    links, places, edges, fewest = node.args
    among = typed(scope, places, _form_of_sets(node))
    beside = _beside(scope, links, among, edges)
    args = beside, among, typed(scope, fewest), _number(walks.MAX_PATHS)
    return called(scope.program, scope.body, walks, "paths_among", *args)[0]


def _all_trails(scope: Scope, node: Op) -> Value:
    links, through, edges, fewest = node.args
    linked, count = _links(scope, links)
    used = typed(scope, edges, _form_of_sets(node))
    args = (*linked, _number(count), typed(scope, through), used, typed(scope, fewest))
    return called(scope.program, scope.body, walks, "trails", *args)[0]


def _lines_in(scope: Scope, node: Op) -> Value:
    lines, places = node.args
    form = _form_of_sets(node)
    return called(scope.program, scope.body, packings, "lines_in", typed(scope, lines), typed(scope, places, form))[0]


def _all_packings(scope: Scope, node: Op) -> Value:
    (rows,) = node.args
    listed = typed(scope, rows)
    return called(scope.program, scope.body, packings, "all_packings", listed, _empty(_form_of_sets(rows)))[0]


def _best_rows(scope: Scope, node: Op) -> Value:
    links, places, edges, fewest, worth = node.args
    among = typed(scope, places)
    beside = _beside(scope, links, among, edges)
    least = scope.body.held(scope.number(fewest))
    least = select(plain("i64.gt_s", least, i64(1)), least, i64(1))
    args = beside, among, ((least,), SCALAR), _number(walks.MAX_WALKS)
    rows = called(scope.program, scope.body, walks, "paths_among", *args)
    return _best(scope, rows, beside, worth, among)


def _best_sets(scope: Scope, node: Op) -> Value:
    rows, worth = node.args
    form = _form_of_sets(rows)
    listed = typed(scope, rows)
    mates = called(scope.program, scope.body, packings, "mates_of", listed, _empty(form))
    return _best(scope, listed, mates, worth, _empty(form))


def _best(scope: Scope, rows: Typed, mates: Typed, worth: Expr, like: Typed) -> Value:
    """The best choice of listed sets, as a row of the total and the sets chosen."""
    body, form = scope.body, like[1]
    assert isinstance(form, Members) and isinstance(rows[1], Items)
    count, items = body.named(rows[0])
    worths = allot(scope, plain("i32.mul", count, i32(WORD_BYTES)))
    value_of = _worth(scope, worth, form)

    def rate(number: Code) -> None:
        # Memory that the worth of a row takes is free again after it: there may be thousands of rows.
        mark = body.held(plain("i32.add", Read(scope.program.top), i32(0)))
        row = body.named(scope.loaded(form, address(items, number, form), 0))
        value = body.held(value_of(row))
        body.add(write((scope.program.top,), mark))
        body.add(store("i64.store", address(worths, number, SCALAR), value))

    body.counted(i32(0), count, rate)
    args = ((count, items), rows[1]), ((items,), ArrayOf(form)), mates, ((worths,), NUMBERS), like
    (choice,), kind = called(scope.program, scope.body, packings, "best", *args)
    assert isinstance(kind, RecordOf)
    return tuple(
        body.named(
            (
                load("i64.load", choice, 0),
                plain("i32.wrap_i64", load("i64.load", choice, 2 * WORD_BYTES)),
                load("i32.load", choice, WORD_BYTES),
            )
        )
    )


def _worth(scope: Scope, worth: Expr, form: Members) -> Callable[[Value], Code]:
    """What prints the worth of a row; what does not depend on it is printed at once."""
    if not isinstance(worth, Op):
        return lambda row: _applied(scope, worth, [(row, form)], scope.value)[0]
    sums, flags, function = worth.args
    if not isinstance(sums, Op) or not isinstance(flags, Op):
        raise UnprintableError("an objective that is not written where it is used")
    added = [typed(scope, part, NUMBER_ITEMS) for part in sums.args]
    tested = [typed(scope, part, form) for part in flags.args]

    def value(row: Value) -> Code:
        totals = [
            called(scope.program, scope.body, packings, "sum_over", addend, (row, form))[0][0] for addend in added
        ]
        truths = [wide(negated(sets.is_empty(sets.both(members, row)))) for members, _ in tested]
        args: list[tuple[Value, Form]] = [
            (tuple(totals), Parts((SCALAR,) * len(totals))), (tuple(truths), Parts((SCALAR,) * len(truths)))
        ]  # fmt: skip
        return _applied(scope, function, args, scope.value)[0]

    return value


PRINTERS: Mapping[str, Callable[[Scope, Op], Value]] = {
    "reach": _reach, "near": _reach, "groups": _groups, "path": _path, "hanging": _hanging, "steps_on": _steps_on,
    "reach_by": _reach_by, "all_paths": _all_paths, "all_trails": _all_trails, "lines_in": _lines_in,
    "path_by": _path_by, "groups_by": _inside, "paths_by": _inside, "all_packings": _all_packings,
    "best_rows": _best_rows, "best_sets": _best_sets,
}  # fmt: skip
"""The functions that print searches, by their names."""
