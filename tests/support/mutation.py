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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

from dsl import ast
from interpreter.errors import PlayError
from interpreter.exploration.mutants import Mutant, mutants
from interpreter.exploration.noticing import Original, noticing_example, read_original
from interpreter.loading.rules import Rules
from interpreter.play.game import Game
from tests.support.positions import seated

LONGEST_GAME = 3_000
SECONDS = 60.0
GAMES = 3
NOTHING: Mapping[str, frozenset[int]] = {}

Property = Callable[[Rules], None]
"""Looks at the game and fails with an `AssertionError` where it is not as it must be."""


class TakesTooLong(BaseException):
    """Raised in the middle of whatever runs on and on."""


@dataclass(frozen=True, eq=False)
class Texts:
    """What was read of a game: its rules with its examples, and its properties."""

    original: Original
    properties: Mapping[str, Property]

    @property
    def file(self) -> ast.GameFile:
        return self.original.file


@cache
def texts(path: Path) -> Texts:
    """Read a game and its examples; its properties are in `tests/games/NAME_properties.py`."""
    original = read_original(path)
    assert original.rules.model, "the game does not check, so every mutant would be noticed"
    return Texts(original, properties_of(path.name.removesuffix(".rules")))


def properties_of(name: str) -> Mapping[str, Property]:
    """The properties of a game, none if it has no module of them."""
    if not (Path(__file__).parent.parent / "games" / f"{name}_properties.py").is_file():
        return {}
    properties: Mapping[str, Property] = importlib.import_module(f"tests.games.{name}_properties").PROPERTIES
    return properties


def noticed(
    read: Texts, mutant: Mutant, seconds: float = SECONDS, reached: Mapping[str, frozenset[int]] = NOTHING
) -> str:
    """Who noticed the mutant, in words; empty if nobody did.

    `reached` is the `reached_by_example` of the original, so that most mutants are noticed by the first example.
    """
    try:
        with at_most(seconds):
            rules = read.original.changed(mutant.file)
            if rules is None:
                return "the checker"
            example = noticing_example(rules, mutant, reached)
            if example:
                return f"example {example}"
            return by_playing(rules) or by_property(rules, read.properties)
    except TakesTooLong:
        return "the clock"


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
        who = noticed(read, mutant, reached=read.original.reached_by_example)
        took = time.monotonic() - before
        by[who.split()[0] if who.startswith(("example", "property")) else who] += 1
        if not who:
            print(f"{mutant.location}  {mutant.description}")
        if took > 3:
            print(f"  ({took:.1f} s: {mutant.description}: {who})")
    print(dict(by), sum(by.values()), f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
