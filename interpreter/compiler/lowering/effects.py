"""Simple statements: moves of pieces, notes, chance, steps.

    move 1 from deck to hand[me]          MoveSome(1, -, deck, hand[me])
    move p to hand[me]                    MoveSet({p}, hand[me])
    add 3 to score[me] because "a line"   amount := 3
                                          reason score[me], amount, "a line"
                                          store score[me] := score[me] + amount
    add c to marked                       store marked := marked | {c}

After each come the calls of the reactions (`when …:`) whose conditions read anything that the statement writes; the
others cannot have become true. What a statement writes is in `footprints`.
"""

from __future__ import annotations

from typing import assert_never

from dsl import ast
from dsl.symbols import DieSymbol, LocalSymbol, RuleSymbol
from dsl.types import ANY_NUMBER, Maybe, Several, bare, element_of, numeric, settled
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Check, Const, Expr, Local, Op, Table, number
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.attributes import kind
from interpreter.compiler.lowering.binders import bound_local
from interpreter.compiler.lowering.chance import choose_by_chance, move_by_chance
from interpreter.compiler.lowering.context import Context, Env, table, variable
from interpreter.compiler.lowering.footprints import writes
from interpreter.compiler.lowering.positions import position_recorded, recorded
from interpreter.compiler.lowering.reactions import react
from interpreter.compiler.lowering.slots import note_cell, place
from interpreter.compiler.lowering.values import checked, fitted, local, mask, needed, plain, stored_value, type_of

Lines = list[st.Statement]

FOREVER = Const(ir.COUNT, ir.COUNT.high)
"""How often a loop is repeated that only `Break` ends."""


def mark(ctx: Context, out: Lines, what: str, node: ast.Node, env: Env) -> None:
    """A mark for the trace, with the values of the names in scope.

    `what` is enter or leave (of a rule or phase), turn, at (a statement), holds or fails (an `if`), loop (one begins),
    again (before the condition of a loop is tested), each (an iteration of a loop), changes (those of a loop at once).
    """
    ctx.names_in_sight[what, node.number] = tuple(env)
    out.append(st.Mark(what, node, tuple(env.values()), node))


def assign(out: Lines, target: Cell | Local, value: Expr, source: ast.Node) -> None:
    """Assign to a cell or a local."""
    out.append(st.Store(target, value, source) if isinstance(target, Cell) else st.Assign(target, value, source))


def simple(ctx: Context, out: Lines, node: ast.Simple, env: dict[LocalSymbol, Expr], quiet: bool) -> None:
    """Lower a simple statement, and the reactions to it."""
    if not isinstance(node, ast.Let):  # its mark shows the value
        mark(ctx, out, "at", node, env)
    match node:
        case ast.Move():
            _move(ctx, out, node, env)
        case ast.SetTo():
            required = type_of(ctx, node.target)
            assign(out, _target(ctx, node.target, env), fitted(ctx, node.value, required, env), node)
        case ast.Add():
            _add(ctx, out, node, env)
        case ast.Remove():
            _change(ctx, out, node, env)
        case ast.Shuffle():
            out.append(st.Shuffle(place(ctx, node.target, env), node))
        case ast.Pick():
            out += choose_by_chance(ctx, node, env)
        case ast.Roll():
            for die in node.dice:
                _roll(ctx, out, die, node, env)
        case ast.Record():
            out.append(st.Store(position_recorded(ctx, node), recorded(ctx, node), node))
        case ast.Let():
            symbol = local(ctx, node)
            target = env.get(symbol)
            if target is None:
                target = env[symbol] = bound_local(ctx, symbol)
            assert isinstance(target, Cell | Local)
            assign(out, target, stored_value(ctx, node.value, symbol.type, env), node)
            mark(ctx, out, "at", node, env)
        case ast.Do():
            rule = ctx.model.rules[node.act.name]
            out.append(st.Perform(rule_function(ctx, rule, quiet), arguments(ctx, node.act, rule, env), node))
        case ast.Tell():
            parts = [part for part in (node.seat, *node.text.parts) if isinstance(part, ast.Node)]
            out.append(st.Announce(tuple([stored_value(ctx, part, type_of(ctx, part), env) for part in parts]), node))
        case ast.EndGame():
            out.append(st.Leave(ctx.over_block, node))
        case _ as never:
            assert_never(never)
    react(ctx, out, writes(ctx, node), quiet, node)


def arguments(ctx: Context, act: ast.Act, rule: RuleSymbol, env: Env) -> tuple[Expr, ...]:
    """The arguments of an act."""
    pairs = zip(act.arguments, rule.parameters, strict=False)
    return tuple(fitted(ctx, argument, parameter.type, env) for argument, parameter in pairs)


def rule_function(ctx: Context, rule: RuleSymbol, quiet: bool) -> str:
    """The name of the function of a rule without decisions, which will be lowered."""
    name = named("quiet" if quiet else "r", rule.name)
    ctx.requested.setdefault(name, (rule, quiet))
    return name


def _target(ctx: Context, node: ast.Target, env: Env) -> Cell | Local:
    """The cell or local of a note or `let`."""
    symbol = ctx.model.refers[node.number]
    target = env[symbol] if isinstance(symbol, LocalSymbol) else note_cell(ctx, node, env)
    assert isinstance(target, Cell | Local)
    return target


def _change(ctx: Context, out: Lines, node: ast.Add | ast.Remove, env: Env) -> None:
    """Add members to a set, or remove them."""
    target = _target(ctx, node.target, env)
    change_members(out, node, target, members(ctx, node, target.type, env))


def members(ctx: Context, node: ast.Add | ast.Remove, target: ir.Type, env: Env) -> Expr:
    """The members to add to a set of the given type, or to remove from it, as a set."""
    actual, element = type_of(ctx, node.value), element_of(type_of(ctx, node.target))
    assert element is not None
    if isinstance(bare(settled(actual)), Several):
        return fitted(ctx, node.value, Several(element), env)
    member = fitted(ctx, node.value, Maybe(element) if _may_be_none(ctx, node.value, env) else element, env)
    return Op(ir.bare(target), "single", (member,), node.value)


def _may_be_none(ctx: Context, node: ast.Expression, env: Env) -> bool:
    return isinstance(plain(ctx, node, env).type, ir.Opt)


def change_members(out: Lines, node: ast.Add | ast.Remove, target: Cell | Local, changed: Expr) -> None:
    """Add a set to the set in a cell or local, or remove it."""
    result = ir.bare(target.type)
    now: Expr = Op(result, "or_empty", (target,), node.target) if isinstance(target.type, ir.Opt) else target
    assign(out, target, Op(result, "union" if isinstance(node, ast.Add) else "minus", (now, changed), node), node)


def _add(ctx: Context, out: Lines, node: ast.Add, env: Env) -> None:
    if not numeric(type_of(ctx, node.target)):
        _change(ctx, out, node, env)
        return
    target, amount = _target(ctx, node.target, env), needed(ctx, node.value, env)
    add_amount(ctx, out, node, target, amount, reason_values(ctx, node, env))


def reason_values(ctx: Context, node: ast.Add, env: Env) -> tuple[Expr, ...]:
    """The values in the text of an addition's reason."""
    parts = [] if node.because is None else [part for part in node.because.parts if not isinstance(part, str)]
    return tuple([stored_value(ctx, part, type_of(ctx, part), env) for part in parts])


def add_amount(
    ctx: Context, out: Lines, node: ast.Add, target: Cell | Local, amount: Expr, values: tuple[Expr, ...]
) -> None:
    """Add to the number in a cell or local; `values` occur in the text of the reason."""
    now: Expr = target
    if isinstance(target.type, ir.Opt):
        now = Check(target.type.of, "need", target, (), node.target)
    # The amount is both shown and added. It is computed once, before the change, which it may depend on.
    if node.because is not None and isinstance(target, Cell):
        grown = variable(ctx, "amount", amount.type)
        out.append(st.Assign(grown, amount, node))
        out.append(st.Reason(target, grown, values, node))
        amount = grown
    total = Op(ir.COUNT, "add", (now, amount), node)
    assign(out, target, checked(ctx, node.value, type_of(ctx, node.target), total, ANY_NUMBER), node)


def _roll(ctx: Context, out: Lines, die: ast.Target, node: ast.Roll, env: Env) -> None:
    symbol = ctx.model.refers[die.number]
    assert isinstance(symbol, DieSymbol)
    content = (values_of_faces(ctx, symbol), symbol.declaration.faces)
    faces = table(ctx, Table(named("D", symbol.name), content, ir.Opaque("results")))
    out.append(st.Draw(note_cell(ctx, die, env), faces, "roll", "", node))


def values_of_faces(ctx: Context, symbol: DieSymbol) -> tuple[int | None, ...]:
    """The value of each face of a die."""
    assert symbol.type is not None
    core = bare(symbol.type)
    values_by_name = {ctx.layout.name_of(core, value): value for value in ctx.layout.members(core)}
    return tuple(values_by_name.get(str(int(face)) if face.isdigit() else face) for face in symbol.declaration.faces)


def _move(ctx: Context, out: Lines, node: ast.Move, env: Env) -> None:
    target = place(ctx, node.target, env)
    bottom = at_bottom(node)
    if node.position is not None and node.position.anchor is not None:
        pieces = mask(ctx, node.what, env)
        piece = Op(ir.Opt(ir.element(pieces.type)), "first", (pieces,), node.what)
        behind = node.position.relation == "after"
        out.append(st.Insert(piece, target, needed(ctx, node.position.anchor, env), behind, node))
    elif node.source is None:
        out.append(st.MoveSet(mask(ctx, node.what, env), target, bottom, node))
    elif node.at_random:
        amount, moved = _amount(ctx, node.what, env)
        pool = mask(ctx, node.source, env)
        pool = pool if moved is None else Op(pool.type, "both", (pool, moved))
        out += move_by_chance(ctx, node, amount, pool, target, bottom)
    else:
        origin = place(ctx, node.source, env)
        amount, moved = _amount(ctx, node.what, env)
        out.append(st.MoveSome(amount, moved, origin, target, bottom, node))


def at_bottom(node: ast.Move) -> bool:
    """Whether pieces go to the bottom of a stack or the left end of a row."""
    return node.position is not None and node.position.relation == "at bottom"


def _amount(ctx: Context, what: ast.Expression, env: Env) -> tuple[Expr, Expr | None]:
    """The number of pieces moved, and their kind."""
    if isinstance(what, ast.Of):
        return needed(ctx, what.whole, env), kind(ctx, what.part, env)
    if isinstance(what, ast.Pattern):
        return number(1 if what.amount is None else what.amount), kind(ctx, what, env)
    return needed(ctx, what, env), None
