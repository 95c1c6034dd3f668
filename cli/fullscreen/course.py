"""A game in progress: who is at the keyboard, what that person is shown, and what has happened since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.views.model import View

if TYPE_CHECKING:
    from cli.play.file_watcher import Watcher
    from cli.play.table import PlaySession
    from cli.render.log import RenderedEntry


class Course:
    """The part of the full screen that persists between openings.

    `seat` is the person at the keyboard, None if nobody has been asked yet; `details`: the log shows what each move
    changed; `watcher` notices changes of the rules file.
    """

    def __init__(
        self, session: PlaySession, *, follow: bool = False, details: bool = False, watcher: Watcher | None = None
    ) -> None:
        self.session, self.follow, self.details, self.watcher = session, follow, details, watcher
        self.seat = session.viewer
        self.announced = session.state.ply
        self._shown: tuple[object, ...] = ()
        self._view: View | None = None
        self._log: list[RenderedEntry] = []

    @property
    def is_shared(self) -> bool:
        """True if the keyboard is passed from one person to another, who must not see the same."""
        return len(self.session.people) > 1 and not self.session.opened and not self.session.game.is_open

    @property
    def is_covered(self) -> bool:
        """True while the keyboard is passed on: nothing of the table may be seen."""
        return self.is_shared and self.seat is None and self.session.state.outcome is None

    @property
    def waiting(self) -> str:
        """The text shown in place of a question."""
        state = self.session.state
        if state.outcome is not None:
            return f"the game is over: {state.outcome.reason}"
        if self.session.bots.thought is not None:
            return f"{self.session.thinking(self.seat)}; Enter: move now"
        return f"{state.player} decides"

    @property
    def view(self) -> View:
        """The table as it may be shown now; once the game is over, nothing is hidden."""
        self._refresh()
        assert self._view is not None
        return self._view

    def log(self) -> list[RenderedEntry]:
        """The log as it may be shown now."""
        self._refresh()
        return self._log

    @property
    def since(self) -> int:
        """The index of the first line of the log that is new to the person at the keyboard."""
        if self.seat is None:
            return 0
        number = self.session.known(self.seat, self.session.shown.get(self.seat, 0))
        return next((at for at, line in enumerate(self.log()) if line.number > number), len(self.log()))

    @property
    def _is_secret(self) -> bool:
        """True while another seat is asked secretly: until it has chosen, the table is shown as it was before."""
        question = self.session.state.question
        secret = question is not None and question.secretly and question.player != self.seat
        return secret and not self.session.opened and self._shown[3] == self.seat

    def _refresh(self) -> None:
        """Compute view and log again if the game has gone on."""
        assert not self.is_covered
        session, seat = self.session, self.seat
        if self._view is not None and self._is_secret:
            return
        over = session.state.outcome is not None
        now = (session.state, session.state.ply, len(session.notes), seat, over)
        if now != self._shown or self._view is None:
            self._shown = now
            self._view = session.state.view(None) if over else session.view(seat)
            self._log = session.log(seat)
