"""`python -m benchmarks.large`: the four large games with three players: random games, single moves, and loading."""

from __future__ import annotations

from benchmarks.figures import Figure, processor_time, shown, table
from benchmarks.paired import LENGTH, fitting
from benchmarks.worker import by_machine, move_by_move, random_games
from interpreter.loading.game_library import find
from regelwerk import load

GAMES = ("chinesische_mauer", "china", "mauerbauer", "dschingis_khan")
MOVED = "china"
"""The game whose single moves are measured: it has the most legal moves at a decision."""
PLAYERS = 3


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The four large games: random games, legal moves and push, loading."""
    return [*speeds(rounds, span), moves(rounds, span), *loading(rounds)]


def speeds(rounds: int, span: float) -> list[Figure]:
    """Random games per second, game by game in every round."""
    kinds = {"in the machine engine": by_machine, "in Python": random_games}
    plays = {f"{name} {how}": of_game(load(name, players=PLAYERS)) for how, of_game in kinds.items() for name in GAMES}
    games = {name: max(1, round(fitting(play) * span / LENGTH)) for name, play in plays.items()}
    values: dict[str, list[float]] = {name: [] for name in plays}
    decisions, spent = dict.fromkeys(plays, 0.0), dict.fromkeys(plays, 0.0)
    for turn in range(rounds):
        for name, play in plays.items():
            made, took = play(turn * games[name], games[name])
            values[name].append(games[name] / took)
            decisions[name] += made
            spent[name] += took
    figures = []
    for name, measured in values.items():
        note = f"{decisions[name] / spent[name]:,.0f} decisions/s"
        figures.append(Figure(f"random games of {name}, {PLAYERS} players", "games/s", tuple(measured), note))
    return figures


def moves(rounds: int, span: float) -> Figure:
    """Microseconds per decision: one call of `legal_moves`, with all labels, and one of `push`."""
    play = move_by_move(load(MOVED, players=PLAYERS))
    games = max(1, round(fitting(play) * span / LENGTH))
    values, decisions = [], 0.0
    for turn in range(rounds):
        made, took = play(turn * games, games)
        values.append(took / made * 1e6)
        decisions += made
    note = f"{PLAYERS} players, {shown(decisions / games / rounds)} decisions a game"
    return Figure(f"{MOVED}: legal_moves and push", "µs", tuple(values), note)


def loading(rounds: int) -> list[Figure]:
    """Reading, checking and compiling the rules, with the modules already imported."""
    figures = []
    for name in GAMES:
        values = [milliseconds_to_load(name) for _ in range(rounds + 1)]  # the first warms up
        figures.append(Figure(f"load {name}: parse, check, compile", "ms", tuple(values[1:]), "processor time"))
    return figures


def milliseconds_to_load(name: str) -> float:
    """Processor time to load and compile a game, in this process and in those it starts."""
    before = processor_time()
    assert load(find(name), players=PLAYERS).program
    return (processor_time() - before) * 1000


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
