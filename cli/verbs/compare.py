"""`compare A B`: play many games with the same seeds by two sets of rules, and show how every figure differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import (
    OTHER_SIDE,
    SIDE,
    Json,
    Language,
    Options,
    OwnBoard,
    board_file,
    pairs,
    read_players,
    side_of,
    wants_json,
)
from cli.backends import BackendName
from cli.errors import DONE, INTERRUPTED, WRONG, MisuseError, Stop
from cli.failed_games import as_data, in_words, saved_faults
from cli.json_output import emit
from cli.laboratory.comparison_tables import print_comparison
from cli.laboratory.lineup import Bots, Seats, lineup
from cli.laboratory.outputs import Html, Svg, outputs
from cli.laboratory.pairs import check_comparable, play_pairs
from cli.laboratory.series import Folder, failed_games, play_series
from cli.laboratory.workload import MOST_UNTIL, Cluster, Details, Jobs, accuracy, warn_if_inaccurate, workload_of
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from dsl.text.nouns import counted, counted_range
from interpreter.laboratory.comparing import compare as compared
from interpreter.laboratory.comparing import comparison_document, require_library
from interpreter.laboratory.report import Report
from interpreter.laboratory.setting import Setting
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import seat_game
from interpreter.wording.words import OWN

GAMES = 1000
"""The default number of pairs."""

OptionsOfOne = Annotated[
    list[str] | None, typer.Option("--option-a", metavar="NAME=VALUE", help="An option of A alone; may be repeated.")
]
OptionsOfOther = Annotated[
    list[str] | None, typer.Option("--option-b", metavar="NAME=VALUE", help="An option of B alone; may be repeated.")
]


def compare(
    side_a: Annotated[str, typer.Argument(metavar="A", help=SIDE)],
    side_b: Annotated[str, typer.Argument(metavar="B", help=OTHER_SIDE)],
    players: Annotated[
        str | None,
        typer.Option(
            "--players", metavar="N|NAMES", help="Number of players, or their seats (default: the fewest of both)."
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", help=f"Number of pairs of games (default: {GAMES}).")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="PERCENT", help="Stop when the differences of the wins are known to ±1%, say."),
    ] = None,
    details: Details = 0,
    bots: Bots = None,
    seat: Seats = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the first pair; the others count up from it.")
    ] = 0,
    into: Folder = None,
    html: Html = None,
    svg: Svg = None,
    jobs: Jobs = None,
    on: Cluster = None,
    option: Options = None,
    option_one: OptionsOfOne = None,
    option_other: OptionsOfOther = None,
    board: OwnBoard = None,
    board_one: Annotated[
        str | None, typer.Option("--board-a", metavar="FILE", help="A board file for A alone.")
    ] = None,
    board_other: Annotated[
        str | None, typer.Option("--board-b", metavar="FILE", help="A board file for B alone.")
    ] = None,
    backend: BackendName = "auto",
    form: Json = "text",
    language: Language = None,
) -> None:
    """Compare two sets of rules over many games, and test differences.

    Games of a pair have the same seed and the same bots in the same seats. Every figure that both sides have gets the
    mean difference with a 95 % interval and a verdict, corrected for the number of figures. Games that end in an error
    are reported and saved, and their pairs do not count; exit code 1 if there is one.
    """
    require_library()
    json = wants_json(form)
    files = outputs(html, svg)
    half = None if until is None else accuracy(until)
    most = games if games is not None else (GAMES if half is None else MOST_UNTIL)
    workload = workload_of(most, details, jobs, backend, on)
    assigned = pairs(seat, "--seat", "NAME=BOT")
    options = [_options(option, option_one, "--option-a"), _options(option, option_other, "--option-b")]
    boards = [board_file(board_one or board), board_file(board_other or board)]
    with show_progress(Stage(f"{side_a} and {side_b}: reading")):
        first_path, first_variants = side_of(side_a, None)
        first = load_rules(first_path, board=boards[0], variants=first_variants, language=language)
        other_path, other_variants = side_of(side_b, first.path)
        second = load_rules(other_path, board=boards[1], variants=other_variants, language=language)
        chosen = _players(first, second, players)
        settings = [
            Setting(game, side_options, lineup(game, assigned, bots), seed, plain=json)
            for rules, side_options in zip((first, second), options, strict=True)
            for game in [seat_game(rules, chosen, side_options).in_words(language or OWN)]
        ]
        if half is not None:
            check_comparable(*settings)
    plans = [(side, workload.plan(setting)) for side, setting in zip("ab", settings, strict=True)]
    folder = None if into is None else Path(into)
    series = play_series(plans, folder) if half is None else play_pairs(plans, folder, half)
    more = "" if into is None else f"; the same command goes on with {into}"
    if len(series.reports) < len(settings):
        echo(f"interrupted: no games of B were played{more}", err=True)
        raise Stop(INTERRUPTED)
    comparison = compared(*series.reports)
    faults = saved_faults(
        game
        for side, report in zip("ab", series.reports, strict=True)
        for game in failed_games(report.setting, report.failed, f"rules of {side.upper()}", {"side": side})
    )
    if json:
        emit("compare", {**comparison_document(comparison), "failed": as_data(faults)})
    else:
        print_comparison(comparison)
        _print_missing(series.reports)
        for line in in_words(faults):
            echo(f" {line}")
    for line in files.write(comparison):
        echo(line, err=form != "text")
    if half is not None and not series.interrupted and comparison.pairs:
        wins = (difference.estimate for difference in comparison.differences if difference.measure.of_wins)
        warn_if_inaccurate(wins, half, comparison.pairs, "pair", "the differences of the wins")
    if series.interrupted:
        echo(f"interrupted: {counted(comparison.pairs, 'pair')} of {most:,}{more}", err=True)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


def _options(both: Sequence[str] | None, of_side: Sequence[str] | None, flag: str) -> Mapping[str, str]:
    """The options of a side. Raises MisuseError."""
    shared, alone = pairs(both, "--option", "NAME=VALUE"), pairs(of_side, flag, "NAME=VALUE")
    for name in alone:
        if name in shared:
            raise MisuseError(f"the option {name} is given twice, by --option for both sides and by {flag}")
    return shared | alone


def _players(first: Rules, second: Rules, text: str | None) -> int | tuple[str, ...]:
    """The players of both sides: those requested, or else the fewest that both allow. Raises MisuseError."""
    headers = first.model.file.header, second.model.file.header
    both = range(max(h.fewest for h in headers), min(h.most for h in headers) + 1)
    if not both:
        raise MisuseError("no number of players fits both games")
    requested = read_players(text)
    if isinstance(requested, int) and requested not in both:
        raise MisuseError(
            f"--players {requested}: both games are for {counted_range(both.start, both.stop - 1, 'player')}"
        )
    return both.start if requested is None else requested


def _print_missing(reports: Sequence[Report]) -> None:
    """Report games that ended in an error, and games that were not played because several did not end."""
    failed = [
        f"{counted(len(report.failed), 'game')} of {side}"
        for side, report in zip("AB", reports, strict=True)
        if report.failed
    ]
    if failed:
        echo("")
        echo(f"{' and '.join(failed)} ended in an error; their pairs do not count")
    for side, report in zip("AB", reports, strict=True):
        missing = report.requested - len(report.records) - len(report.failed)
        if missing and report.failed:
            echo(f"the remaining {missing} of {side} were not played: endless games take too long")
