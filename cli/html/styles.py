"""Styled texts of a page, as runs of one style each; every style and every text is stored once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from cli.render.screen import SafeConsole
from cli.viewer.highlighting import highlighted

if TYPE_CHECKING:
    from dsl.text.span import Source


Line = tuple[str | int, ...]
"""Alternating texts and numbers of their styles: text, style, text, style, …"""


class StylePool:
    """Lines of text and their styles, each stored once."""

    def __init__(self) -> None:
        self.styles: Pool[Style] = Pool()
        self.styles.number(Style.null())
        self.lines: Pool[Line] = Pool()
        self._parsed: dict[str, Style] = {}

    def style(self, style: str) -> int:
        """The number of a style given by its rich definition."""
        return self.styles.number(self._style(style))

    def line(self, text: Text) -> int:
        """The number of a text as runs of one style each."""
        return self.lines.number(self._runs(text))

    def source(self, source: Source) -> list[Line]:
        """The lines of a rules file, lightly highlighted."""
        count = len(source.line_starts) - source.text.endswith("\n")
        return [self._runs(highlighted(source.line(number))) for number in range(1, count + 1)]

    def drawn(self, what: RenderableType, width: int) -> list[int]:
        """Render something; return the numbers of the resulting lines."""
        console = SafeConsole(width=width, color_system="truecolor", force_terminal=True, highlight=False, emoji=False)
        return [
            self.lines.number(_merged([(part.text, self.styles.number(part.style or Style.null())) for part in line]))
            for line in console.render_lines(what, console.options, pad=False)
        ]

    def _style(self, style: str | Style) -> Style:
        if isinstance(style, Style):
            return style
        if style not in self._parsed:
            self._parsed[style] = Style.parse(style) if style else Style.null()
        return self._parsed[style]

    def _runs(self, text: Text) -> Line:
        plain, base = text.plain, self._style(text.style)
        spans = [(max(0, span.start), min(len(plain), span.end), self._style(span.style)) for span in text.spans]
        cuts = sorted({0, len(plain), *(cut for start, end, _ in spans for cut in (start, end) if start < end)})
        runs: list[tuple[str, int]] = []
        for start, end in pairwise(cuts):
            style = base
            for first, last, more in spans:
                if first <= start and end <= last:
                    style += more
            runs.append((plain[start:end], self.styles.number(style)))
        return _merged(runs)


def _merged(runs: Sequence[tuple[str, int]]) -> Line:
    """Join neighbouring runs of the same style, without trailing blanks."""
    line: list[str | int] = []
    for text, style in runs:
        if line and line[-1] == style:
            line[-2] = f"{line[-2]}{text}"
        elif text:
            line += [text, style]
    while line and not str(line[-2]).strip():
        del line[-2:]
    if line:
        line[-2] = str(line[-2]).rstrip()
    return tuple(line)


# ---------------- compact storage: pools that keep each value once, and lists encoded as changes from the previous
# one


T = TypeVar("T", bound=Hashable)


class Pool(Generic[T]):
    """Values numbered in the order in which they were added."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """The number of a value, adding it if it is new."""
        return self.numbers.setdefault(value, len(self.numbers))

    @property
    def values(self) -> list[T]:
        """The values by their numbers."""
        return list(self.numbers)


def step(previous: Sequence[int], current: Sequence[int]) -> list[int]:
    """Encode how one list becomes another: `[length, tail, place, count, number, …, place, count, number, …]`.

    The `tail` last entries of the old list stay and are shifted if the length changes; then each run of numbers is
    written at its place.
    """
    # From [1, 2, 3, 4, 5] to [1, 2, 9, 3, 4, 5]: the tail of 3 stays, and only `2, 1, 9` is written: [6, 3, 2, 1, 9].
    # Without the tail every row below an added one would be written again. If the lengths are equal there is no need of
    # it: what has not changed is in its place anyway.
    tail = 0
    if len(previous) != len(current):
        while tail < min(len(previous), len(current)) and previous[-1 - tail] == current[-1 - tail]:
            tail += 1
    old = [*previous[: len(current) - tail], *previous[len(previous) - tail :]] if tail else list(previous)
    encoded, place = [len(current), tail], 0
    while place < len(current):
        end = place
        while end < len(current) and (end >= len(old) or old[end] != current[end]):
            end += 1
        if end > place:
            encoded += [place, end - place, *current[place:end]]
        place = end + 1
    return encoded
