"""The opening position: how many pieces there are, and every cell before the set-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dsl import ast
from dsl.model import Model
from dsl.symbols import DefineSymbol, LocalSymbol
from interpreter.bitset import bits
from interpreter.compile.domains import SMALL, Env
from interpreter.compile.effects import Effects, Writer
from interpreter.compile.points import Points
from interpreter.errors import PlayError
from interpreter.layout.cells import MOVES, Layout, add_pieces

MOST_PIECES = 10_000
"""How many pieces a game may have."""

MOST_EACH = 999
"""How many equal pieces a game may have."""


def small_sets() -> tuple[tuple[int, ...], ...]:
    """The members of every set of small numbers."""
    return tuple(tuple(bits(mask)) for mask in range(1 << SMALL))


def bound(model: Model, declared: Sequence[ast.Parameter], values: Iterable[int]) -> Env:
    """The names of parameters with fixed values, as Python text."""
    env: Env = {}
    for parameter, value in zip(declared, values, strict=True):
        symbol = model.refers[parameter.number]
        assert isinstance(symbol, LocalSymbol)
        env[symbol] = str(value) if value >= 0 else f"({value})"
    return env


def count_pieces(model: Model, layout: Layout, emitter: Effects, known: dict[str, Any]) -> None:
    """Work out how many of each piece there are. `known` is what generated code calls."""
    known = {**known, "SMALL_SETS": small_sets(), "need": lambda value, _: value or 0}
    functions = Writer()
    for define in _asked(model):
        emitter.define_function(functions, define)
    exec("\n".join(functions.lines), known)
    for piece_type, symbol in model.pieces.items():
        rows: list[tuple[dict[str, int], int]] = []
        for slot in layout.slots(tuple(symbol.attributes.values())):
            text = emitter.needed(symbol.declaration.amount, bound(model, symbol.declaration.attributes, slot))
            known |= emitter.tables
            count = int(eval(text, {**known, "S": ()}))  # our own generated text; what it rests on is in no state
            if not 0 <= count <= MOST_EACH:
                message = f"there may be 0 to {MOST_EACH} of each piece, not {count}"
                raise PlayError(message, symbol.declaration.amount.span.location)
            rows.append((dict(zip(symbol.attributes, slot, strict=True)), count))
            if len(layout.pieces) + sum(amount for _, amount in rows) > MOST_PIECES:
                raise PlayError(f"there are more than {MOST_PIECES} pieces", symbol.declaration.span.location)
        add_pieces(layout, piece_type, rows)


def _asked(model: Model) -> list[DefineSymbol]:
    """The definitions that say how many pieces there are, together with those they use in turn."""
    found: dict[str, DefineSymbol] = {}
    waiting: list[ast.Node] = [symbol.declaration.amount for symbol in model.pieces.values()]
    while waiting:
        for node in waiting.pop().walk():
            asked = model.refers.get(node.number)
            if isinstance(asked, DefineSymbol) and asked.name not in found:
                found[asked.name] = asked
                waiting.append(asked.declaration)
    return list(found.values())


def opening_cells(points: Points, names: dict[str, Any]) -> list[Any]:
    """The state before the set-up: every piece in its home, every note at its first value."""
    layout, model = points.layout, points.model
    S: list[Any] = [0] * layout.size
    S[MOVES] = None
    for place in layout.places:
        if place.order:
            S[place.order] = ()
    names.update(points.tables)
    for piece_type, symbol in model.pieces.items():
        for piece in layout.pieces[slice(*layout.piece_range[piece_type])]:
            env = bound(model, symbol.declaration.attributes, piece.attributes.values())
            home = 0
            if symbol.declaration.home is not None:
                home = eval(points.place(symbol.declaration.home, env), {**names, **points.tables, "S": S})
            where = layout.places[home]
            if where.shape == "one" and S[where.mask]:
                told = f"{layout.place_name(home)} can hold only one piece"
                raise PlayError(told, symbol.declaration.span.location)
            S[layout.place_cells + piece.number] = home
            S[where.mask] |= 1 << piece.number
            S[where.filled] |= where.bit
            if where.order:
                S[where.order] += (piece.number,)
    for note in model.notes.values():
        for offset, slot in enumerate(layout.slots(note.index)):
            env = bound(model, note.declaration.index, slot)
            assert note.type is not None
            text = points.fitted(note.declaration.first, note.type, env)
            S[layout.first_note[note.name] + offset] = eval(text, {**names, **points.tables, "S": S})
    for die in model.dice.values():
        for offset, _ in enumerate(layout.slots(die.index)):
            S[layout.first_note[die.name] + offset] = None
    for cell in layout.locals_of_cell:
        S[cell] = None
    if points.begins_cell is not None:
        S[points.begins_cell] = -1
    return S
