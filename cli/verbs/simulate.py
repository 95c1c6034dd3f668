"""`simulate GAME`: statistics over many games of random bots."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer
from rich.text import Text

from cli.arguments import (
    GameName,
    Json,
    Language,
    Options,
    OwnBoard,
    Variants,
    board_file,
    check_amounts,
    open_game,
    pairs,
    read_players,
    wants_json,
)
from cli.backends import BackendName, named_backend, usable_backend
from cli.errors import DONE, INTERRUPTED, WRONG, Stop
from cli.failed_games import FailedGame, Failure, as_data, in_words, saved_faults
from cli.json_output import emit
from cli.progress import Stage, shown, with_progress
from cli.render.echo import echo
from cli.render.palette import palette
from cli.render.screen import screen
from cli.render.tables import plain_grid
from cli.statistics import Criterion, Figure, Summary, criteria_of, even_share, summary
from cli.workers import play_games
from dsl.text.nouns import counted
from interpreter import Game
from interpreter.analysis.backends import why_not_native
from interpreter.analysis.failed_games import Failed, before_failure
from interpreter.analysis.playouts import until_cut_off
from interpreter.analysis.results import Playout
from interpreter.native.building import why_no_compiler

LONG = 10.0
"""Seconds of random games after which it is worth saying that a compiler would make them faster."""

CHUNK = 25
"""Games played in one call of a worker; fixed, so that results do not depend on the number of workers."""


def simulate(
    game: GameName,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="Number of players, or their seats: red,blue.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="Number of games.")] = 100,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the first game; the others count up from it.")
    ] = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="J", help="Worker processes (default: one per CPU).")
    ] = None,
    option: Options = None,
    variant: Variants = None,
    board: OwnBoard = None,
    backend: BackendName = "auto",
    form: Json = "text",
    language: Language = None,
) -> None:
    """Play many random games, and report lengths, scores and wins.

    The figures are the same for any number of jobs and for any backend. `play GAME --seat all=random --seed S` replays
    the game with seed S, move by move. Games that end in an error are reported, saved and left out of the figures; exit
    code 1 if there is one. Ctrl-C stops, and reports the games played so far.
    """
    json = wants_json(form)
    check_amounts(games, jobs)
    chosen = named_backend(backend)
    options = pairs(option, "--option", "NAME=VALUE")
    with shown(Stage(f"{game}: reading")):
        opened = open_game(game, read_players(players), options, board_file(board), variant, language)
    chunks = [(seed + first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)]
    chosen = usable_backend(opened, chosen, why_not_native)
    several, started = jobs or os.cpu_count() or 1, time.monotonic()
    played, failed, interrupted = _results(with_progress(play_games(opened, options, chunks, several, chosen), games))
    if chosen == "auto" and time.monotonic() - started > LONG and (reason := why_no_compiler()) is not None:
        echo(f"note: all games were played by Python: {reason}", err=True)
    faults = saved_faults(FailedGame(one, partial(before_failure, opened, one)) for one in failed)
    winner = opened.rules.model.winner
    decided = winner.criteria if winner is not None else ()
    criteria = criteria_of(opened, plain=json)
    together = len(opened.seats) > 1 and all(map(opened.program.is_same_for_all, decided))
    figures = summary(played, opened.seats, criteria, together)
    names = [criterion.words for criterion in criteria]
    if json:
        head = {"game": opened.name, "players": list(opened.seats), "options": dict(opened.options), "seed": seed}
        head["board"] = opened.board.name if opened.board else None
        head["variants"] = list(opened.variants)
        head |= {"criteria": names, "wanted": games}
        emit("simulate", {**head, **figures.document(), "failed": as_data(faults)})
    else:
        compared = len(opened.seats) > 1 and not together and played
        even = even_share(played, opened.seats) if compared else None
        _report(opened, figures, criteria, even, range(seed, seed + len(played) + len(failed)))
        _report_faults(faults, len(played), len(played) + len(failed) if interrupted else games)
    if interrupted:
        echo(
            f"interrupted: the figures cover the first {len(played) + len(failed)} of {counted(games, 'game')}",
            err=True,
        )
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


# ---- playing


def _results(found: Iterator[Playout | Failed]) -> tuple[list[Playout], list[Failed], bool]:
    """The games that finished and those that failed, as far as there are any, and whether Ctrl-C cut them short.

    Raises KeyboardInterrupt if there are none yet.
    """
    played: list[Playout] = []
    failed: list[Failed] = []
    try:
        for one in until_cut_off(found):
            if isinstance(one, Failed):
                failed.append(one)
            else:
                played.append(one)
    except KeyboardInterrupt:
        if not played and not failed:
            raise
        return played, failed, True
    return played, failed, False


# ---- the figures


def _report_faults(faults: Sequence[Failure], played: int, requested: int) -> None:
    """Report the games that failed, if any."""
    if not faults:
        return
    failed = sum(len(fault.games) for fault in faults)
    echo("")
    others = f"; the figures cover the other {played}" if played else ", so there are no figures"
    echo(f"{failed} of {counted(played + failed, 'game')} ended in an error{others}")
    if played + failed < requested:
        echo(f"the remaining {requested - played - failed} were not played: endless games take too long")
    for line in in_words(faults):
        echo(f" {line}")


def _report(game: Game, figures: Summary, criteria: list[Criterion], even: float | None, seeds: range) -> None:
    """Print the figures; `even` is an even share of the wins, if there is one to compare with."""
    console, look = screen(), palette(game.seats, game.words)
    options = "".join(f", {name} is {value}" for name, value in game.options.items())
    games, bots = counted(len(seeds), "game"), counted(len(game.seats), "random bot")
    console.print(Text(f"{game.title}: {games} of {bots}", style="bold"))
    own = f", board {game.board.name}" if game.board and game.rules.board else ""
    numbers = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    console.print(Text(f"{numbers}{options}{own}", style="dim"))
    if not figures.games:
        return
    console.print()
    table = plain_grid()
    for heading in ("", "mean", "95% interval", "min", "max"):
        table.add_column(heading, justify="left" if not heading else "right")
    _row(table, Text("decisions per game"), figures.length)
    _row(table, Text("legal moves per decision"), replace(figures.sizes, most=figures.widest))
    for number, criterion in enumerate(criteria):
        unit = " (%)" if criterion.condition else ""
        for seat in figures.seats:
            name = Text(f"{criterion.words}{unit}, ").append(seat.seat, style=look.style(seat.seat))
            found = seat.scores[number]
            _row(table, name, _percent(found) if criterion.condition else found, extremes=not criterion.condition)
    for seat in figures.seats:
        name = Text("games won (%), ").append(seat.seat, style=look.style(seat.seat))
        _row(table, name, _percent(seat.wins), extremes=False)
    for team in figures.teams:
        _row(table, Text(f"games won (%), {team.team}"), _percent(team.wins), extremes=False)
    if len(game.seats) > 1 and any(criterion.condition for criterion in criteria):
        _row(table, Text("games won (%), nobody"), _percent(figures.nobody), extremes=False)
    console.print(table)
    if even is None:
        return
    console.print()
    shared = f"{counted(figures.shared, 'win')} {'was' if figures.shared == 1 else 'were'} shared"
    console.print(Text(f"an even share is {100 * even:.1f}% of the games; {shared}", style="dim"))


def _percent(share: Figure) -> Figure:
    low, high = (None if bound is None else 100 * bound for bound in (share.low, share.high))
    return Figure(100 * share.mean, low, high, 100 * share.least, 100 * share.most)


def _row(table: Any, name: Any, figure: Figure, *, extremes: bool = True) -> None:
    bounds = "" if figure.low is None or figure.high is None else f"{figure.low:.2f} to {figure.high:.2f}"
    ends = [f"{value:.1f}".removesuffix(".0") for value in (figure.least, figure.most)] if extremes else []
    table.add_row(name, f"{figure.mean:.2f}", bounds, *ends)
