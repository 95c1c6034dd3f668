"""The viewer itself: panes, keys, and what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import DescendantFocus
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from cli.errors import DONE, INTERRUPTED, WRONG
from cli.render.palette import palette
from cli.viewer import bars
from cli.viewer.arrangement import Arrangement, arranged
from cli.viewer.bars import NAMES
from cli.viewer.contents import changes, table, values
from cli.viewer.keys import KEYS, footer, helped
from cli.viewer.outline import Outline
from cli.viewer.playback import Running
from cli.viewer.questions import Questions
from cli.viewer.scroll_pane import Pane, Paper
from cli.viewer.session import Session
from cli.viewer.source import SourcePane

if TYPE_CHECKING:
    from interpreter import Position

Step = Literal["into", "over", "out", "back", "next_decision", "previous_decision"]
ENDS = {
    "into": "this is the last thing that happened",
    "over": "this is the last thing that happened",
    "out": "this stands in nothing else",
    "back": "this is the beginning",
    "next_decision": "there is no later decision",
    "previous_decision": "there is no earlier decision",
}


class Desk(Screen[None], inherit_bindings=False):
    """The screen the panes lie on. Its keys are those of the viewer alone."""

    class Resized(Message):
        """The screen has another size now."""

    def on_resize(self) -> None:
        """Let the panes be arranged anew."""
        self.post_message(self.Resized())


class Viewer(App[int], inherit_bindings=False):
    """A session on the screen. Its result is an exit code."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS_PATH = "viewer.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.brief, show=False) for key in KEYS),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.title = session.game.title
        self.look = palette(session.game.seats)
        self.questions, self.running = Questions(self), Running(self)
        self.zoomed = False
        self.chosen = self.lower = 1
        self.message = ""
        self.mistake: Exception | None = None
        self._due = self._rest_due = False

    # ---- the screen

    def get_default_screen(self) -> Desk:
        """The screen the panes lie on."""
        return Desk(id="desk")

    def compose(self) -> ComposeResult:
        """One line above, the panes, what happens in full, one line of keys."""
        yield Static(id="head")
        with Container(id="panes"):
            yield SourcePane(id="rules")
            yield Paper(id="table")
            yield Outline(self.session.timeline, self.look, id="events")
            yield Paper(id="changes")
            yield Paper(id="values")
        yield Static(id="now")
        yield Static(id="foot")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Begin with the events."""
        self.action_pane(self.chosen)

    @property
    def panes(self) -> list[Pane]:
        """The panes in the order of their numbers."""
        return [self.query_one(f"#{name}", Pane) for name in NAMES]

    @property
    def source(self) -> SourcePane:
        """The pane of the rules."""
        return self.query_one(SourcePane)

    @property
    def outline(self) -> Outline:
        """The pane of the events."""
        return self.query_one(Outline)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """A pane was clicked."""
        if event.widget in self.panes:
            self.chosen = self.panes.index(event.widget)

    def on_desk_resized(self) -> None:
        """Arrange the panes anew."""
        self.arrange()
        self.changed()

    def arrange(self) -> None:
        """Show the panes there is room for."""
        arrangement = arranged(self.size.width, self.size.height, zoomed=self.zoomed)
        for each in Arrangement:
            self.default_screen.set_class(each is arrangement, f"-{each.value}")
        self.lower = self.chosen or self.lower
        for number, pane in enumerate(self.panes):
            pane.display = {
                Arrangement.ONE: number == self.chosen,
                Arrangement.TWO: number in (0, self.lower),
            }.get(arrangement, True)
        self.query_one("#small", Static).update("the viewer wants a screen of 50 columns by 14 lines; q leaves")

    # ---- showing a moment

    def changed(self) -> None:
        """Show the moment once all keys that are waiting have been read."""
        if not self._due:
            self._due = True
            self.call_later(self._show)

    def _show(self) -> None:
        """Rules and events at once; what takes longer to draw after them, so that keys are never waited for."""
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
        session, papers = self.session, {name: self.query_one(f"#{name}", Paper) for name in NAMES[2:]}
        view, found, moment = session.view(session.position), session.changes(), session.moment
        papers["table"].write(lambda width: list(table(view, self.look, width)), about=view)
        papers["changes"].write(lambda width: list(changes(found, bars.since(session))))
        papers["values"].write(lambda width: list(values(moment.names, session.watches())))

    def _titles(self) -> None:
        for number, pane in enumerate(self.panes):
            pane.border_title = bars.title(number, self.session, self.source.place)
        if self.default_screen.has_class(f"-{Arrangement.TWO.value}"):
            self.panes[self.lower].border_title = bars.tabs(self.lower)

    def _bars(self) -> None:
        self.query_one("#head", Static).update(bars.head(self.session, self.look))
        self.query_one("#now", Static).update(bars.now(self.session, self.look))
        self._foot()

    def _foot(self) -> None:
        without = frozenset() if len(self.session.offered) > 1 else frozenset({"v"})
        words = Text(f" {self.message}", style="bright_yellow") if self.message else footer(self.size.width, without)
        self.query_one("#foot", Static).update(words)

    def say(self, message: str) -> None:
        """Show a message in place of the keys, up to the next key."""
        self.message = message
        self._foot()

    def on_key(self) -> None:
        """A message has been read when the next key is pressed."""
        if self.message and not self.running.is_on:
            self.say("")

    # ---- going somewhere

    def go(self, position: Position | None, otherwise: str = "") -> None:
        """Go to a moment, or say why not."""
        if self.session.go(position):
            self.message = ""
            self.changed()
        elif otherwise:
            self.say(otherwise)

    def action_step(self, how: Step) -> None:
        """One step."""
        self.running.stop()
        timeline, position = self.session.timeline, self.session.position
        self.go(getattr(timeline, how)(position), ENDS[how])

    def action_end(self, first: bool) -> None:
        """The beginning or the end."""
        self.running.stop()
        self.go(self.session.timeline.first if first else self.session.timeline.last)

    def on_outline_picked(self, message: Outline.Picked) -> None:
        """A row of the outline."""
        self.running.stop()
        self.go(message.position)

    # ---- running on

    def action_again(self, back: bool) -> None:
        """The last search once more."""
        if self.session.wait is None:
            self.say("nothing was looked for yet: / c d h l r")
        else:
            self.running.start(self.session.wait, back=back)

    def action_line(self, back: bool) -> None:
        """What stands on the line of the cursor."""
        self.running.start(self.questions.line_of(self.source.file, self.source.cursor), back=back)

    def action_broken(self, back: bool) -> None:
        """The nearest breakpoint."""
        if not self.session.breakpoints:
            self.say("there is no breakpoint yet: b sets one on the line of the cursor in the rules")
            return
        self.running.start(self.questions.breakpoints(), back=back)

    def action_mark(self) -> None:
        """A breakpoint on the line of the cursor."""
        is_set = self.session.toggle(self.source.file, self.source.cursor)
        self.source.mark(self.session.breakpoints)
        self.say(f"breakpoint on line {self.source.cursor} {'set; r runs to it' if is_set else 'taken away'}")

    def action_chance(self) -> None:
        """The next chance."""
        self.running.start(self.questions.chance())

    # ---- questions

    def action_ask(self, what: str) -> None:
        """Ask for a line of text."""
        self.questions.ask(what)

    def action_seat(self) -> None:
        """Ask for a seat, and go to its next decision."""
        self.questions.seat()

    def action_eyes(self) -> None:
        """Ask through whose eyes to look."""
        self.questions.eyes()

    def action_unwatch(self) -> None:
        """Ask which watched expression to let go."""
        self.questions.unwatch()

    def action_help(self) -> None:
        """The keys."""
        self.questions.answer("keys", list(helped()))

    # ---- panes

    def action_pane(self, number: int) -> None:
        """Another pane."""
        self.chosen = number
        self.panes[number].display = True
        self.default_screen.set_focus(self.panes[number])
        self.arrange()
        self.changed()

    def action_turn(self, by: int) -> None:
        """The next pane, round and round."""
        self.action_pane((self.chosen + by) % len(NAMES))

    def action_zoom(self) -> None:
        """One pane alone, or all."""
        self.zoomed = not self.zoomed
        self.arrange()
        self.changed()

    def action_fold(self) -> None:
        """Fold the event."""
        self.outline.action_fold()

    # ---- leaving

    def action_escape(self) -> None:
        """Stop a search, show all panes, or leave."""
        if self.running.stop():
            return
        if self.zoomed:
            self.action_zoom()
        else:
            self.exit(DONE)

    def action_leave(self) -> None:
        """Leave."""
        self.exit(DONE)

    def _handle_exception(self, error: Exception) -> None:
        """What nobody expected is told by the command like any other mistake of ours, when the full screen is left."""
        if self.is_headless:
            super()._handle_exception(error)
        self.mistake = self.mistake or error
        self.exit(WRONG)

    def action_interrupt(self) -> None:
        """Ctrl-C."""
        self.exit(INTERRUPTED)
