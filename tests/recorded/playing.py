"""Plays a game to its end and folds everything that can be asked of it into a few digests.

Only the Python interface is used (but for the words of moves, see `play`), so a record holds for any implementation of
the rules: how states are laid out and rules are compiled does not come into it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from interpreter.seat.views import history
from interpreter.seat.views.sightings import observers
from regelwerk import Explanation, Game, IllegalMoveError, Move, PlayError, State, View
from tests.recorded.draws import Tape, below, draw, seed_of
from tests.recorded.tables import Table

MAX_DECISIONS = 3_000
DEAL = 5
"""So many games in a row have the same chance, and so can reach the same positions."""

ATTEMPTS = 3
"""A game ends when so many moves in a row have failed."""

FULL_LOOKS = 24
"""The last two digits of the seed of a game that is looked at by everybody at every decision."""

TOLD = {
    "moves": "legal moves", "views": "views", "logs": "logs", "end": "outcome, chance or faults",
    "places": "which positions are equal",
}  # fmt: skip
"""What is digested of a game, with words for it."""

CHECKPOINTS = sorted({0} | {start << shift for start in (1, 3) for shift in range(12)})

Tell = Callable[[int, str, str], None]
"""Hears everything that is folded: after how many decisions, of which kind, what."""


@dataclass(frozen=True)
class Line:
    """The record of a game.

    `digests` stand in the order of `TOLD`: the legal moves of every decision; what was seen and told at those looked at
    and at the end; the outcome, chance and faults; which positions were equal to which. `chain` has six bits of the
    digest of moves at each checkpoint, `faults` the messages of rules that failed.
    """

    seed: int
    decisions: int
    digests: tuple[str, ...]
    chain: str
    faults: tuple[str, ...] = ()


class Positions:
    """Positions numbered as their keys first occur; `other_ways` counts those reached again by another way."""

    def __init__(self) -> None:
        self.numbers: dict[str, tuple[int, str]] = {}
        self.seen = self.other_ways = 0

    def number(self, key: str, way: str) -> int:
        """The number of a position reached by this way."""
        number, first = self.numbers.setdefault(key, (len(self.numbers), way))
        self.seen += 1
        self.other_ways += first != way
        return number


@dataclass
class Account:
    """What is folded during a game."""

    tell: Tell | None
    ply: int = 0
    chain: str = ""
    faults: dict[str, None] = field(default_factory=dict)
    digests: dict[str, hashlib._Hash] = field(default_factory=lambda: {kind: hashlib.sha256() for kind in TOLD})

    def add(self, kind: str, *parts: str) -> None:
        """Fold a text made of parts."""
        text = "\n".join(parts)
        self.digests[kind].update(f"{len(text)} {text}".encode())
        if self.tell is not None:
            self.tell(self.ply, kind, text)

    def checkpoint(self) -> None:
        """Keep a little of the digest of moves, at decisions further and further apart."""
        if self.ply in CHECKPOINTS:
            self.chain += self.short("moves", 1)

    def fault(self, doing: str, fault: PlayError) -> None:
        """Fold a rule that failed, without the folder of its file."""
        text = f"{doing}: {fault.message} ({Path(fault.location).name})"
        self.faults[text] = None
        self.add("end", text)

    def short(self, kind: str, characters: int = 6) -> str:
        """The beginning of a digest."""
        return base64.urlsafe_b64encode(self.digests[kind].digest())[:characters].decode()

    def line(self, seed: int) -> Line:
        """The record of the whole game."""
        return Line(seed, self.ply, tuple(self.short(kind) for kind in TOLD), self.chain, tuple(self.faults))


def play(game: Game, table: Table, seed: int, positions: Positions, tell: Tell | None = None) -> Line:
    """Play the game with this seed; positions are numbered on from those of earlier games."""
    account = Account(tell)
    deal = seed // DEAL
    tape = Tape(deal) if table.tape else None
    try:
        state = game.start(seed=0, chance=tape) if tape else game.start(seed=seed_of(deal))
    except PlayError as fault:
        account.fault("setup", fault)
        return account.line(seed)
    # The records are older than logs that name what a move lets their reader see of its pieces. They hold the words of
    # before, and so show that nothing else in any log is different; what is added, `test_sightings` tests.
    with patch.object(history, "sightings", lambda program, *_: [{} for _ in observers(program)]):
        Playing(state, table, seed, positions, account, tape).to_the_end()
    return account.line(seed)


@dataclass
class Playing:
    """A game that is being played; `way` stands for all decisions so far."""

    state: State
    table: Table
    seed: int
    positions: Positions
    account: Account
    tape: Tape | None
    way: str = ""

    def to_the_end(self) -> None:
        """Play until the game is over, or its rules fail."""
        state, account = self.state, self.account
        while state.player is not None and state.ply < MAX_DECISIONS:
            account.ply = state.ply
            self.place(self.way)
            try:
                moves = listed(state)
            except PlayError as fault:
                account.fault("legal moves", fault)
                return
            account.add("moves", asked(state), *map(in_words, moves))
            account.checkpoint()
            if self.looked_at(state.ply):
                self.look()
                self.go_other_ways(moves)
            if not self.move_on(moves):
                return
        account.ply = state.ply
        self.place(self.way)
        self.look(last=True)
        self.finish()

    # ------------------------------------------------------------ moving

    def place(self, way: str) -> None:
        """Fold the number of the present position."""
        self.account.add("places", str(self.positions.number(self.state.key(), way)))

    def move_on(self, moves: Sequence[Move]) -> bool:
        """Make a drawn move; if it fails, others. False if they all do."""
        for attempt in range(ATTEMPTS):
            move = moves[below(len(moves), self.seed, self.state.ply, attempt)]
            drawn = self.drawn()
            try:
                self.state.push(move)
            except PlayError as fault:
                self.account.fault(move.notation, fault)
                self.rewind(drawn)
                self.place(self.way)
                continue
            self.way = further(self.way, move.notation)
            return True
        return False

    def drawn(self) -> int:
        """How much of the tape has run."""
        return len(self.tape.heard) if self.tape else 0

    def rewind(self, drawn: int) -> None:
        """Run the tape back, as what was drawn since then has been taken back."""
        if self.tape:
            del self.tape.heard[drawn:]

    def go_other_ways(self, moves: Sequence[Move]) -> None:
        """Make two drawn moves in both orders, at once and with a move between them, and take all back.

        Where they lead to the same position, its key must be the same.
        """
        if len(moves) == 1:
            return
        one, other = (moves[below(len(moves), self.seed, self.state.ply, 10 + place)].notation for place in (0, 1))
        between = self.go((one,), ask=True)
        self.go((one, other))
        self.go((other, one))
        if between:
            self.go((one, between, other))
            self.go((other, between, one))

    def go(self, notations: Sequence[str], ask: bool = False) -> str:
        """Make moves and take them back; a drawn legal move at their end if `ask`."""
        state, account, drawn, way = self.state, self.account, self.drawn(), self.way
        begun = state.ply
        found = notation = ""
        try:
            for notation in notations:
                listed(state)
                state.push(notation)
                way = further(way, notation)
                self.place(way)
            if ask and state.player is not None:
                after = listed(state)
                found = after[below(len(after), self.seed, begun, 12)].notation
        except PlayError as fault:
            account.fault(notation, fault)
        except IllegalMoveError:
            account.add("places", "not legal")
        while state.ply > begun:
            state.pop()
        self.rewind(drawn)
        return found

    # ------------------------------------------------------------ looking

    @property
    def in_full(self) -> bool:
        """True if everybody looks at every decision."""
        return is_watched(self.seed)

    def looked_at(self, ply: int) -> bool:
        """True if somebody looks at this decision."""
        return self.in_full or draw(self.seed, ply, 20) % self.table.looks == 0

    def look(self, last: bool = False) -> None:
        """Fold what one drawn seat or the observer sees and was told of late; at the end, also what the observer does.

        In some games it is everybody.
        """
        state, account = self.state, self.account
        viewers = (None, *state.game.seats)
        drawn = viewers[below(len(viewers), self.seed, state.ply, 21)]
        some = dict.fromkeys((None, drawn)) if last else (drawn,)
        for viewer in viewers if self.in_full else some:
            try:
                account.add("views", str(viewer), seen(state.view(viewer)))
                log = state.log(viewer, since=0 if last else max(0, state.ply - 2))
                account.add("logs", str(viewer), *(repr((e.ply, e.player, e.text, e.details, e.kind)) for e in log))
            except PlayError as fault:
                account.fault(f"view of {viewer}", fault)

    def finish(self) -> None:
        """Fold the outcome, and the results of chance."""
        state, account = self.state, self.account
        try:
            outcome = state.outcome
        except PlayError as fault:
            account.fault("outcome", fault)
            return
        if outcome is None:
            account.add("end", "not over")
        else:
            account.add("end", str(outcome.winners), str(outcome.scores), outcome.reason, str(outcome.criteria))
            if self.in_full:
                numbers = [number for each in outcome.explained.values() for number in each]
                told = [line for number in numbers for line in without_cases(number).lines()]
                account.add("end", *told)
        account.add("end", str(state.chance_results), *(self.tape.heard if self.tape else ()))


def is_watched(seed: int) -> bool:
    """True if everybody looks at every decision of this game."""
    return seed % 100 == FULL_LOOKS


def asked(state: State) -> str:
    """The pending question, but not where it stands in the rules: that changes with any line above it."""
    assert state.question is not None
    return str(replace(state.question, location="", cites=()))


def listed(state: State) -> tuple[Move, ...]:
    """The legal moves, once all their words have been read: a label may fail."""
    moves = state.legal_moves
    for move in moves:
        in_words(move)
    return moves


def in_words(move: Move) -> str:
    """Everything a program is told of a legal move."""
    return f"{move.notation}\t{move.name}\t{move.arguments}\t{move.label}"


def seen(view: View) -> str:
    """A view as text, again without the place of the question; places and teams follow from the scores.

    The groups of places on a board, which of them are borders, its blocks and the lines between them follow
    from its file or the rules.
    """
    data = view.as_data()
    if data["board"]:
        del data["board"]["borders"], data["board"]["seams"], data["board"]["blocks"]
        for place in data["board"]["places"]:
            del place["within"], place["traits"]
    if not data["rounds"]:
        del data["rounds"]
    if data["outcome"]:
        del data["outcome"]["places"], data["outcome"]["teams"]
    if data["question"]:
        del data["question"]["location"], data["question"]["cites"]
    return json.dumps(data)


def without_cases(explained: Explanation) -> Explanation:
    """An explained number without the cases that applied: they follow from the values."""
    return replace(explained, case="", children=tuple(map(without_cases, explained.children)))


def further(way: str, notation: str) -> str:
    """A way with one more move, as a digest."""
    return hashlib.sha256(f"{way}\n{notation}".encode()).hexdigest()[:16]
