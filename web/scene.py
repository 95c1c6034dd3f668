"""What a page shows of a position to one seat: its view in display words, as plain data.

A view is made for programs, with the names that the rules use. A page shows the words of its reader's language, pieces
counted where they lie in a heap, and colours, so that its scripts draw and decide nothing. Everything here is made from
the view and the words of the game alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.addressing import for_others
from interpreter.seat.views.board_drawing import DrawnKind, DrawnPlace, drawing_of, tiles_of
from interpreter.seat.views.board_groups import groups_of, tints_of
from interpreter.seat.views.board_shape import Point, shape_of
from interpreter.seat.views.colours import COLOURS, colours_of_seats, letters
from interpreter.seat.views.model import BoardView, Cell, Order, PieceView, Row, TableView, View
from interpreter.seat.views.own import own_cells
from interpreter.seat.views.piece_words import is_back, is_empty, label, noted
from interpreter.wording.words import Words

MAX_TINTED_VALUES = 4
"""Number of different values up to which they are shown as colours of the board."""


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat: its name for programs and for people, its colour, and the letters that mark its pieces."""

    seat: str
    name: str
    colour: str
    letters: str


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A piece, or `count` equal ones in a heap.

    `name` is its name in the rules, by which it can be asked about; empty if it is not known. `text` is in the plural
    if there are several, `one` never: it tells which pieces are alike. `colour` is a word that
    the rules use for it, or else that of its owner; empty if it has none. `sign` is one that everybody knows, such as
    that of a suit, empty if there is none. `mark` tells whose it is where colours do not suffice, empty elsewhere.
    `back`: only its owner is known, if that.
    """

    name: str
    text: str
    one: str
    sign: str
    mark: str
    type: str
    owner: str | None
    colour: str
    back: bool
    notes: str
    attached: tuple[ShownPiece, ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class TextCell:
    """A value in words; `seat` if it is one, with the `mark` of its pieces; `sign` if the game has a glyph for it."""

    text: str
    seat: str | None = None
    mark: str = ""
    sign: str = ""
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class PieceCell:
    """Pieces, as they lie."""

    pieces: tuple[ShownPiece, ...]
    order: Order
    kind: Literal["pieces"] = "pieces"


@dataclass(frozen=True, slots=True)
class ListCell:
    """Several members, each with a value in words."""

    entries: tuple[tuple[TextCell | PieceCell, str], ...]
    kind: Literal["list"] = "list"


ShownCell = TextCell | PieceCell | ListCell


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table that is not drawn on the board."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place of the board as it is drawn; `points` are the corners of an area or a tile, the ends of a stroke.

    `id` is its name in the rules, `key` one that no other place has: those of another grid or copy may have the same.
    `tint` is the colour of the group it belongs to and `region` its name, empty if it is in none; `holds` is true if
    anything can lie there.
    """

    key: str
    id: str
    kind: DrawnKind | Literal["tile"]
    name: str
    mark: str
    tint: str
    region: str
    holds: bool
    at: Point
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block of places, which is a rectangle from `start` to `end`; `places` are the names of those in the rules.

    `key` is that of what tables say about it, empty if none is about blocks.
    """

    key: str
    id: str
    name: str
    places: tuple[str, ...]
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The board without its contents, which stays the same as long as the same places are shown.

    `seams` are the lines between `blocks` of places.
    """

    name: str
    places: tuple[ShownPlace, ...]
    captions: tuple[tuple[str, Point], ...]
    seams: tuple[tuple[Point, Point], ...]
    blocks: tuple[ShownBlock, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """What a table says about a place of the board: a heading, and a cell that is not empty.

    `tint` is the colour of a value that divides the whole board into few regions, empty for others. `links` are the
    keys of places: lines that lead there say the same as the cell.
    """

    heading: str
    cell: ShownCell
    tint: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownResult:
    """The end of a game: the result in words, and the places of the seats, the best first."""

    text: str
    ranking: tuple[tuple[str, int, tuple[int, ...]], ...]
    criteria: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A position as a seat sees it, without the outlines of the board.

    `contents` are those of the board, by the keys of places; `own` is what only this seat sees, to be kept in sight.
    """

    phase: str
    turn: str | None
    tables: tuple[ShownTable, ...]
    contents: Mapping[str, tuple[Content, ...]]
    own: tuple[Content, ...]
    result: ShownResult | None


def seats_shown(seats: Sequence[str], words: Words) -> tuple[ShownSeat, ...]:
    """The seats of a game as a page shows them."""
    colours, marks = colours_of_seats(seats), letters(seats)
    return tuple(ShownSeat(seat, words.name(seat), colours[seat], marks[seat]) for seat in seats)


class DrawnRows:
    """The rows of tables as they were drawn last, in the words of one reader: most stay the same from move to move."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[str, str, int], tuple[Row, tuple[ShownCell, ...]]] = {}

    def of(self, table: TableView, draw: Callable[[Cell], ShownCell]) -> Iterator[tuple[ShownCell, ...]]:
        """The rows of a table; a view that follows has the same object for one of which nothing has changed."""
        where = "" if table.board is None else table.board.list
        for number, row in enumerate(table.rows):
            drawn = self._drawn.get((table.title, where, number))
            if drawn is None or drawn[0] is not row:
                drawn = self._drawn[table.title, where, number] = row, tuple(map(draw, row))
            yield drawn[1]


def scene_of(
    view: View, others: Sequence[View], words: Words, *, names_turn: bool = True, rows: DrawnRows | None = None
) -> Scene:
    """The scene of a view; `others` are those of the other seats, if something may be hidden from them.

    Without `names_turn` it is not said who decides, which may be secret. `rows` are those of the scene before.
    """
    artist = _Artist(view, words, rows or DrawnRows())
    return Scene(
        phase="" if view.phase is None else words.heading(view.phase),
        turn=view.turn if names_turn else None,
        tables=tuple(artist.table(table) for table in view.tables if table.board is None and table.rows),
        contents=artist.contents() if view.board is not None else {},
        own=tuple(
            Content(heading, artist.cell(cell)) for heading, cell in (own_cells(view, others, words) if others else ())
        ),
        result=_result(view),
    )


def board_shown(view: View, words: Words) -> ShownBoard | None:
    """The outlines of the board; None if nothing is drawn on one."""
    return None if view.board is None else _board(view.board, _tabled(view), words)


def _tabled(view: View) -> frozenset[str]:
    """The lists of places whose contents are drawn on the board."""
    return frozenset(table.board.list for table in view.tables if table.board is not None)


def _board(board: BoardView, tabled: frozenset[str], words: Words) -> ShownBoard:
    shape = shape_of(board)
    drawing, groups = drawing_of(shape, tabled), groups_of(shape)
    tiles = tiles_of(drawing)

    def shown(place: DrawnPlace) -> ShownPlace:
        described = shape.places[place.key]
        kind = "tile" if place.key in tiles else place.kind
        return ShownPlace(
            shape.unique_names[place.key], place.key[1], kind, words.name(place.name), described.mark or "",
            groups.tint(place.key), ", ".join(map(words.name, described.within[-1:])), place.key[0] in tabled,
            place.at, tiles.get(place.key, place.points),
        )  # fmt: skip

    # What is said about blocks is drawn upon them.
    upon = {block.list for block in drawing.blocks}
    places = tuple(shown(place) for place in drawing.places if place.key[0] not in upon)
    captions = tuple((caption.text, caption.at) for caption in drawing.captions)
    blocks = tuple(
        ShownBlock(
            shape.unique_names.get((block.list, block.id), ""), block.id, words.name(block.id), block.places,
            block.start, block.end,
        )
        for block in drawing.blocks
    )  # fmt: skip
    return ShownBoard(board.name, places, captions, drawing.seams, blocks)


def _result(view: View) -> ShownResult | None:
    outcome = view.outcome
    if outcome is None:
        return None
    ranked = sorted(outcome.places.items(), key=lambda place: place[1])
    ranking = tuple((seat, place, tuple(outcome.scores.get(seat, ()))) for seat, place in ranked)
    return ShownResult(outcome.reason, ranking, outcome.criteria)


@dataclass(frozen=True, slots=True)
class _Artist:
    """Puts the parts of a view into words and colours."""

    view: View
    words: Words
    rows: DrawnRows

    def table(self, table: TableView) -> ShownTable:
        title, headings = self._addressed(table)
        return ShownTable(title, headings, tuple(self.rows.of(table, self.cell)))

    def _addressed(self, table: TableView) -> tuple[str, tuple[str, ...]]:
        """The title and headings of a table; for spectators one that addresses a seat names it instead."""
        head, _, seat = table.title.rpartition(": ")
        if self.view.viewer is not None or seat not in self.view.seats:
            return table.title, table.headings
        title = for_others(head, seat)
        return title if title != head else table.title, tuple(for_others(text, seat) for text in table.headings)

    def contents(self) -> dict[str, tuple[Content, ...]]:
        """What lies at each place of the board."""
        contents: dict[str, list[Content]] = {}
        keys = {} if self.view.board is None else shape_of(self.view.board).unique_names
        for table in self.view.tables:
            if table.board is None:
                continue
            tints = [_tints(column) for column in zip(*table.rows, strict=True)]
            for place, row, cells in zip(table.board.places, table.rows, self.rows.of(table, self.cell), strict=True):
                key = keys.get((table.board.list, place), place)
                columns = zip(table.headings, table.board.columns, row, cells, tints, strict=True)
                for heading, column, cell, cell_content, tints_by_text in columns:
                    if is_empty(cell):
                        continue
                    tint = tints_by_text.get(cell.text, "") if cell.kind == "value" else ""
                    links: tuple[str, ...] = ()
                    if column.kind == "links" and cell.kind == "value" and isinstance(cell.value, tuple):
                        links = tuple(keys.get((table.board.list, str(end)), str(end)) for end in cell.value)
                    contents.setdefault(key, []).append(Content(heading, cell_content, tint, links))
        return {place: tuple(of_place) for place, of_place in contents.items()}

    def cell(self, cell: Cell) -> ShownCell:
        if cell.kind == "value":
            if not isinstance(cell.value, str):
                return TextCell(cell.text)
            if cell.value in self.view.seats:
                return TextCell(cell.text, cell.value, self.letters(cell.value))
            glyph = self.words.glyph(cell.value)
            return TextCell(cell.text, sign=glyph + TEXT_STYLE if glyph else "")
        if cell.kind == "pieces":
            return PieceCell(tuple(self.pieces(cell.pieces, cell.order)), cell.order)
        entries: list[tuple[TextCell | PieceCell, str]] = []
        for entry in cell.entries:
            item = self.cell(entry.item)
            assert not isinstance(item, ListCell)
            entries.append((item, entry.note.text))
        return ListCell(tuple(entries))

    def pieces(self, pieces: Sequence[PieceView], order: Order) -> Iterator[ShownPiece]:
        """Pieces in their order; equal ones are counted in a heap, and backs that lie together in a stack."""
        if order == "heap":
            counted: dict[PieceView, int] = {}
            for piece in pieces:
                counted[piece] = counted.get(piece, 0) + 1
            for piece, count in counted.items():
                yield self.piece(piece, count)
        elif order == "stack":
            for piece, alike in groupby(pieces):
                count = len(list(alike))
                for number in (count,) if is_back(piece, self.view.seats) else (1,) * count:
                    yield self.piece(piece, number)
        else:
            yield from map(self.piece, pieces)

    def piece(self, piece: PieceView, count: int = 1) -> ShownPiece:
        values = [value for value in piece.attributes.values() if value in COLOURS]
        owner = piece.owner
        colour = str(values[0]) if values else colours_of_seats(self.view.seats)[owner] if owner else ""
        back = is_back(piece, self.view.seats)
        attached = tuple(self.piece(upon) for pieces in piece.attached.values() for upon in pieces)
        text, single = ("", "") if back else (label(piece, self.words, count), label(piece, self.words))
        return ShownPiece(
            "" if back else piece.name, text, single, self.sign(piece), self.mark(piece), self.words.type(piece.type),
            owner, colour, back, noted(piece, self.words), attached, count,
        )  # fmt: skip

    def sign(self, piece: PieceView) -> str:
        """The sign that everybody knows, or the glyph that the game has for it, if it is not one for each seat."""
        words = [*map(str, piece.attributes.values())]
        glyph = next(filter(None, map(self.words.glyph, (*words, piece.type))), "")
        return sign_of(words) or (glyph + TEXT_STYLE if glyph else "")

    def mark(self, piece: PieceView) -> str:
        """The glyph that a type of pieces has for each seat, unless all are mere shapes; else letters of the owner."""
        if piece.owner is None or not self.letters(piece.owner):
            return ""
        glyphs = {seat: self.words.glyph(piece.type, seat) or "" for seat in self.view.seats}
        is_telling = len(set(glyphs.values())) == len(glyphs) and not all(glyph in SHAPES for glyph in glyphs.values())
        return glyphs[piece.owner] + TEXT_STYLE if is_telling else self.letters(piece.owner)

    def letters(self, seat: str) -> str:
        """The letters of a seat, for whom colours look the same; two that are named after their colours need none."""
        is_told_by_colour = len(self.view.seats) <= 2 and all(seat in COLOURS for seat in self.view.seats)
        return "" if is_told_by_colour else letters(self.view.seats)[seat]


def _tints(column: Sequence[Cell]) -> Mapping[str, str]:
    """A colour for each value of a column that divides a board into few regions; none for other columns."""
    words = {cell.text: cell.value for cell in column if cell.kind == "value" and isinstance(cell.value, str)}
    is_full = all(cell.kind == "value" and cell.text in words and not is_empty(cell) for cell in column)
    if not is_full or not 1 < len(words) <= MAX_TINTED_VALUES < len(column):
        return {}
    return tints_of(sorted(words))


# ---------------------------------------------------------------- signs of words

TEXT_STYLE = "\ufe0e"
"""Follows a sign so that it is drawn as a letter, in the colour of the text, and not as a picture."""

SHAPES = "●○■□▲△◆◇"
"""Glyphs that tell pieces apart in a terminal, but not whose they are."""

SUITS, MEN = "♠♣♥♦", "♚♛♜♝♞♟"
"""The signs; the name of a suit is the last word but one of its name in Unicode, that of a man the last."""

_SIGNS = {unicodedata.name(sign).split()[-2].lower() + "s": sign for sign in SUITS} | {
    unicodedata.name(sign).split()[-1].lower(): sign for sign in MEN
}


def sign_of(words: Iterable[str]) -> str:
    """The sign of several words, such as the rank and suit of a card: that of a suit first; empty if none has one."""
    signs = sorted((_SIGNS[word] for word in words if word in _SIGNS), key=(SUITS + MEN).index)
    return signs[0] + TEXT_STYLE if signs else ""
