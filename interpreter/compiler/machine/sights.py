"""What a seat sees of a state, as two hashes: equal for states that look the same to it.

Bots and other readers of many states compare what a seat sees of them; in Python that takes milliseconds for each. The
parts are those of `knowledge/arrangement.py`: of each place the pieces there by their type and the attributes that the
seat sees, in order where the place keeps one; of each note that it sees the value, in which a piece counts by how it
looks. Notes about a piece, and what lies at places that belong to it, count with that piece. The parts are added up, so
that neither the numbers of hidden pieces nor their order among others matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.ir.expressions import Zone
from interpreter.compiler.ir.module import named
from interpreter.compiler.machine import numbers, sets
from interpreter.compiler.machine.body import Body, i32, i64, narrow, wide
from interpreter.compiler.machine.forms import SCALAR, WORD_BYTES, Members, UnprintableError, bytes_of
from interpreter.compiler.machine.pieces import form_of_pieces
from interpreter.compiler.machine.positions import FIRST_OFFSET, absorb
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.rules import Rules
from interpreter.compiler.machine.scope import order_items
from interpreter.compiler.machine.seeing import ABSENT, HIDDEN, Seeing, pieces_in
from interpreter.compiler.machine.statements import Statements
from interpreter.compiler.passes.facts.accesses import PLACES, AccessAnalysis
from interpreter.compiler.passes.kinds.layout import KindZone, zone_types
from interpreter.compiler.wasm.instructions import (
    I64,
    Callee,
    Code,
    Label,
    Local,
    Read,
    call,
    load,
    plain,
    select,
    store,
)


class Sights(Seeing):
    """Prints what hashes the parts of a state that a seat sees."""

    def __init__(self, program: Program, rules: Rules, body: Body, seat: Code) -> None:
        super().__init__(program, body, seat)
        self.rules = rules
        self.scope = Statements(program, body)
        self.hashes = body.variable(I64), body.variable(I64)

    def hash_all(self, address: int) -> None:
        """Hash everything, and store both hashes. Raises UnprintableError."""
        refuse_unkept(self.rules)
        for name, zone in self.rules.module.zones.items():
            self._zone(name, zone)
        for name in self.model.notes:
            self._note(name)
        for number, variable in enumerate(self.hashes):
            self.body.add(store("i64.store", i32(0), Read(variable), address + WORD_BYTES * number))

    def _count(self, *words: Code) -> None:
        """Add a part, which consists of some words, to both hashes."""
        for variable, offset in zip(self.hashes, (1, 2), strict=True):
            part = self._mixed(i64(offset), *words)
            self.body.assign((variable,), (numbers.add(Read(variable), part),))

    def _mixed(self, *words: Code) -> Code:
        """A hash of some words, which is 0 for none of them."""
        mixed: Code = i64(FIRST_OFFSET)
        for word in words:
            mixed = self.body.held(call(_mixing(self.program), mixed, word))
        return mixed

    # ------------------------------------------------------------ pieces

    def _look(self, zone: str, index: Sequence[Code], piece: Code) -> Code:
        """How a piece looks that lies in a zone at the place of an index."""

        def fill(body: Body) -> None:
            *own_index, own_piece, seat = (Read(local) for local in body.function.locals)
            sights = Sights(self.program, self.rules, body, seat)
            body.give((sights._look_of(zone, own_index, own_piece),))

        params = (I64,) * (len(index) + 2)
        look = self.program.helper(f"look in {zone}", (zone,), params, (I64,), fill)
        return self.body.held(call(look, *index, piece, self.seat))

    def _look_of(self, zone: str, index: Sequence[Code], piece: Code) -> Code:
        pieces = self.layout.pieces
        types = list(self.layout.piece_range)
        words = [self.table([types.index(info.type) for info in pieces], piece)]
        held = zone_types(self.layout, zone)
        names = sorted({name for info in pieces if info.type in held for name in info.attributes})
        for name in names:
            values = [info.attributes.get(name, ABSENT) for info in pieces]
            value = self.body.held(self.table(values, piece))
            seen = self.seen(named("see", zone, name), [*index, piece])
            visible = plain("i32.or", seen, plain("i64.eq", value, i64(ABSENT)))
            words.append(select(visible, value, i64(HIDDEN)))
        return self._mixed(*words)

    def _where(self, piece: Code) -> Code:
        """How a piece looks where it lies."""

        def fill(body: Body) -> None:
            own_piece, place, seat = (Read(local) for local in body.function.locals)
            sights = Sights(self.program, self.rules, body, seat)

            def give_look(zone: Zone, position: Code) -> None:
                body.give((sights._look(zone.name, sights.index(zone, position), own_piece),))

            sights.by_zone(place, give_look)
            body.give((i64(0),))  # it is out of the game

        cell = self.layout.place_cells
        if cell not in self.program.cells:
            raise UnprintableError("pieces whose places are not kept")
        number = plain("i32.mul", narrow(piece), i32(WORD_BYTES))
        place = self.body.held(load("i64.load", number, self.program.cells[cell]))
        look = self.program.helper("look anywhere", (), (I64, I64, I64), (I64,), fill)
        return self.body.held(call(look, piece, place, self.seat))

    # ------------------------------------------------------------ places

    def _zone(self, name: str, zone: Zone) -> None:
        kind_zone = self.rules.prepared.kinds.zones.get(name)
        if kind_zone is not None:
            self._kinds(name, kind_zone)
        elif zone.contents.first in self.program.cells and not pieces_in(self.model.zones[name].index):

            def place(number: Code) -> None:
                total = self._contents(zone, number)
                words = self.index(zone, self.body.held(wide(number)))
                occupied = plain("i64.ne", total, i64(0))
                self.body.when(occupied, lambda: self._count(i64(zone.first), *words, total))

            self.body.counted(i32(0), i32(zone.count), place)

    def _contents(self, zone: Zone, number: Code) -> Code:
        """The looks of the pieces at a place, with what is known about them, added up; 0 if there are none."""
        body, program = self.body, self.program
        form = form_of_pieces(self.layout)
        total = body.variable(I64)
        body.assign((total,), (i64(0),))
        index = self.index(zone, body.held(wide(number)))

        def add(piece: Code, place_in_order: Code) -> None:
            piece = body.held(piece)
            look = self._mixed(self._look(zone.name, index, piece), self._about(piece), place_in_order)
            body.assign((total,), (numbers.add(Read(total), look),))

        if zone.order is not None and zone.order.first in program.cells:
            size = program.cell_size(program.forms[zone.order.first])
            start = plain("i32.mul", number, i32(size))
            cell = body.held(plain("i32.add", start, i32(program.cells[zone.order.first])))
            count, items = body.named(order_items(self.scope, cell))
            self._in_order(count, items, add)
        else:
            offset = body.held(plain("i32.mul", number, i32(bytes_of(form))))
            pieces = self.scope.loaded(form, offset, program.cells[zone.contents.first])
            sets.each_member(body, body.named(pieces), lambda piece, following, out: add(piece, i64(0)))
        return Read(total)

    def _about(self, piece: Code) -> Code:
        """The notes about a piece and what lies at the places that belong to it, added up; 0 if there are none."""
        notes = {
            (name, part): first
            for name, first in self.layout.first_note.items()
            if name in self.model.notes
            for part in pieces_in(self.model.notes[name].index)
        }
        zones = {
            (name, part): zone
            for name, zone in self.rules.module.zones.items()
            if zone.contents.first in self.program.cells
            for part in pieces_in(self.model.zones[name].index)
        }
        if not notes and not zones:
            return i64(0)

        def fill(body: Body) -> None:
            own_piece, seat = (Read(local) for local in body.function.locals)
            sights = Sights(self.program, self.rules, body, seat)
            total = body.variable(I64)
            body.assign((total,), (i64(0),))

            def add(*words: Code) -> None:
                body.assign((total,), (numbers.add(Read(total), sights._mixed(*words)),))

            for (name, part), first in notes.items():
                slots = self.slots(name)

                def note(number: Code, name: str = name, part: int = part, first: int = first) -> None:
                    sights._if_seen(name, number, lambda words: add(i64(first), *words), part)

                sights.of_piece(own_piece, sights.about([slot[part] for slot in slots]), note)
            for (_, part), zone in zones.items():

                def place(number: Code, zone: Zone = zone) -> None:
                    contents = sights._contents(zone, number)
                    body.when(plain("i64.ne", contents, i64(0)), lambda: add(i64(zone.first), contents))

                about = sights.about([place_.index[part] for place_ in self.places(zone)])
                sights.of_piece(own_piece, about, place)
            body.give((Read(total),))

        about = self.program.helper("about", (), (I64, I64), (I64,), fill)
        return self.body.held(call(about, piece, self.seat))

    def _in_order(self, count: Code, items: Code, add: Callable[[Code, Code], None]) -> None:
        def item(number: Code) -> None:
            address = plain("i32.add", items, plain("i32.mul", number, i32(WORD_BYTES)))
            add(self.body.held(load("i64.load", address)), self.body.held(wide(plain("i32.add", number, i32(1)))))

        self.body.counted(i32(0), count, item)

    def _kinds(self, name: str, kind_zone: KindZone) -> None:
        """A zone that keeps the number of pieces of each kind at each place, or the places of each kind."""
        body, program, zone = self.body, self.program, kind_zone.zone
        if kind_zone.places is not None:
            form = program.forms.get(kind_zone.places.first)
            if form is None:
                return
            assert isinstance(form, Members)
            positions = {place.index[0]: position for position, place in enumerate(self.places(zone))}
            table = [positions.get(value, 0) for value in range(max(positions) + 1)]
            for number, kind in enumerate(kind_zone.kinds):
                places = self.scope.loaded(form, i32(0), program.cells[kind_zone.places.first + number])

                def add_place(value: Code, following: Label, out: Label, kind: int = kind) -> None:
                    index = self.index(zone, body.held(self.table(table, value)))
                    look = self._look(name, index, i64(kind))
                    self._count(i64(zone.first), *index, look)

                sets.each_member(body, body.named(places), add_place)
            return
        assert kind_zone.counts is not None
        if kind_zone.counts.first not in program.cells:
            return
        for position in range(zone.count):
            for number, kind in enumerate(kind_zone.kinds):
                cell = program.cells[kind_zone.counts.first + position * len(kind_zone.kinds) + number]
                count = body.held(load("i64.load", i32(0), cell))

                def add_counted(position: int = position, kind: int = kind, count: Code = count) -> None:
                    index = self.index(zone, i64(position))
                    look = self._look(name, index, i64(kind))
                    # Kinds that look the same count together.
                    for variable, offset in zip(self.hashes, (1, 2), strict=True):
                        part = self._mixed(i64(offset), i64(zone.first), *index, look)
                        self._times(variable, part, count)

                body.when(plain("i64.ne", count, i64(0)), add_counted)

    def _times(self, variable: Local, part: Code, count: Code) -> None:
        self.body.assign((variable,), (numbers.add(Read(variable), plain("i64.mul", part, count)),))

    # ------------------------------------------------------------ notes

    def _note(self, name: str) -> None:
        first, count = self.layout.first_note[name], len(self.slots(name))
        cells = range(first, first + count)
        if pieces_in(self.model.notes[name].index):
            return  # it counts with the pieces that it is about
        if len({self.program.forms.get(cell) for cell in cells}) != 1:
            raise UnprintableError("a note whose cells have several forms")

        def add_note(number: Code) -> None:
            self._if_seen(name, number, lambda words: self._count(i64(first), *words))

        self.body.counted(i32(0), i32(count), add_note)

    def _if_seen(self, name: str, number: Code, use: Callable[[list[Code]], None], left_out: int | None = None) -> None:
        """Statements with the index of a note and its value as words, if the seat sees it; one part is left out."""
        symbol, slots, first = self.model.notes[name], self.slots(name), self.layout.first_note[name]
        position = self.body.held(wide(number))
        index = [
            self.body.held(self.table([slot[part] for slot in slots], position)) for part in range(len(symbol.index))
        ]

        def seen() -> None:
            words: list[Code] = []
            for part, (type_, value) in enumerate(zip(symbol.index, index, strict=True)):
                if part != left_out:
                    words.append(self._where(value) if isinstance(bare(type_), PieceType) else value)
            form = self.program.forms.get(first)
            if form is not None:  # otherwise nothing changes the note, but it may be revealed
                offset = self.body.held(plain("i32.mul", number, i32(self.program.cell_size(form))))
                words += self._value(first, offset, symbol.type)
            use(words)

        self.body.when(self.seen(named("see_note", name), index), seen)

    def _value(self, cell: int, offset: Code, type_: Type | None) -> list[Code]:
        """The value of a note, as words, at an offset from its first cell."""
        program, body = self.program, self.body
        form, address = program.forms[cell], program.cells[cell]
        core = None if type_ is None else bare(type_)
        if form == SCALAR and isinstance(core, PieceType):
            piece = body.held(load("i64.load", offset, address))
            look = body.variable(I64)
            body.assign((look,), (i64(0),))
            present = plain("i64.ge_s", piece, i64(0))
            body.when(present, lambda: body.assign((look,), (self._where(piece),)))
            return [Read(look)]
        if isinstance(core, Several) and isinstance(core.element, PieceType):
            if not isinstance(form, Members):
                raise UnprintableError("a note about pieces in this form")
            total = body.variable(I64)
            body.assign((total,), (i64(0),))

            def add(piece: Code, following: Label, out: Label) -> None:
                body.assign((total,), (numbers.add(Read(total), self._mixed(self._where(piece))),))

            sets.each_member(body, body.named(self.scope.loaded(form, offset, address)), add)
            return [Read(total)]
        first_hash, second_hash = body.variable(I64), body.variable(I64)
        body.assign((first_hash, second_hash), (i64(0), i64(0)))
        absorb(self.scope, form, self.scope.loaded(form, offset, address), first_hash, second_hash)
        return [Read(first_hash), Read(second_hash)]


def refuse_unkept(rules: Rules) -> None:
    """Raise UnprintableError if who sees what depends on something that the machine engine does not keep."""
    kinds = rules.prepared.kinds.zones.values()
    replaced = {kind_zone.zone.contents.name for kind_zone in kinds} | ({PLACES} if kinds else set())
    accesses = AccessAnalysis(rules.module)
    for rule in rules.of_kind("sight"):
        accessed = accesses.function(rule.name)
        if accessed.everything or accessed.reads & replaced:
            raise UnprintableError("who sees what depends on pieces of which only the kinds are kept")


def _mixing(program: Program) -> Callee:
    """The function that makes a hash depend on another word."""

    def fill(body: Body) -> None:
        previous, word = (Read(local) for local in body.function.locals)
        mixed = plain("i64.xor", plain("i64.mul", previous, i64(numbers.GOLDEN)), word)
        body.give((numbers.mixed(body, mixed),))

    return program.helper("mixing", (), (I64, I64), (I64,), fill)
