"""Compilers as processes: fixed arguments, no shell, a time limit, and no longer life than this process.

Nothing waits for a compiler at the end of a program: those still running are killed, and their folders are removed.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.native.not_built import NotBuilt

SCRATCH = "build-"
"""Prefix of the names of folders in which a compiler works."""

ENDING = "the program is ending"


@dataclass
class _AtWork:
    """The processes that run and the folders to remove; changed under the lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    processes: set[subprocess.Popen[str]] = field(default_factory=set)
    folders: set[Path] = field(default_factory=set)
    ending: bool = False

    def end(self) -> None:
        """Kill every compiler, and remove what they leave behind."""
        with self.lock:
            self.ending = True
            processes, folders = tuple(self.processes), tuple(self.folders)
        for each in processes:
            _kill(each)
        for each in processes:
            with suppress(subprocess.TimeoutExpired):
                each.wait(1)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    def forget(self) -> None:
        """In a forked process: processes and folders belong to the process that was copied."""
        self.lock, self.processes, self.folders, self.ending = threading.Lock(), set(), set(), False


_at_work = _AtWork()
atexit.register(_at_work.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_at_work.forget)


def run(words: Sequence[str], folder: Path, seconds: float, extra: Mapping[str, str] | None = None) -> str | NotBuilt:
    """Run a program in a folder that is also its folder for temporary files; its output."""
    name = Path(words[0]).name
    place = str(folder)
    around = {**os.environ, **(extra or {}), "LC_ALL": "C", "TMPDIR": place, "TMP": place, "TEMP": place}
    try:
        with _at_work.lock:
            if _at_work.ending:
                return NotBuilt(ENDING)
            # A session of its own: an interrupt at the keyboard is meant for the game, and all that it starts can be
            # killed together.
            process = subprocess.Popen(
                words, cwd=folder, env=around, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, encoding="utf-8", errors="replace", start_new_session=True,
            )  # fmt: skip
            _at_work.processes.add(process)
    except (OSError, ValueError) as error:
        return NotBuilt.after(f"{name} cannot be started", str(error))
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return NotBuilt.after(f"{name} was stopped", f"it took more than {seconds:g} seconds")
    finally:
        if process.poll() is None:
            _kill(process)
            process.communicate()
        with _at_work.lock:
            _at_work.processes.discard(process)
    if process.returncode:
        errors = next((line for line in errors.splitlines() if "error:" in line), errors)  # after where it is
        return NotBuilt.after(f"{name} failed", errors or output or f"exit code {process.returncode}")
    return output


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A private folder inside another one, for as long as it is needed. Raises OSError if it cannot be made."""
    made = private_folder(SCRATCH, folder)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        with _at_work.lock:
            _at_work.folders.discard(made)


def private_folder(prefix: str, inside: Path | None = None) -> Path:
    """Make a folder that only this user can read; it is removed when this process ends. Raises OSError."""
    with _at_work.lock:
        if _at_work.ending:
            raise OSError(ENDING)
        made = Path(tempfile.mkdtemp(prefix=prefix, dir=inside))
        _at_work.folders.add(made)
    return made
