"""The hunt for faults, as Python programs ask for it: a search through the games of rules, and changes of the rules."""

from __future__ import annotations

from pathlib import Path

from dsl.text.files import is_there, special_at
from interpreter.analysis.workers import Stop, Watch
from interpreter.arguments import described, integer_of
from interpreter.errors import RunError, UsageError
from interpreter.exploration import hunt, kept_runs
from interpreter.exploration.hunt import Exploration, Hunt
from interpreter.exploration.kept_runs import surveyed
from interpreter.exploration.mutation import GAMES, Survey
from interpreter.exploration.noticing import read_original
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game
from regelwerk.laboratory import checked_game, path_into, watched


def explore(
    game: Game,
    *,
    seconds: float = hunt.SECONDS,
    decisions: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    into: str | Path | None = None,
    progress: Watch | None = None,
    stop: Stop | None = None,
) -> Exploration:
    """Search the games of a set of rules for faults, stuck and endless games, and rules that nothing reaches.

    The rules of `game` are played with all numbers of players and values of options. The search ends after `seconds`,
    or after a number of `decisions`: then it finds the same with any number of `jobs`, the processes that share it.
    `into` is a folder for what is found, from which the same call goes on. `progress` and `stop` are as in `simulate`.

    Raises `UsageError` for wrong arguments, `RulesError` if the files of the rules have errors by now, `RunError` where
    the folder or a process fails. Ctrl-C raises `Interrupted` with the result so far.
    """
    rules = checked_game(game).rules
    watch, ends = watched(progress, stop)
    if decisions is not None:
        integer_of(decisions, "the number of decisions", 1)
    return Hunt(
        load_rules(rules.path, examples=True, board=rules.board, variants=rules.variants), _seconds(seconds), decisions,
        integer_of(seed, "a seed"), integer_of(jobs, "the number of processes", 1), _folder(into), watch, ends,
    ).explored()  # fmt: skip


def mutate(
    game: Game,
    *,
    seconds: float = kept_runs.SECONDS,
    only: str = "",
    games: int = GAMES,
    seed: int = 0,
    jobs: int = 1,
    into: str | Path | None = None,
    progress: Watch | None = None,
    stop: Stop | None = None,
) -> Survey:
    """Change the rules of a game in one small place at a time, to find the changes that no example notices.

    Only rules with `only` in their kind or name are changed. A change that passes the checker and all examples is
    compared with the rules as they are in a number of `games`; `survey.missing()` are those that make a difference,
    most of them with an example that would notice it. The result is the same for any number of `jobs`, if there are
    enough `seconds` for all changes. All else is as in `explore`. Raises `UsageError` also if an example fails already.
    """
    rules = checked_game(game).rules
    if not isinstance(only, str):
        raise UsageError(f"`only` is a part of a name, not {described(only)}")
    original = read_original(rules.path, rules.board, rules.variants)
    survey = Survey(original, integer_of(games, "the number of games", 1), integer_of(seed, "a seed"), only)
    processes = integer_of(jobs, "the number of processes", 1)
    if original.failing_examples:
        raise UsageError(f"an example fails already: {original.failing_examples[0]}")
    if not survey.changes:
        raise UsageError(f"no rule has `{only}` in its kind or name" if only else "there is nothing to change")
    watch, ends = watched(progress, stop)
    return surveyed(survey, _seconds(seconds), processes, _folder(into), watch, ends)


def _seconds(seconds: object) -> float:
    """Check a time in seconds. Raises UsageError."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise UsageError(f"`seconds` must be a number above 0, not {described(seconds)}")
    return seconds


def _folder(into: str | Path | None) -> Path | None:
    """The folder of that path, made if it is missing. Raises UsageError and RunError."""
    folder = path_into(into)
    if folder is None:
        return None
    if is_there(folder) and not folder.is_dir():
        raise RunError(f"{folder} is {special_at(folder) or 'a file'}, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise RunError(f"cannot make {folder}: {fault.strerror}") from None
    return folder
