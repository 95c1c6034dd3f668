"""A game in progress: who is at the keyboard, what that person may see, and which log entries are new to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.fullscreen.sight import moved_places
from interpreter.seat.views.model import View

if TYPE_CHECKING:
    from cli.play.file_watcher import Watcher
    from cli.play.table import PlaySession
    from cli.render.log import RenderedEntry


class Course:
    """The state of the full screen that outlives one app: the screen is closed while the viewer is open.

    `seat` is that of the person at the keyboard; None before the first question and while the keyboard is passed on.
    With `details` the log shows what each move changed; `watcher` detects changes to the rules files.
    """

    def __init__(
        self, session: PlaySession, *, follow: bool = False, details: bool = False, watcher: Watcher | None = None
    ) -> None:
        self.session, self.follow, self.details, self.watcher = session, follow, details, watcher
        self.seat = session.viewer
        self.announced = session.state.ply
        self._shown: tuple[object, ...] = ()
        self._view: View | None = None
        self._others: list[View] = []
        self._moved: frozenset[str] = frozenset()
        self._log: list[RenderedEntry] = []

    @property
    def is_shared(self) -> bool:
        """True if several people share the keyboard and must not see each other's secrets."""
        return len(self.session.people) > 1 and not self.session.opened and not self.session.game.is_open

    @property
    def is_covered(self) -> bool:
        """True while the keyboard is passed on and nothing of the table may be visible."""
        return self.is_shared and self.seat is None and self.session.state.outcome is None

    @property
    def waiting(self) -> str:
        """The text shown in place of a question."""
        state, words = self.session.state, self.session.words
        if state.outcome is not None:
            return words.phrase("the game is over: {result}", result=state.outcome.reason)
        if self.session.bots.thought is not None:
            return f"{self.session.thinking(self.seat)}; {words.phrase('Enter: move now')}"
        return words.phrase("{seat} decides", seat=words.name(str(state.player)))

    @property
    def view(self) -> View:
        """The view that may be shown now; once the game is over, nothing is hidden."""
        self._refresh()
        assert self._view is not None
        return self._view

    @property
    def others(self) -> list[View]:
        """The views of the other seats while one person is at the keyboard and something may be hidden, else none."""
        self._refresh()
        return self._others

    @property
    def moved(self) -> frozenset[str]:
        """The places of the board that the last move changed, as far as may be shown."""
        self._refresh()
        return self._moved

    def log(self) -> list[RenderedEntry]:
        """The log that may be shown now."""
        self._refresh()
        return self._log

    @property
    def since(self) -> int:
        """The index of the first log entry that is new to the person at the keyboard."""
        if self.seat is None:
            return 0
        number = self.session.known(self.seat, self.session.shown.get(self.seat, 0))
        return next((at for at, line in enumerate(self.log()) if line.number > number), len(self.log()))

    @property
    def _is_secret(self) -> bool:
        """True while another seat chooses secretly; until it has chosen, the previous view and log stay."""
        question = self.session.state.question
        secret = question is not None and question.secretly and question.player != self.seat
        return secret and not self.session.opened and self._shown[3] == self.seat

    def _refresh(self) -> None:
        """Recompute view and log if the game has progressed."""
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
            self._moved = moved_places(session, seat, self._view) if self._view.board is not None else frozenset()
            is_open = over or seat is None or session.opened or session.game.is_open
            self._others = [] if is_open else [session.view(each) for each in session.game.seats if each != seat]
