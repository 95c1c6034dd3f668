"""Locations of saves."""

from __future__ import annotations

import glob
import os
from datetime import datetime
from pathlib import Path

from cli.arguments import output_file
from cli.errors import CommandError, MisuseError
from dsl.text.files import is_there
from dsl.text.folders import saves_folder


def new_save(name: str, chosen: str | None) -> Path:
    """Choose a path for a save that does not exist yet, in a writable folder."""
    if chosen is not None:
        path = output_file(chosen, "--save")
        if is_there(path):
            raise MisuseError(
                f"--save {chosen} already exists; resume it with --resume {chosen}, or choose another name"
            )
    else:
        path = _unused(saves_folder(), f"{name}-{datetime.now():%Y%m%d-%H%M%S}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CommandError(f"cannot create the folder {path.parent} for saves: {_words(fault)}; see --save") from None
    return path


def save_of_fault(name: str, seed: int, text: str) -> Path:
    """Path of the save of a random game that ended in an error: new, or the one that already has this content.

    Raises OSError.
    """
    folder = saves_folder()
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name}-fault-seed{seed}"
    path = _unused(folder, stem)
    known = (one for one in sorted(folder.glob(f"{glob.escape(stem)}*.json")) if one.is_file())
    return next((one for one in known if one.read_bytes() == text.encode("utf-8")), path)


def _unused(folder: Path, stem: str) -> Path:
    names = [stem, *(f"{stem}-{number}" for number in range(2, 1000))]
    return next(path for name in names if not (path := folder / f"{name}.json").exists())


def _words(fault: OSError) -> str:
    return (fault.strerror or str(fault)).lower()


def short(path: Path) -> str:
    """Shorten a path for display: relative to the current folder, or to the home folder as `~`."""
    home = Path.home()
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    if path.is_absolute() and path.is_relative_to(home) and home != Path(os.sep):
        return f"~/{path.relative_to(home)}"
    return str(path)
