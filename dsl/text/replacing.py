"""Replacing files of the user: atomically, so that a kill at any instant leaves the old content or the new one."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from pathlib import Path

from dsl.text.files import special


def replace_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Write a text file as `replace_bytes` does, accessible to its owner only. Raises OSError."""
    replace_bytes(path, text.encode(), durable=durable)


def replace_bytes(path: Path, content: bytes, *, durable: bool = True, private: bool = True) -> None:
    """Write a file so that at every instant either the old or the whole new content is there.

    Permissions are preserved; a new file is accessible to its owner only if `private`, else as files of the user
    usually are. Raises OSError, about this path and not about the temporary file beside it.
    """
    try:
        _replace(path, content, durable=durable, private=private)
    except OSError as fault:
        fault.filename, fault.filename2 = str(path), None
        raise


def _replace(path: Path, content: bytes, *, durable: bool, private: bool) -> None:
    target = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        mode = target.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(errno.EINVAL, f"this is {special(mode)}, not a file", str(path))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        if not private:
            Path(name).chmod(0o666 & ~_umask())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, name)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    if durable:
        _sync_folder(target.parent)


def _umask() -> int:
    """The permissions that new files of this process lack; it can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Sync the folder so that the new name of a file is durable, where the system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
