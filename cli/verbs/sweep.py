"""`sweep GAME -o goal=20..200:20`: show the figures over a range of options, variants or numbers of players."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.arguments import GameName, board_file, open_game, pairs
from cli.errors import DONE, INTERRUPTED, WRONG, Stop
from cli.failed_games import as_data, failed_games_of, in_words, saved_faults
from cli.json_output import emit
from cli.laboratory.outputs import check_format, outputs
from cli.laboratory.sweeping import (
    NONE,
    Sweep,
    check_names,
    choices,
    play_series,
    selected,
    sweep_csv,
    sweep_document,
    with_same_winners,
)
from cli.laboratory.tables import print_sweep
from cli.laboratory.workload import RunFlags
from cli.output_files import target_path
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted

GAMES = 1000
"""The default number of games of each setting."""


@dataclass(frozen=True, kw_only=True)
class Flags(RunFlags):
    """The arguments and flags of `sweep`."""

    game: GameName
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="Numbers of players: 2..5, or the seats.")
    ] = None
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", help=f"Number of games of each setting ({GAMES}).")
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUES", help="Values of an option: 20..200:20, or 20,50,100."),
    ] = None
    variant: Annotated[
        list[str] | None, typer.Option("--variant", metavar="NAMES", help=f"Variants to try: {NONE},ONE,ONE+OTHER.")
    ] = None
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", metavar="NAME", help="What to show: decisions, win, win:red; may be repeated."),
    ] = None


def sweep(flags: Flags) -> None:
    """Show how the figures of a game change over a range of options.

    Variants and numbers of players can vary as well. All combinations of what the flags list are played, with the same
    seeds; a flag with a single value holds for all. Games that end in an error are reported, saved and not counted;
    exit code 1 if there is one.
    """
    form = flags.form
    check_format(form)
    files = outputs(flags.html, flags.svg)
    workload = flags.workload(GAMES if flags.games is None else flags.games)
    chosen = choices(flags.players, pairs(flags.option, "--option", "NAME=VALUES"), flags.variant or ())
    with show_progress(Stage(f"{flags.game}: reading")):
        board = board_file(flags.board)
        settings = [
            flags.setting(
                open_game(flags.game, choice.players, choice.options, board, choice.variants, flags.language),
                plain=form != "text",
            )
            for choice in chosen
        ]
    names = flags.measure or ()
    check_names(settings, names, workload.details)
    plans = {choice.name: workload.plan(setting) for choice, setting in zip(chosen, settings, strict=True)}
    reports, interrupted = play_series(plans, None if flags.into is None else target_path(flags.into, "--into"))
    reports = with_same_winners(reports)
    result = Sweep(tuple(chosen), reports, selected(reports, names))
    faults = saved_faults(
        game
        for choice, report in zip(chosen, reports, strict=False)
        for game in failed_games_of(report, choice.name, {"varied": dict(choice.varied)})
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
    if interrupted:
        echo(f"interrupted: {len(reports)} of {counted(len(chosen), 'setting')}{flags.go_on}", err=True)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)
