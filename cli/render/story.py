"""What happened, line by line, as one seat may know it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.palette import Palette

if TYPE_CHECKING:
    from interpreter import LogEntry

ALONE = "(the only move)"


@dataclass(frozen=True)
class Told:
    """One line of a log: who, what, and what else is to be seen of it."""

    ply: int
    seat: str | None
    text: str
    details: tuple[str, ...] = ()
    kind: str = "move"


def told(entries: Iterable[LogEntry], seat: str | None, alone: Collection[int]) -> list[Told]:
    """The interpreter's entries; a seat's own moves that had no alternative say so to that seat."""
    lines = []
    for entry in entries:
        mine = entry.player is not None and entry.player == seat and entry.ply in alone and entry.kind == "move"
        text = f"{entry.text} {ALONE}" if mine else entry.text
        lines.append(Told(entry.ply, entry.player, text, entry.details, entry.kind))
    return lines


def story(lines: Sequence[Told], look: Palette, *, details: bool = False) -> Iterator[RenderableType]:
    """The lines with the seats in one column."""
    margin = max((len(line.seat) for line in lines if line.seat), default=0) + 2
    for line in lines:
        head = Text("  ")
        if line.seat:
            head.append(line.seat.ljust(margin), style=look.style(line.seat))
        yield Hanging(head, Text(line.text, style="" if line.seat else "dim"))
        if details:
            yield from (Hanging(Text(" " * (margin + 4)), Text(detail, style="dim")) for detail in line.details)
