"""`test PATH…`: run the examples in rules files, and report which rules they and random games reach."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from cli.arguments import (
    MAX_GAMES,
    Jobs,
    Json,
    OwnBoard,
    Variants,
    board_file,
    check_jobs,
    no_more_than,
    rules_file,
    wants_json,
)
from cli.errors import DONE, WRONG, MisuseError, Stop
from cli.failed_games import FailedGame, Failure, as_data, in_words, saved_faults
from cli.json_output import emit
from cli.output_files import output_file, write_shared
from cli.progress import Stage, show_progress, with_progress
from cli.render.coverage import annotated, report, summary
from cli.render.echo import echo
from cli.render.reasons import line_of
from cli.render.screen import screen
from cli.trace_data import event_data
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.nouns import counted
from interpreter.analysis.failed_games import Failed, before_failure
from interpreter.analysis.workers import spread
from interpreter.authoring.coverage.random_games import BranchCounts, Setting, chunks, play_chunks
from interpreter.authoring.coverage.report import Coverage, run_instrumented
from interpreter.authoring.examples.recording import MAX_EVENTS
from interpreter.authoring.examples.suite import ExampleResult, run_examples
from interpreter.engine.seating import choose_seats
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import seat_game
from interpreter.wording.words import PLAIN

PLAYOUTS = 1000
"""Default number of random games played for coverage."""

SHOWN_EVENTS = 12
"""Default number of events shown before a failure: what led to it is usually among the last."""


def test(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Rules files, folders of them, or names of games.")
    ],
    variant: Variants = None,
    board: OwnBoard = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Report which rules are reached by examples and random games.")
    ] = False,
    annotate: Annotated[
        str | None,
        typer.Option(
            "--annotate", metavar="FILE", help="Write the rules annotated with coverage to FILE; - prints them."
        ),
    ] = None,
    playouts: Annotated[
        int | None, typer.Option("--playouts", metavar="N", help=f"Number of random games (default: {PLAYOUTS}).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Seed of the first random game (default: 0).")
    ] = None,
    jobs: Jobs = None,
    events: Annotated[
        int,
        typer.Option(
            "--events",
            metavar="N",
            min=0,
            max=MAX_EVENTS,
            help="Number of events shown before a failure, the last ones.",
        ),
    ] = SHOWN_EVENTS,
    form: Json = "text",
) -> None:
    """Run the examples in rules files, and measure coverage.

    A failure shows what was expected and what happened; exit code 1 if there is one.
    """
    json = wants_json(form)
    board_path, files = board_file(board), [path for name in paths for path in _files(name)]
    parameters = _parameters(coverage, annotate, playouts, seed, jobs, json, len(files))
    if parameters is not None:
        covered = {path: _cover(path, board_path, variant or (), parameters) for path in files}
        results = {path: file_coverage.coverage.results for path, file_coverage in covered.items()}
    else:
        covered = {}
        results = {}
        with show_progress(Stage()) as stage:
            for path in files:
                stage.begin(path, "running the examples")
                results[path] = list(run_examples(path, board=board_path, variants=variant or ()))
    every = [result for run in results.values() for result in run]
    if json:
        entries: list[JsonObject] = [
            {"path": str(path), "examples": [_document(result) for result in results[path]]} for path in results
        ]
        for entry, file_coverage in zip(entries, covered.values(), strict=False):
            entry["coverage"] = file_coverage.document()
        emit("test", {"files": entries, "passed": _passed(every), "failed": len(every) - _passed(every)})
    else:
        for result in every:
            if not result.passed:
                echo(_failure(result, events))
        for file_coverage in covered.values():
            _show(file_coverage, coverage)
        echo(_summary(every, len(results)))
    if annotate is not None:
        _annotate(next(iter(covered.values())).coverage, annotate)
    right = _passed(every) == len(every) and not any(file_coverage.faults for file_coverage in covered.values())
    raise Stop(DONE if right else WRONG)


# ---- coverage


@dataclass(frozen=True)
class CoverageParameters:
    """Parameters for measuring coverage: the number of random games, the first seed, the number of processes."""

    playouts: int
    seed: int
    jobs: int


def _parameters(
    coverage: bool, annotate: str | None, playouts: int | None, seed: int | None, jobs: int | None, json: bool,
    files: int,
) -> CoverageParameters | None:  # fmt: skip
    """Parameters from the flags; None if coverage is not requested. Raises MisuseError."""
    if not coverage and annotate is None:
        for flag, value in (("--playouts", playouts), ("--seed", seed), ("--jobs", jobs)):
            if value is not None:
                raise MisuseError(f"{flag} requires --coverage")
        return None
    if annotate is not None and files != 1:
        raise MisuseError(f"--annotate expects one game, not {files}")
    if annotate == "-" and json:
        raise MisuseError("--annotate needs a file with --format json")
    if annotate not in (None, "-"):
        output_file(annotate, "--annotate")
    if playouts is not None and playouts < 0:
        raise MisuseError("--playouts must be at least 0")
    no_more_than(MAX_GAMES, "--playouts", playouts)
    check_jobs(jobs)
    return CoverageParameters(PLAYOUTS if playouts is None else playouts, seed or 0, jobs or os.cpu_count() or 1)


@dataclass(frozen=True)
class Covered:
    """The coverage of one game, the random games that ended in an error, and the time in seconds."""

    coverage: Coverage
    faults: list[Failure]
    seconds: float

    def document(self) -> JsonObject:
        """Convert to plain data."""
        document = self.coverage.document()
        document["playouts"]["failed"] = as_data(self.faults)
        return document


def _cover(path: Path, board: Path | None, variants: Sequence[str], parameters: CoverageParameters) -> Covered:
    """Run the examples and play the games under the watchdog."""
    began = monotonic()
    with show_progress(Stage()) as stage:
        rules = load_rules(path, examples=True, board=board, variants=variants, on_stage=partial(stage.begin, path))
        stage.begin(path, "running the examples")
        results, examples = run_instrumented(rules)
    to_play, counts = chunks(rules, parameters.playouts, parameters.seed), BranchCounts()
    work = partial(play_chunks, rules.path, rules.board, rules.variants)
    for counted_chunk in with_progress(
        spread(work, to_play, parameters.jobs), parameters.playouts, lambda played: played.games
    ):
        counts.add(counted_chunk)
        if counts.enough:
            break
    settings = list(dict.fromkeys(chunk.setting for chunk in to_play))
    coverage = Coverage(rules, results, examples, counts, settings, parameters.seed)
    faults = saved_faults(_ended(rules, setting, failed) for setting, failed in counts.failed)
    return Covered(coverage, faults, monotonic() - began)


def _ended(rules: Rules, setting: Setting, failed: Failed) -> FailedGame:
    """A failed game, with the setting in which it was played."""
    options = dict(setting.options)
    words = [counted(setting.players, "player"), *(f"{name} is {value}" for name, value in setting.options)]
    extra = {"players": list(choose_seats(rules, setting.players)), "options": options}
    return FailedGame(
        failed, lambda: before_failure(seat_game(rules, setting.players, options), failed), ", ".join(words), extra
    )


def _show(covered: Covered, in_full: bool) -> None:
    """Show the report, or only its last line if the annotated rules are shown; then the games that failed."""
    console = screen()
    for part in report(covered.coverage, covered.seconds) if in_full else (summary(covered.coverage),):
        console.print(part)
    if covered.faults:
        failed = sum(len(fault.games) for fault in covered.faults)
        echo(f"\n{failed} of {counted(covered.coverage.playouts.games, 'random game')} ended in an error")
        for line in in_words(covered.faults):
            echo(f" {line}")
    console.print()


def _annotate(coverage: Coverage, target: str) -> None:
    """Write the rules annotated with coverage, to the screen or to a file."""
    if target == "-":
        console = screen()
        for line in annotated(coverage):
            console.print(line, soft_wrap=True)
        return
    text = "".join(f"{line.plain.rstrip()}\n" for line in annotated(coverage))
    write_shared(output_file(target, "--annotate"), text.encode())


# ---- examples


def _files(name: str) -> list[Path]:
    """The rules files an argument refers to: the games of a folder, or one file; companions come with their games."""
    folder = Path(name)
    if not folder.is_dir():
        return [rules_file(name)]
    return sorted(path for path in folder.glob("*.rules") if not path.name.endswith(".examples.rules"))


def _passed(results: Sequence[ExampleResult]) -> int:
    return sum(1 for result in results if result.passed)


def _failure(result: ExampleResult, most_events: int) -> str:
    cites = f" [{' '.join(result.cites)}]" if result.cites else ""
    lines = [f'FAILED "{result.title}"{cites}', f"  {result.location}"]
    lines += [f"    {line}" for failure in result.failures for line in failure.splitlines()]
    omitted = max(0, len(result.last_events) - most_events)
    shown = result.last_events[omitted:]
    if shown:
        all_or_last = f"the last {counted(len(shown), 'event')}" if omitted else "events"
        more = f" (--events {MAX_EVENTS} shows more)" if omitted else ""
        lines += [
            f"  {all_or_last} before that{more}:",
            *(f"    {line_of(depth, event, PLAIN)}" for depth, event in shown),
        ]
    return "\n".join(lines) + "\n"


def _summary(results: Sequence[ExampleResult], files: int) -> str:
    where = counted(files, "file")
    if not results:
        return f"no examples in {where}"
    failed = len(results) - _passed(results)
    words = f"{_passed(results)} of {len(results)} examples passed in {where}"
    return f"{words}, {failed} failed" if failed else words


def _document(result: ExampleResult) -> JsonObject:
    return {
        "title": result.title,
        "cites": list(result.cites),
        "place": result.location,
        "passed": result.passed,
        "failures": list(result.failures),
        "led_there": [event_data(depth, event) for depth, event in result.last_events],
    }
