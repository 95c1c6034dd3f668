"""The play loop: ask the deciding seat, make the move, save, continue."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from traceback import format_exception
from typing import TYPE_CHECKING

from cli import signals
from cli.errors import DONE, INTERRUPTED, WRONG, say
from cli.inquiry import Inquiry
from cli.play import keyboard
from cli.play.answers import copy_save, explained, known, offered_once, previewed
from cli.play.file_watcher import RulesChanged, Watcher
from cli.play.hot_reload import continue_with, reload
from cli.play.inside import look
from cli.play.prompt import Command, Unclear, entries_wanted
from cli.play.screens import Screens
from cli.play.table import NO_MOVE
from cli.play.undo import before_last_pick, possible_undo, take_back
from cli.play.waiting import PaceLine, wait_for
from cli.progress import Stage, show_progress
from cli.render.log import story
from cli.render.screen import clear
from cli.render.trace_lines import traced
from cli.save_paths import short
from cli.viewer.opening import NO_SCREEN, is_full_screen
from dsl.text.visible import visible
from interpreter.errors import BotError, PlayError, UsageError
from interpreter.opponents.specs import RANDOM
from interpreter.play.trace import Timeline, outline
from interpreter.seat.narrowing import Narrowing, Step
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from cli.play.table import PlaySession
    from interpreter import Move, State

PAUSE = 0.4


def _failure_point(state: State) -> str:
    """Describe the point at which a rule failed: the pending decision, if there is one."""
    words = state.program.words
    if state.player is None:
        return words.phrase("at the end")
    return words.phrase("decision {number} ({seat})", number=state.ply + 1, seat=words.name(state.player))


class Reconsidered(Exception):
    """Raised when the pending question may have changed."""


class Quit(Exception):
    """Raised when somebody quits; the game is saved."""


class Play:
    """Plays one session until it ends or somebody quits: at the prompt, unless `play` is another play loop."""

    def __init__(
        self, session: PlaySession, screens: Screens, *, follow: bool = False, trace: bool = False,
        watcher: Watcher | None = None, play: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        self.session, self.screens = session, screens
        self.follow, self.trace, self.watcher = follow, trace, watcher
        self.play = play or self._play
        self.at_keyboard: str | None = None
        self.refusal = ""
        self.typed: list[str] = []
        """Lines typed while a bot was thinking; they answer the next questions."""
        self.bare = True
        self.narrowing = Narrowing(())
        self.step = Step("move", ())

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
            if self.trace:
                self._look_back()
        except (Quit, EOFError):
            return self._leave(DONE)
        except KeyboardInterrupt:
            return self._leave(INTERRUPTED)
        except PlayError as fault:
            state = self.session.state
            seed = self.words.phrase("seed {seed}", seed=state.seed)
            say(f"{seed}, {_failure_point(state)}: {self.words.fault(fault)}")
            code = self._leave(WRONG)
            if not self.session.unsaved:
                self.screens.path(self.words.phrase("look inside: ") + "regelwerk trace ", self.session.path)
            return code
        except BotError as fault:
            if os.environ.get("REGELWERK_TRACEBACK") and fault.__cause__ is not None:
                say("".join(format_exception(fault.__cause__)))
            say(f"{_failure_point(self.session.state)}: {self.words.fault(fault)}")
            code = self._leave(WRONG)
            flag = f"--seat {self.session.state.player}={RANDOM}"
            self.screens.say(self.words.phrase("with another bot: add {flag}", flag=flag), "dim")
            return code
        self._end()
        return DONE

    def _end(self) -> None:
        """Show what happened since the last question, and the outcome; everything is revealed."""
        session = self.session
        if session.people and self.at_keyboard is not None:
            self.screens.show("")
            self.screens.happened(session.news(self.at_keyboard), self.words.phrase("to the end"), details=self.trace)
        self.screens.end(session)

    def _look_back(self) -> None:
        """With `--trace`, show the whole game once it is over: in the viewer, or as text if not shown during play."""
        if is_full_screen():
            look(self.session, None, from_start=True)
        elif not self.session.people:
            self._trace()

    def _leave(self, code: int) -> int:
        """Save once more, as anything may have been interrupted, and show where; ignore a second Ctrl-C or signal."""
        with signals.ignored():
            self.session.bots.leave()
            self.session.save()
            self._moved()
            self.screens.show("")
            self.screens.left(self.session)
        return code

    def _moved(self) -> None:
        """Say that the game continues in another save, if it has just begun to."""
        moved = self.session.moved_warning()
        if moved:
            say(moved)

    def _play(self) -> None:
        alone = not self.session.people and not self.follow
        pace = PaceLine(self.screens, self._decided) if alone else None
        try:
            self._decide_all(pace)
        finally:
            if pace is not None:
                pace.clear()

    def _decided(self) -> str:
        """How far the game has come."""
        return self.words.counted_phrase("{number} decision", "{number} decisions", self.session.state.ply)

    def _decide_all(self, pace: PaceLine | None) -> None:
        session = self.session
        while session.state.outcome is None:
            if pace is not None:
                pace.show()
            seat = session.state.player
            moves = session.state.legal_moves
            if seat is None or not moves:
                raise PlayError(NO_MOVE, session.game.name)
            if len(moves) == 1:
                self._make(moves[0])
            elif seat in session.people:
                with contextlib.suppress(Reconsidered):
                    self._person(seat)
            else:
                with contextlib.suppress(Reconsidered):
                    self._bot()

    def _bot(self) -> None:
        """Let a bot decide; Enter makes it move at once, and changed rules end the wait."""
        session = self.session
        driver = session.bots.driver(session.state)
        if driver.is_quick:
            self._make(driver.play(session.state))
            return
        thought = session.bots.think(session.state)
        with self._interruptible():
            seat, move_now = self.at_keyboard or session.viewer, self.words.phrase("Enter: move now")
            alone = "" if session.people else f"   {self._decided()}"
            self.typed += wait_for(thought, self.screens, lambda: f"{session.thinking(seat)}{alone}   {move_now}")
        move = thought.move(session.state)
        session.bots.forget()
        self._make(move)

    # ---- a decision made

    def _make(self, move: Move) -> None:
        session = self.session
        before, unsaved = session.state.ply, session.unsaved
        by_hand = session.state.player in session.people and len(session.state.legal_moves) > 1
        session.make(move)
        if session.unsaved and not unsaved:
            say(session.unsaved_warning)
        self._moved()
        if self.trace and session.opened and session.people:
            self._trace(session.state.ply)
        if self.follow and not by_hand:
            self._follow(before)
        else:
            self._announce(before)

    def _announce(self, since: int) -> None:
        """Show new announcements to the person at the keyboard, and wait for Enter; in a pipe the log shows them."""
        seat, screens = self.at_keyboard, self.screens
        if seat is None or self.session.state.over or not (screens.console.is_terminal and sys.stdin.isatty()):
            return
        texts = [text for entry in self.session.log(seat, since) for text in entry.told]
        if texts:
            screens.announced(texts)
            with contextlib.suppress(Reconsidered):
                self._read(f" {self.words.phrase('press Enter')} ")

    def _follow(self, before: int) -> None:
        """Show observers what a decision changed; nothing if they may not know of it."""
        session, viewer = self.session, self.session.viewer
        lines = session.log(viewer, before)
        if not lines:
            return
        self.screens.show("", *story(lines, self.screens.look, every=self.trace))
        self.screens.table(session, viewer)
        if viewer is not None:
            session.shown[viewer] = session.state.ply
        if self.screens.console.is_terminal:
            time.sleep(PAUSE)

    def _trace(self, since: int = 0) -> None:
        """Show all events, or those since a decision; called only if nothing may be hidden."""
        events = Timeline(self.session.state).all_events(since)
        self.screens.show(*traced(outline(events, "everything"), self.words))

    # ---- a person decides

    def _person(self, seat: str) -> None:
        """Ask until a move is made or taken back."""
        self._hand_over(seat)
        self._table(seat)
        self.session.bots.prepare(self.session.state)
        if self.refusal:
            self.screens.say(self.refusal)
            self.refusal = ""
        self._narrow(Narrowing(self.session.state.legal_moves))
        while True:
            line = self._read(f"{self.words.name(seat)}> ")
            answer = self.session.answer(line, self.narrowing, self.step)
            if isinstance(answer, Unclear):
                self.screens.say(offered_once(self.session.state, line) or self.words.phrase(answer.message))
            elif isinstance(answer, Command):
                if self._command(seat, answer):
                    return
            elif answer.move is not None:
                self._make(answer.move)
                return
            else:
                self._narrow(answer)

    def _narrow(self, narrowing: Narrowing) -> None:
        """Ask for one of the remaining moves."""
        self.narrowing, self.step = narrowing, narrowing.step(self.screens.fits)
        self.screens.question(self.session, self.narrowing, self.step)

    def _hand_over(self, seat: str) -> None:
        """Hand over the keyboard if another person decides, clearing the screen in between.

        The previous person first sees the effects of the last move; the title screen holds no secret and stays.
        """
        before, self.at_keyboard = self.at_keyboard, seat
        if len(self.session.people) == 1 or before == seat:
            return
        if before is not None:
            self._table(before)
            seen = self.words.phrase("{seat}, press Enter when you have seen this", seat=self.words.name(before))
            self._read(f" {seen} ")
        self._clear()
        self.screens.hand_over(seat)
        ready = self.words.phrase("{seat}, press Enter", seat=self.words.name(seat))
        self._read(f"      {ready} ")
        self._clear()

    def _clear(self) -> None:
        """Clear what only the previous person at the keyboard may see."""
        if not self.bare:
            clear(self.screens.console)
        self.bare = False

    def _table(self, seat: str) -> None:
        session = self.session
        lines = session.news(seat)
        heading = self.words.phrase("since your last decision" if seat in session.shown else "so far")
        self.screens.show("")
        self.screens.happened(lines, heading, details=self.trace)
        session.shown[seat], session.noted[seat] = session.state.ply, len(session.notes)
        self.screens.table(session, seat)

    def _read(self, prompt: str) -> str:
        """Read one line from the keyboard or a pipe. Raises EOFError at the end of input, which stops the game."""
        if sys.stdin is None:
            raise EOFError
        out = self.screens.console.file
        if self.typed:
            line = self.typed.pop(0)
            out.write(f"{visible(prompt)}{visible(line)}\n")
            return line
        out.flush()
        try:
            with self._interruptible(), keyboard.suspendable(visible(prompt)):
                line, *more = input(visible(prompt)).split("\n")  # several lines were pasted
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

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Within the block, a change to the rules files interrupts: it is applied, and Reconsidered is raised."""
        try:
            with self.watcher.question() if self.watcher is not None else contextlib.nullcontext():
                yield
        except RulesChanged:
            self._reload()
            raise Reconsidered from None

    def _reload(self) -> None:
        """Hot reload: continue under the changed rules, if they are valid and the game so far is legal under them."""
        assert self.watcher is not None
        self.watcher.settle()
        session, screens = self.session, self.screens
        found = reload(session)
        screens.show("")
        if found.state is None:
            screens.diagnostics(found.diagnostics)
            screens.say(
                f"{found.error}; " * bool(found.error) + self.words.phrase("the game continues under the old rules")
            )
            return
        if found.divergence is not None:
            screens.diverged(found.state, found.divergence, session.people)
            if not self._agrees(self.words.phrase("continue from there under the new rules?")):
                screens.say(self.words.phrase("the game continues under the old rules until the file is saved again"))
                return
            screens.path(self.words.phrase("the game so far is saved in "), session.keep())
        continue_with(session, found.state)
        screens.say(self.words.phrase("the rules were reloaded; the game continues under them"))

    def _command(self, seat: str, command: Command) -> bool:
        """Execute a command; True if the table and the question have to be shown again."""
        if command.word == "quit":
            raise Quit
        if command.word == "undo":
            return self._undo(seat)
        if command.word == "back":
            self._back()
        elif command.word == "help":
            self.screens.help()
        elif command.word == "moves":
            self.screens.question(self.session, self.narrowing, self.step)
        elif command.word == "view":
            self.screens.table(self.session, seat)
        elif command.word == "names":
            self.screens.names(self.session, seat)
        elif command.word == "rules":
            self.screens.rules(self.session)
        elif command.word == "log":
            self._log(seat, command.rest)
        elif command.word == "trace":
            self._look(seat)
        elif command.word == "why":
            self.screens.show(*explained(self.session, command.rest, self.step))
        elif command.word == "know":
            self._know(seat)
        elif command.word == "preview":
            self.screens.show(*previewed(self.session, command.rest, self.step))
        elif command.word == "hint":
            self._hint(command.rest)
        elif command.word == "save":
            self._save(command.rest)
        return False

    def _hint(self, limit: str) -> None:
        """Search for the best moves and show them; Enter ends the search early, changed rules cancel it."""
        session, screens = self.session, self.screens
        try:
            hint = session.hints.begin(session.state, limit)
        except UsageError as fault:
            screens.say(self.words.fault(fault))
            return
        show_now = self.words.phrase("Enter: show it now")
        try:
            with self._interruptible():
                self.typed += wait_for(hint.thinking, screens, lambda: f"{hint.status}   {show_now}")
        finally:
            hint.thinking.stop()
        screens.show(*hint.parts(self.step, screens.look))

    def _log(self, seat: str, rest: str) -> None:
        lines = self.session.log(seat)
        most = entries_wanted(rest, len(lines))
        if most is None:
            self.screens.say(self.words.phrase("`log` expects a number of entries, at least 1, or `all`"))
        elif lines:
            self.screens.happened(lines, self.words.phrase("so far"), details=self.trace, most=most)
        else:
            self.screens.say(self.words.phrase("nothing has happened yet"))

    def _know(self, seat: str) -> None:
        """Show what a seat can infer; if that takes more than a second, show progress."""
        stage = self.words.phrase("working out what {seat} can know", seat=self.words.name(seat))
        with show_progress(Stage(stage)):
            answer = Inquiry(self.session.state, seat).answer()
        self.screens.show(*known(answer, self.screens.look))

    def _look(self, seat: str) -> None:
        """Open the viewer, limited to what the seat may see."""
        session = self.session
        if not is_full_screen():
            self.screens.say(self.words.phrase("{reason}; `log` shows what happened", reason=NO_SCREEN))
            return
        look(session, seat)
        self._table(seat)
        self.screens.question(session, self.narrowing, self.step)

    def _save(self, rest: str) -> None:
        if rest:
            self.screens.say(copy_save(self.session, rest))
        else:
            self.screens.left(self.session)

    def _back(self) -> None:
        """Go back one answer, or else take back the last of several picks; the choice continues."""
        if self.narrowing.before is not None:
            self._narrow(self.narrowing.before)
            return
        session, before = self.session, before_last_pick(self.session.state)
        if before is None:
            self.screens.say(self.words.phrase("there is no pick to take back; `undo` goes back to your last decision"))
            return
        session.go_back_to(before)
        session.save()
        self._narrow(Narrowing(before.legal_moves))

    def _undo(self, seat: str) -> bool:
        undo = possible_undo(self.session, seat)
        if undo is None:
            self.screens.say(self.words.phrase("you have made no decision yet that could be taken back"))
            return False
        if undo.ask:
            self._clear()
            self.at_keyboard = None
            self.screens.say(f"{undo.request(self.words)}.")
        for other in undo.ask:
            name = self.words.name(other)
            if not self._agrees(self.words.phrase("{seat}, do you agree?", seat=name)):
                self.refusal = self.words.phrase("{seat} does not agree; nothing is taken back", seat=name)
                self.screens.say(self.refusal)
                return True  # the player who asked reads it once the keyboard is passed back
        take_back(self.session, undo)
        self.screens.say(self.words.phrase("taken back"))
        return True
