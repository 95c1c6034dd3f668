"""The words that spell legal moves, in the machine engine: two functions of the module of a game for each decision.

One writes the words of all legal moves. The other gives the order of those that are spelled alike, when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate

from interpreter.compiler.ir.expressions import Zone
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.ir.types import COUNT
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow
from interpreter.compiler.machine.forms import NONE, SCALAR, WORD_BYTES, Form, Members, UnprintableError, bytes_of
from interpreter.compiler.machine.listing import RowFormat, act_of
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import spelling
from interpreter.compiler.machine.routines.kinds import NUMBERS
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import loaded
from interpreter.compiler.machine.standings import Words, acting_seat, place_ranks, standing
from interpreter.compiler.wasm.instructions import I32, Callee, Code, Read, call, load, plain, select, store
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
from interpreter.environments.looks import Locations
from interpreter.environments.machine.looks import PieceLooks
from interpreter.runtime.cells import StoredValue
from interpreter.runtime.layout import Layout

DECLINING = act_of((DECLINED,))
RANK_BITS = 20
"""The rank of a place takes fewer bits than this."""


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
    """A function that spells the moves of a decision, while it is printed; `looks` is how the seat sees pieces."""

    def __init__(self, space: ActionSpace, looks: PieceLooks, width: int) -> None:
        self.program, self.space, self.body, self.width = looks.program, space, looks.body, width
        self.looks = looks
        self.end = looks.body.variable(I32)

    def spell_all(self, point: int, format_: RowFormat, rows: Code, count: Code, words: Code) -> None:
        """Write the words of some rows. Raises UnprintableError."""
        body = self.body
        size = plain("i32.mul", count, i32(WORD_BYTES * self.width))
        body.add(plain("memory.fill", words, i32(0xFF), size))

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
                body.when(matches, partial(self._spell, speller, row, forms))

        body.counted(i32(0), count, spell)

    def _position(self) -> Code:
        """Where the next letter goes, in a variable that stays when letters are added."""
        position = self.body.variable(I32)
        self.body.assign((position,), (Read(self.end),))
        return Read(position)

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

    def list_standings(self, point: int, format_: RowFormat, row: Code, listed: Words) -> None:
        """List the standings of the pieces in the move of a row: moves that are spelled alike are numbered by them."""
        act = self.body.held(load("i64.load", row))
        for number_of_act, forms in format_.arguments.items():
            speller = self.space.spellers.get((point, number_of_act))
            if isinstance(speller, Compound):
                starts = accumulate([WORD_BYTES, *map(bytes_of, forms)])

                def of_act(parts: Sequence[tuple[Part, Form, int]]) -> None:
                    for part, form, start in parts:
                        self._standings_in(part, form, self.body.named(loaded(self.body, form, row, start)), listed)

                parts = [*zip(speller.parts, forms, starts, strict=False)]
                self.body.when(plain("i64.eq", act, i64(number_of_act)), partial(of_act, parts))

    def _standings_in(self, part: Part, form: Form, value: Value, listed: Words) -> None:
        def standing_of(piece: Code) -> Code:
            return call(standing(self.program), piece, self.looks.seat)

        match part:
            case SetPart(member=PiecePart() as member):

                def members(add: Callable[[Callable[[], None]], None]) -> None:
                    def words(piece: Code) -> None:
                        listed.add(self._look(member, piece))
                        listed.extend_by(standing_of(piece))

                    sets.each_member(self.body, value, lambda piece, *_: add(lambda: words(piece)))

                listed.in_order(members)
            case _:
                if _pieces(part):
                    present = plain("i64.ge_s", value[0], i64(0))
                    self.body.when(present, lambda: listed.extend_by(standing_of(value[0])))

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

        def action(looks: PieceLooks, zone: Zone, position: Code, own_piece: Code) -> Code:
            return looks.by_look(zone.name, looks.index(zone, position), own_piece, part.actions)

        key = min(part.actions.values()), len(part.actions)
        return self.body.held(self.looks.by_location("action for a piece", key, piece, action))

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
                begin = self._position()

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
        assert isinstance(part, SetPart) and isinstance(part.member, PiecePart)
        member, ranks = part.member, place_ranks(self.program.layout)
        begin = self._position()

        def add(piece: Code, *_: object) -> None:
            look = plain("i64.shl", self._look(member, piece), i64(RANK_BITS))
            self._add(plain("i64.or", look, self._table(ranks, place_of(piece))))

        sets.each_member(body, value, add)
        self._sort(begin)
        actions_by_rank = [action for _, action in sorted(dict(zip(ranks, actions, strict=True)).items())]

        def name(address: Code) -> None:
            rank = plain("i64.and", load("i64.load", address), i64((1 << RANK_BITS) - 1))
            body.add(store("i64.store", address, self._table(actions_by_rank, rank)))

        body.counted(begin, body.held(Read(self.end)), name, WORD_BYTES)


def _by_number(actions: Mapping[StoredValue, int]) -> dict[int, int]:
    return {int(value): action for value, action in actions.items() if isinstance(value, int)}


def define_spelling(
    space: ActionSpace, locations: Locations, program: Program, point: int, format_: RowFormat,
    width: int,
) -> Callee:  # fmt: skip
    """The function that writes the words of the moves of a decision: (rows, count, words). Raises UnprintableError."""
    function = program.module.function(f"spell {point}", (I32, I32, I32), ())
    body = Body(function)
    rows, count, words = (Read(local) for local in function.locals)
    looks = PieceLooks(program, locations, body, body.held(acting_seat(program)))
    Spelling(space, looks, width).spell_all(point, format_, rows, count, words)
    function.body = tuple(body.statements)
    return function.callee


def define_standings(
    space: ActionSpace, locations: Locations, program: Program, point: int, format_: RowFormat
) -> Callee:
    """The function that gives the standings of the pieces in a move of a decision in one list: (rows, its number)."""
    function = program.module.function(f"standings {point}", (I32, I32), (I32, I32))
    body = Body(function)
    rows, number = (Read(local) for local in function.locals)
    row = body.held(plain("i32.add", rows, plain("i32.mul", number, i32(format_.size))))
    seat = body.held(acting_seat(program))
    listed = Words(program, body, seat)
    Spelling(space, PieceLooks(program, locations, body, seat), 0).list_standings(point, format_, row, listed)
    body.give(listed.list.value)
    function.body = tuple(body.statements)
    return function.callee
