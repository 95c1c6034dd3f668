"""Play at the prompt, and what surrounds play in full screen, too: the title, the first save, failures, the result."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from traceback import format_exception
from typing import TYPE_CHECKING, assert_never

from cli import signals
from cli.errors import DONE, INTERRUPTED, WRONG, say
from cli.inquiry import Inquiry
from cli.play import keyboard, requests
from cli.play.answers import inferences
from cli.play.file_watcher import RulesChanged
from cli.play.inside import look
from cli.play.waiting import PaceLine, wait_for
from cli.progress import Stage, show_progress
from cli.render.echo import asked
from cli.render.log import story
from cli.render.reasons import traced
from cli.render.screen import clear
from cli.save_paths import short
from cli.viewer.opening import NO_SCREEN, is_full_screen
from dsl.text.visible import visible
from interpreter.errors import BotError, PlayError
from interpreter.opponents.hints import SECONDS_TO_KNOW
from interpreter.opponents.specs import RANDOM
from interpreter.play.trace import Timeline, outline
from interpreter.seat.narrowing import NarrowingStep
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from cli.play.course import Course
    from cli.play.screens import Screens
    from interpreter.play.game import State

PAUSE = 0.4
"""Seconds between the moves of bots with `--follow`."""


def _failure_point(state: State) -> str:
    """Describe the point at which a rule failed: the pending decision, if there is one."""
    words = state.program.words
    if state.player is None:
        return words.phrase("at the end")
    return words.phrase("decision {number} ({seat})", number=state.ply + 1, seat=words.name(state.player))


class Play:
    """Plays one game until it ends or somebody quits: at the prompt, unless `play` carries out the course elsewhere."""

    def __init__(self, course: Course, screens: Screens, *, play: Callable[[], None] | None = None) -> None:
        self.course, self.session, self.screens = course, course.session, screens
        self.play = play or self._play
        self.typed: list[str] = []
        """Lines typed while a bot was thinking; they answer the next questions."""
        self.is_title_shown = True
        self.step = NarrowingStep("move", ())
        self.pace: PaceLine | None = None
        self._inquiry: Inquiry | None = None
        self.begun_at = self.session.state.ply

    @property
    def words(self) -> Words:
        """The words in which the game is shown, and the command speaks."""
        return self.session.words

    def run(self, *, resumed: bool = False) -> int:
        """Play and return the exit code. The first save is written before anything is asked."""
        self.session.save()
        if self.session.unsaved:
            path, reason = short(self.session.path), self.session.unsaved
            say(self.words.phrase("cannot write {path}: {reason}; see --save", path=path, reason=reason))
            return WRONG
        try:
            self.screens.title(self.session, resumed)
            self.play()
            if self.course.details:
                self._look_back()
        except (requests.Quit, EOFError):
            return self._leave(DONE)
        except KeyboardInterrupt:
            return self._leave(INTERRUPTED)
        except PlayError as fault:
            state = self.session.state
            seed = self.words.phrase("seed {seed}", seed=state.seed)
            say(f"{seed}, {_failure_point(state)}: {self.words.fault(self.session.told(fault))}")
            code = self._leave(WRONG)
            if not self.session.unsaved:
                self.screens.command(self.words.phrase("look inside: "), "trace", self.session.path)
            return code
        except BotError as fault:
            if os.environ.get("REGELWERK_TRACEBACK") and fault.__cause__ is not None:
                say("".join(format_exception(fault.__cause__)))
            say(f"{_failure_point(self.session.state)}: {self.words.fault(fault)}")
            code = self._leave(WRONG)
            flag = f"--seat {self.session.state.player}={RANDOM}"
            self.screens.say(self.words.phrase("with another bot: add {flag}", flag=flag), "dim")
            return code
        self.screens.end(self.session)
        return DONE

    def _look_back(self) -> None:
        """With `--trace`, show the whole game once it is over: in the viewer, or as text if not shown during play."""
        if is_full_screen():
            look(self.session, None, from_start=True)
        elif not self.session.people:
            self._trace()

    def _leave(self, code: int) -> int:
        """Save once more, as anything may have been interrupted, and show where; ignore a second Ctrl-C or signal."""
        # A second Ctrl-C while the save is written would end the command before it says where the game is.
        with signals.ignored():
            self.session.bots.leave()
            self.session.save()
            moved = self.session.moved_warning()
            if moved:
                say(moved)
            self.screens.show("")
            self.screens.show_how_to_resume(self.session)
        return code

    # ---- the course at the prompt

    def _play(self) -> None:
        alone = not self.session.people and not self.course.follow
        self.pace = PaceLine(self.screens, self._progress) if alone else None
        try:
            request = self.course.reply()
            while request is not None:
                try:
                    reply = self._carry_out(request)
                except RulesChanged:
                    self.screens.show("")  # below what is being typed
                    request = self.course.rules_changed()
                else:
                    request = self.course.reply(reply)
        finally:
            if self.pace is not None:
                self.pace.clear()

    def _progress(self) -> str:
        """How far the game has come."""
        return self.words.counted_phrase("{number} decision", "{number} decisions", self.session.state.ply)

    def _carry_out(self, request: requests.Request) -> requests.Reply:
        """Show or ask what is requested. Raises RulesChanged if a rules file changes meanwhile, EOFError."""
        session, screens, phrase = self.session, self.screens, self.words.phrase
        match request:
            case requests.Ask():
                return requests.Typed(self._read(f"{self.words.name(self.course.seat or '')}> "), self.step)
            case requests.Wait():
                self._wait(request)
            case requests.Decided():
                self._decided(request)
            case requests.End():
                self._show_last_news()
            case requests.Seen(seat):
                self._table(seat)
                seen = phrase("{seat}, press Enter when you have seen this", seat=self.words.name(seat))
                self._read(f" {seen} ")
            case requests.PassOn(seat):
                self._clear()
                screens.hand_over(seat)
                ready = phrase("{seat}, press Enter", seat=self.words.name(seat))
                self._read(f"      {ready} ")
                self._clear()
            case requests.Consent(undo, seat):
                if seat == undo.ask[0]:
                    self._clear()
                    screens.say(f"{undo.request(self.words)}.")
                return self._agrees(phrase("{seat}, do you agree?", seat=self.words.name(seat)))
            case requests.Show():
                self._show(request)
            case requests.Say(message, path) if path is not None:
                screens.path(message, path)
            case requests.Say(message) | requests.Rejected(_, message):
                if self.pace is not None:
                    self.pace.clear()
                screens.say(message)
            case requests.Explained(_, parts):
                screens.show(*parts)
            case requests.Log(entries, most):
                screens.happened(entries, phrase("so far"), details=self.course.details, most=most)
            case requests.Announced(texts):
                self._announce(texts)
            case requests.Look(seat):
                if is_full_screen():
                    look(session, seat)
                else:
                    screens.say(phrase("{reason}; `log` shows what happened", reason=NO_SCREEN))
            case requests.Know(seat):
                stage = phrase("working out what {seat} can know", seat=self.words.name(seat))
                with show_progress(Stage(stage)):  # only if it takes more than a second
                    answer = self._inquiry_of(seat).answer_within(SECONDS_TO_KNOW)
                screens.show(*inferences(answer, screens.look))
            case requests.Search():
                self._search(request)
            case requests.Warn(message, _, is_new):
                if is_new:
                    say(message)
            case requests.Diverged(state, divergence):
                screens.diverged(state, divergence, session.people)
                return self._agrees(phrase("continue from there under the new rules?"))
            case _:
                assert_never(request)
        return None

    def _inquiry_of(self, seat: str) -> Inquiry:
        """What a seat knows now; it is refined until the next decision."""
        state = self.session.state
        if self._inquiry is None or not self._inquiry.is_about(state, seat):
            self._forget_inquiry()
            self._inquiry = Inquiry(state, seat)
        return self._inquiry

    def _forget_inquiry(self) -> None:
        if self._inquiry is not None:
            self._inquiry.stop()
            self._inquiry = None

    def _wait(self, request: requests.Wait) -> None:
        """Wait for a bot; Enter makes it move at once."""
        session, move_now = self.session, self.words.phrase("Enter: move now")
        alone = "" if session.people else f"   {self._progress()}"
        with self._watching():
            self.typed += wait_for(
                request.thought, self.screens, lambda: f"{session.thinking(self.course.seat)}{alone}   {move_now}"
            )

    def _search(self, request: requests.Search) -> None:
        """Wait for a hint and show it; Enter ends the search early, changed rules cancel it."""
        hint, show_now = request.hint, self.words.phrase("Enter: show it now")
        try:
            with self._watching():
                self.typed += wait_for(hint.thinking, self.screens, lambda: f"{hint.status}   {show_now}")
        finally:
            hint.thinking.stop()
        self.screens.show(*hint.parts(request.step, self.screens.look))

    # ---- what happened

    def _decided(self, decided: requests.Decided) -> None:
        """Show what a decision changed, as far as was asked for with `--trace` and `--follow`."""
        self._forget_inquiry()
        session, course = self.session, self.course
        if self.pace is not None:
            self.pace.show()
        if course.details and session.opened and session.people:
            self._trace(session.state.ply)
        if course.follow and not decided.by_hand:
            self._follow(decided.since)

    def _announce(self, texts: Sequence[str]) -> None:
        """Show announcements, and wait for Enter; on a pipe the log shows them, with `--follow` it has done so."""
        screens = self.screens
        if self.course.follow or not (screens.console.is_terminal and sys.stdin.isatty()):
            return
        screens.announced(texts)
        self._read(f" {self.words.phrase('press Enter')} ")

    def _follow(self, since: int) -> None:
        """Show observers what a decision changed; nothing if they may not know of it."""
        session, viewer = self.session, self.session.viewer
        lines = session.log(viewer, since)
        if not lines:
            return
        self.screens.show("", *story(lines, self.screens.look, every=self.course.details))
        self.screens.table(session, viewer)
        if viewer is not None:
            session.shown_until[viewer] = session.state.ply
        if self.screens.console.is_terminal:
            time.sleep(PAUSE)

    def _trace(self, since: int = 0) -> None:
        """Show all events, or those since a decision; called only if nothing may be hidden."""
        events = Timeline(self.session.state).all_events(since)
        self.screens.show(*traced(outline(events, "everything"), self.words))

    def _show_last_news(self) -> None:
        """Show what happened since the last question, if anything has happened."""
        session, seat = self.session, self.course.seat
        if seat is not None and session.state.ply > self.begun_at:
            self.screens.show("")
            self.screens.happened(session.news(seat), self.words.phrase("to the end"), details=self.course.details)

    # ---- a person decides

    def _show(self, request: requests.Show) -> None:
        session, screens, seat = self.session, self.screens, self.course.seat
        match request.subject:
            case "table" if seat is not None:
                self._table(seat)
            case "question":
                self.step = self.course.narrowing.step(screens.fits)
                screens.question(session, self.course.narrowing, self.step)
            case "help":
                screens.help()
            case "view" | "table":
                screens.table(session, seat)
            case "names":
                screens.names(session, seat)
            case "rules":
                screens.rules(session)
            case "save":
                screens.show_how_to_resume(session)

    def _clear(self) -> None:
        """Clear what only the previous person at the keyboard may see; the title holds no secret and stays."""
        if not self.is_title_shown:
            clear(self.screens.console)
        self.is_title_shown = False

    def _table(self, seat: str) -> None:
        session = self.session
        lines = session.news(seat)
        heading = self.words.phrase("since your last decision" if seat in session.shown_until else "so far")
        self.screens.show("")
        self.screens.happened(lines, heading, details=self.course.details)
        session.shown_until[seat], session.noted[seat] = session.state.ply, len(session.notes)
        self.screens.table(session, seat)

    def _read(self, prompt: str) -> str:
        """Read one line from the keyboard or a pipe. Raises EOFError at the end of input, which stops the game."""
        out = self.screens.console.file
        if self.typed:
            line = self.typed.pop(0)
            out.write(f"{visible(prompt)}{visible(line)}\n")
            return line
        out.flush()
        try:
            with self._watching(), keyboard.suspendable(visible(prompt)):
                # A prompt has names of seats and texts of rules in it: `visible` keeps them from controlling the
                # terminal.
                line, *more = asked(visible(prompt)).split("\n")  # several lines were pasted
        except OSError:  # the terminal has gone
            raise EOFError from None
        self.typed += more
        if not sys.stdin.isatty():
            out.write(f"{visible(line)}\n")
        return line

    def _agrees(self, question: str) -> bool:
        """Ask a question that is answered by yes or no, in English or in the language of the players."""
        answer = self._read(f" {question} {self.words.phrase('[y/N]')} ").strip().lower()
        return answer in ("y", "yes", self.words.phrase("y"), self.words.phrase("yes"))

    def _watching(self) -> contextlib.AbstractContextManager[None]:
        """Within the block, a change to the rules files raises RulesChanged."""
        watcher = self.course.watcher
        return contextlib.nullcontext() if watcher is None else watcher.question()
