"""What a game returns to each seat at its end, as a number, and what the types of the rules say of it beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from dsl.types import Number, bare
from interpreter.arguments import described
from interpreter.engine.program import Program
from interpreter.errors import UsageError
from interpreter.opponents.evaluation import sides_of, win_shares, win_together
from interpreter.play.game import State
from interpreter.seat.explain.outcome import winners_of

Returns = Literal["win", "score", "margin"]
"""What a game returns to each seat: for who wins, or the first number by which the game is decided, or how much that is
above the mean of all seats."""

MAX_RETURN = 1_000_000_000.0
"""The most that bounds of returns say, where the types allow more."""


def returns_of(state: State, kind: Returns = "win") -> tuple[float, ...]:
    """What a game that is over returns to each seat, in turn order.

    For "win" these are numbers from -1 to 1 whose sum, over seats or teams, is 0: 1 for the only winner, -1 for the
    loser of two, -1/2 for both losers of three; 0 for all where all win or nobody. Where all win or lose together, as
    in a game for one, it is 1 or -1 for each. For "score" they are the first criterion of the game, for "margin" the
    same less the mean of all seats: in games where the sum of scores is always 0, the scores themselves.
    """
    program = state.program
    criteria = program.criteria_of_all(state.cells)
    return returns_of_criteria(program, criteria, sides_of(program, state), winners_of(program, state.cells), kind)


def returns_of_criteria(
    program: Program, criteria: Sequence[Sequence[int]], sides: Sequence[tuple[int, ...]], winners: Sequence[int],
    kind: Returns,
) -> tuple[float, ...]:  # fmt: skip
    """The same from the criteria of all seats, the seats on the side of each, and the winners."""
    if kind != "win":
        mean = sum(criterion[0] for criterion in criteria) / len(criteria) if kind == "margin" else 0.0
        return tuple([criterion[0] - mean for criterion in criteria])
    together = win_together(program, sides)
    shares = win_shares(sum(1 << seat for seat in winners), sides, together)
    return returns_of_shares(shares, len(set(sides)), together)


def returns_of_shares(shares: Sequence[float], sides: int, together: bool) -> tuple[float, ...]:
    """The returns for shares of the win."""
    if together:
        return tuple([2 * share - 1 for share in shares])
    if not any(shares):
        return (0.0,) * len(shares)
    return tuple([(sides * share - 1) / (sides - 1) for share in shares])


def returns_named(kind: str) -> Returns:
    """The kind of returns with this name. Raises UsageError."""
    for known in get_args(Returns):
        if kind == known:
            return known  # type: ignore[no-any-return]
    raise UsageError(f'`returns` is "win", "score" or "margin", not {described(kind)}')


# ---------------------------------------------------------------- before a game is played


def is_common(program: Program) -> bool:
    """True if all seats win or lose together, or there is only one."""
    winner = program.model.winner
    return len(program.layout.seats) == 1 or winner is None or all(map(program.is_same_for_all, winner.criteria))


def is_zero_sum(program: Program, returns: Returns) -> bool:
    """True if the returns of all seats surely add up to zero."""
    if len(program.layout.seats) == 1:
        return False
    return returns == "margin" or (returns == "win" and program.model.teams is None and not is_common(program))


def return_bounds(program: Program, returns: Returns) -> tuple[float, float]:
    """The least and the most that a seat can get, by the types of the rules; 0 is among them, for games broken off."""
    winner = program.model.winner
    if returns == "win" or winner is None:
        return -1.0, 1.0
    criterion = winner.criteria[0]
    core = bare(program.model.types[criterion.value.number])
    low, high = (float(core.low), float(core.high)) if isinstance(core, Number) else (0.0, 1.0)
    if criterion.direction == "lowest":
        low, high = -high, -low
    if returns == "margin":
        seats = len(program.layout.seats)
        high = (high - low) * (seats - 1) / seats
        low = -high
    return max(min(low, 0.0), -MAX_RETURN), min(max(high, 0.0), MAX_RETURN)
