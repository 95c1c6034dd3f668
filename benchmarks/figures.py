"""Measurements: repeating and showing them."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median


@dataclass(frozen=True)
class Figure:
    """One row of the table: several measurements of one thing."""

    name: str
    unit: str
    values: tuple[float, ...]
    note: str = ""

    @property
    def median(self) -> float:
        """The median of the measurements."""
        return median(self.values)

    def plain(self) -> dict[str, object]:
        """The row as plain data, for JSON."""
        return {**asdict(self), "median": self.median, "least": min(self.values), "most": max(self.values)}

    def cells(self) -> tuple[str, ...]:
        """The row as printed."""
        numbers = (self.median, min(self.values), max(self.values))
        return (self.name, *(shown(number) for number in numbers), self.unit, self.note)


def shown(number: float) -> str:
    """A number with three significant figures and thousands separators."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}" if number < 1 else f"{number:.1f}"


def seconds(work: Callable[[], object]) -> float:
    """The processor time of a piece of work in this process: other work on the machine matters little."""
    started = time.process_time()
    work()
    return time.process_time() - started


def processor_time() -> float:
    """Seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def table(figures: list[Figure]) -> str:
    """The rows as an aligned Markdown table."""
    lines = [("what", "median", "least", "most", "unit", "note"), *(figure.cells() for figure in figures)]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    drawn = []
    for line in lines:
        cells = [
            cell.rjust(width) if 1 <= column <= 3 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        drawn.append("| " + " | ".join(cells) + " |")
    rule = [("-" * (width - 1) + ":") if 1 <= column <= 3 else "-" * width for column, width in enumerate(widths)]
    drawn.insert(1, "| " + " | ".join(rule) + " |")
    return "\n".join(drawn)
