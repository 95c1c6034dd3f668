"""The outcome of a game: who wins, the places of all seats, and the explanation of every number."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interpreter.explain.breakdown import Explanation, explain
from interpreter.explain.score_reasons import score_reasons_of
from interpreter.layout.cells import ME
from interpreter.program import Program
from interpreter.runtime.primitives import REASON, Cells, Journal
from interpreter.runtime.ranking import leaders, places


@dataclass(frozen=True)
class Outcome:
    """The result of a game; there may be no winners.

    `scores` has one number per seat and criterion; for a condition it is 1 if the seat meets it, else 0. `places` are
    the places of all seats, the best first: 1, 2, 2, 4. The last three are for explanations.
    """

    winners: tuple[str, ...]
    scores: dict[str, tuple[int, ...]]
    reason: str
    criteria: tuple[str, ...]
    places: dict[str, int]
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


def winners_of(program: Program, S: Cells) -> tuple[int, ...]:
    """The seats that win if the game is over now: a tie after the last criterion is shared."""
    return leaders(program.ranks(S))


def outcome_of(program: Program, S: Cells, journal: Journal | None = None) -> Outcome:
    """Compute the outcome as if the game ended now; with the journal, score reasons explain the numbers.

    Raises PlayError if a criterion of `winner` fails.
    """
    seats = program.layout.seats
    winner = program.model.winner
    assert winner is not None
    signs = [-1 if criterion.direction == "lowest" else 1 for criterion in winner.criteria]
    ranks = program.ranks(S)
    scores = {
        seat: tuple(sign * number for sign, number in zip(signs, numbers, strict=True))
        for seat, (_, *numbers) in zip(seats, ranks, strict=True)
    }
    won = leaders(ranks)
    criteria = tuple(criterion.text for criterion in winner.criteria)
    reason = f"{verdict(program, S, won)}: {', then '.join(criteria)}"
    reasons = tuple(entry for entry in journal or () if entry[0] == REASON)
    place_of = dict(sorted(zip(seats, places(ranks), strict=True), key=lambda each: each[1]))
    names = tuple(seats[seat] for seat in won)
    return Outcome(names, scores, reason, criteria, place_of, program, tuple(S), reasons)


def verdict(program: Program, S: Cells, won: tuple[int, ...]) -> str:
    """Who wins, in words: `ann wins`, `ann and ben share the win`, `everyone loses`."""
    seats, several = program.layout.seats, len(program.layout.seats) > 1
    if not won:
        if not several:
            return f"{seats[0]} loses"
        return "everyone loses" if _lost_by_all(program, S) else "nobody wins"
    if several and len(won) == len(seats) and program.conditions:
        return "everyone wins"
    return f"{' and '.join(seats[seat] for seat in won)} {'wins' if len(won) == 1 else 'share the win'}"


def in_brief(program: Program, S: Cells, won: tuple[int, ...]) -> str:
    """The names of the winners, or in words that nobody, or everyone, wins."""
    words = verdict(program, S, won)
    return words.removesuffix(" wins").removesuffix(" share the win") if won else words


def _lost_by_all(program: Program, S: Cells) -> bool:
    """True if a condition that is the same for all seats is not met."""
    assert program.model.winner is not None
    met = program.criteria(S, 0)
    criteria = program.model.winner.criteria
    return any(not met[number] and program.is_same_for_all(criteria[number]) for number in program.conditions)
