"""The app of the viewer: the actions of its keys."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from cli.errors import DONE, INTERRUPTED
from cli.viewer.bars import NAMES
from cli.viewer.display import Display
from cli.viewer.keys import KEYS, helped
from cli.viewer.outline import Outline
from cli.viewer.questions import Playback, Questions
from cli.viewer.session import Session
from interpreter.errors import PlayError, PositionError
from interpreter.wording.phrases import Phrase

StepName = Literal["into", "over", "out", "back", "next_decision", "previous_decision"]
ENDS = {
    "into": Phrase("this is the last event"),
    "over": Phrase("this is the last event"),
    "out": Phrase("no event encloses this one"),
    "back": Phrase("this is the beginning"),
    "next_decision": Phrase("there is no later decision"),
    "previous_decision": Phrase("there is no earlier decision"),
}


class Viewer(Display, inherit_bindings=False):
    """A full-screen session with its keys. Its result is an exit code."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.brief, show=False) for key in KEYS),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.running = Playback(self)
        self.questions = Questions(self, self.running)

    def on_mount(self) -> None:
        """Start in the events pane; say which marks could not be restored."""
        self.action_pane(self.chosen)
        if self.session.note:
            self.say(self.session.note)

    def on_key(self) -> None:
        """Dismiss the message at the next key, unless it is the progress of a search."""
        if self.message and not self.running.is_on:
            self.say("")

    # ---- navigation

    def action_step(self, how: StepName) -> None:
        """Make one step."""
        self.running.stop()
        timeline, position = self.session.timeline, self.session.position
        self.go(getattr(timeline, how)(position), ENDS[how])

    def action_end(self, first: bool) -> None:
        """Go to the beginning or the end."""
        self.running.stop()
        self.go(self.session.timeline.first if first else self.session.timeline.last)

    def on_outline_picked(self, message: Outline.Picked) -> None:
        """Go to the row picked in the outline."""
        self.running.stop()
        self.go(message.position)

    # ---- searching

    def action_again(self, back: bool) -> None:
        """Repeat the last search."""
        if self.session.goal is None:
            self.say(Phrase("nothing to repeat yet; search with / c d h l t x r"))
        else:
            self.running.start(self.session.goal, back=back)

    def action_line(self, back: bool) -> None:
        """Search for an event on the line of the cursor."""
        self.running.start(self.questions.line_of(self.source.file, self.source.cursor), back=back)

    def action_broken(self, back: bool) -> None:
        """Search for the nearest breakpoint."""
        if not self.session.breakpoints:
            self.say(Phrase("there is no breakpoint yet; b sets one on the cursor's line in the rules"))
            return
        self.running.start(self.questions.breakpoints(), back=back)

    def action_mark(self) -> None:
        """Toggle a breakpoint on the line of the cursor."""
        is_set = self.session.toggle(self.source.file, self.source.cursor)
        self.source.mark(self.session.breakpoints)
        line = self.source.cursor
        report = (
            Phrase("breakpoint on line {line} set; r runs to it", line=line)
            if is_set
            else Phrase("breakpoint on line {line} cleared", line=line)
        )
        self.say(self.session.note or report)

    def action_branch(self) -> None:
        """Branch off after this decision, into a new save."""
        self.say(self.session.branch())

    def action_copy_example(self) -> None:
        """Copy the position after this decision as an example."""
        try:
            example = self.session.example()
        except (PositionError, PlayError) as fault:
            self.say(str(fault).splitlines()[0])
            return
        self.copy_to_clipboard(example)
        self.say(Phrase("copied as an example: {number} lines", number=example.count("\n")))

    def action_chance(self) -> None:
        """Search for the next chance event."""
        self.running.start(self.questions.chance())

    # ---- questions

    def action_ask(self, what: str) -> None:
        """Ask for a line of text."""
        self.questions.ask(what)

    def action_seat(self) -> None:
        """Ask for a seat, and go to its next decision."""
        self.questions.seat()

    def action_costly(self) -> None:
        """Ask for one of the costliest decisions, and go to it."""
        self.questions.costly()

    def action_look_as(self) -> None:
        """Ask for the seat to view the game as."""
        self.questions.look_as()

    def action_unwatch(self) -> None:
        """Ask which watched expression to remove."""
        self.questions.unwatch()

    def action_help(self) -> None:
        """Show the keys."""
        self.questions.answer(self.words.phrase("keys"), list(helped(self.words)))

    # ---- panes

    def action_pane(self, number: int) -> None:
        """Switch to another pane."""
        self.chosen = number
        self.panes[number].display = True
        self.default_screen.set_focus(self.panes[number])
        self.arrange()
        self.changed()

    def action_turn(self, by: int) -> None:
        """Switch to the next pane, cyclically."""
        self.action_pane((self.chosen + by) % len(NAMES))

    def action_zoom(self) -> None:
        """Show one pane alone, or all."""
        self.zoomed = not self.zoomed
        self.arrange()
        self.changed()

    def action_fold(self) -> None:
        """Fold the event."""
        self.outline.action_fold()

    # ---- leaving

    def action_escape(self) -> None:
        """Stop a search or show all panes; never leave, as Esc is easily pressed once too often."""
        if self.running.stop():
            return
        if self.zoomed:
            self.action_zoom()
        else:
            self.say(Phrase("q leaves the viewer"))

    def action_leave(self) -> None:
        """Leave the viewer."""
        self.exit(DONE)

    def action_interrupt(self) -> None:
        """Handle Ctrl-C."""
        self.exit(INTERRUPTED)
