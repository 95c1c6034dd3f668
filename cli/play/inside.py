"""The viewer during a game, limited to what the person at the keyboard may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.branching import beside
from cli.viewer.opening import look_inside
from interpreter.play.saves.files import SaveMeta

if TYPE_CHECKING:
    from cli.play.table import PlaySession


def look(session: PlaySession, seat: str | None, *, from_start: bool = False) -> None:
    """Open the viewer, at the current decision or `from_start`. Raises KeyboardInterrupt on Ctrl-C."""
    state, seats = session.state, session.game.seats
    if session.opened or session.game.is_open or state.over or seat is None:
        as_seat, offered, owner = None, (None, *seats), ""
    else:
        as_seat, offered, owner = seat, (seat,), seat if len(session.people) > 1 else ""
    save = beside(session.path, SaveMeta(session.kinds, session.notes), owner)
    look_inside(state, as_seat, offered, save=save, at=0 if from_start else state.ply)
