"""`python -m benchmarks.passes`: what each pass is worth in each game, in either engine.

A game compiled without one pass and the same game with all of them play the same random games in alternating slices;
the figure is the speed without the pass as a multiple of the speed with it, so that a pass that helps has less than 1.
The row `nothing` compares a game with itself: it shows the noise. Where there is no figure, the machine engine cannot
play the game without the pass.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.figures import Figure
from benchmarks.machine import ours
from benchmarks.paired import Slice, compared, timed
from benchmarks.stepwise import by_number, walking
from dsl.text.folders import shipped_folder
from interpreter.analysis.backends import why_no_machine
from interpreter.analysis.search_states import search_state
from interpreter.compiler.passes.pipeline import MEANINGS, PASSES
from interpreter.play.game import Game, load

NOTHING = "nothing"
ENGINES = {"machine": (NOTHING, *MEANINGS), "python": (NOTHING, *PASSES)}
"""The engines, and the passes that rules for them are compiled with."""

PART = 0.4
"""The part of the length of a playout measurement that a round takes."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Every pass in every shipped game: random games in the machine engine, play step by step in Python."""
    return [figure for engine in ENGINES for figure in worth(engine, all_games(), rounds, span)]


def all_games() -> list[str]:
    """The names of the shipped games."""
    return sorted({path.name.partition(".")[0] for path in shipped_folder().glob("*.rules")})


def worth(engine: str, games: Iterable[str], rounds: int, span: float, passes: Sequence[str] = ()) -> Iterator[Figure]:
    """The speed of games without passes, as a multiple of that with all of them."""
    for name in games:
        game = load(name)
        base = playing(engine, game)
        for off in passes or ENGINES[engine]:
            other = game.without() if off == NOTHING else game.without(off)
            if engine == "python" or why_no_machine(other) is None:
                found = compared(playing(engine, other), base, rounds, span * PART)
                yield Figure(f"{engine}: {name}: {off}", "times", found.ratios)


def playing(engine: str, game: Game) -> Slice:
    """Random games: whole ones in the machine engine, step by step in Python."""
    if engine == "machine":
        return timed(ours(game, "machine"))
    return timed(walking(search_state(game.start(seed=1), "python"), by_number))


def grid(figures: list[Figure]) -> str:
    """A table for each engine, a row for each pass, a column for each game: medians."""
    drawn = []
    for engine in ENGINES:
        cells = {(game, off): figure for figure in figures for part, game, off in [figure.name.split(": ")]
                 if part == engine}  # fmt: skip
        games = list(dict.fromkeys(game for game, _ in cells))
        lines = [["without", *games], ["---", *["---:"] * len(games)]]
        for off in dict.fromkeys(off for _, off in cells):
            lines.append([off, *[f"{cells[game, off].median:.2f}" if (game, off) in cells else "-" for game in games]])
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
    parser.add_argument("--seconds", type=float, default=1.0, help="length, of which two fifths are used")
    asked = parser.parse_args()
    figures = []
    for engine in asked.engine or ENGINES:
        for figure in worth(engine, asked.games or all_games(), asked.rounds, asked.seconds, asked.without or ()):
            print(*figure.cells()[:4], file=sys.stderr, flush=True)
            figures.append(figure)
    print(grid(figures))


if __name__ == "__main__":
    main()
