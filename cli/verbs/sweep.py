"""`sweep GAME -o goal=20..200:20`: show the figures over a range of options, variants or numbers of players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import GameName, Language, OwnBoard, board_file, open_game, pairs
from cli.backends import BackendName
from cli.errors import DONE, INTERRUPTED, WRONG, Stop
from cli.failed_games import as_data, in_words, saved_faults
from cli.json_output import emit
from cli.laboratory.lineup import Bots, Seats, lineup
from cli.laboratory.outputs import Format, Html, Svg, check_format, outputs
from cli.laboratory.ranges import NONE, choices
from cli.laboratory.series import Folder, failed_games, play_series
from cli.laboratory.sweep_tables import print_sweep
from cli.laboratory.sweeping import Sweep, check_names, selected, sweep_csv, sweep_document, with_same_winners
from cli.laboratory.workload import Cluster, Details, Jobs, workload_of
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from dsl.text.nouns import counted
from interpreter.laboratory.setting import Setting


def sweep(
    game: GameName,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUES", help="Values of an option: 20..200:20, or 20,50,100."),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option("--variant", metavar="NAMES", help=f"Variants to try: {NONE},ONE,ONE+OTHER.")
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="Numbers of players: 2..5, or the seats.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", metavar="NAME", help="What to show: decisions, win, win:red; may be repeated."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="Number of games of each setting.")] = 1000,
    details: Details = 0,
    bots: Bots = None,
    seat: Seats = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of the first game of each setting.")] = 0,
    into: Folder = None,
    html: Html = None,
    svg: Svg = None,
    jobs: Jobs = None,
    on: Cluster = None,
    board: OwnBoard = None,
    backend: BackendName = "auto",
    form: Format = "text",
    language: Language = None,
) -> None:
    """Show how the figures of a game change over a range of options.

    Variants and numbers of players can vary as well. All combinations of what the flags list are played, with the same
    seeds; a flag with a single value holds for all. Games that end in an error are reported, saved and not counted;
    exit code 1 if there is one.
    """
    check_format(form)
    files = outputs(html, svg)
    workload = workload_of(games, details, jobs, backend, on)
    assigned = pairs(seat, "--seat", "NAME=BOT")
    chosen = choices(players, pairs(option, "--option", "NAME=VALUES"), variant or ())
    settings = []
    with show_progress(Stage(f"{game}: reading")):
        for setting_choice in chosen:
            board_path = board_file(board)
            opened = open_game(
                game, setting_choice.players, setting_choice.options, board_path, setting_choice.variants, language
            )
            players_of_seats = lineup(opened, assigned, bots)
            settings.append(Setting(opened, setting_choice.options, players_of_seats, seed, plain=form != "text"))
    check_names(settings, measure or (), workload.details)
    series = play_series(
        [
            (setting_choice.name, workload.plan(setting))
            for setting_choice, setting in zip(chosen, settings, strict=True)
        ],
        None if into is None else Path(into),
    )
    reports = with_same_winners(series.reports)
    result = Sweep(tuple(chosen), reports, selected(reports, measure or ()))
    faults = saved_faults(
        game
        for choice, report in zip(chosen, reports, strict=False)
        for game in failed_games(report.setting, report.failed, choice.name, {"varied": dict(choice.varied)})
    )
    if form == "json":
        emit("sweep", {**sweep_document(result), "failed": as_data(faults)})
    elif form == "csv":
        echo(sweep_csv(result).rstrip("\n"))
    else:
        print_sweep(result)
    if faults and form != "json":
        number = sum(len(fault.games) for fault in faults)
        echo("", err=form == "csv")
        echo(f"{counted(number, 'game')} ended in an error; the figures cover the others", err=form == "csv")
        for line in in_words(faults):
            echo(f" {line}", err=form == "csv")
    for line in files.write(result):
        echo(line, err=form != "text")
    if series.interrupted:
        more = "" if into is None else f"; the same command goes on with {into}"
        echo(f"interrupted: {len(reports)} of {counted(len(chosen), 'setting')}{more}", err=True)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)
