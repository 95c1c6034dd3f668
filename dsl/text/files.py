"""Reading files named by users: only regular ones, never more than requested, and without ever blocking.

Whoever has texts that are not on the disk, such as an editor with unsaved ones, reads through other `Files`
(`reading_from`): everything that finds and reads the files of a game then sees those.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from stat import S_ISBLK, S_ISCHR, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK
from typing import Any, Literal, Protocol, TypeAlias

_READ_ONLY = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
"""Flags with which a pipe, a terminal or a device that replaced the file does not block the program."""

_SPECIAL = ((S_ISFIFO, "a pipe"), (S_ISSOCK, "a socket"), (S_ISCHR, "a device"), (S_ISBLK, "a device"))


MAX_FILE_SIZE = 2_000_000
"""Maximum size of a rules file in bytes."""

JsonValue: TypeAlias = Any
"""A part of JSON as it was read, before anything is known of it, or as it is to be written."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""An object of JSON as it was read or is to be written; what is in it, a schema says or its reader checks."""


class Unreadable(Exception):
    """Raised for a file that cannot be read: it is missing, something else is in its place, or reading failed.

    `what` is what is in its place (`a pipe`) or the reason of the failure; `why` continues a sentence after its name.
    """

    def __init__(self, kind: Literal["missing", "special", "failed"], what: str = "") -> None:
        self.kind, self.what = kind, what
        super().__init__(self.why)

    @property
    def why(self) -> str:
        """What is wrong with the file: `is a pipe, not a file`."""
        match self.kind:
            case "missing":
                return "does not exist"
            case "special":
                return f"is {self.what}, not a file"
            case "failed":
                return f"cannot be read: {self.what}"

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str, str]]:
        return type(self), (self.kind, self.what)


def read_file(path: Path, most: int) -> bytes:
    """Read the first `most` bytes of a file, and one more if there are more. Raises Unreadable."""
    return _files.get().read(path, most)


def is_file(path: Path) -> bool:
    """True if there is a regular file; False for names that no file can have."""
    return _files.get().is_file(path)


def files_in(folder: Path, suffix: str, prefix: str = "") -> list[Path]:
    """The files of a folder whose names begin and end like this, sorted; none if the folder cannot be read."""
    inside = _files.get().inside(folder)
    return sorted(
        path for path in inside if path.name.startswith(prefix) and path.name.endswith(suffix) and is_file(path)
    )


class Files(Protocol):
    """The files that a program sees: those of the disk, or texts in their place."""

    def read(self, path: Path, most: int) -> bytes:
        """The first `most` bytes of a file, and one more if there are more. Raises Unreadable."""

    def is_file(self, path: Path) -> bool:
        """True if there is a regular file; False for names that no file can have."""

    def inside(self, folder: Path) -> list[Path]:
        """What is in a folder, in any order; nothing if it cannot be read."""


class Disk:
    """The files of the disk."""

    def read(self, path: Path, most: int) -> bytes:
        """Read a regular file; nothing else is opened."""
        try:
            _must_be_regular(path.stat().st_mode)
            with os.fdopen(os.open(path, _READ_ONLY), "rb") as file:
                _must_be_regular(os.fstat(file.fileno()).st_mode)
                return file.read(most + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise Unreadable("missing") from None
        except (OSError, ValueError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
            raise Unreadable("failed", reason.lower()) from None

    def is_file(self, path: Path) -> bool:
        """Ask the system; links are followed."""
        try:
            return S_ISREG(path.stat().st_mode)
        except (OSError, ValueError):
            return False

    def inside(self, folder: Path) -> list[Path]:
        """List a folder."""
        try:
            return list(folder.iterdir())
        except (OSError, ValueError):
            return []


_files: ContextVar[Files] = ContextVar("files", default=Disk())  # noqa: B039  # it has no state


@contextmanager
def reading_from(files: Files) -> Iterator[None]:
    """Let this thread read through other files than those of the disk."""
    token = _files.set(files)
    try:
        yield
    finally:
        _files.reset(token)


def _must_be_regular(mode: int) -> None:
    if not S_ISREG(mode):
        raise Unreadable("special", "a folder" if S_ISDIR(mode) else special(mode))


def special(mode: int) -> str:
    """Description of a directory entry that is neither a file nor a folder."""
    return next((noun for is_kind, noun in _SPECIAL if is_kind(mode)), "something else")


def is_there(path: Path) -> bool:
    """True if something with that name exists; False for names that nothing can have."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def special_at(path: Path) -> str:
    """Description of whatever is at a path if it is not a file; empty if it is one, or nothing is there."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return "a folder" if S_ISDIR(mode) else "" if S_ISREG(mode) else special(mode)


def expanded(text: str) -> Path:
    """The path a text names, with `~` expanded to the home folder; unchanged if there is none."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def has_suffix(path: Path, suffix: str) -> bool:
    """True if a file is called `….suffix`, after following links."""
    try:
        return path.name.endswith(suffix) and os.path.realpath(path).endswith(suffix)
    except ValueError:  # a name no file can have
        return False
