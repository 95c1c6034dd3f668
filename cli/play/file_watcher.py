"""Watching the files of a game's rules while somebody thinks: a change interrupts the question."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType, TracebackType

EVERY = 0.25
"""Seconds between two looks at the files."""

SIGNAL = getattr(signal, "SIGUSR1", None)
"""What interrupts a question; where a system has no such signal, a change is seen at the next question."""


class RulesChanged(Exception):
    """A file of the rules was written."""


class Watcher:
    """Looks at files from a thread of its own; to be used with `with`."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        self.seen = self._look()
        self.asking = False
        self.done = threading.Event()
        self.before: object = None

    def __enter__(self) -> Watcher:
        if SIGNAL is not None:
            self.before = signal.signal(SIGNAL, self._interrupt)
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.done.set()
        if SIGNAL is not None:
            signal.signal(SIGNAL, self.before)  # type: ignore[arg-type]

    def _look(self) -> tuple[tuple[int, int] | None, ...]:
        """When each file was written last, and its size; None if it is not there."""
        found: list[tuple[int, int] | None] = []
        for path in self.paths:
            try:
                status = path.stat()
                found.append((status.st_mtime_ns, status.st_size))
            except OSError:
                found.append(None)
        return tuple(found)

    @property
    def changed(self) -> bool:
        """Whether a file is not as it was when `settle` was called last; one that is away may be just being written."""
        now = self._look()
        return now != self.seen and None not in now

    def settle(self) -> None:
        """Take the files as they are now for what was seen."""
        self.seen = self._look()

    @contextlib.contextmanager
    def question(self) -> Iterator[None]:
        """While this lasts a change raises `RulesChanged`."""
        if self.changed:
            raise RulesChanged
        self.asking = True
        try:
            yield
        finally:
            self.asking = False

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while not self.done.wait(EVERY):
            if self.asking and self.changed and SIGNAL is not None and main is not None:
                signal.pthread_kill(main, SIGNAL)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.asking:
            self.asking = False
            raise RulesChanged
