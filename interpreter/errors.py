"""Errors of loading and playing a game, each with a message of one clear line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dsl.diagnostics import Diagnostic, RegelwerkError, RulesError
from dsl.text.visible import visible
from interpreter.wording.phrases import Phrase

_THINGS: Mapping[str, Phrase] = {
    str(thing): thing
    for thing in (
        Phrase("a folder"), Phrase("a pipe"), Phrase("a socket"), Phrase("a device"), Phrase("something else"),
    )
}  # fmt: skip


def thing(description: str) -> str:
    """What is in the place of a file, as `dsl.text.files` describes it, to be said in any language."""
    return _THINGS.get(description, description)


class PlayError(RegelwerkError):
    """A rule that failed in play, with its location (`file:line:column`)."""

    def __init__(self, message: str, location: str) -> None:
        self.message = message if isinstance(message, Phrase) else visible(message)
        self.location = visible(location)
        super().__init__(f"{self.location}: {visible(message)}")

    def __reduce__(self) -> tuple[type[PlayError], tuple[str, str]]:
        return type(self), (self.message, self.location)


class PublicFaultError(PlayError):
    """A rule that failed by what every seat knows, so that each may be told why."""


def public_if_same(fault: PlayError, public: PlayError) -> PlayError:
    """The fault as one that may be told to all, if what every seat knows leads to the same; else as it is."""
    is_same = (public.message, public.location) == (fault.message, fault.location)
    return PublicFaultError(fault.message, fault.location) if is_same else fault


class LimitError(PlayError):
    """A rule or game that did not terminate and was stopped."""


class UsageError(RegelwerkError):
    """A request that cannot be met; the message is one line for people."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message))


class PositionError(UsageError):
    """A position that does not fit its game, or cannot be reached; the message says where, in several lines."""

    def __init__(self, message: str) -> None:
        self.message = message
        RegelwerkError.__init__(self, visible(message, layout=True))


class StoppedError(UsageError):
    """Rules in a thread took too long or too much memory, and were stopped."""


class UnknownGameError(UsageError):
    """There is no game of that name."""


class OptionError(UsageError):
    """There is no such option, or the option has no such value."""


class BoardError(UsageError):
    """A board file that does not exist or is not a file."""


class VariantError(UsageError):
    """A variant that does not exist, is not a variant, or belongs to another game."""


class LanguageError(UsageError):
    """A language in which the game has no words."""


class PlayersError(UsageError):
    """The game has no such number of players, or no such seat."""


class IllegalMoveError(UsageError):
    """A move that is not legal."""


class UnknownSeatError(UsageError):
    """A seat that the game does not have."""


class HiddenError(UsageError):
    """A value that the seat may not know."""


class SamplingError(RegelwerkError):
    """No state was found that agrees with all that a seat has observed; the message is one line for people."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message))


class ExpressionError(UsageError):
    """A query that cannot be parsed or does not fit the game; carries its diagnostics."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        Exception.__init__(self, "\n".join(diagnostic.draw() for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[ExpressionError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class SaveError(RegelwerkError):
    """A save file that cannot be used; the message is one line for people."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message))


class RunError(RegelwerkError):
    """A run of many games that cannot go on, because of its file, a worker process, a library or a cluster."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Let a file that cannot be written, as where the disk is full, raise RunError instead of OSError."""
    try:
        yield
    except OSError as fault:
        raise RunError(f"cannot write {path}: {(fault.strerror or str(fault)).lower()}") from None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a call that plays many games; `result` is what it would have returned, of the games so far."""

    def __init__(self, result: Any) -> None:  # of each such call its own, which who calls it knows
        self.result = result
        super().__init__()


class BotError(RegelwerkError):
    """A bot that cannot be made, or that failed to choose a move; the message is one line for people."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message))


__all__ = [
    "BoardError",
    "BotError",
    "ExpressionError",
    "HiddenError",
    "IllegalMoveError",
    "Interrupted",
    "LimitError",
    "OptionError",
    "PlayError",
    "PlayersError",
    "RegelwerkError",
    "RulesError",
    "RunError",
    "SamplingError",
    "SaveError",
    "UnknownGameError",
    "UnknownSeatError",
    "UsageError",
    "VariantError",
]
