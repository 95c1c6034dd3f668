"""Reading files named by users: only regular ones, never more than requested, and without ever blocking."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISBLK, S_ISCHR, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK
from typing import Any, Literal, TypeAlias

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


def _must_be_regular(mode: int) -> None:
    if not S_ISREG(mode):
        raise Unreadable("special", "a folder" if S_ISDIR(mode) else special(mode))


def special(mode: int) -> str:
    """Description of a directory entry that is neither a file nor a folder."""
    return next((noun for is_kind, noun in _SPECIAL if is_kind(mode)), "something else")


def is_file(path: Path) -> bool:
    """True if there is a regular file; False for names that no file can have."""
    try:
        return S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


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
