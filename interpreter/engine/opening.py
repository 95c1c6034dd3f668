"""The opening position: how many pieces there are, and every cell before the set-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dsl import ast
from dsl.model import Model
from dsl.symbols import DefineSymbol, LocalSymbol
from interpreter.compiler.ir.expressions import Const, Expr
from interpreter.compiler.ir.module import Module
from interpreter.compiler.lowering.context import Context, Env
from interpreter.compiler.lowering.functions import define_function
from interpreter.compiler.lowering.program import context_for
from interpreter.compiler.lowering.slots import place
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import fitted, needed
from interpreter.compiler.python.expressions import expression
from interpreter.compiler.python.printing import constants, function
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, Content, Namespace
from interpreter.runtime.layout import MOVES, Layout, add_pieces
from interpreter.runtime.recorded import NOTHING_RECORDED
from interpreter.wording.phrases import Phrase

MAX_PIECES = 10_000
"""How many pieces a game may have."""

MAX_EQUAL_PIECES = 999
"""How many equal pieces a game may have."""


def _bound(ctx: Context, declared: Sequence[ast.Parameter], values: Iterable[int]) -> Env:
    """The names of parameters with fixed values."""
    env: dict[LocalSymbol, Expr] = {}
    for parameter, value in zip(declared, values, strict=True):
        symbol = ctx.model.refers[parameter.number]
        assert isinstance(symbol, LocalSymbol)
        env[symbol] = Const(ir_type(ctx, symbol.type), value)
    return env


def count_pieces(layout: Layout, names: Namespace, prepare: Callable[[Module], object]) -> None:
    """Work out how many of each piece there are; `names` is what generated code calls.

    `prepare` changes the definitions that say so before they become Python. Raises PlayError if there are too many.
    """
    # Before there are pieces there is no state, and without the number of pieces no layout is complete. The amounts are
    # therefore lowered by themselves, with the definitions that they use: the checker lets none of these read a state.
    ctx, model = context_for(layout), layout.model
    for define in _asked(model):
        define_function(ctx, define)
    prepare(ctx.module)
    # An amount that is none means no such piece, where a rule that needs a number would fail.
    names = {**names, "need": lambda value, _: value or 0}
    lines = [line for definition in ctx.module.functions.values() for line in function(definition, journal=False)]
    exec("\n".join(lines), names)  # our own generated text
    for piece_type, symbol in model.pieces.items():
        rows: list[tuple[dict[str, int], int]] = []
        for slot in layout.slots(tuple(symbol.attributes.values())):
            env = _bound(ctx, symbol.declaration.attributes, slot)
            count = int(_value(ctx, needed(ctx, symbol.declaration.amount, env), names, ()))
            if not 0 <= count <= MAX_EQUAL_PIECES:
                message = Phrase(
                    "there may be 0 to {most} of each piece, not {number}", most=MAX_EQUAL_PIECES, number=count
                )
                raise PlayError(message, symbol.declaration.amount.span.location)
            rows.append((dict(zip(symbol.attributes, slot, strict=True)), count))
            if len(layout.pieces) + sum(amount for _, amount in rows) > MAX_PIECES:
                message = Phrase("there are more than {number} pieces", number=MAX_PIECES)
                raise PlayError(message, symbol.declaration.span.location)
        add_pieces(layout, piece_type, rows)


def _value(ctx: Context, node: Expr, names: Namespace, state: Sequence[Content]) -> Any:  # as its type says
    """The value of an expression that speaks of no local."""
    if isinstance(node, Const):
        return node.value
    names |= constants(ctx.module)  # functions that were defined there need them as well
    return eval(expression(node), {**names, "S": state})  # our own generated text


def _asked(model: Model) -> list[DefineSymbol]:
    """The definitions that say how many pieces there are, together with those they use in turn."""
    definitions: dict[str, DefineSymbol] = {}
    waiting: list[ast.Node] = [symbol.declaration.amount for symbol in model.pieces.values()]
    while waiting:
        for node in waiting.pop().walk():
            asked = model.refers.get(node.number)
            if isinstance(asked, DefineSymbol) and asked.name not in definitions:
                definitions[asked.name] = asked
                waiting.append(asked.declaration)
    return list(definitions.values())


def opening_cells(ctx: Context, names: Namespace) -> Cells:
    """The state before the set-up: every piece in its home, every note at its first value.

    `names` is the namespace of generated code. Raises PlayError if a piece does not fit its home.
    """
    layout, model = ctx.layout, ctx.layout.model
    state = Cells([0] * layout.size)
    state[MOVES] = None
    for where in layout.places:
        if where.order:
            state[where.order] = ()
    _put_in_homes(ctx, names, state)
    for note in model.notes.values():
        assert note.type is not None
        for offset, slot in enumerate(layout.slots(note.index)):
            env = _bound(ctx, note.declaration.index, slot)
            first = fitted(ctx, note.declaration.first, note.type, env)
            state[layout.first_note[note.name] + offset] = _value(ctx, first, names, state)
    for die in model.dice.values():
        for offset, _ in enumerate(layout.slots(die.index)):
            state[layout.first_note[die.name] + offset] = None
    for record in layout.first_record.values():
        state[record] = NOTHING_RECORDED
    for cell in layout.locals_of_cell:
        state[cell] = None
    if ctx.begins_cell is not None:
        state[ctx.begins_cell.group.first] = -1
    return state


def _put_in_homes(ctx: Context, names: Namespace, state: Cells) -> None:
    layout = ctx.layout
    for piece_type, symbol in layout.model.pieces.items():
        homes: dict[int, int] = {}
        for piece in layout.pieces[slice(*layout.piece_range[piece_type])]:
            if symbol.declaration.home is not None and piece.kind not in homes:
                env = _bound(ctx, symbol.declaration.attributes, piece.attributes.values())
                homes[piece.kind] = _value(ctx, place(ctx, symbol.declaration.home, env), names, state)
            home = homes.get(piece.kind, 0)
            where = layout.places[home]
            if where.shape == "one" and state[where.mask]:
                message = Phrase("{place} can hold only one piece", place=layout.place_name(home))
                raise PlayError(message, symbol.declaration.span.location)
            state[layout.place_cells + piece.number] = home
            state[where.mask] |= 1 << piece.number
            state[where.filled] |= where.bit
            if where.order:
                state[where.order] += (piece.number,)
