"""A terminal for tests: the command runs in a pseudo-terminal of a given size, and one reads and types."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
CLEARED = "\x1b[2J"
PATIENCE = 20.0


class Terminal:
    """One run of the command on a terminal of `columns` by `lines`."""

    def __init__(self, *words: object, columns: int = 80, lines: int = 24, **env: str) -> None:
        self.raw = ""
        self.seen = 0
        self.child, self.handle = pty.fork()
        if self.child == 0:  # pragma: no cover - the other process
            variables = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **env}
            command = [sys.executable, "-m", "cli.main", *map(str, words)]
            os.execve(sys.executable, command, variables)
        self.resize(columns, lines)

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.handle, text.encode())

    def enter(self, text: str, then: str) -> str:
        """Type a line and read up to a text."""
        self.type(f"{text}\n")
        return self.until(then)

    def until(self, text: str) -> str:
        """Read until a text has been shown since the last time; gives what was shown, with its escapes."""
        end = time.monotonic() + PATIENCE
        while text not in ESCAPES.sub("", self.raw[self.seen :]):
            ready, _, _ = select.select([self.handle], [], [], max(0.0, end - time.monotonic()))
            if not ready or not self._read():
                raise AssertionError(f"{text!r} did not come; there was:\n{self.raw[self.seen :]}")
        shown = self.raw[self.seen :]
        self.seen = len(self.raw)
        return shown

    def _read(self) -> bool:
        try:
            content = os.read(self.handle, 65536)
        except OSError:
            return False
        self.raw += content.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(content)

    def kill(self) -> None:
        """End it at once, without a warning."""
        os.kill(self.child, signal.SIGKILL)
        self.end()

    def end(self) -> int:
        """Read to the end; the exit code, negative for a signal."""
        while self._read():
            pass
        os.close(self.handle)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def plain(text: str) -> str:
    """A text without its escapes."""
    return ESCAPES.sub("", text)
