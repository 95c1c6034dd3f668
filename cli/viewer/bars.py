"""The lines above and below the panes, and the text in the borders of panes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.reasons import sources
from cli.viewer.event_lines import in_words

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Session

NAMES = ("rules", "events", "table", "changes", "values", "knowledge", "analysis")
"""The panes in the order of their numbers."""


def head(session: Session, look: Palette) -> Text:
    """The game, the current position in it, and the seat it is viewed as."""
    position, timeline = session.position, session.timeline
    line = Text.assemble(
        (f" {session.game.title}", "bold"),
        f"  decision {position.ply} of {timeline.plies}",
        (f", event {position.event + 1} of {len(timeline.events(position.ply))}", "dim"),
    )
    if session.as_seat is not None:
        line.append("  as seen by ").append(session.as_seat, style=f"bold {look.style(session.as_seat)}")
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
    before = session.before
    return "" if before is None else f"decision {before.ply}, event {before.event + 1}"


def title(number: int, session: Session, place: str) -> Text:
    """The title of a pane, numbered from 0; `place` is the current place in the rules."""
    more = {"rules": place, "changes": f"since {since(session)}" if session.before else ""}.get(NAMES[number], "")
    return Text(f"{number + 1} {NAMES[number]}{' ' if more else ''}{more}")


def tabs(chosen: int, sharing: Sequence[int], width: int) -> Text:
    """The names of the panes that share one place; if they do not fit, their numbers and the name of the chosen one."""
    named = _tabs(chosen, sharing, sharing)
    return named if named.cell_len <= width else _tabs(chosen, sharing, (chosen,))


def _tabs(chosen: int, sharing: Sequence[int], named: Sequence[int]) -> Text:
    words = {number: f"{number + 1} {NAMES[number]}" if number in named else f"{number + 1}" for number in sharing}
    return Text("  ").join(Text(words[number], style="reverse" if number == chosen else "") for number in sharing)
