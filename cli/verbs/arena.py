"""`arena GAME BOT BOT …`: play bots against each other, and rate them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Annotated

import typer
from rich.text import Text

from cli.arguments import (
    GameName,
    Jobs,
    Json,
    Language,
    Options,
    OwnBoard,
    Players,
    Variants,
    board_file,
    check_amounts,
    open_game,
    pairs,
    read_players,
    wants_json,
)
from cli.errors import DONE, INTERRUPTED, WRONG, MisuseError, Stop
from cli.failed_games import FailedGame, as_data, in_words, saved_faults
from cli.json_output import emit
from cli.laboratory.wording import at_a_loss
from cli.output_files import output_file
from cli.progress import Stage, say_interrupted, show_progress, unless_interrupted
from cli.render.echo import echo
from cli.render.screen import screen
from cli.render.tables import plain_grid
from dsl.text.nouns import counted
from interpreter.laboratory.arena import Contest, Match, Standings, fought
from interpreter.laboratory.confidence import EXTRA, Rating
from interpreter.laboratory.matches import seatings, state_before
from interpreter.laboratory.setting import check_fit, spec_named
from interpreter.opponents.specs import is_timed

MIN_CROSS_TABLE_BOTS = 3
"""The minimum number of bots for which a cross table is more informative than the list of pairings."""

MIN_BOTS, MAX_BOTS = 2, 32
MAX_OF_TWO = 100_000
"""The maximum number of games per pair of bots; all of them are kept in memory."""


def arena(
    game: GameName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="Two or more bots, such as random.")],
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", help="Number of games per pair of bots, in whole rotations.")
    ] = 100,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="End a pairing as soon as its interval excludes equality.")
    ] = False,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the first rotation; the others count up from it.")
    ] = 0,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="FILE", help="Keep every game in FILE, and continue from those already in it."),
    ] = None,
    jobs: Jobs = None,
    option: Options = None,
    variant: Variants = None,
    board: OwnBoard = None,
    form: Json = "text",
    language: Language = None,
) -> None:
    """Play bots against each other, and rate them.

    Every two bots play rotations of games with the same seed, in which each of them has every seat equally often. Bots
    with a budget of iterations play the same games for any number of jobs. Ctrl-C stops, and reports the games so far;
    with --into the same command continues from there. Exit code 1 if a game ends in an error.
    """
    json = wants_json(form)
    check_amounts(games, jobs, MAX_OF_TWO)
    path = None if into is None else output_file(into, "--into")
    if not MIN_BOTS <= len(bots) <= MAX_BOTS:
        raise MisuseError(f"an arena takes {MIN_BOTS} to {MAX_BOTS} bots, not {len(bots)}")
    named = tuple(map(spec_named, bots))
    options = pairs(option, "--option", "NAME=VALUE")
    with show_progress(Stage(f"{game}: reading")):
        opened = open_game(game, read_players(players), options, board_file(board), variant, language)
        check_fit(named, opened)
        contest = Contest(
            opened, named, games, seed, until_decided, jobs=jobs or os.cpu_count() or 1, plain=json
        )  # fmt: skip
        contest.pairings()
    standings = unless_interrupted(Stage(total=1), lambda watch: fought(contest, path, watch))
    faults = saved_faults(
        FailedGame(failed.broken.failed, partial(state_before, opened, failed.broken), players=failed.bots)
        for failed in standings.failed
    )
    if json:
        emit("arena", {**standings.as_data(), "failed": as_data(faults)})
    else:
        _print(standings)
        if faults:
            echo("")
            echo(f"{counted(len(standings.failed), 'game')} ended in an error; their rotations do not count")
            for line in in_words(faults):
                echo(f" {line}")
    if standings.interrupted:
        say_interrupted(into, "the figures cover the games played so far")
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


# ---- the report: who is strongest, by how much, and with what certainty


def _print(standings: Standings) -> None:
    """Print the figures."""
    console, contest = screen(), standings.contest
    options = "".join(f", {name} is {value}" for name, value in contest.game.options.items())
    console.print(Text(f"{contest.game.title}: {', '.join(contest.names)}", style="bold"))
    console.print(Text(f"{_seeds(standings)}{options}", style="dim"))
    console.print(Text(_seating(contest), style="dim"))
    if not any(match.games for match in standings.matches):
        return
    console.print()
    console.print(_ranking(standings))
    if len(contest.names) >= MIN_CROSS_TABLE_BOTS:
        console.print()
        console.print(_cross_table(standings))
    console.print()
    console.print(_matches(standings.matches))
    console.print()
    console.print(Text("the intervals of shares are valid at any time, however often you look or stop", style="dim"))
    for match in standings.matches:
        if match.identical:
            pair = f"{match.bot} and {match.opponent}"
            console.print(
                Text(f"all rotations of {pair} were identical, move by move: more would show nothing new", style="dim")
            )
    timed = [name for name, bot in zip(contest.names, contest.bots, strict=True) if is_timed(bot)]
    if timed:
        words = f"with a time limit, {' and '.join(timed)} may play differently in another run"
        console.print(Text(words, style="dim"))
    if standings.at_a_loss:
        console.print(Text(at_a_loss(standings.at_a_loss), style="dim"))
    if standings.bots[0].rating is None:
        echo(f"note: to get ratings, install the library choix: {EXTRA}", err=True)


def _seating(contest: Contest) -> str:
    """How bots are assigned to seats, in words."""
    sides, games = contest.sides, len(seatings(contest.sides, 0, 1))
    if len(sides) == 1:
        return "each bot plays separate games; those with the same seed are compared"
    place = "side" if any(len(side) > 1 for side in sides) else "seat"
    rotation = f"rotations of {counted(games, 'game')} with the same seed"
    if len(sides) == 2:
        return f"{rotation}, in which each of two bots has each {place} once"
    return f"{rotation}: each of two bots sits once alone at each {place}, the other at all others"


def _seeds(standings: Standings) -> str:
    first = standings.contest.seed
    last = first + standings.rotations - 1
    return f"seed {first}" if last <= first else f"seeds {first} to {last}"


def _ranking(standings: Standings) -> object:
    table, contest = plain_grid(), standings.contest
    criteria = contest.criteria if len(contest.sides) == 1 else ()
    for heading in (
        "bot",
        "rating",
        "95% interval",
        "share (%)",
        "games",
        *(criterion.words for criterion in criteria),
    ):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for standing in standings.bots:
        means = [f"{100 * figure.mean:.1f}%" if criterion.condition else f"{figure.mean:.2f}"
                 for criterion, figure in zip(criteria, standing.scores, strict=False)]  # fmt: skip
        table.add_row(
            standing.bot, *_rating(standing.rating), f"{100 * standing.share:.1f}", str(standing.games), *means
        )
    return table


def _rating(rating: Rating | None) -> tuple[str, str]:
    return ("", "") if rating is None else (f"{round(rating.rating)}", f"{round(rating.low)} to {round(rating.high)}")


def _cross_table(standings: Standings) -> object:
    """The share of each row against each column."""
    table = plain_grid()
    table.add_column("share (%) against")
    for column in standings.bots:
        table.add_column(column.bot, justify="right")
    shares = {(match.bot, match.opponent): match.share for match in standings.matches if match.games}
    shares |= {(opponent, bot): 1 - share for (bot, opponent), share in shares.items()}
    for row in standings.bots:
        against = [shares.get((row.bot, column.bot)) for column in standings.bots]
        table.add_row(row.bot, *("" if share is None else f"{100 * share:.1f}" for share in against))
    return table


def _matches(matches: Sequence[Match]) -> object:
    table = plain_grid()
    for heading in ("pairing", "share (%)", "95% interval", "games", ""):
        table.add_column(heading, justify="right" if heading not in ("pairing", "") else "left")
    for match in matches:
        better = match.bot if match.share >= match.even else match.opponent
        verdict = f"{better} is stronger" if match.decided else "undecided"
        share = f"{100 * match.share:.1f}" if match.games else ""
        interval = f"{100 * match.low:.1f} to {100 * match.high:.1f}"
        table.add_row(f"{match.bot} against {match.opponent}", share, interval, str(match.games), verdict)
    return table
