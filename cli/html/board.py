"""The board as a drawing: the outlines of its places, stored once, and their contents in every state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cli.html.styles import Pool, StylePool, step
from cli.render.board.ink import Ink, rich
from cli.render.board.markings import Lists
from cli.render.board.painter import DOT
from cli.render.board.picture import legend
from cli.render.palette import Palette
from dsl.text.files import JsonObject
from interpreter.seat.views.board_drawing import drawing_of
from interpreter.seat.views.board_shape import Key, Place, Point, Shape
from interpreter.seat.views.model import value_text

if TYPE_CHECKING:
    from interpreter.seat.views.model import BoardView, Cell, Row, TableView, View

LEGEND = 96
"""Width of the legend in columns."""
UNKNOWN_LOOK: tuple[Any, ...] = ((), 0, 0, "")


class Board:
    """The board in every state; each state is stored as its changes from the previous one.

    The look of a place is its texts, the weight and style of a stroke, and its contents in words.
    """

    def __init__(self, texts: StylePool, look: Palette) -> None:
        self.texts, self.look = texts, look
        self.places: dict[Key, JsonObject] = {}
        self.looks: Pool[tuple[Any, ...]] = Pool()
        self.looks.number(UNKNOWN_LOOK)
        self.steps: list[list[int]] = []
        self.legend: list[int] = []
        self.captions: list[list[Any]] = []
        self.seams: tuple[tuple[Point, Point], ...] = ()
        self.name = ""
        self._before: list[int] = []
        self._view: BoardView | None = None
        self._lists: Lists | None = None
        self._rows: dict[Key, dict[int, Row]] = {}
        self._now: dict[Key, int] = {}
        self._hiding: set[tuple[str, int]] = set()

    def add(self, view: View) -> None:
        """Add the next state."""
        tables = [table for table in view.tables if table.board] if view.board is not None else []
        if view.board is not None and tables:
            changed = self._update(view.board, tables)
            assert self._lists is not None
            for place in changed:
                self._now[place.key] = self.looks.number(self._look(self._lists, place))
        numbers = [self._now.get(key, 0) for key in self.places]
        self.steps.append(step(self._before, numbers))
        self._before = numbers

    def document(self) -> JsonObject | None:
        """Everything about the board; None if the game has none."""
        if self._lists is None:
            return None
        self._lists.hiding |= self._hiding
        for line in legend(self._lists, LEGEND, "all"):
            self.legend += self.texts.drawn(line, LEGEND)
        return {
            "name": self.name,
            "places": list(self.places.values()),
            "captions": self.captions,
            "seams": self.seams,
            "looks": self.looks.values,
            "steps": self.steps,
            "legend": self.legend,
        }

    # ------------------------------------------------------------ changes of state

    def _update(self, board: BoardView, tables: Sequence[TableView]) -> list[Place]:
        """Update the contents from the tables of a state; return the places whose appearance may have changed."""
        # INVARIANT: a view has the same board object as long as it shows the same places (`board_view`).
        if board is not self._view or self._lists is None:
            self._view, self.name = board, board.name
            self._lists, self._rows = Lists(Shape(board), tables, self.look), {}
            drawing = drawing_of(self._lists.shape, frozenset(self._lists.headings))
            for place in drawing.places:
                record = self.places.setdefault(place.key, {})
                record.update(kind=place.kind, name=place.name, at=list(place.at), points=[*map(list, place.points)])
            self.seams = drawing.seams
            self.captions = [[caption.text, *caption.at] for caption in drawing.captions]
        lists = self._lists
        rows: dict[Key, dict[int, Row]] = {}
        for number, table in enumerate(tables):
            assert table.board is not None
            for name, row in zip(table.board.places, table.rows, strict=True):
                rows.setdefault((table.board.list, name), {})[number] = row
        lists.take(tables)
        self._hiding |= lists.hiding
        changed = [place for key, place in lists.shape.places.items() if rows.get(key) != self._rows.get(key)]
        first = not self._rows
        self._rows = rows
        return list(lists.shape.places.values()) if first else changed

    def _look(self, lists: Lists, place: Place) -> tuple[Any, ...]:
        look = lists.look_of(place)
        inks: list[Ink] = [label for label in look.labels if label[0][0] != DOT]
        inks += [token.full for token in look.tokens]
        lines = tuple(self.texts.line(rich(ink)) for ink in inks)
        words = "; ".join(self._words(lists, place)) if place.key[0] in lists.headings else ""
        return lines, look.weight if place.ends else 0, self.texts.style(look.style), words

    def _words(self, lists: Lists, place: Place) -> Iterator[str]:
        """The contents of a place in words, with headings where needed."""
        cells = lists.cells.get(place.key, {})
        for heading in lists.headings[place.key[0]]:
            cell = cells.get(heading.number)
            words = "" if cell is None else _in_words(cell)
            if words:
                yield heading.heading if words == "true" else f"{heading.heading}: {words}"


def _in_words(cell: Cell) -> str:
    """A cell in words that need no legend."""
    if cell.kind == "value":
        return "" if cell.text in ("none", "nobody", "nothing", "false", "-", "") else cell.text
    if cell.kind == "each":
        return ", ".join(f"{_in_words(entry.item)} {entry.note.text}" for entry in cell.entries)
    names = Counter(_named(str(piece.name), piece.hidden, piece.notes) for piece in cell.pieces)
    return ", ".join(name if number == 1 else f"{number} {name}" for name, number in names.items())


def _named(name: str, hidden: bool, notes: Any) -> str:
    noted = [word if content is True else f"{word} {value_text(content)}" for word, content in notes.items() if content]
    more = ["hidden"] * hidden + noted
    return f"{name or 'piece'} ({', '.join(more)})" if more else name or "piece"
