"""Locations in a text: sources, spans and excerpts with a caret."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from functools import cached_property

from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width
from dsl.text.visible import spelled_out, visible

MAX_QUOTED_WIDTH = 160
"""Maximum number of characters of a line in an excerpt."""


def _shown(character: str) -> str:
    """A character as displayed in an excerpt: a tab as one space, unusual spaces and hidden characters spelled out."""
    return character if character.isprintable() else " " if character == "\t" else spelled_out(character)


@dataclass(frozen=True)
class Source:
    """A text in the language. `name` is the name shown to people, usually a path.

    `skipped` is the number of bytes before the text in the file: those of a byte order mark.
    """

    name: str
    text: str = field(repr=False)
    skipped: int = 0

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line."""
        starts = [0]
        for line in self.text.split("\n")[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """Line number, from 1, of a character offset."""
        return bisect_right(self.line_starts, offset)

    def column_of(self, offset: int) -> int:
        """Column, from 1, of a character offset."""
        return offset - self.line_starts[self.line_of(offset) - 1] + 1

    def byte_of(self, offset: int) -> int:
        """Number of bytes before a character offset in the file."""
        return self.skipped + len(self.text[:offset].encode("utf-8", "surrogatepass"))

    def line(self, number: int) -> str:
        """Text of line `number`, from 1, without its line break."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True)
class Span:
    """The characters of a source from `start` up to but excluding `end`."""

    source: Source = field(repr=False)
    start: int
    end: int

    def is_inside(self, container: Span) -> bool:
        """True if this span lies entirely within another one of the same source."""
        return self.source is container.source and container.start <= self.start and self.end <= container.end

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.column_of(self.start)

    @property
    def location(self) -> str:
        """`file:line:column`."""
        return f"{visible(self.source.name)}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    def to(self, last: Span) -> Span:
        """The span from the start of this one to the end of `last`."""
        return Span(self.source, self.start, last.end)

    def excerpt(self, width: int = 0) -> list[str]:
        """The line and a caret line below it, as `  41 |     text` and `     |     ^^^^`.

        `width` is the minimum number of digits of the line number column.
        """
        number, column = self.line, self.column
        text = self.source.line(number)
        left = max(0, column - MAX_QUOTED_WIDTH * 3 // 4) if len(text) > MAX_QUOTED_WIDTH else 0
        characters = [_shown(character) for character in text[left : left + MAX_QUOTED_WIDTH]]
        position = column - left - 1
        indent = cell_width("".join(characters[:position]))
        length = max(1, cell_width("".join(characters[: position + self.end - self.start])) - indent)
        gutter = max(width, len(str(number)))
        return [f" {number:>{gutter}} | {''.join(characters)}", f" {'':>{gutter}} | {' ' * indent}{'^' * length}"]


# ---------------------------------------------------------------- comments above declarations


COMMENT, PRINTED = "#", "##"
"""What comments begin with, and those that a rulebook prints."""


def comment_above(span: Span, mark: str = COMMENT) -> str:
    """The comment in the lines right above a declaration, of lines that begin with a mark."""
    lines: list[str] = []
    for number in range(span.line - 1, 0, -1):
        line = span.source.line(number).strip()
        if not line.startswith(mark):
            break
        lines.insert(0, line.lstrip("# "))
    return " ".join(line for line in lines if line.strip("=- "))
