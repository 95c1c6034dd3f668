"""The order in which pieces are listed for a seat that does not see them all: the standings of engine/sight.py.

A standing is printed as a row of words in the same order as the tuples in Python. `END`, which is less than any other
word, ends a tuple whose length varies; each part of such a tuple begins with `PART`, so that empty ones count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.ir.expressions import Zone
from interpreter.compiler.ir.module import named
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, negated, wide
from interpreter.compiler.machine.forms import NONE, NUMBER_ITEMS, SCALAR, WORD_BYTES, Form, Items, Maybe, bytes_of
from interpreter.compiler.machine.pieces import contents, form_of_pieces
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import subsets
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import GrowingList, loaded
from interpreter.compiler.machine.seeing import Seeing, pieces_in
from interpreter.compiler.passes.kinds.layout import zone_types
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, Read, call, load, plain, select, write
from interpreter.runtime.layout import MAX_FOLLOWED, ME, OUT, Layout, PieceInfo

END, PART, UNSEEN = NONE, 0, -1

WORD_OF_UNSEEN = WORD_BYTES
"""Where a standing says whether the piece has an attribute that the seat does not see."""


def acting_seat(program: Program) -> Code:
    """The bit of the acting seat."""
    return plain("i64.shl", i64(1), load("i64.load", i32(0), program.cells[ME]))


def standing(program: Program) -> Callee:
    """The function that gives the standing of a piece for a seat: (piece, bit of the seat)."""
    return _function(program, "standing", lambda words, piece: words.list_standing(piece))


def place_ranks(layout: Layout) -> list[int]:
    """The rank of each place in order; where the index has pieces, which may be hidden, those of a zone are equal."""
    keys: list[tuple[int, tuple[tuple[int, ...], ...]]] = [(0, ())]
    for place in layout.places[OUT + 1 :]:
        index = () if pieces_in(layout.model.zones[place.zone].index) else place.index
        keys.append((layout.first_place[place.zone], tuple([() if x is None else (x,) for x in index])))
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [ranks[key] for key in keys]


def _own_standing(program: Program, depth: int) -> Callee:
    """The function that gives what a seat sees of a piece itself, which others lie on or are about."""
    return _function(program, f"own standing {depth}", lambda words, piece: words.list_own(piece, depth))


def _function(program: Program, name: str, fill: Callable[[Words, Code], None]) -> Callee:
    def printed(body: Body) -> None:
        piece, seat = (Read(local) for local in body.function.locals)
        words = Words(program, body, seat)
        fill(words, piece)
        body.give(words.list.value)

    return program.helper(name, (), (I64, I64), (I32, I32), printed)


class Words(Seeing):
    """A function that lists words, while it is printed."""

    def __init__(self, program: Program, body: Body, seat: Code) -> None:
        super().__init__(program, body, seat)
        self.list = GrowingList(program, body, SCALAR)

    def list_standing(self, piece: Code) -> None:
        """The standing of a piece."""
        self.list_own(piece, 0)
        self._notes(piece)
        self._attached(piece)

    # ------------------------------------------------------------ words

    def add(self, *words: Code) -> None:
        """Add some words."""
        for word in words:
            self.list.add((word,))

    def _extend(self, words: Value) -> None:
        count, items = self.body.named(words)

        def copy(number: Code) -> None:
            address = plain("i32.add", items, plain("i32.mul", number, i32(WORD_BYTES)))
            self.add(load("i64.load", address))

        self.body.counted(i32(0), count, copy)

    def in_order(self, fill: Callable[[Callable[[Callable[[], None]], None]], None]) -> None:
        """A tuple of sorted parts; `fill` is given what adds one, by statements that add its words."""
        outer_list, parts = self.list, GrowingList(self.program, self.body, NUMBER_ITEMS)

        def part(words: Callable[[], None]) -> None:
            self.list = GrowingList(self.program, self.body, SCALAR)
            self.add(i64(PART))
            words()
            parts.add(self.list.value)
            self.list = outer_list

        fill(part)
        listed = parts.value, Items(NUMBER_ITEMS)
        self._extend(called(self.program, self.body, subsets, "joined_in_order", listed)[0])
        self.add(i64(END))

    # ------------------------------------------------------------ a piece where it lies

    def list_own(self, piece: Code, depth: int) -> None:
        """What the seat sees of a piece itself, and where it lies."""
        body, layout = self.body, self.layout
        address = plain("i32.mul", narrow(piece), i32(WORD_BYTES))
        place = body.held(load("i64.load", address, self.program.cells[layout.place_cells]))
        body.when(plain("i64.eq", place, i64(OUT)), lambda: self._look(piece, list(layout.piece_range), None, ()))

        def add_zone(zone: Zone, position: Code) -> None:
            types, index = self.model.zones[zone.name].index, self.index(zone, position)
            self._look(piece, sorted(zone_types(layout, zone.name)), zone.name, index)
            self.add(self.table(place_ranks(self.layout), place))
            for type_, value in zip(types, index, strict=True) if pieces_in(types) else ():
                self._value(type_, (value,), SCALAR, depth)
            if zone.order is not None:
                self.add(self._position(piece, place))

        self.by_zone(place, add_zone)

    def _look(self, piece: Code, types: Sequence[str], zone: str | None, index: Sequence[Code]) -> None:
        """The type of a piece, and what the seat sees of its attributes in a zone; out of the game it sees all."""
        for type_ in types:
            first, end = self.layout.piece_range[type_]
            number = self.body.held(plain("i64.sub", piece, i64(first)))
            args = self.layout.pieces[first:end], number, zone, (*index, piece)
            of_type = plain("i64.lt_u", number, i64(end - first))
            self.body.when(of_type, partial(self._attributes, *args))

    def _attributes(self, pieces: Sequence[PieceInfo], number: Code, zone: str | None, where: Sequence[Code]) -> None:
        """What the seat sees of the attributes of one of the pieces of a type, by its number among them."""
        words: list[Code] = []
        unseen: Code = i32(0)
        for name in pieces[0].attributes if pieces else ():
            values = [-1 if (value := piece.attributes[name]) is None else int(value) for piece in pieces]
            ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
            word = self.table([ranks[value] for value in values], number)
            if zone is not None:
                seen = self.body.held(self.seen(named("see", zone, name), where))
                unseen = plain("i32.or", unseen, negated(seen))
                word = select(seen, word, i64(UNSEEN))
            words.append(word)
        self.add(plain("i64.sub", where[-1], number), wide(unseen), *words)

    def _position(self, piece: Code, place: Code) -> Code:
        """The position of a piece from the left or the top, from 1; 0 if it is only about to come there."""
        body = self.body
        position, listed = body.variable(I64), body.variables(NUMBER_ITEMS)
        body.assign((position,), (i64(0),))
        body.add(write(listed, call(contents(self.program), place)))

        def compare(number: Code) -> None:
            address = plain("i32.add", Read(listed[1]), plain("i32.mul", number, i32(WORD_BYTES)))
            matches = plain("i64.eq", load("i64.load", address), piece)
            behind = wide(plain("i32.add", number, i32(1)))
            body.assign((position,), (select(matches, behind, Read(position)),))

        body.counted(i32(0), Read(listed[0]), compare)
        return Read(position)

    # ------------------------------------------------------------ values, notes, and what lies on a piece

    def _value(self, type_: Type, value: Value, form: Form, depth: int) -> None:
        """The words of a value, in which pieces count by what the seat sees of them."""
        body, core = self.body, bare(type_)
        if isinstance(form, Maybe):
            body.when(value[0], lambda: self._value(core, value[1:], form.of, depth), lambda: self.add(i64(END)))
            return
        match core:
            case Several(element=PieceType() | Several() as element):

                def members(part: Callable[[Callable[[], None]], None]) -> None:
                    if isinstance(form, Items):
                        count, items = body.named(value)

                        def item(number: Code) -> None:
                            address = plain("i32.add", items, plain("i32.mul", number, i32(bytes_of(form.of))))
                            element_value = body.named(loaded(body, form.of, address))
                            part(lambda: self._value(element, element_value, form.of, depth))

                        body.counted(i32(0), count, item)
                    else:
                        sets.each_member(
                            body, value, lambda member, *_: part(lambda: self._value(element, (member,), SCALAR, depth))
                        )

                self.in_order(members)
                return
            case Several():
                sets.each_member(body, value, lambda member, *_: self.add(member))
            case PieceType() if depth < MAX_FOLLOWED:
                standing = call(_own_standing(self.program, depth + 1), value[0], self.seat)
                body.when(plain("i64.ne", value[0], i64(NONE)), lambda: self.extend_by(standing))
            case PieceType():
                pass
            case _:
                body.when(plain("i64.ne", value[0], i64(NONE)), lambda: self.add(value[0]))
        self.add(i64(END))

    def extend_by(self, words: Code) -> None:
        """Add the words that a call of a function gives, such as `standing`."""
        listed = self.body.variables(NUMBER_ITEMS)
        self.body.add(write(listed, words))
        self._extend(tuple([Read(variable) for variable in listed]))

    def _notes(self, piece: Code) -> None:
        """The notes about a piece that the seat sees: name, index without the piece, value."""
        notes = self.model.notes
        # What nothing changes is the same about all pieces, and has no cell.
        names = sorted(
            name
            for name, first in self.layout.first_note.items()
            if name in notes and pieces_in(notes[name].index) and first in self.program.forms
        )

        def entries(part: Callable[[Callable[[], None]], None]) -> None:
            for rank, name in enumerate(names):
                slots = self.slots(name)
                for key_part, type_ in enumerate(notes[name].index):
                    if isinstance(type_, PieceType):
                        about = self.about([slot[key_part] for slot in slots])
                        self.of_piece(piece, about, self._note(name, rank, slots, piece, part))

        self.in_order(entries)

    def _note(
        self, name: str, rank: int, slots: Sequence[Sequence[int]], piece: Code,
        part: Callable[[Callable[[], None]], None],
    ) -> Callable[[Code], None]:  # fmt: skip
        """What adds a slot of a note to those about a piece."""
        symbol, first = self.model.notes[name], self.layout.first_note[name]
        form, address = self.program.forms[first], self.program.cells[first]

        def words(number: Code, index: Sequence[Code]) -> None:
            self.add(i64(rank))
            for type_, value in zip(symbol.index, index, strict=True):

                def indexed(type_: Type = type_, value: Code = value) -> None:
                    self.add(i64(PART))
                    self._value(type_, (value,), SCALAR, 0)

                if isinstance(type_, PieceType):
                    self.body.when(plain("i64.ne", value, piece), indexed)
                else:
                    indexed()
            self.add(i64(END))
            offset = plain("i32.mul", number, i32(self.program.cell_size(form)))
            assert symbol.type is not None
            self._value(symbol.type, self.body.named(loaded(self.body, form, offset, address)), form, 0)

        def slot(number: Code) -> None:
            position = self.body.held(wide(number))
            index = [
                self.body.held(self.table([of_slot[at] for of_slot in slots], position))
                for at in range(len(symbol.index))
            ]
            seen = self.seen(named("see_note", name), index)
            self.body.when(seen, lambda: part(lambda: words(number, index)))

        return slot

    def _attached(self, piece: Code) -> None:
        """How many pieces lie at the places that belong to a piece, by zone."""
        zones: dict[int, str] = {place.mask: place.zone for place in self.layout.places}
        cells = [cell for of_piece in self.program.attached for cell in of_piece]
        names = sorted({zones[cell] for cell in cells})
        numbers = iter(range(len(cells)))
        entries = [[next(numbers) for _ in of_piece] for of_piece in self.program.attached]
        form = form_of_pieces(self.layout)

        def places(part: Callable[[Callable[[], None]], None]) -> None:
            def place(number: Code) -> None:
                position = self.body.held(wide(number))
                address = narrow(self.table([self.program.cells[cell] for cell in cells], position))
                pieces = self.body.named(loaded(self.body, form, address))
                rank = self.table([names.index(zones[cell]) for cell in cells], position)
                part(lambda: self.add(rank, sets.size(pieces)))

            if cells:
                self.of_piece(piece, entries, place)

        self.in_order(places)
