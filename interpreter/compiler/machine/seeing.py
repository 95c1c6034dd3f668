"""What a seat sees of a state, in a function while it is printed: who sees what, and constant data by number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from dsl.types import PieceType, Type, bare
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Zone
from interpreter.compiler.ir.types import COUNT
from interpreter.compiler.machine.body import Body, i32, i64, narrow, wide
from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.compiler.machine.program import Program
from interpreter.compiler.wasm.instructions import Code, call, load, plain
from interpreter.runtime.layout import Place

REVEALED = 1 << 62
"""A bit beside those of the seats, that of whoever looks when the game is over: everything is revealed then."""

HIDDEN, ABSENT = -(1 << 62), -(1 << 61)
"""What stands for an attribute that a seat does not see, and for one that a piece does not have."""


class Seeing:
    """A function that depends on what a seat sees; `seat` has its bit, and all of them at the end."""

    def __init__(self, program: Program, body: Body, seat: Code) -> None:
        self.program, self.body, self.seat = program, body, seat
        self.layout, self.model = program.layout, program.layout.model

    def table(self, values: Sequence[int | None], number: Code) -> Code:
        """One of some constant numbers."""
        address = self.program.data.values(values, COUNT)
        return load("i64.load", plain("i32.mul", narrow(number), i32(WORD_BYTES)), address)

    def seen(self, function: str, arguments: Sequence[Code]) -> Code:
        """Whether the seat is among those that a function gives, as a condition."""
        match self.program.rules.functions[function].body:
            case (st.Return(value=Const(value=int() as seats)),):
                viewers: Code = i64(seats)
            case _:
                viewers = call(self.program.functions[function].callee, *arguments)
        return plain("i64.ne", plain("i64.and", plain("i64.or", viewers, i64(REVEALED)), self.seat), i64(0))

    def places(self, zone: Zone) -> list[Place]:
        """The places of a zone."""
        return self.layout.places[zone.first : zone.first + zone.count]

    def index(self, zone: Zone, position: Code) -> list[Code]:
        """The index of a place, by its position in its zone."""
        places = self.places(zone)
        return [
            self.body.held(self.table([place.index[part] for place in places], position))
            for part in range(len(places[0].index))
        ]

    def by_zone(self, place: Code, visit: Callable[[Zone, Code], None]) -> None:
        """Statements for the zone that a place is in, and its position there."""
        for zone in self.program.rules.zones.values():
            position = self.body.held(plain("i64.sub", place, i64(zone.first)))
            self.body.when(
                plain("i64.lt_u", position, i64(zone.count)),
                lambda zone=zone, position=position: visit(zone, position),  # type: ignore[misc]
            )

    def of_piece(self, piece: Code, entries: Sequence[Sequence[int]], visit: Callable[[Code], None]) -> None:
        """Statements for each of the numbers that `entries` have for a piece."""
        starts = [0, *accumulate(map(len, entries))]
        first, end = (self.table(starts, plain("i64.add", piece, i64(by))) for by in (0, 1))
        numbers = [number for of_one in entries for number in of_one] or [0]

        def entry(number: Code) -> None:
            visit(self.body.held(narrow(self.table(numbers, wide(number)))))

        self.body.counted(self.body.held(narrow(first)), narrow(end), entry)

    def about(self, pieces: Sequence[int]) -> list[list[int]]:
        """For each piece the numbers of those entries that are about it."""
        return [[n for n, piece in enumerate(pieces) if piece == k] for k in range(len(self.layout.pieces))]

    def slots(self, note: str) -> list[tuple[int, ...]]:
        """The indices of a note, in the order of its cells."""
        return [slot for name, slot in self.layout.notes_of_cell.values() if name == note]


def pieces_in(index: Sequence[Type]) -> list[int]:
    """The parts of an index that are pieces."""
    return [part for part, type_ in enumerate(index) if isinstance(bare(type_), PieceType)]
