"""A table: the course of one game with several people, each at a page of their own.

The table decides what happens: who may move, what is made without asking, what an undo needs, and what each seat is
shown. It keeps no connection and starts no thread. A server calls it from whichever thread serves a message, and stores
each change before it shows it (`Keeper`); in a browser a worker does.

INVARIANT: what a seat is sent follows from its view, its log, its question and what people have said, never from the
state itself. Where somebody decides secretly, the others are sent nothing at all, so that they cannot even count
(`Table.shown`).
"""

from __future__ import annotations

from dataclasses import field
from itertools import islice
from math import inf
from typing import Protocol

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import IllegalMoveError, UsageError
from interpreter.play.game import WATCHING, Game, State
from interpreter.play.public_faults import push_at_table
from interpreter.play.saves.files import PERSON, Note
from interpreter.play.shown import is_secret, shown_state
from interpreter.play.story import HANDED_OVER, decisions_seen
from interpreter.play.undo import Undo, possible_undo
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN
from web.clock import Charge, Clock

CONSENT_SECONDS = 60.0
"""Seconds after which a request to undo lapses, where there are clocks, which stand still meanwhile."""


class Keeper(Protocol):
    """Keeps what happens at a table. Each method returns when nothing can be lost any more."""

    def decided(self, state: State, drawn: int, charge: Charge | None, pending: float) -> None:
        """The last decision of a state was made, before which `drawn` results of chance had come up.

        `charge` and `pending` are those of the clock.
        """

    def taken_back(self, state: State, note: Note | None, pending: float) -> None:
        """Decisions were taken back to a state, with a note for the log unless nobody has seen any of them."""

    def handed_over(self, seat: str, kind: str, note: Note) -> None:
        """A seat was handed over to a bot."""

    def ticked(self, pending: float) -> None:
        """Time has passed."""


class Unkept:
    """Keeps nothing, as in a browser, whose table ends with its page."""

    def decided(self, state: State, drawn: int, charge: Charge | None, pending: float) -> None:
        """See `Keeper`."""

    def taken_back(self, state: State, note: Note | None, pending: float) -> None:
        """See `Keeper`."""

    def handed_over(self, seat: str, kind: str, note: Note) -> None:
        """See `Keeper`."""

    def ticked(self, pending: float) -> None:
        """See `Keeper`."""


@dataclass
class Asking:
    """Somebody asks to go back; `missing` are the seats that have not agreed yet.

    Where clocks run, the request lapses at `until`.
    """

    undo: Undo
    missing: set[str]
    until: float = inf


@dataclass(eq=False)
class Table:
    """One game with the people and bots at it.

    `kinds` says who plays each seat, `PERSON` or a bot, `names` how the people call themselves. `version` counts all
    changes; it is not shown to anybody, as it counts secret decisions, too. `is_attended`: a player is there.
    """

    state: State
    kinds: dict[str, str]
    names: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    forced: set[int] = field(default_factory=set)
    keeper: Keeper = field(default_factory=Unkept)
    clock: Clock | None = None
    asking: Asking | None = None
    is_attended: bool = False
    version: int = 0
    _undone: dict[int, int] = field(default_factory=dict, repr=False)
    _asked_at: dict[str, int] = field(default_factory=dict, repr=False)
    _read: dict[str, State] = field(default_factory=dict, repr=False)
    _games: dict[str, Game] = field(default_factory=dict, repr=False)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.state.game

    @property
    def people(self) -> list[str]:
        """The seats played by people."""
        return [seat for seat in self.game.seats if self.kinds[seat] == PERSON]

    @property
    def deciding_bot(self) -> str | None:
        """The seat that a bot has to decide for; None if a person has to, or the game is over."""
        seat = self.state.player
        return seat if seat is not None and (self.kinds[seat] != PERSON or self.is_late) else None

    def bot_for(self, seat: str) -> str:
        """The bot that decides for a seat: that of the seat, or the one that decides when time has run out."""
        kind = self.kinds[seat]
        return self.clock.limit.stand_in if kind == PERSON and self.clock is not None else kind

    # ------------------------------------------------------------ what happens

    def begin(self) -> None:
        """Start the clock, and make the decisions without an alternative that the game begins with."""
        if self.clock is not None:
            seen = shown_state(self.state, None)
            self.clock.begin(seen.ply, seen.player, self.clock.pending)
        self._run_on()

    def play(self, seat: str, number: int, notation: str) -> None:
        """Make the move of a seat at the decision that is its `number`th known one.

        The same move sent twice counts once. Raises UsageError if it is not legal or not the seat's turn.
        """
        if number < self.known(seat):
            if self._made_at(seat, number) == notation:
                return
            raise UsageError(Phrase("this decision has already been made"))
        if self.state.player != seat or number != self.known(seat):
            raise UsageError(Phrase("somebody else has to decide now"))
        if self.asking is not None:
            raise UsageError(Phrase("somebody has asked to undo; that is decided first"))
        if self.is_late:
            raise UsageError(Phrase("the time is up; {bot} decides", bot=self.bot_for(seat)))
        self._make(notation)
        self._run_on()

    def play_bot(self, version: int, notation: str) -> None:
        """Make the move that a bot has chosen, unless anything has changed since that version, such as by an undo."""
        if self.deciding_bot is not None and self.version == version:
            self._make(notation)
            self._run_on()

    def _made_at(self, seat: str, number: int) -> str | None:
        """The move that the seat itself made at the decision that was its `number`th known one; None if it did not."""
        noticed = (record for record in self.state.history if record.player == seat or not record.unnoticed)
        record = next(islice(noticed, number, None), None)
        return None if record is None or record.player != seat else record.notation

    def _make(self, notation: str) -> None:
        state, clock = self.state, self.clock
        drawn = len(state.chance_results)
        try:
            push_at_table(state, notation)
        except IllegalMoveError as fault:
            raise UsageError(str(fault)) from None
        charge, pending, becomes_known = None, 0.0, not is_secret(state, None)
        if clock is not None and not becomes_known:
            pending = clock.elapsed
        elif clock is not None and not self.forced.issuperset(range(clock.ply, state.ply)):
            charge = clock.charge(state.ply)
        try:
            self.keeper.decided(state, drawn, charge, pending)
        except BaseException:
            state.pop()
            raise
        if clock is not None and becomes_known:
            clock.decided(charge, state.ply, state.player)
        self.version += 1
        self._wind()

    def _run_on(self) -> None:
        """Make decisions without an alternative."""
        while self.state.player is not None and len(self.state.legal_moves) == 1:
            self.forced.add(self.state.ply)
            self._make(self.state.legal_moves[0].notation)

    # ------------------------------------------------------------ time

    def attend(self, is_attended: bool) -> None:
        """Say whether any player is at the table: otherwise the clock stands still."""
        self.is_attended = is_attended
        self._wind()

    def _wind(self) -> None:
        """Let the clock run or stand still, as things are."""
        if self.clock is not None:
            self.clock.run(self.is_attended and self.asking is None and not self.state.over)

    @property
    def _seconds_left(self) -> float:
        """How soon whoever decides has no time left.

        Bots have no clock. But who decides secretly after one has as long as the others may think that it takes.
        """
        clock = self.clock
        if clock is None or clock.seat is None or self.state.over or self.asking is not None:
            return inf
        if self.kinds[clock.seat] != PERSON:
            return clock.limit.seconds - clock.elapsed
        return clock.remaining(clock.seat)

    @property
    def is_late(self) -> bool:
        """True if time has run out: a bot has to decide."""
        return self._seconds_left <= 0

    @property
    def next_alarm(self) -> float | None:
        """In how many seconds something happens by itself, for which `ring` has to be called; None if nothing does."""
        clock = self.clock
        if clock is None or not self.is_attended:
            return None
        if self.asking is not None:
            return self.asking.until - clock.now()
        return None if self._seconds_left == inf or self._is_settled else max(0.0, self._seconds_left)

    @property
    def _is_settled(self) -> bool:
        """True if time has run out, and nothing follows from that but the decision of a bot."""
        clock = self.clock
        if clock is None or clock.seat is None or not self.is_late:
            return False
        return not clock.limit.hands_over or self.kinds[clock.seat] != PERSON

    def ring(self) -> bool:
        """Do what is due by now; false if nothing was, or nobody is shown it."""
        clock, asking = self.clock, self.asking
        if clock is None:
            return False
        if asking is not None:
            if asking.until > clock.now():
                return False
            self.asking = None
        elif self.is_late and not self._is_settled and clock.seat is not None:
            seat, kind = clock.seat, clock.limit.stand_in
            note = Note(shown_state(self.state, None).ply, "seat", seat, HANDED_OVER.format(kind=kind))
            self.keeper.handed_over(seat, kind, note)
            self.kinds[seat] = kind
            self.notes.append(note)
        else:
            return False
        self.version += 1
        self._wind()
        return True

    # ------------------------------------------------------------ undo

    def ask_undo(self, seat: str) -> None:
        """Go back to the last decision of a seat, at once or when everybody has agreed. Raises UsageError.

        A seat asks the others once at a decision: while they are asked, the game stands still.
        """
        if self.state.over:  # all secrets are on the table
            raise UsageError(Phrase("the game is over"))
        if self.asking is not None:
            raise UsageError(Phrase("somebody has asked to undo already"))
        undo = possible_undo(self.state, seat, self.people)
        if undo is None:
            raise UsageError(Phrase("you have made no decision yet that could be taken back"))
        if undo.ask:
            if self._asked_at.get(seat) == self.state.ply:
                raise UsageError(Phrase("you have asked for this already; ask again after the next decision"))
            self._asked_at[seat] = self.state.ply
            until = inf if self.clock is None else self.clock.now() + CONSENT_SECONDS
            self.asking = Asking(undo, set(undo.ask), until)
            self.version += 1
            self._wind()
        else:
            self._take_back(undo)

    def consent(self, seat: str, agree: bool) -> bool:
        """Answer somebody who asks to undo; true if that is decided now. Raises UsageError if nobody asks this seat.

        Who has asked can withdraw: otherwise the game would wait for somebody who has left.
        """
        asking = self.asking
        if asking is None or not (seat in asking.missing or (seat == asking.undo.seat and not agree)):
            raise UsageError(Phrase("nobody asks you to agree to anything"))
        asking.missing.discard(seat)
        if agree and asking.missing:
            self.version += 1
            return False
        self.asking = None
        self.version += 1
        self._wind()
        if agree:
            self._take_back(asking.undo)
        return True

    def _take_back(self, undo: Undo) -> None:
        note, clock = undo.note(), self.clock
        seen = shown_state(undo.state, None)
        changes_clock = clock is not None and seen.ply < shown_state(self.state, None).ply
        pending = 0.0
        if clock is not None:
            pending = clock.after_undo(seen.ply, seen.player, bool(undo.ask)) if changes_clock else clock.elapsed
            if changes_clock and clock.would_run_out(seen.ply, seen.player, pending):
                raise UsageError(Phrase("there is no time left to decide that anew"))
        self.keeper.taken_back(undo.state, note, pending)
        self.state = undo.state
        if clock is not None and changes_clock:
            clock.go_back(seen.ply, seen.player, pending)
        self.forced = {ply for ply in self.forced if ply < undo.state.ply}
        if note is not None:
            self.notes.append(note)
        self._asked_at.clear()
        self._read.clear()
        self._wind()
        self.version += 1
        self._undone[self.version] = undo.state.ply

    # ------------------------------------------------------------ what may be known

    def known(self, seat: str | None) -> int:
        """How many decisions a seat knows of; None stands for spectators."""
        return decisions_seen(self.state, seat or WATCHING, self.state.ply)

    def has_decided(self, seat: str) -> bool:
        """True if a seat has made a decision that had an alternative."""
        decided = enumerate(self.state.history)
        return any(record.player == seat and ply not in self.forced for ply, record in decided)

    def unchanged_since(self, version: int) -> int:
        """How many decisions are surely the same as at an earlier version."""
        return min((ply for later, ply in self._undone.items() if later > version), default=self.state.ply)

    def reading(self, language: str) -> State:
        """The state for readers of a language: the same cells and decisions, other words. Raises LanguageError."""
        reading = self._read.get(language)
        if reading is None:
            game = self._games.get(language)
            if game is None:
                game = self._games[language] = self.game.in_words(language or OWN)
            reading = self._read[language] = State(
                game, game.program, self.state.cells, self.state.journal, self.state.seed
            )
        reading.made = self.state.made
        return reading

    def shown(self, seat: str | None, language: str) -> State:
        """The state that a seat is shown; see `shown_state`."""
        return shown_state(self.reading(language), seat)
