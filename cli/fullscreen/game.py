"""Carrying out the course of a game in full screen: questions, dialogs, waiting for bots, answers over the table.

Requests that only show something are carried out at once. The others are replied to by a key, a timer or a dialog.
"""

from __future__ import annotations

from asyncio import sleep
from functools import partial
from typing import assert_never

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.timer import Timer

from cli.fullscreen.command_line import KEYS, CommandLine
from cli.fullscreen.dialogs import Agree, Pass
from cli.fullscreen.display import PANE_NAMES, Display
from cli.fullscreen.hint import HintScreen
from cli.inquiry import Inquiry
from cli.play import requests
from cli.play.answers import inferences, summarised
from cli.play.file_watcher import CHECK_INTERVAL
from cli.play.prompt import Command
from cli.play.screens import help_rows
from cli.play.waiting import STATUS_DELAY
from cli.render.ending import divergence, explanations, score_table
from cli.render.log import story
from cli.render.pieces import phrase_text
from cli.save_paths import save_argument, short, typed_command
from cli.widgets.dialogs import Answer
from interpreter.errors import PositionError
from interpreter.play.scenes.known import example_for

MARGIN = 12
"""Columns left free beside a dialog."""
TICK = 0.05
"""Seconds between two checks of a thinking bot."""
PAUSE = 0.4
"""Seconds between the moves of bots with `--follow`."""
LEFT, INTERRUPTED, LOOK = "left", "interrupted", "look"
"""Reasons for closing the screen: somebody quit, pressed Ctrl-C, or opened the viewer."""


class Game(Display):
    """A game in full screen; the keys that answer questions are added in `app.py`."""

    _ticker: Timer | None = None
    _shown_end: requests.End | None = None
    _waited_for: requests.Wait | None = None

    def on_mount(self) -> None:
        """Show the table, and continue the game where the screen was closed."""
        self.show()
        self._carry_out_all(self.course.request or self.course.reply())
        if self.course.watcher is not None:
            self.set_interval(CHECK_INTERVAL, self._check_rules)

    def go_on(self, reply: requests.Reply = None) -> None:
        """Reply to the pending request, and carry out those that follow up to the next one that waits."""
        try:
            self._carry_out_all(self.course.reply(reply))
        except requests.Quit:
            self.exit(LEFT)

    def _carry_out_all(self, request: requests.Request | None) -> None:
        while request is not None and self._carry_out(request):
            request = self.course.reply()

    def _carry_out(self, request: requests.Request) -> bool:
        """Show or begin to ask what is requested; false if the reply comes later."""
        session, phrase = self.session, self.words.phrase
        match request:
            case requests.Ask():
                self.show()
                self.call_later(self._answer_ahead)
                return False
            case requests.Wait():
                if self._ticker is None:
                    self._ticker = self.set_interval(TICK, self._check_bot)
                return False
            case requests.Decided(since, by_hand):
                if by_hand and self.course.seat is not None:
                    session.shown_until[self.course.seat], session.noted[self.course.seat] = since, len(session.notes)
                if by_hand or self.course.follow:
                    self.show()
                # Replying at once would run the whole game of bots inside one handler, and no key would be read until
                # it is over.
                if not by_hand:  # keys that were pressed meanwhile come first
                    if self.course.follow:
                        self.set_timer(PAUSE, partial(self._go_on_from, request))
                    else:
                        self.call_later(self._go_on_from, request)
                return by_hand
            case requests.End():
                self.show()
                if request is not self._shown_end:  # not again after each line that is typed
                    self._shown_end = request
                    self.action_result()
                return False
            case requests.Seen(seat):
                self._pass(
                    phrase_text(self.words, "{seat}, press Enter when you have seen this", seat=self.seat_text(seat)),
                    cover=False,
                )
                return False
            case requests.PassOn(seat):
                name = self.seat_text(seat)
                passing = phrase_text(self.words, "pass the keyboard to {seat}", seat=name)
                confirming = phrase_text(self.words, "{seat}, press Enter", seat=name)
                self._pass(Text("\n\n").join([passing, confirming]), cover=True)
                return False
            case requests.Consent(undo, seat):
                self.show()
                name = Text.assemble(f"{undo.request(self.words)}\n\n", self.seat_text(seat))
                self.push_screen(Agree(name, phrase("do you agree?"), self.words), self.go_on)
                return False
            case requests.Diverged(state, first_illegal):
                explanation = Group(*divergence(state, first_illegal, session.people, self.size.width - MARGIN))
                question = phrase("continue from there under the new rules?")
                self.push_screen(Agree(explanation, question, self.words), self.go_on)
                return False
            case requests.Announced(texts):
                self.show()
                self.push_screen(Answer(phrase("announced"), [Text(text, style="bold") for text in texts]), self.go_on)
                return False
            case requests.Look():
                self.exit(LOOK)
                return False
            case requests.Show():
                self._show(request)
            case requests.Say(message, path):
                self.say(message if path is None else f"{message}{short(path)}")
            case requests.Rejected(text, message):
                self.say(message)
                self.line.forget_kept()
                self.line.return_text(text)
            case requests.Explained(title, parts):
                self.answer(title, list(parts))
            case requests.Log(entries, most):
                self.answer(phrase("so far"), list(story(entries[-most:], self.look, every=self.course.details)))
            case requests.Know(seat):
                self.run_worker(self._know(seat), group="know", exclusive=True)
            case requests.Search(hint, step):
                self.push_screen(HintScreen(hint, lambda: hint.parts(step, self.look)))
            case requests.Warn(message, title):
                if title:
                    self.answer(title, [Text(message)])
                else:
                    self.say(message)
            case _:
                assert_never(request)
        return True

    def _pass(self, text: Text, *, cover: bool) -> None:
        """Ask for the keyboard to be passed on."""
        self.show()
        self.push_screen(Pass(text, cover=cover), self.go_on)

    def _go_on_from(self, request: requests.Request) -> None:
        """Continue after a pause, unless something typed has already done so."""
        if self.course.request is request:
            self.go_on()

    def _answer_ahead(self) -> None:
        """Answer the question with the first of the lines that were entered before it was asked."""
        text = self.line.next_kept() if isinstance(self.course.request, requests.Ask) else None
        if text is not None:
            self.post_message(CommandLine.Entered(text))

    def _check_bot(self) -> None:
        """Show that a bot is thinking, and continue once it has decided."""
        request = self.course.request
        if not isinstance(request, requests.Wait) or request.thought.is_done:
            if self._ticker is not None:
                self._ticker.stop()
                self._ticker = None
            if isinstance(request, requests.Wait):
                self.go_on()
        elif request.thought.seconds > STATUS_DELAY:
            if request is self._waited_for:
                self.show_waiting()
            else:
                self._waited_for = request
                self.show()

    def _check_rules(self) -> None:
        """If a rules file has changed and no dialog is open, continue under the new rules."""
        watcher = self.course.watcher
        if watcher is not None and watcher.changed and len(self.screen_stack) == 1 and self.course.is_typing_allowed:
            self._carry_out_all(self.course.rules_changed())

    def _show(self, request: requests.Show) -> None:
        match request.subject:
            case "help":
                self.action_help()
            case "names":
                self.action_names()
            case "rules":
                self.action_rules()
            case "save" if self.session.unsaved:
                unsaved = self.words.phrase("NOT saved ({reason}): ", reason=self.session.unsaved)
                self.say(unsaved + short(self.session.path))
            case "save":
                self.say(self.words.phrase("saved in {path}", path=short(self.session.path)))
            case "table" | "question":  # shown with the request that follows
                pass
            case "view":
                self.show()

    # ---- over the table

    def action_help(self) -> None:
        """Show keys and commands."""
        grid, phrase = Table.grid(padding=(0, 2)), self.words.phrase
        for key, meaning, _ in KEYS:
            grid.add_row(Text(f" {phrase(key)}", style="bold bright_yellow"), Text(phrase(meaning)))
        if not self.course.is_covered and "board" in self.shown_panes:
            on_board = phrase("highlighted: what can be chosen; underlined: the last move")
            grid.add_row(Text(f" {phrase(PANE_NAMES['board'])}", style="bold"), Text(on_board))
        grid.add_row()
        for command, explanation in help_rows(self.words):
            grid.add_row(Text(f" {command}", style="bold"), Text(explanation))
        self.answer(phrase("keys and commands"), [grid])

    def action_names(self) -> None:
        """Show the names of the places on the board, or its contents again."""
        self.names = not self.names
        self.show()

    def action_look(self) -> None:
        """Open the viewer, unless the keyboard is being passed on."""
        if self.course.is_typing_allowed:
            self.go_on(Command("trace"))

    def action_rules(self) -> None:
        """Show a summary of the rules."""
        self.answer(self.words.phrase("rules"), list(summarised(self.session)))

    def action_copy_example(self) -> None:
        """Copy the position, as far as the person at the keyboard knows it, as an example."""
        session, seat = self.session, self.course.seat
        if self.course.is_covered:
            return
        sees_all = session.opened or session.state.over or session.game.is_open
        if seat is None and not sees_all:
            self.say(self.words.phrase("nobody is at the keyboard whose knowledge could be shown"))
            return
        try:
            example = example_for(session.state, None if sees_all else seat)
        except PositionError as fault:
            self.say(str(fault).splitlines()[0])
            return
        self.copy_to_clipboard(example)
        self.say(self.words.phrase("copied as an example: {number} lines", number=example.count("\n")))

    async def _know(self, seat: str) -> None:
        session, state, ply = self.session, self.session.state, self.session.state.ply
        inquiry = Inquiry(state, seat)
        self.say(self.words.phrase("working out what {seat} can know …", seat=self.words.name(seat)))
        try:
            while not (inquiry.is_done or inquiry.estimate):
                await sleep(TICK)
            # The answer took seconds. Another person may sit here now, to whom it must not be shown.
            if (self.course.seat, session.state, session.state.ply) != (seat, state, ply) or len(self.screen_stack) > 1:
                self.say(self.words.phrase("the game has moved on; type `know` again"))
                return
            self.say("")
            title = self.words.phrase("what {seat} can know", seat=self.words.name(seat))
            estimate = None if inquiry.is_done else inquiry.estimate
            dialog = Answer(title, list(inferences(estimate or inquiry.answer(), self.look)))
            self.push_screen(dialog)
            while estimate is not None and dialog in self.screen_stack:
                await sleep(TICK)
                so_far = None if inquiry.is_done else inquiry.estimate
                if so_far is not estimate:
                    dialog.rewrite(list(inferences(so_far or inquiry.answer(), self.look)))
                estimate = so_far
        finally:
            inquiry.stop()

    def action_result(self) -> None:
        """Show the outcome."""
        outcome = self.session.state.outcome
        if outcome is not None:
            reason = Text(outcome.reason, style="bold")
            parts = [reason, Text(), score_table(outcome, self.look), Text(), *explanations(outcome, self.look)]
            if not self.session.unsaved:
                trace = typed_command("trace", save_argument(self.session.path), self.words)
                parts += [Text(), Text(f" {self.words.phrase('the whole game, step by step: ')}{trace}", style="dim")]
            parts.append(Text(f" {self.words.phrase('play again: ')}{self.session.repeat_command}", style="dim"))
            self.answer(self.words.phrase("the game is over"), parts)

    def answer(self, title: str, parts: list[RenderableType]) -> None:
        """Show something over the table until it is closed."""
        self.push_screen(Answer(title, parts))

    # ---- leaving

    def action_leave(self) -> None:
        """Save and stop."""
        self.exit(LEFT)

    def action_interrupt(self) -> None:
        """Handle Ctrl-C."""
        self.exit(INTERRUPTED)
