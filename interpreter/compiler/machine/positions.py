"""Positions that are recorded and looked up, each as two hashes of 64 bits.

Two positions with the same hashes count as one: the probability is one in 2^128 for each two.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from interpreter.compiler.ir.expressions import Cell, Expr, Op
from interpreter.compiler.ir.types import Row
from interpreter.compiler.machine import numbers
from interpreter.compiler.machine.body import Value, i32, i64, wide
from interpreter.compiler.machine.forms import (
    SCALAR,
    Form,
    Items,
    Maybe,
    Members,
    Parts,
    Scalar,
    UnprintableError,
    bytes_of,
    form_of,
)
from interpreter.compiler.machine.pieces import Moves, form_of_pieces
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import records
from interpreter.compiler.machine.routines.kinds import NUMBERS, RecordOf, Typed
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import Scope
from interpreter.compiler.wasm.instructions import I64, Code, Local, Read, plain

LOG = RecordOf(
    "Log",
    (
        ("heads", NUMBERS),
        ("following", NUMBERS),
        ("first_hashes", NUMBERS),
        ("second_hashes", NUMBERS),
        ("count", SCALAR),
    ),
)
LOG_HASHES = tuple(place for place, (name, _) in enumerate(LOG.fields) if name in ("first_hashes", "second_hashes"))
"""The fields of a log with the hashes of positions."""

FIRST_OFFSET, SECOND_OFFSET = 0x243F6A8885A308D3, 0x13198A2E03707344
"""Digits of pi: where the two hashes begin."""


def make_log(program: Program, cell: int) -> None:
    """Reserve the log of a cell."""
    heads = program.data.reserve(8 * records.HEADS)
    arrays = [heads, *[program.data.reserve(8 * records.MAX_RECORDED) for _ in range(3)]]
    address = program.data.reserve(bytes_of_record())
    program.data.content.append((address, struct.pack("<5Q", *arrays, 0)))
    program.logs[cell], program.log_arrays[cell] = address, arrays


def bytes_of_record() -> int:
    """The memory of a log without its arrays."""
    return 8 * len(LOG.fields)


def log_at(address: int) -> Typed:
    """A log as an argument of a routine."""
    return (i32(address),), LOG


def of_record(scope: Scope, node: Op) -> Value:
    """`recorded` and `times`: the number of positions, or how often one is among them."""
    record, key = node.args
    if not isinstance(key.type, Row):
        raise UnprintableError("a recorded position that is not a row of values")
    cell = _cell_of(scope, record)
    if scope.program.record_types.setdefault(cell, key.type) != key.type:
        raise UnprintableError("recorded positions of several types in one cell")
    log = log_at(scope.program.logs[cell])
    number = scope.number(record)
    hashes = hashes_of(scope, (key,))
    args = log, ((number,), SCALAR), ((hashes[0],), SCALAR), ((hashes[1],), SCALAR)
    return called(scope.program, scope.body, records, node.name, *args)[0]


def places_with_kinds(scope: Scope, node: Op) -> Value:
    """The places of some pieces with the kinds that lie there, in order: equal where equal pieces are exchanged."""
    form = form_of_pieces(scope.program.layout)
    pieces = scope.body.named(scope.as_form(node.args[0], form))
    moves = Moves(scope.program, scope.body)
    of_pieces = scope.program.layout.pieces
    kinds = scope.program.data.place(struct.pack(f"<{len(of_pieces)}q", *[piece.kind for piece in of_pieces]))
    arrays = ((i32(moves.piece_cells),), NUMBERS), ((i32(kinds),), NUMBERS)
    args = (pieces, form), *arrays, ((i64(len(of_pieces) + 1),), SCALAR)
    count, items = called(scope.program, scope.body, records, "lying", *args)[0]
    return plain("i32.shr_u", count, i32(1)), items


def _cell_of(scope: Scope, record: Expr) -> int:
    """The cell that holds recorded positions."""
    logs = scope.program.logs
    first = record.group.first if isinstance(record, Cell) else scope.records.get(getattr(record, "name", ""), -1)
    if first in logs:
        return first
    if len(logs) == 1:
        return next(iter(logs))
    raise UnprintableError("a recorded position that is not in a cell, in a game with several of them")


def hashes_of(scope: Scope, values: Sequence[Expr]) -> tuple[Code, Code]:
    """Two hashes of some values."""
    body = scope.body
    first_hash, second_hash = body.variable(I64), body.variable(I64)
    body.assign((first_hash, second_hash), (i64(FIRST_OFFSET), i64(SECOND_OFFSET)))
    for value in values:
        absorb(scope, form_of(value.type), scope.value(value), first_hash, second_hash)
    return Read(first_hash), Read(second_hash)


def absorb(scope: Scope, form: Form, value: Value, first_hash: Local, second_hash: Local) -> None:
    """Make the hashes depend on a value."""
    body = scope.body

    def mix(word: Code) -> None:
        (named,) = body.named((word,))
        body.assign((first_hash,), (numbers.mixed(body, plain("i64.xor", Read(first_hash), named)),))
        turned = plain("i64.add", plain("i64.mul", Read(second_hash), i64(numbers.GOLDEN)), named)
        body.assign((second_hash,), (plain("i64.rotl", turned, i64(23)),))

    match form:
        case Scalar() | Members():
            for word in value:
                mix(word)
        case Parts(of=parts):
            start = 0
            for part in parts:
                end = start + len(part.operands)
                absorb(scope, part, value[start:end], first_hash, second_hash)
                start = end
        case Maybe(of=part_form):
            present, *rest = body.named(value)
            mix(wide(present))
            body.when(present, lambda: absorb(scope, part_form, tuple(rest), first_hash, second_hash))
        case Items(of=part_form):
            count, items = body.named(value)
            mix(wide(count))

            def absorb_item(number: Code) -> None:
                address = plain("i32.add", items, plain("i32.mul", number, i32(bytes_of(part_form))))
                absorb(scope, part_form, body.named(scope.loaded(part_form, address, 0)), first_hash, second_hash)

            body.counted(i32(0), count, absorb_item)
