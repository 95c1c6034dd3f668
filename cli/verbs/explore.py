"""`explore GAME`: search for faults, stuck and endless games, decisions without a choice, and rules never reached."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import typer

from cli.arguments import (
    GameName,
    Jobs,
    Json,
    OwnBoard,
    Variants,
    board_file,
    check_jobs,
    check_seconds,
    rules_file,
    wants_json,
)
from cli.errors import DONE, INTERRUPTED, WRONG, MisuseError, Stop
from cli.failed_games import trace_of
from cli.json_output import emit
from cli.output_files import output_folder
from cli.progress import Stage, say_interrupted, show_progress, unless_interrupted
from cli.render.echo import echo
from dsl.text.nouns import counted
from interpreter.exploration.hunt import SECONDS, Exploration, Found, Hunt, Unreached
from interpreter.loading.rules import load_rules

MAX_DECISIONS = 1_000_000_000


def explore(
    game: GameName,
    time: Annotated[int, typer.Option("--time", metavar="S", help="Stop after S seconds.")] = SECONDS,
    decisions: Annotated[
        int | None, typer.Option("--decisions", metavar="N", help="Stop after N decisions, if that comes first.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of the search.")] = 0,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="FOLDER", help="Save what is found in FOLDER, and continue the search there."),
    ] = None,
    jobs: Jobs = None,
    variant: Variants = None,
    board: OwnBoard = None,
    form: Json = "text",
) -> None:
    """Search a game for faults, endless games and rules never reached.

    The search plays with all numbers of players and values of options, keeps what few games have reached and goes on
    from there. Each finding comes with a short sequence of decisions and an example that shows it. Exit code 1 if a
    rule fails, or a game is stuck or endless. Ctrl-C shows what was found so far.
    """
    json = wants_json(form)
    check_seconds(time)
    check_jobs(jobs)
    if decisions is not None and not 1 <= decisions <= MAX_DECISIONS:
        raise MisuseError(f"--decisions must be from 1 to {MAX_DECISIONS}")
    folder = None if into is None else output_folder(into, "--into")
    with show_progress(Stage()) as stage:
        stage.begin(game, "reading")
        rules = load_rules(rules_file(game), examples=True, board=board_file(board), variants=variant or ())
    hunt = Hunt(rules, time, decisions, seed, jobs or os.cpu_count() or 1, folder)
    stage = Stage()
    exploration = unless_interrupted(
        stage, lambda _: replace(hunt, watch=lambda progress: stage.begin(rules.name, progress.note)).explored()
    )
    if json:
        emit("explore", exploration.as_data())
    else:
        for line in _report(exploration):
            echo(line)
    if exploration.interrupted:
        say_interrupted(into)
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if exploration.is_grave else DONE)


# ---- in words


def _report(exploration: Exploration) -> Iterator[str]:
    players, others = exploration.players, exploration.others
    yield f"Explored {exploration.game} for {exploration.seconds:.0f} s: {_extent(exploration)}"
    tables = f"{players[0]} to {players[-1]} players" if len(players) > 1 else counted(players[0], "player")
    yield f"with {tables}" + (f", and {counted(others, 'combination')} of other options" if others else "")
    failing = len(exploration.failing_examples)
    if failing:
        yield ""
        yield f"{counted(failing, 'example')} {'fails' if failing == 1 else 'fail'}: see `regelwerk test`"
    for number, finding in enumerate(exploration.findings, 1):
        yield ""
        yield f" {number:>2}  {finding.kind:<8}  {_line(finding.location)}  {finding.words}"
        yield f"     {_circumstances(finding)}"
        if finding.example:
            yield from (f"     {line}" for line in finding.example.splitlines())
        if finding.save is not None:
            yield f"     {trace_of(finding.save)}"
    if not exploration.is_grave:
        yield ""
        yield "no rule failed, and no game was stuck or endless"
    parts = exploration.unreached
    yield from _list(
        f"not reached in {_extent(exploration)}, nor by an example", [part for part in parts if not part.by_examples]
    )
    yield from _list(
        f"reached by examples, but not in {_extent(exploration)}", [part for part in parts if part.by_examples]
    )


def _extent(exploration: Exploration) -> str:
    return f"{counted(exploration.runs, 'run')} and {exploration.decisions:,} decisions"


def _circumstances(finding: Found) -> str:
    """How the game was set up that shows a finding."""
    where = (
        "in the setup" if not finding.decisions and finding.kind == "fault" else counted(finding.decisions, "decision")
    )
    options = [f"{name} is {value}" for name, value in finding.options.items()]
    return ", ".join([where, f"seed {finding.seed}", counted(finding.players, "player"), *options])


def _line(location: str) -> str:
    return location.rpartition(":")[0]


def _list(title: str, parts: Sequence[Unreached]) -> Iterator[str]:
    if parts:
        yield ""
        yield title
    for part in parts:
        yield f"  {part.location}  {part.words}"
