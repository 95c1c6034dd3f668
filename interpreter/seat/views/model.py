"""The types of views: everything a seat may know of a state, as plain data.

All of them are frozen and hold nothing but texts, numbers, truth values, None, tuples and mappings of these, so a view
can be compared, hashed, copied and pickled. `View.as_data` converts it to what JSON can hold; `view.schema.json`
describes that.

A value is a truth value, a number, or the name of anything else: a seat, a place, a piece, a member of a type. None is
the `none` of the language (for a seat, `nobody`), a tuple is a set, and `HIDDEN` is what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, fields
from functools import cache
from typing import Any, Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from interpreter.seat.notation.words import Scalar, Value
from interpreter.seat.views.frozen_map import FrozenMap
from interpreter.seat.views.history import Question

Order = Literal["heap", "one", "row", "stack"]
"""How pieces lie: without order, alone, from left to right, or from the top down."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A value that a seat may not know. There is one instance, `HIDDEN`; as JSON it is `{"kind": "hidden"}`."""

    kind: Literal["hidden"] = "hidden"

    def __str__(self) -> str:
        return self.kind


HIDDEN = Hidden()

AttributeValue = bool | int | str | Hidden
"""The value of an attribute; attributes are never none."""

NoteValue = Value | Hidden
"""The content of a note or die."""


@dataclass(frozen=True, slots=True)
class Together:
    """The contents of several notes about a piece that have the same name for the seat, as it cannot tell them apart.

    The notes `debt[p, q]` of two pieces `q` that look the same are shown as one, `debt[card]`.
    """

    contents: tuple[Value, ...]
    kind: Literal["together"] = "together"


# ---------------------------------------------------------------- pieces


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as a seat sees it.

    `type` is its type and `name` its visible attributes in words, such as `red king`. `attributes` has every attribute,
    `HIDDEN` where the seat does not see it; `hidden` is true if there is one of these. `owner` is the first visible
    attribute that is a seat, None if there is none. `attached` holds the pieces that lie on this one, by zone, `notes`
    the notes about it that the seat sees.
    """

    type: str
    name: str
    attributes: Mapping[str, AttributeValue]
    owner: str | None
    hidden: bool
    attached: Mapping[str, tuple[PieceView, ...]]
    notes: Mapping[str, Value | Together]


@dataclass(frozen=True, slots=True)
class ZoneView:
    """One place of a zone.

    `count` is the number of its pieces, which everybody knows. `pieces` are listed from the left (`row`), from the top
    (`stack`), or in an order that depends only on what the seat sees of them.
    """

    count: int
    order: Order
    pieces: tuple[PieceView, ...]


# ---------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class ValueCell:
    """A cell with a value, and the value in words."""

    value: Value | Hidden
    text: str
    kind: Literal["value"] = "value"


@dataclass(frozen=True, slots=True)
class PiecesCell:
    """A cell with the pieces of a place or of a set."""

    pieces: tuple[PieceView, ...]
    order: Order
    kind: Literal["pieces"] = "pieces"


@dataclass(frozen=True, slots=True)
class EachEntry:
    """One member of an `each` column, with the value computed for it."""

    item: ValueCell | PiecesCell
    note: ValueCell


@dataclass(frozen=True, slots=True)
class EachCell:
    """A cell that lists several members, each with a value."""

    entries: tuple[EachEntry, ...]
    kind: Literal["each"] = "each"


Cell = ValueCell | PiecesCell | EachCell
"""The cell of a table; `kind` tells which it is."""

Row = tuple[Cell, ...]
"""The cells of one row, one for each heading."""


@dataclass(frozen=True, slots=True)
class PieceKinds:
    """A type of pieces that a column can hold, with the possible values of each attribute."""

    type: str
    attributes: Mapping[str, tuple[bool | int | str, ...]]


@dataclass(frozen=True, slots=True)
class PiecesColumn:
    """A column that holds pieces of these types."""

    order: Order
    types: tuple[PieceKinds, ...]
    kind: Literal["pieces"] = "pieces"


@dataclass(frozen=True, slots=True)
class TruthColumn:
    """A column of truth values."""

    kind: Literal["truth"] = "truth"


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of numbers."""

    kind: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class WordColumn:
    """A column of names, or of sets of names; `words` is empty if they are not known beforehand."""

    words: tuple[str, ...]
    kind: Literal["word"] = "word"


@dataclass(frozen=True, slots=True)
class EachColumn:
    """A column of `EachCell`s; `item` is what their items can be."""

    item: PiecesColumn | WordColumn
    kind: Literal["each"] = "each"


@dataclass(frozen=True, slots=True)
class LinksColumn:
    """A column of sets of places of the list on which it is drawn: lines lead to them."""

    kind: Literal["links"] = "links"


Column = PiecesColumn | TruthColumn | NumberColumn | WordColumn | EachColumn | LinksColumn
"""The contents that a column can have at any time of the game; `kind` tells which it is."""


@dataclass(frozen=True, slots=True)
class TableOnBoard:
    """Where a table is drawn: its list of places, the place of each row, what each column can hold."""

    list: str
    places: tuple[str, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table that the rules declare, or one of zones and notes if they declare none.

    `board` is None unless the table is drawn on the board.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    board: TableOnBoard | None = None


# ---------------------------------------------------------------- the board


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place of the board, as in the board file; `list` has the names of the lists that contain it, joined by dots.

    `within` are the places it lies in, outermost first. `traits` are the attributes that the rules take from the board
    and whose value is a single word: `colour: green`; those that are none are not included.
    """

    list: str
    id: str
    name: str | None
    mark: str | None
    at: tuple[float, float] | None
    ends: tuple[str, ...]
    edges: tuple[str, ...]
    within: tuple[str, ...] = ()
    traits: Mapping[str, str] = field(default_factory=FrozenMap)


@dataclass(frozen=True, slots=True)
class Caption:
    """A word beside the board, such as the name of a row. The text ends at its point."""

    text: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block of a grid: its list and name, those of its `places`, and the upper left and lower right corners."""

    list: str
    id: str
    places: tuple[str, ...]
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board of a game that draws tables on it; the same in every state, but for the places of an unframed grid.

    `drawing` is the number of text columns and lines for one unit, None to draw it as small as is readable. Of
    alternatives only those of this game are included, of an unframed grid only the part in use and its rim. `borders`
    are the lists of edges that are drawn across the link between their ends, `seams` the lines between the blocks of a
    grid, each from one point to another, `blocks` the blocks themselves.
    """

    name: str
    drawing: tuple[int, int] | None
    places: tuple[PlaceView, ...]
    captions: tuple[Caption, ...] = ()
    borders: tuple[str, ...] = ()
    seams: tuple[tuple[tuple[float, float], tuple[float, float]], ...] = ()
    blocks: tuple[BlockView, ...] = ()

    def around(self, place: str) -> tuple[str, ...]:
        """The names of the blocks that a place is in."""
        return tuple(dict.fromkeys(block.id for block in self.blocks if place in block.places))

    def standing_for(self, names: Collection[str]) -> frozenset[str]:
        """Some names, and those of the places of the blocks among them."""
        return frozenset(names).union(*(block.places for block in self.blocks if block.id in names))


# ---------------------------------------------------------------- the whole


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """The outcome of a game: winners, one score per seat and criterion, the reason in words, the places of all seats.

    The score of a condition is 1 if the seat meets it, else 0. Seats may share a place. `teams` has the team of each
    seat that is in one.
    """

    winners: tuple[str, ...]
    scores: Mapping[str, tuple[int, ...]]
    reason: str
    criteria: tuple[str, ...]
    places: Mapping[str, int]
    teams: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class View:
    """Everything a seat may know of a state, and nothing else.

    `viewer` is the seat, None for an observer who sees everything. `turn` is the seat that decides and `phase` the
    present phase, both None when the game is over. `rounds` are the numbers of the rounds in progress by phase: of the
    present one and those around it, outer ones first. `question` is the pending question if it is the viewer's own.
    `zones` and `notes` are named as in the language, `hand[red]`; those of a piece are shown with the piece. `board` is
    None if no table is drawn on it, `outcome` until the game is over.
    """

    title: str
    seats: tuple[str, ...]
    viewer: str | None
    turn: str | None
    phase: str | None
    rounds: Mapping[str, int]
    over: bool
    question: Question | None
    zones: Mapping[str, ZoneView]
    notes: Mapping[str, NoteValue]
    tables: tuple[TableView, ...]
    board: BoardView | None
    outcome: OutcomeView | None

    def as_data(self) -> JsonObject:  # JSON, see `plain_data`
        """The view as dictionaries and lists, ready for JSON; `view.schema.json` describes it."""
        data: JsonObject = plain_data(self)
        return data


def plain_data(part: Any) -> Any:  # JSON, which callers index as they know its form
    """A view, or a part of one, as dictionaries, lists, texts, numbers, truth values and None."""
    if part is None or isinstance(part, str | int | float):
        return part
    if isinstance(part, tuple):
        return [plain_data(member) for member in part]
    if isinstance(part, dict):
        return {name: plain_data(member) for name, member in part.items()}
    return {name: plain_data(getattr(part, name)) for name in _field_names(part.__class__)}


@cache
def _field_names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def value_text(value: Value | Hidden | Together) -> str:
    """A value in words: `true`, `3`, `red`, `none`, `{a, b}`, `hidden`."""
    if isinstance(value, Together):
        return ", ".join(map(value_text, value.contents))
    if isinstance(value, tuple):
        return "{" + ", ".join(map(value_text, value)) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


__all__ = [
    "HIDDEN",
    "AttributeValue",
    "BlockView",
    "BoardView",
    "Caption",
    "Cell",
    "Column",
    "EachCell",
    "EachColumn",
    "EachEntry",
    "Hidden",
    "NoteValue",
    "NumberColumn",
    "Order",
    "OutcomeView",
    "PieceKinds",
    "PieceView",
    "PiecesCell",
    "PiecesColumn",
    "PlaceView",
    "Question",
    "Row",
    "Scalar",
    "TableOnBoard",
    "TableView",
    "Together",
    "TruthColumn",
    "Value",
    "ValueCell",
    "View",
    "WordColumn",
    "ZoneView",
    "plain_data",
    "value_text",
]


# ---- The JSON Schema of a view; `view.schema.json` is generated from the types in `model.py`


def schema() -> JsonObject:  # a JSON Schema nests as it likes
    """The JSON Schema of what `View.as_data` returns."""
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    from interpreter.seat.views.model import View

    class Complete(GenerateJsonSchema):
        """Every field is always there, those with a default too."""

        def field_is_required(self, *_: object, **__: object) -> bool:
            return True

    definition = TypeAdapter(View).json_schema(mode="serialization", schema_generator=Complete)
    for part in (definition, *definition["$defs"].values()):
        if "properties" in part:
            part["additionalProperties"] = False
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **definition, "title": "Regelwerk view"}
