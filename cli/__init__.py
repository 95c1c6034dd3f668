"""The command `regelwerk`: what people see and type. It knows no game."""

import sys
from types import TracebackType

_usual = sys.excepthook


def _quietly(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """Say nothing of a Ctrl-C that comes before the command is there to catch it."""
    if not issubclass(kind, KeyboardInterrupt):
        _usual(kind, fault, trace)


sys.excepthook = _quietly
