"""The knowledge of a seat about hidden things: a table of who can have what, and lines about the rest.

                deck (5)    hand (3/4)
    3 king        1 to 2          63 %      one or two kings are in the deck; perhaps one is in the hand
    ace                ·             1      the ace cannot be in the deck, and must be in the hand

(3/4): three of the four pieces there are hidden. What is certain is a number, what is likely a percentage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.hints import percent
from cli.render.palette import Palette
from cli.render.pieces import Hanging
from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width
from interpreter.seat.views.model import value_text
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.knowledge.summary import Chance, Kind, Knowledge

INDENT, GAP = 2, 2
MAX_ROWS = 12
"""In a table with more rows, those about which the same is certain and possible are joined."""

MAX_LABEL_SHARE = 0.33
"""The fraction of the width that the labels of rows may take."""

NOT_THERE = "·"

Rows = dict[str, dict[str, list["Chance | None"]]]
"""What is known, by the labels of rows and columns; several chances where rows were joined."""


def knowledge_lines(knowledge: Knowledge, look: Palette) -> Iterator[RenderableType]:
    """Hidden pieces as a table, hidden notes, and what others know of the things that only this seat sees."""
    words, name = look.words, look.words.name(knowledge.seat)
    if not (knowledge.places or knowledge.notes or knowledge.others):
        yield _line(words.phrase("{seat} sees everything, or can infer nothing more", seat=name))
        return
    if knowledge.places or knowledge.notes:
        yield _heading(words.phrase("what {seat} knows of what it does not see", seat=name))
    if knowledge.places:
        yield Padding(PossibilityTable(knowledge, words), (0, 0, 0, INDENT))
    for note in knowledge.notes:
        texts = [(words.name(value_text(value)), likely) for value, likely in note.values]
        values = texts[0][0] if len(texts) == 1 else ", ".join(f"{text} {percent(likely)}" for text, likely in texts)
        yield _line(f"{note.name}: {values}")
    if knowledge.places or knowledge.notes:
        yield Hanging(Text(" " * INDENT), Text(_source(knowledge, words), style="dim"))
    if knowledge.others:
        yield _heading(words.phrase("what others know of what only {seat} sees", seat=name))
    for inference in knowledge.others:
        seat, pieces = words.name(inference.seat), _listed(inference.certain, words)
        text = words.phrase("{seat} knows {place}: at least {pieces}", seat=seat, place=inference.place, pieces=pieces)
        yield _line(text)


def _source(knowledge: Knowledge, words: Words) -> str:
    """How the figures were found."""
    if knowledge.tested:
        return words.phrase(
            "% of {number} sampled states; plain numbers are certain",
            number=knowledge.worlds,
        )  # fmt: skip
    return words.phrase("a first estimate from {number} sampled states, not yet tested", number=knowledge.worlds)


@dataclass(frozen=True)
class PossibilityTable:
    """Which hidden pieces can lie where: a number if that many do for certain, or how likely at least one does.

    Rows are the kinds of pieces that the seat does not see, columns the places; or the other way round if there are
    more places. Columns that do not fit beside each other follow below.
    """

    knowledge: Knowledge
    words: Words

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        rows = _transposed(_joined(_transposed(_joined(self._rows()))))
        columns = list(next(iter(rows.values())))
        label_width = min(max(map(cell_width, rows)), max(1, int(MAX_LABEL_SHARE * options.max_width)))
        texts = {label: {column: self._cell(chances) for column, chances in row.items()} for label, row in rows.items()}
        overflow: Literal["fold", "ellipsis"] = "fold"
        while columns:
            block, room = [columns.pop(0)], options.max_width - label_width
            room -= _width(block[0], texts)
            while columns and room >= _width(columns[0], texts):
                block.append(columns.pop(0))
                room -= _width(block[-1], texts)
            grid = plain_grid()
            grid.add_column("", overflow=overflow, no_wrap=overflow == "ellipsis", width=label_width)
            for column in block:
                grid.add_column(Text(column), justify="right", overflow="fold")
            for label, row in texts.items():
                grid.add_row(Text(label), *[row[column] for column in block])
            yield grid
            overflow = "ellipsis"  # the labels have been written out above

    def _cell(self, chances: Sequence[Chance | None]) -> Text:
        """A number that is certain, a least and a greatest number, or how likely it is that there is one."""
        first = chances[0]
        if first is None:
            return Text(NOT_THERE, style="dim")
        of_row = [chance for chance in chances if chance is not None]
        if first.least == first.most:
            return Text(str(first.least), style="bold")
        if first.least:
            most = max(chance.most for chance in of_row)
            return Text(self.words.phrase("{least} to {most}", least=first.least, most=most), style="bold")
        likely = round(100 * sum(chance.likely for chance in of_row) / len(of_row))
        return Text("< 1 %" if not likely else "> 99 %" if likely == 100 else f"{likely} %")

    def _rows(self) -> Rows:
        """What is known in each row and column; kinds and places by their names with the numbers of pieces."""
        knowledge = self.knowledge
        single = all(kind.count == 1 for kind in knowledge.unaccounted)
        several = self.words.several
        kinds = {kind.name: kind.name if single else several(kind.count, kind.name) for kind in knowledge.unaccounted}
        at_places: Rows = {}
        for place in knowledge.places:
            chance_by_kind = {chance.name: chance for chance in place.kinds}
            count = f"{place.hidden}" if place.hidden == place.count else f"{place.hidden}/{place.count}"
            at_places[f"{place.name} ({count})"] = {label: [chance_by_kind.get(name)] for name, label in kinds.items()}
        return at_places if len(at_places) > len(kinds) else _transposed(at_places)


def _transposed(rows: Rows) -> Rows:
    columns = next(iter(rows.values()))
    return {column: {label: row[column] for label, row in rows.items()} for column in columns}


def _joined(rows: Rows) -> Rows:
    """The rows; if there are many, those with the same certain and possible numbers in one, with all their chances."""
    if len(rows) <= MAX_ROWS:
        return rows
    joined: dict[tuple[object, ...], tuple[list[str], dict[str, list[Chance | None]]]] = {}
    for label, row in rows.items():
        labels, chances = joined.setdefault(
            tuple(map(_pattern, row.values())), ([], {column: [] for column in row})
        )  # fmt: skip
        labels.append(label)
        for column, of_column in row.items():
            chances[column] += of_column
    return {", ".join(labels): chances for labels, chances in joined.values()}


def _pattern(chances: Sequence[Chance | None]) -> frozenset[tuple[int, bool] | None]:
    """What is certain and possible, without how likely it is."""
    return frozenset((chance.least, chance.least == chance.most) if chance else None for chance in chances)


def _width(column: str, texts: Mapping[str, Mapping[str, Text]]) -> int:
    return GAP + max(cell_width(column), *(row[column].cell_len for row in texts.values()))


def _listed(kinds: Sequence[Kind], words: Words) -> str:
    """Kinds with their numbers, which are omitted if there is one of each."""
    single = all(kind.count == 1 for kind in kinds)
    return ", ".join(kind.name if single else words.several(kind.count, kind.name) for kind in kinds)


def _heading(words: str) -> RenderableType:
    return Hanging(Text(" "), Text(words, style="bold"))


def _line(words: str) -> RenderableType:
    return Hanging(Text("  "), Text(words))
