"""The interpreter measured in-process: loading, random playouts, and single operations on a state."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks import yardstick
from benchmarks.figures import Figure, seconds
from interpreter.analysis.playouts import playouts
from interpreter.analysis.random_choices import random_move
from interpreter.loading.game_library import find
from interpreter.play.game import Game, State, load
from interpreter.seat.notation.moves import Move

WITH_LABELS = "legal_moves, with labels"
YARDSTICK = "plain Python, three in a row"

GAMES_OF_A_CALL = 100

Work = Callable[[int], tuple[int, int]]  # seed -> games played, decisions made


def loading(game: str, rounds: int, _: float) -> list[Figure]:
    """Loading: reading, checking and compiling the rules in a warm process."""
    file = find(game)
    values = [seconds(lambda: load(file).program) * 1000 for _ in range(rounds)]
    return [Figure("load: parse, check, compile", "ms", tuple(values))]


def random_playouts(game: str, rounds: int, span: float) -> list[Figure]:
    """Random games per second, compared with plain Python on the same machine in the same run."""
    loaded = load(game)
    counts = loaded.counts
    kinds: dict[str, Work] = {YARDSTICK: by_hand}
    kinds |= {f"random games, {players} players": in_bulk(load(game, players)) for players in counts}
    for players in counts:
        kinds[f"move by move, {players} players"] = stepwise(load(game, players))
        kinds[f"move by move, traced, {players} players"] = stepwise(load(game, players), traced=True)
    sizes = {name: fitting(work, span) for name, work in kinds.items()}
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in kinds}
    for turn in range(rounds):
        for name, work in kinds.items():  # alternating in every round, so that all have the same conditions
            speeds[name].append(speed(work, sizes[name], turn))
    yard = median(decisions for _, decisions in speeds[YARDSTICK])
    figures = []
    for name, measured in speeds.items():
        decisions = median(each for _, each in measured)
        note = f"{decisions:,.0f} decisions/s, {decisions / yard:.2g} of plain Python"
        figures.append(Figure(name, "games/s", tuple(games for games, _ in measured), note))
    return figures


def fitting(work: Work, span: float) -> int:
    """The number of calls that take about `span` seconds, after one to warm up."""
    work(0)
    calls, spent = 0, 0.0
    while spent < span / 4:
        calls += 1
        spent += seconds(lambda: work(0))
    return max(1, round(calls * span / spent))


def speed(work: Work, calls: int, turn: int) -> tuple[float, float]:
    """Games and decisions per second."""
    started = time.process_time()
    done = [work(turn * calls + number) for number in range(calls)]
    spent = time.process_time() - started
    return sum(games for games, _ in done) / spent, sum(decisions for _, decisions in done) / spent


def by_hand(seed: int) -> tuple[int, int]:
    """The yardstick."""
    return 100, yardstick.playouts(100, seed)


def in_bulk(game: Game) -> Work:
    """Many games in one call of the machine engine, as `simulate` plays them."""

    def work(seed: int) -> tuple[int, int]:
        first = seed * GAMES_OF_A_CALL
        played = playouts(game, GAMES_OF_A_CALL, first, "machine")
        return GAMES_OF_A_CALL, sum(each.decisions for each in played)

    return work


def stepwise(game: Game, traced: bool = False) -> Work:
    """One game with `legal_moves` and `push`, as a Python program plays it; undo is always available."""

    def work(seed: int) -> tuple[int, int]:
        return 1, sum(1 for _ in randomly(game.start(seed, traced=traced)))

    return work


def randomly(state: State) -> Iterator[Move]:
    """Play to the end with random moves."""
    while state.player is not None:
        move = random_move(state)
        yield move
        state.push(move)


def operations(game: str, rounds: int, _: float) -> list[Figure]:
    """The operations of a state, each the mean over the decisions of whole games of three, if three can play."""
    loaded = for_three(game)
    names = ("push", "pop", "copy", "key", "legal_moves", WITH_LABELS)
    values: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        spent = dict.fromkeys(values, 0.0)
        count = 0
        for seed in range(turn * 5, turn * 5 + 5):
            moves = list(randomly(loaded.start(seed)))
            count += len(moves)
            for name, span in of_one_game(loaded.start(seed), moves).items():
                spent[name] += span
        for name, span in spent.items():
            values[name].append(span / count * 1e6)
    return [Figure(f"state.{name}", "µs", tuple(each), f"{len(loaded.seats)} players") for name, each in values.items()]


def for_three(name: str) -> Game:
    """A game for three players, or as near to three as it allows."""
    loaded = load(name)
    return load(name, next((count for count in loaded.counts if count >= 3), loaded.most))


def of_one_game(state: State, moves: list[Move]) -> dict[str, float]:
    """Seconds for each operation, done once at every decision of a game."""
    spent = {
        "push": seconds(lambda: push_all(state, moves)),
        "pop": seconds(lambda: pop_all(state)),
        "copy": 0.0,
        "key": 0.0,
        "legal_moves": 0.0,
        WITH_LABELS: 0.0,
    }
    for move in moves:
        spent["legal_moves"] += seconds(lambda: state.legal_moves)
        spent[WITH_LABELS] += seconds(lambda: [each.label for each in state.legal_moves])
        spent["copy"] += seconds(state.copy)
        spent["key"] += seconds(state.key)
        state.push(move)
    return spent


def push_all(state: State, moves: list[Move]) -> None:
    """Make moves to the end."""
    for move in moves:
        state.push(move)


def pop_all(state: State) -> None:
    """Take back moves to the start."""
    while state.ply:
        state.pop()
