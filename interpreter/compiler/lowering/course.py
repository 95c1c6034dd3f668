"""The course of play: set-up, phases and turns, the end; and single actions, for examples.

A phase `taking, turns from ann, over when …: must take` becomes

    head:  store phase := 0; store turn := ann            turns are a loop with the seat as its variable
    turn:  store me := turn; count idle turn
           if over …: go to the block after the phase
           wait for the decision
           store turn := the next seat; go to turn

Phases nest, and `over as soon as C` ends a phase from anywhere inside, in the middle of a step as well. After each
statement that can change C, control leaves all running rules for the block at the end of the phase (`AtOnce`, `Leave`).
Several of these may hold at once: the outermost wins, and a flag for each says whether its phase has begun.

Examples begin in the middle: `when phase scoring` enters a phase without those before it (`_begun_alone`).
"""

from __future__ import annotations

from dsl import ast
from dsl.symbols import NoteSymbol
from dsl.types import PieceType
from interpreter.compiler.decisions import FREE_POINT, OVER_POINT
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Choice, Const, Expr, Logic, Loop, Op, Table, number
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.binders import bound_local, in_order
from interpreter.compiler.lowering.blocks import entry, new_block
from interpreter.compiler.lowering.context import AtOnce, Context, new_cell, single_cell, table, variable
from interpreter.compiler.lowering.control import around, block, fixed_step, step_of
from interpreter.compiler.lowering.effects import FOREVER, Lines, mark, rule_function
from interpreter.compiler.lowering.footprints import ME_NAME, reads
from interpreter.compiler.lowering.names import acting_seat
from interpreter.compiler.lowering.reactions import react
from interpreter.compiler.lowering.slots import note_cells, position, sum_of, times
from interpreter.compiler.lowering.splitting import split, split_decision
from interpreter.compiler.lowering.types import ir_type, player_type
from interpreter.compiler.lowering.values import fitted, local, needed, truth, value
from interpreter.compiler.lowering.waiting import decided

FLAG = ir.Int(0, 1)


def course_of_play(ctx: Context, chance: list[str]) -> None:
    """The blocks from the set-up through the phases to the end; an example stops after the set-up."""
    start = new_block(ctx, ctx.model.setup[0] if ctx.model.setup else None)
    ctx.over_block, ctx.free_block = new_block(ctx), new_block(ctx)
    ctx.lines[ctx.over_block].append(st.Stop(OVER_POINT))
    ctx.lines[ctx.free_block].append(st.Stop(FREE_POINT))
    course = ctx.over_block
    for phase in reversed(ctx.model.course):
        course = _phase(ctx, phase, course)
    for name in chance:
        _draw_option(ctx, start, name)
    ctx.course_block = course
    following = course if ctx.begins_cell is None else ctx.free_block  # an example inspects the state in between
    split(ctx, start, block(ctx, ctx.model.setup, {}, quiet=True), st.Goto(following), "setup")


def _draw_option(ctx: Context, start: int, name: str) -> None:
    symbol = ctx.model.options[name]
    values = tuple(ctx.layout.members(symbol.type))
    labels = tuple(ctx.layout.name_of(symbol.type, value) for value in values)
    results = table(ctx, Table(named("C", name), (values, labels), ir.Opaque("results")))
    type_ = ir_type(ctx, symbol.type)
    cell = single_cell(ctx, f"option {name}", ctx.layout.first_note[f"option {name}"], type_)
    ctx.lines[start].append(st.Draw(cell, results, "pick", name, symbol.declaration))


def _phase(
    ctx: Context,
    node: ast.Phase,
    following_block: int,
    around_it: tuple[ast.Phase, ...] = (),
    ends: tuple[AtOnce, ...] = (),
) -> int:
    """The first block of a phase, nested in phases some of which may be over as soon as a condition holds."""
    entered = start = new_block(ctx, node)
    counted = round_cell(ctx, node)
    if counted is not None:
        entered = new_block(ctx, node)
        ctx.lines[start] += [st.Store(counted, number(0), node), st.Goto(entered, node)]
    ctx.phase_entries[node.name] = _begun_alone(ctx, node, entered, around_it, ends)
    leaving = new_block(ctx, node)
    out, end = ctx.lines[entered], ctx.lines[leaving]
    mark(ctx, out, "enter", node, {})
    assert ctx.phase_cell is not None
    out.append(st.Store(ctx.phase_cell, number(list(ctx.model.phases).index(node.name)), node))
    mark(ctx, end, "leave", node, {})
    if node.over_at_once is not None:
        flag = new_cell(ctx, f"{node.name} has begun", FLAG)
        ending = AtOnce(node.over_at_once, reads(ctx, node.over_at_once), flag, leaving)
        ctx.at_once.append(ending)
        ends = (*ends, ending)
        out.append(st.Store(flag, Const(FLAG, 1), node))
        end.append(st.Store(flag, Const(FLAG, 0), node))
    begun = len(ctx.at_once)
    head, following = entered, leaving
    if counted is not None:
        head, following = new_block(ctx, node), new_block(ctx, node)
        out.append(st.Goto(head, node))
        assert node.repeated_until is not None
        over = st.If(value(ctx, node.repeated_until, {}), (st.Goto(leaving, node),), (), node.repeated_until)
        ctx.lines[following] += [over, st.Goto(head, node)]
    begun_round: Lines = []
    react(ctx, begun_round, begin_round(ctx, begun_round, node), False, node)
    if node.over_at_once is not None:
        begun_round.append(st.If(value(ctx, node.over_at_once, {}), (st.Goto(leaving, node),), (), node.over_at_once))
    if node.phases:
        for subphase in reversed(node.phases):
            following = _phase(ctx, subphase, following, (*around_it, node), ends)
    elif node.first is None:
        begun_round += block(ctx, node.body, {}, quiet=False)
    else:
        begun_round += _turns(ctx, node)
    split(ctx, head, begun_round, st.Goto(following, node), node.name)
    if node.over_at_once is not None:  # if control leaves from inside, it leaves these as well
        end += [st.Store(inner_end.flag, Const(FLAG, 0), node) for inner_end in ctx.at_once[begun:]]
    end.append(st.Goto(following_block, node))
    return start


def _begun_alone(
    ctx: Context, node: ast.Phase, start: int, around_it: tuple[ast.Phase, ...], ends: tuple[AtOnce, ...]
) -> int:
    """The block where a phase begins in an example: the enclosing phases have begun, and may be over.

    Rounds continue from the numbers given by the example.
    """
    begun = new_block(ctx, node)
    out = ctx.lines[begun]
    for phase in around_it:
        counted = round_cell(ctx, phase)
        if counted is not None:
            out.append(st.Store(counted, present_round(counted), node))
    counted = round_cell(ctx, node)
    if counted is not None:
        out.append(st.Store(counted, Op(counted.type, "sub", (present_round(counted), number(1))), node))
    out += [st.Store(end.flag, Const(FLAG, 1), node) for end in ends]
    for end in ends:
        out.append(st.If(truth(ctx, end.condition, {}), (st.Goto(end.exit, node),), (), end.condition))
    out.append(st.Goto(start, node))
    return begun


def begun_from(ctx: Context, phase: str, seat: int) -> int:
    """The value of `begins_cell` if a seat's turn is to begin this phase."""
    return list(ctx.model.phases).index(phase) * len(ctx.layout.seats) + seat


def _turns(ctx: Context, node: ast.Phase) -> st.Block:
    """One turn after another, until the phase is over."""
    assert node.first is not None
    seats, count = player_type(ctx), len(ctx.layout.seats)
    seat, last = variable(ctx, "turn", seats), variable(ctx, "last", ir.optional(seats))
    out: Lines = [st.Assign(seat, _first_seat(ctx, node, needed(ctx, node.first, {})), node)]
    if ctx.begins_cell is not None:
        out.append(st.Store(ctx.begins_cell, number(-1), node))
    if node.last is not None:
        out.append(st.Assign(last, needed(ctx, node.last, {}), node))
    # With one turn each, the direction stays as it is; without an end, it is decided after each turn.
    step = fixed_step(ctx, out, node, {}) if node.last is not None else step_of(ctx, node.backwards, {})
    # A turn in which nobody decides anything is counted, and the count ends endless games; a decision resets it.
    turn: Lines = [st.Store(acting_seat(ctx), seat, node), st.Idle(False, node)]
    if node.over_when is not None:
        turn.append(st.If(value(ctx, node.over_when, {}), (st.Break(node),), (), node.over_when))
    mark(ctx, turn, "turn", node, {})
    react(ctx, turn, frozenset({ME_NAME}), False, node)
    turn += block(ctx, node.body, {}, quiet=False)
    if node.last is not None:
        turn.append(st.If(Op(ir.BOOL, "eq", (seat, last)), (st.Break(node),), (), node))
    turn.append(st.Assign(seat, around(ctx, Op(ir.Int(0, 2 * count), "add", (seat, step))), node))
    return (*out, st.Repeat(FOREVER, tuple(turn), node))


def _first_seat(ctx: Context, node: ast.Phase, named_seat: Expr) -> Expr:
    """The seat whose turn comes first, which an example can override."""
    if ctx.begins_cell is None:
        return named_seat
    count, low, chosen = len(ctx.layout.seats), begun_from(ctx, node.name, 0), ctx.begins_cell
    ends = Op(ir.BOOL, "le", (number(low), chosen)), Op(ir.BOOL, "lt", (chosen, number(low + count)))
    seat = Op(named_seat.type, "sub", (chosen, number(low)))
    return Choice(named_seat.type, Logic(ir.BOOL, "and", ends), seat, named_seat)


def single_actions(ctx: Context) -> dict[str, int]:
    """A decision for each single action, after which nothing is pending."""
    points: dict[str, int] = {}
    for name, rule in ctx.model.rules.items():
        declaration = rule.declaration
        if rule.is_action:
            act = ast.Act(span=declaration.span, number=declaration.number, name=name, arguments=())
            node = ast.Decide(
                span=declaration.span, number=declaration.number, duty="must", secretly=False, acts=(act,),
                otherwise=(), bound=None,
            )  # fmt: skip
            decision = decided(ctx, node, {}, quiet=False, source=declaration)
            split_decision(ctx, decision, ctx.free_block, name)
            points[name] = decision.point
        elif name in ctx.suspending.rules:
            entry(ctx, rule, quiet=False)
        else:
            rule_function(ctx, rule, quiet=False)
    return points


# ---- Rounds of repeated phases: their numbers, and the notes that are reset


def round_cell(ctx: Context, node: ast.Phase) -> Cell | None:
    """The cell with the number of the current round; None if the phase is not repeated."""
    note = ctx.model.phases[node.name].round
    if note is None:
        return None
    cells = note_cells(ctx, note)
    return Cell(cells.type, cells, number(0))


def present_round(cell: Cell) -> Expr:
    """The number of the current round, or of the first one if none has begun."""
    return Op(cell.type, "greatest", (cell, number(1)))


def begin_round(ctx: Context, out: Lines, node: ast.Phase) -> frozenset[str]:
    """Begin a round of a phase, or the phase if it has none; returns the notes that this may change."""
    changed: set[str] = set()
    cell = round_cell(ctx, node)
    if cell is not None:
        out += [st.Idle(False, node), st.Store(cell, Op(cell.type, "add", (cell, number(1))), node)]
        mark(ctx, out, "round", node, {})
        changed.add(cell.group.name)
    for note in ctx.model.notes.values():
        if note.declaration.anew_in == node.name:
            _begin_anew(ctx, out, note, node)
            changed.add(note.name)
    return frozenset(changed)


def _begin_anew(ctx: Context, out: Lines, note: NoteSymbol, node: ast.Phase) -> None:
    """Set every entry of a note to its first value.

    Loops over pieces are the outer ones, and recorded: their order may tell a seat what hidden pieces are.
    """
    assert note.type is not None
    symbols = [local(ctx, parameter) for parameter in note.declaration.index]
    env = {symbol: bound_local(ctx, symbol) for symbol in symbols}
    index = list(zip(note.index, env.values(), strict=True))
    cells = note_cells(ctx, note)
    at: Expr = number(0)
    stride = 1
    for type_, parameter in reversed(index):
        at = sum_of(at, times(position(ctx, type_, parameter), stride))
        stride *= len(ctx.layout.members(type_))
    body: tuple[st.Statement, ...] = (
        st.Store(Cell(cells.type, cells, at), fitted(ctx, note.declaration.first, note.type, env), node),
    )
    # Sorting is stable and `body` is wrapped from the inside out, so the last ones, pieces, become the outermost loops.
    for type_, parameter in sorted(index, key=lambda pair: isinstance(pair[0], PieceType)):
        over = in_order(parameter.type, ctx.layout.members(type_))
        body = (st.For((Loop(parameter, over),), body, isinstance(type_, PieceType), node),)
    out += body
