"""Choices of several members: the groups that nothing tells apart, and what may be taken of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from interpreter.compiler.ir.expressions import Op
from interpreter.compiler.ir.types import Set
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, negated, read
from interpreter.compiler.machine.forms import NUMBER_ITEMS, SCALAR, Items, Members, form_of
from interpreter.compiler.machine.graphs import typed
from interpreter.compiler.machine.pieces import ORDER, Moves, form_of_pieces
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import subsets
from interpreter.compiler.machine.routines.kinds import NUMBERS, TRUTH, Typed
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import GrowingList, Scope
from interpreter.compiler.machine.sequences import address, listed
from interpreter.compiler.machine.standings import WORD_OF_UNSEEN, acting_seat, standing
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, Label, Read, call, load, plain, write

GROUPS = Items(NUMBER_ITEMS)


def is_apart(program: Program, piece: Code, record: Code) -> Code:
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
        entry = body.held(plain("i32.mul", narrow(piece), i32(4)))

        def test(number: Code) -> None:
            cell = load("i32.load", plain("i32.mul", number, i32(4)), addresses)
            pieces = moves.load_set(body.held(cell))
            body.when(negated(sets.is_empty(pieces)), lambda: body.give((i32(1),)))

        body.counted(load("i32.load", entry, first), load("i32.load", entry, first + 4), test)
        body.give((i32(0),))

    return program.helper("is_marked", (), (I64,), (I32,), fill)


def _all_differ(scope: Scope, node: Op) -> bool:
    """Whether an operation on pieces is one of a game in which no two pieces are of one kind, as with cards."""
    pieces = scope.program.layout.pieces
    return isinstance(node.args[0].type, Set) and len({piece.kind for piece in pieces}) == len(pieces)


def _beside(scope: Scope, pieces: Value) -> list[Typed]:
    """Of some pieces, as a sequence, those that something distinguishes from equal ones, and all places and kinds."""
    program, body = scope.program, scope.body
    form, moves = form_of_pieces(program.layout), Moves(program, body)
    apart = body.variables(form)
    body.assign(apart, sets.constant_set(0, form.words))

    def test(number: Code) -> None:
        piece = body.held(load("i64.load", address(pieces[1], number, SCALAR)))
        record = moves.record(load("i64.load", moves.cell_of_piece(piece)))
        extended = sets.union(read(apart), sets.bit(body, piece, form.words, fits=True))
        body.when(is_apart(program, piece, record), lambda: body.assign(apart, extended))

    body.counted(i32(0), pieces[0], test)
    kinds = _numbers(scope, [piece.kind for piece in program.layout.pieces])
    return [(read(apart), form), _places_of_pieces(program), kinds]


def _places_of_pieces(program: Program) -> Typed:
    return (i32(program.cells.get(program.layout.place_cells, 0)),), NUMBERS


def _distinct(scope: Scope, node: Op) -> Value:
    if _all_differ(scope, node):
        return listed(scope, node.args[0])
    pieces = scope.body.named(listed(scope, node.args[0]))
    args = _beside(scope, pieces)
    return called(scope.program, scope.body, subsets, "distinct", (pieces, NUMBER_ITEMS), *args)[0]


def _fully_seen(scope: Scope, node: Op) -> Value:
    program, body, form = scope.program, scope.body, form_of(node.type)
    assert isinstance(form, Members)
    seat, seen_pieces, words = body.held(acting_seat(program)), body.variables(form), body.variables(NUMBER_ITEMS)
    body.assign(seen_pieces, sets.constant_set(0, form.words))

    def member(piece: Code, following: Label, out: Label) -> None:
        body.add(write(words, call(standing(program), piece, seat)))
        extended = sets.union(read(seen_pieces), sets.bit(body, piece, form.words, fits=True))
        unseen = load("i64.load", Read(words[1]), WORD_OF_UNSEEN)
        body.when(plain("i64.eqz", unseen), lambda: body.assign(seen_pieces, extended))

    sets.each_member(body, scope.as_form(node.args[0], form), member)
    return read(seen_pieces)


def _by_standing(scope: Scope, node: Op) -> Value:
    program, body = scope.program, scope.body
    pieces, seat = body.named(listed(scope, node.args[0])), body.held(acting_seat(program))
    standings, words = GrowingList(program, body, NUMBER_ITEMS), body.variables(NUMBER_ITEMS)

    def sort_in(number: Code) -> None:
        piece = load("i64.load", address(pieces[1], number, SCALAR))
        body.add(write(words, call(standing(program), piece, seat)))
        standings.add(read(words))

    body.counted(i32(0), pieces[0], sort_in)
    args = (pieces, NUMBER_ITEMS), (standings.value, GROUPS)
    return called(program, body, subsets, "by_standing", *args)[0]


def _singles(scope: Scope, node: Op) -> Value:
    members = scope.body.named(listed(scope, node.args[0])), NUMBER_ITEMS
    return called(scope.program, scope.body, subsets, "singles", members)[0]


def _alike(scope: Scope, node: Op) -> Value:
    (source,) = node.args
    pieces = scope.body.named(listed(scope, source))
    by_kind = (i32(isinstance(source.type, Set)),), TRUTH
    args = (pieces, NUMBER_ITEMS), *_beside(scope, pieces), by_kind
    groups = called(scope.program, scope.body, subsets, "alike", *args)
    return groups[0] if node.name == "alike" else _in_turn(scope, groups)


def _in_turn(scope: Scope, groups: Typed) -> Value:
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
    count = ((i64(len(layout.pieces) + 1),), SCALAR)
    args = groups, _places_of_pieces(program), of_place, ordered, _numbers(scope, ranks), count
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
    "distinct": _distinct, "fully_seen": _fully_seen, "by_standing": _by_standing, "singles": _singles,
    "alike": _alike, "in_turn": _alike, "picks": _picks, "handfuls": _handfuls,
}  # fmt: skip
"""The functions that print choices of several, by their names."""
