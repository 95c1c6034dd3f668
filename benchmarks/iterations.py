"""`python -m benchmarks.iterations`: iterations per second of `mcts` in the large games, in either engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from benchmarks.figures import Figure, shown, table
from benchmarks.large import GAMES as LARGE
from benchmarks.paired import compared, timed
from benchmarks.stepwise import BOTH, middle
from interpreter.arguments import Backend
from interpreter.opponents.budgets import Budget
from interpreter.opponents.driver import Driver
from interpreter.opponents.mcts import analyse
from interpreter.opponents.situation import Situation
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import load

PLAYERS = {"chinesische_mauer": 3, "china": 3}
"""The numbers of players; other games use their minimum."""

PART = 0.15
"""The approximate fraction of the length of a measurement that one of these takes."""

ITERATIONS = 200
"""The iterations of one search, which also draws its worlds."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Iterations per second of `mcts` in the middle of a large game, in either engine."""
    return list(iterations(rounds, span))


def iterations(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """Searches of the same situation, with both backends in turn."""
    for name in names:
        state = middle(load(name, PLAYERS.get(name)))
        while len(state.legal_moves) == 1:
            state.push(state.legal_moves[0])
        assert state.player is not None
        situation = Driver(BotSpec("mcts", "mcts"), state.player).situation(state, lambda: False)
        sides = [timed(searching(situation, backend)) for backend in BOTH]
        found = compared(sides[0], sides[1], rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} iterations/s"
        yield Figure(f"{name}: iterations of mcts in the machine engine against Python", "times", found.ratios, speeds)


def searching(situation: Situation, backend: Backend) -> Callable[[int, int], float]:
    """Search a situation repeatedly; returns the number of iterations."""

    def work(_: int, searches: int) -> float:
        for _number in range(searches):
            analyse(situation, Budget(iterations=ITERATIONS), backend, lines=False)
        return searches * ITERATIONS

    return work


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
