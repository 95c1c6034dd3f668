"""A game in progress as plain data: moving forward and back, copies, keys."""

from __future__ import annotations

import hashlib
from typing import Any, Self

from dsl import ast
from dsl.text.visible import brief
from interpreter.arguments import described
from interpreter.decisions import OVER_POINT
from interpreter.errors import IllegalMoveError, UnknownSeatError
from interpreter.layout.cells import DRAWN, IDLE, ME, MOVES, POINT, RANDOM
from interpreter.notation.words import Move, move_in_words, moves_in_words, observer_label
from interpreter.program import Program
from interpreter.runtime.chance import Chance, seeded
from interpreter.runtime.primitives import Cells, Journal
from interpreter.seated_game import SeatedGame
from interpreter.views.history import DecisionRecord, Question
from interpreter.views.seat_view import question_of


class PlayState:
    """A game in progress: plain data, and the journal of all changes so far.

    `push` makes a move and runs on to the next decision; `pop` takes the last one back with all its effects.
    """

    __slots__ = ("cells", "game", "history", "journal", "program", "seed")

    def __init__(self, game: SeatedGame, program: Program, cells: Cells, journal: Journal, seed: int) -> None:
        self.game, self.program, self.cells, self.journal, self.seed = game, program, cells, journal, seed
        self.history: list[DecisionRecord] = []

    @classmethod
    def before_setup(cls, game: SeatedGame, program: Program, seed: int, chance: Chance | None) -> Self:
        """A game before its setup, with every piece in its home."""
        cells = list(program.initial)
        cells[RANDOM] = seeded(seed)
        return cls(game, program, cells, Journal(chance), seed)

    # ------------------------------------------------------------ the pending decision

    @property
    def player(self) -> str | None:
        """The seat that decides, None when the game is over."""
        return self.game.seats[self.cells[ME]] if self.cells[POINT] >= 0 else None

    @property
    def ply(self) -> int:
        """The number of decisions made."""
        return len(self.history)

    @property
    def question(self) -> Question | None:
        """The pending question."""
        return question_of(self.program, self.cells)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in a stable order, without duplicates; empty when the game is over.

        Raises PlayError if a requirement or label fails.
        """
        return moves_in_words(self.program, self.cells, self.program.legal(self.cells))

    # ------------------------------------------------------------ forward and back

    def push(self, move: Move | str) -> None:
        """Make a move, given as one of `legal_moves` or by its notation, and run to the next decision.

        Raises IllegalMoveError if it is not legal now, PlayError if a rule fails; the state is then as before.
        """
        found = self._find(move)
        mark = len(self.journal)
        record = self._record(found, mark)
        drawn = len(self.journal.results)
        try:
            self.program.do(self.cells, self.journal, found.code)
        except BaseException:
            self._undo_to(mark)
            del self.journal.results[drawn:]
            raise
        self.history.append(record)

    def _find(self, move: Move | str) -> Move:
        if not isinstance(move, Move | str):
            raise IllegalMoveError(f"a move must be one of `legal_moves` or its notation, not {described(move)}")
        codes = self.program.legal(self.cells)
        if isinstance(move, Move) and move.code in codes:
            same = move_in_words(self.program, self.cells, move.code)
            if same == move:
                return move
        notation = move if isinstance(move, str) else move.notation
        plain = notation.replace(" ", "")
        for candidate in self.legal_moves:
            if candidate.notation.replace(" ", "") == plain:
                return candidate
        if not codes:
            raise IllegalMoveError(f"`{notation}` is not possible: the game is over")
        raise IllegalMoveError(f"`{notation}` is not a legal move now; `legal_moves` lists the {len(codes)} that are")

    def _record(self, move: Move, start: int) -> DecisionRecord:
        decision = self.program.decision(self.cells)
        assert decision is not None and self.player is not None
        label = f"choose {move.label}" if isinstance(decision.node, ast.Choose) and move.code[0] >= 0 else move.label
        labels = tuple(
            label if seat == self.cells[ME] else observer_label(self.program, self.cells, decision.node, move, seat)
            for seat in range(len(self.game.seats))
        )
        return DecisionRecord(
            self.player, move.notation, label, labels, decision.node.secretly, move.code[0] < 0, start, move.code
        )

    def pop(self) -> None:
        """Take the last decision back with all its effects. Raises IllegalMoveError if there is none."""
        if not self.history:
            raise IllegalMoveError("there is no decision to take back")
        record = self.history.pop()
        self._undo_to(record.start)
        self.cells[MOVES] = None
        del self.journal.results[self.cells[DRAWN] :]

    def _undo_to(self, mark: int) -> None:
        """Undo the journal, last entry first, down to an earlier length; a cell may occur in it several times.

        The legal moves in `MOVES` are a cache and not in the journal.
        """
        cells, journal = self.cells, self.journal
        while len(journal) > mark:
            cell, old = journal.pop()
            if cell >= 0:
                cells[cell] = old
        cells[MOVES] = None

    def copy(self) -> Self:
        """An independent copy with the same past."""
        journal = Journal(self.journal.chance)
        journal.extend(self.journal)
        journal.results = list(self.journal.results)
        other = type(self)(self.game, self.program, list(self.cells), journal, self.seed)
        other.history = list(self.history)
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def key(self) -> str:
        """A short text, equal for equal states of the same game: the table, the pending decision, and future chance."""
        plain = [cell for number, cell in enumerate(self.cells) if number not in (MOVES, IDLE, DRAWN)]
        return hashlib.sha256(repr(plain).encode("ascii")).hexdigest()[:32]

    # ------------------------------------------------------------ queries

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self.cells[POINT] == OVER_POINT)

    @property
    def chance_results(self) -> list[Any]:
        """All chance results: for a shuffle the new order of the old positions, else the number of the result."""
        return list(self.journal.results)

    def seat_number(self, player: str | None) -> int | None:
        """The index of a seat in turn order; None for nobody. Raises UnknownSeatError."""
        if player is None:
            return None
        if player not in self.game.seats:
            raise UnknownSeatError(f"there is no seat `{brief(player)}` in this game")
        return self.game.seats.index(player)
