"""The whole picture: its scale, the parts into which a wide one is split, the legend below."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from cli.render.board.ink import Sheet
from cli.render.board.legend import in_full, legend, whereabouts
from cli.render.board.markings import Lists
from cli.render.board.painter import Look, Painting
from cli.render.board.shape import Key, Shape, shape_of
from cli.render.board.strokes import SHALLOW
from cli.render.board.targets import targets
from cli.render.palette import Palette

if TYPE_CHECKING:
    from interpreter.views.model import BoardView, TableView

MARGIN = 1
SMALLEST = (2, 1)
SPARSE = (4, 2)
MOST_KEPT = 8
_KEPT: dict[Hashable, Painting] = {}
"""Cached paintings of typical contents: constant throughout a game, and slower to make than the picture itself."""


def draw_board(
    board: BoardView, tables: Sequence[TableView], look: Palette, width: int, *, names: bool = False,
    wanted: Collection[str] = (), lit: Collection[str] | None = None,
) -> Group:  # fmt: skip
    """Draw the board with its tables, at most `width` columns wide; with `names`, show the names of the places instead.

    `wanted` are the places whose names are shown beside their contents, where there is room. With `lit`, those places
    are highlighted, and the style of every cell has the name of its place as metadata; see `targets.py`.

    Contents that do not fit at their place are listed below the picture; a board that is too wide is drawn in parts.
    """
    shape = shape_of(board)
    lists = Lists(shape, tables, look, wanted)
    looks = lists.named() if names else lists.looks()
    usual = _usual(shape, looks if names else lists.usual(), width)
    painting = Painting(shape, looks, usual.scale)
    _, _, left, right = painting.sheet.bounds()
    _, _, first, last = usual.sheet.bounds()
    parts: list[RenderableType] = list(_parts(painting, min(left, first), max(right, last), width, usual.scale[0], lit))
    lacking = [*painting.lacking, *(place.key for place in shape.homeless)]
    if names:
        parts += whereabouts(shape, lacking, width)
    else:
        parts += [*legend(lists, width), *in_full(lists, lacking, width)]
    return Group(*parts)


def _usual(shape: Shape, looks: Mapping[Key, Look], width: int) -> Painting:
    """Paint the typical contents, at the smallest scale at which most of them fit, unless that is too wide."""
    key = (shape, *looks.items(), width)
    if key not in _KEPT:
        if len(_KEPT) >= MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = _fitting(shape, looks, width)
    return _KEPT[key]


def _fitting(shape: Shape, looks: Mapping[Key, Look], width: int) -> Painting:
    first = shape.drawing or (SPARSE if shape.strokes else SMALLEST)
    best = Painting(shape, looks, first)
    for columns in range(first[0] + 1, 3 * first[0] + 1):
        scale = (columns, first[1])
        if not best.lacking:
            break
        if _is_even(shape, scale):
            painting = Painting(shape, looks, scale)
            _, _, left, right = painting.sheet.bounds()
            if right - left + 1 > width - MARGIN:
                break
            if len(painting.lacking) < len(best.lacking):
                best = painting
    return best


def _is_even(shape: Shape, scale: tuple[int, int]) -> bool:
    """True if at a scale all places are on whole columns, and strokes advance by equally many columns on every line."""
    columns, lines = scale
    if any((x * columns) % 1 for x, _ in shape.centres.values() if (x * 2) % 1 == 0):
        return False
    for stroke in shape.strokes:
        (x, y), (end, last) = shape.points(stroke)
        across, down = abs(end - x) * columns, abs(last - y) * lines
        if across and down > SHALLOW and across % down:
            return False
    return True


def _parts(
    painting: Painting, left: int, right: int, width: int, unit: int, lit: Collection[str] | None
) -> Iterator[Text]:
    """The picture, or parts of it from left to right, each beginning one unit before the end of the previous one."""
    sheet, broad = painting.sheet, width - MARGIN
    styled = (targets(painting, lit).style,) if lit is not None else ()
    if right - left + 1 <= broad:
        yield from _lines(sheet.texts(left, right, *styled))
        return
    cuts: list[tuple[int, int]] = []
    first = left
    while True:
        last = min(first + broad - 1, right)
        if last < right:
            last = _whole(sheet, first, last)
        cuts.append((first, last))
        if last == right:
            break
        first = max(first + 1, last + 1 - unit)
    for number, (first, last) in enumerate(cuts, 1):
        yield Text(f" part {number} of {len(cuts)}", style="dim")
        yield from _lines(sheet.texts(first, last, *styled))


def _whole(sheet: Sheet, first: int, last: int) -> int:
    """The last column of a part, moved left by up to a quarter of the part to where the fewest texts are cut."""
    least = last - (last - first) // 4

    def torn(column: int) -> int:
        return sum(1 for _, between in sheet.joined if between == column + 1)

    return min(range(last, least - 1, -1), key=torn)


def _lines(texts: Iterable[Text]) -> Iterator[Text]:
    for line in texts:
        yield Text(" " * MARGIN).append_text(line)
