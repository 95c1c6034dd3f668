"""The places of a picture as targets: which place a cell belongs to, so that places can be highlighted and clicked."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style

from cli.render.board.geometry import Cell, Geometry, crossings
from dsl.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from cli.render.board.painter import Painting

PLACE = "place"
"""The key of the name of a place in the metadata of a style."""


@dataclass(frozen=True)
class Targets:
    """The name of the place that each cell belongs to, the places that are highlighted, and those just `moved`."""

    names: dict[Cell, str]
    lit: frozenset[str]
    moved: frozenset[str]

    def style(self, cell: Cell, style: str, blank: bool) -> Style | str | None:
        """The style of a cell with the name of its place as metadata; text is reversed or underlined."""
        name = self.names.get(cell)
        if name is None:
            return style or None
        return _style(style, name, name in self.lit and not blank, name in self.moved and not blank)


@lru_cache(maxsize=4096)
def _style(style: str, name: str, lit: bool, moved: bool) -> Style:
    """A style with the name of a place; cached, as a picture has thousands of cells in few styles."""
    return Style.parse(style) + Style(reverse=lit or None, underline=moved or None, meta={PLACE: name})


def targets(painting: Painting, lit: Collection[str], moved: Collection[str] = ()) -> Targets:
    """The targets of a painted board: the texts of each place, and its other cells, which are always the same."""
    written = {cell: name for cell, (_, name) in painting.written.items()}
    return Targets(_places(painting.geometry) | written, frozenset(lit), frozenset(moved))


@lru_cache(maxsize=64)
def _places(geometry: Geometry) -> dict[Cell, str]:
    """The place that each cell belongs to; nodes take precedence over strokes, and strokes over areas."""
    names = dict[Cell, str]()
    for (_, name), corners in geometry.corners.items():
        lines = [line for line, _ in corners]
        for line in range(min(lines), max(lines) + 1):
            for start, end in crossings(corners, line):
                names |= {(line, column): name for column in range(int(start) + 1, int(end) + 1)}
    for (_, name), strokes in geometry.traces.items():
        names |= {stroke.cell: name for stroke in strokes}
    return names | {cell: name for cell, (_, name) in geometry.cores.items()}
