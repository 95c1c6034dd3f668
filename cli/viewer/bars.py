"""The lines above and below the panes, and the text in the borders of panes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.pieces import phrase_text
from cli.render.reasons import STYLES
from interpreter.play.trace.wording import sources
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Session
    from interpreter.play.trace import Event
    from interpreter.wording.words import Words


TITLES = {
    "rules": Phrase("rules"), "events": Phrase("events"), "table": Phrase("table"), "changes": Phrase("changes"),
    "values": Phrase("values"), "knowledge": Phrase("knowledge"), "analysis": Phrase("analysis"),
}  # fmt: skip
NAMES = tuple(TITLES)
"""The panes in the order of their numbers."""


def head(session: Session, look: Palette) -> Text:
    """The game, the current position in it, and the seat it is viewed as."""
    position, timeline, phrase = session.position, session.timeline, look.words.phrase
    events = timeline.events(position.ply)
    line = Text.assemble(
        (f" {session.game.title}", "bold"),
        "  ",
        phrase("decision {number} of {total}", number=position.ply, total=timeline.plies),
        (", ", "dim"),
        (phrase("event {number} of {total}", number=position.event + 1, total=len(events)), "dim"),
    )
    if session.as_seat is not None:
        seat = Text(look.words.name(session.as_seat), style=f"bold {look.style(session.as_seat)}")
        line.append("  ").append_text(phrase_text(look.words, "as seen by {seat}", seat=seat))
    return line


def now(session: Session, look: Palette) -> Text:
    """The current event in full, with the line of the rules that caused it."""
    event = session.event
    line = in_words(event, look)
    if event.location:
        line.append(f"   {sources(event.location, event.cites)}", style="dim cyan")
    return line


def since(session: Session) -> str:
    """The previous position; empty if there is none."""
    previous = session.previous
    if previous is None:
        return ""
    return session.game.words.phrase("decision {ply}, event {event}", ply=previous.ply, event=previous.event + 1)


def title(number: int, session: Session, place: str) -> Text:
    """The title of a pane, numbered from 0; `place` is the current place in the rules."""
    words, earlier = session.game.words, since(session)
    changed = words.phrase("since {position}", position=earlier) if earlier else ""
    more = {"rules": place, "changes": changed}.get(NAMES[number], "")
    return Text(f"{number + 1} {words.phrase(TITLES[NAMES[number]])}{' ' if more else ''}{more}")


def tabs(chosen: int, sharing: Sequence[int], width: int, words: Words) -> Text:
    """The names of the panes that share one place; if they do not fit, their numbers and the name of the chosen one."""
    titles = [words.phrase(TITLES[name]) for name in NAMES]
    named = _tabs(chosen, sharing, sharing, titles)
    return named if named.cell_len <= width else _tabs(chosen, sharing, (chosen,), titles)


def _tabs(chosen: int, sharing: Sequence[int], named: Sequence[int], titles: Sequence[str]) -> Text:
    texts = {number: f"{number + 1} {titles[number]}" if number in named else f"{number + 1}" for number in sharing}
    return Text("  ").join(Text(texts[number], style="reverse" if number == chosen else "") for number in sharing)


# ---------------------------------------------------------------- events as single lines of text, coloured by kind


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
