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
    from interpreter import (
        HIDDEN,
        BoardError,
        ChanceEvent,
        Explanation,
        ExpressionError,
        Hidden,
        HiddenError,
        IllegalMoveError,
        LanguageError,
        LogEntry,
        Move,
        OptionError,
        OptionInfo,
        Outcome,
        PlayError,
        PlayersError,
        Question,
        RegelwerkError,
        RulesError,
        SamplingError,
        UnknownGameError,
        UnknownSeatError,
        UsageError,
        Value,
        VariantError,
        View,
        Why,
    )
    from interpreter.analysis.backends import MachineWarning
    from interpreter.analysis.bulk import PlayoutColumns
    from interpreter.analysis.results import FinishedGame
    from interpreter.analysis.rollouts import Rollouts
    from interpreter.analysis.search_states import SearchState, search_state
    from interpreter.opponents.knowledge.determinizations import Determinizations
    from interpreter.opponents.knowledge.summary import Knowledge
    from interpreter.opponents.situation import Bot, Offer, Situation
    from regelwerk.game import Game, State, load

__all__ = [
    "HIDDEN",
    "BoardError",
    "Bot",
    "ChanceEvent",
    "Determinizations",
    "Explanation",
    "ExpressionError",
    "FinishedGame",
    "Game",
    "Hidden",
    "HiddenError",
    "IllegalMoveError",
    "Knowledge",
    "LanguageError",
    "LogEntry",
    "MachineWarning",
    "Move",
    "Offer",
    "OptionError",
    "OptionInfo",
    "Outcome",
    "PlayError",
    "PlayersError",
    "PlayoutColumns",
    "Question",
    "RegelwerkError",
    "Rollouts",
    "RulesError",
    "SamplingError",
    "SearchState",
    "Situation",
    "State",
    "UnknownGameError",
    "UnknownSeatError",
    "UsageError",
    "Value",
    "VariantError",
    "View",
    "Why",
    "load",
    "search_state",
]

_HOME_OF = {
    "Bot": "interpreter.opponents.situation",
    "Determinizations": "interpreter.opponents.knowledge.determinizations",
    "FinishedGame": "interpreter.analysis.results",
    "Game": "regelwerk.game",
    "Knowledge": "interpreter.opponents.knowledge.summary",
    "MachineWarning": "interpreter.analysis.backends",
    "Offer": "interpreter.opponents.situation",
    "PlayoutColumns": "interpreter.analysis.bulk",
    "Rollouts": "interpreter.analysis.rollouts",
    "SearchState": "interpreter.analysis.search_states",
    "Situation": "interpreter.opponents.situation",
    "State": "regelwerk.game",
    "load": "regelwerk.game",
    "search_state": "interpreter.analysis.search_states",
}
"""The modules of exported names that are not exported by `interpreter`."""


def __getattr__(name: str) -> object:
    """Import an exported name on first use."""
    if name not in __all__:
        raise AttributeError(f"module `regelwerk` has no attribute `{name}`")
    exported: object = getattr(import_module(_HOME_OF.get(name, "interpreter")), name)
    globals()[name] = exported
    return exported


def __dir__() -> list[str]:
    """All names, whether they are imported yet or not."""
    return sorted({*globals(), *__all__})
