"""Libraries in the user's cache folder, each with the SHA-256 of its contents.

A library is code that this process will run. So the folder belongs to this user and nobody else may write to it, and a
library is used only if it is this user's file, not writable by others, with the recorded contents; anything else counts
as missing. Two files belong to a key: `KEY.json` with the digest of the library, and the library itself,
`KEY-DIGEST.so`. Both are put in place by renaming, the library first, so that a process that finds the former finds a
complete library, even if several processes store it at the same time or are killed at any point.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from interpreter.native.not_built import NotBuilt
from interpreter.native.processes import SCRATCH, private_folder, scratch

FOLDER = "native"
MOST_BYTES = 500_000_000
"""The size beyond which the libraries that were used least recently are removed."""

LEAST_FREE = 32_000_000
"""A disk with less free space than this, in bytes, counts as full."""

ABANDONED = 3600.0
"""Age in seconds at which leftovers of interrupted processes are removed; no compiler runs that long."""

_KEY = re.compile(r"([0-9a-f]{64})\.json")
_LIBRARY = re.compile(r"([0-9a-f]{64})-([0-9a-f]{16})\.so")
_NOTE = re.compile(r"compiler-[0-9a-f]{64}\.json")


@dataclass(frozen=True)
class Cache:
    """The folders in which libraries are looked up; new ones are kept in the last.

    `unused` is why that is not the user's cache folder: then it is a folder that ends with this process.
    """

    folders: tuple[Path, ...]
    unused: str | None = None

    @property
    def folder(self) -> Path:
        """Where new libraries are kept."""
        return self.folders[-1]

    def scratch(self) -> AbstractContextManager[Path]:
        """A private folder to compile in, from which libraries can be renamed into the cache. Raises OSError."""
        return scratch(self.folder)

    def find(self, key: str) -> Path | None:
        """The library of a key, if it is there as it was kept."""
        for folder in self.folders:
            digest = self._digest(folder, key)
            if digest is None:
                continue
            library = folder / f"{key}-{digest[:16]}.so"
            contents = _read(library)
            if contents is not None and hashlib.sha256(contents).hexdigest() == digest:
                with suppress(OSError):  # for the order in which libraries are removed
                    os.utime(folder / f"{key}.json")
                return library
        return None

    def keep(self, key: str, made: Path, most: int = MOST_BYTES) -> Path | NotBuilt:
        """Move a library from a scratch folder into the cache, and remove old ones if they take too much room."""
        try:
            made.chmod(0o600)
            digest = hashlib.sha256(made.read_bytes()).hexdigest()
            library = self.folder / f"{key}-{digest[:16]}.so"
            made.replace(library)
            self._write(f"{key}.json", {"sha256": digest})
            self._remove_old(key, most)
        except OSError as error:
            return NotBuilt.after("a library cannot be kept", str(error))
        return library

    def note(self, name: str) -> dict[str, object] | None:
        """A stored fact about a compiler."""
        for folder in self.folders:
            found = _parsed(folder / f"compiler-{name}.json")
            if found is not None:
                return found
        return None

    def write_note(self, name: str, values: dict[str, object]) -> None:
        """Store a fact about a compiler; if the disk is full, it is determined again next time."""
        with suppress(OSError):
            self._write(f"compiler-{name}.json", values)

    def _write(self, name: str, values: dict[str, object]) -> None:
        with self.scratch() as folder:
            path = folder / name
            path.write_text(json.dumps(values), "ascii")
            path.chmod(0o600)
            path.replace(self.folder / name)

    @staticmethod
    def _digest(folder: Path, key: str) -> str | None:
        found = (_parsed(folder / f"{key}.json") or {}).get("sha256")
        return found if isinstance(found, str) and re.fullmatch(r"[0-9a-f]{64}", found) else None

    def _remove_old(self, kept: str, most: int) -> None:
        """Remove the least recently used libraries beyond a size, and leftovers of interrupted processes."""
        keys: list[tuple[float, str]] = []
        sizes: dict[str, int] = {}
        for name, age, size in _entries(self.folder):
            path = self.folder / name
            if found := _KEY.fullmatch(name):
                keys.append((age, found[1]))
            elif found := _LIBRARY.fullmatch(name):
                if age > ABANDONED and not (self._digest(self.folder, found[1]) or "").startswith(found[2]):
                    path.unlink(missing_ok=True)
                else:
                    sizes[found[1]] = sizes.get(found[1], 0) + size
            elif name.startswith(SCRATCH) and age > ABANDONED:
                shutil.rmtree(path, ignore_errors=True)
            elif _NOTE.fullmatch(name) and age > 1000 * ABANDONED:
                path.unlink(missing_ok=True)
        total = sum(sizes.values())
        for _, key in sorted(keys, reverse=True):
            if total <= most:
                break
            if key != kept:
                total -= sizes.get(key, 0)
                (self.folder / f"{key}.json").unlink(missing_ok=True)
                for path in self.folder.glob(f"{key}-*.so"):
                    path.unlink(missing_ok=True)


def open_cache() -> Cache | NotBuilt:
    """The cache of this user: in the folder REGELWERK_CACHE, or where the system keeps caches.

    If others can write to that folder, or this user cannot, a folder for this process is used instead.
    """
    wanted = Path(os.environ.get("REGELWERK_CACHE") or platformdirs.user_cache_dir("regelwerk")).absolute() / FOLDER
    unsafe = _unsafe(wanted)
    if unsafe is None and (unwritable := _unwritable(wanted)) is None:
        return Cache((wanted,))
    temporary = _temporary_folder()
    if isinstance(temporary, NotBuilt):
        return temporary
    if unsafe is not None:
        return Cache((temporary,), unsafe)
    return Cache((wanted, temporary), unwritable)


def _unsafe(folder: Path) -> str | None:
    """Why code in a folder is not to be trusted, or that there is no folder and none can be made."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError as error:
        return f"{folder} cannot be made: {error.strerror}"
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder"
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        return f"{folder} belongs to another user"
    if hasattr(os, "getuid") and found.st_mode & 0o022:
        return f"{folder} can be written to by other users"
    return None


def _unwritable(folder: Path) -> str | None:
    try:
        if not os.access(folder, os.W_OK | os.X_OK):
            return f"{folder} cannot be written to"
        if shutil.disk_usage(folder).free < LEAST_FREE:
            return f"the disk with {folder} is full"
    except OSError as error:
        return f"{folder} cannot be written to: {error.strerror}"
    return None


_temporary: dict[int, Path] = {}
"""The folder of this process; a forked process makes its own."""


def _temporary_folder() -> Path | NotBuilt:
    process = os.getpid()
    try:
        if process not in _temporary or not _temporary[process].is_dir():
            _temporary[process] = private_folder("regelwerk-")
        return _temporary[process]
    except OSError as error:
        return NotBuilt.after("there is no folder for temporary files", str(error))


def _read(path: Path) -> bytes | None:
    """The contents of a file, unless it is another user's or could have been changed by one."""
    try:
        with _opened(path) as handle:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None
            if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
                return None
            with os.fdopen(os.dup(handle), "rb") as file:
                return file.read()
    except OSError:
        return None


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A file that is not a link, opened without blocking."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    try:
        yield handle
    finally:
        os.close(handle)


def _parsed(path: Path) -> dict[str, object] | None:
    contents = _read(path)
    if contents is None:
        return None
    try:
        found = json.loads(contents)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _entries(folder: Path) -> Iterator[tuple[str, float, int]]:
    """Name, age in seconds and size of everything in a folder."""
    now = time.time()
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                found = entry.stat(follow_symlinks=False)
                yield entry.name, now - found.st_mtime, found.st_size
