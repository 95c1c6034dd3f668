"""How many ways a game can go on: every move of every decision, down to a depth."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.chance import seeded
from interpreter.compile.layout import POINT, RANDOM
from interpreter.compile.program import Program
from interpreter.game import Game
from interpreter.runtime import Cells
from interpreter.state import State


@dataclass(frozen=True)
class Level:
    """After so many decisions: `ways` are the sequences of that many moves, `over` those of them that end the game."""

    depth: int
    ways: int
    over: int


def count_ways(game: Game, depth: int, seed: int = 0) -> tuple[list[Level], bool]:
    """The levels from 1 to `depth`, and whether chance had a part: its results then follow from the seed.

    The method is known as perft (Edwards, 1977, for chess programs). Equal positions reached in other ways count again.
    Raises `RuntimeFault` if a rule fails.
    """
    program = game.program
    S = list(program.initial)
    S[RANDOM] = seeded(seed)
    untouched = S[RANDOM]
    program.run(S, None, 0)
    levels, chance = _levels(program, S, depth)
    return levels, chance or S[RANDOM] != untouched


def count_ways_from(state: State, depth: int) -> tuple[list[Level], bool]:
    """The same from the decision that is pending in a state; chance goes on as it would there."""
    return _levels(state.program, list(state.cells), depth)


def _levels(program: Program, S: Cells, depth: int) -> tuple[list[Level], bool]:
    ways, over = [0] * (depth + 1), [0] * (depth + 1)
    chance = _count(program, S, 1, depth, ways, over)
    return [Level(number, ways[number], over[number]) for number in range(1, depth + 1)], chance


def _count(program: Program, S: Cells, level: int, depth: int, ways: list[int], over: list[int]) -> bool:
    chance = False
    for move in program.legal(S):
        T = list(S)
        program.do(T, None, move)
        ways[level] += 1
        chance |= T[RANDOM] != S[RANDOM]
        if T[POINT] < 0:
            over[level] += 1
        elif level < depth:
            chance |= _count(program, T, level + 1, depth, ways, over)
    return chance
