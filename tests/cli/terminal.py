"""The command on a terminal of a given size, where one reads and types."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks import terminal
from tests.cli.preloaded import Preloaded, can_be_forked
from tests.support.project import ROOT

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
CLEARED = "\x1b[2J"
PATIENCE = 60.0
"""Seconds that a text may take to come: far more than it takes, even where other tests keep all processors busy."""


class Terminal(terminal.Terminal):
    """One run of the command on a terminal of `columns` by `lines`.

    It is forked from a process that has imported its modules, unless it is to be `fresh`.
    """

    def __init__(self, *words: object, columns: int = 80, lines: int = 24, fresh: bool = False, **env: str) -> None:
        self.forked = not fresh and can_be_forked(env)
        command = [*map(str, words)] if self.forked else [sys.executable, "-m", "cli.main", *map(str, words)]
        super().__init__(
            command, None, {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **env}, columns, lines
        )
        self.seen = 0

    def _start(
        self, words: Sequence[str], folder: Path | None, environment: Mapping[str, str], terminal: int
    ) -> terminal.Process:
        if self.forked:
            return Preloaded(words, str(folder or Path.cwd()), environment, terminal)
        return super()._start(words, folder, environment, terminal)

    def processor_time(self) -> float:
        """Seconds of processor time that the command has used so far, in all its threads."""
        times = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    def rest(self) -> None:
        """Wait until the command waits for a key."""
        at_rest(self.process.pid)

    def enter(self, text: str, then: str) -> str:
        """Type a line and read up to a text."""
        self.type(f"{text}\n")
        return self.until(then)

    def until(self, text: str) -> str:
        """Read up to a text that was not read before; gives what was shown up to its end, with its escapes."""
        end = time.perf_counter() + PATIENCE
        while text not in ESCAPES.sub("", self.raw[self.seen :]):
            if not self.read(end - time.perf_counter()):
                raise AssertionError(f"{text!r} did not come; there was:\n{self.raw[self.seen :]}")
        start, self.seen = self.seen, self._end_of(text)
        return self.raw[start : self.seen]

    def _end_of(self, text: str) -> int:
        """Where a text ends that was shown: what follows it may have been read at the same time."""
        ends = range(self.seen, len(self.raw) + 1)
        return ends[bisect_left(ends, True, key=lambda end: text in ESCAPES.sub("", self.raw[self.seen : end]))]

    def interrupt(self) -> None:
        """Press Ctrl-C, and again if the command then still waits for a key.

        Python may lose one that comes in the very moment in which it begins to wait. A command that a busy machine
        keeps from a processor has not lost it, and a second one would meet it while it ends.
        """
        for _ in range(10):
            self.type("\x03")
            end = time.perf_counter() + 1.5
            while time.perf_counter() < end or not is_at_rest(self.process.pid):
                begun = time.perf_counter()
                if not self.read(0.5) and time.perf_counter() < begun + 0.5:
                    return  # it has ended


def at_rest(process: int) -> None:
    """Wait until all threads of a process wait for something, which those do not that are kept from a processor."""
    looks, end = 0, time.monotonic() + PATIENCE
    while looks < 5:
        assert time.monotonic() < end, "it does not come to rest"
        looks = looks + 1 if is_at_rest(process) else 0
        time.sleep(0.02)


def is_at_rest(process: int) -> bool:
    """True if no thread of a process runs or would run at this moment."""
    return not {*_states(process)} & {"R", "D"}


def _states(process: int) -> Iterator[str]:
    """The state of each thread of a process, as letters of the system: R runs or would, D is held up by a device."""
    for thread in Path(f"/proc/{process}/task").glob("*/stat"):
        with suppress(OSError):  # it has ended
            yield thread.read_text().rpartition(")")[2].split()[0]


def plain(text: str) -> str:
    """A text without its escapes."""
    return ESCAPES.sub("", text)


def heeding_interrupts() -> None:
    """Heed Ctrl-C even where tests run in the background, which makes all that they start ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
