"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game.

What it exports is imported when it is first used: much of it takes long to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.diagnostics import RegelwerkError, RulesError
    from interpreter.errors import (
        BoardError,
        ExpressionError,
        HiddenError,
        IllegalMoveError,
        LanguageError,
        OptionError,
        PlayError,
        PlayersError,
        SamplingError,
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

_HOMES = {
    "dsl.diagnostics": ("RegelwerkError", "RulesError"),
    "interpreter.errors": (
        "BoardError",
        "ExpressionError",
        "HiddenError",
        "IllegalMoveError",
        "LanguageError",
        "OptionError",
        "PlayError",
        "PlayersError",
        "SamplingError",
        "SaveError",
        "UnknownGameError",
        "UnknownSeatError",
        "UsageError",
        "VariantError",
    ),
    "interpreter.explain.answer": ("Origin", "Reason", "Why"),
    "interpreter.explain.breakdown": ("Explanation",),
    "interpreter.explain.outcome": ("Outcome",),
    "interpreter.game": ("Game", "State", "load"),
    "interpreter.notation.moves": ("Move",),
    "interpreter.notation.values": ("Value",),
    "interpreter.runtime.chance": ("ChanceEvent",),
    "interpreter.seated_game": ("OptionInfo",),
    "interpreter.trace": ("Difference", "Event", "Position", "Snapshot", "Stop", "Timeline"),
    "interpreter.views.history": ("DecisionRecord", "Question"),
    "interpreter.views.log": ("LogEntry",),
    "interpreter.views.model": ("HIDDEN", "Hidden", "View"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import an exported name on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module `interpreter` has no attribute `{name}`")
    found: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = found
    return found


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
    "LanguageError",
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
    "SamplingError",
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
