"""`python -m benchmarks.stepwise`: the machine engine step by step, and against hand-written C."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from ctypes import c_int, c_int64
from functools import partial
from random import Random
from typing import Any

from benchmarks.figures import Figure, shown, table
from benchmarks.in_c import entry
from benchmarks.large import GAMES as LARGE
from benchmarks.machine import PART, ours
from benchmarks.paired import compared, timed
from interpreter.analysis.search_states import SearchState, search_state
from interpreter.engine.machine.games import machine_game
from interpreter.play.game import Game, State, load

CHESS = {1: 20, 2: 400, 3: 8_902, 4: 197_281, 5: 4_865_609}
"""The published numbers of move sequences of chess, by length."""

DEPTH = 4
IN_C = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "othello")
"""The games of hand_written.c, in its order."""

MIDDLE = 20
"""The number of decisions before a position from which rollouts are measured."""

WALKED = ("tic_tac_toe", "chess", *LARGE)
REPETITIONS = 10
DECISIONS = 2_000
"""The approximate number of decisions in a round of single operations."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The machine engine step by step: against hand-written C and against Python, and single operations."""
    compared_with_c = [*against_c(rounds, span), *chess(rounds, span)]
    return [*compared_with_c, *operations(rounds), *steps(rounds, span), *rollouts(rounds, span)]


def against_c(rounds: int, span: float, names: Iterable[str] = IN_C) -> Iterator[Figure]:
    """Random games in the machine engine against C written by hand."""
    play = entry("hand_written.c", "play", c_int64, c_int, c_int64)
    if play is None:
        return

    def by_hand(number: int) -> Callable[[int, int], float]:
        def work(_: int, games: int) -> float:
            play(number, games)
            return games

        return work

    for name in names:
        sides = timed(ours(load(name, 2), "machine")), timed(by_hand(IN_C.index(name)))
        found = compared(*sides, rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        yield Figure(f"{name} in the machine engine against C written by hand", "times", found.ratios, speeds)


def chess(rounds: int, span: float, depth: int = DEPTH) -> Iterator[Figure]:
    """How much longer it takes to count the move sequences of chess than with a mailbox generator of moves."""
    by_hand = entry("mailbox_chess.c", "chess_perft", c_int64, c_int)
    if by_hand is None:
        return
    assert by_hand(depth) == CHESS[depth]
    game = load("chess")
    state = machine_game(game.program).state(game.start().cells)

    def count_here(_: int, times: int) -> float:
        for _ in range(times):
            counted = state.sequences(depth, ends=False)
            assert counted is not None and counted.made[-1] == CHESS[depth]
        return times * CHESS[depth]

    def count_by_hand(_: int, times: int) -> float:
        for _ in range(times):
            by_hand(depth)
        return times * CHESS[depth]

    found = compared(timed(count_by_hand), timed(count_here), rounds, span * PART)
    speeds = f"{shown(found.second)} against {shown(found.first)} sequences/s"
    yield Figure(f"chess perft {depth}: time against a mailbox generator in C", "times", found.ratios, speeds)


def operations(rounds: int, names: Iterable[str] = WALKED) -> Iterator[Figure]:
    """Single operations of states in the machine engine, called from Python: means over all decisions of games."""
    for name in names:
        start = search_state(load(name).start(seed=1), "machine")
        assert start.backend == "machine"
        values: dict[str, list[float]] = {}
        for turn in range(rounds + 1):
            spent, made, random = dict.fromkeys(("push", "pop", "legal_moves", "copy", "key"), 0.0), 0, Random(turn)
            while made < DECISIONS:
                state, path = start.copy(), []
                while not state.over:
                    for what, call in (
                        ("legal_moves", partial(moves_of, state)), ("copy", state.copy), ("key", state.key)
                    ):  # fmt: skip
                        spent[what] += processor_time(repeated, call) / REPETITIONS
                    path.append(random.randrange(state.move_count))
                    state.push(path[-1])
                again = start.copy()
                spent["push"] += processor_time(push_all, again, path)
                spent["pop"] += processor_time(pop_all, again, len(path))
                made += len(path)
            if turn:  # the first round warms up
                for what, seconds in spent.items():
                    values.setdefault(what, []).append(seconds / made * 1e6)
        for what, measured in values.items():
            yield Figure(f"{name}: {what}", "µs", tuple(measured), f"{len(start.seats)} players")


def repeated(call: Callable[[], object]) -> None:
    """A call that is shorter than looking at the clock takes."""
    for _ in range(REPETITIONS):
        call()


def processor_time(call: Callable[..., object], *arguments: object) -> float:
    """Seconds of a call."""
    started = time.process_time()
    call(*arguments)
    return time.process_time() - started


def moves_of(state: SearchState[State]) -> object:
    """All legal moves as tuples."""
    return state.legal_moves


def push_all(state: SearchState[State], path: Iterable[int]) -> None:
    """Make moves by number."""
    for number in path:
        state.push(number)


def pop_all(state: SearchState[State], count: int) -> None:
    """Take moves back."""
    for _ in range(count):
        state.pop()


def steps(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """Moves made step by step in the machine engine against Python: by number alone, and chosen among their tuples."""
    for name in names:
        state = load(name, None).start(seed=1)
        for what, choose in (("push by number", by_number), ("legal_moves and push", by_tuple)):
            sides = [timed(walking(search_state(state, backend), choose)) for backend in BOTH]
            found = compared(sides[0], sides[1], rounds, span * PART)
            speeds = f"{shown(found.first)} against {shown(found.second)} moves/s"
            yield Figure(f"{name}: {what} in the machine engine against Python", "times", found.ratios, speeds)


def rollouts(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """Random games from the middle of a game, in the machine engine against Python."""
    for name in names:
        state = middle(load(name, None))
        sides = [timed(rolling(search_state(state, backend))) for backend in BOTH]
        found = compared(sides[0], sides[1], rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} rollouts/s"
        yield Figure(f"{name}: rollouts after {MIDDLE} decisions against Python", "times", found.ratios, speeds)


BOTH: tuple[Any, Any] = ("machine", "python")


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
