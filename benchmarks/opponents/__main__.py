"""`python -m benchmarks.opponents`: measure how strong the bots are, and write the table of docs/opponents.md.

When restarted, it continues where it stopped. It reports the result of every finished series; those expected to be
decided soonest come first. `--game` and `--part` divide the work among machines: lines of several results files may be
merged into one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.opponents import at_equal_time, beside_openspiel, known_values, strength
from benchmarks.opponents.series import ROOT, Outlook, Results, Series, outlook, run
from benchmarks.opponents.table import PARTS, in_page, row

RESULTS = ROOT / "benchmarks" / "results" / "opponents.jsonl"
PAGE = ROOT / "docs" / "opponents.md"


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opponents", description=__doc__)
    parser.add_argument("--game", action="append", metavar="NAME", help="only this game; may be repeated")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only this part; may be repeated")
    parser.add_argument(
        "--series", action="append", metavar="START", help="only series whose names begin so; may be repeated"
    )
    parser.add_argument("--into", type=Path, default=RESULTS, metavar="FILE", help="file of results")
    parser.add_argument(
        "--list", action="store_true", help="say what there is to do and how long it takes; play nothing"
    )
    parser.add_argument("--rotations", type=int, metavar="N", help="play at most N more rotations of each series")
    parser.add_argument("--minutes", type=float, metavar="M", help="begin no series that may take longer")
    parser.add_argument("--accept-older", action="store_true", help="leave out what was decided with earlier code")
    parser.add_argument("--no-page", action="store_true", help="leave the table of docs/opponents.md as it is")
    asked = parser.parse_args()
    everything = [*strength.series(), *beside_openspiel.series(), *at_equal_time.series(), *known_values.series()]
    chosen = [one for one in everything if (not asked.game or one.game in asked.game)
              and (not asked.part or one.part in asked.part)
              and (not asked.series or one.name.startswith(tuple(asked.series)))]  # fmt: skip
    if not chosen:
        parser.error(f"nothing is measured of {', '.join(asked.series or asked.game or asked.part)}")
    results = Results(asked.into)
    if asked.accept_older:
        chosen = [one for one in chosen if not one.decided([each.value for each in results.of(one)])]
    outlooks = sorted((outlook(one, results) for one in chosen), key=lambda one: (one.least, one.most))
    print(forecast(outlooks), flush=True)
    if asked.list:
        return 0
    try:
        for one in outlooks:
            if asked.minutes is None or one.least <= 60 * asked.minutes:
                measure(one.series, results, asked.rotations)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    finally:
        if not asked.no_page:
            PAGE.write_text(in_page(PAGE.read_text("utf-8"), everything, results), encoding="utf-8")
    return 0


def forecast(outlooks: Sequence[Outlook]) -> str:
    """How long everything takes, and each series."""
    lines = []
    for one in outlooks:
        guessed = "" if one.known else ", guessed"
        lines.append(f"{minutes(one.least):>8} to {minutes(one.most):>8}{guessed:<9}  {one.series.name}")
    least, most = sum(one.least for one in outlooks), sum(one.most for one in outlooks)
    return "\n".join([*lines, f"expected: {minutes(least)} to {minutes(most)}, {len(outlooks)} series"])


def minutes(seconds: float) -> str:
    """A duration for people."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def measure(series: Series, results: Results, upto: int | None) -> None:
    """Play what a series lacks, and say what came of it."""
    for rotation in run(series, results, upto):
        print(f"{series.name}: rotation {rotation.number}, {rotation.seconds:.1f} s", file=sys.stderr, flush=True)
    print(" | ".join(row(series, results)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
