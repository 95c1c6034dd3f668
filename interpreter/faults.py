"""What can go wrong while a game is loaded or played, as errors with one clear line."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics import Diagnostic, RulesError


class RuntimeFault(Exception):
    """A rule that failed in play: what, and where it stands (`file:line:column`)."""

    def __init__(self, message: str, place: str) -> None:
        self.message, self.place = message, place
        super().__init__(f"{place}: {message}")


class UsageFault(Exception):
    """Something asked for that is not there; the message is one line for people."""


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
        super().__init__("\n".join(diagnostic.draw() for diagnostic in self.diagnostics))


class SaveFault(Exception):
    """A save file that cannot be used; the message is one line for people."""


__all__ = [
    "BadBoard",
    "BadExpression",
    "BadOption",
    "BadPlayers",
    "BadVariant",
    "IllegalMove",
    "RulesError",
    "RuntimeFault",
    "SaveFault",
    "UnknownGame",
    "UsageFault",
]
