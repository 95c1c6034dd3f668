"""`python -m benchmarks.passes`: what each pass is worth in each game, in either engine.

The table of the machine engine counts the instructions of WebAssembly that the same random games take, with all passes
and without one of them: they are the same in every run, whatever else the machine does. Its figures are the
instructions with all passes as a share of those without, so that a pass that helps has less than 1.

In Python, a game compiled without one pass and the same game with all of them play the same random games step by step
in short slices, all variants in turn; the figure is the speed without the pass as a multiple of the speed with it. The
row `nothing` compares a game with itself: it shows the noise. A figure is bold if the interval that holds the median
with a probability of 95 % is outside of 1 by more than the noise. `--engine time` measures the machine engine likewise.

`=` means that the pass changes nothing in the code of the game.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import comb
from pathlib import Path
from random import Random
from statistics import median

import wasmtime

from benchmarks.figures import Figure
from benchmarks.machine import ours
from benchmarks.paired import Slice, fitting, timed
from benchmarks.stepwise import by_number, walking
from interpreter.analysis.backends import why_no_machine
from interpreter.analysis.search_states import search_state
from interpreter.compiler.passes.pipeline import MEANINGS, PASSES
from interpreter.compiler.passes.record import PassRecords
from interpreter.engine.machine.games import NO_HORIZON, MachineGame, machine_game
from interpreter.play.game import Game, load
from tests.support.library import representative

NOTHING = "nothing"
ENGINES = {"machine": (*MEANINGS,), "time": (NOTHING, *MEANINGS), "python": (NOTHING, *PASSES)}
"""What is measured, and the passes that rules for it are compiled with."""

MEASURED = "machine", "python"
"""What is measured if nobody says otherwise."""

FULL = 1 << 62
"""More instructions than games take."""

MIN_INSTRUCTIONS, MAX_GAMES = 1_000_000, 1_000
"""Counting ends after this many instructions, or after as many games as are wanted."""

NOISE = 0.02
"""Differences smaller than this come from where code and data happen to lie in memory."""

CERTAINTY = 0.95


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Every pass in every representative game: random games in the machine engine, play step by step in Python."""
    return [figure for engine in MEASURED for figure in worth(engine, representative(), rounds, span)]


def worth(engine: str, games: Iterable[str], rounds: int, span: float, passes: Sequence[str] = ()) -> Iterator[Figure]:
    """The speed of games without passes, as a multiple of that with all of them; no values where the code is equal."""
    if engine == "machine":
        yield from (figure for name in games for figure in counted(name, passes or ENGINES[engine]))
        return
    for name in games:
        game = load(name)
        code = code_of(engine, game)
        sides: dict[str, Slice] = {"": playing(engine, game)}
        for off in passes or ENGINES[engine]:
            other = game.without() if off == NOTHING else game.without(off)
            if engine == "time" and why_no_machine(other) is not None:
                continue
            if off != NOTHING and code_of(engine, other) == code:
                yield Figure(f"{engine}: {name}: {off}", "times", ())
            else:
                sides[off] = playing(engine, other)
        ratios = in_turn(sides, rounds, span)
        yield from (Figure(f"{engine}: {name}: {off}", "times", tuple(ratios[off])) for off in ratios)


def counted(name: str, passes: Iterable[str]) -> Iterator[Figure]:
    """The instructions of games with all passes, as a share of those without one of them."""
    program = load(name).program
    game = MachineGame(program)
    code, games = game.printed.module.binary(), 4
    while instructions(code, games) < MIN_INSTRUCTIONS and games < MAX_GAMES:
        games *= 4
    usual = instructions(code, games)
    for off in passes:
        other = MachineGame(program, PassRecords(off=frozenset((off,)))).printed.module.binary()
        values = () if other == code else (usual / instructions(other, games),)
        yield Figure(f"machine: {name}: {off}", "times", values)


def instructions(binary: bytes, games: int) -> int:
    """How many instructions of a module some games take: Wasmtime counts them as what it calls fuel."""
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    store.set_fuel(FULL)
    play = wasmtime.Instance(store, wasmtime.Module(engine, binary), []).exports(store)["play"]
    assert isinstance(play, wasmtime.Func)
    play(store, 1, 0, games, NO_HORIZON)
    return FULL - store.get_fuel()


def in_turn(sides: dict[str, Slice], rounds: int, span: float) -> dict[str, list[float]]:
    """The speed of each side as a multiple of that of the side without a name, per turn; all play the same games.

    There are turns for half of the time, but at least as many as rounds.
    """
    games = fitting(sides[""])
    ratios: dict[str, list[float]] = {off: [] for off in sides if off}
    order, random = list(sides), Random(0)
    turn, spent = 0, 0.0
    while turn < rounds or spent < rounds * span / 2:
        random.shuffle(order)
        slices = {off: sides[off](turn * games, games) for off in order}
        amount, seconds = slices[""]
        for off, values in ratios.items():
            values.append(slices[off][0] / slices[off][1] / (amount / seconds))
        turn, spent = turn + 1, spent + seconds
    return ratios


def code_of(engine: str, game: Game) -> object:
    """The code that plays a game."""
    return machine_game(game.program).printed.module.binary() if engine == "time" else game.program.source


def playing(engine: str, game: Game) -> Slice:
    """Random games: whole ones in the machine engine, step by step in Python."""
    if engine == "time":
        return timed(ours(game, "machine"))
    return timed(walking(search_state(game.start(seed=1), "python"), by_number))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Two of the values between which the true median lies with a probability of `CERTAINTY`, or the outermost."""
    ordered, count = sorted(values), len(values)
    outside, tail = 0, comb(count, 0) / 2**count
    while outside + 1 < count / 2 and 2 * (tail + comb(count, outside + 1) / 2**count) < 1 - CERTAINTY:
        outside += 1
        tail += comb(count, outside) / 2**count
    return ordered[outside], ordered[-1 - outside]


def cell(figure: Figure | None) -> str:
    """The median, bold if it is not just noise."""
    if figure is None:
        return "-"
    if not figure.values:
        return "="
    least, most = interval(figure.values) if len(figure.values) > 1 else (1.0, 1.0)
    text = f"{median(figure.values):.2f}"
    return f"**{text}**" if least > 1 + NOISE or most < 1 - NOISE else text


def grid(figures: list[Figure]) -> str:
    """A table for each engine, a row for each game, a column for each pass: medians."""
    drawn = []
    for engine in ENGINES:
        cells = {(game, off): figure for figure in figures for part, game, off in [figure.name.split(": ")]
                 if part == engine}  # fmt: skip
        games = list(dict.fromkeys(game for game, _ in cells))
        lines = [["without", *games], ["---", *["---:"] * len(games)]]
        present = {off for _, off in cells}
        for off in ENGINES[engine]:
            if off in present:
                lines.append([off, *[cell(cells.get((game, off))) for game in games]])
        if games:
            drawn.append(f"{engine}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n\n".join(drawn)


def main() -> None:
    """Print the tables for some games, engines and passes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.passes", description="What each pass is worth.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="games (default: all)")
    parser.add_argument("--engine", choices=list(ENGINES), action="append", help="only this engine")
    parser.add_argument("--without", action="append", metavar="PASS", help="only this pass; may be repeated")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each figure (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length, of which half is used")
    parser.add_argument("--add", type=Path, metavar="FILE", help="add the figures to those in FILE, and print all")
    asked = parser.parse_args()
    figures: dict[str, Figure] = {}
    if asked.add and asked.add.exists():
        for name, values in json.loads(asked.add.read_text()).items():
            figures[name] = Figure(name, "times", tuple(values))
    for engine in asked.engine or MEASURED:
        for figure in worth(engine, asked.games or representative(), asked.rounds, asked.seconds, asked.without or ()):
            print(figure.name, cell(figure), *map("{:.2f}".format, interval(figure.values) if figure.values else ()),
                  file=sys.stderr, flush=True)  # fmt: skip
            before = figures.get(figure.name, figure).values if figure.name in figures else ()
            figures[figure.name] = Figure(figure.name, "times", before + figure.values)
            if asked.add:
                asked.add.write_text(json.dumps({name: each.values for name, each in figures.items()}))
    print(grid(list(figures.values())))


if __name__ == "__main__":
    main()
