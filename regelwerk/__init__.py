"""Regelwerk from Python: load a game, play it move by move or at random, ask what each seat may know.

    import regelwerk

    game = regelwerk.load("my_game.rules", players=2)
    state = game.start(seed=7)
    state.push(state.legal_moves[0])
    state.view(state.player).zones

`docs/python.md` shows all of it by example. Whatever is wrong with an argument, a file or a rule is raised as one of
the errors listed here, all of them a `RegelwerkError`: `UsageError` and its subclasses for arguments, `RulesError` for
rules files with errors, `PlayError` for rules that fail in play.

What the package exports is imported when it is first used: a program that only plays needs neither searches nor bots.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.diagnostics import RegelwerkError, RulesError
    from interpreter.analysis.backends import MachineWarning
    from interpreter.analysis.bulk import PlayoutColumns, Rollouts
    from interpreter.analysis.figures import Figure
    from interpreter.analysis.results import FinishedGame
    from interpreter.analysis.search_states import SearchState, search_state
    from interpreter.analysis.workers import Progress
    from interpreter.engine.seated_game import OptionInfo
    from interpreter.environments.actions import ActionSpace, PartialMove
    from interpreter.environments.information import InformationState
    from interpreter.environments.observations import ObservationSpace
    from interpreter.errors import (
        BoardError,
        BotError,
        ExpressionError,
        HiddenError,
        IllegalMoveError,
        Interrupted,
        LanguageError,
        OptionError,
        PlayError,
        PlayersError,
        PositionError,
        RunError,
        SamplingError,
        SaveError,
        UnknownGameError,
        UnknownSeatError,
        UsageError,
        VariantError,
    )
    from interpreter.exploration.hunt import Exploration, Found, Unreached
    from interpreter.exploration.in_step import Witness
    from interpreter.exploration.mutation import Survey, Tried
    from interpreter.laboratory.arena import Match, Standing, Standings
    from interpreter.laboratory.comparing import Comparison, MeasuredDifference
    from interpreter.laboratory.confidence import Rating
    from interpreter.laboratory.courses import GameRecord
    from interpreter.laboratory.report import Report
    from interpreter.opponents.greedy import Greedy
    from interpreter.opponents.knowledge.sampling import Determinizations
    from interpreter.opponents.knowledge.summary import Knowledge
    from interpreter.opponents.mcts import Analysis, Mcts, MoveAnalysis, analyse
    from interpreter.opponents.situation import Bot, Considered, Offer, Situation
    from interpreter.play.trace import Difference, Event, Position, Snapshot, Stop, Timeline
    from interpreter.runtime.chance import ChanceEvent
    from interpreter.seat.explain.answer import Origin, Reason, Why
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.seat.explain.evaluator import ShownValue
    from interpreter.seat.explain.outcome import Outcome
    from interpreter.seat.notation.moves import Move
    from interpreter.seat.notation.words import Value
    from interpreter.seat.views.history import DecisionRecord, Question
    from interpreter.seat.views.log import LogEntry
    from interpreter.seat.views.model import HIDDEN, Hidden, View
    from interpreter.solving.equilibrium import Choice
    from interpreter.solving.limits import TooLargeError
    from interpreter.solving.solution import Solution, SolvedMove, solve
    from interpreter.version import __version__
    from regelwerk.faults import explore, mutate
    from regelwerk.game import Game, State, load, resume
    from regelwerk.laboratory import arena, compare, simulate, skill
    from regelwerk.vectors import vector_env

__all__ = [
    "HIDDEN",
    "ActionSpace",
    "Analysis",
    "BoardError",
    "Bot",
    "BotError",
    "ChanceEvent",
    "Choice",
    "Comparison",
    "Considered",
    "DecisionRecord",
    "Determinizations",
    "Difference",
    "Event",
    "Explanation",
    "Exploration",
    "ExpressionError",
    "Figure",
    "FinishedGame",
    "Found",
    "Game",
    "GameRecord",
    "Greedy",
    "Hidden",
    "HiddenError",
    "IllegalMoveError",
    "InformationState",
    "Interrupted",
    "Knowledge",
    "LanguageError",
    "LogEntry",
    "MachineWarning",
    "Match",
    "Mcts",
    "MeasuredDifference",
    "Move",
    "MoveAnalysis",
    "ObservationSpace",
    "Offer",
    "OptionError",
    "OptionInfo",
    "Origin",
    "Outcome",
    "PartialMove",
    "PlayError",
    "PlayersError",
    "PlayoutColumns",
    "Position",
    "PositionError",
    "Progress",
    "Question",
    "Rating",
    "Reason",
    "RegelwerkError",
    "Report",
    "Rollouts",
    "RulesError",
    "RunError",
    "SamplingError",
    "SaveError",
    "SearchState",
    "ShownValue",
    "Situation",
    "Snapshot",
    "Solution",
    "SolvedMove",
    "Standing",
    "Standings",
    "State",
    "Stop",
    "Survey",
    "Timeline",
    "TooLargeError",
    "Tried",
    "UnknownGameError",
    "UnknownSeatError",
    "Unreached",
    "UsageError",
    "Value",
    "VariantError",
    "View",
    "Why",
    "Witness",
    "__version__",
    "analyse",
    "arena",
    "compare",
    "explore",
    "load",
    "mutate",
    "resume",
    "search_state",
    "simulate",
    "skill",
    "solve",
    "vector_env",
]  # fmt: skip

_NAMES_BY_MODULE = {
    "dsl.diagnostics": "RegelwerkError RulesError",
    "interpreter.analysis.backends": "MachineWarning",
    "interpreter.analysis.bulk": "PlayoutColumns Rollouts",
    "interpreter.analysis.figures": "Figure",
    "interpreter.analysis.results": "FinishedGame",
    "interpreter.analysis.search_states": "SearchState search_state",
    "interpreter.analysis.workers": "Progress",
    "interpreter.engine.seated_game": "OptionInfo",
    "interpreter.environments.actions": "ActionSpace PartialMove",
    "interpreter.environments.information": "InformationState",
    "interpreter.environments.observations": "ObservationSpace",
    "interpreter.errors": (
        "BoardError BotError ExpressionError HiddenError IllegalMoveError Interrupted LanguageError "
        "OptionError PlayError PlayersError PositionError RunError SamplingError SaveError UnknownGameError "
        "UnknownSeatError UsageError VariantError"
    ),
    "interpreter.exploration.hunt": "Exploration Found Unreached",
    "interpreter.exploration.in_step": "Witness",
    "interpreter.exploration.mutation": "Survey Tried",
    "interpreter.laboratory.arena": "Match Standing Standings",
    "interpreter.laboratory.comparing": "Comparison MeasuredDifference",
    "interpreter.laboratory.confidence": "Rating",
    "interpreter.laboratory.courses": "GameRecord",
    "interpreter.laboratory.report": "Report",
    "interpreter.opponents.greedy": "Greedy",
    "interpreter.opponents.knowledge.sampling": "Determinizations",
    "interpreter.opponents.knowledge.summary": "Knowledge",
    "interpreter.opponents.mcts": "Analysis Mcts MoveAnalysis analyse",
    "interpreter.opponents.situation": "Bot Considered Offer Situation",
    "interpreter.play.trace": "Difference Event Position Snapshot Stop Timeline",
    "interpreter.runtime.chance": "ChanceEvent",
    "interpreter.seat.explain.answer": "Origin Reason Why",
    "interpreter.seat.explain.breakdown": "Explanation",
    "interpreter.seat.explain.evaluator": "ShownValue",
    "interpreter.seat.explain.outcome": "Outcome",
    "interpreter.seat.notation.moves": "Move",
    "interpreter.seat.notation.words": "Value",
    "interpreter.seat.views.history": "DecisionRecord Question",
    "interpreter.seat.views.log": "LogEntry",
    "interpreter.seat.views.model": "HIDDEN Hidden View",
    "interpreter.solving.equilibrium": "Choice",
    "interpreter.solving.limits": "TooLargeError",
    "interpreter.solving.solution": "Solution SolvedMove solve",
    "interpreter.version": "__version__",
    "regelwerk.faults": "explore mutate",
    "regelwerk.game": "Game State load resume",
    "regelwerk.laboratory": "arena compare simulate skill",
    "regelwerk.vectors": "vector_env",
}
_MODULE_OF = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Import an exported name on first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module `regelwerk` has no attribute `{name}`")
    exported: object = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = exported
    return exported


def __dir__() -> list[str]:
    """All names, whether they are imported yet or not."""
    return sorted({*globals(), *__all__})
