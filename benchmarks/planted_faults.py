"""How many decisions a search for faults takes beside random games, on faults planted in the shipped games.

    python -m benchmarks.planted_faults [NUMBER]

The faults are small changes of the rules (`interpreter/exploration/mutants.py`), drawn at random from all games
that are played fast enough. The checker accepts them, and a rule fails in a game of either kind within `LIMIT`
decisions. The figures of docs/finding-faults.md are what this prints.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from statistics import median
from time import process_time

from interpreter.errors import PlayError, UsageError
from interpreter.exploration.mutants import Mutant, mutants
from interpreter.exploration.noticing import Original, read_original
from interpreter.exploration.search import Explorer
from interpreter.loading.game_library import shipped_folder
from interpreter.loading.rules import Rules
from interpreter.watchdog import watchdog

FAULTS = 50
LIMIT = 5_000
SECONDS = 2.0
"""Processor time of one search; it counts as not found after that."""

PRONE = ("drop `require", "drop the condition", "negate", "drop `if")
"""Changes of conditions that often let a rule fail."""


def prone(original: Original) -> list[Mutant]:
    """The changes of a game that often let a rule fail."""
    every = (mutant for mutant in mutants(original.file) if not mutant.is_display)
    return [mutant for mutant in every if is_prone(mutant.description)]


def is_prone(change: str) -> bool:
    """True if a change often lets a rule fail: a condition less, or the range of a note that is narrower."""
    narrower = re.match(r"note .*: (-?\d+) for (-?\d+) as (low|high) ", change)
    if narrower is not None:
        return (int(narrower[1]) > int(narrower[2])) == (narrower[3] == "low")
    return any(words in change for words in PRONE)


def is_fast(rules: Rules) -> bool:
    """True if games are played fast enough: `LIMIT` decisions take a second or two."""
    explorer, began = Explorer(rules, guided=False), process_time()
    while explorer.decisions < LIMIT // 10:
        explorer.run()
    return process_time() - began < SECONDS / 10


def decisions_until_fault(rules: Rules, guided: bool, seed: int) -> int | None:
    """The number of decisions after which a rule has failed, None if none has."""
    explorer, end = Explorer(rules, seed, guided), process_time() + SECONDS
    for _ in explorer.search(lambda: explorer.decisions >= LIMIT or process_time() >= end):
        if any(finding.kind == "fault" for finding in explorer.findings.values()):
            return max(1, explorer.decisions)
    return None


def main(number: int) -> None:
    """Plant faults until so many have been found, and print how they were."""
    rng = random.Random(1)
    paths = [path for path in sorted(shipped_folder().glob("*.rules")) if not path.name.endswith(".examples.rules")]
    originals, changes = dict[Path, Original](), dict[Path, list[Mutant]]()
    slow = set[Path]()
    found: list[tuple[int | None, int | None]] = []
    tried = 0
    while len(found) < number:
        path = rng.choice(paths)
        if path not in originals:
            originals[path] = read_original(path)
            if not is_fast(originals[path].rules):
                slow.add(path)
            changes[path] = [] if path in slow else prone(originals[path])
        if not changes[path]:
            continue
        mutant = changes[path].pop(rng.randrange(len(changes[path])))
        rules = originals[path].changed(mutant.file)
        if rules is None:
            continue
        tried += 1
        with watchdog(5.0):
            try:
                plain, guided = (decisions_until_fault(rules, guided, 1_000 * tried) for guided in (False, True))
            except (PlayError, UsageError):
                continue
        if plain is None and guided is None:
            continue
        found.append((plain, guided))
        print(f"{plain or '-':>7} {guided or '-':>7}  {mutant.location}  {mutant.description}", flush=True)
    print(f"{tried} changes tried, {number} of them faults")
    for name, column in (("random games", [pair[0] for pair in found]), ("the search", [pair[1] for pair in found])):
        reached = [decisions for decisions in column if decisions is not None]
        shares = [f"{sum(each <= most for each in reached)} within {most:,}" for most in (100, 1_000, LIMIT)]
        every = sorted(LIMIT if each is None else each for each in column)
        print(f"{name}: {', '.join(shares)} decisions; median {median(every):,.0f}, mean {sum(every) / number:,.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else FAULTS)
