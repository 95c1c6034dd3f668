"""The contents of every place of a board, taken from the tables that are drawn on it.

Several tables may show the same list of places, `table "Towns" for each t in Town` and one for what is stored there.
Their columns are numbered one after the other, and a place shows a token for each that is not empty.

Strokes, such as the roads of a map, have no room for tokens, so their contents become weight and colour:

    road[e] holds a piece                        a heavy stroke in the colour of the piece
    road[e] holds a piece, blocked[e] is true    a double one
    only blocked[e] is true                      a light one; heavy, if the list has no pieces
    neither                                      a dotted one

Only what this cannot convey, a second piece or its kind, is written at the stroke (`_is_weight`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cli.render.board.contents import Token, nominal, token, words_of
from cli.render.board.ink import DOTTED, DOUBLE, HEAVY, LIGHT, Ink, ink, plain
from cli.render.board.letters import TICK, Alphabet
from cli.render.board.painter import DOT, Look
from cli.render.palette import Palette, style_of
from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.board_groups import groups_of
from interpreter.seat.views.board_shape import Key, Place, Shape

if TYPE_CHECKING:
    from interpreter.seat.views.model import Cell, Column, PieceKinds, TableView


@dataclass(frozen=True)
class Heading:
    """A column of a table on the board: its number among all columns of its list, and its possible contents."""

    number: int
    table: str
    heading: str
    column: Column


class Lists:
    """The tables on a board by the list of their places: their columns, their alphabet, their cells.

    `hiding` holds the columns, by list and number, that contain something the viewer may not know; `named_places`
    are the places to show with their names.
    """

    def __init__(
        self, shape: Shape, tables: Sequence[TableView], look: Palette, named_places: Collection[str] = ()
    ) -> None:  # fmt: skip
        self.shape, self.tables, self.named_places = shape, tables, _places_to_name(shape, named_places)
        self.groups, self.words = groups_of(shape), look.words
        self.headings: dict[str, list[Heading]] = {}
        for table in tables:
            self._add_headings(table)
        self.cells: dict[Key, dict[int, Cell]] = {}
        self.hiding: set[tuple[str, int]] = set()
        self.take(tables)
        self.strokes = {place.key[0] for place in shape.strokes}
        preferred: dict[tuple[str, bool], str] = {}
        marks = {place.mark for place in shape.places.values() if place.mark}
        self.alphabets = {
            name: Alphabet(
                [(heading.heading, heading.column) for heading in headings],
                look, preferred, marks | ({TICK} if name in self.strokes else set()),
            )
            for name, headings in self.headings.items()
        }  # fmt: skip

    def first_copy(self, name: str) -> str:
        """The list that stands first for the same places in a copy of the board: `Spot[ann]` for `Spot[ben]`."""
        base = name.partition("[")[0]
        return next(other for other in self.headings if other.partition("[")[0] == base)

    def _add_headings(self, table: TableView) -> None:
        assert table.board is not None
        headings = self.headings.setdefault(table.board.list, [])
        for heading, column in zip(table.headings, table.board.columns, strict=True):
            headings.append(Heading(len(headings), table.title, heading, column))

    def take(self, tables: Sequence[TableView]) -> None:
        """Read the cells of the same tables, possibly in another state."""
        self.cells.clear()
        first: dict[str, int] = {}
        for table in tables:
            board = table.board
            assert board is not None
            number = first.get(board.list, 0)
            for name, row in zip(board.places, table.rows, strict=True):
                self.cells.setdefault((board.list, name), {}).update(enumerate(row, number))
            first[board.list] = number + len(table.headings)
        self.hiding = {
            (where, number)
            for (where, _), cells in self.cells.items()
            for number, cell in cells.items()
            if cell.kind == "pieces" and any(piece.hidden for piece in cell.pieces)
        }

    # ------------------------------------------------------------ looks

    def looks(self) -> dict[Key, Look]:
        """Every place with its current contents."""
        return {place.key: self.look_of(place) for place in self.shape.places.values()}

    def look_of(self, place: Place) -> Look:
        """One place with its current contents."""
        return self._look(place, self._tokens(place), place.key[1] in self.named_places)

    def usual(self) -> dict[Key, Look]:
        """Every place with typical contents, the same in all positions of a game; the scale is chosen for these."""
        return {
            place.key: replace(self._look(place, self._usual(place)), weight=DOTTED, style="")
            for place in self.shape.places.values()
        }

    def named(self) -> dict[Key, Look]:
        """Every place with its name in the rules instead of its contents."""
        named = {name: tuple(ink(name)) for _, name in self.shape.places}
        return {
            place.key: self._base(place, (Token((named[place.key[1]],), named[place.key[1]]),))
            if place.key[0] in self.headings
            else self._look(place, ())
            for place in self.shape.places.values()
        }

    def _tokens(self, place: Place) -> tuple[Token, ...]:
        """The tokens of a place, without what the weight of a stroke already conveys."""
        name, cells = place.key[0], self.cells.get(place.key, {})
        tokens: list[Token] = []
        for heading in self.headings.get(name, ()):
            cell = cells.get(heading.number)
            if cell is None or (name in self.strokes and self._is_weight(name, heading, cell)):
                continue
            if (cell_token := token(cell, heading.column, heading.number, self.alphabets[name])) is not None:
                tokens.append(cell_token)
        return tuple(tokens)

    def _usual(self, place: Place) -> tuple[Token, ...]:
        name = place.key[0]
        if name not in self.headings or name in self.strokes:
            return ()
        breadths = (nominal(heading.column, heading.number, self.alphabets[name]) for heading in self.headings[name])
        return tuple(Token((text,), text) for text in (ink("x" * breadth) for breadth in breadths))

    def _look(self, place: Place, tokens: tuple[Token, ...], show_name: bool = False) -> Look:
        """A place with its contents, to which its mark and, if wanted, its name yield."""
        look, name = self._base(place, tokens), place.key[1]
        tint = style_of(self.groups.tint(place.key))
        texts = {place.mark, *(plain(label.full) for label in tokens)}
        symbol = place.mark if place.mark and not place.mark[0].isalnum() else ""
        names = (f"{symbol}{name}", name)[not symbol :] if show_name and name not in texts else ()
        if place.ends:
            return replace(look, labels=tuple(ink(label, "bold") for label in names if not tokens))
        tabled = place.key[0] in self.headings
        named = tabled and bool(place.name) and not place.ring
        colon = ":" if named or (tokens and not place.ring) else ""
        labels = [ink(label + (colon or ":" * bool(tokens)), f"bold {tint}".strip()) for label in names]
        if place.mark:
            labels.append(ink(place.mark + colon, tint or "dim"))
        elif not tokens and (tabled or not (place.ring or self._meets(place))):
            labels.append(ink(name if name.isdigit() and not tabled else DOT, tint or "dim"))
        return replace(look, labels=tuple(labels))

    def _meets(self, place: Place) -> bool:
        """True if strokes end at this place."""
        return any(place.key in self.shape.joined(stroke) for stroke in self.shape.strokes)

    def _base(self, place: Place, tokens: tuple[Token, ...]) -> Look:
        weight, style = self.weight(place) if place.ends else (DOTTED, "")
        return Look(tokens, weight=weight, style=style)

    # ------------------------------------------------------------ strokes

    def weighing(self, name: str) -> tuple[list[Heading], Heading | None]:
        """The columns of a list that make its strokes heavy, and the one that makes them double."""
        headings = self.headings.get(name, ())
        pieces = [heading for heading in headings if heading.column.kind == "pieces"]
        return pieces, next((heading for heading in headings if heading.column.kind == "truth"), None)

    def weight(self, place: Place) -> tuple[int, str]:
        """The weight and the style of a stroke."""
        name = place.key[0]
        pieces, truth = self.weighing(name)
        if not pieces and truth is None:
            return LIGHT, "dim"
        cells = self.cells.get(place.key, {})
        piece_cells = [cells[heading.number] for heading in pieces if heading.number in cells]
        held = [piece for cell in piece_cells if cell.kind == "pieces" for piece in cell.pieces]
        truth_cell = cells.get(truth.number) if truth is not None else None
        true = truth_cell is not None and truth_cell.kind == "value" and truth_cell.value is True
        if held:
            return DOUBLE if true else HEAVY, self.alphabets[name].piece(held[0])[0][1] or "bold"
        if true:
            return (LIGHT, "") if pieces else (HEAVY, "bold")
        return DOTTED, "dim"

    def _is_weight(self, name: str, heading: Heading, cell: Cell) -> bool:
        """True if the weight of a stroke conveys everything about a cell."""
        pieces, truth = self.weighing(name)
        return heading is truth or (
            heading in pieces and self.is_alike(name) and cell.kind == "pieces" and len(cell.pieces) <= 1
        )

    def is_alike(self, name: str) -> bool:
        """True if all pieces on the strokes of a list look the same, so that they need no letter."""
        kinds: list[PieceKinds] = []
        for heading in self.weighing(name)[0]:
            kinds += heading.column.types if heading.column.kind == "pieces" else ()
        return len(kinds) == 1 and not kinds[0].attributes

    # ------------------------------------------------------------ in words

    def words_on_board(self) -> set[str]:
        """What the letters on the board mean: the words for each name in the rules."""
        return {word for cells in self.cells.values() for cell in cells.values() for word in words_of(cell)}

    def in_full(self, keys: Iterable[Key]) -> dict[str, list[tuple[str, Ink]]]:
        """The full contents of places, by their list: name and text."""
        contents: dict[str, list[tuple[str, Ink]]] = {}
        for key in keys:
            tokens = self._tokens(self.shape.places[key])
            text = tuple(part for index, word in enumerate(tokens) for part in ((*ink(" " * bool(index)), *word.full)))
            if plain(text):
                contents.setdefault(key[0], []).append((key[1], text))
        return contents


def _places_to_name(shape: Shape, names: Collection[str]) -> set[str]:
    """The places to show with their names; instead of a stroke whose name consists of those of its ends, its ends."""
    chosen = set(names)
    for stroke in shape.strokes:
        name, ends = stroke.key[1], [end for _, end in stroke.ends]
        if name in names and all(end in name for end in ends):
            chosen.discard(name)
            chosen.update(ends)
    return chosen
