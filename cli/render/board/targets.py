"""The places of a picture as targets: which place a cell belongs to, so that it can be lit and clicked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.style import Style

from cli.render.board.geometry import Cell, crossings

if TYPE_CHECKING:
    from cli.render.board.painter import Painting

PLACE = "place"
"""The key in the meta data of a style whose value is the name of a place."""


@dataclass(frozen=True)
class Targets:
    """The name of the place that each cell belongs to, and the places that are lit."""

    names: dict[Cell, str]
    lit: frozenset[str]

    def style(self, cell: Cell, style: str, blank: bool) -> Style | str | None:
        """The style of a cell with the name of its place as meta data; what is written at a lit place is reversed."""
        name = self.names.get(cell)
        if name is None:
            return style or None
        lit = Style(reverse=True) if name in self.lit and not blank else Style.null()
        return Style.parse(style) + lit + Style(meta={PLACE: name})


def targets(painting: Painting, lit: Collection[str]) -> Targets:
    """The targets of a painted board; a node comes before a stroke, and that before the area around it."""
    geometry, names = painting.geometry, dict[Cell, str]()
    for (_, name), corners in geometry.corners.items():
        lines = [line for line, _ in corners]
        for line in range(min(lines), max(lines) + 1):
            for left, right in crossings(corners, line):
                names |= {(line, column): name for column in range(int(left) + 1, int(right) + 1)}
    for (_, name), strokes in geometry.traces.items():
        names |= {stroke.cell: name for stroke in strokes}
    names |= {cell: name for cell, (_, name) in geometry.cores.items()}
    names |= {cell: name for cell, (_, name) in painting.written.items()}
    return Targets(names, frozenset(lit))
