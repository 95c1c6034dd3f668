"""Play: compiled rules, plain state, decisions, views, explanation, saves. It never prints and knows no game.

What it exports is imported when it is first used: much of it takes long to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"
"""Written here and not read from the installed package, because that takes as long as importing the language."""

if TYPE_CHECKING:
    from dsl.diagnostics import RegelwerkError, RulesError
    from interpreter.engine.seated_game import OptionInfo
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
    from interpreter.play.game import Game, State, load
    from interpreter.play.trace import Difference, Event, Position, Snapshot, Stop, Timeline
    from interpreter.runtime.chance import ChanceEvent
    from interpreter.seat.explain.answer import Origin, Reason, Why
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.seat.explain.outcome import Outcome
    from interpreter.seat.notation.moves import Move
    from interpreter.seat.notation.values import Value
    from interpreter.seat.views.history import DecisionRecord, Question
    from interpreter.seat.views.log import LogEntry
    from interpreter.seat.views.model import HIDDEN, Hidden, View

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
    "interpreter.seat.explain.answer": ("Origin", "Reason", "Why"),
    "interpreter.seat.explain.breakdown": ("Explanation",),
    "interpreter.seat.explain.outcome": ("Outcome",),
    "interpreter.play.game": ("Game", "State", "load"),
    "interpreter.seat.notation.moves": ("Move",),
    "interpreter.seat.notation.values": ("Value",),
    "interpreter.runtime.chance": ("ChanceEvent",),
    "interpreter.engine.seated_game": ("OptionInfo",),
    "interpreter.play.trace": ("Difference", "Event", "Position", "Snapshot", "Stop", "Timeline"),
    "interpreter.seat.views.history": ("DecisionRecord", "Question"),
    "interpreter.seat.views.log": ("LogEntry",),
    "interpreter.seat.views.model": ("HIDDEN", "Hidden", "View"),
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
