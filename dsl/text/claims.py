"""Claiming a file before it is written, so that no other process writes it meanwhile.

A claim is a lock of the system on a neighbour of the file, `.NAME.lock`: the file itself is replaced at every write
(`replacing.py`), and a lock on it would be lost. However a process ends, the system gives up its locks, so a lock file
that a crash has left behind claims nothing. On file systems without locks, and in folders where no lock file can be
made, a claim protects from nothing; whoever writes repeatedly compares `fingerprint_at` before.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from stat import S_ISREG
from types import TracebackType

from dsl.text.files import Unreadable, read_file

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _lock(handle: int) -> None:
        """Lock a byte far behind the content. Raises OSError if another process, or another claim, has it."""
        os.lseek(handle, 1 << 30, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        os.lseek(handle, 0, os.SEEK_SET)

else:

    def _lock(handle: int) -> None:
        """Lock an open file. Raises OSError if another process, or another claim of this one, has it."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
"""Flags with which a link, a pipe or a device in place of the lock file is neither followed nor waited for."""


_handles: set[int] = set()
"""The handles of all claims of this process."""


def _give_up_inherited() -> None:
    """In a forked process, close the locks of its parent: otherwise they would outlive a parent that is killed."""
    for handle in _handles:
        os.close(handle)
    _handles.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_give_up_inherited)


class ClaimedError(Exception):
    """Raised for a file that another process has claimed; `process` is its number, 0 if unknown."""

    def __init__(self, path: Path, process: int) -> None:
        self.path, self.process = path, process
        super().__init__(f"{path} is claimed by process {process}")

    def __reduce__(self) -> tuple[type[ClaimedError], tuple[Path, int]]:
        return type(self), (self.path, self.process)


class Claim:
    """A claim to the file at `path`, until `release` or the end of the process. Raises ClaimedError if it is taken.

    The file need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        target = Path(os.path.realpath(path))
        self._lock_path = target.parent / f".{target.name}.lock"
        self._handle = self._locked()

    def _locked(self) -> int | None:
        """The handle of the lock file, locked; None where there are no locks."""
        while True:
            handle = _opened(self._lock_path)
            if handle is None:
                return None
            try:
                _lock(handle)
            except (BlockingIOError, PermissionError):
                process = _process_in(handle)
                os.close(handle)
                raise ClaimedError(self.path, process) from None
            except OSError:  # no locks here
                os.close(handle)
                return None
            if _is_at(handle, self._lock_path):
                with contextlib.suppress(OSError):  # opened for reading: the file of another user
                    os.truncate(handle, 0)
                    os.write(handle, f"{os.getpid()}\n".encode())
                _handles.add(handle)
                return handle
            os.close(handle)  # its owner removed it between our opening and our locking it

    def release(self) -> None:
        """Give the claim up; a second call has no effect."""
        handle, self._handle = self._handle, None
        if handle not in _handles:  # there are no locks here, or it is that of a parent process
            return
        _handles.discard(handle)
        with contextlib.suppress(OSError):  # Windows removes no open file, and another user's file may not be ours
            self._lock_path.unlink()
        os.close(handle)

    def __enter__(self) -> Claim:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _opened(path: Path) -> int | None:
    """Open a lock file, made if it is not there; None where that cannot be done."""
    for flags in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        with contextlib.suppress(OSError, ValueError):
            handle = os.open(path, flags | _FLAGS, 0o666)
            if S_ISREG(os.fstat(handle).st_mode):
                return handle
            os.close(handle)
    return None


def _is_at(handle: int, path: Path) -> bool:
    """True if an open file is still the one with that name."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def _process_in(handle: int) -> int:
    """The number of the process that wrote a lock file, 0 if it is not there."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        text = os.read(handle, 20).strip()
    except OSError:
        return 0
    return int(text) if text.isdigit() else 0


def fingerprint(content: bytes) -> str:
    """What tells the content of a file from any other."""
    return hashlib.sha256(content).hexdigest()


def fingerprint_at(path: Path, most: int) -> str | None:
    """The fingerprint of the first `most` bytes of a file; None if there is no readable file."""
    try:
        return fingerprint(read_file(path, most))
    except Unreadable:
        return None
