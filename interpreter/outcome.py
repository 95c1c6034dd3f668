"""How a game ended: winners, scores, and how every number came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.compile.layout import ME
from interpreter.compile.program import Program
from interpreter.explain import Explained, explain
from interpreter.gains import gains
from interpreter.runtime import Cells, Journal


@dataclass(frozen=True)
class Outcome:
    """`scores`: for each seat one number a criterion; `explained`: the tree of each of these numbers."""

    winners: tuple[str, ...]
    scores: dict[str, tuple[int, ...]]
    reason: str
    criteria: tuple[str, ...]
    explained: dict[str, tuple[Explained, ...]]

    def as_data(self) -> dict[str, Any]:
        """Plain data, without the explanations."""
        return {
            "winners": list(self.winners),
            "scores": {seat: list(numbers) for seat, numbers in self.scores.items()},
            "reason": self.reason,
            "criteria": list(self.criteria),
        }


def winners_of(program: Program, S: Cells) -> Iterator[int]:
    """The seats that nobody is ahead of; what is still equal after the last criterion is shared."""
    ranks = [_ahead(program, S, seat) for seat in range(len(program.layout.seats))]
    best = max(ranks)
    return (seat for seat, rank in enumerate(ranks) if rank == best)


def _ahead(program: Program, S: Cells, seat: int) -> tuple[int, ...]:
    return program.criteria(S, seat)


def outcome_of(program: Program, S: Cells, journal: Journal | None = None) -> Outcome:
    """The outcome of a state as if the game ended now; with its journal, numbers are explained by their reasons."""
    gained = gains(program, S, journal) if journal is not None else {}
    seats = program.layout.seats
    winner = program.model.winner
    assert winner is not None
    signs = [1 if criterion.direction == "highest" else -1 for criterion in winner.criteria]
    scores = {
        seat: tuple(sign * number for sign, number in zip(signs, program.criteria(S, place), strict=True))
        for place, seat in enumerate(seats)
    }
    won = tuple(seats[place] for place in winners_of(program, S))
    criteria = tuple(f"{c.direction} {c.value.span.text}" for c in winner.criteria)
    explained: dict[str, tuple[Explained, ...]] = {}
    for place, seat in enumerate(seats):
        own = list(S)
        own[ME] = place
        explained[seat] = tuple(explain(program, own, criterion.value, gained=gained) for criterion in winner.criteria)
    names = " and ".join(won)
    reason = f"{names} {'wins' if len(won) == 1 else 'share the win'}: {', then '.join(criteria)}"
    return Outcome(won, scores, reason, criteria, explained)
