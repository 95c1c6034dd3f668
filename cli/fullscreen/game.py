"""The course of a game in full screen: decisions of bots and people, handing over the keyboard, undo, the result."""

from __future__ import annotations

from asyncio import sleep
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.fullscreen.command_line import KEYS
from cli.fullscreen.dialogs import Agree, Pass
from cli.fullscreen.display import PANE_NAMES, Display
from cli.inquiry import Inquiry
from cli.play.answers import known, summarised
from cli.play.file_watcher import EVERY
from cli.play.hot_reload import continue_with, reload
from cli.play.screens import help_rows
from cli.play.table import NO_MOVE
from cli.play.undo import Undo, before_last_pick, take_back
from cli.play.waiting import SHORT
from cli.render.cells import phrase_text
from cli.render.diagnostics import coloured
from cli.render.divergence import divergence
from cli.render.ending import explanations, score_table
from cli.save_paths import short
from cli.widgets.dialogs import Answer
from interpreter.errors import PlayError
from interpreter.seat.narrowing import Narrowing

if TYPE_CHECKING:
    from interpreter import Move

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

    def on_mount(self) -> None:
        """Show the table and continue the game."""
        self.show()
        self.go_on()
        if self.course.watcher is not None:
            self.set_interval(EVERY, self._check_rules)

    def go_on(self) -> None:
        """Continue the game: let bots decide until a person has to."""
        self.narrowing, self.chosen = None, None
        self.run_worker(self._until_asked(), exclusive=True)

    async def _until_asked(self) -> None:
        session, course = self.session, self.course
        while session.state.outcome is None:
            seat, moves = session.state.player, session.state.legal_moves
            if seat is None or not moves:
                raise PlayError(NO_MOVE, session.game.name)
            if len(moves) > 1 and seat in session.people:
                await self._ask(seat, moves)
                return
            session.make(moves[0] if len(moves) == 1 else await self._bot_move())
            self._unsaved()
            await self._announce()
            if course.follow:
                self.show()
                await sleep(PAUSE)
            else:
                await sleep(0)
        self.show()
        self.action_result()

    async def _bot_move(self) -> Move:
        """The move of a bot, which thinks in a thread, so that the screen can be used and closed meanwhile."""
        session = self.session
        driver = session.bots.driver(session.state)
        if driver.is_quick:
            return driver.play(session.state)
        thought = session.bots.think(session.state)
        shown = False
        while not thought.is_done:
            if not shown and thought.seconds > SHORT:
                shown = True
                self.show()
            elif shown:
                self.show_waiting()
            await sleep(TICK)
        move = thought.move(session.state)
        session.bots.forget()
        return move

    def move_now(self) -> None:
        """Make the thinking bot move at once."""
        if self.session.bots.thought is not None:
            self.session.bots.thought.stop()

    async def _ask(self, seat: str, moves: tuple[Move, ...]) -> None:
        """Ask a person to decide, after handing over the keyboard if necessary."""
        course = self.course
        before = course.seat
        if before != seat:
            if course.is_shared:
                if before is not None:
                    self.show()
                    await self.push_screen_wait(Pass(self._seen_by(before), cover=False))
                    course.seat = None
                self.show()
                await self.push_screen_wait(Pass(self._passed_to(seat), cover=True))
            course.seat = seat
        self.narrowing = Narrowing(moves)
        self.show()
        self.session.bots.prepare(self.session.state)

    def _seen_by(self, seat: str) -> Text:
        return phrase_text(self.words, "{seat}, press Enter when you have seen this", seat=self.seat_text(seat))

    def _passed_to(self, seat: str) -> Text:
        name = self.seat_text(seat)
        passing = phrase_text(self.words, "pass the keyboard to {seat}", seat=name)
        return Text("\n\n").join([passing, phrase_text(self.words, "{seat}, press Enter", seat=name)])

    async def _announce(self) -> None:
        """Show new announcements to the person at the keyboard."""
        course, session = self.course, self.session
        if course.seat is None or session.state.over:
            return
        texts = [text for entry in session.log(course.seat, course.announced) for text in entry.told]
        course.announced = session.state.ply
        if texts:
            self.show()
            await self.push_screen_wait(
                Answer(self.words.phrase("announced"), [Text(text, style="bold") for text in texts])
            )

    def _unsaved(self) -> None:
        if self.session.unsaved:
            self.say(self.session.unsaved_warning)
        moved = self.session.moved_warning()
        if moved:
            self.answer(self.words.phrase("another save"), [Text(moved)])

    # ---- a person decides

    def make(self, move: Move) -> None:
        """Make a move of the person at the keyboard."""
        session, course = self.session, self.course
        if course.seat is not None:
            session.shown[course.seat], session.noted[course.seat] = session.state.ply, len(session.notes)
        session.make(move)
        self._unsaved()
        self.show()
        self.go_on()

    def take_back_pick(self, otherwise: str) -> None:
        """Take back the last pick of several; if there is none, say what can be done instead."""
        before = None if self.narrowing is None else before_last_pick(self.session.state)
        if before is None:
            self.say(otherwise)
            return
        self.session.go_back_to(before)
        self.session.save()
        self.go_on()

    # ---- changed rules

    def _check_rules(self) -> None:
        """If a rules file has changed and no dialog is open, continue under the new rules."""
        watcher = self.course.watcher
        if watcher is not None and watcher.changed and len(self.screen_stack) == 1:
            watcher.settle()
            self.run_worker(self._reload(), exclusive=True)

    async def _reload(self) -> None:
        session, found = self.session, reload(self.session)
        if found.state is None:
            parts: list[RenderableType] = [coloured(diagnostic) for diagnostic in found.diagnostics]
            kept = f"{found.error}; " * bool(found.error) + self.words.phrase("the game continues under the old rules")
            self.answer(self.words.phrase("the rules were saved"), [*parts, Text(kept)])
            self._resume_waiting()
            return
        if found.divergence is not None:
            shown = Group(*divergence(found.state, found.divergence, session.people, self.size.width - MARGIN))
            question = self.words.phrase("continue from there under the new rules?")
            if not await self.push_screen_wait(Agree(shown, question, self.words)):
                self.say(self.words.phrase("the game continues under the old rules until the file is saved again"))
                self._resume_waiting()
                return
            self.say(self.words.phrase("the game so far is saved in ") + short(session.keep()))
        else:
            self.say(self.words.phrase("the rules were reloaded; the game continues under them"))
        continue_with(session, found.state)
        self.go_on()

    def _resume_waiting(self) -> None:
        """Wait for a bot again, if one has to decide."""
        if self.narrowing is None:
            self.go_on()

    # ---- undo

    def undo(self, found: Undo) -> None:
        """Take a decision back, if everybody whose consent is needed agrees."""
        self.run_worker(self._undo(found), exclusive=True)

    async def _undo(self, found: Undo) -> None:
        if found.ask:
            self.course.seat = None
            self.show()
        for other in found.ask:
            name = Text.assemble(f"{found.request(self.words)}\n\n", self.seat_text(other))
            if not await self.push_screen_wait(Agree(name, self.words.phrase("do you agree?"), self.words)):
                refusing = self.words.name(other)
                self.say(self.words.phrase("{seat} does not agree; nothing is taken back", seat=refusing))
                break
        else:
            take_back(self.session, found)
            self.say(self.words.phrase("taken back"))
        self.go_on()

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
        if not self.course.is_covered:
            self.exit(LOOK)

    def action_rules(self) -> None:
        """Show a summary of the rules."""
        self.answer(self.words.phrase("rules"), list(summarised(self.session)))

    def know(self) -> None:
        """Show what the person at the keyboard can infer, once it has been computed."""
        if self.course.seat is None:
            self.say(self.words.phrase("nobody is at the keyboard whose knowledge could be shown"))
        else:
            self.run_worker(self._know(self.course.seat), group="know", exclusive=True)

    async def _know(self, seat: str) -> None:
        session, state, ply = self.session, self.session.state, self.session.state.ply
        inquiry = Inquiry(state, seat)
        self.say(self.words.phrase("working out what {seat} can know …", seat=self.words.name(seat)))
        try:
            while not inquiry.is_done:
                await sleep(TICK)
        finally:
            inquiry.stop()
        if (self.course.seat, session.state, session.state.ply) != (seat, state, ply) or len(self.screen_stack) > 1:
            self.say(self.words.phrase("the game has moved on; type `know` again"))
            return
        self.say("")
        self.answer(
            self.words.phrase("what {seat} can know", seat=self.words.name(seat)),
            list(known(inquiry.answer(), self.look)),
        )

    def action_result(self) -> None:
        """Show the outcome."""
        outcome = self.session.state.outcome
        if outcome is not None:
            reason = Text(outcome.reason, style="bold")
            parts = [reason, Text(), score_table(outcome, self.look), Text(), *explanations(outcome, self.look)]
            if not self.session.unsaved:
                trace = (
                    self.words.phrase("the whole game, step by step: ") + f"regelwerk trace {short(self.session.path)}"
                )
                parts += [Text(), Text(f" {trace}", style="dim")]
            parts.append(Text(f" {self.words.phrase('play again: ')}{self.session.again}", style="dim"))
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
