"""The viewer itself: keys, and what they do."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from cli.errors import DONE, INTERRUPTED, WRONG
from cli.viewer.bars import NAMES
from cli.viewer.display import Display
from cli.viewer.keys import KEYS, helped
from cli.viewer.outline import Outline
from cli.viewer.playback import Playback
from cli.viewer.questions import Questions
from cli.viewer.session import Session

Step = Literal["into", "over", "out", "back", "next_decision", "previous_decision"]
ENDS = {
    "into": "this is the last thing that happened",
    "over": "this is the last thing that happened",
    "out": "this stands in nothing else",
    "back": "this is the beginning",
    "next_decision": "there is no later decision",
    "previous_decision": "there is no earlier decision",
}


class Viewer(Display, inherit_bindings=False):
    """A session on the screen, with its keys. Its result is an exit code."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.brief, show=False) for key in KEYS),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.running = Playback(self)
        self.questions = Questions(self, self.running)
        self.mistake: Exception | None = None

    def on_mount(self) -> None:
        """Begin with the events."""
        self.action_pane(self.chosen)

    def on_key(self) -> None:
        """A message has been read when the next key is pressed."""
        if self.message and not self.running.is_on:
            self.say("")

    # ---- going somewhere

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

    def action_look_as(self) -> None:
        """Ask as which seat to look."""
        self.questions.look_as()

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
