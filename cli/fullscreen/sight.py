"""What a person may see at the table, and of it what must stay in sight: the own hand, what the last move changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Flow, entries
from interpreter.play.story import decisions_seen
from interpreter.seat.views.own import own_cells

if TYPE_CHECKING:
    from cli.play.course import Course
    from cli.play.table import PlaySession
    from interpreter.play.story import RenderedEntry
    from interpreter.seat.views.model import View

BETWEEN = "  "
"""What separates two headings."""


class Visible(NamedTuple):
    """What may be shown to a seat: its view, the log, and the places of the board that the last move changed.

    `others` are the views of the other seats if something may be hidden from them, else none.
    """

    view: View
    log: list[RenderedEntry]
    moved: frozenset[str]
    others: list[View]


class Sight:
    """What the person at the keyboard may see now.

    It outlives one app, as the screen is closed while the viewer is open: until a secret choice is made, even then what
    was visible before stays.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self._about: tuple[object, ...] = ()
        self._visible: Visible | None = None

    @property
    def now(self) -> Visible:
        """What may be shown now, computed if the game has progressed; once the game is over, nothing is hidden."""
        assert not self.course.is_covered
        session, seat = self.course.session, self.course.seat
        over, question = session.state.outcome is not None, session.state.question
        about = (seat, session.state, session.state.ply, len(session.notes), over)
        is_secret = question is not None and question.secretly and question.player != seat and not session.opened
        if self._visible is None or (about != self._about and not (is_secret and self._about[0] == seat)):
            view = session.state.view(None) if over else session.view(seat)
            is_open = over or seat is None or session.opened or session.game.is_open
            self._visible = Visible(
                view,
                session.log(seat),
                moved_places(session, seat, view) if view.board is not None else frozenset(),
                [] if is_open else [session.view(opponent) for opponent in session.game.seats if opponent != seat],
            )
            self._about = about
        return self._visible

    @property
    def since(self) -> int:
        """The index of the first log entry that is new to the person at the keyboard."""
        session, seat = self.course.session, self.course.seat
        if seat is None:
            return 0
        number = decisions_seen(session.state, seat, session.shown_until.get(seat, 0))
        return next((at for at, entry in enumerate(self.now.log) if entry.number > number), len(self.now.log))

    @property
    def waiting(self) -> str:
        """The text shown in place of a question."""
        state, words = self.course.session.state, self.course.session.words
        if state.outcome is not None:
            return words.phrase("the game is over: {result}", result=state.outcome.reason)
        if self.course.session.bots.thought is not None:
            return f"{self.course.session.thinking(self.course.seat)}; {words.phrase('Enter: move now')}"
        return words.phrase("{seat} decides", seat=words.name(str(state.player)))


def own_lines(view: View, others: Sequence[View], look: Palette, width: int, most: int) -> list[Text]:
    """What the viewer sees and none of the others, in at most `most` lines: `Hand: king, 2 aces`.

    Pieces are shown as in the table that shows them, under its heading. What lies on the board is seen there.
    """
    words: list[Text] = []
    for heading, cell in own_cells(view, others, look.words):
        first, *rest = Flow(entries(cell, look, view.viewer)).parts()
        words += [Text.assemble(BETWEEN * bool(words), (f"{heading}: ", "bold"), first), *rest]
    lines = Flow(words, "").lines(width) if words else []
    if len(lines) > most:
        lines = lines[:most]
        lines[-1].truncate(width - 2)
        lines[-1].append(" …")
    return lines


def moved_places(session: PlaySession, seat: str | None, view: View) -> frozenset[str]:
    """The places of the board that the last player changed, in decisions made one after the other, as a seat sees it.

    If they changed nothing on the board, those changed by the player before, and so on once around the table.
    """
    open_to_all = seat is None or session.opened or view.over
    back, mover, turns = session.state.copy(), None, 0
    for decision in reversed(session.state.history):
        if open_to_all or decision.player == seat or not decision.unnoticed:
            if mover not in (None, decision.player):
                turns += 1
                if (changed := _changed(back.view(None if open_to_all else seat), view)) or turns == len(view.seats):
                    return changed
            mover = decision.player
        back.pop()
    return _changed(back.view(None if open_to_all else seat), view)


def _changed(earlier: View, later: View) -> frozenset[str]:
    """The places on the board about which a table says something else than before."""
    rows = {
        (table.title, place): row
        for table in earlier.tables
        if table.board is not None
        for place, row in zip(table.board.places, table.rows, strict=True)
    }
    return frozenset(
        place
        for table in later.tables
        if table.board is not None
        for place, row in zip(table.board.places, table.rows, strict=True)
        if rows.get((table.title, place), row) != row
    )
