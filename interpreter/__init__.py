"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game."""

from dsl.diagnostics import RegelwerkError, RulesError
from interpreter.errors import (
    BoardError,
    ExpressionError,
    HiddenError,
    IllegalMoveError,
    OptionError,
    PlayError,
    PlayersError,
    SaveError,
    UnknownGameError,
    UnknownSeatError,
    UsageError,
    VariantError,
)
from interpreter.explain.answer import Origin, Reason, Why
from interpreter.explain.breakdown import Explanation
from interpreter.explain.outcome import Outcome
from interpreter.game import Game, State, load
from interpreter.notation.moves import Move
from interpreter.notation.values import Value
from interpreter.runtime.chance import ChanceEvent
from interpreter.seated_game import OptionInfo
from interpreter.trace import Difference, Event, Position, Snapshot, Stop, Timeline
from interpreter.views.history import DecisionRecord, Question
from interpreter.views.log import LogEntry
from interpreter.views.model import HIDDEN, Hidden, View

__all__ = [
    "HIDDEN",
    "BoardError",
    "ChanceEvent",
    "DecisionRecord",
    "Difference",
    "Event",
    "Explanation",
    "ExpressionError",
    "Game",
    "Hidden",
    "HiddenError",
    "IllegalMoveError",
    "LogEntry",
    "Move",
    "OptionError",
    "OptionInfo",
    "Origin",
    "Outcome",
    "PlayError",
    "PlayersError",
    "Position",
    "Question",
    "Reason",
    "RegelwerkError",
    "RulesError",
    "SaveError",
    "Snapshot",
    "State",
    "Stop",
    "Timeline",
    "UnknownGameError",
    "UnknownSeatError",
    "UsageError",
    "Value",
    "VariantError",
    "View",
    "Why",
    "load",
]  # fmt: skip
