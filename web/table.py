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
from typing import Protocol

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import IllegalMoveError, UsageError
from interpreter.play.game import WATCHING, Game, State
from interpreter.play.saves.files import Note
from interpreter.play.shown import shown_state
from interpreter.play.state import push_in_words
from interpreter.play.story import decisions_seen
from interpreter.play.undo import Undo, possible_undo
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN

PERSON = "human"
"""Who plays a seat if no bot does; saves say so, too."""


class Keeper(Protocol):
    """Keeps what happens at a table. Each method returns when nothing can be lost any more."""

    def decided(self, ply: int, seat: str, notation: str) -> None:
        """A decision was made."""

    def taken_back(self, ply: int, note: Note | None) -> None:
        """Decisions from a number on were taken back, with a note for the log unless nobody has seen any of them."""


class Unkept:
    """Keeps nothing, as in a browser, whose table ends with its page."""

    def decided(self, ply: int, seat: str, notation: str) -> None:
        """See `Keeper`."""

    def taken_back(self, ply: int, note: Note | None) -> None:
        """See `Keeper`."""


@dataclass
class Asking:
    """Somebody asks to go back; `missing` are the seats that have not agreed yet."""

    undo: Undo
    missing: set[str]


@dataclass(eq=False)
class Table:
    """One game with the people and bots at it.

    `kinds` says who plays each seat, `PERSON` or a bot, `names` how the people call themselves. `version` counts all
    changes; it is not shown to anybody, as it counts secret decisions, too.
    """

    state: State
    kinds: dict[str, str]
    names: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    forced: set[int] = field(default_factory=set)
    keeper: Keeper = field(default_factory=Unkept)
    asking: Asking | None = None
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
        return seat if seat is not None and self.kinds[seat] != PERSON else None

    # ------------------------------------------------------------ what happens

    def begin(self) -> None:
        """Make the decisions without an alternative that the game begins with."""
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
        self._make(notation)
        self._run_on()

    def play_bot(self, version: int, notation: str) -> None:
        """Make the move that a bot has chosen, unless anything has changed since that version, such as by an undo."""
        if self.deciding_bot is not None and self.version == version:
            self._make(notation)
            self._run_on()

    def _made_at(self, seat: str, number: int) -> str | None:
        """The move that the seat itself made at the decision that was its `number`th known one; None if it did not."""
        known = (record for record in self.state.history if record.player == seat or not record.unnoticed)
        record = next(islice(known, number, None), None)
        return None if record is None or record.player != seat else record.notation

    def _make(self, notation: str) -> None:
        state, ply = self.state, self.state.ply
        seat = state.player
        assert seat is not None
        try:
            push_in_words(state, notation)
        except IllegalMoveError as fault:
            raise UsageError(str(fault)) from None
        try:
            self.keeper.decided(ply, seat, state.history[ply].notation)
        except BaseException:
            state.pop()
            raise
        self.version += 1

    def _run_on(self) -> None:
        """Make decisions without an alternative."""
        while self.state.player is not None and len(self.state.legal_moves) == 1:
            ply = self.state.ply
            self._make(self.state.legal_moves[0].notation)
            self.forced.add(ply)

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
            self.asking = Asking(undo, set(undo.ask))
            self.version += 1
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
        if agree:
            self._take_back(asking.undo)
        return True

    def _take_back(self, undo: Undo) -> None:
        note = undo.note()
        self.keeper.taken_back(undo.state.ply, note)
        self.state = undo.state
        self.forced = {ply for ply in self.forced if ply < undo.state.ply}
        if note is not None:
            self.notes.append(note)
        self._asked_at.clear()
        self._read.clear()
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
