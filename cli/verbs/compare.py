"""`compare A B`: play many games with the same seeds by two sets of rules, and show how every figure differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from cli.arguments import OTHER_SIDE, SIDE, Json, board_file, pairs, read_players, side_of, wants_json
from cli.errors import DONE, INTERRUPTED, WRONG, MisuseError, Stop
from cli.failed_games import as_data, failed_games_of, in_words, saved_faults
from cli.json_output import emit
from cli.laboratory.outputs import outputs
from cli.laboratory.tables import print_comparison
from cli.laboratory.workload import MAX_UNTIL, RunFlags, accuracy, warn_if_inaccurate
from cli.output_files import target_path
from cli.progress import Stage, show_progress, unless_interrupted
from cli.render.echo import echo
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted, counted_choice
from interpreter.laboratory.comparing import Comparison, require_library
from interpreter.laboratory.running import compared
from interpreter.laboratory.setting import Setting
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import seat_game
from interpreter.wording.words import OWN

GAMES = 1000
"""The default number of pairs."""


@dataclass(frozen=True, kw_only=True)
class Flags(RunFlags):
    """The arguments and flags of `compare`."""

    side_a: Annotated[str, typer.Argument(metavar="A", help=SIDE)]
    side_b: Annotated[str, typer.Argument(metavar="B", help=OTHER_SIDE)]
    players: Annotated[
        str | None,
        typer.Option(
            "--players", metavar="N|NAMES", help="Number of players, or their seats (default: the fewest of both)."
        ),
    ] = None
    games: Annotated[
        int | None, typer.Option("--games", "-n", metavar="N", help=f"Number of pairs of games (default: {GAMES}).")
    ] = None
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="PERCENT", help="Stop when the differences of the wins are known to ±1%, say."),
    ] = None
    option_a: Annotated[
        list[str] | None,
        typer.Option("--option-a", metavar="NAME=VALUE", help="An option of A alone; may be repeated."),
    ] = None
    option_b: Annotated[
        list[str] | None,
        typer.Option("--option-b", metavar="NAME=VALUE", help="An option of B alone; may be repeated."),
    ] = None
    board_a: Annotated[str | None, typer.Option("--board-a", metavar="FILE", help="A board file for A alone.")] = None
    board_b: Annotated[str | None, typer.Option("--board-b", metavar="FILE", help="A board file for B alone.")] = None
    form: Json = "text"


def compare(flags: Flags) -> None:
    """Compare two sets of rules over many games, and test differences.

    Games of a pair have the same seed and the same bots in the same seats. Every figure that both sides have gets the
    mean difference with a 95 % interval and a verdict, corrected for the number of figures. Games that end in an error
    are reported and saved, and their pairs do not count; exit code 1 if there is one.
    """
    require_library()
    json = wants_json(flags.form)
    files = outputs(flags.html, flags.svg)
    until = None if flags.until is None else accuracy(flags.until)
    most = flags.games if flags.games is not None else (GAMES if until is None else MAX_UNTIL)
    workload = flags.workload(most)
    with show_progress(Stage(f"{flags.side_a} and {flags.side_b}: reading")):
        plan_a, plan_b = (workload.plan(setting, until) for setting in _settings(flags, plain=json))
    folder = None if flags.into is None else target_path(flags.into, "--into")
    comparison = unless_interrupted(Stage(total=2 * most), lambda watch: compared(plan_a, plan_b, folder, watch))
    reports = {"a": comparison.report_a, "b": comparison.report_b}
    if comparison.interrupted and not (comparison.report_b.records or comparison.report_b.failed):
        echo(f"interrupted: no games of B were played{flags.go_on}", err=True)
        raise Stop(INTERRUPTED)
    faults = saved_faults(
        game
        for side, report in reports.items()
        for game in failed_games_of(report, f"rules of {side.upper()}", {"side": side})
    )
    if json:
        emit("compare", {**comparison.as_data(), "failed": as_data(faults)})
    else:
        print_comparison(comparison)
        _print_missing(comparison)
        for line in in_words(faults):
            echo(f" {line}")
    for line in files.write(comparison):
        echo(line, err=json)
    if until is not None and not comparison.interrupted and comparison.pairs:
        wins = (difference.estimate for difference in comparison.differences if difference.measure.of_wins)
        warn_if_inaccurate(wins, until, comparison.pairs, "pair", "the differences of the wins")
    if comparison.interrupted:
        echo(f"interrupted: {counted(comparison.pairs, 'pair')} of {most:,}{flags.go_on}", err=True)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if faults else DONE)


def _settings(flags: Flags, *, plain: bool) -> list[Setting]:
    """Both sides with their bots. Raises MisuseError, and whatever loading raises."""
    options = [
        _options(flags.option, flags.option_a, "--option-a"), _options(flags.option, flags.option_b, "--option-b"),
    ]  # fmt: skip
    path_a, variants_a = side_of(flags.side_a, None)
    rules_a = load_rules(
        path_a, board=board_file(flags.board_a or flags.board), variants=variants_a, language=flags.language
    )
    path_b, variants_b = side_of(flags.side_b, rules_a.path)
    rules_b = load_rules(
        path_b, board=board_file(flags.board_b or flags.board), variants=variants_b, language=flags.language
    )
    players = _players(rules_a, rules_b, flags.players)
    games = [seat_game(rules, players, chosen) for rules, chosen in zip((rules_a, rules_b), options, strict=True)]
    return [flags.setting(game.in_words(flags.language or OWN), plain=plain) for game in games]


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
    common_counts = [count for count in headers[0].counts if count in headers[1].counts]
    if not common_counts:
        raise MisuseError("no number of players fits both games")
    requested = read_players(text)
    if isinstance(requested, int) and requested not in common_counts:
        raise MisuseError(f"--players {requested}: both games are for {counted_choice(common_counts, 'player')}")
    return common_counts[0] if requested is None else requested


def _print_missing(comparison: Comparison) -> None:
    """Report games that ended in an error, and games that were not played because several did not end."""
    reports = {"A": comparison.report_a, "B": comparison.report_b}
    failed = [f"{counted(len(report.failed), 'game')} of {side}" for side, report in reports.items() if report.failed]
    if failed:
        echo("")
        echo(f"{' and '.join(failed)} ended in an error; their pairs do not count")
    for side, report in reports.items():
        missing = report.requested - len(report.records) - len(report.failed)
        if missing and report.failed:
            echo(f"the remaining {missing} of {side} were not played: endless games take too long")
