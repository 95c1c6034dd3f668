"""What can go wrong while a game is loaded or played, as errors with one clear line."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics import Diagnostic, RulesError
from dsl.text.visible import visible


class PlayError(Exception):
    """A rule that failed in play: what, and where it stands (`file:line:column`)."""

    def __init__(self, message: str, place: str) -> None:
        self.message, self.place = visible(message), visible(place)
        super().__init__(f"{self.place}: {self.message}")

    def __reduce__(self) -> tuple[type[PlayError], tuple[str, str]]:
        return type(self), (self.message, self.place)


class LimitError(PlayError):
    """A rule, or a game, that went on without end and was stopped."""


class UsageError(Exception):
    """Something asked for that is not there; the message is one line for people."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class UnknownGameError(UsageError):
    """No game of that name."""


class OptionError(UsageError):
    """No such option, or no such value."""


class BoardError(UsageError):
    """A board file that is not there, or is no file."""


class VariantError(UsageError):
    """A variant that is not there, is none, or is one of another game."""


class PlayersError(UsageError):
    """Not that many players, or no such seat."""


class IllegalMoveError(UsageError):
    """A move that is not among the legal ones."""


class UnknownSeatError(UsageError):
    """A seat that is not among those of the game."""


class ExpressionError(UsageError):
    """An expression somebody asked for that cannot be read or does not fit the game; carries its diagnostics."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        Exception.__init__(self, "\n".join(diagnostic.draw() for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[ExpressionError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class SaveError(Exception):
    """A save file that cannot be used; the message is one line for people."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


__all__ = [
    "BoardError",
    "ExpressionError",
    "IllegalMoveError",
    "LimitError",
    "OptionError",
    "PlayError",
    "PlayersError",
    "RulesError",
    "SaveError",
    "UnknownGameError",
    "UnknownSeatError",
    "UsageError",
    "VariantError",
]
