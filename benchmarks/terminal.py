"""A program at the other end of a terminal, as a person would see it: for measurements and tests."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol


class Process(Protocol):
    """What is used of a `subprocess.Popen`."""

    pid: int
    returncode: int | Any

    def poll(self) -> int | None:
        """The exit code, None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, as soon as there is one."""


def _on_its_terminal() -> None:
    """Make standard input the terminal of this process, which heeds its keys even if what started it does not.

    A shell makes what it starts in the background ignore them, and all that is started from there.
    """
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    """A started program; `raw` is everything it has written so far, escapes and all."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path | None,
        environment: Mapping[str, str],
        columns: int = 100,
        lines: int = 50,
    ) -> None:
        self.raw = ""
        self.started = time.perf_counter()
        self._handle, other = pty.openpty()
        self.resize(columns, lines)
        self.process = self._start(words, folder, environment, other)
        os.close(other)

    def _start(
        self, words: Sequence[str], folder: Path | None, environment: Mapping[str, str], terminal: int
    ) -> Process:
        """Start a program in a session of its own whose terminal this is."""
        return subprocess.Popen(
            words,
            cwd=folder,
            env=dict(environment),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=_on_its_terminal,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._handle, text.encode())

    def wait(self, quiet: float = 1.0, patience: float = 60.0, prompt: str = "") -> float:
        """Read until the program has written something, `prompt` in it, and then nothing for `quiet` seconds.

        Returns the seconds from its start to its last output; if it now waits for an answer, to the prompt. Raises
        EOFError if it ends, or writes on and on.
        """
        last, before = None, len(self.raw)
        limit = time.perf_counter() + patience
        while (left := (limit if last is None else min(limit, last + quiet)) - time.perf_counter()) > 0:
            if self.read(left):
                # a start-up line comes long before the prompt: silence after it does not mean that input is awaited
                last = time.perf_counter() if prompt in self.raw[before:] else None
            elif last is None or time.perf_counter() < last + quiet:
                break
        if last is None or last + quiet > limit or self.process.poll() is not None:
            raise EOFError(f"does not wait for an answer; there was:\n{self.raw}")
        return last - self.started

    def read(self, patience: float) -> bool:
        """Read the output within a number of seconds; returns whether there was any."""
        if not select.select([self._handle], [], [], max(0.0, patience))[0]:
            return False
        try:
            content = os.read(self._handle, 65536)
        except OSError:  # what Linux says when the other end has closed
            return False
        self.raw += content.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(content)

    def kill(self) -> None:
        """End the program at once and all it started, without a chance to tidy up."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.end()

    def end(self, patience: float = 60.0) -> int:
        """Read to the end of the program; its exit code, negative for a signal."""
        limit = time.perf_counter() + patience
        while self.read(limit - time.perf_counter()):
            pass
        os.close(self._handle)
        return self.process.wait(patience)
