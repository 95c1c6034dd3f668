"""`simulate GAME`: let bots play many games, and report what they show about the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import MAX_GAMES, From, GameName, Variants, board_file, open_game, pairs, read_players
from cli.errors import DONE, INTERRUPTED, WRONG, CommandError, MisuseError, Stop
from cli.failed_games import Failure, as_data, failed_games_of, in_words, moment_of, saved_faults, trace_of
from cli.json_output import emit
from cli.laboratory.outputs import Figures, PerGame, check_format, figures_frame, games_frame, outputs
from cli.laboratory.tables import print_report
from cli.laboratory.workload import MAX_UNTIL, RunFlags, accuracy, warn_if_inaccurate
from cli.output_files import in_writable_folder, output_file
from cli.progress import Stage, say_interrupted, show_progress, unless_interrupted
from cli.render.echo import echo
from cli.save_paths import save_once
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.analysis.failed_games import Failed
from interpreter.laboratory.arena import LADDER, fought, ladder_of
from interpreter.laboratory.courses import Courses, FailedRecord
from interpreter.laboratory.playing import differs, record_of, replayed
from interpreter.laboratory.report import Report, report_of
from interpreter.laboratory.running import Plan, kept_run, simulated
from interpreter.laboratory.setting import Setting
from interpreter.play.game import State
from interpreter.play.saves.files import SaveMeta, save_text

MAX_OF_TWO = 10_000
"""The maximum number of games of a bot against the one before it."""

GAMES = 100
"""The default number of games."""


@dataclass(frozen=True, kw_only=True)
class Flags(RunFlags):
    """The arguments and flags of `simulate`."""

    game: GameName
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", help=f"Number of games (default: {GAMES}).")
    ] = None
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="PERCENT", help="Stop when the shares of the wins are known to ±1%, say."),
    ] = None
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="FILE", help="Keep every game in FILE, and continue from those already in it."),
    ] = None
    number: Annotated[
        int | None,
        typer.Option("--game", metavar="K", help="Play only game K of the run, counted from 0, and save it for trace."),
    ] = None
    skill: Annotated[
        int,
        typer.Option(
            "--skill", metavar="N", help=f"Let each bot of {', '.join(LADDER)} play N games against the one before."
        ),
    ] = 0
    figures: Figures = None
    per_game: PerGame = None
    variant: Variants = None
    position: From = None


def simulate(flags: Flags) -> None:
    """Let bots play many games, and report who wins and how the games went.

    Without --bots all moves are random. The figures are the same for any number of jobs and for any backend, unless
    bots think for a time. Games that end in an error are reported, saved and not counted; exit code 1 if
    there is one. Ctrl-C stops, and reports the games played so far; with --into the same command continues from there.
    """
    form = flags.form
    check_format(form)
    if flags.number is not None:
        _check_alone(flags)
    until = None if flags.until is None else accuracy(flags.until)
    most = flags.games if flags.games is not None else (GAMES if until is None else MAX_UNTIL)
    workload = flags.workload(most)
    path = None if flags.into is None else in_writable_folder(output_file(flags.into, "--into"), "--into")
    if not 0 <= flags.skill <= MAX_OF_TWO:
        raise MisuseError(f"--skill must be from 0 to {MAX_OF_TWO:,}, not {flags.skill}")
    files = outputs(flags.html, flags.svg, flags.figures, flags.per_game)
    options = pairs(flags.option, "--option", "NAME=VALUE")
    with show_progress(Stage(f"{flags.game}: reading")):
        opened = open_game(
            flags.game,
            read_players(flags.players),
            options,
            board_file(flags.board),
            flags.variant,
            flags.language,
            flags.position,
        )
        setting = flags.setting(opened, plain=form != "text")
    plan = workload.plan(setting, until)
    if flags.number is not None:
        _play_one(plan, flags.number, path, form)
    report = unless_interrupted(Stage(total=most), lambda watch: simulated(plan, path, watch))
    interrupted, played = report.interrupted, len(report.records) + len(report.failed)
    covered = f"the figures cover the first {played} of {counted(most, 'game')}"
    if flags.skill > 0 and not interrupted:
        contest = ladder_of(opened, flags.skill, flags.seed, workload.jobs)
        stored_path = None if path is None else path.with_name(f"{path.name}.skill")
        ladder = unless_interrupted(Stage(total=1), lambda watch: fought(contest, stored_path, watch))
        steps = tuple(match for match in ladder.matches if match.games)
        report, interrupted = replace(report, skill=steps), ladder.interrupted
        covered = "the figures of skill cover the games of the ladder played so far"
    requested = most if until is None and not interrupted else played
    faults = saved_faults(failed_games_of(report))
    if form == "json":
        emit("simulate", {**report.as_data(), "failed": as_data(faults)})
    elif form == "csv":
        echo(figures_frame(report).csv().rstrip("\n"))
        _print_faults(faults, len(report.records), requested, err=True)
    else:
        print_report(report)
        _print_faults(faults, len(report.records), requested)
    for line in (*files.write(report), *files.write_tables(report)):
        echo(line, err=form != "text")
    if until is not None and not interrupted and report.records:
        warn_if_inaccurate(report.wins.values(), until, len(report.records), "game", "the shares of the wins")
    if interrupted:
        say_interrupted(flags.into, covered)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


# ---- one game of the run


def _check_alone(flags: Flags) -> None:
    """Raise MisuseError for a flag that applies only to a run of many games."""
    of_many = {"--html": flags.html, "--svg": flags.svg, "--figures": flags.figures, "--per-game": flags.per_game}
    for flag, value in {**of_many, "--skill": flags.skill}.items():
        if value:
            raise MisuseError(f"{flag} applies to all games of a run; omit it with --game")


def _play_one(plan: Plan, number: int, path: Path | None, form: str) -> None:
    """Play one game again and save it. Raises Stop when done, MisuseError for a number out of range."""
    setting = plan.setting
    if not 0 <= number < MAX_GAMES:
        raise MisuseError(f"--game must be from 0 to {MAX_GAMES - 1:,}, not {number}")
    recorded = None
    if path is not None and path.exists():
        with kept_run(plan, path) as stored:
            recorded = stored.results.get(number)
    with show_progress(Stage(f"{setting.game.name}: playing")):
        state, failed = replayed(setting, number)
        frame = None if form == "text" else games_frame(_report_of_one(plan, number, state, failed))
    if frame is not None:
        echo((frame.json() if form == "json" else frame.csv()).rstrip("\n"))
    if state is None:
        assert failed is not None
        raise CommandError(f"game {number} ends in an error during setup: {failed.location}: {failed.message}")
    try:
        save = _save_game(setting, state)
    except OSError as problem:
        raise CommandError(f"the game could not be saved: {(problem.strerror or str(problem)).lower()}") from None
    if differs(setting, state, recorded):
        echo("note: this differs from the game in the file: bots with a time budget may play differently", err=True)
    over = f"is over after {counted(state.ply, 'decision')}"
    end = over if failed is None else f"ended in an error: {failed.location}: {failed.message}, {moment_of(failed)}"
    echo(f"game {number}, seed {state.seed}: {end}", err=form != "text")
    echo(f"  {trace_of(save)}", err=form != "text")
    raise Stop(DONE if failed is None else WRONG)


def _report_of_one(plan: Plan, number: int, state: State | None, failed: Failed | None) -> Report:
    """The report of one replayed game, with the same values as in the planned run."""
    setting = plan.setting
    if failed is not None:
        return report_of(setting, [], [FailedRecord(number, failed)], 1)
    assert state is not None
    courses = Courses(setting.game, plan.rollouts, plan.backend)
    return report_of(setting, [record_of(courses, number, state, number < plan.details)], [], 1)


def _save_game(setting: Setting, state: State) -> Path:
    """Save a game in the folder for saves; the same game is not saved twice. Raises OSError."""
    game = setting.game
    kinds = {seat: bot.text for seat, bot in zip(game.seats, setting.bots, strict=True)}
    return save_once(f"{game.name}-seed{state.seed}", save_text(state, SaveMeta(kinds)))


# ---- the report


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
