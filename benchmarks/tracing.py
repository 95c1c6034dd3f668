"""The cost of tracing: the same random games alternately with and without it; and the duration of a step in a trace."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from benchmarks.figures import Figure, seconds
from benchmarks.inside import for_three
from interpreter.analysis.random_choices import random_choice, random_move
from interpreter.engine.program import Program
from interpreter.play.game import Game, State
from interpreter.play.trace import Position, Timeline
from interpreter.runtime.cells import Cells, Journal
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import POINT, RANDOM

LONG = 2000


def play(program: Program, seed: int, journal: Journal | None) -> None:
    """One random game; with a journal every change and decision is kept."""
    S = Cells(program.initial)
    S[RANDOM] = seeded(seed)
    program.run(S, journal, 0)
    decisions = 0
    while S[POINT] >= 0:
        legal = program.legal(S)
        program.do(S, journal, legal[random_choice(seed, decisions, len(legal))])
        decisions += 1


def tracing(game: str, rounds: int, span: float) -> list[Figure]:
    """Games without a trace, with a journal, and with every rule marked as well; each set measured together."""
    plain, looked_at = for_three(game), for_three(game)
    state = looked_at.start(0)
    state.push(state.legal_moves[0])
    Timeline(state).events(1)
    marked = plain.compiled(traced=True)
    ways: dict[str, Callable[[int], None]] = {
        "no trace": lambda seed: play(plain.program, seed, None),
        "no trace, of a game whose trace was looked at": lambda seed: play(looked_at.program, seed, None),
        "every change and decision kept": lambda seed: play(plain.program, seed, Journal()),
        "every rule marked as well": lambda seed: play(marked, seed, Journal()),
    }
    calls = max(1, round(span / 4 / seconds(lambda: ways["no trace"](0))))
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds):
        for seed in range(turn * calls, turn * calls + calls):
            for name, way in ways.items():  # alternating game by game, so that all have the same conditions
                started = time.perf_counter()
                way(seed)
                spent[name].append(time.perf_counter() - started)
    first, figures = spent["no trace"], []
    for name, times in spent.items():
        ratios = [sum(times[n::calls]) / sum(first[n::calls]) for n in range(min(calls, 9))]
        figures.append(Figure(name, "times", tuple(ratios), f"{1 / median(times):,.0f} games/s"))
    return [*figures, *steps(plain, rounds)]


def steps(game: Game, rounds: int) -> list[Figure]:
    """Opening a trace of a long game, and one step in it: the events of a decision, and the table there."""
    state = long_game(game)
    opening = tuple(seconds(lambda: Timeline(state)) * 1000 for _ in range(rounds))
    timeline, rng = Timeline(state), random.Random(0)
    step, table = [], []
    for _ in range(20 * rounds):
        position = Position(rng.randrange(timeline.plies + 1))
        timeline.built.clear()
        step.append(seconds(partial(timeline.events, position.ply)) * 1000)
        table.append(seconds(timeline.snapshot(position).view) * 1000)
    note = f"{timeline.plies} decisions"
    return [
        Figure("open a trace", "ms", opening, note),
        Figure("step: the events of a decision", "ms", tuple(step), note),
        Figure("step: the table there", "ms", tuple(table), note),
    ]


def long_game(game: Game) -> State:
    """The longest of some random games, up to a maximum number of decisions."""
    longest = game.start(0)
    for seed in range(5):
        state = game.start(seed)
        while state.player is not None and state.ply < LONG:
            state.push(random_move(state))
        longest = max(longest, state, key=lambda one: one.ply)
    return longest
