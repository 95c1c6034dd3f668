"""`arena GAME BOT BOT …`: play bots against each other, and rate them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Annotated

import typer

from cli.arena.playing import Contest, play_missing
from cli.arena.report import report
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
    output_file,
    pairs,
    read_players,
    wants_json,
)
from cli.errors import DONE, INTERRUPTED, WRONG, MisuseError, Stop
from cli.failed_games import FailedGame, as_data, in_words, saved_faults
from cli.json_output import emit
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from dsl.text.nouns import counted
from interpreter.laboratory.pairings import PlayedGames, pairings
from interpreter.laboratory.results_file import Header, arena_form, kept_results
from interpreter.laboratory.standings import standings
from interpreter.laboratory.statistics import criteria_of
from interpreter.opponents.matches import Broken, sides_of, state_before
from interpreter.opponents.specs import BotSpec, SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game

FEWEST_BOTS, MOST_BOTS = 2, 32
MOST_OF_TWO = 100_000
"""The maximum number of games per pair of bots; all of them are kept in memory."""


def arena(
    game: GameName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="Two or more bots, such as random.")],
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|NAMES", help="Number of players, or their seats: red,blue.")
    ] = None,
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
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="J", help="Worker processes (default: one per CPU).")
    ] = None,
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
    check_amounts(games, jobs, MOST_OF_TWO)
    path = None if into is None else output_file(into, "--into")
    specs = _specs(bots)
    options = pairs(option, "--option", "NAME=VALUE")
    with show_progress(Stage(f"{game}: reading")):
        opened = open_game(game, read_players(players), options, board_file(board), variant, language)
        _check_fit(specs, opened)
        sides = sides_of(opened, seed)
    contest = Contest(opened, options, specs, seed)
    matches = pairings(len(bots), sides, games, until_decided=until_decided)
    interrupted = False
    kind = arena_form(len(opened.seats), len(bots))
    with kept_results(path, kind, Header.of(opened, specs, seed)) as file:
        results: PlayedGames = file.results if file is not None else {}
        add = file.add if file is not None else results.__setitem__
        stage = Stage(total=1)
        try:
            with show_progress(stage):
                play_missing(contest, matches, results, add, jobs or os.cpu_count() or 1, stage)
        except KeyboardInterrupt:
            if not results:
                raise
            interrupted = True
    failures = [
        FailedGame(
            result.failed,
            partial(state_before, opened, result),
            players={seat: bots[bot] for seat, bot in zip(opened.seats, meeting.seating, strict=True)},
        )
        for meeting, result in results.items()
        if isinstance(result, Broken)
    ]
    faults = saved_faults(failures)
    criteria = criteria_of(opened, plain=json)
    with show_progress(Stage(f"{game}: rating")):
        ranking, names = standings(len(bots), matches, results, criteria), _names(bots)
    if json:
        head = {"game": opened.name, "players": list(opened.seats), "options": dict(opened.options), "seed": seed}
        head["board"] = opened.board.name if opened.board else None
        head["variants"] = list(opened.variants)
        head |= {"bots": names, "wanted": games, "until_decided": until_decided, "together": len(sides) == 1}
        head["criteria"] = [criterion.words for criterion in criteria]
        emit("arena", {**head, **ranking.document(names), "failed": as_data(faults)})
    else:
        report(contest, ranking, names, criteria)
        if faults:
            echo("")
            echo(f"{counted(len(failures), 'game')} ended in an error; their rotations do not count")
            for line in in_words(faults):
                echo(f" {line}")
    if interrupted:
        more = "" if path is None else f"; the same command goes on with {into}"
        echo(f"interrupted: the figures cover the games played so far{more}", err=True)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


def _specs(bots: Sequence[str]) -> tuple[BotSpec, ...]:
    """The bots that the command line names. Raises MisuseError."""
    if not FEWEST_BOTS <= len(bots) <= MOST_BOTS:
        raise MisuseError(f"an arena takes {FEWEST_BOTS} to {MOST_BOTS} bots, not {len(bots)}")
    specs = []
    for bot in bots:
        spec = spec_of(bot)
        if isinstance(spec, SpecProblem):
            raise MisuseError(spec.message)
        specs.append(spec)
    return tuple(specs)


def _check_fit(specs: Sequence[BotSpec], game: Game) -> None:
    """Raise MisuseError for a bot that cannot play the game."""
    for spec in specs:
        reason = why_unfit(spec, game)
        if reason is not None:
            raise MisuseError(reason)


def _names(bots: Sequence[str]) -> list[str]:
    """The names of the bots; duplicates are numbered."""
    several, seen = Counter(bots), Counter[str]()
    names = []
    for bot in bots:
        seen[bot] += 1
        names.append(f"{bot} #{seen[bot]}" if several[bot] > 1 else bot)
    return names
