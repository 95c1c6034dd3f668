"""Whether anybody notices a mutant: the checker, an example, a random game, or a property of the game.

    python -m tests.support.mutation games/NAME.rules

prints who noticed how many, and every mutant nobody noticed.
"""

from __future__ import annotations

import importlib
import random
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from dsl import ast
from dsl.boards import Board
from dsl.checker import check
from interpreter.authoring.coverage.instrumentation import FAILS, HOLDS, REACHED, Branches, branch, instrumented
from interpreter.authoring.examples.suite import example_results
from interpreter.errors import PlayError, UsageError
from interpreter.loading.rules import Rules, board_of, read_rules
from interpreter.play.game import Game, seat_game
from interpreter.play.scenes.runner import Runner
from interpreter.play.scenes.setup import options_given
from tests.support.mutants import Mutant, mutants
from tests.support.positions import seated

LONGEST_GAME = 3_000
SECONDS = 60.0
GAMES = 3
NOTHING: Mapping[str, frozenset[int]] = {}

Property = Callable[[Rules], None]
"""Looks at the game and fails with an `AssertionError` where it is not as it must be."""


Seating = tuple[int | tuple[str, ...] | None, tuple[tuple[str, str], ...]]
"""Seats and options."""


class TakesTooLong(BaseException):
    """Raised in the middle of whatever runs on and on."""


@dataclass(frozen=True, eq=False)
class Texts:
    """What was read of a game: its rules, its board, and all its examples in one file."""

    path: Path
    file: ast.GameFile
    board: Board | None
    companion: ast.ExamplesFile | None
    properties: Mapping[str, Property]


@cache
def texts(path: Path) -> Texts:
    """Read a game and its examples; its properties are in `tests/games/NAME_properties.py`."""
    file, companion, findings = read_rules(path, examples=True)
    assert file is not None, findings
    name = path.name.removesuffix(".rules")
    board, findings = board_of(path, file)
    assert findings == []
    read = Texts(path, file, board, companion, properties_of(name))
    assert rules_of(read, file) is not None, "the game does not check, so every mutant would be noticed"
    return read


def properties_of(name: str) -> Mapping[str, Property]:
    """The properties of a game, none if it has no module of them."""
    if not (Path(__file__).parent.parent / "games" / f"{name}_properties.py").is_file():
        return {}
    properties: Mapping[str, Property] = importlib.import_module(f"tests.games.{name}_properties").PROPERTIES
    return properties


def rules_of(read: Texts, file: ast.GameFile) -> Rules | None:
    """The checked rules of a file, None if they do not check."""
    model, _ = check(file, read.companion, board=read.board)
    return None if model is None else Rules(read.path, model, ())


def noticed(
    read: Texts, mutant: Mutant, seconds: float = SECONDS, reached: Mapping[str, frozenset[int]] = NOTHING
) -> str:
    """Who noticed the mutant, in words; empty if nobody did.

    `reached` is what `reached_by_examples` finds, so that of many mutants most are noticed by the first example.
    """
    try:
        with at_most(seconds):
            rules = rules_of(read, mutant.file)
            if rules is None:
                return "the checker"
            return by_example(rules, mutant, reached) or by_playing(rules) or by_property(rules, read.properties)
    except TakesTooLong:
        return "the clock"


def by_example(rules: Rules, mutant: Mutant, reached: Mapping[str, frozenset[int]]) -> str:
    """The first example that does not hold; first come those that cite the same items and reach what is changed."""
    tables: dict[Seating, list[ast.Example]] = defaultdict(list)
    for example in rules.model.examples:
        tables[table_of(rules, example)].append(example)

    def far(example: ast.Example) -> tuple[int, int]:
        nodes = reached.get(example.title.value, ())
        return index_of(mutant.cites, example.cites), index_of(mutant.around, nodes)

    def order(found: tuple[Seating, ast.Example]) -> tuple[tuple[int, int], int]:
        table, example = found
        return far(example), -len(tables[table])

    for table, example in sorted(((seating, each) for seating in tables for each in tables[seating]), key=order):
        seats, options = table
        try:
            if Runner(seated(rules, seats, dict(options)), example).run():
                return f"example {example.title.value}"
        except (UsageError, PlayError):
            return f"example {example.title.value}"
    return ""


def index_of(wanted: tuple[Any, ...], found: Collection[Any]) -> int:
    """Where the first of those that are found is among those wanted; behind the last one if none is."""
    return next((index for index, each in enumerate(wanted) if each in found), len(wanted))


@cache
def reached_by_examples(read: Texts) -> Mapping[str, frozenset[int]]:
    """The numbers of the nodes that each example reaches, by its title."""
    rules, branches = rules_of(read, read.file), Branches()
    assert rules is not None
    node_of = {branch(node.number, each): node.number for node in read.file.walk() for each in (REACHED, HOLDS, FAILS)}
    results = example_results(rules, make_game=lambda *known: instrumented(seat_game(*known), branches))
    return {result.title: frozenset(node_of.get(taken, -1) for taken in branches.take()) for result in results}


def table_of(rules: Rules, example: ast.Example) -> Seating:
    """Seats and options of an example."""
    seats: int | tuple[str, ...] | None = None
    for scene in example.scenes:
        if isinstance(scene, ast.GivenSeats):
            seats = scene.count if scene.count is not None else scene.seats
    return seats, tuple(sorted(options_given(rules.model, example).items()))


def by_playing(rules: Rules) -> str:
    """Random games with the fewest and the most players: no rule fails, and each comes to an end."""
    header = rules.model.file.header
    for players in sorted({header.fewest, header.most}):
        game = seated(rules, players, {})
        for seed in range(GAMES):
            try:
                if not ends(game, seed):
                    return "a game without end"
            except PlayError:
                return "a rule that fails"
    return ""


def ends(game: Game, seed: int) -> bool:
    """Whether a random game ends in time."""
    draw = random.Random(seed)
    state = game.start(seed)
    for _ in range(LONGEST_GAME):
        legal = state.program.legal(state.cells)
        if state.over:
            return True
        if not legal:
            return False
        state.program.do(state.cells, None, draw.choice(legal))
    return False


def by_property(rules: Rules, properties: Mapping[str, Property]) -> str:
    """The first property of the game that does not hold, or cannot even be looked at."""
    for name, holds in properties.items():
        try:
            holds(rules)
        except Exception:
            return f"property {name}"
    return ""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TakesTooLong` in here after a number of seconds of processor time, where the system can."""
    if not hasattr(signal, "SIGPROF") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TakesTooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ---------------------------------------------------------------- the list of those nobody notices


def survivors_of(path: Path) -> dict[str, str]:
    """The list of mutants nobody notices: each in a line, and below it, set in, why that is so."""
    found: dict[str, str] = {}
    last = ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.startswith("#") or not line.strip():
            continue
        if line[0] != " ":
            assert line not in found, f"{path.name} lists this twice: {line}"
            last = line
            found[last] = ""
        else:
            found[last] = f"{found[last]} {line.strip()}".strip()
    return found


def main(path: Path) -> None:
    """Try every mutant of a game and print what became of them."""
    read = texts(path)
    by: Counter[str] = Counter()
    started = time.monotonic()
    for mutant in mutants(read.file):
        before = time.monotonic()
        who = noticed(read, mutant, reached=reached_by_examples(read))
        took = time.monotonic() - before
        by[who.split()[0] if who.startswith(("example", "property")) else who] += 1
        if not who:
            print(f"{mutant.location}  {mutant.description}")
        if took > 3:
            print(f"  ({took:.1f} s: {mutant.description}: {who})")
    print(dict(by), sum(by.values()), f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
