"""Inlining of decisions: their legal moves and the consequences of each move into the blocks that wait for them.

    wait for decision 6, without moves go to 9             decide 6 by move (part1) of:
    moves m6: for c in free: emit move 0(c)                  for c in free: emit move c()
    apply a6(move): perform put(part(move, 1)); go to 9 →  which is made:
                                                             perform put(part1); go to 9
                                                           without moves: go to 9

A move is a row of numbers: which action it is, then its arguments. Parts that are the same in all moves of a decision,
such as the action where there is only one, are not stored but assigned (`_varying`), and the others are locals instead
of parts of a row. So moves need no memory, and other passes see the values.
"""

from __future__ import annotations

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import NOTHING, Const, Expr, Local, Op, rebuilt
from interpreter.compiler.ir.module import Function, Module, named
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.ir.types import PART
from interpreter.compiler.passes.rewriting.substitution import renamed


def inline_decisions(module: Module) -> None:
    """Inline the `moves` and `apply` functions of decisions into the blocks that wait for them.

    What lists legal moves is also kept as it is.
    """
    moves = {function.number: function for function in module.functions.values() if function.kind == "moves"}
    applying = {function.number: function for function in module.functions.values() if function.kind == "apply"}

    def inside(block: st.Block) -> st.Block:
        return tuple([statement(node) for node in block])

    def statement(node: st.Statement) -> st.Statement:
        match node:
            case st.Suspend():
                return _decided(node, moves[node.point], applying[node.point])
            case st.If():
                return st.If(node.condition, inside(node.then), inside(node.otherwise), node.source)
            case _:
                return node

    for block in module.blocks.values():
        block.body = inside(block.body)
    for function in applying.values():
        del module.functions[function.name]


def _decided(node: st.Suspend, moves: Function, applying: Function) -> st.Decide:
    mark = f"d{node.point}"
    emitted = renamed(_without_done(moves.body), mark)
    (move,) = applying.params
    body = tuple([parts_named(statement, move) for statement in applying.body])
    names, emitted, fixed = _varying(emitted, mark)
    nothing: st.Block = () if node.chosen is None else (st.Store(node.chosen, NOTHING, node.source),)
    otherwise = (*nothing, st.Goto(node.otherwise, node.source))
    return st.Decide(node.point, emitted, names, (*fixed, *renamed(body, mark)), otherwise, node.source)


def _part(mark: str, place: int) -> Local:
    """The local that holds a part of the move."""
    return Local(PART, named(f"part{place}", mark))


def _without_done(block: st.Block) -> st.Block:
    """Statements that emit the declining move like any other, where it does not depend on those before."""

    def statement(node: st.Statement) -> st.Statement:
        if isinstance(node, st.EmitDone) and not node.any_before:
            return st.Emit((DECLINED,), node.source)
        return st.rebuilt(node, inside=_without_done)

    return tuple(map(statement, block))


def parts_named(node: st.Statement, move: Local) -> st.Statement:
    """A statement that reads the parts of the move from locals, `part0` and so on."""

    def change(part: Expr) -> Expr:
        match part:
            case Op(name="part", args=(Local(name=name), Const(value=place))) if name == move.name:
                return Local(part.type, f"part{place}")
            case _:
                return rebuilt(part, change)

    return st.rebuilt(node, change, lambda block: tuple([parts_named(inner, move) for inner in block]))


def _varying(block: st.Block, mark: str) -> tuple[tuple[Local, ...], st.Block, st.Block]:
    """The locals of the parts in which moves differ, statements that emit only these, and assignments of the others."""
    emits = [node for node in st.walk(block) if isinstance(node, st.Emit)]
    may_decline = any(isinstance(node, st.EmitDone) for node in st.walk(block))
    longest = max((len(node.move) for node in emits), default=1)
    fixed: dict[int, Const] = {}
    for place in range(longest):
        values = {node.move[place] for node in emits if len(node.move) > place}
        value = next(iter(values), None)
        # Declining is a move of its own, with a number that no `emit` shows.
        if len(values) == 1 and isinstance(value, Const) and not (may_decline and place == 0):
            fixed[place] = value

    def without(node: st.Statement) -> st.Statement:
        match node:
            case st.Emit():
                move = (*node.move, *[NOTHING] * (longest - len(node.move)))
                return st.Emit(tuple(part for place, part in enumerate(move) if place not in fixed), node.source)
            case _:
                return st.rebuilt(node, inside=lambda nested: tuple(map(without, nested)))

    names = tuple(_part(mark, place) for place in range(longest) if place not in fixed)
    fixed_parts = [st.Assign(Local(value.type, _part(mark, place).name), value) for place, value in fixed.items()]
    return names, tuple(map(without, block)), tuple(fixed_parts)
