"""Replaying one game of a run decision by decision, and saving it for `trace`."""

from __future__ import annotations

from pathlib import Path

from cli.laboratory.running import Plan
from cli.save_paths import save_once
from interpreter.analysis.failed_games import Failed, before_failure
from interpreter.laboratory.courses import Courses
from interpreter.laboratory.playing import record_of
from interpreter.laboratory.records import FailedRecord, GameRecord
from interpreter.laboratory.report import Report, report_of
from interpreter.laboratory.results_file import Record
from interpreter.laboratory.setting import Setting
from interpreter.opponents.driver import Driver
from interpreter.opponents.matches import Broken, play_out, state_before
from interpreter.play.game import State
from interpreter.play.saves.files import SaveMeta, save_text


def replayed(setting: Setting, number: int) -> tuple[State | None, Failed | None]:
    """Play the game with this number to its end, or up to the decision at which a rule fails; with the failure, if any.

    There is no state if a rule fails during setup. Raises BotError.
    """
    players = [Driver(bot, seat) for bot, seat in zip(setting.bots, setting.game.seats, strict=True)]
    result = play_out(setting.game, setting.seed + number, players)
    if isinstance(result, Broken):
        return state_before(setting.game, result), result.failed
    return result, None


def report_of_one(plan: Plan, number: int, state: State | None, failed: Failed | None) -> Report:
    """The report of one replayed game, with the same values as in the planned run."""
    setting = plan.setting
    if failed is not None:
        return report_of(setting, [], [FailedRecord(number, failed)], 1)
    assert state is not None
    courses = Courses(setting.game, plan.rollouts, plan.backend)
    return report_of(setting, [record_of(courses, number, state, number < plan.details)], [], 1)


def differs(setting: Setting, state: State, record: Record | None) -> bool:
    """True if a game differs from its record, which can happen if bots have a time budget."""
    outcome = state.outcome
    if not isinstance(record, GameRecord) or outcome is None:
        return False
    winners = tuple(setting.game.seats[seat] for seat in record.winners)
    return (record.decisions, winners) != (state.ply, outcome.winners)


def state_before_failure(setting: Setting, record: FailedRecord) -> State | None:
    """A game as it was before the decision that failed, or after its recorded moves; None if setup failed."""
    if setting.is_random:
        return before_failure(setting.game, record.failed)
    return state_before(setting.game, Broken(record.failed, record.moves))


def save_game(setting: Setting, state: State) -> Path:
    """Save a game in the folder for saves; the same game is not saved twice. Raises OSError."""
    game = setting.game
    kinds = {seat: bot.text for seat, bot in zip(game.seats, setting.bots, strict=True)}
    text = save_text(state, SaveMeta(kinds))
    return save_once(f"{game.name}-seed{state.seed}", text)
