"""The `regelwerk` command: the user interface. It contains no knowledge of any particular game."""

import gc
import sys
from types import TracebackType

_usual = sys.excepthook


def _quietly(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """Exit silently on a Ctrl-C that arrives before the command is ready to catch it."""
    if not issubclass(kind, KeyboardInterrupt):
        _usual(kind, fault, trace)


sys.excepthook = _quietly

# What imports and loaded rules allocate is kept. With the usual limit of 700 objects, scanning it over and over takes a
# tenth of the time to the first prompt of a game.
gc.set_threshold(50_000, 10, 10)
