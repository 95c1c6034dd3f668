"""Opening the viewer; it needs a terminal, and its modules are imported only when it is opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.errors import DONE
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from cli.viewer.marks import BesideSave
    from interpreter.play.game import State

NO_SCREEN = Phrase("the viewer needs a full-screen terminal")


def is_at_terminal() -> bool:
    """True if a person can be asked a question."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_full_screen() -> bool:
    """True if single keys can be read and a full screen can be drawn."""
    return is_at_terminal() and os.environ.get("TERM") != "dumb"


def look_inside(
    state: State, as_seat: str | None = None, offered: Sequence[str | None] = (), *, save: BesideSave | None = None,
    at: int | None = None, failing: str | None = None,
) -> None:  # fmt: skip
    """Show a game from decision `at` on until the user leaves. Raises KeyboardInterrupt on Ctrl-C.

    A game in which a rule failed, at the move `failing`, is shown from its end on, unless `at` is given.

    `save` stores breakpoints and writes branches.
    """
    # imported late: textual is slow to import, and play and trace often run without the viewer
    from cli.viewer.app import Viewer
    from cli.viewer.session import Session

    session = Session(state.copy(), as_seat, offered, save, failing)
    if at is not None:
        session.position = session.to_decision(at)
    viewer = Viewer(session)
    result = viewer.run()
    if viewer.mistake is not None:
        raise viewer.mistake
    if result != DONE:  # left by Ctrl-C or by a signal
        raise KeyboardInterrupt
