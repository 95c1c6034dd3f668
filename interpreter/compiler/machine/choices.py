"""Choices of several members: the groups that nothing tells apart, and what may be taken of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from interpreter.compiler.ir.expressions import Op
from interpreter.compiler.ir.types import Set
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, negated, read
from interpreter.compiler.machine.forms import NUMBER_ITEMS, SCALAR, Items, Members, UnprintableError, form_of
from interpreter.compiler.machine.graphs import typed
from interpreter.compiler.machine.pieces import ORDER, Moves, form_of_pieces
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import subsets
from interpreter.compiler.machine.routines.kinds import NUMBERS, Typed
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import Scope
from interpreter.compiler.machine.sequences import listed
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, Label, Read, call, load, plain

GROUPS = Items(NUMBER_ITEMS)


def is_apart(program: Program, body: Body, piece: Code, record: Code) -> Code:
    """Whether something distinguishes a piece from equal ones, given the record of its place, as a condition."""
    in_order = load("i32.load", record, ORDER)
    if not any(program.attached):
        return in_order
    return plain("i32.or", in_order, call(_is_marked(program), piece))


def _is_marked(program: Program) -> Callee:
    """The function that says whether one of the cells attached to a piece holds something."""

    def fill(body: Body) -> None:
        moves = Moves(program, body)
        (piece,) = (Read(local) for local in body.function.locals)
        starts, cells = [0], list[int]()
        for entries in program.attached:
            cells += [program.cells[cell] for cell in entries]
            starts.append(len(cells))
        first = program.data.place(struct.pack(f"<{len(starts)}i", *starts))
        addresses = program.data.place(struct.pack(f"<{len(cells)}i", *cells))
        here = body.one(plain("i32.mul", narrow(piece), i32(4)))

        def each(number: Code) -> None:
            cell = load("i32.load", plain("i32.mul", number, i32(4)), addresses)
            those = moves.load_set(body.one(cell))
            body.when(negated(sets.is_empty(those)), lambda: body.give((i32(1),)))

        body.counted(load("i32.load", here, first), load("i32.load", here, first + 4), each)
        body.give((i32(0),))

    return program.helper("is_marked", (), (I64,), (I32,), fill)


def _all_differ(scope: Scope, node: Op) -> bool:
    """Whether an operation on pieces is one of a game in which no two pieces are of one kind, as with cards."""
    pieces = scope.program.layout.pieces
    return isinstance(node.args[0].type, Set) and len({piece.kind for piece in pieces}) == len(pieces)


def _pieces(scope: Scope, node: Op) -> tuple[Moves, list[Typed]]:
    """The pieces that are chosen from, those that something distinguishes from equal ones, and all places and kinds."""
    (those,) = node.args
    if not isinstance(those.type, Set):
        raise UnprintableError("a choice among pieces in order")
    program, body = scope.program, scope.body
    form = form_of_pieces(program.layout)
    pieces = body.named(scope.as_form(those, form))
    moves = Moves(program, body)
    apart = body.variables(form)
    body.assign(apart, sets.constant_set(0, form.words))

    def member(piece: Code, following: Label, out: Label) -> None:
        record = moves.record(load("i64.load", moves.cell_of_piece(piece)))
        here = sets.union(read(apart), sets.bit(body, piece, form.words, fits=True))
        body.when(is_apart(program, body, piece, record), lambda: body.assign(apart, here))

    sets.each(body, pieces, member)
    places: Typed = ((i32(moves.piece_cells),), NUMBERS)
    kinds = _numbers(scope, [piece.kind for piece in program.layout.pieces])
    return moves, [(pieces, form), (read(apart), form), places, kinds]


def _distinct(scope: Scope, node: Op) -> Value:
    if _all_differ(scope, node):
        return listed(scope, node.args[0])
    _, args = _pieces(scope, node)
    return called(scope.program, scope.body, subsets, "distinct", *args)[0]


def _singles(scope: Scope, node: Op) -> Value:
    those = scope.body.named(listed(scope, node.args[0])), NUMBER_ITEMS
    return called(scope.program, scope.body, subsets, "singles", those)[0]


def _alike(scope: Scope, node: Op) -> Value:
    moves, args = _pieces(scope, node)
    found = called(scope.program, scope.body, subsets, "alike", *args)
    return found[0] if node.name == "alike" else _in_turn(scope, moves, found)


def _in_turn(scope: Scope, moves: Moves, groups: Typed) -> Value:
    """The groups in the order in which their pieces are chosen one by one: by place, then by rank there."""
    program, layout = scope.program, scope.program.layout
    zones = list(dict.fromkeys(place.zone for place in layout.places))
    ranks: list[int] = []
    for zone in zones:
        keys = [program.choice_key(zone, piece.number) for piece in layout.pieces] if zone else []
        order = {key: number for number, key in enumerate(sorted(set(keys)))}
        ranks += [order[key] for key in keys] or [0] * len(layout.pieces)
    of_place = _numbers(scope, [zones.index(place.zone) * len(layout.pieces) for place in layout.places])
    ordered = _numbers(scope, [int(bool(place.order)) for place in layout.places])
    places: Typed = ((i32(moves.piece_cells),), NUMBERS)
    count = ((i64(len(layout.pieces) + 1),), SCALAR)
    args = groups, places, of_place, ordered, _numbers(scope, ranks), count
    return called(program, scope.body, subsets, "in_turn", *args)[0]


def _numbers(scope: Scope, values: list[int]) -> Typed:
    return (i32(scope.program.data.place(struct.pack(f"<{len(values)}q", *values))),), NUMBERS


def _picks(scope: Scope, node: Op) -> Value:
    groups, chosen, fewest = node.args
    args = typed(scope, groups), typed(scope, chosen), typed(scope, fewest)
    return called(scope.program, scope.body, subsets, "picks", *args)[0]


def _handfuls(scope: Scope, node: Op) -> Value:
    form = form_of(node.type)
    assert isinstance(form, Items) and isinstance(form.of, Members)
    args = [typed(scope, arg) for arg in node.args]
    like = sets.constant_set(0, form.of.words), form.of
    return called(scope.program, scope.body, subsets, "handfuls", *args, like)[0]


PRINTERS: Mapping[str, Callable[[Scope, Op], Value]] = {
    "distinct": _distinct, "singles": _singles, "alike": _alike, "in_turn": _alike,
    "picks": _picks, "handfuls": _handfuls,
}  # fmt: skip
"""The functions that print choices of several, by their names."""
