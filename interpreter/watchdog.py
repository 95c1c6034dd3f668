"""The last resort: rules that run too long or use too much memory are stopped with an error that names the rule.

Most excesses are rejected before play or stopped by specific counters. The remaining ones, nested loops and definitions
that call each other over and over, are watched from outside, so that well-behaved rules pay nothing: a few times per
second of processor time a signal handler examines the stack, and if the same call into the rules takes too long or too
much memory, an error is raised.

The machine engine limits its own calls, since no signal is handled while one runs. Python then replays the game
decision by decision, under these limits.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType

from dsl.text.nouns import counted

resource: ModuleType | None
try:
    import resource
except ImportError:  # a system that does not report how much memory a process has used
    resource = None

MAX_SECONDS = 20.0
"""Maximum processor time of one call into the rules, in seconds."""

MAX_MEMORY = 2 * 1024**3
"""Maximum memory added during one call, in bytes."""

CHECK_INTERVAL = 0.2

ENTRY_POINTS = {
    "dsl.syntax.parsing": ("parse", "parse_expression"),
    "dsl.checker": ("check",),
    "dsl.boards.reading": ("read_board", "board_of"),
    "interpreter.play.state": ("PlayState.push", "PlayState.legal_moves"),
    "interpreter.seat.notation.moves": ("Listing.notation", "Listing.label"),
    "interpreter.play.game": ("State.view", "State.log", "State.why"),
    "interpreter.seat.explain.query": ("evaluate_query", "query_value"),
    "interpreter.engine.build": ("build",),
    "interpreter.engine.program": (
        "Program.run", "Program.do", "Program.legal", "Program.perform", "Program.evaluate", "Program.criteria",
    ),
}  # fmt: skip
"""The entry points into the rules, by module: functions that return once the rules have given an answer."""


class Watchdog:
    """Checks a few times a second whether the rules are still busy with the same call."""

    def __init__(self, longest: float, most_memory: int) -> None:
        self.longest, self.most_memory = longest, most_memory
        self.call: FrameType | None = None
        self.ticks = 0
        self.memory = 0

    def look(self, _: int, frame: FrameType | None) -> None:
        """Check the limits at each signal. Raises LimitError or UsageError inside the rules when one is exceeded.

        Nothing is done in the middle of an import: importing is not reentrant (Python 3.11 loses track of its locks if
        a signal handler imports something, and ends with a KeyError), and an exception would leave half a module.
        Nor is anything done while an interrupted move is being undone: that is sure to end.
        An error may be lost, because Python ignores exceptions raised in destructors and garbage collection callbacks:
        it is raised again at the next signal if the rules are still busy with the same call.
        """
        chain = []
        while frame is not None:
            chain.append(frame)
            frame = frame.f_back
        if any(caller.f_code.co_filename.startswith("<frozen importlib") for caller in chain):
            return
        if any(caller.f_code.co_qualname == "PlayState._undo" for caller in chain):
            return
        outermost = next((caller for caller in reversed(chain) if _is_entry_point(caller)), None)
        if outermost is None:
            self.call = None
            return
        if outermost is not self.call:
            self.call, self.ticks, self.memory = outermost, 0, memory()
            return
        self.ticks += 1
        if self.ticks * CHECK_INTERVAL >= self.longest:
            self._enough(chain, outermost, f"took longer than {self.longest:g} seconds")
        elif memory() - self.memory > self.most_memory:
            self._enough(chain, outermost, f"took more than {self.most_memory / 1024**3:g} GB of memory")

    def _enough(self, chain: list[FrameType], outermost: FrameType, what: str) -> None:
        # start-up of --help, --version, fmt and explain, which do not need the interpreter
        from interpreter.engine.program import rule_at_work
        from interpreter.errors import LimitError, UsageError

        node = rule_at_work(chain)
        if node is None:
            if outermost.f_globals["__name__"] == "interpreter.seat.explain.query":
                raise UsageError(f"the expression {what}")
            raise UsageError(f"the rules are too large: `{outermost.f_code.co_name}` {what}")
        plies = [caller.f_locals["self"].ply for caller in chain if caller.f_code.co_qualname == "PlayState.push"]
        when = f", after {counted(plies[0], 'decision')}" if plies else ""
        raise LimitError(f"this {what}{when}", node.span.location)


def _is_entry_point(frame: FrameType) -> bool:
    return frame.f_code.co_qualname in ENTRY_POINTS.get(frame.f_globals.get("__name__", ""), ())


def memory() -> int:
    """Peak memory of this process so far, in bytes; 0 where the system does not report it."""
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most if sys.platform == "darwin" else most * 1024)


@contextmanager
def watchdog(longest: float = MAX_SECONDS, most_memory: int = MAX_MEMORY) -> Iterator[None]:
    """Within the block, stop rules that take too long or too much memory with an error.

    This covers the main thread only; on systems without processor-time timers there is no limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    previous_handler = signal.signal(signal.SIGVTALRM, Watchdog(longest, most_memory).look)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, CHECK_INTERVAL, CHECK_INTERVAL)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, previous_handler)


@contextmanager
def paused() -> Iterator[None]:
    """Within the block, which runs no rules, nothing is watched.

    While a line is read with editing, an exception of one signal handler can be pending when Python 3.11 calls another
    one, whose next call then ends in a SystemError: Ctrl-C or a change of the rules must not meet the watchdog there.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
