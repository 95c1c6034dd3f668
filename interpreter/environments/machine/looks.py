"""How pieces look to a seat where they lie, in the machine engine: `looks.py`, printed in a function of a module.

Which attributes a seat sees of a piece depends on the `seen by` of the zone. A *visibility* is a number with a bit for
each of these, whether the seat is among those that it lists: with the piece it gives the look, by a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter.compiler.ir.expressions import Zone
from interpreter.compiler.ir.module import named
from interpreter.compiler.machine.body import Body, i32, i64, narrow, wide
from interpreter.compiler.machine.forms import WORD_BYTES, UnprintableError
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.seeing import Seeing
from interpreter.compiler.wasm.instructions import I64, Code, Read, call, load, plain
from interpreter.environments.looks import Locations, Seen, held_in, sights_of


class PieceLooks(Seeing):
    """A function that depends on how pieces look to a seat, while it is printed."""

    def __init__(self, program: Program, locations: Locations, body: Body, seat: Code) -> None:
        super().__init__(program, body, seat)
        self.locations = locations

    def look(self, zone: str, index: Sequence[Code], piece: Code) -> Code:
        """The number of the look of a piece at a place of a zone."""
        return self.by_look(zone, index, piece, self.locations.looks[zone].numbers)

    def by_look(self, zone: str, index: Sequence[Code], piece: Code, numbers: Mapping[tuple[int, Seen], int]) -> Code:
        """The number that a piece at a place of a zone has in `numbers`, by its kind and what is seen of it."""
        held, bits = held_in(self.layout, zone), self.sight_bits(zone)
        table = [
            numbers.get((info.kind, self._attributes_seen(zone, info.type, visibility)), 0) if info.type in held else 0
            for info in self.layout.pieces
            for visibility in range(1 << len(bits))
        ]
        visibility = self.visibility(zone, index, piece)
        return self.table(table, plain("i64.or", plain("i64.shl", piece, i64(len(bits))), visibility))

    def by_location(
        self, name: str, key: tuple[object, ...], piece: Code, number: Callable[[PieceLooks, Zone, Code, Code], Code]
    ) -> Code:
        """A number for a piece by the zone and the place where it lies; -1 for one that is out of the game.

        `number` gives it, in a function of its own, which `name` and `key` tell apart from others; its arguments are
        what knows that function, the zone, the position of the place in it and the piece. Raises UnprintableError.
        """
        if self.layout.place_cells not in self.program.cells:
            raise UnprintableError("pieces whose places are not kept")

        def fill(body: Body) -> None:
            own_piece, seat = (Read(local) for local in body.function.locals)
            inner = PieceLooks(self.program, self.locations, body, seat)
            address = plain("i32.mul", narrow(own_piece), i32(WORD_BYTES))
            place = body.held(load("i64.load", address, self.program.cells[self.layout.place_cells]))
            inner.by_zone(place, lambda zone, position: body.give((number(inner, zone, position, own_piece),)))
            body.give((i64(-1),))

        return call(self.program.helper(name, key, (I64, I64), (I64,), fill), piece, self.seat)

    # ------------------------------------------------------------ visibility

    def sight_bits(self, zone: str) -> dict[int, int]:
        """The bit of each `seen by` of a zone that is about an attribute of pieces there, by its number."""
        return {sight: bit for bit, sight in enumerate(self._attribute_by_sight(zone))}

    def visibility(self, zone: str, index: Sequence[Code], piece: Code) -> Code:
        """The visibility of a piece at a place of a zone."""
        visibility: Code = i64(0)
        for bit, attribute in enumerate(self._attribute_by_sight(zone).values()):
            seen = self.body.held(self.seen(named("see", zone, attribute), [*index, piece]))
            visibility = plain("i64.or", visibility, plain("i64.shl", wide(seen), i64(bit)))
        return self.body.held(visibility)

    def _attribute_by_sight(self, zone: str) -> dict[int, str]:
        """The `seen by` of a zone, each with the first attribute that it is about."""
        attributes: dict[int, str] = {}
        for type_ in held_in(self.layout, zone):
            names = list(self.model.pieces[type_].attributes)
            for name, sight in zip(names, sights_of(self.model, zone, names), strict=True):
                if sight is not None:
                    attributes.setdefault(sight, name)
        return attributes

    def _attributes_seen(self, zone: str, type_: str, visibility: int) -> Seen:
        """The attributes that are seen of a piece of a type."""
        names, bits = list(self.model.pieces[type_].attributes), self.sight_bits(zone)
        pairs = zip(names, sights_of(self.model, zone, names), strict=True)
        return frozenset(name for name, sight in pairs if sight is None or visibility >> bits[sight] & 1)
