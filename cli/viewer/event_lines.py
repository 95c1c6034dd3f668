"""Events as single lines of text, coloured by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.trace_lines import STYLES

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from interpreter.play.trace import Event


def in_words(event: Event, look: Palette, *, values: bool = True) -> Text:
    """The line of an event: its seat in colour, its values appended."""
    line = Text()
    if event.verdict is not None:
        line.append("+ " if event.verdict else "- ", style="green" if event.verdict else "bright_red")
    line.append(event.text, style=STYLES.get(event.kind, ""))
    seat_in(line, event.seat, look)
    if values and event.values:
        values_text = ", ".join(
            f"{name} = {value}" for name, value in event.values if f"{name} = {value}" not in event.text
        )
        if values_text:
            line.append(f"   {values_text}", style="dim")
    return line


def seat_in(line: Text, seat: str | None, look: Palette) -> None:
    """Colour the first mention of a seat."""
    for name in () if seat is None else dict.fromkeys((look.words.name(seat), seat)):
        if (at := line.plain.find(name)) >= 0:
            line.stylize(look.style(str(seat)), at, at + len(name))
            return
