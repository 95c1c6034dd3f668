"""The legal moves that remain after some answers, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.narrowing.filtering import matching
from interpreter.seat.narrowing.steps import Candidate, Fits, NarrowingStep, step_of
from interpreter.seat.notation.moves import Move


@dataclass(frozen=True)
class Narrowing:
    """The moves that remain after `answers`, which are in words; `before` is without the last of them.

    `in_doubt`: the last answer may have meant something else than the only move that remains, which is asked for.
    """

    moves: tuple[Move, ...]
    answers: tuple[str, ...] = ()
    before: Narrowing | None = None
    in_doubt: bool = False

    @property
    def move(self) -> Move | None:
        """The move, once only one remains and no doubt."""
        return self.moves[0] if len(self.moves) == 1 and not self.in_doubt else None

    def step(self, fits: Fits) -> NarrowingStep:
        """The next question."""
        return step_of(self.moves, fits)

    def answer(self, candidate: Candidate) -> Narrowing:
        """Narrow to the moves of a candidate."""
        return Narrowing(candidate.moves, (*self.answers, candidate.words), self)

    def about(self, name: str) -> Narrowing | None:
        """Narrow to the moves that are about a value, such as a place of the board; None if there are none."""
        return self.to([move for move in self.moves if name in move.names], name)

    def filtered(self, text: str) -> Narrowing | None:
        """Narrow to the moves that match some words; None if there are none."""
        return self.to(matching(self.moves, text), text.strip())

    def to(self, moves: Sequence[Move], words: str, in_doubt: bool = False) -> Narrowing | None:
        """Narrow to some moves, with `words` as the answer that led there; None if there are none."""
        return Narrowing(tuple(moves), (*self.answers, words), self, in_doubt) if moves else None
