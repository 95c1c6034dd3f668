"""Calling the code of bots, which may be third-party: it may raise anything, and return anything."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from types import FrameType
from typing import ParamSpec, TypeVar

from dsl.text.visible import brief, without_text

P = ParamSpec("P")
R = TypeVar("R")

_INTERRUPTING: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)
"""The signals whose handlers may raise KeyboardInterrupt."""


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
    before = {int(number): handler for number in _INTERRUPTING if callable(handler := signal.getsignal(number))}
    if not before or threading.current_thread() is not threading.main_thread():
        yield numbers  # signals are handled in the main thread only
        return

    def handle(number: int, frame: FrameType | None) -> None:
        numbers.append(number)
        before[number](number, frame)

    try:
        for number in before:
            signal.signal(number, handle)
        yield numbers
    finally:
        for number, handler in before.items():
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
