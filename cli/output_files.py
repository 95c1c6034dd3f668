"""Files that commands write: their names are checked before anything is computed, and they are written whole or not."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from cli.errors import CommandError, MisuseError
from dsl.text.files import expanded, is_there, special_at
from dsl.text.replacing import replace_bytes
from interpreter.errors import thing
from interpreter.wording.phrases import Phrase


def target_path(text: str, flag: str) -> Path:
    """The path that a flag names to be written to. Raises MisuseError if it names nothing."""
    if not text.strip():
        raise MisuseError(Phrase("{flag} needs a name", flag=flag))
    return expanded(text)


def output_file(text: str, flag: str) -> Path:
    """Path of a file that a flag asks to be written. Raises MisuseError if something else is in its place."""
    path = target_path(text, flag)
    kind = special_at(path)
    if kind:
        raise MisuseError(Phrase("{flag} {path} is {thing}, not a file", flag=flag, path=text, thing=thing(kind)))
    return path


def output_folder(text: str, flag: str) -> Path:
    """Path of a folder that files are written into, made if it is missing. Raises MisuseError and CommandError."""
    path = target_path(text, flag)
    if is_there(path) and not path.is_dir():
        raise MisuseError(Phrase("{flag} {path} is not a folder", flag=flag, path=text))
    in_writable_folder(path / "file", flag) if path.is_dir() else in_writable_folder(path, flag).mkdir()
    return path


def in_writable_folder(path: Path, flag: str) -> Path:
    """The path, if its folder is writable: to be called before anything is computed. Raises CommandError."""
    if not path.parent.is_dir():
        raise CommandError(
            Phrase("{folder}: no such folder; {flag} needs an existing one", folder=path.parent, flag=flag)
        )
    if not os.access(path.parent, os.W_OK):
        raise CommandError(
            Phrase("{folder}: no permission to write; {flag} needs another folder", folder=path.parent, flag=flag)
        )
    return path


def write_shared(path: Path, content: bytes) -> int:
    """Write a file that is meant to be shared, and return its size in bytes.

    A new file gets the user's default permissions. Raises CommandError if it cannot be written.
    """
    try:
        replace_bytes(path, content, private=False)
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        raise CommandError(Phrase("cannot write {path}: {reason}", path=path, reason=reason)) from None
    return len(content)


def write_new(contents: Mapping[Path, bytes]) -> None:
    """Write files that do not exist yet, and their folders: all, or none if one cannot be written.

    Raises CommandError and OSError.
    """
    added: list[Path] = []
    try:
        for path, content in contents.items():
            for folder in reversed(path.parents):
                if not folder.exists():
                    folder.mkdir()
                    added.append(folder)
            write_shared(path, content)
            added.append(path)
    except BaseException:
        for path in reversed(added):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise
