"""How many decisions a search for faults takes beside random games, on faults planted in the shipped games.

    python -m benchmarks.planted_faults changes [NUMBER [GAME …]]
    python -m benchmarks.planted_faults branches [NUMBER]
    python -m benchmarks.planted_faults time [SECONDS [GAME …]]

The faults of the first kind are small changes of the rules (`interpreter/exploration/mutants.py`), drawn at random from
all games, or those named, that are played fast enough. The checker accepts them, and a rule fails in a game of either
kind within `LIMIT` decisions. Those of the second kind are in branches of the rules that random games do not take at
once. `time` gives both kinds the same processor time to reach branches, in a few games of all sizes or those named. The
figures of docs/finding-faults.md are what this prints.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from time import process_time

from interpreter.errors import PlayError, UsageError
from interpreter.exploration.mutants import Mutant, mutants
from interpreter.exploration.noticing import Original, read_original
from interpreter.exploration.search import Explorer
from interpreter.loading.game_library import shipped_folder
from interpreter.loading.rules import Rules
from interpreter.watchdog import watchdog

FAULTS = 50
GAMES = 20
"""Number of games, drawn from all, in which faults are planted."""

EARLY = 200
LIMIT = 5_000
SECONDS = 0.6
"""Processor time of one search; it counts as not found after that."""

PRONE = ("drop `require", "drop `if", "drop `set", "drop `move")
"""Changes that often let a rule fail."""


def prone(original: Original) -> list[Mutant]:
    """The changes of a game that often let a rule fail."""
    every = (mutant for mutant in mutants(original.file) if not mutant.is_display)
    return [mutant for mutant in every if is_prone(mutant.description)]


def is_prone(change: str) -> bool:
    """True if a change often lets a rule fail: a statement less, or the range of a note that is narrower."""
    narrower = re.match(r"note .*: (-?\d+) for (-?\d+) as (low|high) ", change)
    if narrower is not None:
        return (int(narrower[1]) > int(narrower[2])) == (narrower[3] == "low")
    return any(words in change for words in PRONE)


def is_fast(rules: Rules) -> bool:
    """True if games are played fast enough: `LIMIT` decisions take a second or two."""
    explorer = Explorer(rules, guided=False)
    runs = explorer.search(lambda: explorer.decisions >= before + LIMIT // 10)
    before = LIMIT
    next(runs)  # compiles the rules
    began, before = process_time(), explorer.decisions
    for _ in runs:
        pass
    return process_time() - began < 0.2


def decisions_until_fault(rules: Rules, guided: bool, seed: int) -> int | None:
    """The number of decisions after which a rule has failed, None if none has."""
    explorer, end = Explorer(rules, seed, guided), process_time() + SECONDS
    for _ in explorer.search(lambda: explorer.decisions >= LIMIT or process_time() >= end):
        if any(finding.kind == "fault" for finding in explorer.findings.values()):
            return max(1, explorer.decisions)
    return None


def changed_rules(number: int, names: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Change rules until `number` changes are faults: how many decisions random games and the search need for each."""
    rng = random.Random(1)
    paths = [path for path in shipped() if path.stem in names] or rng.sample(shipped(), GAMES)
    originals, changes = dict[Path, Original](), dict[Path, list[Mutant]]()
    faults = tried = 0
    for path in paths:
        originals[path] = read_original(path)
        changes[path] = prone(originals[path]) if is_fast(originals[path].rules) else []
    while faults < number and any(changes.values()):
        path = rng.choice([path for path in paths if changes[path]])
        mutant = changes[path].pop(rng.randrange(len(changes[path])))
        rules = originals[path].changed(mutant.file)
        if rules is None:
            continue
        tried += 1
        print(f"{tried} tried", end="\r", file=sys.stderr, flush=True)
        with watchdog(5.0):
            try:
                plain, guided = (decisions_until_fault(rules, guided, 1_000 * tried) for guided in (False, True))
            except (PlayError, UsageError):
                continue
        if plain is None and guided is None:
            continue
        faults += 1
        print(f"{plain or '-':>7} {guided or '-':>7}  {mutant.location}  {mutant.description}", flush=True)
        yield plain, guided
    print(f"{tried} changes tried, {faults} of them faults")


def late_branches(number: int) -> Iterator[tuple[int | None, int | None]]:
    """Plant a fault in each of `number` branches that random games do not take within `EARLY` decisions.

    A statement that always fails would be found when the branch is first taken, so nothing needs to be changed.
    """
    rng, late = random.Random(2), list[tuple[str, int, int | None, int | None]]()
    for path in rng.sample(shipped(), GAMES):
        rules = read_original(path).rules
        if is_fast(rules):
            plain, guided = (first_taken(rules, guided) for guided in (False, True))
            late += [
                (path.stem, branch, plain.get(branch), guided.get(branch))
                for branch in sorted(plain.keys() | guided.keys())
                if plain.get(branch, LIMIT) > EARLY
            ]
            print(f"{path.stem}: {len(plain)} branches in random games, {len(guided)} in the search", flush=True)
    for name, branch, plain_first, guided_first in rng.sample(late, min(number, len(late))):
        print(f"{plain_first or '-':>7} {guided_first or '-':>7}  {name}, branch {branch}")
        yield plain_first, guided_first
    print(f"{len(late)} branches are not taken in the first {EARLY} decisions of random games")


def first_taken(rules: Rules, guided: bool) -> dict[int, int]:
    """The number of decisions at the end of the run in which each branch was first taken."""
    explorer, first = Explorer(rules, 0, guided), dict[int, int]()
    for _ in explorer.search(lambda: explorer.decisions >= LIMIT):
        for branch in explorer.runs_by_branch.keys() - first.keys():
            if branch > 0:  # others stand for the values of options
                first[branch] = explorer.decisions
    return first


SIZES = (
    "no_thanks", "battleship", "crazy_eights", "checkers", "tallow_lane", "weir_keepers", "cribbage", "skat", "china",
    "dschingis_khan",
)  # fmt: skip
"""Games of all sizes."""


def seconds_until_taken(rules: Rules, guided: bool, seconds: float) -> tuple[dict[int, float], set[int]]:
    """The processor time after which each branch was first taken, and those taken within `EARLY` decisions."""
    explorer, first, early = Explorer(rules, 3, guided), dict[int, float](), set[int]()
    began = process_time()
    for _ in explorer.search(lambda: process_time() >= began + seconds):
        elapsed = process_time() - began
        first |= {branch: elapsed for branch in explorer.runs_by_branch.keys() - first.keys() if branch > 0}
        if explorer.decisions <= EARLY:
            early |= first.keys()
    return first, early


def in_equal_time(seconds: float, names: Sequence[str]) -> None:
    """Print how soon each side reaches the branches that random games do not take early, and how many it misses."""
    columns: tuple[list[float], list[float]] = [], []
    for path in shipped():
        if path.stem not in (names or SIZES):
            continue
        rules = read_original(path).rules
        (plain, early), (guided, _) = (seconds_until_taken(rules, way, seconds) for way in (False, True))
        late = sorted((plain.keys() | guided.keys()) - early)
        for column, first in zip(columns, (plain, guided), strict=True):
            column += [first.get(branch, seconds) for branch in late]
        print(f"{path.stem}: {len(late)} branches, missed {len(late) - len(plain.keys() & set(late))} by random games, "
              f"{len(late) - len(guided.keys() & set(late))} by the search", flush=True)  # fmt: skip
    for name, column in zip(("random games", "the search"), columns, strict=True):
        missed = sum(reached == seconds for reached in column)
        print(f"{name}: mean {fmean(column):.2f} s, missed {missed} of {len(column)} within {seconds} s")


def shipped() -> list[Path]:
    """The rules of all shipped games."""
    return [path for path in sorted(shipped_folder().glob("*.rules")) if not path.name.endswith(".examples.rules")]


def main(kind: str, number: int, names: Sequence[str]) -> None:
    """Plant `number` faults and print how soon each side found them."""
    pairs = list(changed_rules(number, names) if kind == "changes" else late_branches(number))
    for name, column in (("random games", [pair[0] for pair in pairs]), ("the search", [pair[1] for pair in pairs])):
        reached = [decisions for decisions in column if decisions is not None]
        shares = [f"{sum(decisions <= most for decisions in reached)} within {most:,}" for most in (100, 1_000, LIMIT)]
        every = sorted(LIMIT if decisions is None else decisions for decisions in column)
        print(
            f"{name}: {', '.join(shares)} decisions; median {median(every):,.0f}, mean {sum(every) / len(pairs):,.0f}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["time"]:
        in_equal_time(float((sys.argv[2:3] or ["1.5"])[0]), sys.argv[3:])
        sys.exit()
    words = [*sys.argv[1:], *("changes", str(FAULTS))[len(sys.argv) - 1 :]]
    main(words[0], int(words[1]), words[2:])
