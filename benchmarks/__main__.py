"""`python -m benchmarks`: measure everything, print a table, and with `--json FILE` write the figures down."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

from benchmarks import classic, graphs, inside, outside, tracing
from benchmarks.figures import Figure, table


def main() -> int:
    """Run the measurements the command line asks for."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench", description="Measure, and print a table.")
    parser.add_argument("--game", default="chinesische_mauer", help="name or path of a rules file")
    parser.add_argument("--rounds", type=int, default=7, help="measurements a row (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a playout measurement")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args()
    if asked.rounds < 1 or asked.seconds <= 0:
        parser.error("rounds and seconds are more than 0")
    machine = about_this_machine()
    print(", ".join(f"{name} {value}" for name, value in machine.items()), flush=True)
    figures: list[Figure] = []
    for measure in (
        outside.commands,
        inside.loading,
        inside.random_playouts,
        inside.operations,
        tracing.tracing,
        outside.memory,
        graphs.measure,
        classic.measure,
    ):
        print(f"measuring: {(measure.__doc__ or '').splitlines()[0]}", file=sys.stderr, flush=True)
        figures += measure(asked.game, asked.rounds, asked.seconds)
    print(f"\n{table(figures)}")
    if asked.json:
        written = {"machine": machine, "game": asked.game, "figures": [figure.plain() for figure in figures]}
        asked.json.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return 0


def about_this_machine() -> dict[str, str]:
    """What the figures depend on."""
    return {
        "regelwerk": metadata.version("regelwerk"),
        platform.python_implementation(): platform.python_version(),
        platform.system(): platform.machine(),
        "cores": str(os.cpu_count()),
    }


if __name__ == "__main__":
    sys.exit(main())
