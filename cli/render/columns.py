"""Texts in as many columns as fit, read downwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.lazy_dataclasses import dataclass

GAP = 3
"""Blanks between two columns."""


@dataclass(frozen=True)
class Columns:
    """An arrangement of texts: how many columns, how many lines, and the width of a column without the gap after it."""

    count: int
    height: int
    breadth: int

    def lines(self, number: int) -> Iterator[range]:
        """For each line, the indices of its texts, out of `number` in all."""
        for line in range(self.height):
            yield range(line, number, self.height)


def columns(lengths: Sequence[int], width: int, *, fewest: int = 1) -> Columns:
    """Arrange texts of these lengths; no column has fewer than `fewest` lines unless all fit in one column."""
    breadth = max(lengths, default=0)
    count = max(1, min((width + GAP) // (breadth + GAP), -(-len(lengths) // fewest)))
    return Columns(count, -(-len(lengths) // count), breadth)
