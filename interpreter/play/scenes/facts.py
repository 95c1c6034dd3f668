"""The lines of `given` that turn one state into another one, as people would write them.

    hand[red] is [king, 2 ace]
    score[red] is 7
    cube shows 4

A line names kinds of pieces and not single ones, and whoever reads it takes any that fit. So each line is applied to
the state of a reader as soon as it is written, and the next one is about what then still differs. Pieces of the two
states correspond by where they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

from dsl.types import PLAYER, Contents, Listed, PieceType, Several, Type, bare, numeric
from interpreter.engine.program import Program
from interpreter.play.scenes.setup import GivenError, StateBuilder
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, NoteCell, StoredValue, members_in, number_in
from interpreter.runtime.layout import OUT, Place


class UnsayableError(Exception):
    """Something in a state for which the language has no words; the message names it."""


class Describer:
    """Writes the lines that make the state of a reader show what another state of the same program shows.

    Only of the places and the cells of notes and dice for which `tells_place` and `tells_cell` hold.
    """

    def __init__(
        self, program: Program, builder: StateBuilder, tells_place: Callable[[Place], bool] = lambda place: True,
        tells_cell: Callable[[int], bool] = lambda cell: True,
    ) -> None:  # fmt: skip
        self.tells_place, self.tells_cell = tells_place, tells_cell
        self.program, self.builder = program, builder
        self.layout, self.state = program.layout, builder.state
        self.homes = frozenset(builder.homes.values())

    @cached_property
    def _places(self) -> dict[tuple[str, tuple[int, ...]], int]:
        return {(place.zone, place.index): place.number for place in self.layout.places[1:]}

    @cached_property
    def _cells(self) -> dict[tuple[str, tuple[int, ...]], int]:
        return {slot: cell for cell, slot in self.layout.notes_of_cell.items()}

    @cached_property
    def _same_kind(self) -> dict[int, int]:
        """The set of all pieces of each kind."""
        kinds: dict[int, int] = {}
        for piece in self.layout.pieces:
            kinds[piece.kind] = kinds.get(piece.kind, 0) | 1 << piece.number
        return kinds

    # ------------------------------------------------------------ the lines

    def lines(self, target: Cells, orders: Mapping[int, Sequence[int]]) -> Iterator[str]:
        """The lines for everything that differs; the reader's state changes with each of them.

        `orders` replaces the order of the pieces at some places. Raises UnsayableError.
        """
        self.builder.end_run()
        places = self.layout.places[1:]
        # What lies on pieces, and their notes, can be told only once these lie where they belong.
        for on_pieces in (False, True):
            group = [place for place in places if self._on_piece(place) is on_pieces and self.tells_place(place)]
            ordered = sorted(group, key=lambda place: place.number in self.homes)
            changed = True
            while changed:
                changed = False
                for place in ordered:
                    line = self._place_line(place, target, orders)
                    if line is not None:
                        changed = True
                        yield line
        for cell in filter(self.tells_cell, self.layout.notes_of_cell):
            line = self._note_line(cell, target)
            if line is not None:
                yield line

    def _on_piece(self, place: Place) -> bool:
        return any(isinstance(type_, PieceType) for type_ in self.program.model.zones[place.zone].index)

    def _contents(self, target: Cells, place: int, orders: Mapping[int, Sequence[int]]) -> Sequence[int]:
        return orders.get(place) or self.program.contents(target, place)

    def _place_line(self, place: Place, target: Cells, orders: Mapping[int, Sequence[int]]) -> str | None:
        """The line for a place of the target, None if the reader has the same there."""
        pieces = self._contents(target, place.number, orders)
        types = self.program.model.zones[place.zone].index
        reader_place = self.place_of(place, target)
        kinds = [self.layout.kind_of(piece) for piece in pieces]
        if kinds == [self.layout.kind_of(piece) for piece in self.program.contents(self.state, reader_place)]:
            return None
        name = self._slot(place.zone, types, place.index, target)
        text = f"{name} is {self._pieces_text(pieces, place)}"
        try:
            self.builder.put(reader_place, [self._same_kind[kind] for kind in kinds], self.program.model.file)
        except GivenError as fault:
            raise UnsayableError(f"`{text}`: {str(fault).strip()}") from None
        return text

    def _note_line(self, cell: int, target: Cells) -> str | None:
        name, slot = self.layout.notes_of_cell[cell]
        model = self.program.model
        symbol = model.notes.get(name) or model.dice[name]
        assert symbol.type is not None
        index = [self._counterpart(type_, value, target) for type_, value in zip(symbol.index, slot, strict=True)]
        reader_cell = self._cells.get((name, tuple(number_in(value) for value in index)))
        assert reader_cell is not None
        value = target[NoteCell(cell)]
        mine = self._counterpart(symbol.type, value, target)
        if type(self.state[reader_cell]) is type(mine) and self.state[reader_cell] == mine:
            return None
        verb = "is" if name in model.notes else "shows"
        text = f"{self._slot(name, symbol.index, slot, target)} {verb} {self._value_text(symbol.type, value, target)}"
        self.state[reader_cell] = mine
        return text

    # ------------------------------------------------------------ corresponding pieces and values

    def place_of(self, place: Place, target: Cells) -> int:
        """The place of the reader that corresponds to one of the target."""
        if not self._on_piece(place):
            return place.number
        index = []
        for type_, value in zip(self.program.model.zones[place.zone].index, place.index, strict=True):
            counterpart = self._counterpart(type_, value, target)
            index.append(number_in(counterpart))
        return self._places[place.zone, tuple(index)]

    def piece_of(self, piece: int, target: Cells) -> int:
        """The piece of the reader that corresponds to one of the target: it lies at the same position."""
        where = target[self.layout.place_cells + piece]
        kind = self.layout.kind_of(piece)
        if where == OUT:
            members = self._same_kind[kind]
            position = [other for other in bits(members) if target[self.layout.place_cells + other] == OUT].index(piece)
            pieces = [other for other in bits(members) if self.state[self.layout.place_cells + other] == OUT]
        else:
            place = self.layout.places[where]
            position = list(self.program.contents(target, where)).index(piece)
            pieces = list(self.program.contents(self.state, self.place_of(place, target)))
        if position >= len(pieces) or self.layout.kind_of(pieces[position]) != kind:
            return piece
        return pieces[position]

    def _counterpart(self, type_: Type, value: StoredValue, target: Cells) -> StoredValue:
        core = bare(type_)
        if isinstance(core, Contents):
            core = Several(core.pieces)
        match core:
            case PieceType() if value is not None:
                return self.piece_of(number_in(value), target)
            case Several(element=element) if isinstance(bare(element), PieceType):
                return sum(1 << self.piece_of(piece, target) for piece in bits(number_in(value or 0)))
            case _:
                return value

    # ------------------------------------------------------------ words

    def _slot(self, name: str, types: Sequence[Type], slot: Sequence[StoredValue], target: Cells) -> str:
        if not slot:
            return name
        index = [self._value_text(type_, value, target) for type_, value in zip(types, slot, strict=True)]
        return f"{name}[{', '.join(index)}]"

    def _pieces_text(self, pieces: Sequence[int], place: Place) -> str:
        """The pieces at a place: `[king, 2 ace]`, `[7, {x in Card where …}]`, `empty`."""
        if not pieces:
            return "empty"
        words = [self._kind_words(piece, place) for piece in pieces]
        kinds = [self.layout.kind_of(piece) for piece in pieces]
        parts: list[str] = []
        named = (word or self._kind_set(kind) for word, kind in zip(words, kinds, strict=True))
        for word, group in groupby(named):
            count = len(list(group))
            parts += [f"{count} {word}"] if count > 1 and word[0].isalpha() else [word] * count
        return parts[0] if place.shape == "one" else f"[{', '.join(parts)}]"

    def _kind_set(self, kind: int) -> str:
        """All pieces of a kind as a set: `{x in Card where x.owner is red and x.rank is 7}`."""
        info = self.layout.pieces[kind]
        words = self.layout.attribute_words(kind)
        conditions = [f"x.{name} is {word}" for name, word in words.items()]
        return f"{{x in {info.type} where {' and '.join(conditions)}}}"

    def _value_text(self, type_: Type, value: StoredValue, target: Cells) -> str:
        core = bare(type_)
        if isinstance(core, Contents):
            core = Several(core.pieces)
        if isinstance(core, Several):
            element = core.element
            if isinstance(bare(element), Several):
                members = [self._value_text(element, member, target) for member in members_in(value or ())]
            else:
                members = [self._value_text(element, member, target) for member in bits(number_in(value or 0))]
            return f"{{{', '.join(members)}}}"
        if value is not None and isinstance(core, PieceType):
            return self._piece_text(number_in(value), target)
        return self.layout.name_of(core, value)

    def _piece_text(self, piece: int, target: Cells) -> str:
        """A single piece by where it lies: `nth(2, row[A])`, or the only one of its kind there."""
        where = target[self.layout.place_cells + piece]
        if where == OUT:
            raise UnsayableError(f"`{self.layout.piece_name(piece)}`, which is out of the game")
        place = self.layout.places[where]
        name = self._slot(place.zone, self.program.model.zones[place.zone].index, place.index, target)
        pieces = list(self.program.contents(target, where))
        if place.shape in ("row", "stack"):
            return f"nth({pieces.index(piece) + 1}, {name})"
        kind = self.layout.kind_of(piece)
        alike = [other for other in pieces if self.layout.kind_of(other) == kind]
        if len(pieces) == 1:
            return f"first({name})"
        if len(alike) > 1:
            raise UnsayableError(f"which of several `{self.layout.piece_name(piece)}` at `{name}` is meant")
        words = self.layout.attribute_words(piece)
        conditions = [f"x.{attribute} is {word}" for attribute, word in words.items()]
        return f"the x in {name} where {' and '.join(conditions)}"

    def _kind_words(self, piece: int, place: Place) -> str | None:
        """The kind of a piece as a list names it: `red king`, `7`; None if only conditions can say which it is.

        A list takes pieces that fit the index of the place first, so that it need not say whose the cards of a hand
        are.
        """
        info = self.layout.pieces[piece]
        attributes = self.program.model.pieces[info.type].attributes
        index = list(zip(self.program.model.zones[place.zone].index, place.index, strict=True))
        open_names = [name for name, value in info.attributes.items() if (attributes[name], value) not in index]
        types = [bare(attributes[name]) for name in info.attributes]
        if not types:
            return info.type
        if len(set(types)) == len(types) and all(map(_is_word, types)):
            return self.layout.piece_name(piece)
        if len(types) == 1 or len(open_names) == 1:
            name = open_names[0] if len(open_names) == 1 else next(iter(info.attributes))
            type_ = bare(attributes[name])
            alone = types.count(type_) == 1 and (numeric(type_) or _is_word(type_))
            return self.layout.attribute_words(piece)[name] if alone else None
        return None


def _is_word(type_: Type) -> bool:
    """True if the values of a type can be words of a kind."""
    return type_ == PLAYER or (isinstance(type_, Listed) and not numeric(type_))
