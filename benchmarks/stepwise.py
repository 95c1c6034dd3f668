"""`python -m benchmarks.stepwise`: play step by step in machine code, and machine code against hand-written C."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from ctypes import c_int, c_int64
from random import Random
from typing import Any

from benchmarks.figures import Figure, shown, table
from benchmarks.in_c import entry
from benchmarks.large import GAMES as LARGE
from benchmarks.native import PART, ours
from benchmarks.paired import compared, timed
from interpreter import Game, State, load
from interpreter.analysis.search_states import SearchState, search_state
from interpreter.native.step_games import native_steps
from interpreter.native.step_library import Counting

CHESS = {1: 20, 2: 400, 3: 8_902, 4: 197_281, 5: 4_865_609}
"""The published numbers of move sequences of chess, by length."""

DEPTH = 4
IN_C = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "othello")
"""The games of hand_written.c, in its order."""

MIDDLE = 20
"""The number of decisions before a position from which rollouts are measured."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Play step by step in machine code against Python, and machine code against C written by hand."""
    return [*against_c(rounds, span), chess(rounds), *steps(rounds, span), *rollouts(rounds, span)]


def against_c(rounds: int, span: float, names: Iterable[str] = IN_C) -> Iterator[Figure]:
    """Random games in machine code against C written by hand."""
    play = entry("hand_written.c", "play", c_int64, c_int, c_int64)

    def by_hand(number: int) -> Callable[[int, int], float]:
        def work(_: int, games: int) -> float:
            play(number, games)
            return games

        return work

    for name in names:
        sides = timed(ours(load(name, 2), "native")), timed(by_hand(IN_C.index(name)))
        found = compared(*sides, rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        yield Figure(f"{name} in machine code against C written by hand", "times", found.ratios, speeds)


def chess(rounds: int) -> Figure:
    """How much longer it takes to count the move sequences of chess than with a mailbox generator of moves."""
    by_hand = entry("mailbox_chess.c", "chess_perft", c_int64, c_int)
    assert all(by_hand(depth) == known for depth, known in CHESS.items() if depth <= DEPTH)
    game = load("chess")
    native = native_steps(game.program)
    library = native.library(wait=True)
    assert library is not None, native.failure()
    state = native.state(library, game.start().cells)
    assert state is not None
    spent: list[tuple[float, float]] = []
    for _ in range(rounds):
        counting, started = Counting(depth=DEPTH, level=1, unmade=1), time.process_time()
        assert state.count_sequences(counting, 3600) and counting.nodes[DEPTH] == CHESS[DEPTH]
        between = time.process_time()
        by_hand(DEPTH)
        spent.append((between - started, time.process_time() - between))
    speeds = f"{shown(CHESS[DEPTH] / spent[-1][0])} against {shown(CHESS[DEPTH] / spent[-1][1])} sequences/s"
    name = f"chess perft {DEPTH}: time against a mailbox generator in C"
    return Figure(name, "times", tuple(mine / theirs for mine, theirs in spent), speeds)


def steps(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """Moves made step by step in machine code against Python: by number alone, and chosen among their tuples."""
    for name in names:
        state = load(name, None).start(seed=1)
        for what, choose in (("push by number", by_number), ("legal_moves and push", by_tuple)):
            sides = [timed(walking(search_state(state, backend), choose)) for backend in BOTH]
            found = compared(sides[0], sides[1], rounds, span * PART)
            speeds = f"{shown(found.first)} against {shown(found.second)} moves/s"
            yield Figure(f"{name}: {what} in machine code against Python", "times", found.ratios, speeds)


def rollouts(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """Random games from the middle of a game, in machine code against Python."""
    for name in names:
        state = middle(load(name, None))
        sides = [timed(rolling(search_state(state, backend))) for backend in BOTH]
        found = compared(sides[0], sides[1], rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} rollouts/s"
        yield Figure(f"{name}: rollouts after {MIDDLE} decisions against Python", "times", found.ratios, speeds)


BOTH: tuple[Any, Any] = ("native", "python")


def by_number(state: SearchState[State], random: Random) -> int:
    """A legal move that nobody looks at."""
    return random.randrange(state.move_count)


def by_tuple(state: SearchState[State], random: Random) -> int:
    """A legal move after all have been listed."""
    return random.randrange(len(state.legal_moves))


def walking(
    start: SearchState[State], choose: Callable[[SearchState[State], Random], int]
) -> Callable[[int, int], float]:
    """Games at random, step by step; returns how many moves were made."""

    def work(seed: int, games: int) -> float:
        random, made = Random(seed), 0
        for _ in range(games):
            state = start.copy()
            while not state.over:
                state.push(choose(state, random))
                made += 1
        return made

    return work


def rolling(start: SearchState[State]) -> Callable[[int, int], float]:
    """Rollouts from a position."""

    def work(seed: int, games: int) -> float:
        return len(start.rollouts(games, seed * games))

    return work


def middle(game: Game) -> State:
    """A position after some random decisions."""
    state, random = game.start(seed=2), Random(2)
    for _ in range(MIDDLE):
        state.push(random.choice(state.legal_moves))
    return state


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
