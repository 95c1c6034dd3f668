"""Watching the rules files of a game: a change interrupts the pending question."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType, TracebackType

CHECK_INTERVAL = 0.25
"""Seconds between two checks of the files."""

SIGNAL = getattr(signal, "SIGUSR1", None)
"""The signal that interrupts a question; on systems without it, a change is noticed at the next question."""


class RulesChanged(Exception):
    """A rules file has changed."""


class Watcher:
    """A context manager that checks files for changes in a separate thread."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        self.seen = self._look()
        self.asking = False
        self.done = threading.Event()
        self.previous_handler: object = None

    def __enter__(self) -> Watcher:
        if SIGNAL is not None:
            self.previous_handler = signal.signal(SIGNAL, self._interrupt)
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.done.set()
        if SIGNAL is not None:
            signal.signal(SIGNAL, self.previous_handler)  # type: ignore[arg-type]

    def _look(self) -> tuple[tuple[int, int] | None, ...]:
        """Modification time and size of each file; None if it does not exist."""
        versions: list[tuple[int, int] | None] = []
        for path in self.paths:
            try:
                status = path.stat()
                versions.append((status.st_mtime_ns, status.st_size))
            except OSError:
                versions.append(None)
        return tuple(versions)

    @property
    def changed(self) -> bool:
        """True if a file has changed since the last `settle`, and none is missing: an editor may be replacing it."""
        now = self._look()
        return now != self.seen and None not in now

    def settle(self) -> None:
        """Make the current files the reference for `changed`."""
        self.seen = self._look()

    @contextlib.contextmanager
    def question(self) -> Iterator[None]:
        """Within the block, a change raises RulesChanged."""
        if self.changed:
            raise RulesChanged
        self.asking = True
        try:
            yield
        finally:
            self.asking = False

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while not self.done.wait(CHECK_INTERVAL):
            if self.asking and self.changed and SIGNAL is not None and main is not None:
                signal.pthread_kill(main, SIGNAL)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.asking:
            self.asking = False
            raise RulesChanged
