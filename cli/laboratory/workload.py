"""The workload that flags ask for: how many games are played, how many of them are analysed in detail, and by what."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from math import ceil
from typing import Annotated

import typer

from cli.arguments import MOST_GAMES, check_amounts
from cli.backends import named_backend, usable_backend
from cli.errors import MisuseError
from cli.laboratory.running import BLOCK, Plan
from cli.render.echo import echo
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.analysis.figures import Figure, half_width
from interpreter.arguments import Backend
from interpreter.laboratory.comparing import MeanDifference
from interpreter.laboratory.setting import Setting

Details = Annotated[
    int,
    typer.Option("--details", metavar="N", help="Analyse the first N games in detail: tension, points, choices."),
]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="J", help="Worker processes (default: one per CPU).")]
Cluster = Annotated[
    str | None,
    typer.Option("--on", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler: tcp://host:8786."),
]

ROLLOUTS = 100
"""Random games from each moment of a game that is analysed in detail."""

MOST_UNTIL = 1_000_000
"""The default maximum number of games with `--until`."""


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
        return Plan(setting, self.games, self.details, ROLLOUTS, until, chosen, self.jobs, self.on)


def workload_of(games: int, details: int, jobs: int | None, backend: str, on: str | None) -> Workload:
    """The workload with the values of these flags. Raises MisuseError."""
    check_amounts(games, jobs)
    if not 0 <= details <= MOST_GAMES:
        raise MisuseError(f"--details must be from 0 to {MOST_GAMES:,}, not {details}")
    return Workload(games, min(details, games), jobs or os.cpu_count() or 1, named_backend(backend), on)


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
