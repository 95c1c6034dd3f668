"""Everything a page shows, as plain data: the events, the rules that caused them, and the table in each state.

All of it comes from the timeline, so a page holds only what the seat it is made for may know. The length of the game's
journal must not leak either, so states are counted by visible changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.text import Text

from cli.html.board import Board
from cli.html.styles import Pool, StylePool, step
from cli.render.ending import head_words
from cli.render.palette import Palette, palette
from cli.render.pieces import Flow, entries
from cli.render.tables import is_line
from dsl.text.files import JsonObject
from dsl.text.visible import visible
from interpreter.errors import PlayError
from interpreter.play.trace import outline
from interpreter.play.trace.snapshot import differences
from interpreter.play.trace.wording import sources
from interpreter.seat.views.successive_views import SuccessiveViews

if TYPE_CHECKING:
    from dsl.text.span import Source, Span
    from interpreter.play.trace import Event, Level, Position, Timeline
    from interpreter.seat.views.model import Cell, TableView, View


VERDICTS = {None: 0, True: 1, False: 2}


class Collector:
    """Iterates over a game once and collects what the page needs."""

    def __init__(self, timeline: Timeline, level: Level) -> None:
        self.timeline, self.level = timeline, level
        self.inks, self.look = StylePool(), palette(timeline.game.seats, timeline.game.words, "utf-8")
        self.tables, self.board = Tables(self.inks, self.look), Board(self.inks, self.look)
        self.views = SuccessiveViews(timeline.program, timeline.observer)
        self.scores: list[list[int | None]] = []
        self.words: Pool[str] = Pool()
        self.sights: Pool[tuple[tuple[str, str], ...]] = Pool()
        self.places: Pool[tuple[int, int, int, int]] = Pool()
        self.records: Pool[tuple[Any, ...]] = Pool()
        self.sources: dict[Source, int] = {timeline.game.rules.model.file.span.source: 0}
        self.contents: dict[str, list[int]] = {}
        self.states = 0
        self._cells: Sequence[Any] = ()
        self._fault: PlayError | None = None
        self._view: View | None = None

    def segments(self) -> Iterator[JsonObject]:
        """Yield the events of each decision, in order."""
        events_shown = outline(self.timeline.all_events(), self.level)
        for ply, events in groupby(events_shown, key=lambda event: event[1].ply):
            numbers = [number for event in events for number in self._event(*event)]
            yield {
                "head": self.words.number(self.timeline.headline(ply)),
                "seat": self._seat(self.timeline.seat(ply)),
                "events": numbers,
            }
            self.scores.append(list(self.timeline.scores(ply)))

    def document(self, segments: Sequence[JsonObject], start: int) -> JsonObject:
        """Everything collected; the page opens at decision `start`. Raises PlayError if no state can be shown."""
        if not self.states and self._fault is not None:
            raise self._fault
        game, words = self.timeline.game, self.timeline.game.words
        return {
            "game": game.name,
            "title": game.title,
            "players": [[words.name(seat), self.inks.style(f"bold {self.look.style(seat)}")] for seat in game.seats],
            "about": "; ".join(self._about()),
            "level": self.level,
            "start": min(start, len(segments) - 1),
            "words": self.words.values,
            "sights": self.sights.values,
            "places": self.places.values,
            "records": self.records.values,
            "segments": segments,
            "contents": self.contents,
            "files": [
                {"name": sources(visible(source.name), ()), "lines": self.inks.source(source)}
                for source in self.sources
            ],
            "tables": {"rows": self.tables.rows.values, "steps": self.tables.steps},
            "board": self.board.document(),
            "score": self.timeline.score_name,
            "scores": self.scores if any(score is not None for row in self.scores for score in row) else [],
            "lines": self.inks.lines.values,
        }

    def _about(self) -> Iterator[str]:
        """The options of the game, whose view of it is shown, and whether it is over."""
        words = self.timeline.game.words
        for name, value in self.timeline.game.options.items():
            yield words.phrase("{option} is {value}", option=words.heading(name), value=words.name(value))
        if self.timeline.observer is not None and self.timeline.as_seat is not None:
            yield words.phrase("as seen by {seat}", seat=words.name(self.timeline.as_seat))
        over = self.timeline.state.over
        yield words.phrase("the game is over") if over else words.phrase("the game is not over")

    def _event(self, depth: int, position: Position, event: Event) -> tuple[int, int, int, int]:
        """Encode an event as numbers: its record, its depth, the resulting state, the names in scope."""
        snapshot = self.timeline.snapshot(position)
        if snapshot.cells != self._cells:
            self._cells = snapshot.cells
            try:
                self._add_state(replace(self.views.view(snapshot.cells), question=None))
            except PlayError as fault:  # during setup a table may have no value yet: the previous state stays
                self._fault = fault
        record = (
            event.kind,
            self.words.number(event.text),
            self._seat(event.seat),
            -1 if event.span is None else self._place(event.span),
            VERDICTS[event.verdict],
            self.sights.number(event.values),
            event.cites,
            event.what,
        )
        return self.records.number(record), depth, max(0, self.states - 1), self.sights.number(snapshot.names)

    def _add_state(self, view: View) -> None:
        """Record a new state if it differs visibly from the previous one."""
        if view == self._view:
            return
        if self._view is not None:
            for difference in differences(self._view, view):
                history = self.contents.setdefault(difference.name, [0, self.words.number(difference.before)])
                history += [self.states, self.words.number(difference.after)]
        self.tables.add(view)
        self.board.add(view)
        self._view = view
        self.states += 1

    def _seat(self, seat: str | None) -> int:
        return -1 if seat is None else self.timeline.game.seats.index(seat)

    def _place(self, span: Span) -> int:
        """Encode file and line, and columns if the span is less than the line."""
        file, text = self.sources.setdefault(span.source, len(self.sources)), span.source.line(span.line)
        start = span.column - 1
        end = start + span.end - span.start
        if end > len(text) or not (text[:start] + text[end:]).strip():
            return self.places.number((file, span.line, 0, 0))
        shift = len(text[:start].expandtabs(4)) - start
        return self.places.number((file, span.line, start + shift, end + shift))


# ---------------- the tables of every state as lists of rows, from which the page builds tables; the board shows
# those drawn on it


HEAD, TITLE, HEADINGS, ROW, SINGLE = range(5)
"""Kinds of rows: phase and turn; the title of a table; its headings; its cells; a table of one cell, with its title."""
Row = tuple[int, ...]
"""A kind of row, and the numbers of its texts."""


class Tables:
    """The tables in every state; each state is stored as its changes from the previous one."""

    def __init__(self, texts: StylePool, look: Palette) -> None:
        self.texts, self.look = texts, look
        self.rows: Pool[Row] = Pool()
        self.steps: list[list[int]] = []
        self._before: list[int] = []
        self._known: dict[Hashable, int] = {}

    def add(self, view: View) -> None:
        """Add the next state."""
        rows = [self.rows.number((HEAD, self.texts.line(Text(head_words(view, self.look.words)))))]
        for table in view.tables:
            if table.rows and not (table.board and view.board):
                rows += self._table(table, view.viewer)
        self.steps.append(step(self._before, rows))
        self._before = rows

    def _table(self, table: TableView, viewer: str | None) -> Iterator[int]:
        if is_line(table):
            title = self.texts.line(Text(f"{table.title}: {table.headings[0]}"))
            yield self.rows.number((SINGLE, title, self._cell(table.rows[0][0], viewer)))
            return
        yield self.rows.number((TITLE, self.texts.line(Text(table.title))))
        yield self.rows.number((HEADINGS, *(self.texts.line(Text(heading)) for heading in table.headings)))
        for row in table.rows:
            if row not in self._known:
                self._known[row] = self.rows.number((ROW, *(self._cell(cell, viewer) for cell in row)))
            yield self._known[row]

    def _cell(self, cell: Cell, viewer: str | None) -> int:
        return self.texts.line(Text(" ").join(Flow(entries(cell, self.look, viewer)).parts()))
