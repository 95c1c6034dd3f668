"""Several runs, one after the other, with the same seeds; each is kept in its own file if a folder is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.errors import CommandError
from cli.failed_games import FailedGame
from cli.laboratory.replay import state_before_failure
from cli.laboratory.running import Plan, play_run
from cli.progress import Stage, show_progress
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import special_at
from interpreter.laboratory.records import FailedRecord
from interpreter.laboratory.report import Report, report_of
from interpreter.laboratory.results_file import Record, games_form, kept_results
from interpreter.laboratory.setting import Setting

Folder = Annotated[
    str | None,
    typer.Option("--into", metavar="FOLDER", help="Keep every game in FOLDER, and continue from what it holds."),
]


@dataclass(frozen=True)
class Series:
    """The reports of several runs; if interrupted, only of those that have games."""

    reports: tuple[Report, ...]
    interrupted: bool = False


def play_series(plans: Sequence[tuple[str, Plan]], folder: Path | None) -> Series:
    """Play named runs; games that the folder already holds are not played again.

    Raises KeyboardInterrupt if there is no game yet.
    """
    reports: list[Report] = []
    for number, (name, plan) in enumerate(plans, 1):
        stage = Stage(name, total=plan.games, place=f"{number} of {len(plans)}: {name}")
        try:
            report, interrupted = play_kept(plan, file_in(folder, name), stage)
        except KeyboardInterrupt:
            if not reports:
                raise
            return Series(tuple(reports), interrupted=True)
        reports.append(report)
        if interrupted:
            return Series(tuple(reports), interrupted=True)
    return Series(tuple(reports))


def file_in(folder: Path | None, run: str) -> Path | None:
    """The file of a run in a folder, which is created if it does not exist. Raises CommandError, OSError."""
    if folder is None:
        return None
    _create(folder)
    return folder / f"{re.sub(r'[^A-Za-z0-9_=.+-]+', '_', run)}.jsonl"


def failed_games(
    setting: Setting, failed: Sequence[FailedRecord], run: str = "", extra: Mapping[str, Any] | None = None
) -> list[FailedGame]:
    """The games of a run that ended in an error; `run` and `extra` say which run, in words and as data."""
    players = {seat: bot.text for seat, bot in zip(setting.game.seats, setting.bots, strict=True)}
    return [
        FailedGame(record.failed, partial(state_before_failure, setting, record), run, extra or {}, players)
        for record in failed
    ]


def play_kept(plan: Plan, path: Path | None, stage: Stage) -> tuple[Report, bool]:
    """Play a run and keep its games in a file, if a path is given; the report, and whether it was interrupted."""
    with kept_games(plan.setting, path) as (records, add), show_progress(stage):
        run = play_run(plan, records, add, stage)
    return report_of(plan.setting, run.finished, run.failed, plan.games), run.interrupted


@contextmanager
def kept_games(
    setting: Setting, path: Path | None
) -> Iterator[tuple[dict[int, Record], Callable[[Sequence[Record]], None]]]:
    """The games in a file, if a path is given, and a function that adds games; the file is open during the block."""
    with kept_results(path, games_form(len(setting.game.seats)), setting.header) as file:
        records: dict[int, Record] = {} if file is None else file.results
        add = records.update if file is None else file.add_all
        yield records, lambda played: add([(record.number, record) for record in played])


def _create(folder: Path) -> None:
    """Create a folder. Raises CommandError if something else is in its place, OSError."""
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is {special_at(folder) or 'a file'}, not a folder")
    folder.mkdir(parents=True, exist_ok=True)
