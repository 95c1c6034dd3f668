"""Locations of saves, and their names.

A save in the user's folder for saves has a name: that of its file, without `.json`. An argument for a save is a path if
it contains a folder or a dot, otherwise a name.
"""

from __future__ import annotations

import glob
import os
import re
from datetime import datetime
from pathlib import Path

from cli.arguments import output_file
from cli.errors import CommandError, MisuseError, suggestion
from dsl.text.files import expanded, is_file, is_there
from dsl.text.folders import saves_folder
from dsl.text.visible import brief

ENDING = ".json"
LONGEST_NAME = 100
_VALID = re.compile(r"\w(?:[\w-]*\w)?")


def named_path(name: str) -> Path:
    """The path of the save with a name."""
    return saves_folder() / f"{name}{ENDING}"


def save_name(path: Path) -> str | None:
    """The name of a save; None if it is not in the folder for saves."""
    return path.name.removesuffix(ENDING) if path.absolute().parent == saves_folder().absolute() else None


def known_names() -> list[str]:
    """The names of all files in the folder for saves that may be saves."""
    return sorted(path.name.removesuffix(ENDING) for path in saves_folder().glob(f"*{ENDING}"))


def marks_path(path: Path) -> Path:
    """The file beside a save that holds the breakpoints and watched expressions of the viewer."""
    return path.with_name(f"{path.name.removesuffix(ENDING)}.viewer")


def find_save(text: str) -> Path:
    """Find the save that a person names, by path or by name. Raises CommandError if no save has that name.

    A path is returned unchanged, whether or not it exists.
    """
    path = expanded(text)
    if Path(text).name != text or text in ("", ".", ".."):
        return path
    named = named_path(text.removesuffix(ENDING))
    if not _is_name(text):
        return path if is_there(path) or not is_file(named) else named
    if is_file(named):
        return named
    if is_there(path):
        return path
    raise CommandError(f"there is no save `{brief(text)}`{suggestion(text, known_names())}; see `regelwerk saves`")


def path_to_write(text: str, flag: str) -> Path:
    """The path of a save that is to be written, given by a path or a name. Raises MisuseError, CommandError."""
    return _with_folder(named_path(valid_name(text))) if _is_name(text) else output_file(text, flag)


def valid_name(text: str) -> str:
    """Check a new name of a save. Raises MisuseError."""
    if not _is_name(text) or not _VALID.fullmatch(text) or len(text) > LONGEST_NAME:
        raise MisuseError(
            f"`{brief(text)}` cannot be the name of a save: a name has up to {LONGEST_NAME} letters, digits, hyphens "
            "and underscores, and no hyphen at its beginning or end"
        )
    return text


def _is_name(text: str) -> bool:
    """True if a text is meant as a name: it has neither a folder nor a dot in it."""
    separators = {"/", "\\", os.sep, os.altsep or os.sep, ".", "~", "\0"}
    return bool(text) and not separators.intersection(text)


def new_save(name: str, chosen: str | None) -> Path:
    """Choose a path for a save that does not exist yet, in a writable folder.

    `chosen` is a path or a name; without it the save is called `name`, with date and time.
    """
    if chosen is not None:
        path = path_to_write(chosen, "--save")
        if is_there(path):
            raise MisuseError(
                f"--save {chosen} already exists; resume it with --resume {chosen}, or choose another name"
            )
        return _with_folder(path)
    return unused_save(f"{name}-{datetime.now():%Y%m%d-%H%M%S}")


def unused_save(stem: str) -> Path:
    """Choose a path for a save called `stem`, with a number if that name is taken. Raises CommandError."""
    return _with_folder(_unused(saves_folder(), stem))


def _with_folder(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CommandError(f"cannot create the folder {path.parent} for saves: {_words(fault)}; see --save") from None
    return path


def save_with(stem: str, text: str) -> Path:
    """The path of a save whose name begins with `stem`: a new one, or that of a save with the same content.

    Raises OSError.
    """
    folder = saves_folder()
    folder.mkdir(parents=True, exist_ok=True)
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
