"""Tensors in the machine engine: the sections of `sections.py`, printed as a function of the module of a game.

The function adds whole numbers to columns of 32 bits; whoever reads them divides by the scales of the sections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import assert_never

from interpreter.compiler.ir.expressions import Zone
from interpreter.compiler.ir.module import named
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, wide
from interpreter.compiler.machine.forms import NONE, SCALAR, WORD_BYTES, Maybe, Members, UnprintableError
from interpreter.compiler.machine.forms import Form as MachineForm
from interpreter.compiler.machine.pieces import form_of_pieces
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.rules import Rules
from interpreter.compiler.machine.scope import ITEM_BYTES, loaded
from interpreter.compiler.machine.seeing import pieces_in
from interpreter.compiler.machine.sights import refuse_unkept
from interpreter.compiler.passes.kinds.layout import KindZone
from interpreter.compiler.wasm.instructions import Code, load, plain, store
from interpreter.environments.columns import Form, Lying, OneOf, Scaled, SetOf, Sets
from interpreter.environments.looks import UNSEEN, sights_of
from interpreter.environments.machine.looks import PieceLooks
from interpreter.environments.observations import ObservationSpace, Section
from interpreter.environments.sections import (
    About,
    Asked,
    Chosen,
    Counted,
    Deciding,
    InPhase,
    Looking,
    Noted,
    Over,
    Picked,
    Placed,
    without_pieces,
)
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Content, number_in
from interpreter.runtime.layout import ME

COLUMN_BYTES = 4


class Observing(PieceLooks):
    """A function that adds what a seat sees to a tensor; `points` are the decisions that blocks wait for."""

    def __init__(
        self, program: Program, rules: Rules, space: ObservationSpace, body: Body, seat: Code, points: Sequence[int]
    ) -> None:
        super().__init__(program, space.locations, body, seat)
        self.rules, self.space, self.points = rules, space, points
        self.opening = rules.prepared.opening

    def show_all(self, tensor: Code, chosen: Code, length: Code) -> None:
        """Print all sections, for the seat that acts. Raises UnprintableError for what is not in the module."""
        refuse_unkept(self.rules)
        for key, group in groupby(self.space.sections, key=_loop_of):
            sections = list(group)
            if not sections[0].size:
                continue
            base = self.column(tensor, sections[0].first)
            match sections[0].content:
                case Looking() | Deciding():
                    self.add(base, load("i64.load", i32(0), self.program.cells[ME]))
                case InPhase(cell=cell):
                    self._value(cell, OneOf({n: n for n in range(sections[0].size)}), base)
                case Over():
                    pass  # only positions in which a seat decides are shown
                case Asked(offsets=offsets):
                    table = [offsets.get(point, 0) for point in self.points]
                    self.add(base, self.table(table, load("i64.load", i32(0), self.program.block)))
                case Picked() as picked:
                    self._picked(picked, base)
                case Chosen():

                    def add_chosen(number: Code, base: Code = base) -> None:
                        place = plain("i32.add", chosen, plain("i32.mul", number, i32(WORD_BYTES)))
                        self.add(base, load("i64.load", place))

                    self.body.counted(i32(0), length, add_chosen)
                case Counted() | Placed():
                    self._zone(str(key[1]), sections, base)
                case Noted():
                    self._notes(sections, base)

    # ------------------------------------------------------------ columns

    def column(self, base: Code, number: int) -> Code:
        """The address of a column."""
        return self.body.held(plain("i32.add", base, i32(COLUMN_BYTES * number))) if number else base

    def add(self, base: Code, number: Code, amount: Code | None = None) -> None:
        """Add 1, or an amount of 32 bits, to the column with a number of 64 bits."""
        address = self.body.held(plain("i32.add", base, plain("i32.mul", narrow(number), i32(COLUMN_BYTES))))
        total = plain("i32.add", load("i32.load", address), amount or i32(1))
        self.body.add(store("i32.store", address, total))

    def _offset(self, base: Code, number: Code, size: int) -> Code:
        """The address of one of several parts of a size; the number has 32 bits."""
        return self.body.held(plain("i32.add", base, plain("i32.mul", number, i32(COLUMN_BYTES * size))))

    # ------------------------------------------------------------ values

    def _value(self, cell: int, form: Form, base: Code) -> None:
        """Add the value of a cell."""
        if cell not in self.program.cells:
            self._constant(form, self.opening[cell], base)
        else:
            self._put(form, self.program.forms[cell], i32(0), self.program.cells[cell], base)

    def _constant(self, form: Form, value: Content, base: Code) -> None:
        """Add a value that nothing changes."""
        if value is None:
            return
        match form:
            case Scaled(is_optional=is_optional):
                self.add(base, i64(0), i32(number_in(value)))
                if is_optional:
                    self.add(base, i64(1))
            case Lying(is_set=is_set):
                for piece in bits(number_in(value)) if is_set else (number_in(value),):
                    self._add_piece(base, i64(piece))
            case OneOf(offsets=offsets):
                self.add(base, i64(offsets[number_in(value)]))
            case SetOf(offsets=offsets):
                for member in bits(number_in(value)):
                    self.add(base, i64(offsets[member]))
            case Sets():
                raise UnprintableError("sets of sets in notes")

    def _put(self, form: Form, stored: MachineForm, address: Code, offset: int, base: Code) -> None:
        """Add a value in memory, which is stored there in a form of the machine engine."""
        self._put_value(form, stored, self.body.named(loaded(self.body, stored, address, offset)), base)

    def _put_value(self, form: Form, stored: MachineForm, value: Value, base: Code) -> None:
        body = self.body
        if isinstance(stored, Maybe):
            body.when(value[0], lambda: self._put_value(form, stored.of, value[1:], base))
            return
        match form:
            case OneOf(offsets=offsets) if stored == SCALAR:
                self._add_if_listed(base, offsets, value[0])
            case SetOf(offsets=offsets) if isinstance(stored, Members):
                columns = [offsets.get(member, 0) for member in range(max(offsets, default=0) + 1)]
                sets.each_member(body, value, lambda member, *_: self.add(base, self.table(columns, member)))
            case Scaled() if stored == SCALAR:

                def add_number() -> None:
                    self.add(base, i64(0), narrow(value[0]))
                    if form.is_optional:
                        self.add(base, i64(1))

                body.when(plain("i64.ne", value[0], i64(NONE)), add_number)
            case Lying(is_set=False) if stored == SCALAR:
                body.when(plain("i64.ge_s", value[0], i64(0)), lambda: self._add_piece(base, value[0]))
            case Lying(is_set=True) if isinstance(stored, Members):
                sets.each_member(body, value, lambda piece, *_: self._add_piece(base, piece))
            case _:
                raise UnprintableError("a value that is stored in another form")

    def _add_if_listed(self, base: Code, offsets: Mapping[int, int], value: Code) -> None:
        """Add 1 to the column of a value, if it has one."""
        if not offsets:
            return
        low = min(offsets)
        table = [offsets.get(number, 0) for number in range(low, max(offsets) + 1)]
        number = self.body.held(plain("i64.sub", value, i64(low)) if low else value)
        within = plain("i64.lt_u", number, i64(len(table)))
        self.body.when(within, lambda: self.add(base, self.table(table, number)))

    def _add_piece(self, base: Code, piece: Code) -> None:
        """Add 1 to the column of where a piece lies and how it looks there."""

        def location(inner: PieceLooks, zone: Zone, position: Code, own_piece: Code) -> Code:
            first = inner.table([self.locations.first[one.number] for one in inner.places(zone)], position)
            return plain("i64.add", first, inner.look(zone.name, inner.index(zone, position), own_piece))

        column = self.body.held(self.by_location("location of a piece", (), piece, location))
        self.body.when(plain("i64.ge_s", column, i64(0)), lambda: self.add(base, column))

    # ------------------------------------------------------------ pieces at places

    def _zone(self, name: str, sections: Sequence[Section], base: Code) -> None:
        """All places of a zone, whose sections follow each other."""
        zone = self.rules.module.zones.get(name)
        size, content = sections[0].size, sections[0].content
        assert isinstance(content, Counted | Placed)
        kind_zone = self.rules.prepared.kinds.zones.get(name)
        if kind_zone is not None:
            self._kinds(kind_zone, content, size, base)
        elif zone is not None and zone.contents.first in self.program.cells:

            def place(number: Code) -> None:
                at, index = self._offset(base, number, size), self.index(zone, self.body.held(wide(number)))
                self.contents(zone, number, lambda piece, position: self._show(content, index, piece, position, at))

            self.body.counted(i32(0), i32(zone.count), place)
        else:
            for position, here in enumerate(place for place in self.layout.places if place.zone == name):
                at, index = self._offset(base, i32(position), size), [i64(part) for part in here.index]
                pieces = [*bits(number_in(self.opening[here.mask]))]
                if len(pieces) > 1 and isinstance(content, Placed):
                    raise UnprintableError("a row that nothing changes")
                for piece in pieces:
                    self._show(content, index, i64(piece), i32(0), at)

    def contents(self, zone: Zone, number: Code, visit: Callable[[Code, Code], None]) -> None:
        """Statements for each piece at a place, with its position from the left or top."""
        body, program = self.body, self.program
        if zone.order is not None and zone.order.first in program.cells:
            size = program.cell_size(program.forms[zone.order.first])
            cell = self.body.held(
                plain("i32.add", plain("i32.mul", number, i32(size)), i32(program.cells[zone.order.first]))
            )
            count = body.held(load("i32.load", cell))
            is_stack = self.places(zone)[0].shape == "stack"

            def item(at: Code) -> None:
                address = plain("i32.add", cell, plain("i32.mul", at, i32(ITEM_BYTES)))
                piece = body.held(load("i64.load16_s", address, WORD_BYTES))
                behind = plain("i32.sub", plain("i32.sub", count, i32(1)), at)
                visit(piece, behind if is_stack else at)

            body.counted(i32(0), count, item)
            return
        form = form_of_pieces(self.layout)
        offset = body.held(plain("i32.mul", number, i32(program.cell_size(form))))
        pieces = body.named(loaded(body, form, offset, program.cells[zone.contents.first]))
        sets.each_member(body, pieces, lambda piece, *_: visit(piece, i32(0)))

    def _show(
        self, content: Counted | Placed, index: Sequence[Code], piece: Code, position: Code, base: Code,
        amount: Code | None = None,
    ) -> None:  # fmt: skip
        """Add a piece at a place, or several that are alike."""
        zone = content.place.zone
        if isinstance(content, Counted):
            look = self.body.held(self.look(zone, index, piece))
            at = self._offset(base, narrow(look), content.width)
            self.add(at, i64(0), amount)
            self._about(content.about, piece, self.column(at, 1))
            return
        start = self._offset(base, position, content.width)
        pieces = self.layout.pieces
        columns_of_types = [content.offsets.get((info.type, "", None), -1) for info in pieces]
        if max(columns_of_types, default=-1) >= 0:
            self._add_if_column(start, self.table(columns_of_types, piece))
        visibility, bit_by_sight = self.visibility(zone, index, piece), self.sight_bits(zone)
        for attribute in dict.fromkeys(name for _, name, _ in content.offsets if name):
            (sight,) = sights_of(self.model, zone, [attribute])
            columns = [
                content.offsets.get((info.type, attribute, value), -1)
                for info in pieces
                for value in (UNSEEN, info.attributes.get(attribute, UNSEEN))
            ]
            is_seen: Code = i64(1)
            if sight is not None:
                is_seen = plain("i64.and", plain("i64.shr_u", visibility, i64(bit_by_sight[sight])), i64(1))
            number = plain("i64.or", plain("i64.shl", piece, i64(1)), is_seen)
            self._add_if_column(start, self.table(columns, number))
        self._about(content.about, piece, self.column(start, len(content.parts)))

    def _add_if_column(self, base: Code, number: Code) -> None:
        """Add 1 to the column with a number, unless that is below 0: the piece has no such column."""
        held = self.body.held(number)
        self.body.when(plain("i64.ge_s", held, i64(0)), lambda: self.add(base, held))

    def _kinds(self, kind_zone: KindZone, content: Counted | Placed, size: int, base: Code) -> None:
        """A zone that keeps the number of pieces of each kind at each place, or the places of each kind."""
        body, program, zone = self.body, self.program, kind_zone.zone
        if content.about.names:
            raise UnprintableError("notes about pieces of which only the kinds are kept")
        if kind_zone.places is not None:
            if kind_zone.places.first not in program.cells:
                self._constant_kinds(kind_zone, content, size, base)
                return
            form = program.forms[kind_zone.places.first]
            assert isinstance(form, Members)
            positions = {place.index[0]: position for position, place in enumerate(self.places(zone))}
            table = [positions.get(value, 0) for value in range(max(positions) + 1)]
            for number, kind in enumerate(kind_zone.kinds):
                places = loaded(body, form, i32(0), program.cells[kind_zone.places.first + number])

                def add_place(value: Code, *_: object, kind: int = kind) -> None:
                    position = body.held(self.table(table, value))
                    at = self._offset(base, narrow(position), size)
                    self._show(content, self.index(zone, position), i64(kind), i32(0), at)

                sets.each_member(body, body.named(places), add_place)
            return
        assert kind_zone.counts is not None
        if kind_zone.counts.first not in program.cells:
            self._constant_kinds(kind_zone, content, size, base)
            return
        for number, kind in enumerate(kind_zone.kinds):

            def at_place(position: Code, number: int = number, kind: int = kind) -> None:
                assert kind_zone.counts is not None
                stride = WORD_BYTES * len(kind_zone.kinds)
                offset = plain("i32.mul", position, i32(stride))
                count = body.held(load("i64.load", offset, program.cells[kind_zone.counts.first + number]))

                def add_counted() -> None:
                    at, index = self._offset(base, position, size), self.index(zone, body.held(wide(position)))
                    self._show(content, index, i64(kind), i32(0), at, narrow(count))

                body.when(plain("i64.ne", count, i64(0)), add_counted)

            body.counted(i32(0), i32(zone.count), at_place)

    def _constant_kinds(self, kind_zone: KindZone, content: Counted | Placed, size: int, base: Code) -> None:
        """A zone in which nothing changes."""
        for position, place in enumerate(self.places(kind_zone.zone)):
            for kind in kind_zone.kinds:
                count = (number_in(self.opening[place.mask]) & self.rules.prepared.kinds.masks[kind]).bit_count()
                if count:
                    at = self._offset(base, i32(position), size)
                    self._show(content, [i64(part) for part in place.index], i64(kind), i32(0), at, i32(count))

    # ------------------------------------------------------------ notes

    def _notes(self, sections: Sequence[Section], base: Code) -> None:
        """All cells of a note, whose sections follow each other."""
        content, size = sections[0].content, sections[0].size
        assert isinstance(content, Noted)
        first, form = content.cell, content.columns.form
        forms = {self.program.forms.get(first + number) for number in range(len(sections))}
        if len(forms) > 1:
            raise UnprintableError("a note whose cells have several forms")
        (stored,) = forms  # None: nothing changes the note, so it has no cells

        def put(number: Code, position: int | None) -> None:
            at = self._offset(base, number, size)

            def seen() -> None:
                if content.is_hidden:
                    self.add(at, i64(0))
                values_at = self.column(at, int(content.is_hidden))
                if stored is None:
                    assert position is not None
                    self._constant(form, self.opening[first + position], values_at)
                else:
                    offset = plain("i32.mul", number, i32(self.program.cell_size(stored)))
                    self._put(form, stored, self.body.held(offset), self.program.cells[first], values_at)

            if content.is_hidden:
                slots = self.slots(content.name)
                where = self.body.held(wide(number))
                index = [self.table([slot[part] for slot in slots], where) for part in range(len(slots[0]))]
                self.body.when(self.seen(named("see_note", content.name), index), seen)
            else:
                seen()

        if stored is None:
            for position in range(len(sections)):
                put(i32(position), position)
        else:
            self.body.counted(i32(0), i32(len(sections)), lambda number: put(number, None))

    def _picked(self, picked: Picked, base: Code) -> None:
        place = self.body.held(load("i64.load", i32(0), self.program.block))
        for point, cell in picked.cells.items():
            here = [int(of_block == point) for of_block in self.points]
            if any(here):
                self.body.when(
                    narrow(self.table(here, place)),
                    lambda cell=cell: self._value(cell, picked.columns.form, base),  # type: ignore[misc]
                )

    # ------------------------------------------------------------ what is known about pieces

    def _about(self, about: About, piece: Code, base: Code) -> None:
        """What is known about a piece beside its attributes."""
        for (name, part), slots in self._notes_about(about):
            self._note_about(about, name, part, slots, piece, base)
        for name, zone in self.rules.module.zones.items():
            index = self.model.zones[name].index
            if not any(of_zone == name for of_zone, _ in about.places):
                continue
            if zone.contents.first not in self.program.cells:
                raise UnprintableError("places of pieces of which only the kinds are kept")
            offsets = [about.places[name, without_pieces(index, place.index)] for place in self.places(zone)]
            for part in pieces_in(index):
                entries = self.about([place.index[part] for place in self.places(zone)])

                def at_place(number: Code, zone: Zone = zone, offsets: Sequence[int] = offsets) -> None:
                    position = self.body.held(wide(number))
                    at = self._offset(base, narrow(self.table(offsets, position)), 1)
                    index = self.index(zone, position)
                    self.contents(zone, number, lambda piece, _: self.add(at, self.look(zone.name, index, piece)))

                self.of_piece(piece, entries, at_place)

    def _notes_about(self, about: About) -> Iterator[tuple[tuple[str, int], list[tuple[int, ...]]]]:
        for name in dict.fromkeys(name for name, _ in about.notes):
            for part in pieces_in(self.model.notes[name].index):
                yield (name, part), self.slots(name)

    def _note_about(
        self, about: About, name: str, part: int, slots: Sequence[tuple[int, ...]], piece: Code, base: Code
    ) -> None:
        types, first = self.model.notes[name].index, self.layout.first_note[name]
        stored = self.program.forms.get(first)
        values = {number_in(content or 0) for content in self.opening[first : first + len(slots)]}
        if stored is None and len(values) > 1:
            raise UnprintableError("a note about pieces that nothing changes")
        by_slot = [about.notes[name, without_pieces(types, slot)] for slot in slots]
        _, hidden, columns = by_slot[0]

        def of_note(number: Code) -> None:
            position = self.body.held(wide(number))
            at = self._offset(base, narrow(self.table([offset for offset, _, _ in by_slot], position)), 1)

            def seen() -> None:
                if hidden:
                    self.add(at, i64(0))
                values_at = self.column(at, int(hidden))
                if stored is None:
                    self._constant(columns.form, self.opening[first], values_at)
                else:
                    offset = self.body.held(plain("i32.mul", number, i32(self.program.cell_size(stored))))
                    self._put(columns.form, stored, offset, self.program.cells[first], values_at)

            index = [self.table([slot[at_part] for slot in slots], position) for at_part in range(len(types))]
            self.body.when(self.seen(named("see_note", name), index), seen)

        self.of_piece(piece, self.about([slot[part] for slot in slots]), of_note)


def _loop_of(section: Section) -> tuple[str, object]:
    """The same for the sections that one loop fills: those of a zone or a note, which follow each other."""
    match section.content:
        case Counted(place=place) | Placed(place=place):
            return "zone", place.zone
        case Noted(name=name):
            return "note", name
        case Looking() | Deciding() | InPhase() | Over() | Asked() | Picked() | Chosen():
            return "course", section.first
        case _ as never:
            assert_never(never)
