"""What is known of the returns of a game before it is played: their bounds, and whether their sum is always zero."""

from __future__ import annotations

from dsl.types import Number, bare
from interpreter.engine.program import Program
from interpreter.environments.course import Returns

LARGEST = 1_000_000_000.0
"""No bound is larger."""


def is_common(program: Program) -> bool:
    """True if all seats win or lose together, or there is only one."""
    winner = program.model.winner
    return len(program.layout.seats) == 1 or winner is None or program.is_same_for_all(winner.criteria[0])


def is_zero_sum(program: Program, returns: Returns) -> bool:
    """True if the returns of all seats surely add up to zero."""
    if len(program.layout.seats) == 1:
        return False
    return returns == "margin" or (returns == "win" and program.model.teams is None and not is_common(program))


def bounds(program: Program, returns: Returns) -> tuple[float, float]:
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
    return max(min(low, 0.0), -LARGEST), min(max(high, 0.0), LARGEST)
