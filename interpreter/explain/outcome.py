"""The outcome of a game: winners, scores, and the explanation of every number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interpreter.explain.breakdown import Explanation, explain
from interpreter.explain.score_reasons import score_reasons_of
from interpreter.layout.cells import ME
from interpreter.program import Program
from interpreter.runtime.primitives import REASON, Cells, Journal


@dataclass(frozen=True)
class Outcome:
    """The result of a game; `scores` has one number per seat and criterion. The last three are for explanations."""

    winners: tuple[str, ...]
    scores: dict[str, tuple[int, ...]]
    reason: str
    criteria: tuple[str, ...]
    program: Program = field(repr=False, compare=False)
    cells: tuple[Any, ...] = field(repr=False, compare=False)
    reasons: tuple[tuple[int, Any], ...] = field(repr=False, compare=False)

    @cached_property
    def explained(self) -> dict[str, tuple[Explanation, ...]]:
        """For each seat the explanations of its numbers; computed on first use."""
        assert self.program.model.winner is not None
        reasons = score_reasons_of(self.program, list(self.cells), self.reasons)
        found: dict[str, tuple[Explanation, ...]] = {}
        for index, seat in enumerate(self.program.layout.seats):
            own = list(self.cells)
            own[ME] = index
            criteria = self.program.model.winner.criteria
            found[seat] = tuple(explain(self.program, own, each.value, score_reasons=reasons) for each in criteria)
        return found


def winners_of(program: Program, S: Cells) -> Iterator[int]:
    """The seats that nobody is ahead of; a tie after the last criterion is shared."""
    ranks = [_rank(program, S, seat) for seat in range(len(program.layout.seats))]
    best = max(ranks)
    return (seat for seat, rank in enumerate(ranks) if rank == best)


def _rank(program: Program, S: Cells, seat: int) -> tuple[int, ...]:
    return program.criteria(S, seat)


def outcome_of(program: Program, S: Cells, journal: Journal | None = None) -> Outcome:
    """Compute the outcome as if the game ended now; with the journal, score reasons explain the numbers.

    Raises PlayError if a criterion of `winner` fails.
    """
    seats = program.layout.seats
    winner = program.model.winner
    assert winner is not None
    signs = [1 if criterion.direction == "highest" else -1 for criterion in winner.criteria]
    scores = {
        seat: tuple(sign * number for sign, number in zip(signs, program.criteria(S, index), strict=True))
        for index, seat in enumerate(seats)
    }
    won = tuple(seats[index] for index in winners_of(program, S))
    criteria = tuple(f"{c.direction} {c.value.span.text}" for c in winner.criteria)
    names = " and ".join(won)
    reason = f"{names} {'wins' if len(won) == 1 else 'share the win'}: {', then '.join(criteria)}"
    reasons = tuple(entry for entry in journal or () if entry[0] == REASON)
    return Outcome(won, scores, reason, criteria, program, tuple(S), reasons)
