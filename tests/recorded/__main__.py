"""`python -m tests.recorded`: record games, play recorded games again, show one.

    python -m tests.recorded record [NAME ...]      record what the files do not have yet
    python -m tests.recorded renew NAME NUMBER ...  record sittings anew that are different, or have new options now
    python -m tests.recorded replay [NAME ...]      play every game again and tell what is different
    python -m tests.recorded show NAME SEED         everything that is folded into the digests of a game

What `show` prints at two versions of the project can be compared line by line.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tests.recorded.files import DATA, SUFFIX, differences, read, replayed, sitting, written
from tests.recorded.small_games import GAMES, SMALL, small_tables
from tests.recorded.tables import defaults_of, games_in_sitting, shipped, tables_of


def main() -> int:
    """Do what the command line asks for; 1 if a game is different."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded", description="Recorded games.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording, replaying = verbs.add_parser("record"), verbs.add_parser("replay")
    recording.add_argument("--most", type=int, default=10_000, help="stop after so many tables of each file")
    for each in (recording, replaying):
        each.add_argument("names", nargs="*", metavar="NAME")
    renewed = verbs.add_parser("renew")
    renewed.add_argument("name", metavar="NAME")
    renewed.add_argument("numbers", nargs="+", type=int, metavar="NUMBER")
    shown = verbs.add_parser("show")
    shown.add_argument("name", metavar="NAME")
    shown.add_argument("seed", type=int, metavar="SEED")
    asked = parser.parse_args()
    if asked.verb == "show":
        show(asked.name, asked.seed)
        return 0
    if asked.verb == "renew":
        return renew(asked.name, asked.numbers)
    names = asked.names or [*shipped(), SMALL]
    if asked.verb == "record":
        for name in names:
            record(name, asked.most)
        return 0
    return max([replay(name) for name in names])


def path_of(name: str) -> Path:
    """The file with the games of this name."""
    return DATA / f"{name}{SUFFIX}"


def renew(name: str, numbers: Sequence[int]) -> int:
    """Record the sittings with these numbers anew, and print why; 1 if there is no reason to.

    A record is what an earlier version did. It is given up only where the game is different now, or for values of
    options and variants that no record has yet.
    """
    sittings, small = read(path_of(name)), name == SMALL
    tables, games = (list(small_tables()), GAMES) if small else (list(tables_of(name)), games_in_sitting(name))
    recorded = set().union(*(each.table.choices() for each in sittings)) | (set() if small else defaults_of(name))
    for number in numbers:
        reasons = differences(sittings[number])
        if not small:
            reasons += sorted(tables[number].choices() - recorded)
        if not reasons:
            print(f"{number}: kept, as it is played as recorded and its new table has nothing new")
            return 1
        sittings[number] = sitting(tables[number], range(number * games, (number + 1) * games))
        path_of(name).write_text("\n".join(written(sittings)) + "\n", encoding="utf-8")
        print(f"{number}: {tables[number]}, because of", *reasons, sep="\n  ", flush=True)
    return 0


def record(name: str, most: int) -> None:
    """Record the tables that one file does not have yet, and write it after each."""
    path, started = path_of(name), time.process_time()
    sittings = read(path) if path.exists() else []
    tables, games = (small_tables(), GAMES) if name == SMALL else (tables_of(name), games_in_sitting(name))
    for number, table in islice(enumerate(tables), len(sittings), most):
        sittings.append(sitting(table, range(number * games, (number + 1) * games)))
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(written(sittings)) + "\n", encoding="utf-8")
    ways, seconds = sum(each.other_ways for each in sittings), time.process_time() - started
    print(f"{name}: {len(sittings)} tables, {ways} positions reached by other ways, {seconds:.0f} s", flush=True)


def replay(name: str) -> int:
    """Play all games of one file again."""
    found = [text for each in read(path_of(name)) for text in differences(each)]
    print(f"{name}: {len(found)} different", *found, sep="\n  ", flush=True)
    return int(bool(found))


def show(name: str, seed: int) -> None:
    """Print everything of a game."""
    here = next(each for each in read(path_of(name)) if seed in [line.seed for line in each.lines])
    print(here.table)
    replayed(here, seed, lambda ply, kind, text: print(f"{ply} {kind}", *text.splitlines(), sep="\n    "))


if __name__ == "__main__":
    sys.exit(main())
