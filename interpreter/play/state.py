"""A game in progress as plain data: moving forward and back, copies, keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Self, TypeVar

from interpreter.arguments import described, seat_number
from interpreter.compiler.decisions import OVER_POINT
from interpreter.engine.program import Program
from interpreter.engine.seated_game import SeatedGame
from interpreter.errors import IllegalMoveError
from interpreter.runtime.cells import Cells, Journal, MoveCode
from interpreter.runtime.chance import Chance, ChanceResult, seeded
from interpreter.runtime.layout import DRAWN, IDLE, ME, MOVES, POINT, RANDOM
from interpreter.seat.notation.moves import Move, moves_in_words
from interpreter.seat.notation.reading import moves_written
from interpreter.seat.views.history import DecisionRecord, Made, Question, records_of
from interpreter.seat.views.seat_view import question_of

Past = Callable[[], tuple[Journal, list[Made]]]
"""The journal of a position and the decisions that led to it."""


class PlayState:
    """A game in progress: plain data, and the journal of all changes so far.

    `push` makes a move and runs on to the next decision; `pop` takes the last one back with all its effects.
    """

    __slots__ = ("_past", "_records", "cells", "game", "journal", "made", "program", "seed")

    def __init__(self, game: SeatedGame, program: Program, cells: Cells, journal: Journal, seed: int) -> None:
        self.game, self.program, self.cells, self.journal = game, program, cells, journal
        self.seed = seed
        self.made: list[Made] = []
        self._records: list[DecisionRecord] = []
        self._past: Past | None = None

    @classmethod
    def with_past(cls, game: SeatedGame, program: Program, cells: Cells, seed: int, past: Past) -> Self:
        """A position whose journal, with the decisions that led to it, is computed when it is first read.

        Searches start from hundreds of positions, and read the past of none.
        """
        state = cls(game, program, cells, Journal(), seed)
        del state.journal, state.made
        state._past = past
        return state

    def __getattr__(self, name: str) -> Any:  # only of what is not set
        if name not in ("journal", "made") or self._past is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        past, self._past = self._past, None
        self.journal, self.made = past()
        return getattr(self, name)

    @property
    def has_supplied_chance(self) -> bool:
        """True if the results of chance are supplied from outside."""
        return self._past is None and self.journal.chance is not None

    @classmethod
    def before_setup(cls, game: SeatedGame, program: Program, seed: int, chance: Chance | None) -> Self:
        """A game before its setup, with every piece in its home."""
        cells = Cells(program.initial)
        cells[RANDOM] = seeded(seed)
        return cls(game, program, cells, Journal(chance), seed)

    def __repr__(self) -> str:
        turn = f"{self.player} decides" if self.player is not None else "the game is over"
        return f"<State of {self.game.title}: {self.ply} decisions made, {turn}>"

    # ------------------------------------------------------------ the pending decision

    @property
    def player(self) -> str | None:
        """The seat that decides, None when the game is over."""
        return self.game.seats[self.cells[ME]] if self.cells[POINT] >= 0 else None

    @property
    def ply(self) -> int:
        """The number of decisions made."""
        return len(self.made)

    @property
    def question(self) -> Question | None:
        """The pending question."""
        return question_of(self.program, self.cells)

    @property
    def picked(self) -> int:
        """Where several are chosen one by one: how many have been picked; 0 at any other decision."""
        decision = self.program.decision(self.cells)
        return 0 if decision is None or decision.chosen is None else self.cells[decision.chosen].bit_count()

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in a stable order, without duplicates; empty when the game is over.

        Raises PlayError if a requirement fails. Their words are rendered when they are read, which raises PlayError if
        a label fails; they are those of now even if the state changes in between.
        """
        return moves_in_words(self.program, self.cells, self.program.legal(self.cells))

    # ------------------------------------------------------------ forward and back

    def push(self, move: Move | str) -> None:
        """Make a move, given as one of `legal_moves` or by its notation, and run to the next decision.

        Raises IllegalMoveError if it is not legal now, PlayError if a rule fails; the state is then as before. The
        words of a move of `legal_moves` are not rendered, nor is the decision for the logs.
        """
        code = self.code_of(move)
        self._make(code, self.program.legal(self.cells))

    def push_number(self, number: int) -> None:
        """Make the move with this number among `legal_moves`, as `push` does.

        Raises IllegalMoveError if there is none, PlayError if a rule fails; the state is then as before.
        """
        legal = self.program.legal(self.cells)
        if not 0 <= number < len(legal):
            raise IllegalMoveError(f"there is no legal move number {number} now; legal moves: {len(legal)}")
        self._make(legal[number], legal)

    def _make(self, code: MoveCode, legal: list[MoveCode]) -> None:
        decision = Made(len(self.journal), code, legal)
        drawn = len(self.journal.results)
        try:
            self.program.do(self.cells, self.journal, code)
        except BaseException:
            self._undo(decision)
            del self.journal.results[drawn:]
            raise
        self.made.append(decision)

    def code_of(self, move: Move | str) -> MoveCode:
        """The number of a legal move. Raises IllegalMoveError if it is not legal now, PlayError if a rule fails."""
        legal = self.program.legal(self.cells)
        if isinstance(move, Move):
            if move.was_listed_in(self.program, self.cells):
                return move.code
            if move.code in legal and moves_in_words(self.program, self.cells, [move.code])[0] == move:
                return move.code
        elif not isinstance(move, str):
            raise IllegalMoveError(f"a move must be one of `legal_moves` or its notation, not {described(move)}")
        notation = str(move)
        matches = moves_written(self.legal_moves, notation)
        if len(matches) == 1:
            return matches[0].code
        if matches:
            moves = " and ".join(candidate.notation for candidate in matches)
            raise IllegalMoveError(f"`{notation}` may be several legal moves: {moves}")
        if not legal:
            raise IllegalMoveError(f"`{notation}` is not possible: the game is over")
        raise IllegalMoveError(f"`{notation}` is not a legal move now; legal moves: {len(legal)}")

    def pop(self) -> None:
        """Take the last decision back with all its effects. Raises IllegalMoveError if there is none."""
        if not self.made:
            raise IllegalMoveError("there is no decision to take back")
        self._undo(self.made.pop())
        del self._records[len(self.made) :]
        del self.journal.results[self.cells[DRAWN] :]

    def _undo(self, decision: Made) -> None:
        """Undo a decision.

        The legal moves in `MOVES` are a cache and not in the journal.
        """
        self.journal.undo(self.cells, decision.start)
        self.cells[MOVES] = decision.legal

    # ------------------------------------------------------------ the decisions made

    @property
    def history(self) -> list[DecisionRecord]:
        """The decisions made, with their words at the time; these are rendered when they are first asked for.

        Raises PlayError if a label fails.
        """
        self.render_history()
        return list(self._records)

    def render_history(self) -> None:
        """Render the decisions of `history`. Raises PlayError if a label fails.

        Code that changes cells without the journal must call this first, as words are found by way of the journal.
        """
        self._records += records_of(self.program, self.cells, self.journal, self.made[len(self._records) :])

    def copy(self) -> Self:
        """An independent copy with the same past."""
        if self._past is not None:
            return self.with_past(self.game, self.program, Cells(self.cells), self.seed, self._past)
        # Entries of the journal and decisions are never changed, so copying the lists is enough.
        journal = Journal(self.journal.chance)
        journal.extend(self.journal)
        journal.results = list(self.journal.results)
        copy = type(self)(self.game, self.program, Cells(self.cells), journal, self.seed)
        copy.made, copy._records = list(self.made), list(self._records)
        return copy

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def key(self) -> str:
        """A short text, equal for equal states of the same game: the table, the pending decision, and future chance."""
        return key_of(self.cells)

    # ------------------------------------------------------------ queries

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self.cells[POINT] == OVER_POINT)

    @property
    def chance_results(self) -> list[ChanceResult]:
        """All chance results: for a shuffle the new order of the old positions, else the number of the result."""
        return list(self.journal.results)

    def seat_number(self, seat: str | None) -> int | None:
        """The index of a seat in turn order; None for nobody. Raises UnknownSeatError."""
        if seat is None:
            return None
        return seat_number(self.game.seats, seat)


def key_of(cells: Cells) -> str:
    """The key of a state with these cells."""
    plain = [cell for number, cell in enumerate(cells) if number not in (MOVES, IDLE, DRAWN)]
    return hashlib.sha256(repr(plain).encode("ascii")).hexdigest()[:32]


Earlier = TypeVar("Earlier", bound=PlayState)
"""The class of a state and of those that it was before."""


def back_to(state: Earlier, ply: int) -> Earlier:
    """A copy of a game as it was after `ply` decisions."""
    earlier = state.copy()
    while earlier.ply > ply:
        earlier.pop()
    return earlier


def push_in_words(state: PlayState, move: Move | str) -> None:
    """Make a move like `push`, and render it for the logs, unless that fails: then it is not made. Raises PlayError."""
    state.push(move)
    try:
        state.render_history()
    except BaseException:
        state.pop()
        raise
