"""Decisions: moves are counted, and one of them is selected.

The moves of a decision are runs: one move under conditions, or one for each member of a set. The number of moves is a
sum of sizes of sets, and move number 17 is a member of the run in which the 17th lies. No list of moves is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, both, locals_of
from interpreter.compiler.ir.runs import Run, runs_of
from interpreter.compiler.ir.types import Set
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Variables, i32, i64, narrow, read, wide
from interpreter.compiler.machine.forms import SCALAR, WORD_BYTES, Form, Members, form_of
from interpreter.compiler.machine.listing import PartsListing
from interpreter.compiler.machine.statements import Statements
from interpreter.compiler.wasm.instructions import I64, Code, Label, Local, Read, load, plain, select, store, write


@dataclass
class Choice:
    """A decision while it is printed: the moves counted so far, and the number of the move that is made."""

    scope: Statements
    parts: list[dict[Form, Variables]]
    number: Local

    def take(self, move: Sequence[Expr]) -> None:
        """Assign the parts of a move."""
        for kinds, part in zip(self.parts, move, strict=False):
            self.scope.body.assign(kinds[form_of(part.type)], self.scope.value(part))


Selecting = tuple[Code, Callable[[Code], None]]
"""The number of moves of a run, and what assigns the parts of one of them, whose number is given."""


Draw = Callable[[Code, Code | None], Code]
"""Adds statements that choose one of a number of moves and give its index; also the list of moves, if there is one."""


def decide(scope: Statements, node: st.Decide, drawn: Draw) -> None:
    """Make one of the moves, whose number `drawn` gives for how many there are; `otherwise` if there are none."""
    body = scope.body
    # For example, `place(p) for p in empty` (3 moves), `pass` if there are none so far, `move(p) for p in own` (2): the
    # ends are 3, 3 and 5. Number 4, from 0, is in the third run, which starts at 3: the second member of `own`.
    runs = runs_of(node.moves)
    if runs is None:
        decide_listed(scope, node, drawn)
        return
    emitted = [statement.move for statement in st.walk(node.moves) if isinstance(statement, st.Emit)]
    parts: list[dict[Form, Variables]] = []
    for place in range(len(node.names)):
        forms = {form_of(move[place].type) for move in emitted if place < len(move)} or {SCALAR}
        parts.append({form: body.variables(form) for form in forms})
    # INVARIANT: conditions and sets are evaluated once, before a number is drawn, and kept in variables. The move that
    # is selected is found in them alone, so a run counts and selects the same moves.
    choice = Choice(scope, parts, body.variable(I64))
    preparation, move_runs = runs
    scope.block(preparation)
    ends: list[Code] = []
    selecting: list[Callable[[Code], None]] = []
    for run in move_runs:
        count, selected = _run(choice, run)
        last = ends[-1] if ends else i64(0)
        # what depends on whether there are moves before it: `last` is how many the runs before have
        match run.after:
            case "some":
                count = plain("i64.add", last, wide(plain("i64.gt_s", last, i64(0))))
            case "none":
                count = select(plain("i64.gt_s", last, i64(0)), last, body.held(count))
            case "any":
                count = plain("i64.add", last, count) if ends else count
        ends.append(body.held(count))
        selecting.append(selected)
    total = ends[-1] if ends else i64(0)

    def make() -> None:
        body.assign((choice.number,), (drawn(total, None),))

        def chosen(out: Label) -> None:
            for index, (end, selected) in enumerate(zip(ends, selecting, strict=True)):
                start = ends[index - 1] if index else i64(0)
                place = plain("i64.sub", Read(choice.number), start) if index else Read(choice.number)

                def pick(selected: Callable[[Code], None] = selected, place: Code = place) -> None:
                    selected(place)
                    body.leave(out)

                # the last run needs no test: `drawn` gives a number below the last end
                if index == len(ends) - 1:
                    selected(place)
                else:
                    body.when(plain("i64.lt_s", Read(choice.number), end), pick)

        body.block(chosen)
        outer_parts = scope.parts
        own_parts = {local.name: kinds for local, kinds in zip(node.names, parts, strict=True)}
        scope.parts = {**outer_parts, **own_parts}
        scope.block(node.made)
        scope.parts = outer_parts

    body.when(plain("i64.eqz", total), lambda: scope.block(node.otherwise), make)


def _alternatives(choice: Choice, run: Run, tested: Code | None, form: Members) -> Selecting:
    """A move for each member of each of several sets, in the order of the members, then of the sets."""
    scope, body = choice.scope, choice.scope.body
    assert run.loop is not None
    # `for p in own: step(p) if p in free; jump(p) if p in near` lists by member: step(a), jump(a), step(b) … The sizes
    # of the two sets give the count. To find a move by its number, each member of their union counts down by one for
    # each set that has it. Selecting from one set and then from the other would change the order.
    ways = [body.variables(form) for _ in run.alternatives]

    def fill() -> None:
        for way, (members, _) in zip(ways, run.alternatives, strict=True):
            body.assign(way, scope.as_form(members, form))

    def empty() -> None:
        for way in ways:
            body.assign(way, sets.constant_set(0, form.words))

    if tested is None:
        fill()
    else:
        body.when(tested, fill, empty)
    count: Code = i64(0)
    for way in ways:
        count = plain("i64.add", count, sets.size(read(way)))

    def selected(place: Code) -> None:
        assert run.loop is not None
        number = body.variable(I64)
        body.assign((number,), (place,))
        previous = scope.locals.get(run.loop.local.name)
        member = scope.bind(run.loop.local, SCALAR)
        every = read(ways[0])
        for way in ways[1:]:
            every = sets.union(every, read(way))

        def search(out: Label) -> None:
            def visit(candidate: Code, following: Label, end: Label) -> None:
                for way, (_, move) in zip(ways, run.alternatives, strict=True):

                    def count_down(move: Sequence[Expr] = move) -> None:
                        def take() -> None:
                            body.assign(member, (candidate,))
                            choice.take(move)
                            body.leave(out)

                        body.when(plain("i64.eqz", Read(number)), take)
                        body.assign((number,), (plain("i64.sub", Read(number), i64(1)),))

                    body.when(sets.has(body, read(way), candidate), count_down)

            sets.each_member(body, body.named(every), visit)

        body.block(search)
        scope.restore(run.loop.local, previous)

    return body.held(count), selected


def decide_listed(scope: Statements, node: st.Decide, drawn: Draw) -> None:
    """A decision whose moves have to be listed, unless they are still in memory from when it was reached."""
    body, program = scope.body, scope.program
    listing = PartsListing(scope, node)
    rows = listing.rows
    resumable = not _locals_of_listing(node)

    def resume() -> None:
        first, end = (load("i32.load", i32(0), program.listed + WORD_BYTES * word) for word in range(2))
        body.assign((rows.first, rows.count), (first, load("i32.load", i32(0), program.count)))
        body.add(write((program.top,), end), store("i32.store", i32(0), i32(0), program.listed))

    if resumable:
        still_there = load("i32.load", i32(0), program.listed)
        body.when(still_there, resume, lambda: listing.block(node.moves))
    else:
        listing.block(node.moves)
    count = Read(rows.count)

    def make() -> None:
        number = drawn(wide(count), Read(rows.first) if resumable else None)
        parts = listing.read_row(body.held(narrow(number)))
        outer_parts = scope.parts
        scope.parts = {**outer_parts, **{local.name: kinds for local, kinds in zip(node.names, parts, strict=True)}}
        scope.block(node.made)
        scope.parts = outer_parts

    body.when(plain("i32.eqz", count), lambda: scope.block(node.otherwise), make)


def _locals_of_listing(node: st.Decide) -> frozenset[str]:
    """The locals that listing the moves assigns and making one of them reads."""
    read_names = [locals_of(part) for statement in st.walk(node.made) for part in st.expressions(statement)]
    return st.assigned_names(node.moves) & frozenset().union(*read_names) - {local.name for local in node.names}


def _run(choice: Choice, run: Run) -> Selecting:
    scope, body = choice.scope, choice.scope.body
    tested = scope.condition(both(list(run.conditions))) if run.conditions else None
    if run.loop is None:
        count: Code = i64(1) if tested is None else wide(tested)
        return count, lambda _: choice.take(run.move)
    over = run.loop.over
    assert isinstance(over.type, Set)
    form = form_of(over.type)
    assert isinstance(form, Members)
    if run.alternatives:
        return _alternatives(choice, run, tested, form)
    members = body.variables(form)
    if tested is None:
        body.assign(members, scope.value(over))
    else:
        body.when(
            tested,
            lambda: body.assign(members, scope.value(over)),
            lambda: body.assign(members, sets.constant_set(0, form.words)),
        )

    def selected(place: Code) -> None:
        assert run.loop is not None and isinstance(over.type, Set)
        previous = scope.locals.get(run.loop.local.name)
        member = scope.bind(run.loop.local, SCALAR)
        body.assign(member, (sets.select_member(body, read(members), place, over.type.width),))
        choice.take(run.move)
        scope.restore(run.loop.local, previous)

    return body.held(sets.size(read(members))), selected
