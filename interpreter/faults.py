"""What can go wrong while a game is loaded or played, as errors with one clear line."""

from __future__ import annotations

from dsl.diagnostics import RulesError


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


class BadPlayers(UsageFault):
    """Not that many players, or no such seat."""


class IllegalMove(UsageFault):
    """A move that is not among the legal ones."""


class SaveFault(Exception):
    """A save file that cannot be used; the message is one line for people."""


__all__ = [
    "BadBoard",
    "BadOption",
    "BadPlayers",
    "IllegalMove",
    "RulesError",
    "RuntimeFault",
    "SaveFault",
    "UnknownGame",
    "UsageFault",
]
