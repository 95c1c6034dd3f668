"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game."""

from dsl.diagnostics import RulesError
from interpreter.chance import ChanceEvent
from interpreter.explain import Explained
from interpreter.faults import (
    BadBoard,
    BadOption,
    BadPlayers,
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
from interpreter.why import Reason, Why
from interpreter.wording import Move

__all__ = [
    "BadBoard", "BadOption", "BadPlayers", "ChanceEvent", "Explained", "Game", "IllegalMove", "LogEntry", "Made",
    "Move", "OptionInfo", "Outcome", "Question", "Reason", "RulesError", "RuntimeFault", "SaveFault", "State",
    "UnknownGame", "UsageFault", "Why", "load",
]  # fmt: skip
