"""Statements as Python source.

    store taker := me                    if J is not None: J.append((12, S[12]))
                                         S[12] = S[1]
    if c in free and size(hand) > 2:     if S[18] >> c & 1 and S[7].bit_count() > 2:
      emit move 0(c)                         add((0, c))

Python evaluates what is written where it is written; the IR says only in which order things happen. Three differences
matter here. A value that may fail has to be computed before the journal has an entry for its cell (`_store`). A loop
over a set must not see changes that its own body makes, and Python would test conditions anew in each iteration
(`_for`). And some expressions, such as searches with a loop of their own, are several lines, which come before the
statement (`extracted`).
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.operations import READING
from interpreter.compiler.ir.types import Row, Seq
from interpreter.compiler.python.expressions import cell_number, cell_text
from interpreter.compiler.python.searches import Lines, assigned, condition, extracted, give, returned, through, under
from interpreter.compiler.python.text import OR, commas, identifier, iterable, number_of, storable, text
from interpreter.runtime.cells import LOOP, MARK, REASON, TOLD
from interpreter.runtime.layout import IDLE, ME, MOVES, POINT, RANDOM


def block(out: Lines, statements: st.Block) -> None:
    """Print statements."""
    line_count = len(out.lines)
    for node in statements:
        out.printed[len(out.lines)] = node
        statement(out, node)
    if len(out.lines) == line_count:
        out.add("pass")


def statement(out: Lines, node: st.Statement) -> None:
    """Print a statement with those inside it."""
    if out.special is not None and out.special(out, node):
        return
    match node:
        case st.Assign():
            give(out, node.local, node.value)
        case st.Store():
            _store(out, node)
        case st.If():
            _if(out, node)
        case st.For():
            _for(out, node)
        case st.Repeat():
            out.add(f"for _ in range({_text(out, node.times)}):")
            block(out.inside(), node.body)
        case st.Break():
            out.add("break")
        case st.Continue():
            out.add("continue")
        case st.Overfull():
            out.add(f"overfull({_text(out, node.place)}, {node.source.number})")
        case st.Mix():
            where = cell_text(_cell_extracted(out, node.cell))
            out.add(f"S[{RANDOM}], items = shuffled(S[{RANDOM}], {where})", f"{where} = tuple(items)")
        case st.Draw():
            where = cell_number(_cell_extracted(out, node.cell))
            out.add(f"pick(S, J, {where}, {node.table.name}, {node.event!r}, {node.name!r}, {node.source.number})")
        case st.DrawItem():
            where, (items,) = cell_number(_cell_extracted(out, node.cell)), _texts(out, (node.items,))
            out.add(f"draw_item(S, J, {where}, {items}, {node.source.number})")
        case st.Emit():
            out.add(f"add({commas(_texts(out, node.move))})")
        case st.EmitDone():
            out.add("if out: add((-1,))" if node.any_before else "add((-1,))")
        case st.IfNoMoves():
            out.add("if not out:")
            block(out.inside(), node.body)
        case st.Once():
            _once(out, node)
        case st.Perform():
            out.add(f"{node.function}({', '.join(['S', 'J', *_texts(out, node.args)])})")
        case st.React():
            out.add(f"{node.function}(S, J)")
        case st.Goto():
            out.add(f"return {text(node.block) if isinstance(node.block, ex.Cell) else node.block}")
        case st.Suspend():
            _suspend(out, node)
        case st.Stop():
            _write(out, str(POINT), str(node.point))
            out.add(f"S[{MOVES}] = []", "return -1")
        case st.Leave():
            out.add(f"raise Leave({node.block})")
        case st.Idle():
            if node.reset:
                out.add(f"S[{IDLE}] = 0")
            else:
                out.add(f"S[{IDLE}] += 1", f"idle(S[{IDLE}], {number_of(node.source)})")
        case st.Return():
            if out.when:
                out.add(f"return {_happened(out, node.value)}")
            else:
                returned(out, node.value)
        case st.Mark():
            if out.journal:
                values = commas(_texts(out, node.values))
                out.add(f"if J is not None: J.append(({MARK}, ({node.what!r}, {node.node.number}, S[{ME}], {values})))")
        case st.Announce():
            _announce(out, node)
        case st.Reason():
            _reason(out, node)
        case st.Decide():
            raise AssertionError("an inlined decision in a program that suspends at decisions")
        case st.Count():
            out.add(f"branch_taken({node.branch})")
        case _:
            _move(out, node)


def begin_moves(out: Lines, body: st.Block) -> None:
    """Print what statements that emit moves add to: the list of moves, and the values that occurred in each group."""
    out.add("out = []", "add = out.append")
    groups = {node.group for node in st.walk(body) if isinstance(node, st.Once)}
    out.add(*[f"seen{group} = set()" for group in sorted(groups)])


def _once(out: Lines, node: st.Once) -> None:
    body, seen = out.inside(), f"seen{node.group}"
    assigned(out, "key", ex.Op(Row(()), "key", node.values))
    out.add(f"if key not in {seen}:")
    body.add(f"{seen}.add(key)")
    block(body, node.body)
    if node.otherwise:
        out.add("else:")
        block(body, node.otherwise)


def _text(out: Lines, node: ex.Expr) -> str:
    return text(extracted(out, node))


def _texts(out: Lines, nodes: Sequence[ex.Expr]) -> list[str]:
    """Values that are computed in order."""
    together = extracted(out, ex.Op(Row(()), "row", tuple(nodes)))
    return [text(node) for node in ex.children(together)]


def _happened(out: Lines, value: ex.Expr) -> str:
    """The value that a reaction returns: its name and arguments, or nothing."""
    return "None" if isinstance(value, ex.Const) and value.value is None else f"{out.when!r}, {_text(out, value)}"


# ---------------------------------------------------------------- writing


def _store(out: Lines, node: st.Store) -> None:
    if not out.journal:
        stored = extracted(out, ex.Op(Row(()), "row", (node.value, node.cell.index)))
        value, index = ex.children(stored)
        out.add(f"{cell_text(ex.Cell(node.cell.type, node.cell.group, index))} = {storable(value)}")
        return
    value = extracted(out, node.value)
    # The journal takes a cell back to its old value on undo. An entry without a change would do no harm there, but the
    # trace would show a change that never happened.
    value_text = "v"
    if ex.may_fail(value) or ex.may_fail(
        node.cell.index
    ):  # it may fail, which has to happen before the journal has an entry
        assigned(out, value_text, value)
    else:
        value_text = storable(value)
    where = cell_number(_cell_extracted(out, node.cell))
    if not where.isdigit():
        out.add(f"k = {where}")
        where = "k"
    _write(out, where, value_text)


def _cell_extracted(out: Lines, cell: ex.Cell) -> ex.Cell:
    return ex.Cell(cell.type, cell.group, extracted(out, cell.index), cell.source)


def _write(out: Lines, where: str, value: str) -> None:
    if out.journal:
        out.add(f"if J is not None: J.append(({where}, S[{where}]))")
    out.add(f"S[{where}] = {value}")


def _reason(out: Lines, node: st.Reason) -> None:
    if not out.journal:
        return
    amount, where = text(node.amount, OR), cell_number(_cell_extracted(out, node.cell))
    noted = f"{amount} and J is not None"
    if isinstance(node.amount, ex.Const):
        noted = "J is not None" if node.amount.value else "False"
    body = out.inside()
    out.add(f"if {noted}:")
    values = commas(_texts(body, node.values))
    body.add(f"J.append(({REASON}, ReasonPayload({node.source.number}, {where}, {amount}, {values})))")


def _announce(out: Lines, node: st.Announce) -> None:
    if out.journal:
        body = out.inside()
        out.add("if J is not None:")
        values = commas(_texts(body, node.values))
        body.add(f"J.append(({TOLD}, TellPayload({number_of(node.source)}, {values})))")


def _move(out: Lines, node: st.Moving) -> None:
    source = node.source.number
    match node:
        case st.MoveSet(crowded=True):
            operands = [*_texts(out, (node.pieces, node.target)), str(source), str(node.bottom)]
            call, last = ["move_set(S", *operands], True
        case st.MoveSet():
            call, last = ["move_set(S", *_texts(out, (node.pieces, node.target)), str(source)], node.bottom
        case st.MoveSome(kind=None):
            ends = _texts(out, (node.count, node.origin, node.target))
            call, last = ["move_some(S", *ends, str(source)], node.bottom
        case st.MoveSome(kind=kind):
            assert kind is not None
            ends = _texts(out, (node.count, kind, node.origin, node.target))
            call, last = ["move_kind(S", *ends, str(source)], node.bottom
        case st.Insert():
            ends = _texts(out, (node.piece, node.target, node.anchor))
            call, last = ["insert(S", *ends, str(node.after), str(source)], False
        case _:  # the function has its name
            call = [f"{type(node).__name__.lower()}(S", *_texts(out, st.expressions(node)), str(source)]
            last = False
    call.insert(1, "J")
    out.add(f"{', '.join(call)}{', True' if last else ''})")


# ---------------------------------------------------------------- statements with statements inside


def _if(out: Lines, node: st.If) -> None:
    if node.otherwise:
        out.add(f"if {condition(out, node.condition)}:")
        block(out.inside(), node.then)
        out.add("else:")
        block(out.inside(), node.otherwise)
        return
    tests = ex.conjuncts(node.condition)
    while len(node.then) == 1 and isinstance(node.then[0], st.If) and not node.then[0].otherwise:
        node = node.then[0]
        tests += ex.conjuncts(node.condition)
    block(under(out, tests), node.then)


def _for(out: Lines, node: st.For) -> None:
    """A loop over a set: in a function that changes nothing the members can be found bit by bit."""
    several = len(node.loops) > 1
    # Members may be found one by one, without a list, if what they are cannot change meanwhile: the set itself is
    # evaluated once, as a number, but its condition is evaluated in each iteration. Several loops, or a condition that
    # reads the state, in a function that changes it, need the list of all combinations first; so does `Break`, which in
    # nested loops would leave only the inner one.
    unsteady = any(loop.where is not None and _reads(loop.where) for loop in node.loops)
    leaves = any(isinstance(nested, st.Break) for nested in st.walk(node.body))
    if not node.listed and not (several and leaves) and not (out.changing and (several or unsteady)):
        through(out, node.loops, lambda lines: block(lines, node.body))
        return
    names = [loop.local for loop in node.loops]
    together = ", ".join(map(identifier, names))
    every = names[0] if not several else ex.Op(Row(tuple(name.type for name in names)), "row", tuple(names))
    combinations = ex.Fold(Seq(every.type), "list", node.loops, every)
    if not node.listed:
        out.add(f"for {together} in {iterable(extracted(out, combinations))}:")
        block(out.inside(), node.body)
        return
    items = out.local(combinations.type)
    out.add(f"{identifier(items)} = {text(extracted(out, combinations))}")
    if out.journal:
        out.add(f"if J is not None: J.append(({LOOP}, LoopPayload({number_of(node.source)}, {identifier(items)})))")
    out.add(f"for {together} in {identifier(items)}:")
    block(out.inside(), node.body)
    if out.journal:
        out.add(f"if J is not None: J.append(({LOOP}, None))")


def _reads(node: ex.Expr) -> bool:
    """Whether an expression depends on the state."""
    if isinstance(node, ex.Cell | ex.Call) or (isinstance(node, ex.Op) and node.name in READING):
        return True
    return any(map(_reads, ex.children(node)))


def _suspend(out: Lines, node: st.Suspend) -> None:
    # The moves are listed before the game stops at the decision: without any it goes on at once, and they are kept in a
    # cell, as whoever asks for them next would list them again.
    out.add(f"S[{MOVES}] = None")  # what is read from here on lists the moves, which cells that record it can tell
    out.add(f"m = m{node.point}(S)", "if not m:")
    body = out.inside()
    if node.chosen is not None:
        _store(body, st.Store(node.chosen, ex.NOTHING))
    body.add(f"return {node.otherwise}")
    out.add(f"S[{MOVES}] = m")
    _write(out, str(POINT), str(node.point))
    out.add("return -1")
