"""The last resort: rules that run too long or use too much memory are stopped with an error that names the rule.

Most excesses are rejected before play or stopped by specific counters. The remaining ones, nested loops and definitions
that call each other over and over, are watched from outside, so that well-behaved rules pay nothing: a few times per
second of processor time a signal handler examines the stack, and if the same call into the rules takes too long or too
much memory, an error is raised.

Signals reach only the main thread. A server, which runs rules in many threads, has a `ThreadWatchdog`, which looks at
their stacks in the same way.

The machine engine limits its own calls, since no signal is handled while one runs. Python then replays the game
decision by decision, under these limits.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, TypeVar

from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted

if TYPE_CHECKING:
    from interpreter.errors import LimitError, UsageError

Answer = TypeVar("Answer")

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
    "dsl.checker": ("examined",),
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
        self.seconds = 0.0
        self.memory = 0

    def look(self, _: int, frame: FrameType | None) -> None:
        """Check the limits at each signal. Raises LimitError or UsageError inside the rules when one is exceeded."""
        fault = self.fault(frame, CHECK_INTERVAL)
        if fault is not None:
            raise fault

    def fault(self, frame: FrameType | None, seconds: float) -> LimitError | UsageError | None:
        """The fault of the rules at work in a frame, if they exceed a limit, some seconds after the last look.

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
            return None
        if any(caller.f_code.co_qualname == "PlayState._undo" for caller in chain):
            return None
        outermost = next((caller for caller in reversed(chain) if _is_entry_point(caller)), None)
        if outermost is None:
            self.call = None
            return None
        if outermost is not self.call:
            self.call, self.seconds, self.memory = outermost, 0.0, memory()
            return None
        self.seconds += seconds
        if self.seconds >= self.longest:
            return self._enough(chain, outermost, f"took longer than {self.longest:g} seconds")
        if memory() - self.memory > self.most_memory:
            return self._enough(chain, outermost, f"took more than {self.most_memory / 1024**3:g} GB of memory")
        return None

    def _enough(self, chain: list[FrameType], outermost: FrameType, what: str) -> LimitError | UsageError:
        # start-up of --help, --version, fmt and explain, which do not need the interpreter
        from interpreter.engine.program import rule_at_work
        from interpreter.errors import LimitError, UsageError

        node = rule_at_work(chain)
        if node is None:
            if outermost.f_globals["__name__"] == "interpreter.seat.explain.query":
                return UsageError(f"the expression {what}")
            return UsageError(f"the rules are too large: `{outermost.f_code.co_name}` {what}")
        plies = [caller.f_locals["self"].ply for caller in chain if caller.f_code.co_qualname == "PlayState.push"]
        when = f", after {counted(plies[0], 'decision')}" if plies else ""
        return LimitError(f"this {what}{when}", node.span.location)


class ThreadWatchdog:
    """Stops rules in threads that take too long or too much memory, on CPython.

    A thread of its own looks at the stacks of those in `call`, and has the error raised there. Where the system does
    not tell the processor time of a thread, what passes on the clock counts. Memory is that of the whole process, so
    that the call which has taken the most time is held to account for it.
    """

    def __init__(self, longest: float = MAX_SECONDS, most_memory: int = MAX_MEMORY) -> None:
        self.longest, self.most_memory = longest, most_memory
        self._lock = threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._is_begun = False

    def call(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """What a function returns. Raises StoppedError if rules were stopped in it, whatever it made of that."""
        from interpreter.errors import StoppedError

        watched, thread = _Call(Watchdog(self.longest, self.most_memory)), threading.get_ident()
        with self._lock:
            self._calls[thread] = watched
            if not self._is_begun:
                self._is_begun = True
                threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        try:
            answer = function(*arguments)
        except BaseException:
            if watched.fault is None:
                raise
        finally:
            # After this, nothing is raised in the thread any more.
            with self._lock:
                del self._calls[thread]
        if watched.fault is not None:
            raise StoppedError(str(watched.fault))
        return answer

    def _watch(self) -> None:
        while True:
            sleep(CHECK_INTERVAL)
            with self._lock:
                self._look()

    def _look(self) -> None:
        frames = sys._current_frames()
        calls = sorted(self._calls.items(), key=lambda item: item[1].watchdog.seconds, reverse=True)
        for thread, watched in calls:
            earlier, watched.processor_time = watched.processor_time, _processor_time(thread)
            fault = watched.watchdog.fault(frames.get(thread), watched.processor_time - earlier)
            if fault is not None:
                watched.fault = fault
                _raise_in(thread, fault)
                for _, other in calls:
                    if other is not watched:  # whose fault may be lost, and is then raised again
                        other.watchdog.memory = memory()


@dataclass
class _Call:
    """A call that is watched: the processor time of its thread at the last look, and why the rules were stopped."""

    watchdog: Watchdog
    processor_time: float = 0.0
    fault: Exception | None = None


def _processor_time(thread: int) -> float:
    """Processor time of a thread in seconds, or else the time on the clock."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic()
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _raise_in(thread: int, fault: Exception) -> None:
    """Raise an exception in another thread, where it is at work just now."""
    from ctypes import c_ulong, py_object, pythonapi

    def __init__(self: Exception) -> None:
        Exception.__init__(self, *fault.args)
        vars(self).update(vars(fault))

    # Python makes the exception itself, of a class that needs no arguments.
    raised = type(type(fault).__name__, (type(fault),), {"__init__": __init__})
    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(raised))


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
