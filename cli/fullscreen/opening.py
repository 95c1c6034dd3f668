"""Opening the full screen, and the viewer from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.play.inside import look
from cli.play.loop import Quit

if TYPE_CHECKING:
    from cli.play.file_watcher import Watcher
    from cli.play.table import PlaySession


def play_in_full_screen(
    session: PlaySession, *, follow: bool = False, details: bool = False, watcher: Watcher | None = None
) -> None:
    """Play to the end. Raises Quit if somebody stops, KeyboardInterrupt on Ctrl-C, PlayError if a rule fails."""
    # imported late: textual is slow to import, and play at the prompt does not need it
    from cli.fullscreen.app import Table
    from cli.fullscreen.course import Course
    from cli.fullscreen.game import INTERRUPTED, LOOK

    course = Course(session, follow=follow, details=details, watcher=watcher)
    while True:
        table = Table(course)
        why = table.run()
        if table.mistake is not None:
            raise table.mistake
        if why == LOOK:
            look(session, course.seat)
            continue
        if why == INTERRUPTED or why is None:
            raise KeyboardInterrupt
        if not session.state.over:
            raise Quit
        return
