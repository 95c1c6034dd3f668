"""Custom bots: whatever is installed under the entry point group `regelwerk.bots`, and how their code is called.

Only installed code is run: neither a save nor a command line can name a file with code. It may raise anything, and
return anything.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from types import FrameType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from dsl.text.visible import brief, without_text
from interpreter.errors import BotError
from interpreter.opponents.situation import Bot
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

P = ParamSpec("P")
R = TypeVar("R")

GROUP = "regelwerk.bots"
"""The entry point group: each is a class or function that returns a bot."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_INTERRUPTING: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)
"""The signals whose handlers may raise KeyboardInterrupt."""


def _own_bots() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # start-up of play: reading metadata takes long to import

    return {point.name: point for point in entry_points(group=GROUP) if _NAME.fullmatch(point.name)}


def own_bot_names() -> list[str]:
    """The names of the installed bots."""
    return sorted(_own_bots())


def package_of(name: str) -> str | None:
    """The package that provides a bot, with its version; None if it is not known."""
    entry_point = _own_bots().get(name)
    if entry_point is None or entry_point.dist is None:
        return None
    return f"{entry_point.dist.name} {entry_point.dist.version}"


def own_bot(name: str, settings: str | None) -> Bot:
    """Make a bot, with what follows the colon after its name. Raises BotError."""
    entry_point = _own_bots().get(name)
    if entry_point is None:
        raise BotError(Phrase("there is no bot `{name}` here; is the package that has it installed?", name=brief(name)))

    def make() -> Bot:
        load = entry_point.load()
        bot: Bot = load() if settings is None else load(settings)
        return bot

    return checked_bot(name, make, entry_point.value)


def checked_bot(name: str, make: Callable[[], Bot], source: str) -> Bot:
    """Make a bot by code of others; `source` says where that is from. Raises BotError."""
    try:
        bot = called(make)
        choose = called(getattr, bot, "choose", None)
    except BotCodeError as fault:
        message = Phrase("the bot `{name}` cannot be made: {reason}", name=brief(name), reason=str(fault))
        raise BotError(message) from fault.__cause__
    if not callable(choose):
        raise BotError(
            Phrase(
                "the bot `{name}` has no method `choose`; `{source}` gave {type}",
                name=brief(name),
                source=brief(source),
                type=type(bot).__name__,
            )
        )
    return bot


# ---------------------------------------------------------------- calling the code of others


class BotCodeError(Exception):
    """The code of a bot raised an exception: its kind, its message, and the line where it was raised."""


def called(function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Call the code of a bot. Raises BotCodeError for any exception.

    KeyboardInterrupt is passed on if a person pressed Ctrl-C, or another signal arrived, but not if the bot raised it.
    """
    with _noticed() as signals:
        try:
            return function(*arguments, **named)
        except BaseException as fault:
            if signals and isinstance(fault, KeyboardInterrupt):
                raise
            raise BotCodeError(described_failure(fault)) from fault


@contextmanager
def _noticed() -> Iterator[list[int]]:
    """Within the block, the numbers of the signals that arrive and may raise KeyboardInterrupt; they act as before."""
    numbers: list[int] = []
    handlers = {int(number): handler for number in _INTERRUPTING if callable(handler := signal.getsignal(number))}
    if not handlers or threading.current_thread() is not threading.main_thread():
        yield numbers  # signals are handled in the main thread only
        return

    def handle(number: int, frame: FrameType | None) -> None:
        numbers.append(number)
        handlers[number](number, frame)

    try:
        for number in handlers:
            signal.signal(number, handle)
        yield numbers
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def bot_text(value: object, form: Callable[[object], str]) -> str:
    """A value from the code of a bot as short visible text by `form`, which may run code of the bot that fails."""
    with _noticed() as signals:
        try:
            return brief(value, form=form)
        except BaseException as fault:  # such as SystemExit in its `__repr__`
            if signals and isinstance(fault, KeyboardInterrupt):
                raise
            return without_text(value, fault)


def described_failure(fault: BaseException) -> str:
    """The kind of an exception, its message, and the line where it was raised."""
    frames = extract_tb(fault.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    message = bot_text(fault, lambda value: " ".join(str(value).split()))
    return f"{type(fault).__name__}{f': {message}' if message else ''}{where}"
