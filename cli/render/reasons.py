"""The reasons why a move is legal or not, one requirement at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from dsl.text.addressing import for_others

if TYPE_CHECKING:
    from interpreter import Reason, Why


def reasons(why: Why, other: str | None = None) -> Iterator[RenderableType]:
    """The verdict; then each requirement with the values it used, or the origin of a value, change by change.

    `other` is the deciding seat if the reader is somebody else.
    """
    yield Hanging(Text(" "), Text(for_others(why.headline, other) if other else why.headline, style="bold"))
    for line in why.signature:
        yield Hanging(Text("  "), Text(line))
    for reason in why.reasons:
        yield from _reason(reason, other)
    if why.nearest:
        moves = ", ".join(move.notation for move in why.nearest)
        yield Hanging(Text(f"  {'' if why.legal else 'nearest '}legal moves: ", style="dim"), Text(moves))
    if why.explained is not None:
        for line in list(why.explained.lines(1))[1:]:
            depth = len(line) - len(line.lstrip())
            yield Hanging(Text(" " * (depth + 1)), Text(line.lstrip()))
    for origin in why.origins:
        yield Hanging(Text(f"  {origin.ply:>3} "), Text(f"{origin.decision}: ").append(origin.change, style="green"))
        if origin.location:
            source = Text(f"{origin.rule}  ", style="dim")
            source.append(sources(origin.location, origin.cites), style="dim cyan")
            yield Hanging(Text("      "), source)


def decider(player: str | None, reader: str | None) -> str | None:
    """The deciding seat if the reader is not that seat; None if it is, or if nobody decides."""
    return player if player != reader else None


def _reason(reason: Reason, other: str | None) -> Iterator[RenderableType]:
    sign = Text("  + ", style="green") if reason.holds else Text("  - ", style="bright_red")
    yield Hanging(
        sign, Text(for_others(reason.text, other) if other else reason.text, style="dim" if reason.holds else "")
    )
    if reason.values:
        words = ", ".join(f"{expression} = {value}" for expression, value in reason.values)
        yield Hanging(Text("      "), Text(words, style="dim"))
    yield Hanging(Text("      "), Text(sources(reason.location, reason.cites), style="dim cyan"))


def sources(place: str, cites: Sequence[str]) -> str:
    """The source of a rule: its line in the file, and items of the rulebook."""
    parts = place.replace("\\", "/").rsplit("/", 1)[-1].split(":")
    where = ":".join(parts[:2])
    return f"{where} [{' '.join(cites)}]" if cites else where
