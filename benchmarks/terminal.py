"""A program at the other end of a terminal, as a person would see it: for measurements and tests."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


class Terminal:
    """A started program; `screen` is everything it has written so far."""

    def __init__(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str], columns: int = 100, lines: int = 50
    ) -> None:
        self.screen = ""
        self.started = time.perf_counter()
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
                os.chdir(folder)
                os.execvpe(words[0], list(words), dict(environment))
            finally:
                os._exit(127)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def wait(self, quiet: float = 1.0, patience: float = 60.0) -> float:
        """Read until the program has written something and then nothing for `quiet` seconds.

        Gives the seconds from its start to the last thing it wrote; if it now waits for an answer, to the prompt.
        """
        last = None
        limit = time.perf_counter() + patience
        while (now := time.perf_counter()) < limit:
            left = limit - now if last is None else last + quiet - now
            if left <= 0:
                break
            if select.select([self._end], [], [], left)[0]:
                written = self._read()
                if not written:
                    raise EOFError(f"ended, instead of waiting for an answer:\n{self.screen}")
                self.screen += written
                last = time.perf_counter()
        if last is None:
            raise TimeoutError(f"nothing written in {patience} seconds; so far:\n{self.screen}")
        return last - self.started

    def answer(self, text: str) -> None:
        """Type a line."""
        os.write(self._end, f"{text}\n".encode())

    def kill(self) -> None:
        """End the program at once, if it still runs, without a chance to tidy up."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self._close()

    def finish(self, patience: float = 60.0) -> int:
        """Read to the end of the program; its exit code."""
        limit = time.perf_counter() + patience
        while select.select([self._end], [], [], max(0.0, limit - time.perf_counter()))[0]:
            written = self._read()
            if not written:
                status = os.waitpid(self.pid, 0)[1]
                self._close()
                return os.waitstatus_to_exitcode(status)
            self.screen += written
        raise TimeoutError(f"still running after {patience} seconds; so far:\n{self.screen}")

    def _read(self) -> str:
        try:
            return os.read(self._end, 65536).decode(errors="replace")
        except OSError:  # what Linux says when the other end has closed
            return ""

    def _close(self) -> None:
        os.close(self._end)
        self.pid = 0
