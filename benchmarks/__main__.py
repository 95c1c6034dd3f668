"""`python -m benchmarks`: measure, print tables, and with `--json FILE` write the figures to a file.

With `--against PATH` it compares this checkout with another one instead.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from benchmarks import (
    against,
    browser,
    by_hand,
    classic,
    editing,
    environments,
    graphs,
    inside,
    iterations,
    large,
    machine,
    outside,
    passes,
    playground,
    scaling,
    serving,
    stepwise,
    tracing,
    worlds,
)
from benchmarks.figures import Figure, table

Measure = Callable[[str, int, float], list[Figure]]

ONE_GAME: tuple[Measure, ...] = (
    outside.commands,
    inside.loading,
    inside.random_playouts,
    inside.operations,
    tracing.tracing,
    outside.memory,
)
TABLES: dict[str, tuple[Measure, ...]] = {
    "one game": ONE_GAME,
    "start-up": (outside.start_up,),
    "large games": (large.measure,),
    "random games against hand-written Python": (by_hand.measure,),
    "the machine engine": (machine.measure,),
    "the machine engine step by step, and C written by hand": (stepwise.measure,),
    "iterations of mcts": (iterations.measure,),
    "worlds": (worlds.measure,),
    "random games in a web page": (browser.measure,),
    "tables in the browser": (serving.measure,),
    "writing in an editor": (editing.measure,),
    "the playground": (playground.measure,),
    "larger boards": (scaling.measure,),
    "graphs": (graphs.measure,),
    "classic games and OpenSpiel": (classic.measure,),
    "environments": (environments.measure,),
    "passes": (passes.measure,),
}
DRAWN: dict[str, Callable[[list[Figure]], str]] = {"passes": passes.grid}
"""How tables are drawn that do not have a row for each figure."""


def main() -> int:
    """Run the measurements that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench", description="Measure, and print tables.")
    parser.add_argument("--game", default="chinesische_mauer", help="name or path of a rules file")
    parser.add_argument("--rounds", type=int, default=7, help="measurements a row (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a playout measurement")
    parser.add_argument(
        "--table", action="append", choices=list(TABLES), metavar="NAME", help="only this table; may be repeated"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument(
        "--against", type=Path, metavar="PATH", help="only compare the large games with another checkout, in turn"
    )
    asked = parser.parse_args()
    if asked.rounds < 1 or asked.seconds <= 0:
        parser.error("rounds and seconds are more than 0")
    if asked.against and not asked.against.is_dir():
        parser.error(f"there is no folder {asked.against}")
    computer = about_this_machine()
    print(", ".join(f"{name} {value}" for name, value in computer.items()), flush=True)
    figures: list[Figure] = []
    if asked.against:
        figures = against.measure(asked.against, asked.rounds, asked.seconds)
        print(f"\nthis checkout against {asked.against}\n\n{table(figures)}")
    else:
        for title in asked.table or TABLES:
            measures = TABLES[title]
            rows: list[Figure] = []
            for measure in measures:
                print(f"measuring: {(measure.__doc__ or '').splitlines()[0]}", file=sys.stderr, flush=True)
                rows += measure(asked.game, asked.rounds, asked.seconds)
            print(f"\n{title}\n\n{DRAWN.get(title, table)(rows)}", flush=True)
            figures += rows
    if asked.json:
        written = {"machine": computer, "game": asked.game, "figures": [figure.plain() for figure in figures]}
        asked.json.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return 0


def about_this_machine() -> dict[str, str]:
    """The environment that the figures depend on."""
    return {
        "regelwerk": metadata.version("regelwerk"),
        platform.python_implementation(): platform.python_version(),
        platform.system(): platform.machine(),
        "cores": str(os.cpu_count()),
    }


if __name__ == "__main__":
    sys.exit(main())
