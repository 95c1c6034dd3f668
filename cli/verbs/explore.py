"""`explore GAME`: search for faults, stuck and endless games, decisions without a choice, and rules never reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from cli.arguments import GameName, Json, OwnBoard, Variants, board_file, output_folder, rules_file, wants_json
from cli.errors import DONE, INTERRUPTED, WRONG, MisuseError, Stop
from cli.failed_games import trace_of
from cli.json_output import emit
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.nouns import counted
from dsl.text.replacing import replace_text
from interpreter.authoring.coverage.random_games import BranchCounts, CoveragePlayer
from interpreter.authoring.coverage.report import Coverage, Missing, description, run_instrumented
from interpreter.exploration.dominated import dominated_actions
from interpreter.exploration.findings import ORDER, Finding
from interpreter.exploration.kept_search import keep, resume
from interpreter.exploration.proposing import Bench
from interpreter.exploration.search import Explorer
from interpreter.exploration.shrinking import before, example_of, shortened
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, seat_game
from interpreter.play.saves.files import SaveMeta, save_text

SECONDS = 60
"""Default time of a search, in seconds."""

MOST_SECONDS = 1_000_000
MOST_DECISIONS = 1_000_000_000

SHARE_OF_ACTIONS = 0.2
"""Share of the time in which actions are compared."""

MOST_SAMPLED = 100_000
DECISIONS_OF_A_SAMPLE = 20
"""Number of decisions of `--decisions` for each decision at which actions are compared."""

MAX_SHOWN = 20
"""Number of findings for which a short course and an example are looked for: each takes seconds."""

GRAVE = ("fault", "stuck", "endless")
"""The kinds of findings that set the exit code."""


@dataclass(frozen=True)
class Shown:
    """A finding with its shortest course; `example` and `save` are None if there is none."""

    finding: Finding
    example: str | None = None
    save: Path | None = None


def explore(
    game: GameName,
    time: Annotated[
        int, typer.Option("--time", metavar="S", help=f"Stop after S seconds (default: {SECONDS}).")
    ] = SECONDS,
    decisions: Annotated[
        int | None, typer.Option("--decisions", metavar="N", help="Stop after N decisions, if that comes first.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of the search.")] = 0,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="FOLDER", help="Save what is found in FOLDER, and continue the search there."),
    ] = None,
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
    if not 1 <= time <= MOST_SECONDS:
        raise MisuseError(f"--time must be from 1 to {MOST_SECONDS}")
    if decisions is not None and not 1 <= decisions <= MOST_DECISIONS:
        raise MisuseError(f"--decisions must be from 1 to {MOST_DECISIONS}")
    folder = None if into is None else output_folder(into, "--into")
    with show_progress(Stage()) as stage:
        stage.begin(game, "reading")
        rules = load_rules(rules_file(game), examples=True, board=board_file(board), variants=variant or ())
        stage.begin(game, "running the examples")
        results, by_examples = run_instrumented(rules)
    explorer = Explorer(rules, seed)
    kept = None if folder is None else folder / f"{rules.name}.search.json"
    if kept is not None and kept.exists():
        resume(kept, explorer)
    interrupted = _search(explorer, time * (1 - SHARE_OF_ACTIONS), decisions)
    if kept is not None:
        keep(kept, explorer)
    dominated: list[Finding] = []
    if not interrupted:
        dominated, interrupted = _dominated(explorer, time, decisions)
    shown = _shown(explorer, dominated, folder)
    counts = BranchCounts(_reached(explorer), explorer.games)
    coverage = Coverage(rules, results, by_examples, counts, [], seed)
    if json:
        emit("explore", _document(explorer, shown, coverage, interrupted))
    else:
        for line in _report(explorer, shown, coverage):
            echo(line)
    if interrupted:
        raise Stop(INTERRUPTED)
    raise Stop(WRONG if any(each.finding.kind in GRAVE for each in shown) else DONE)


def _search(explorer: Explorer, time: float, decisions: int | None) -> bool:
    """Search until the time is over or enough decisions were made; whether that was interrupted."""
    stage, began = Stage(), monotonic()
    earlier, end = explorer.seconds, began + time
    most = None if decisions is None else explorer.decisions + decisions

    def is_over() -> bool:
        return monotonic() >= end or (most is not None and explorer.decisions >= most)

    interrupted = False
    try:
        with show_progress(stage):
            for _ in explorer.search(is_over):
                found = counted(len(explorer.findings), "finding")
                stage.begin(explorer.rules.name, f"{explorer.decisions:,} decisions, {found}")
    except KeyboardInterrupt:
        interrupted = True
    explorer.seconds = earlier + monotonic() - began
    return interrupted


def _dominated(explorer: Explorer, time: int, decisions: int | None) -> tuple[list[Finding], bool]:
    """Actions that seem never worth doing, and whether looking for them was interrupted."""
    end = monotonic() + time * SHARE_OF_ACTIONS
    most = MOST_SAMPLED if decisions is None else decisions // DECISIONS_OF_A_SAMPLE
    with show_progress(Stage()) as stage:
        stage.begin(explorer.rules.name, "comparing actions")
        try:
            return dominated_actions(
                explorer.rules, explorer.seed, lambda sampled: monotonic() >= end or sampled >= most
            ), False
        except KeyboardInterrupt:
            return [], True


def _reached(explorer: Explorer) -> Counter[int]:
    """In how many runs each branch was taken; declarations that are reached with a part of them once."""
    taken = explorer.taken
    every = CoveragePlayer(explorer.rules).with_derived(frozenset(taken))
    return Counter({branch: taken.get(branch, 1) for branch in every})


# ---- the findings


def _shown(explorer: Explorer, dominated: Sequence[Finding], folder: Path | None) -> list[Shown]:
    """The findings, the gravest first, those found in the fewest decisions before others; the first ones shortened."""
    findings = [*explorer.findings.values(), *explorer.without_choice(), *dominated]
    findings.sort(key=lambda finding: (ORDER.index(finding.kind), finding.length))
    bench, shown = Bench(explorer.rules), list[Shown]()
    with show_progress(Stage()) as stage:
        for number, finding in enumerate(findings, 1):
            stage.begin(explorer.rules.name, f"shortening finding {number} of {len(findings)}")
            if number > MAX_SHOWN:
                shown.append(Shown(finding))
                continue
            setting = finding.course.setting
            seated = seat_game(explorer.rules, setting.players, dict(setting.options))
            short = shortened(seated, finding)
            example = example_of(seated, short, bench)
            save = None if folder is None else _save(seated, short, folder, number)
            shown.append(Shown(short, example or None, save))
    if folder is not None:
        texts = [f"# {each.finding.location}: {each.finding.words}\n{each.example}" for each in shown if each.example]
        replace_text(folder / f"{explorer.rules.name}.found.txt", "\n".join(texts))
    return shown


def _save(game: Game, finding: Finding, folder: Path, number: int) -> Path | None:
    """Save the game that shows a finding; None if it fails during setup."""
    state, move = before(game, finding)
    if state is None:
        return None
    path = folder / f"{game.name}-{finding.kind.replace(' ', '-')}-{number}.json"
    replace_text(path, save_text(state, SaveMeta(dict.fromkeys(game.seats, "random"), failing=move)))
    return path


# ---- in words


def _report(explorer: Explorer, shown: Sequence[Shown], coverage: Coverage) -> Iterator[str]:
    rules, usual = explorer.rules, explorer.settings[0]
    yield f"Explored {rules.name} for {explorer.seconds:.0f} s: {_extent(explorer)}"
    players = [setting.players for setting in usual]
    tables = f"{players[0]} to {players[-1]} players" if len(players) > 1 else counted(players[0], "player")
    others = len(explorer.settings[1])
    yield f"with {tables}" + (f", and {counted(others, 'combination')} of other options" if others else "")
    for number, each in enumerate(shown, 1):
        finding = each.finding
        yield ""
        yield f" {number:>2}  {finding.kind:<8}  {_line(finding.location)}  {finding.words}"
        yield f"     {_circumstances(finding)}"
        if each.example:
            yield from (f"     {line}" for line in each.example.splitlines())
        if each.save is not None:
            yield f"     {trace_of(each.save)}"
    if not any(each.finding.kind in GRAVE for each in shown):
        yield ""
        yield "no rule failed, and no game was stuck or endless"
    never, by_examples = _of_rules(coverage.never), _of_rules(coverage.not_played)
    yield from _list(f"not reached in {_extent(explorer)}, nor by an example", never)
    yield from _list(f"reached by examples, but not in {_extent(explorer)}", by_examples)


def _extent(explorer: Explorer) -> str:
    return f"{counted(explorer.runs, 'run')} and {explorer.decisions:,} decisions"


def _circumstances(finding: Finding) -> str:
    """How the game was set up that shows a finding."""
    course = finding.course
    where = "in the setup" if not finding.length and finding.kind == "fault" else counted(finding.length, "decision")
    options = [f"{name} is {value}" for name, value in course.setting.options]
    return ", ".join([where, f"seed {course.seed}", counted(course.setting.players, "player"), *options])


def _line(location: str) -> str:
    return location.rpartition(":")[0]


def _list(title: str, missing: Sequence[Missing]) -> Iterator[str]:
    if missing:
        yield ""
        yield title
    for each in missing:
        yield f"  {_place(each)}  {_what(each)}"


def _of_rules(missing: Sequence[Missing]) -> list[Missing]:
    """What is missing of rules: values of options are chosen by the search itself."""
    return [each for each in missing if each.subject.kind != "option"]


def _place(missing: Missing) -> str:
    return _line((missing.subject if missing.part is None else missing.part).span.location)


def _what(missing: Missing) -> str:
    return f"{missing.subject.kind} {missing.subject.name}".strip() + f" {description(missing)}"


# ---- as data


def _document(explorer: Explorer, shown: Sequence[Shown], coverage: Coverage, interrupted: bool) -> JsonObject:
    return {
        "game": explorer.rules.name,
        "variants": list(explorer.rules.titles),
        "seed": explorer.seed,
        "runs": explorer.runs,
        "games": explorer.games,
        "decisions": explorer.decisions,
        "interrupted": interrupted,
        "findings": [_finding(each) for each in shown],
        "unreached": [
            {"place": _place(each), "what": _what(each), "by_examples": by_examples}
            for missing, by_examples in ((coverage.never, False), (coverage.not_played, True))
            for each in _of_rules(missing)
        ],
    }


def _finding(shown: Shown) -> JsonObject:
    finding = shown.finding
    return {
        "kind": finding.kind,
        "place": finding.location,
        "words": finding.words,
        "decisions": finding.length,
        "seed": finding.course.seed,
        "players": finding.course.setting.players,
        "options": dict(finding.course.setting.options),
        "example": shown.example,
        "save": None if shown.save is None else str(shown.save),
    }
