"""Problems of statements: which are allowed in which kind of function, jumps, returns, writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr
from interpreter.compiler.ir.module import Function, FunctionKind, Module
from interpreter.compiler.ir.statements import Block, Statement
from interpreter.compiler.ir.types import PIECE_DOMAIN, PLACE_DOMAIN, Bool, Int, Opt, Ref, Row, Seq, Set, Type, bare
from interpreter.compiler.ir.verifying.fitting import fits, is_number
from interpreter.compiler.ir.verifying.scopes import never_falls_through
from interpreter.compiler.ir.verifying.values import (
    argument_problems,
    expression_problems,
    loop_problems,
    table_problems,
)

# INVARIANT of the kinds of functions: what gives a value writes no cells, and only blocks and functions that make a
# move jump, as only their callers know how to go on at a block. A hypothesis works on a copy, so it may write.
VALUE: frozenset[FunctionKind] = frozenset({"define", "sight", "criterion"})
RULE: frozenset[FunctionKind] = frozenset({"rule", "quiet rule", "when", "react"})
FLOW: frozenset[FunctionKind] = frozenset({"apply", "block"})
MOVES: frozenset[FunctionKind] = frozenset({"moves"})
SUPPOSED: frozenset[FunctionKind] = frozenset({"hypothesis"})


def allowed_in(node: Statement) -> frozenset[FunctionKind]:
    """The kinds of functions in which a statement is allowed."""
    match node:
        case st.Assign() | st.If() | st.For() | st.Repeat() | st.Break() | st.Continue() | st.Count():
            return VALUE | RULE | FLOW | MOVES | SUPPOSED
        case st.Return():
            return VALUE | SUPPOSED | {"when"}
        case st.Emit() | st.EmitDone() | st.IfNoMoves() | st.Once():
            return MOVES | {"block"}
        case st.Suspend() | st.Decide() | st.Stop():
            return frozenset({"block"})
        case st.Goto():
            return FLOW
        case (
            st.Store() | st.MoveSet() | st.MoveSome() | st.Insert() | st.Overfull() | st.Shuffle() | st.Mix()
            | st.Draw() | st.DrawItem() | st.Perform() | st.React() | st.Leave() | st.Idle() | st.Mark() | st.Reason()
            | st.Announce()
        ):  # fmt: skip
            return RULE | FLOW | SUPPOSED
        case _ as never:
            assert_never(never)


def statement_problems(node: Statement, function: Function, module: Module) -> Iterator[str]:
    """Problems of a statement itself, not of those inside it."""
    if function.kind not in allowed_in(node):
        yield f"{type(node).__name__} in a {function.kind}"
    for cell in st.own_cells(node):
        yield from expression_problems(cell, module)
    match node:
        case st.Store():
            if not fits(node.value.type, node.cell.group.type):
                yield f"{node.cell.group.name} holds {node.cell.group.type}, not {node.value.type}"
        case st.If():
            if node.condition.type != Bool():
                yield f"a condition is Bool, not {node.condition.type}"
        case st.For():
            if not node.loops:
                yield "nothing to go through"
            for loop in node.loops:
                yield from loop_problems(loop)
        case st.Repeat():
            yield from _number(node.times, "how often to repeat")
        case st.MoveSet():
            yield from _pieces(node.pieces)
            yield from _place(node.target)
        case st.MoveSome():
            yield from _number(node.count, "how many to move")
            if node.kind is not None:
                yield from _pieces(node.kind)
            yield from _place(node.origin)
            yield from _place(node.target)
        case st.Insert():
            yield from _piece(bare(node.piece.type))
            yield from _piece(node.anchor.type)
            yield from _place(node.target)
        case st.Shuffle() | st.Overfull():
            yield from _place(node.place)
        case st.Draw():
            yield from table_problems(node.table, module)
        case st.DrawItem():
            if not isinstance(node.items.type, Seq):
                yield f"items are a sequence, not {node.items.type}"
        case st.Emit():
            if function.kind == "moves" and (not node.move or not isinstance(node.move[0].type, Int)):
                yield "a move begins with the number of the act"
        case st.Perform():
            yield from _called(node.function, ("rule", "quiet rule"), module)
            if node.function in module.functions:
                yield from argument_problems(node.args, module.functions[node.function])
        case st.React():
            yield from _called(node.function, ("react",), module)
        case st.Goto():
            if isinstance(node.block, int):
                yield from _block_exists(node.block, module)
            else:
                yield from _number(node.block, "the number of a block")
        case st.Suspend():
            # A point has its number from lowering on; passes that copy or inline a decision must bring both functions.
            yield from _block_exists(node.otherwise, module)
            for kind in ("moves", "apply"):
                if not any(f.kind == kind and f.number == node.point for f in module.functions.values()):
                    yield f"decision {node.point} has no function of kind {kind}"
        case st.Leave():
            yield from _block_exists(node.block, module)
        case st.Return():
            if function.result is not None and not fits(node.value.type, function.result):
                yield f"{function.name} gives {function.result}, not {node.value.type}"
        case st.Reason():
            yield from _number(node.amount, "an amount")
        case (
            st.Assign() | st.Break() | st.Continue() | st.Mix() | st.EmitDone() | st.IfNoMoves() | st.Once()
            | st.Decide() | st.Stop() | st.Idle() | st.Mark() | st.Announce() | st.Count()
        ):  # fmt: skip
            return  # nothing but cells, and expressions of any type
        case _ as never:
            assert_never(never)


def _number(node: Expr, what: str) -> Iterator[str]:
    if not is_number(node.type):
        yield f"{what} is Int, not {node.type}"


def _pieces(node: Expr) -> Iterator[str]:
    if not isinstance(node.type, Set) or node.type.domain != PIECE_DOMAIN:
        yield f"pieces are a Set of them, not {node.type}"


def _piece(type_: Type) -> Iterator[str]:
    if not isinstance(type_, Ref) or type_.domain != PIECE_DOMAIN:
        yield f"{type_} is no piece"


def _place(node: Expr) -> Iterator[str]:
    if not isinstance(node.type, Ref) or node.type.domain != PLACE_DOMAIN:
        yield f"{node.type} is no place"


def _called(name: str, kinds: tuple[FunctionKind, ...], module: Module) -> Iterator[str]:
    function = module.functions.get(name)
    if function is None:
        yield f"there is no function {name}"
    elif function.kind not in kinds:
        yield f"{name} is a {function.kind}, not a {' or '.join(kinds)}"


def _block_exists(number: int, module: Module) -> Iterator[str]:
    if number not in module.blocks:
        yield f"there is no block {number}"


# ---------------------------------------------------------------- functions as a whole


def function_problems(function: Function, module: Module) -> Iterator[str]:
    """Problems of a function as a whole."""
    if function.kind in FLOW and not never_falls_through(function.body):
        yield "does not end every path in a jump"
    if function.kind in VALUE | {"when"} and not never_falls_through(function.body):
        yield "does not return a value on every path"
    if function.kind in VALUE and function.result is None:
        yield "has no type of its value"
    if function.kind == "when" and not (isinstance(function.result, Opt) and isinstance(function.result.of, Row)):
        yield f"gives the arguments of a reaction or none, not {function.result}"
    if function.kind == "block" and function.params:
        yield "is a block, and has parameters"
    if function.kind == "react":
        for name in function.calls:
            yield from _called(name, ("when",), module)


def loop_control_problems(block: Block, inside: bool = False) -> Iterator[tuple[Statement, str]]:
    """`Break` and `Continue` outside of loops."""
    for node in block:
        if isinstance(node, st.Break | st.Continue) and not inside:
            yield node, f"{type(node).__name__} outside of a loop"
        for nested in st.blocks(node):
            yield from loop_control_problems(nested, inside or isinstance(node, st.For | st.Repeat))
