"""A cell of a table: unbreakable texts, filled into lines of the available width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Formatter

from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

from cli.render.pieces import NOTHING, is_number
from dsl.lazy_dataclasses import dataclass
from interpreter.wording.words import Words


@dataclass(frozen=True)
class Flow:
    """Consecutive texts, separated by commas, or by blanks between numbers; lines break only between texts."""

    texts: Sequence[Text]
    comma: str = ","

    def parts(self) -> list[Text]:
        """The texts, each with the comma that follows it."""
        if not self.texts:
            return [Text(NOTHING, style="dim")]
        joined = [text.copy() for text in self.texts]
        for text, following in zip(joined, self.texts[1:], strict=False):
            if not (is_number(text) and is_number(following)):
                text.append(self.comma)
        return joined

    @property
    def breadth(self) -> int:
        """The total width on one line."""
        parts = self.parts()
        return sum(part.cell_len for part in parts) + len(parts) - 1

    @property
    def longest(self) -> int:
        """The width of the longest part, below which it is folded."""
        return max(part.cell_len for part in self.parts())

    def lines(self, width: int) -> list[Text]:
        """Lines of at most `width` columns; a text that is longer is folded."""
        lines: list[Text] = []
        for part in self.parts():
            if lines and lines[-1].cell_len + 1 + part.cell_len <= width:
                lines[-1].append(" ").append_text(part)
            else:
                lines += _folded(part, width)
        return lines

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(self.longest, options.max_width), min(self.breadth, options.max_width))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield from self.lines(options.max_width)


@dataclass(frozen=True)
class Hanging:
    """A head with words beside it; continuation lines are indented to where the words begin."""

    head: Text
    words: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        margin = self.head.cell_len
        lines = _folded(self.words, max(10, options.max_width - margin))
        for index, line in enumerate(lines):
            yield (self.head.copy() if index == 0 else Text(" " * margin)).append_text(line)


def phrase_text(words: Words, text: str, /, **values: Text | str) -> Text:
    """A phrase of the command whose values may have a style of their own."""
    assembled = Text()
    for literal, name, _, _ in Formatter().parse(words.template(text)):
        assembled.append(literal)
        if name is not None:
            value = values[name]
            assembled.append_text(value if isinstance(value, Text) else Text(value))
    return assembled


def _folded(text: Text, width: int) -> list[Text]:
    """A text split into lines, at blanks where possible."""
    if text.cell_len <= width:
        return [text]
    lines = list(text.wrap(Console(width=width), max(1, width), overflow="fold"))
    for line in lines:
        line.rstrip()
    return lines
