"""The appearance of strokes: their cells from end to end, their weight, and the joints where they meet.

The weight conveys the contents without colour: dotted if something may lie there but nothing does, light if nothing
ever does, heavy if a piece lies there, double if a truth value is set as well.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.lazy_dataclasses import dataclass

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
