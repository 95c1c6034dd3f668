"""A series of games that measures one claim, and the file in which the games of all series are kept.

A line is written for each finished rotation, so an interrupted run continues where it stopped. Games of one series
are never mixed with those of other versions of the bots or of the rules.
"""

from __future__ import annotations

import ast
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from interpreter.analysis.figures import Figure, figure
from interpreter.laboratory.confidence import excluded, interval
from interpreter.opponents.specs import KINDS

ROOT = Path(__file__).resolve().parents[2]
BOT_FOLDERS = ("interpreter/opponents", "interpreter/compiler/machine/routines")
"""The folders that decide which moves a bot makes: the bots, and their searches in the machine engine."""

MAX_GAMES = 400
USUAL_SECONDS = 30.0
"""Expected seconds of a game where nothing is known about it."""

MIN_ROTATIONS = 8
"""The fewest rotations after which the interval can exclude equality."""


@dataclass(frozen=True)
class Rotation:
    """The result of the games of a series with one seed: `value` is a share, or a gain for each hand.

    `seconds` are those of the processor, so that other work on the machine matters little. Where the time of both sides
    is measured, `ours` and `theirs` are the seconds of a move of our bot and of the other one.
    """

    series: str
    number: int
    value: float
    games: int
    seconds: float
    code: str
    ours: float | None = None
    theirs: float | None = None


@dataclass(frozen=True)
class Timed:
    """The value of a rotation, with the processor time of a move of our bot and of the other one, in seconds."""

    value: float
    ours: float | None = None
    theirs: float | None = None


@dataclass(frozen=True)
class Series:
    """Games that measure one claim.

    `bots` names the kinds of searching bots in them, as players name them. `play` plays the rotation with a number, of
    `games` games. Of `shares`, an even one is `even`, and `target` is the share aimed at; the series ends once the
    interval excludes equality. Other series measure gains, or whether values are equal, and are played to their end.
    `rules` identifies the code of the game, `guess` is the expected duration in seconds of a game that was never
    played.
    """

    name: str
    part: str
    game: str
    claim: str
    bots: tuple[str, ...]
    games: int
    play: Callable[[int], float | Timed] = field(repr=False, compare=False)
    rules: Callable[[], str] = field(repr=False, compare=False)
    even: float = 0.5
    target: float | None = None
    shares: bool = True
    fewest: int = 0
    most: int = MAX_GAMES
    guess: float = USUAL_SECONDS

    @property
    def rotations(self) -> int:
        """The most rotations."""
        return -(-self.most // self.games)

    def code(self) -> str:
        """What the results depend on: the bots and the rules."""
        return hashlib.sha256(f"{code_of_bots(self.bots)} {self.rules()}".encode()).hexdigest()[:12]

    def decided(self, values: Sequence[float]) -> bool:
        """True if no more games are needed."""
        if len(values) >= self.rotations:
            return True
        return self.shares and len(values) * self.games >= self.fewest and excluded(_counted(values), self.even)

    def figure(self, values: Sequence[float]) -> Figure:
        """The mean with its 95 % interval: one that holds at all times for shares."""
        if not self.shares:
            return figure(values)
        low, high = interval(values)
        return Figure(sum(values) / len(values), low, high, min(values), max(values))


def _counted(values: Sequence[float]) -> dict[float, int]:
    counts: dict[float, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


@cache
def code_of_bots(bots: tuple[str, ...]) -> str:
    """A hash of the code behind some kinds of bots: without that of other kinds, which has a file for each.

    Comments and docstrings do not count: rewording them changes no result.
    """
    others = {f"{kind}.py" for kind in KINDS if kind not in bots}
    digest = hashlib.sha256()
    for path in sorted(path for folder in BOT_FOLDERS for path in (ROOT / folder).rglob("*.py")):
        if path.name in others:
            continue
        code = ast.dump(_without_docstrings(ast.parse(path.read_text("utf-8"))))
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{code}".encode())
    return digest.hexdigest()


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """The tree without statements that are only a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
    return tree


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class Results:
    """The rotations that were played, by series and code."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: dict[str, dict[str, dict[int, Rotation]]] = defaultdict(lambda: defaultdict(dict))
        text = path.read_text("utf-8") if path.exists() else ""
        for line in text.splitlines():
            rotation = _read(line)
            if rotation is not None:
                self._keep(rotation)
        if text and not text.endswith("\n"):
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")  # a kill cut the last line off

    def _keep(self, rotation: Rotation) -> None:
        codes = self._found[rotation.series]
        kept = codes.pop(rotation.code, {})
        codes[rotation.code] = kept  # the code of the last line is the latest
        kept.setdefault(rotation.number, rotation)

    def add(self, rotation: Rotation) -> None:
        """Store a rotation."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            known = {name: value for name, value in asdict(rotation).items() if value is not None}
            file.write(json.dumps(known) + "\n")
        self._keep(rotation)

    def of(self, series: Series, code: str | None = None) -> list[Rotation]:
        """The rotations of a series in order, without gaps: those of this code, or of the latest there is."""
        codes = self._found.get(series.name, {})
        if not codes:
            return []
        kept = codes.get(next(reversed(codes)) if code is None else code, {})
        found: list[Rotation] = []
        while len(found) in kept and not series.decided([each.value for each in found]):
            found.append(kept[len(found)])
        return found

    def seconds(self, series: Series) -> float | None:
        """The mean seconds of a game of a series, whatever the code; None if there was none."""
        each = [rotation for kept in self._found.get(series.name, {}).values() for rotation in kept.values()]
        games = sum(rotation.games for rotation in each)
        return sum(rotation.seconds for rotation in each) / games if games else None


def _read(line: str) -> Rotation | None:
    """A rotation; None for a truncated line."""
    try:
        return Rotation(**json.loads(line))
    except (ValueError, TypeError):
        return None


@dataclass(frozen=True)
class Outlook:
    """The remaining time of a series in seconds: if it is decided as soon as possible, and at most."""

    series: Series
    least: float
    most: float
    known: bool


def outlook(series: Series, results: Results) -> Outlook:
    """The expected duration of a series."""
    played = results.of(series, series.code())
    if series.decided([each.value for each in played]):
        return Outlook(series, 0.0, 0.0, known=True)
    seconds = results.seconds(series)
    each = (series.guess if seconds is None else seconds) * series.games
    left = series.rotations - len(played)
    fewest = max(MIN_ROTATIONS, -(-series.fewest // series.games))
    soonest = max(1, fewest - len(played)) if series.shares else left
    return Outlook(series, each * min(left, soonest), each * left, seconds is not None)


def run(series: Series, results: Results, upto: int | None = None) -> Iterator[Rotation]:
    """Play the missing rotations of a series, at most `upto` of them."""
    code = series.code()
    played = results.of(series, code)
    values = [each.value for each in played]
    while not series.decided(values) and (upto is None or len(values) - len(played) < upto):
        started = time.process_time()
        played_now = series.play(len(values))
        seconds = round(time.process_time() - started, 2)
        timed = played_now if isinstance(played_now, Timed) else Timed(played_now)
        rotation = Rotation(
            series.name, len(values), timed.value, series.games, seconds, code, timed.ours, timed.theirs
        )
        results.add(rotation)
        values.append(timed.value)
        yield rotation
