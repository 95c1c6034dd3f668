"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game."""

from dsl.diagnostics import RulesError
from interpreter.errors import (
    BadBoard,
    BadExpression,
    BadOption,
    BadPlayers,
    BadVariant,
    IllegalMove,
    RuntimeFault,
    SaveFault,
    UnknownGame,
    UsageFault,
)
from interpreter.explain.breakdown import Explained
from interpreter.explain.outcome import Outcome
from interpreter.explain.why import Origin, Reason, Why
from interpreter.game import Game, State, load
from interpreter.notation.words import Move
from interpreter.runtime.chance import ChanceEvent
from interpreter.seated_game import OptionInfo
from interpreter.trace import Difference, Event, Moment, Position, Stop, Timeline
from interpreter.views.history import Made, Question
from interpreter.views.log import LogEntry

__all__ = [
    "BadBoard", "BadExpression", "BadOption", "BadPlayers", "BadVariant", "ChanceEvent", "Difference", "Event",
    "Explained", "Game", "IllegalMove", "LogEntry", "Made", "Moment", "Move", "OptionInfo", "Origin", "Outcome",
    "Position", "Question", "Reason", "RulesError", "RuntimeFault", "SaveFault", "State", "Stop", "Timeline",
    "UnknownGame", "UsageFault", "Why", "load",
]  # fmt: skip
