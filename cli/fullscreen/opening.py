"""Opening the full screen, and the viewer from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.play.inside import look
from cli.play.requests import Quit

if TYPE_CHECKING:
    from cli.play.course import Course


def play_in_full_screen(course: Course) -> None:
    """Play to the end. Raises Quit if somebody stops, KeyboardInterrupt on Ctrl-C, PlayError if a rule fails."""
    # imported late: textual is slow to import, and play at the prompt does not need it
    from cli.fullscreen.app import Table
    from cli.fullscreen.game import INTERRUPTED, LOOK
    from cli.fullscreen.sight import Sight

    sight = Sight(course)
    while True:
        table = Table(sight)
        why = table.run()
        if table.mistake is not None:
            raise table.mistake
        if why == LOOK:
            look(course.session, course.seat)
            course.reply()
            continue
        if why == INTERRUPTED or why is None:
            raise KeyboardInterrupt
        if not course.session.state.over:
            raise Quit
        return
