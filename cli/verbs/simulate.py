"""`simulate GAME`: let bots play many games, and report what they show about the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import (
    MOST_GAMES,
    GameName,
    Language,
    Options,
    OwnBoard,
    Variants,
    board_file,
    in_writable_folder,
    open_game,
    output_file,
    pairs,
    read_players,
)
from cli.backends import BackendName
from cli.errors import DONE, INTERRUPTED, WRONG, CommandError, MisuseError, Stop
from cli.failed_games import Failure, as_data, in_words, moment_of, saved_faults, trace_of
from cli.json_output import emit
from cli.laboratory.frames import figures_frame, games_frame
from cli.laboratory.lineup import Bots, Seats, lineup
from cli.laboratory.outputs import Figures, Format, Html, PerGame, Svg, check_format, outputs
from cli.laboratory.replay import differs, replayed, report_of_one, save_game
from cli.laboratory.running import Plan
from cli.laboratory.series import failed_games, play_kept
from cli.laboratory.skill import LADDER, MOST_OF_TWO, skill_of
from cli.laboratory.tables import print_report
from cli.laboratory.workload import MOST_UNTIL, Cluster, Details, Jobs, accuracy, warn_if_inaccurate, workload_of
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from dsl.text.nouns import counted
from interpreter.laboratory.measures import playouts_of
from interpreter.laboratory.report import Report, document, summary_of
from interpreter.laboratory.results_file import Record, games_form, kept_results
from interpreter.laboratory.setting import Setting
from interpreter.laboratory.statistics import even_share

GAMES = 100
"""The default number of games."""


def simulate(
    game: GameName,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="Number of players, or their seats: red,blue.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", help=f"Number of games (default: {GAMES}).")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="PERCENT", help="Stop when the shares of the wins are known to ±1%, say."),
    ] = None,
    details: Details = 0,
    bots: Bots = None,
    seat: Seats = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the first game; the others count up from it.")
    ] = 0,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="FILE", help="Keep every game in FILE, and continue from those already in it."),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--game", metavar="K", help="Play only game K of the run, counted from 0, and save it for trace."),
    ] = None,
    skill: Annotated[
        int,
        typer.Option(
            "--skill", metavar="N", help=f"Let each bot of {', '.join(LADDER)} play N games against the one before."
        ),
    ] = 0,
    html: Html = None,
    svg: Svg = None,
    figures: Figures = None,
    per_game: PerGame = None,
    jobs: Jobs = None,
    on: Cluster = None,
    option: Options = None,
    variant: Variants = None,
    board: OwnBoard = None,
    backend: BackendName = "auto",
    form: Format = "text",
    language: Language = None,
) -> None:
    """Let bots play many games, and report who wins and how the games went.

    Without --bots all moves are random. The figures are the same for any number of jobs and for any backend, unless
    bots think for a time. Games that end in an error are reported, saved and not counted; exit code 1 if
    there is one. Ctrl-C stops, and reports the games played so far; with --into the same command continues from there.
    """
    check_format(form)
    if number is not None:
        _check_alone({"--html": html, "--svg": svg, "--figures": figures, "--per-game": per_game, "--skill": skill})
    half = None if until is None else accuracy(until)
    most = games if games is not None else (GAMES if half is None else MOST_UNTIL)
    workload = workload_of(most, details, jobs, backend, on)
    path = None if into is None else in_writable_folder(output_file(into, "--into"), "--into")
    if not 0 <= skill <= MOST_OF_TWO:
        raise MisuseError(f"--skill must be from 0 to {MOST_OF_TWO:,}, not {skill}")
    files = outputs(html, svg, figures, per_game)
    options = pairs(option, "--option", "NAME=VALUE")
    assigned = pairs(seat, "--seat", "NAME=BOT")
    with show_progress(Stage(f"{game}: reading")):
        opened = open_game(game, read_players(players), options, board_file(board), variant, language)
        setting = Setting(opened, options, lineup(opened, assigned, bots), seed, plain=form != "text")
    if number is not None:
        _play_one(workload.plan(setting), number, path, form)
    plan = workload.plan(setting, half)
    report, interrupted = play_kept(plan, path, Stage(total=most))
    if skill > 0 and not interrupted:
        measured_skill = skill_of(
            setting, skill, workload.jobs, None if path is None else path.with_name(f"{path.name}.skill")
        )
        report, interrupted = replace(report, skill=measured_skill.steps), measured_skill.interrupted
    played = len(report.records) + len(report.failed)
    requested = most if half is None and not interrupted else played
    faults = saved_faults(failed_games(setting, report.failed))
    if form == "json":
        emit("simulate", {**document(report), "failed": as_data(faults)})
    elif form == "csv":
        echo(figures_frame(report).csv().rstrip("\n"))
        _print_faults(faults, len(report.records), requested, err=True)
    else:
        _print(report, faults, requested)
    for line in (*files.write(report), *files.write_tables(report)):
        echo(line, err=form != "text")
    if half is not None and not interrupted and report.records:
        wins = (measured.figure for measured in report.measures if measured.measure.of_wins)
        warn_if_inaccurate(wins, half, len(report.records), "game", "the shares of the wins")
    if interrupted:
        more = "" if path is None else f"; the same command goes on with {into}"
        echo(f"interrupted: the figures cover the first {played} of {counted(most, 'game')}{more}", err=True)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


# ---- one game of the run


def _check_alone(flags: Mapping[str, object]) -> None:
    """Raise MisuseError for a flag that applies only to a run of many games."""
    for flag, value in flags.items():
        if value:
            raise MisuseError(f"{flag} applies to all games of a run; omit it with --game")


def _play_one(plan: Plan, number: int, path: Path | None, form: str) -> None:
    """Play one game again and save it. Raises Stop when done, MisuseError for a number out of range."""
    setting = plan.setting
    if not 0 <= number < MOST_GAMES:
        raise MisuseError(f"--game must be from 0 to {MOST_GAMES - 1:,}, not {number}")
    recorded = _kept(setting, path).get(number)
    with show_progress(Stage(f"{setting.game.name}: playing")):
        state, failed = replayed(setting, number)
        frame = None if form == "text" else games_frame(report_of_one(plan, number, state, failed))
    if frame is not None:
        echo((frame.json() if form == "json" else frame.csv()).rstrip("\n"))
    if state is None:
        assert failed is not None
        raise CommandError(f"game {number} ends in an error during setup: {failed.location}: {failed.message}")
    try:
        save = save_game(setting, state)
    except OSError as problem:
        raise CommandError(f"the game could not be saved: {(problem.strerror or str(problem)).lower()}") from None
    if differs(setting, state, recorded):
        echo("note: this differs from the game in the file: bots with a time budget may play differently", err=True)
    over = f"is over after {counted(state.ply, 'decision')}"
    end = over if failed is None else f"ended in an error: {failed.location}: {failed.message}, {moment_of(failed)}"
    echo(f"game {number}, seed {state.seed}: {end}", err=form != "text")
    echo(f"  {trace_of(save)}", err=form != "text")
    raise Stop(DONE if failed is None else WRONG)


def _kept(setting: Setting, path: Path | None) -> Mapping[int, Record]:
    """The games that a file already holds."""
    if path is None or not path.exists():
        return {}
    with kept_results(path, games_form(len(setting.game.seats)), setting.header) as file:
        return {} if file is None else file.results


# ---- the report


def _print(report: Report, faults: Sequence[Failure], requested: int) -> None:
    setting = report.setting
    compared = len(setting.game.seats) > 1 and not setting.together and report.records
    even = even_share(playouts_of(setting, report.records), setting.game.seats) if compared else None
    print_report(report, even, summary_of(report).shared)
    _print_faults(faults, len(report.records), requested)


def _print_faults(faults: Sequence[Failure], played: int, requested: int, err: bool = False) -> None:
    """Report the games that failed, if any."""
    if not faults:
        return
    failed = sum(len(fault.games) for fault in faults)
    echo("", err=err)
    others = f"; the figures cover the other {played}" if played else ", so there are no figures"
    echo(f"{failed} of {counted(played + failed, 'game')} ended in an error{others}", err=err)
    if played + failed < requested:
        echo(f"the remaining {requested - played - failed} were not played: endless games take too long", err=err)
    for line in in_words(faults):
        echo(f" {line}", err=err)
