"""The full screen of the viewer: its panes, and how a snapshot is shown in them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container
from textual.events import DescendantFocus
from textual.widgets import Static

from cli.render.palette import palette
from cli.viewer import bars
from cli.viewer.analysis_pane import AnalysisPane
from cli.viewer.bars import NAMES
from cli.viewer.contents import changes, table, values
from cli.viewer.keys import footer
from cli.viewer.knowledge_pane import KnowledgePane
from cli.viewer.outline import Outline
from cli.viewer.session import Session
from cli.viewer.source import SourcePane
from cli.widgets.full_screen import FullScreen
from cli.widgets.scroll_pane import Pane, ScrollPane, Writer
from interpreter.errors import PlayError
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.trace import Position
    from interpreter.wording.words import Words


class Display(FullScreen[int], inherit_bindings=False):
    """A full-screen session without keys: going to a snapshot shows it in every pane."""

    AUTO_FOCUS = None
    CSS_PATH = "viewer.tcss"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.title = session.game.title
        self.look = palette(session.game.seats, session.game.words)
        self.words = self.look.words
        self.zoomed = False
        self.chosen = 1
        self.arrangement = Arrangement.NONE
        self.recent = list(range(len(NAMES)))
        self.message = ""
        self._due = self._rest_due = False

    # ---- the screen

    def compose(self) -> ComposeResult:
        """The title line, the panes, the current event in full, a line of keys."""
        yield Static(id="head")
        with Container(id="panes"):
            yield SourcePane(id="rules")
            yield ScrollPane(id="table")
            yield Outline(self.session.timeline, self.look, id="events")
            yield ScrollPane(id="changes")
            yield ScrollPane(id="values")
            yield KnowledgePane(self.session, self.look, id="knowledge")
            yield AnalysisPane(self.session, self.look, id="analysis")
        yield Static(id="now")
        yield Static(id="foot")
        yield Static(id="small")

    @property
    def panes(self) -> list[Pane]:
        """The panes in the order of their numbers."""
        return [self.query_one(f"#{name}", Pane) for name in NAMES]

    @property
    def source(self) -> SourcePane:
        """The rules pane."""
        return self.query_one(SourcePane)

    @property
    def analysis(self) -> AnalysisPane:
        """The analysis pane."""
        return self.query_one(AnalysisPane)

    @property
    def is_working(self) -> bool:
        """True while the content of a pane is being computed in a thread."""
        return self.query_one(KnowledgePane).is_waiting or self.analysis.is_waiting

    @property
    def outline(self) -> Outline:
        """The events pane."""
        return self.query_one(Outline)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Select the pane that was clicked."""
        if event.widget in self.panes:
            self.chosen = self.panes.index(event.widget)

    def on_main_screen_resized(self) -> None:
        """Rearrange the panes."""
        self.arrange()
        self.changed()

    def arrange(self) -> None:
        """Show the panes that fit."""
        self.arrangement = arrangement = arranged(self.size.width, self.size.height, zoomed=self.zoomed)
        for candidate in Arrangement:
            self.default_screen.set_class(candidate is arrangement, f"-{candidate.value}")
        self.recent.remove(self.chosen)
        self.recent.insert(0, self.chosen)
        shared = sharing(arrangement, len(NAMES))
        front = next((number for number in self.recent if number in shared), None)
        for number, pane in enumerate(self.panes):
            zoomed_out = arrangement is not Arrangement.ONE
            pane.display = (number not in shared or number == front) if zoomed_out else number == self.chosen
        small = self.words.phrase("the viewer needs at least 50 columns by 14 lines; q leaves")
        self.query_one("#small", Static).update(small)

    # ---- showing a snapshot

    def changed(self) -> None:
        """Show the snapshot once all pending keys have been read."""
        if not self._due:
            self._due = True
            self.call_later(self._show)

    def _show(self) -> None:
        """Show rules and events at once, and the slower panes afterwards, so that keys are never delayed."""
        self._due = False
        session = self.session
        self.source.show(session.span, session.breakpoints)
        self.outline.show(session.position)
        self._titles()
        self._bars()
        if not self._rest_due:
            self._rest_due = True
            self.call_after_refresh(self._show_rest)

    def _show_rest(self) -> None:
        self._rest_due = False
        session, panes = self.session, {name: self.query_one(f"#{name}", ScrollPane) for name in NAMES[2:5]}
        snapshot = session.snapshot
        try:
            view = session.view(session.position)
            panes["table"].write(lambda width: list(table(view, self.look, width)), about=view)
        except PlayError as fault:  # during setup a table may have no value yet
            panes["table"].write(_error_writer(fault, self.words))
        try:
            differences = session.changes()
            panes["changes"].write(lambda width: list(changes(differences, bars.since(session), self.words)))
        except PlayError as fault:
            panes["changes"].write(_error_writer(fault, self.words))
        panes["values"].write(lambda width: list(values(snapshot.names, session.watches(), self.words)))
        self.query_one(KnowledgePane).show()
        self.analysis.show()

    def _titles(self) -> None:
        for number, pane in enumerate(self.panes):
            pane.border_title = bars.title(number, self.session, self.source.location)
        shared = sharing(self.arrangement, len(NAMES))
        for number in shared:
            self.panes[number].border_title = bars.tabs(number, shared, self.size.width - 4, self.words)

    def _bars(self) -> None:
        self.query_one("#head", Static).update(bars.head(self.session, self.look))
        self.query_one("#now", Static).update(bars.now(self.session, self.look))
        self._foot()

    def _foot(self) -> None:
        without = frozenset() if len(self.session.offered) > 1 else frozenset({"v"})
        keys = footer(self.size.width, self.words, without)
        self.query_one("#foot", Static).update(
            Text(f" {self.message}", style="bright_yellow") if self.message else keys
        )

    def say(self, message: str) -> None:
        """Show a message in place of the keys, until the next key; a phrase is translated."""
        self.message = self.words.phrase(message) if isinstance(message, Phrase) else message
        self._foot()

    def go(self, position: Position | None, otherwise: str = "") -> None:
        """Go to a position, or show the message `otherwise` if there is none."""
        if self.session.go(position):
            self.message = ""
            self.changed()
        elif otherwise:
            self.say(otherwise)


def _error_writer(fault: PlayError, words: Words) -> Writer:
    """Writes the message of an error in place of contents that have no value."""
    message = Text(words.message(fault), style="dim italic")
    return lambda width: [message]


# ---------------------------------------------------------------- the arrangement of panes that fits a screen


class Arrangement(Enum):
    """Arrangement of panes on the screen; each value, after a hyphen, is a class in `viewer.tcss`."""

    NONE = "none"
    ONE = "one"
    TWO = "two"
    ALL = "all"
    BROAD = "broad"


MIN_SCREEN_SIZE = (50, 14)
"""Minimum columns and lines for a readable screen."""
SCREEN_SIZES = {Arrangement.BROAD: (160, 45), Arrangement.ALL: (100, 30)}
"""Columns and lines that each arrangement needs, largest first."""


def sharing(arrangement: Arrangement, count: int) -> range:
    """Those of `count` panes that share one place, so that only one of them is shown at a time."""
    first = {Arrangement.TWO: 1, Arrangement.ALL: 4, Arrangement.BROAD: 4}
    return range(first.get(arrangement, count), count)


def arranged(columns: int, lines: int, *, zoomed: bool) -> Arrangement:
    """Choose the arrangement for a screen; `zoomed` requests a single pane."""
    if columns < MIN_SCREEN_SIZE[0] or lines < MIN_SCREEN_SIZE[1]:
        return Arrangement.NONE
    if zoomed:
        return Arrangement.ONE
    fitting = (
        arrangement for arrangement, (width, height) in SCREEN_SIZES.items() if columns >= width and lines >= height
    )
    return next(fitting, Arrangement.TWO)
