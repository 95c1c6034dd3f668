"""The knowledge of a seat about hidden things, as `presentation` words it, in columns as wide as a terminal allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging
from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width
from interpreter.opponents.knowledge.presentation import (
    Possibilities,
    Possibility,
    heading,
    heading_of_others,
    notes_in_words,
    others_in_words,
    possibilities,
    source,
)

if TYPE_CHECKING:
    from interpreter.opponents.knowledge.summary import Knowledge

INDENT, GAP = 2, 2
MAX_LABEL_SHARE = 0.33
"""The fraction of the width that the labels of rows may take."""

STYLES = {"certain": "bold", "impossible": "dim", "possible": ""}


def knowledge_lines(knowledge: Knowledge, look: Palette) -> Iterator[RenderableType]:
    """Hidden pieces as a table, hidden notes, and what others know of the things that only this seat sees."""
    words = look.words
    if not (knowledge.places or knowledge.notes or knowledge.others):
        yield _line(heading(knowledge, words))
        return
    if knowledge.places or knowledge.notes:
        yield _heading(heading(knowledge, words))
    if table := possibilities(knowledge, words):
        yield Padding(PossibilityTable(table), (0, 0, 0, INDENT))
    for note in notes_in_words(knowledge, words):
        yield _line(note)
    if knowledge.places or knowledge.notes:
        yield Hanging(Text(" " * INDENT), Text(source(knowledge, words), style="dim"))
    if knowledge.others:
        yield _heading(heading_of_others(knowledge, words))
    for inference in others_in_words(knowledge, words):
        yield _line(inference)


@dataclass(frozen=True)
class PossibilityTable:
    """A table of what is possible. Columns that do not fit beside each other follow below."""

    table: Possibilities

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        columns = list(next(iter(self.table.values())))
        label_width = min(max(map(cell_width, self.table)), max(1, int(MAX_LABEL_SHARE * options.max_width)))
        overflow: Literal["fold", "ellipsis"] = "fold"
        while columns:
            block, room = [columns.pop(0)], options.max_width - label_width
            room -= _width(block[0], self.table)
            while columns and room >= _width(columns[0], self.table):
                block.append(columns.pop(0))
                room -= _width(block[-1], self.table)
            grid = plain_grid()
            grid.add_column("", overflow=overflow, no_wrap=overflow == "ellipsis", width=label_width)
            for column in block:
                grid.add_column(Text(column), justify="right", overflow="fold")
            for label, row in self.table.items():
                grid.add_row(Text(label), *[Text(row[column].text, style=STYLES[row[column].kind]) for column in block])
            yield grid
            overflow = "ellipsis"  # the labels have been written out above


def _width(column: str, table: Mapping[str, Mapping[str, Possibility]]) -> int:
    return GAP + max(cell_width(column), *(cell_width(row[column].text) for row in table.values()))


def _heading(words: str) -> RenderableType:
    return Hanging(Text(" "), Text(words, style="bold"))


def _line(words: str) -> RenderableType:
    return Hanging(Text("  "), Text(words))
