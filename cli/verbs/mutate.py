"""`mutate GAME`: which small changes of the rules no example notices, and examples that would."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from cli.arguments import (
    GameName,
    Jobs,
    Json,
    OwnBoard,
    Variants,
    board_file,
    check_amounts,
    check_seconds,
    rules_file,
    wants_json,
)
from cli.errors import DONE, INTERRUPTED, WRONG, CommandError, MisuseError, Stop
from cli.json_output import emit
from cli.output_files import output_folder
from cli.progress import Stage, say_interrupted, show_progress, unless_interrupted
from cli.render.echo import echo
from dsl.text.nouns import counted
from interpreter.exploration.kept_runs import SECONDS, surveyed
from interpreter.exploration.mutation import GAMES, Survey, Tried, by_location
from interpreter.exploration.noticing import Original, read_original

MAX_GAMES_OF_A_CHANGE = 10_000

SHOWN = 10
"""Default number of changes that are shown with an example."""

DIFFERENCES = {
    "moves": "other moves are legal",
    "player": "another seat decides",
    "table": "other pieces or notes",
    "view": "a seat sees something else",
    "end": "one game is over",
    "result": "other scores or winners",
    "fault": "the changed rules fail",
}
"""What differs first, in words."""


def mutate(
    game: GameName,
    time: Annotated[int, typer.Option("--time", metavar="S", help="Stop after S seconds.")] = SECONDS,
    only: Annotated[
        str, typer.Option("--only", metavar="TEXT", help="Change only rules with TEXT in their kind or name.")
    ] = "",
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", help="Games in which a change is compared with the rules.")
    ] = GAMES,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of the first game.")] = 0,
    show: Annotated[
        int, typer.Option("--show", metavar="N", min=0, help="Number of changes that are shown with an example.")
    ] = SHOWN,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="FOLDER", help="Keep the run in FOLDER, continue it, and write the examples."),
    ] = None,
    jobs: Jobs = None,
    variant: Variants = None,
    board: OwnBoard = None,
    form: Json = "text",
) -> None:
    """Show which small changes of the rules no example notices.

    A change that passes the checker and all examples is played in step with the rules as they are. Where the two
    differ, an example is proposed that would notice the change: it was read back, passes now and fails after the
    change. Exit code 1 if a change makes a difference that no example notices. Ctrl-C shows what was found so far.
    """
    json = wants_json(form)
    check_amounts(games, jobs, MAX_GAMES_OF_A_CHANGE)
    check_seconds(time)
    folder = None if into is None else output_folder(into, "--into")
    with show_progress(Stage()) as stage:
        stage.begin(game, "reading")
        original = read_original(rules_file(game), board_file(board), variant or ())
        stage.begin(game, "running the examples")
        _check(original, game, shlex.join(_as_in_test(game, variant or (), board)))
    survey = Survey(original, games, seed, only)
    if not survey.changes:
        raise MisuseError(f"no rule has `{only}` in its kind or name" if only else "there is nothing to change")
    processes = jobs or os.cpu_count() or 1
    survey = unless_interrupted(
        Stage(total=len(survey.changes)), lambda watch: surveyed(survey, time, processes, folder, watch)
    )
    if json:
        emit("mutate", survey.as_data())
    else:
        for line in _report(survey, show):
            echo(line)
    if survey.interrupted:
        say_interrupted(into)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if survey.missing() else DONE)


def _as_in_test(game: str, variants: Sequence[str], board: str | None) -> list[str]:
    """The arguments that name the same rules to `test`."""
    chosen = [word for variant in variants for word in ("--variant", variant)]
    return [game, *chosen, *(("--board", board) if board is not None else ())]


def _check(original: Original, game: str, arguments: str) -> None:
    """Raise CommandError if an example fails already, so that it could notice nothing."""
    failing = len(original.failing_examples)
    if failing:
        fail = "fails" if failing == 1 else "fail"
        raise CommandError(f"{counted(failing, 'example')} of {game} {fail} already; see `regelwerk test {arguments}`")


# ---- in words


def _report(survey: Survey, show: int) -> Iterator[str]:
    missing, count = survey.missing(), survey.count
    tried, every = len(survey.tried), len(survey.changes)
    amount = f"all {every}" if tried == every else f"{tried} of {every}"
    earlier = f", {survey.earlier} of them earlier" if survey.earlier else ""
    yield f"Changes of {survey.original.rules.name}: {amount} tried in {survey.seconds:.0f} s{earlier}"
    yield f"  {count('checker'):>5}  refused by the checker"
    yield f"  {count('example'):>5}  noticed by an example"
    yield f"  {len(missing):>5}  not noticed by any example, though games differ"
    yield f"  {count('none'):>5}  no difference found in {counted(survey.games, 'game')} each"
    by_example: dict[str, list[Tried]] = {}
    for change in missing:
        by_example.setdefault(change.example, []).append(change)
    without = by_example.pop("", [])
    groups = list(by_example.items())
    if groups:
        yield ""
        yield "not noticed by any example: those first whose games differ most often and earliest, and one of each rule"
    for number, (example, changes) in enumerate(groups[:show], 1):
        yield ""
        for index, change in enumerate(changes):
            yield f" {number if index == 0 else '':>2}  {_head(change)}"
        yield f"     {_difference(changes[0])}"
        yield from (f"     {line}" for line in example.splitlines())
    others = [change for _, changes in groups[show:] for change in changes]
    yield from _list("more of them (--show N shows their examples)", others, _difference)
    yield from _list("games differ, but no example was found that shows it", without, _difference)
    none = by_location(survey.tried, "none")
    yield from _list(f"no difference found in {counted(survey.games, 'game')} each", none, lambda change: "")
    if tried < every:
        yield ""
        yield f"{every - tried} changes were not tried: a longer --time tries more, --into FOLDER continues"


def _head(change: Tried) -> str:
    return f"{_line(change)}  {change.description}"


def _line(change: Tried) -> str:
    return change.location.rpartition(":")[0]


def _difference(change: Tried) -> str:
    first = change.first
    assert first is not None
    after = f"after {counted(len(first.choices), 'decision')}" if first.choices else "at the beginning"
    how = first.fault or DIFFERENCES[first.differs]
    return f"{change.different} of {counted(change.games, 'game')} differ; {after}: {how}"


def _list(title: str, changes: Sequence[Tried], words: Callable[[Tried], str]) -> Iterator[str]:
    """A list of changes under a title; nothing if there are none."""
    if changes:
        yield ""
        yield title
    for change in changes:
        yield f"  {_head(change)}"
        if words(change):
            yield f"      {words(change)}"
