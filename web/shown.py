"""What one seat is shown of a table in one language: kept from move to move, and shared by all pages of the seat.

A view is built from the parts of the last one that have not changed, and the log only grows. Without that, what a move
at a table of the large games changes on four pages takes 0.1 to 0.3 s of processor time; with it, 10 to 50 ms.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary, proxy

from dsl.text.visible import visible
from interpreter.engine.sight import SPECTATOR
from interpreter.play.game import WATCHING, State
from interpreter.play.growing_log import GrowingLog
from interpreter.play.story import RenderedEntry, news, story_of
from interpreter.seat.views.model import View
from interpreter.seat.views.successive_views import SuccessiveViews
from web.messages import LogLine
from web.scene import DrawnRows
from web.table import Table

_shown_by_seat: WeakKeyDictionary[Table, dict[tuple[str | None, str], Shown]] = WeakKeyDictionary()


def shown_to(table: Table, seat: str | None, language: str) -> Shown:
    """What a seat is shown, None for spectators. Raises LanguageError for a language that the game does not speak."""
    of_table = _shown_by_seat.setdefault(table, {})
    if (seat, language) not in of_table:
        of_table[seat, language] = Shown(table, seat, language)
    return of_table[seat, language]


class Shown:
    """What a seat is shown, as of the last version of the table that it was asked about."""

    def __init__(self, table: Table, seat: str | None, language: str) -> None:
        # The table keeps this: if this kept the table as well, neither would ever be forgotten.
        self.table: Table = proxy(table)
        self.seat, self.language = seat, language
        program = table.reading(language).program
        self._views = SuccessiveViews(program, SPECTATOR if seat is None else table.game.seats.index(seat))
        self.rows = DrawnRows()
        self._log = GrowingLog(seat or WATCHING)
        self._rendered: dict[RenderedEntry, LogLine] = {}
        self._version = -1
        self._state: State
        self._view: View
        self._lines: tuple[LogLine, ...]

    @property
    def state(self) -> State:
        """The state that the seat is shown; see `Table.shown`."""
        self._look()
        return self._state

    @property
    def view(self) -> View:
        """Its view; when the game is over, everything."""
        self._look()
        return self._view

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """Its log."""
        self._look()
        return self._lines

    def _look(self) -> None:
        """Look at the table again if it has changed."""
        table = self.table
        if self._version == table.version:
            return
        state = self._state = table.shown(self.seat, self.language)
        self._view = state.view(None) if state.over else self._views.view(state.cells)
        self._log.forget_after(table.unchanged_since(self._version))
        forced = {ply for ply in table.forced if ply < state.ply}
        entries = self._log.of(state)
        story = story_of(state, self.seat or WATCHING, table.notes, forced, entries=entries)
        self._rendered = {entry: self._rendered.get(entry) or self._line(entry) for entry in story}
        self._lines = tuple(self._rendered[entry] for entry in story)
        self._version = table.version

    def _line(self, entry: RenderedEntry) -> LogLine:
        details = news(entry, self.table.game.seats, self._state.program.words)
        return LogLine(entry.number, entry.seat, visible(entry.text), tuple(map(visible, details)))
