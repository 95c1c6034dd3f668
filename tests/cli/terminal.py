"""A terminal for tests: the command runs in a pseudo-terminal of a given size, and one reads and types."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
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
        self.handle, other = pty.openpty()
        self.resize(columns, lines)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", *map(str, words)],
            env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **env},
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(other)

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

    def interrupt(self) -> None:
        """Press Ctrl-C, again and again until it is noticed.

        Python may lose one that comes in the very moment in which it begins to wait for a key.
        """
        for _ in range(10):
            self.type("\x03")
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                if select.select([self.handle], [], [], 0.05)[0] and not self._read():
                    return

    def _read(self) -> bool:
        try:
            content = os.read(self.handle, 65536)
        except OSError:
            return False
        self.raw += content.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(content)

    def kill(self) -> None:
        """End it at once, without a warning, and all it started."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.end()

    def end(self) -> int:
        """Read to the end; the exit code, negative for a signal."""
        end = time.monotonic() + PATIENCE
        while select.select([self.handle], [], [], max(0.0, end - time.monotonic()))[0] and self._read():
            pass
        os.close(self.handle)
        return self.process.wait(PATIENCE)


def plain(text: str) -> str:
    """A text without its escapes."""
    return ESCAPES.sub("", text)
