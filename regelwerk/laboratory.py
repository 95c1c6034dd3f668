"""Many games at once, as Python programs ask for them: statistics, comparisons, arenas, skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interpreter.analysis.workers import Stop, Watch, never, unwatched
from interpreter.arguments import Backend, backend_of, described, function_of, instance_of, integer_of, path_of
from interpreter.errors import UsageError
from interpreter.laboratory.arena import Contest, Standings, fought, ladder_of
from interpreter.laboratory.comparing import Comparison, require_library
from interpreter.laboratory.report import Report
from interpreter.laboratory.running import Plan, compared, simulated
from interpreter.laboratory.setting import BotName, Setting, check_fit, lineup, spec_named
from interpreter.play.game import Game


def simulate(
    game: Game,
    games: int = 100,
    *,
    bots: BotName | Mapping[str, BotName] = "random",
    seed: int = 0,
    details: int = 0,
    until: float | None = None,
    jobs: int = 1,
    backend: Backend | None = None,
    into: str | Path | None = None,
    cluster: str | None = None,
    progress: Watch | None = None,
    stop: Stop | None = None,
) -> Report:
    """Let bots play many games, with the seeds `seed`, `seed + 1`, …, and return the figures.

    `bots` is who plays all seats, or who plays each of them, by seat; seats that are not named move at random. The
    first `details` games are also analysed in detail. With `until`, such as 0.01, playing ends once the share of the
    wins of every side is known to within ±1 percentage point, after `games` games at the latest. The games are played
    in `jobs` processes, or on the Dask `cluster` whose scheduler has that address. `into` is the path of a file that
    keeps every game: games that it holds already are not played again.

    `progress` is called repeatedly with a `Progress`, in the thread of the call. Once `stop` returns true, as
    `threading.Event().is_set` may, the call ends after the games in progress and returns what it has: `interrupted` is
    then true. Ctrl-C raises `Interrupted`, a KeyboardInterrupt with that `result`. An exception that `progress` or
    `stop` raises ends the call.

    Games that end in an error are `failed` in the report and do not count. Raises `UsageError` for wrong arguments,
    `BotError` if a bot fails, `RunError` if the file, a process or the cluster fails.
    """
    plan = _plan(game, games, bots, seed, details, until, jobs, backend, cluster)
    return simulated(
        plan, path_into(into), function_of(progress, unwatched, "progress"), function_of(stop, never, "stop")
    )


def compare(
    game_a: Game,
    game_b: Game,
    games: int = 1000,
    *,
    bots: BotName | Mapping[str, BotName] = "random",
    seed: int = 0,
    details: int = 0,
    until: float | None = None,
    jobs: int = 1,
    backend: Backend | None = None,
    into: str | Path | None = None,
    cluster: str | None = None,
    progress: Watch | None = None,
    stop: Stop | None = None,
) -> Comparison:
    """Play `games` pairs of games with the same seeds by two sets of rules, and compare all figures.

    With `until`, such as 0.01, playing ends once the differences of the wins are known to within ±1 percentage point.
    `into` is the path of a folder that keeps the games. All else is as in `simulate`, for both sides. This needs the
    library scipy; `RunError` says how to install it.
    """
    require_library()
    plan_a, plan_b = (
        _plan(game, games, bots, seed, details, until, jobs, backend, cluster) for game in (game_a, game_b)
    )
    return compared(
        plan_a, plan_b, path_into(into), function_of(progress, unwatched, "progress"), function_of(stop, never, "stop")
    )


def arena(
    game: Game,
    bots: Sequence[BotName],
    games: int = 100,
    *,
    until_decided: bool = False,
    seed: int = 0,
    jobs: int = 1,
    into: str | Path | None = None,
    progress: Watch | None = None,
    stop: Stop | None = None,
) -> Standings:
    """Let every two of several bots play at least `games` games against each other, and rate them.

    Each of two bots has every seat equally often, with the same seeds. With `until_decided`, they stop as soon as it is
    certain which of them is stronger. `into`, `jobs`, `progress`, `stop` and errors are as in `simulate`.
    """
    if isinstance(bots, str) or not isinstance(bots, Sequence) or len(bots) < 2:
        raise UsageError(f"an arena takes a list of two or more bots, not {described(bots)}")
    named = tuple(map(spec_named, bots))
    check_fit(named, checked_game(game))
    contest = Contest(
        game, named, integer_of(games, "the number of games", 1), integer_of(seed, "a seed"), until_decided,
        jobs=integer_of(jobs, "the number of processes", 1), plain=game.language is None,
    )  # fmt: skip
    return fought(
        contest, path_into(into), function_of(progress, unwatched, "progress"), function_of(stop, never, "stop")
    )


def skill(
    game: Game,
    games: int = 100,
    *,
    seed: int = 0,
    jobs: int = 1,
    into: str | Path | None = None,
    progress: Watch | None = None,
    stop: Stop | None = None,
) -> Standings:
    """Measure how much skill a game rewards: each bot of a ladder plays `games` games against the one before it.

    The `matches` of the result are the steps of the ladder. All else is as in `arena`.
    """
    contest = ladder_of(
        checked_game(game), integer_of(games, "the number of games", 1), integer_of(seed, "a seed"),
        integer_of(jobs, "the number of processes", 1),
    )  # fmt: skip
    return fought(
        contest, path_into(into), function_of(progress, unwatched, "progress"), function_of(stop, never, "stop")
    )


def _plan(
    game: Game, games: int, bots: BotName | Mapping[str, BotName], seed: int, details: int, until: float | None,
    jobs: int, backend: Backend | None, cluster: str | None,
) -> Plan:  # fmt: skip
    """The plan of a run. Raises UsageError."""
    setting = Setting(checked_game(game), lineup(game, bots), integer_of(seed, "a seed"), plain=game.language is None)
    if until is not None and not (isinstance(until, float) and 0 < until < 0.5):
        raise UsageError(f"`until` is half the width of an interval of shares, such as 0.01, not {described(until)}")
    number = integer_of(games, "the number of games", 1)
    return Plan(
        setting, number, min(number, integer_of(details, "the number of games analysed in detail", 0)), until=until,
        backend=game.backend if backend is None else backend_of(backend),
        jobs=integer_of(jobs, "the number of processes", 1), on=cluster,
    )  # fmt: skip


def checked_game(game: Game) -> Game:
    """Check that an argument is a game. Raises UsageError."""
    return instance_of(game, Game, "a game from `load`")


def watched(progress: Watch | None, stop: Stop | None) -> tuple[Watch, Stop]:
    """The functions that report the progress of a run and end it early. Raises UsageError."""
    return function_of(progress, unwatched, "progress"), function_of(stop, never, "stop")


def path_into(into: str | Path | None) -> Path | None:
    """The path of a file or folder that keeps a run. Raises UsageError."""
    return None if into is None else path_of(into, "a file or folder is named by")
