"""The course of a game at the table: what happens, in which order, and who is asked.

It is a generator of requests (`requests.py`): a front end carries out one after the other and sends each reply. The
prompt (`loop.py`) does so in a loop that blocks; the full screen (`fullscreen/game.py`) replies from its handlers of
keys, timers and dialogs. Neither needs a thread for it, and a course that is never continued leaves nothing behind but
the bots, which `PlaySession` stops.

The front ends differ on purpose:

| | prompt | full screen |
|---|---|---|
| while a bot thinks | lines are kept for later questions | commands take effect, other lines are kept |
| keyboard passed on | always | only if something may be hidden; an open table stays |
| news | printed once before each question | marked in the log until the next decision |
| changed rules | interrupt every question | wait until no dialog is open |
| announcements | not on a pipe, nor with `--follow`, which has just printed them | always |
| after the end | stops | shows the result; commands still work |
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, TypeVar

from cli.play import requests
from cli.play.answers import copy_save, explained, offered_once, previewed, sentence
from cli.play.file_watcher import RulesChanged
from cli.play.hot_reload import continue_with, reload
from cli.play.prompt import Command, Unclear, command_in, entries_wanted
from cli.play.table import NO_MOVE
from cli.render.diagnostics import coloured
from interpreter.errors import PlayError, UsageError
from interpreter.opponents.situation import at_a_loss
from interpreter.play.undo import before_last_pick, possible_undo
from interpreter.seat.narrowing import Narrowing, NarrowingStep
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from cli.play.file_watcher import Watcher
    from cli.play.table import PlaySession
    from interpreter.play.game import State
    from interpreter.seat.notation.moves import Move
    from interpreter.wording.words import Words

THOUGHTS_SHOWN = Phrase("while a bot thinks, what it considers is shown, if you may know all that it knows")
THOUGHTS_HIDDEN = Phrase("what bots consider is no longer shown")

T = TypeVar("T")
Steps = Generator[requests.Request, requests.Reply, T]


class Course:
    """The course of one game, as far as it has come.

    `seat` is that of the person at the keyboard, None before the first question and while the keyboard is passed on;
    `narrowing` are that person's answers so far to the pending question. `request` is what the front end has to carry
    out now; None before the first and after the last one. With `details` the log shows what each move changed.
    """

    def __init__(
        self, session: PlaySession, *, follow: bool = False, details: bool = False, watcher: Watcher | None = None
    ) -> None:
        self.session, self.follow, self.details, self.watcher = session, follow, details, watcher
        self.seat = session.viewer
        self.narrowing = Narrowing(())
        self.request: requests.Request | None = None
        self._refusal = ""
        self._asked_about: tuple[State, int] | None = None
        self._steps = self._play()

    @property
    def words(self) -> Words:
        """The words in which the game is shown, and the command speaks."""
        return self.session.words

    @property
    def is_shared(self) -> bool:
        """True if several people share the keyboard and must not see each other's secrets."""
        return len(self.session.people) > 1 and not self.session.opened and not self.session.game.is_open

    @property
    def is_covered(self) -> bool:
        """True while the keyboard is passed on and nothing of the table may be visible."""
        return self.is_shared and self.seat is None and self.session.state.outcome is None

    @property
    def is_typing_allowed(self) -> bool:
        """True if the pending request can be replied to by a line or a command."""
        return isinstance(self.request, requests.Ask | requests.Wait | requests.Decided | requests.End)

    def reply(self, reply: requests.Reply = None) -> requests.Request | None:
        """Continue after a reply (None for the first request); return the next request, None after the last one.

        Raises Quit if somebody quits, PlayError if a rule fails, BotError if a bot does.
        """
        try:
            self.request = self._steps.send(reply)
        except StopIteration:
            self.request = None
        return self.request

    def rules_changed(self) -> requests.Request | None:
        """Continue after a change of the rules files, which withdraws the pending request; return the next one."""
        self.request = self._steps.throw(RulesChanged())
        return self.request

    # ---- decisions

    def _play(self) -> Steps[None]:
        while True:
            try:
                if (yield from self._decision()):
                    return
            except RulesChanged:
                yield from self._reload()

    def _decision(self) -> Steps[bool]:
        """The pending decision, or the end; true if the game is over and nobody has typed anything else."""
        state = self.session.state
        if state.outcome is not None:
            return not (yield from self._attended(requests.End()))
        seat, moves = state.player, state.legal_moves
        if seat is None or not moves:
            raise PlayError(NO_MOVE, self.session.game.name)
        if len(moves) == 1:
            yield from self._make(moves[0])
        elif seat in self.session.people:
            yield from self._person(seat)
        else:
            yield from self._bot()
        return False

    def _attended(self, request: requests.Wait | requests.Decided | requests.End) -> Steps[bool]:
        """Wait for the front end, and carry out commands meanwhile; true if one of them has changed the game."""
        while True:
            reply = yield request
            command = command_in(reply.text) if isinstance(reply, requests.Typed) else reply
            if isinstance(command, Command):
                if (yield from self._command(command, requests.NO_STEP)):
                    return True
            elif reply is None:
                return False
            elif self.session.state.over:
                yield requests.Say(self.words.phrase("the game is over; Ctrl-Q leaves, `trace` shows what happened"))

    def _bot(self) -> Steps[None]:
        session = self.session
        driver = session.bots.driver(session.state)
        if driver.is_quick:
            move = driver.play(session.state)
        else:
            # A command while a bot thinks may show something or take a decision back. In the first case the same
            # thought continues; in the second `_attended` says so, and the move it would have made is dropped.
            thought = session.bots.think(session.state)  # goes on thinking if it was interrupted
            if (yield from self._attended(requests.Wait(thought))):
                return
            move = thought.move(session.state)
            session.bots.forget()
            if driver.is_at_a_loss and session.may_know_question(self.seat):
                yield requests.Say(at_a_loss(driver.seat, self.words))
        yield from self._make(move)

    # The save is written before the decision is shown: whoever has seen a move can rely on it, whatever happens to the
    # terminal next.
    def _make(self, move: Move) -> Steps[None]:
        session, since, is_saved = self.session, self.session.state.ply, not self.session.unsaved
        by_hand = session.state.player in session.people and len(session.state.legal_moves) > 1
        session.make(move)
        yield from self._after_saving(is_saved)
        if (yield from self._attended(requests.Decided(since, by_hand))) or self.seat is None or session.state.over:
            return
        texts = [text for entry in session.log(self.seat, since) for text in entry.told]
        if texts:
            yield requests.Announced(texts)

    def _after_saving(self, was_saved: bool) -> Steps[None]:
        """Say that the save could not be written, or that the game continues in another one."""
        session = self.session
        if session.unsaved:
            yield requests.Warn(session.unsaved_warning, is_new=was_saved)
        moved = session.moved_warning()
        if moved:
            yield requests.Warn(moved, self.words.phrase("another save"))

    # ---- a person decides

    def _person(self, seat: str) -> Steps[None]:
        """Ask until a move is made or taken back."""
        yield from self._pass_on(seat)
        state = self.session.state
        # Answers given so far stay valid when the question is asked again, after `trace` or a refusal, as long as it is
        # the same decision of the same game. An undone game is another state with the same number of decisions.
        if self._asked_about is None or self._asked_about[0] is not state or self._asked_about[1] != state.ply:
            self._begin_question()
        yield requests.Show("table")
        self.session.bots.prepare(state)
        if self._refusal:
            yield requests.Say(self._refusal)
            self._refusal = ""
        yield requests.Show("question")
        while True:
            reply, step = (yield requests.Ask()), requests.NO_STEP
            if isinstance(reply, requests.Typed):
                text, step = reply.text, reply.step
                answer = self.session.answer(text, self.narrowing, step)
                if isinstance(answer, Unclear):
                    message = offered_once(self.session.state, text) or self.words.phrase(answer.message)
                    yield requests.Rejected(text, message)
                    continue
                reply = answer
            if isinstance(reply, Command):
                if (yield from self._command(reply, step)):
                    return
            elif isinstance(reply, Narrowing):
                if reply.move is not None:
                    yield from self._make(reply.move)
                    return
                self.narrowing = reply
                yield requests.Show("question")

    def _begin_question(self) -> None:
        state = self.session.state
        self._asked_about, self.narrowing = (state, state.ply), Narrowing(state.legal_moves)

    def _pass_on(self, seat: str) -> Steps[None]:
        """Pass on the keyboard if another person decides, after the one who leaves it has seen the last move.

        `seat` changes only when the next person has confirmed: an interruption before that begins again.
        """
        if self.is_shared and self.seat != seat:
            if self.seat is not None:
                yield requests.Seen(self.seat)
                self.seat = None
            yield requests.PassOn(seat)
        self.seat = seat

    # ---- commands

    def _command(self, command: Command, step: NarrowingStep) -> Steps[bool]:
        """Carry out a command at the question `step`; true if the pending decision may have become another one."""
        session, phrase, seat = self.session, self.words.phrase, self.seat
        is_asked = isinstance(self.request, requests.Ask)
        match command.word:
            case "quit":
                raise requests.Quit
            case "undo":
                return (yield from self._undo())
            case "back":
                yield from self._back()
            case "help" | "view" | "names" | "rules":
                yield requests.Show(command.word)
            case "log":
                yield from self._log(command.rest)
            case "trace":
                if not self.is_covered:
                    yield requests.Look(seat)
                    if is_asked:
                        yield requests.Show("table")
                        yield requests.Show("question")
            case "why":
                yield requests.Explained(f"why {command.rest}", list(explained(session, seat, command.rest, step)))
            case "preview" if is_asked:
                yield requests.Explained(f"preview {command.rest}", list(previewed(session, command.rest, step)))
            case "know" if seat is not None:
                yield requests.Know(seat)
            case "know":
                yield requests.Say(phrase("nobody is at the keyboard whose knowledge could be shown"))
            case "thoughts":
                session.shows_thoughts = not session.shows_thoughts
                yield requests.Say(phrase(THOUGHTS_SHOWN if session.shows_thoughts else THOUGHTS_HIDDEN))
            case "hint" if is_asked:
                try:
                    hint = session.hints.begin(session.state, command.rest)
                except UsageError as fault:
                    yield requests.Say(self.words.fault(fault))
                else:
                    yield requests.Search(hint, step)
            case "hint" | "preview":
                yield requests.Say(phrase("hints are for the deciding seat; nobody at this keyboard has to decide now"))
            case "save" if command.rest:
                yield requests.Say(copy_save(session, command.rest))
            case "save":
                yield requests.Show("save")
            case _:  # `moves`, an empty line
                yield requests.Show("question")
        return False

    def _log(self, rest: str) -> Steps[None]:
        entries, phrase = self.session.log(self.seat), self.words.phrase
        most = entries_wanted(rest, len(entries))
        if most is None:
            yield requests.Say(phrase("`log` expects a number of entries, at least 1, or `all`"))
        elif entries:
            yield requests.Log(entries, most)
        else:
            yield requests.Say(phrase("nothing has happened yet"))

    @property
    def can_go_back(self) -> bool:
        """True if an answer or a pick can be taken back."""
        if not isinstance(self.request, requests.Ask):
            return False
        return self.narrowing.before is not None or before_last_pick(self.session.state) is not None

    def _back(self) -> Steps[None]:
        """Go back one answer, or else take back the last of several picks; the choice continues."""
        if not self.can_go_back:
            phrase = self.words.phrase
            yield requests.Say(phrase("there is no pick to take back; `undo` goes back to your last decision"))
            return
        earlier = self.narrowing.before
        if earlier is not None:
            self.narrowing = earlier
        else:
            state = before_last_pick(self.session.state)
            assert state is not None
            is_saved = not self.session.unsaved
            self.session.go_back_to(state)
            self.session.save()
            self._begin_question()
            yield from self._after_saving(is_saved)
        yield requests.Show("question")

    def _undo(self) -> Steps[bool]:
        """Take a decision back if everybody whose consent is needed agrees; true unless there is none."""
        session, phrase = self.session, self.words.phrase
        undo = None if self.seat is None else possible_undo(session.state, self.seat, session.people)
        if undo is None:
            yield requests.Say(phrase("you have made no decision yet that could be taken back"))
            return False
        if undo.ask:
            self.seat = None
        for person in undo.ask:
            if not (yield requests.Consent(undo, person)):
                self._refusal = phrase("{seat} does not agree; nothing is taken back", seat=self.words.name(person))
                yield requests.Say(self._refusal)
                return True  # the player who asked reads it again once the keyboard is passed back
        is_saved = not session.unsaved
        session.go_back_to(undo.state)
        session.note(undo.note(everything_seen=not self.is_shared))
        yield from self._after_saving(is_saved)
        yield requests.Say(phrase("taken back"))
        return True

    # ---- changed rules

    def _reload(self) -> Steps[None]:
        """Continue under the changed rules, if they are valid and the game so far is legal under them."""
        while True:
            try:
                yield from self._reload_once()
                return
            except RulesChanged:  # again, while somebody is asked about it
                continue

    def _reload_once(self) -> Steps[None]:
        session, phrase = self.session, self.words.phrase
        if self.watcher is not None:
            self.watcher.settle()
        reloaded, is_saved = reload(session), not session.unsaved
        copy = None
        if reloaded.state is None:
            error = f"{reloaded.error}; " if reloaded.error else ""
            unchanged = sentence(error + phrase("the game continues under the old rules"))
            parts = [*map(coloured, reloaded.diagnostics), unchanged]
            yield requests.Explained(phrase("the rules were saved"), parts)
            return
        if reloaded.divergence is not None:
            if not (yield requests.Diverged(reloaded.state, reloaded.divergence)):
                yield requests.Say(phrase("the game continues under the old rules until the file is saved again"))
                return
            copy = session.keep()
        continue_with(session, reloaded.state)
        yield from self._after_saving(is_saved)
        yield requests.Say(phrase("the rules were reloaded; the game continues under them"))
        if copy is not None:
            yield requests.Say(phrase("the game so far is saved in "), copy)
