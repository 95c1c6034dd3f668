"""Games of bots that ended in an error: grouped by failing rule, the first of each saved; shown as text or as data."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli.save_paths import save_once, short
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.nouns import counted
from interpreter.analysis.failed_games import Failed
from interpreter.play.game import State
from interpreter.play.saves.files import SaveMeta, save_text

if TYPE_CHECKING:
    from interpreter.laboratory.report import Report

MAX_SEEDS = 8
"""Maximum number of seeds listed for games that fail at the same place."""


@dataclass(frozen=True)
class FailedGame:
    """A game of bots that ended in an error, with what is needed to save its state.

    `setting` describes how it was played, where that differs from game to game; `extra` holds further data fields.
    `players` are those of its seats that were not played by random bots.
    """

    failed: Failed
    state: Callable[[], State | None]
    setting: str = ""
    extra: JsonObject = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """Games that ended in an error at one place in the rules, and the save of the first of them.

    `reached` is the number of decisions in the save. `unsaved` gives the reason if there is none, unless setup failed.
    """

    games: tuple[FailedGame, ...]
    save: Path | None = None
    reached: int = 0
    unsaved: str = ""

    @property
    def first(self) -> FailedGame:
        """The first of the games."""
        return self.games[0]


def failed_games_of(report: Report, run: str = "", extra: JsonObject | None = None) -> list[FailedGame]:
    """The games of a run that ended in an error; `run` and `extra` say which run, in words and as data."""
    from interpreter.laboratory.playing import state_before_failure  # start-up of verbs whose games no bots play

    setting = report.setting
    players = {seat: bot.text for seat, bot in zip(setting.game.seats, setting.bots, strict=True)}
    return [
        FailedGame(record.failed, partial(state_before_failure, setting, record), run, extra or {}, players)
        for record in report.failed
    ]


def saved_faults(failed_games: Iterable[FailedGame]) -> list[Failure]:
    """Group failed games by the place that failed and save the first of each, up to the decision and with its move.

    An existing save is not overwritten.
    """
    groups: dict[str, list[FailedGame]] = {}
    for game in sorted(failed_games, key=lambda game: game.failed.seed):
        groups.setdefault(game.failed.location, []).append(game)
    return [_saved(tuple(group)) for group in groups.values()]


def _saved(games: tuple[FailedGame, ...]) -> Failure:
    state = games[0].state()
    if state is None:
        return Failure(games)
    failed, kinds = games[0].failed, {seat: games[0].players.get(seat, "random") for seat in state.game.seats}
    failing = failed.move if state.ply == failed.decisions else None
    text = save_text(state, SaveMeta(kinds, failing=failing))
    try:
        path = save_once(f"{state.game.name}-fault-seed{state.seed}", text)
    except OSError as fault:
        return Failure(games, unsaved=(fault.strerror or str(fault)).lower())
    return Failure(games, path, state.ply)


def in_words(faults: Iterable[Failure]) -> Iterator[str]:
    """Render lines saying which rule failed, at which point of which game, and the command to inspect it."""
    for fault in faults:
        first = fault.first.failed
        yield f"{first.location}: {first.message}"
        if len(fault.games) > 1:
            yield f"  in {counted(len(fault.games), 'game')}, {_seeds([game.failed.seed for game in fault.games])}"
        setting = f", {fault.first.setting}" if fault.first.setting else ""
        yield f"  seed {first.seed}{setting}, {moment_of(first)}"
        if fault.save is not None:
            less = fault.reached < first.decisions
            held = f"its first {counted(fault.reached, 'decision')}" if less else "the game up to there"
            yield f"  {held}: {trace_of(fault.save)}"
        elif fault.unsaved:
            yield f"  the game could not be saved: {fault.unsaved}"


def moment_of(failed: Failed) -> str:
    """Describe the point at which a game failed: `decision 4: ann made the move take(3)`."""
    if failed.decision is None:
        return f"at the end, after {counted(failed.decisions, 'decision')}" if failed.decisions else "during setup"
    chosen = f"made the move {failed.move}" if failed.move is not None else "had to decide"
    return f"decision {failed.decision}: {failed.player} {chosen}"


def trace_of(save: Path) -> str:
    """The command that opens a save in the viewer, ready to be copied."""
    path = short(save)
    safe = shlex.quote(path.removeprefix("~/")) == path.removeprefix("~/")
    return f"regelwerk trace {path if safe else shlex.quote(str(save))}"


def _seeds(seeds: list[int]) -> str:
    distinct = list(dict.fromkeys(seeds))
    named = ", ".join(map(str, distinct[:MAX_SEEDS]))
    return f"seed{'s' if len(distinct) > 1 else ''} {named}{', …' if len(distinct) > MAX_SEEDS else ''}"


def as_data(faults: Iterable[Failure]) -> list[JsonObject]:
    """Every failed game in the order of seeds; the saved ones with their save and the command to open it."""
    entries = [_as_data(game, fault.save if game is fault.first else None) for fault in faults for game in fault.games]
    return sorted(entries, key=lambda game: int(game["seed"]))


def _as_data(game: FailedGame, save: Path | None) -> JsonObject:
    failed = game.failed
    return {
        **game.extra,
        "seed": failed.seed,
        "decision": failed.decision,
        "player": failed.player,
        "move": failed.move,
        "fault": failed.message,
        "place": failed.location,
        "save": None if save is None else str(save),
        "trace": None if save is None else trace_of(save),
    }
