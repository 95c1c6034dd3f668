"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game."""

from dsl.diagnostics import RulesError
from interpreter.chance import ChanceEvent
from interpreter.explain import Explained
from interpreter.faults import (
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
from interpreter.game import Game, OptionInfo, load
from interpreter.history import Made, Question
from interpreter.log import LogEntry
from interpreter.outcome import Outcome
from interpreter.state import State
from interpreter.trace import Difference, Event, Moment, Position, Stop, Timeline
from interpreter.why import Origin, Reason, Why
from interpreter.wording import Move

__all__ = [
    "BadBoard", "BadExpression", "BadOption", "BadPlayers", "BadVariant", "ChanceEvent", "Difference", "Event",
    "Explained", "Game", "IllegalMove", "LogEntry", "Made", "Moment", "Move", "OptionInfo", "Origin", "Outcome",
    "Position", "Question", "Reason", "RulesError", "RuntimeFault", "SaveFault", "State", "Stop", "Timeline",
    "UnknownGame", "UsageFault", "Why", "load",
]  # fmt: skip
