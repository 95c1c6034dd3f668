"""Short coloured texts, and the sheet of cells on which they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from rich.style import Style
from rich.text import Text

from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width

Styled = Callable[[tuple[int, int], str, bool], Style | str | None]
"""Determines the style of a cell from its own style and whether it is blank."""

Ink = tuple[tuple[str, str], ...]
"""Runs of text, each with its rich style."""


def ink(text: str, style: str = "") -> Ink:
    """One text in one style; empty for an empty text."""
    return ((text, style),) if text else ()


def plain(inks: Ink) -> str:
    """The text without styles."""
    return "".join(text for text, _ in inks)


def width(inks: Ink) -> int:
    """The number of columns taken."""
    return sum(cell_width(text) for text, _ in inks)


def letters(inks: Ink) -> Iterator[tuple[str, str]]:
    """The characters, each with its style; zero-width characters stay with the previous one."""
    for text, style in inks:
        pending = ""
        for character in text:
            if pending and cell_width(character):
                yield pending, style
                pending = ""
            pending += character
        if pending:
            yield pending, style


def rich(inks: Ink) -> Text:
    """Convert to rich text."""
    return Text.assemble(*inks)


@dataclass
class Sheet:
    """Cells by line and column, which may be negative; `joined` are cells within a text that must not be cut."""

    cells: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    joined: set[tuple[int, int]] = field(default_factory=set)

    def put(self, line: int, column: int, character: str, style: str = "") -> None:
        """Write one cell."""
        self.cells[line, column] = (character, style)

    def write(self, line: int, column: int, inks: Ink) -> None:
        """Write a text starting at a cell; a double-width character takes the next cell too."""
        first = column
        for character, style in letters(inks):
            breadth = cell_width(character)
            self.put(line, column, character, style)
            for beside in range(1, breadth):
                self.put(line, column + beside, "", style)
            column += breadth
        self.joined |= {(line, between) for between in range(first + 1, column)}

    def bounds(self) -> tuple[int, int, int, int]:
        """First and last line, first and last column in use."""
        if not self.cells:
            return 0, -1, 0, -1
        lines, columns = [line for line, _ in self.cells], [column for _, column in self.cells]
        return min(lines), max(lines), min(columns), max(columns)

    def texts(self, first: int, last: int, styled: Styled = lambda cell, style, blank: style or None) -> list[Text]:
        """The lines between two columns, without trailing blanks; `styled` determines the style of each cell."""
        top, bottom, *_ = self.bounds()
        return [self._text(line, range(first, last + 1), styled) for line in range(top, bottom + 1)]

    def _text(self, line: int, columns: Iterable[int], styled: Styled) -> Text:
        text = Text()
        run, run_style = "", None
        for column in columns:
            character, cell_style = self.cells.get((line, column), (" ", ""))
            style = styled((line, column), cell_style, character.isspace())
            if style != run_style:
                text.append(run, style=run_style)
                run, run_style = "", style
            run += character
        text.append(run, style=run_style)
        text.rstrip()
        return text


# ---------------- the appearance of strokes: their cells from end to end, their weight, and the joints where they
# meet
# The weight conveys the contents without colour: dotted if something may lie there but nothing does, light if nothing
# ever does, heavy if a piece lies there, double if a truth value is set as well.


DOTTED, LIGHT, HEAVY, DOUBLE = range(4)
ACROSS, DOWN, FALLING, RISING, UPPER, LOWER = range(6)
GLYPHS = ("┄┆....", "─│╲╱¯_", "━┃▚▞▀▄", "═║##==")  # noqa: RUF001
"""The characters of each weight by direction."""
BRIDGES = {ACROSS: "╫", DOWN: "╪", FALLING: "╳", RISING: "╳"}  # noqa: RUF001
STEEP, SHALLOW = 0.4, 3.0

# Joints by the weights of their arms, 0 none, 1 light, 2 heavy: number = up + 3 right + 9 down + 27 left.
_JOINTS = " ╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋"
# Double joints: number = up + 2 right + 4 down + 8 left.
_DOUBLES = "···╚·║╔╠·╝═╩╗╣╦╬"
_ARMS = {(-1, 0): 0, (0, 1): 1, (1, 0): 2, (0, -1): 3}


@dataclass(frozen=True)
class Stroke:
    """One cell of a stroke: its position, and the direction of the stroke there."""

    line: int
    column: int
    direction: int

    @property
    def cell(self) -> tuple[int, int]:
        """Line and column."""
        return self.line, self.column


def trace(first: tuple[int, int], second: tuple[int, int]) -> list[Stroke]:
    """The cells between two cells (line, column), exclusive: one per line, or all columns on one line."""
    (line, column), (last, end) = sorted((first, second))
    if line == last:
        return [Stroke(line, between, ACROSS) for between in range(column + 1, end)]
    slope = (end - column) / (last - line)
    slanted = FALLING if slope > 0 else RISING
    direction = DOWN if abs(slope) < STEEP else slanted
    strokes: list[Stroke] = []
    for down in range(1, last - line):
        middle = rounded(column + down * slope)
        spread = int((abs(slope) - 1) // 2) if abs(slope) >= SHALLOW else 0
        left_half, right_half = (UPPER, LOWER) if slope > 0 else (LOWER, UPPER)
        strokes += [Stroke(line + down, middle - beside, left_half) for beside in range(spread, 0, -1)]
        strokes.append(Stroke(line + down, middle, direction))
        strokes += [Stroke(line + down, middle + beside, right_half) for beside in range(1, spread + 1)]
    return strokes


def rounded(number: float) -> int:
    """Round to the nearest whole number, halves upwards."""
    return int((number + 0.5) // 1)


def joint(arms: Iterable[tuple[int, int, int]]) -> str:
    """The character where strokes meet, given the steps (lines, columns) to their first cells, and their weights."""
    light = double = 0
    slanted = False
    for line, column, weight in arms:
        arm = _ARMS.get((line, column))
        if arm is None:
            slanted = True
        else:
            light += 3**arm * (1 if weight <= LIGHT else 2)
            double += 2**arm if weight == DOUBLE else 0
    if double and _DOUBLES[double] != "·":
        return _DOUBLES[double]
    return "·" if slanted or not light else _JOINTS[light]
