"""What can go wrong while a game is loaded or played, as errors with one clear line."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics import Diagnostic, RulesError
from dsl.text.visible import visible


class RuntimeFault(Exception):
    """A rule that failed in play: what, and where it stands (`file:line:column`)."""

    def __init__(self, message: str, place: str) -> None:
        self.message, self.place = visible(message), visible(place)
        super().__init__(f"{self.place}: {self.message}")

    def __reduce__(self) -> tuple[type[RuntimeFault], tuple[str, str]]:
        return type(self), (self.message, self.place)


class CutOff(RuntimeFault):
    """A rule, or a game, that went on without end and was stopped."""


class UsageFault(Exception):
    """Something asked for that is not there; the message is one line for people."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class UnknownGame(UsageFault):
    """No game of that name."""


class BadOption(UsageFault):
    """No such option, or no such value."""


class BadBoard(UsageFault):
    """A board file that is not there, or is no file."""


class BadVariant(UsageFault):
    """A variant that is not there, is none, or is one of another game."""


class BadPlayers(UsageFault):
    """Not that many players, or no such seat."""


class IllegalMove(UsageFault):
    """A move that is not among the legal ones."""


class BadExpression(UsageFault):
    """An expression somebody asked for that cannot be read or does not fit the game; carries its diagnostics."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        Exception.__init__(self, "\n".join(diagnostic.draw() for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[BadExpression], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class SaveFault(Exception):
    """A save file that cannot be used; the message is one line for people."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


__all__ = [
    "BadBoard",
    "BadExpression",
    "BadOption",
    "BadPlayers",
    "BadVariant",
    "CutOff",
    "IllegalMove",
    "RulesError",
    "RuntimeFault",
    "SaveFault",
    "UnknownGame",
    "UsageFault",
]
