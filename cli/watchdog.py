"""The last limit: rules that work on and on, or take more and more memory, end with a fault that names the rule.

Most of what would be too large is refused before play, or stopped by a count of its own. What is left, loops in loops
and definitions that ask each other over and over, is looked at from outside, so that rules that behave cost nothing: a
few times a second of processor time somebody looks where Python is, and if it has been inside the same question to the
rules for too long, that is the end of it.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import TYPE_CHECKING

from dsl.text.nouns import counted

resource: ModuleType | None
try:
    import resource
except ImportError:  # a system that does not say how much memory a process has had
    resource = None

if TYPE_CHECKING:
    from interpreter.program import Program

LONGEST = 20.0
"""How many seconds of processor time one question to the rules may take."""

MOST_MEMORY = 2 * 1024**3
"""How many bytes may be added meanwhile."""

EVERY = 0.2

_QUESTIONS = {
    "dsl.syntax.parsing": ("parse", "parse_expression"),
    "dsl.checker": ("check",),
    "dsl.boards.reading": ("read_board", "board_of"),
    "interpreter.play_state": ("PlayState.push", "PlayState.legal_moves"),
    "interpreter.game": ("State.view", "State.log", "State.why"),
    "interpreter.explain.query": ("asked",),
    "interpreter.build": ("build",),
    "interpreter.program": (
        "Program.run", "Program.do", "Program.legal", "Program.call", "Program.evaluate", "Program.criteria",
    ),
}  # fmt: skip
"""What is asked of the rules, by module: a function that gives back when it has an answer."""


class Watchdog:
    """Looks a few times a second whether the rules are still at the same question."""

    def __init__(self, longest: float, most_memory: int) -> None:
        self.longest, self.most_memory = longest, most_memory
        self.frame: FrameType | None = None
        self.ticks = 0
        self.memory = 0

    def look(self, _: int, frame: FrameType | None) -> None:
        """Check the limits at each signal. Raises LimitError or UsageError where the rules are when it is enough.

        In the middle of an import nothing is done: importing is not reentrant (Python 3.11 loses track of its locks if
        a signal handler imports something, and ends with a KeyError), and an exception would leave half a module.
        Nor is anything done while an interrupted move is taken back: that is sure to end.
        A fault may be lost, for Python ignores what is raised in a destructor or in a callback of the garbage
        collection: it is raised again at the next signal if the rules are still at the same question then.
        """
        chain = []
        while frame is not None:
            chain.append(frame)
            frame = frame.f_back
        if any(each.f_code.co_filename.startswith("<frozen importlib") for each in chain):
            return
        if any(each.f_code.co_qualname == "PlayState._undo_to" for each in chain):
            return
        outermost = next((each for each in reversed(chain) if _is_question(each)), None)
        if outermost is None or outermost is not self.frame:
            self.frame, self.ticks, self.memory = outermost, 0, memory()
            return
        self.ticks += 1
        if self.ticks * EVERY >= self.longest:
            self._enough(chain, outermost, f"took longer than {self.longest:g} seconds")
        elif memory() - self.memory > self.most_memory:
            self._enough(chain, outermost, f"took more than {self.most_memory / 1024**3:g} GB of memory")

    def _enough(self, chain: list[FrameType], outermost: FrameType, what: str) -> None:
        from interpreter.compile.running import rule_at
        from interpreter.errors import LimitError, UsageError

        running = [each for each in chain if "PROGRAM" in each.f_globals]
        if not running:
            raise UsageError(f"the rules are too large: `{outermost.f_code.co_name}` {what}")
        program: Program = running[0].f_globals["PROGRAM"]
        node = next(
            filter(None, (rule_at(program.model, program.points, each) for each in running)), program.model.file.header
        )
        plies = [each.f_locals["self"].ply for each in chain if each.f_code.co_qualname == "PlayState.push"]
        after = f", after {counted(plies[0], 'decision')}" if plies else ""
        raise LimitError(f"this {what}{after}", node.span.place)


def _is_question(frame: FrameType) -> bool:
    return frame.f_code.co_qualname in _QUESTIONS.get(frame.f_globals.get("__name__", ""), ())


def memory() -> int:
    """The most memory this process has had so far, in bytes; 0 where the system does not say."""
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most if sys.platform == "darwin" else most * 1024)


@contextmanager
def watchdog(longest: float = LONGEST, most_memory: int = MOST_MEMORY) -> Iterator[None]:
    """Meanwhile rules that take too long, or too much memory, end with a fault.

    It is about the main thread; where a system knows no timers of processor time there is no such limit.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, Watchdog(longest, most_memory).look)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, EVERY, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, before)
