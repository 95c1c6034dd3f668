"""The flags of verbs that play many games: how many, by which bots, how many are analysed in detail, and by what."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from math import ceil
from typing import Annotated

import typer

from cli.arguments import MAX_GAMES, Jobs, Language, Options, OwnBoard, Players, check_amounts, pairs
from cli.backends import BackendName, named_backend, usable_backend
from cli.errors import MisuseError
from cli.laboratory.outputs import Format, Html, Svg
from cli.play.seats import ALL, unknown_seat
from cli.render.echo import echo
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.analysis.figures import Figure, half_width
from interpreter.arguments import Backend
from interpreter.laboratory.comparing import MeanDifference
from interpreter.laboratory.running import BLOCK, Plan
from interpreter.laboratory.setting import Setting, lineup
from interpreter.opponents.specs import EXAMPLES, RANDOM, BotSpec
from interpreter.play.game import Game

Details = Annotated[
    int, typer.Option("--details", metavar="N", help="Analyse the first N games in detail: tension, points, choices.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--on", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler: tcp://host:8786."),
]

Folder = Annotated[
    str | None,
    typer.Option("--into", metavar="FOLDER", help="Keep every game in FOLDER, and continue from what it holds."),
]
Bots = Annotated[
    str | None,
    typer.Option("--bots", metavar="BOT", help=f"The bot in every other seat: {', '.join(EXAMPLES)}, or your own."),
]
Seats = Annotated[
    list[str] | None, typer.Option("--seat", metavar="NAME=BOT", help="The bot of one seat; may be repeated.")
]

MAX_UNTIL = 1_000_000
"""The default maximum number of games with `--until`."""


@dataclass(frozen=True, kw_only=True)
class RunFlags:
    """The flags that `simulate`, `compare` and `sweep` share, in the order in which help lists them."""

    players: Players = None
    games: Annotated[int | None, typer.Option("--games", "-n", metavar="N", help="Number of games.")] = None
    details: Details = 0
    bots: Bots = None
    seat: Seats = None
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the first game; the others count up from it.")
    ] = 0
    into: Folder = None
    html: Html = None
    svg: Svg = None
    jobs: Jobs = None
    on: Cluster = None
    option: Options = None
    board: OwnBoard = None
    backend: BackendName = "auto"
    form: Format = "text"
    language: Language = None

    def workload(self, games: int) -> Workload:
        """The workload of each set of rules. Raises MisuseError."""
        check_amounts(games, self.jobs)
        if not 0 <= self.details <= MAX_GAMES:
            raise MisuseError(f"--details must be from 0 to {MAX_GAMES:,}, not {self.details}")
        jobs = self.jobs or os.cpu_count() or 1
        return Workload(games, min(self.details, games), jobs, named_backend(self.backend), self.on)

    def setting(self, game: Game, *, plain: bool) -> Setting:
        """The game with the bots that play it. Raises MisuseError, UsageError."""
        assigned = pairs(self.seat, "--seat", "NAME=BOT")
        return Setting(game, bots_of(game, assigned, self.bots), self.seed, plain)

    @property
    def go_on(self) -> str:
        """How an interrupted run goes on, as the end of a sentence."""
        return "" if self.into is None else f"; the same command goes on with {self.into}"


@dataclass(frozen=True)
class Workload:
    """How many games are played of each setting, how many of them are analysed in detail, and by what."""

    games: int
    details: int
    jobs: int
    backend: Backend
    on: str | None

    def plan(self, setting: Setting, until: float | None = None) -> Plan:
        """The run of a setting; with `until` it ends as soon as the shares of the wins are known to within ±`until`."""
        chosen = self.backend if self.on is not None else usable_backend(setting.game, self.backend)
        return Plan(setting, self.games, self.details, until=until, backend=chosen, jobs=self.jobs, on=self.on)


def accuracy(text: str) -> float:
    """Parse `1%` or `0.5%` as half the width of an interval. Raises MisuseError."""
    percentage = re.fullmatch(r"(\d{1,2}(?:\.\d{1,3})?) ?%", text.strip(), re.ASCII)
    if percentage is None or not 0 < float(percentage[1]) < 50:
        raise MisuseError(f"--until must be a percentage such as 1% or 0.5%, below 50%, not {text}")
    return float(percentage[1]) / 100


def warn_if_inaccurate(
    figures: Iterable[Figure | MeanDifference], until: float, games: int, noun: str, what: str
) -> None:  # fmt: skip
    """Print a note if `what` is not known to within ±`until` after this number of games, or of pairs, as `noun` says.

    The widest of the intervals decides.
    """
    half = max((half_width(figure.low, figure.high) for figure in figures), default=1.0)
    if half > until:
        reached, target = (f"±{100 * share:.3g}%" for share in (half, until))
        enough = ceil(games * (half / until) ** 2 / BLOCK) * BLOCK
        echo(
            f"note: after {counted(games, noun)} {what} are known to {reached}; {target} takes about {enough:,}",
            err=True,
        )


def bots_of(game: Game, assigned: Mapping[str, str], bots: str | None) -> tuple[BotSpec, ...]:
    """The bot of each seat: the one assigned to it, else `bots`, else random moves.

    Raises MisuseError, UsageError.
    """
    for seat in assigned:
        if seat != ALL and seat not in game.seats:
            raise unknown_seat(seat, game.seats)
    if ALL in assigned and bots is not None:
        raise MisuseError(f"--seat {ALL}={assigned[ALL]} already assigns all other seats: omit one of the two")
    others = assigned.get(ALL, bots or RANDOM)
    return lineup(game, {seat: assigned.get(seat, others) for seat in game.seats})
