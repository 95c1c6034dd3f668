"""The full screen of a game: the actions of its keys, of the mouse and of typed input."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from cli.fullscreen.board_pane import BoardPane
from cli.fullscreen.candidates import CandidateList
from cli.fullscreen.command_line import CommandLine
from cli.fullscreen.game import Game
from cli.play import requests
from cli.play.prompt import Command, command_in
from dsl.text.visible import brief
from interpreter.seat.narrowing import Narrowing, completed


class Table(Game, inherit_bindings=False):
    """The full-screen app of a game, with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", show=False),
        Binding("f2", "next_pane", show=False),
        Binding("f3", "names", show=False),
        Binding("f4", "look", show=False),
        Binding("f5", "rules", show=False),
        Binding("f6", "copy_example", show=False),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def narrow(self, narrowing: Narrowing) -> None:
        """Continue with the remaining moves; if there is only one, it is made."""
        self.chosen = None
        self.go_on(narrowing)

    def narrowed_by(self, text: str, narrowing: Narrowing) -> Narrowing:
        """Only the moves that match a text, if any do; numbers and commands do not narrow."""
        if text.strip().isdecimal() or command_in(text) is not None:
            return narrowing
        return narrowing.filtered(text) or narrowing

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the candidates as text is typed."""
        if self.message and event.value:
            self.say("")
        self.chosen = None
        self.show_question()

    def on_command_line_entered(self, message: CommandLine.Entered) -> None:
        """Act on the input: a command, a move, the number of a candidate, or words that occur in moves.

        A line that is no command is kept for the next question while nobody has to decide.
        """
        text, narrowing, request = message.text, self.narrowing, self.course.request
        self.say("")
        if narrowing is not None:
            self._answer(text, narrowing)
        elif not text and isinstance(request, requests.Wait):
            request.thought.stop()
        elif isinstance(request, requests.End) or (self.course.is_typing_allowed and command_in(text) is not None):
            self.go_on(requests.Typed(text))
            self.line.next_pasted()
        elif text:
            self.line.keep_for_later(text)
            notice = self.words.phrase("nobody has to decide now; `{text}` is kept, Esc drops it", text=brief(text))
            self.say(notice)

    def _answer(self, text: str, narrowing: Narrowing) -> None:
        narrowed = self.narrowed_by(text, narrowing)
        step = narrowed.step(self.fits)
        if self.chosen is not None:
            self.narrow(narrowed.answer(step.candidates[self.chosen]))
        elif text:
            self.go_on(requests.Typed(text, step))
        else:
            self.say(self.words.phrase("type a number, words of a move, or a command; F1 shows them"))
            return
        self.line.next_pasted()

    def on_command_line_pasted(self, message: CommandLine.Pasted) -> None:
        """Say that more lines were pasted than the input shows."""
        more = self.words.counted_phrase(
            "{number} more line was pasted; it follows after Enter",
            "{number} more lines were pasted; each follows after Enter",
            message.waiting,
        )
        self.say(f"{self.message}; {more}" if self.message else more)

    def on_candidate_list_picked(self, message: CandidateList.Picked) -> None:
        """Answer with the candidate that was clicked."""
        step, narrowing = self.step(), self.narrowing
        if step is not None and narrowing is not None:
            picked = self.narrowed_by(self.line.value, narrowing).answer(step.candidates[message.index])
            self.line.value = ""
            self.narrow(picked)

    def on_board_pane_clicked(self, message: BoardPane.Clicked) -> None:
        """Answer with the candidate that concerns the clicked place; if not exactly one does, narrow to such moves."""
        step, narrowing = self.step(), self.narrowing
        if step is None or narrowing is None:
            return
        narrowing = self.narrowed_by(self.line.value, narrowing)
        board = self.sight.now.view.board
        around = () if board is None else board.around(message.name)
        name = next((name for name in (message.name, *around) if name in step.telling), message.name)
        about, words = [candidate for candidate in step.candidates if name in candidate.names], self.words.name(name)
        narrowed = narrowing.answer(about[0]) if len(about) == 1 else narrowing.about(name, words)
        if narrowed is None:
            self.say(self.words.phrase("no move is about {place} now", place=words))
        else:
            self.line.value = ""
            self.narrow(narrowed)

    # ---- keys

    def action_choose(self, by: int) -> None:
        """Choose the next candidate, cyclically."""
        step = self.step()
        if step is not None:
            first = 0 if by > 0 else len(step.candidates) - 1
            self.chosen = first if self.chosen is None else (self.chosen + by) % len(step.candidates)
            self.show_question()

    def action_complete(self) -> None:
        """Complete the word being typed."""
        if self.narrowing is not None:
            self.line.value = completed(self.narrowing.moves, self.line.value)
            self.line.cursor_position = len(self.line.value)

    def action_step_back(self) -> None:
        """Clear the input, or else go back one answer, or else take back the last of several picks."""
        if self.line.value or self.chosen is not None or self.line.has_kept:
            self.chosen = None
            self.say("")
            self.line.clear_pasted()
            self.show_question()
        elif self.course.can_go_back:
            self.chosen = None
            self.go_on(Command("back"))
        else:
            thinking = self.session.bots.thought is not None
            self.say(
                self.words.phrase(
                    "Enter makes the bot move now, `undo` goes back to your last decision, Ctrl-Q saves and stops"
                    if thinking
                    else "`undo` goes back to your last decision, Ctrl-Q saves and stops"
                )
            )

    def action_scroll(self, by: int) -> None:
        """Scroll the current pane by nearly its height."""
        pane = self.pane_of(self.shown_panes[self.pane])
        pane.scroll_relative(y=by * max(1, pane.lines - 2), animate=False)

    def action_next_pane(self) -> None:
        """Make the next pane the current one."""
        self.pane = (self.pane + 1) % len(self.shown_panes)
        self.show()
