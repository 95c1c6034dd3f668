"""Signals that end the command: they are handled like Ctrl-C, so the terminal is restored and the game saved.

The exit code is then 128 plus the number of the signal, as a shell reports it. Signals that were ignored when the
command began, as by `nohup`, stay ignored.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))
"""Ctrl-C, the request to end, the loss of the terminal, and Ctrl-\\\\."""

SUSPENDING = tuple(
    getattr(signal, name) for name in ("SIGTSTP", "SIGCONT", "SIGWINCH", "SIGTTIN", "SIGTTOU") if hasattr(signal, name)
)
"""Signals of job control and of a resized terminal, which a full screen handles."""

_received: list[int] = []


def forget() -> None:
    """Forget the signals received so far: another command begins."""
    _received.clear()


def received() -> int | None:
    """The first signal of `ENDING` received, None if there was none but Ctrl-C."""
    return next((number for number in _received if number != signal.SIGINT), None)


@contextlib.contextmanager
def ending(act: Callable[[], object] | None = None) -> Iterator[None]:
    """Within the block, signals that end the command call `act`, by default raising KeyboardInterrupt."""
    process = os.getpid()

    def handle(number: int, frame: FrameType | None) -> None:
        if os.getpid() != process:  # a process started within the block is not the one that has to be saved
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        _received.append(number)
        if act is None:
            raise KeyboardInterrupt
        act()

    with _handling(dict.fromkeys(ENDING, handle)):
        yield


@contextlib.contextmanager
def ignored() -> Iterator[None]:
    """Within the block, signals that end the command are ignored."""
    with _handling(dict.fromkeys(ENDING, signal.SIG_IGN)):
        yield


@contextlib.contextmanager
def restored() -> Iterator[None]:
    """Restore the handlers of job control after the block."""
    with _handling({number: signal.getsignal(number) for number in SUSPENDING}):
        yield


Handler = Callable[[int, FrameType | None], object] | int | signal.Handlers | None


@contextlib.contextmanager
def _handling(handlers: dict[int, Handler]) -> Iterator[None]:
    previous = {number: signal.getsignal(number) for number in handlers}
    for number, handler in handlers.items():
        if previous[number] is not signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, handler in previous.items():
            if handler is not None:  # one that another library has installed cannot be restored
                signal.signal(number, handler)
