"""The words that spell legal moves, in the machine engine: a function of the module of a game for each decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from interpreter.compiler.ir.expressions import Zone
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.ir.types import COUNT
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, i32, i64, narrow
from interpreter.compiler.machine.forms import NONE, SCALAR, WORD_BYTES, Form, Members, UnprintableError, bytes_of
from interpreter.compiler.machine.listing import RowFormat, act_of
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import spelling
from interpreter.compiler.machine.routines.kinds import NUMBERS
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import loaded
from interpreter.compiler.wasm.instructions import I32, Callee, Code, Read, load, plain, select, store
from interpreter.environments.actions import (
    ActionSpace,
    Compound,
    DigitPart,
    Joint,
    ListedPart,
    OptionalPart,
    Part,
    PiecePart,
    SetPart,
)
from interpreter.environments.machine.tensors import Observing
from interpreter.runtime.cells import StoredValue
from interpreter.runtime.layout import ME, Layout

DECLINING = act_of((DECLINED,))
PLACE_BITS = 20
"""The number of a place takes fewer bits than this."""


def width_of(space: ActionSpace, layout: Layout) -> int:
    """The number of letters of the longest word."""
    return max([1, *(_width(speller, layout) for speller in space.spellers.values())])


def _width(speller: Joint | Compound, layout: Layout) -> int:
    if isinstance(speller, Joint):
        return 1
    return sum(_letters(part) + _pieces(part) for part in speller.parts)


def _letters(part: Part) -> int:
    match part:
        case ListedPart() | PiecePart():
            return 1
        case OptionalPart(of=of):
            return _letters(of)
        case DigitPart(sign=sign, digits=digits):
            return len(digits) + (sign is not None)
        case SetPart(member=ListedPart(actions=actions)):
            return len(actions) + 1
        case SetPart(member=PiecePart(program=program)):
            return len(program.layout.pieces) + 1
        case _:
            raise UnprintableError("sets of sets in moves")


def _pieces(part: Part) -> int:
    """How many pieces a value can hold."""
    match part:
        case PiecePart():
            return 1
        case OptionalPart(of=of):
            return _pieces(of)
        case SetPart(member=PiecePart(program=program)):
            return len(program.layout.pieces)
        case _:
            return 0


class Spelling:
    """A function that spells the moves of a decision, while it is printed; `observing` knows what the seat sees."""

    def __init__(self, space: ActionSpace, observing: Observing, width: int) -> None:
        self.program, self.space, self.body, self.width = observing.program, space, observing.body, width
        body, self.observing = observing.body, observing
        self.end = body.variable(I32)

    def spell_all(self, point: int, format_: RowFormat, rows: Code, count: Code, words: Code, pieces: Code) -> None:
        """Write the words of some rows, and the piece in each that has just one. Raises UnprintableError."""
        body = self.body
        size = plain("i32.mul", count, i32(WORD_BYTES * self.width))
        body.add(plain("memory.fill", words, i32(0xFF), size))
        body.add(plain("memory.fill", pieces, i32(0xFF), plain("i32.mul", count, i32(WORD_BYTES))))

        def spell(number: Code) -> None:
            row = body.held(plain("i32.add", rows, plain("i32.mul", number, i32(format_.size))))
            body.assign((self.end,), (plain("i32.add", words, plain("i32.mul", number, i32(WORD_BYTES * self.width))),))
            act = body.held(load("i64.load", row))
            for number_of_act, forms in format_.arguments.items():
                matches = plain("i64.eq", act, i64(number_of_act))
                if number_of_act == DECLINING:
                    if self.space.done is not None:
                        letter = i64(self.space.done)
                        body.when(matches, lambda letter=letter: self._add(letter))  # type: ignore[misc]
                    continue
                speller = self.space.spellers[point, number_of_act]
                piece = body.held(plain("i32.add", pieces, plain("i32.mul", number, i32(WORD_BYTES))))

                def of_act(
                    speller: Joint | Compound = speller, forms: Sequence[Form] = forms, at: Code = piece
                ) -> None:
                    self._spell(speller, row, forms)
                    self._keep_piece(speller, row, forms, at)

                body.when(matches, of_act)

        body.counted(i32(0), count, spell)

    def _add(self, letter: Code) -> None:
        self.body.add(store("i64.store", Read(self.end), letter))
        self.body.assign((self.end,), (plain("i32.add", Read(self.end), i32(WORD_BYTES)),))

    def _spell(self, speller: Joint | Compound, row: Code, forms: Sequence[Form]) -> None:
        starts = list(accumulate([WORD_BYTES, *map(bytes_of, forms)]))
        if isinstance(speller, Joint):
            self._joint(speller, row, forms, starts)
            return
        for part, form, start in zip(speller.parts, forms, starts, strict=False):
            self._part(part, form, row, start)
        for part, form, start in zip(speller.parts, forms, starts, strict=False):
            self._lying(part, form, row, start)

    def _keep_piece(self, speller: Joint | Compound, row: Code, forms: Sequence[Form], at: Code) -> None:
        """Keep the piece of a move that has just one."""
        if isinstance(speller, Compound):
            starts = accumulate([WORD_BYTES, *map(bytes_of, forms)])
            of_pieces = [
                (form, start) for part, form, start in zip(speller.parts, forms, starts, strict=False) if _pieces(part)
            ]
            if len(of_pieces) == 1 and of_pieces[0][0] == SCALAR:
                self.body.add(store("i64.store", at, load("i64.load", row, of_pieces[0][1])))

    def _table(self, values: Sequence[int], number: Code) -> Code:
        address = self.program.data.values(values, COUNT)
        return load("i64.load", plain("i32.mul", narrow(number), i32(WORD_BYTES)), address)

    def _letter(self, actions: dict[int, int], value: Code, none: int | None = None) -> Code:
        """The action for one of several values, by a table; another one for none."""
        low = min(actions)
        table = [actions.get(number, 0) for number in range(low, max(actions) + 1)]
        number = plain("i64.sub", value, i64(low)) if low else value
        if none is None:
            return self._table(table, number)
        is_none = self.body.held(plain("i64.eq", value, i64(NONE)))
        letter = self.body.held(self._table(table, select(is_none, i64(0), number)))
        return select(is_none, i64(none), letter)

    def _look(self, part: PiecePart, piece: Code) -> Code:
        """The action for a piece by how it looks where it lies."""
        layout = self.program.layout
        everything = {(info.kind, frozenset(info.attributes)) for info in layout.pieces}
        if part.actions.keys() <= everything:  # whoever chooses sees it
            kinds = [part.actions.get((info.kind, frozenset(info.attributes)), 0) for info in layout.pieces]
            return self._table(kinds, piece)

        def action(observing: Observing, zone: Zone, position: Code, own_piece: Code) -> Code:
            return observing.by_look(zone.name, observing.index(zone, position), own_piece, part.actions)

        key = min(part.actions.values()), len(part.actions)
        return self.body.held(self.observing.where_it_lies("action for a piece", key, piece, action))

    def _joint(self, speller: Joint, row: Code, forms: Sequence[Form], starts: Sequence[int]) -> None:
        if any(form != SCALAR for form in forms):
            raise UnprintableError("an argument of another form")
        total: Code = i64(speller.first)
        stride = len(speller.numbers)
        for position, start in enumerate(starts[: len(forms)]):
            # The combinations are numbered in the order of the values, those of the last argument first.
            values = list(dict.fromkeys(key[position] for key in speller.numbers))
            stride //= len(values)
            numbers = {int(value): n * stride for n, value in enumerate(values) if isinstance(value, int)}
            none = values.index(None) * stride if None in values else None
            value = self.body.held(load("i64.load", row, start))
            total = plain("i64.add", total, self.body.held(self._letter(numbers, value, none)))
        self._add(total)

    def _part(self, part: Part, form: Form, row: Code, start: int) -> None:
        body = self.body
        value = body.named(loaded(body, form, row, start))
        match part:
            case OptionalPart(none=none, of=of) if form == SCALAR:
                is_none = plain("i64.eq", value[0], i64(NONE))
                body.when(is_none, lambda: self._add(i64(none)), lambda: self._part(of, form, row, start))
            case ListedPart(actions=actions) if form == SCALAR:
                self._add(self._letter(_by_number(actions), value[0]))
            case PiecePart() if form == SCALAR:
                self._add(self._look(part, value[0]))
            case DigitPart(sign=sign, digits=digits) if form == SCALAR:
                negative = body.held(plain("i64.lt_s", value[0], i64(0)))
                if sign is not None:
                    self._add(select(negative, i64(sign + 1), i64(sign)))
                number = body.held(select(negative, plain("i64.sub", i64(0), value[0]), value[0]))
                for place, first in zip(range(len(digits) - 1, -1, -1), digits, strict=True):
                    digit = plain("i64.rem_u", plain("i64.div_u", number, i64(10**place)), i64(10))
                    self._add(plain("i64.add", i64(first), digit))
            case SetPart(member=ListedPart() | PiecePart() as member) if isinstance(form, Members):
                begin = body.held(Read(self.end))

                def add_member(number: Code, *_: object) -> None:
                    match member:
                        case PiecePart():
                            self._add(self._look(member, number))
                        case ListedPart(actions=actions):
                            self._add(self._letter(_by_number(actions), number))

                sets.each_member(body, value, add_member)
                self._sort(begin)
                self._add(i64(part.enough))
            case _:
                raise UnprintableError("an argument of another form")

    def _sort(self, begin: Code) -> None:
        """Sort the letters from a place on."""
        count = plain("i64.extend_i32_u", plain("i32.shr_u", plain("i32.sub", Read(self.end), begin), i32(3)))
        (sorted_count,), _ = called(self.program, self.body, spelling, "sort", ((begin,), NUMBERS), ((count,), SCALAR))
        self.body.held(sorted_count)

    def _lying(self, part: Part, form: Form, row: Code, start: int) -> None:
        """Where the pieces in an argument lie."""
        body = self.body
        if not _pieces(part):
            return
        cells = self.program.cells.get(self.program.layout.place_cells)
        if cells is None:
            raise UnprintableError("pieces whose places are not kept")

        def place_of(piece: Code) -> Code:
            return load("i64.load", plain("i32.mul", narrow(piece), i32(WORD_BYTES)), cells)

        actions = [self.space.places.get(place.number, 0) for place in self.program.layout.places]
        value = body.named(loaded(body, form, row, start))
        if form == SCALAR:
            present = plain("i64.ge_s", value[0], i64(0))
            body.when(present, lambda: self._add(self._table(actions, place_of(value[0]))))
            return
        begin = body.held(Read(self.end))
        kinds = [info.kind for info in self.program.layout.pieces]

        def add(piece: Code, *_: object) -> None:
            kind = plain("i64.shl", self._table(kinds, piece), i64(PLACE_BITS))
            self._add(plain("i64.or", kind, place_of(piece)))

        sets.each_member(body, value, add)
        self._sort(begin)

        def name(address: Code) -> None:
            place = plain("i64.and", load("i64.load", address), i64((1 << PLACE_BITS) - 1))
            body.add(store("i64.store", address, self._table(actions, place)))

        body.counted(begin, body.held(Read(self.end)), name, WORD_BYTES)


def _by_number(actions: Mapping[StoredValue, int]) -> dict[int, int]:
    return {int(value): action for value, action in actions.items() if isinstance(value, int)}


def define_spelling(
    space: ActionSpace, observe: Callable[[Body, Code], Observing], program: Program, point: int, format_: RowFormat,
    width: int,
) -> Callee:  # fmt: skip
    """The function that writes the words of the moves of a decision: (rows, how many, where, where their pieces).

    `observe` gives what knows what a seat sees, of which it gets the bit. Raises UnprintableError.
    """
    function = program.module.function(f"spell {point}", (I32, I32, I32, I32), ())
    body = Body(function)
    rows, count, words, pieces = (Read(local) for local in function.locals)
    seat = body.held(plain("i64.shl", i64(1), load("i64.load", i32(0), program.cells[ME])))
    Spelling(space, observe(body, seat), width).spell_all(point, format_, rows, count, words, pieces)
    function.body = tuple(body.statements)
    return function.callee
