"""The command in a process where its modules are imported already: that takes longer than most of what tests do there.

One process for all tests of a run imports them and forks for each program, which gets its own session, terminal,
environment and current folder, and ends as Python ends. What happens before the first line of the command runs is
therefore not tested; where it matters, tests start a process of their own (`fresh`).
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import random
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from functools import cache

from tests.support.project import ROOT

PACKAGES = ("cli.verbs", "cli.play", "cli.fullscreen", "cli.viewer", "cli.render", "cli.widgets", "interpreter")
AT_START = ("PYTHON", "LC_", "LANG")
"""Beginnings of the names that Python itself reads, when it starts."""


class Preloaded:
    """A program that has been forked; it has what tests use of `subprocess.Popen`."""

    def __init__(self, words: Sequence[str], folder: str, environment: Mapping[str, str], terminal: int) -> None:
        self._answers, other = socket.socketpair()
        request = json.dumps([words, folder, dict(environment)]).encode()
        with other:
            socket.send_fds(_server(), [request], [terminal, other.fileno()])
        self.returncode: int | None = None
        self._lines = self._answers.makefile("r")
        self.pid = int(self._lines.readline())

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while the program runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, as soon as there is one."""
        found = self._ended(timeout)
        if found is None:
            raise subprocess.TimeoutExpired("the command", timeout or 0)
        return found

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _ended(self, patience: float | None) -> int | None:
        if self.returncode is None and select.select([self._answers], [], [], patience)[0]:
            self.returncode = int(self._lines.readline())
            self._lines.close()
            self._answers.close()
        return self.returncode


def can_be_forked(changed: Mapping[str, str]) -> bool:
    """Whether a program with these changes of the environment does not depend on how Python starts."""
    return not any(name.startswith(AT_START) and name != "PYTHONPATH" for name in changed)


@cache
def _server() -> socket.socket:
    """The socket to the process that forks; it ends when this one does."""
    mine, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with other:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.preloaded", str(other.fileno())],
            pass_fds=[other.fileno()], cwd=ROOT, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def end() -> None:
        mine.close()
        process.wait(10)

    atexit.register(end)
    return mine


# ---- in that process


def serve(channel: socket.socket) -> None:
    """Fork for each request. Returns only in the programs."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    while True:
        request, handles, _, _ = socket.recv_fds(channel, 1 << 20, 2)
        if not request:
            os._exit(0)
        if os.fork() == 0:
            channel.close()
            if _forked(json.loads(request), *handles):
                return
            os._exit(0)
        for handle in handles:
            os.close(handle)
        while _reaped():
            pass


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _forked(request: tuple[list[str], str, dict[str, str]], terminal: int, answers: int) -> bool:
    """Fork the program; whether this is it. The other process reports its exit code."""
    program = os.fork()
    if program:
        os.close(terminal)
        _, status = os.waitpid(program, 0)
        os.write(answers, f"{os.waitstatus_to_exitcode(status)}\n".encode())
        return False
    _become(*request, terminal)
    os.write(answers, f"{os.getpid()}\n".encode())
    os.close(answers)
    return True


def _become(words: list[str], folder: str, environment: dict[str, str], terminal: int) -> None:
    """Turn this process into one that was started in a folder, on a terminal."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for handle in (0, 1, 2):
        os.dup2(terminal, handle)
    os.close(terminal)
    encoding, errors = sys.stdout.encoding, sys.stdout.errors
    for handle, name, how in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        lenient = "backslashreplace" if name == "stderr" else errors
        stream = open(handle, how, 1, encoding, lenient, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # ignored in whatever was started in the background
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    random.seed()
    sys.argv = [str(ROOT / "cli" / "main.py"), *words]
    added = [folder, *environment.get("PYTHONPATH", "").split(os.pathsep)]
    sys.path[:1] = [path for path in added if path]
    importlib.invalidate_caches()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
    importlib.import_module("cli.main").main()
