"""What the types of the rules say of a game before it is played: bounds of its returns, and of chance."""

from __future__ import annotations

from dsl.types import Number, bare
from interpreter.compiler.ir import statements as st
from interpreter.engine.program import Program
from interpreter.environments.course import Returns
from interpreter.opponents.information import CHANCE

MAX_RETURN = 1_000_000_000.0
"""The most that bounds of returns say, where the types allow more."""


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
    return max(min(low, 0.0), -MAX_RETURN), min(max(high, 0.0), MAX_RETURN)


def most_outcomes(program: Program) -> int:
    """At least the number of outcomes of every chance event; 0 without chance."""
    module, layout = program.as_lowered, program.layout
    values = [len(symbol.members) for symbol in program.model.type_symbols.values()]
    things = max(len(layout.pieces), len(layout.places), *values)
    most = 0
    for function in (*module.functions.values(), *module.blocks.values()):
        for node in st.walk(function.body):
            if isinstance(node, st.Draw):
                most = max(most, len(node.table.content[0]))
            elif isinstance(node, st.DrawItem):
                most = max(most, things)
            elif isinstance(node, CHANCE):
                most = max(most, len(layout.pieces))
    return most
