"""Locations of saves, and their names.

A save in the user's folder for saves has a name: that of its file, without `.json`. A table that the server keeps there
has the name `table:ID`. An argument for a save is a path if it contains a folder or a dot, otherwise a name.
"""

from __future__ import annotations

import glob
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import chain
from pathlib import Path

from cli.errors import CommandError, MisuseError, suggestion
from cli.output_files import output_file
from dsl.text.claims import Claim, ClaimedError
from dsl.text.files import expanded, is_file, is_there
from dsl.text.folders import OF_TABLE, saves_folder, tables_file
from dsl.text.replacing import replace_text
from dsl.text.visible import brief
from interpreter.play.saves.tables import table_at
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

ENDING = ".json"
MAX_NAME_LENGTH = 100
MAX_NAMES = 10_000
"""Number of saves that may have the same name, told apart by a number after it."""
_VALID = re.compile(r"\w(?:[\w-]*\w)?")


def named_path(name: str) -> Path:
    """The path of the save with a name."""
    return saves_folder() / f"{name}{ENDING}"


def save_name(path: Path) -> str | None:
    """The name of a save; None if it is not in the folder for saves."""
    if path.absolute().parent == tables_file().absolute():
        return f"{OF_TABLE}{path.name}"
    return path.name.removesuffix(ENDING) if path.absolute().parent == saves_folder().absolute() else None


def save_argument(path: Path) -> str:
    """How a save is named on the command line: by its name, or else by its path, quoted where the shell needs it."""
    name = save_name(path)
    is_known = name is not None and (_is_name(name) or name.startswith(OF_TABLE))
    text = name if name is not None and is_known else short(path.absolute())
    home = "~/" if text.startswith("~/") else ""
    return home + shlex.quote(text.removeprefix(home))


def typed_command(verb: str, argument: str, words: Words) -> str:
    """A command to be typed, in the language of its reader: `regelwerk trace evening --language de`."""
    language = f" --language {words.language}" if words.language else ""
    return f"regelwerk {verb} {argument}{language}"


def known_names() -> list[str]:
    """The names of all files in the folder for saves that may be saves."""
    return sorted(path.name.removesuffix(ENDING) for path in saves_folder().glob(f"*{ENDING}"))


def marks_path(path: Path) -> Path:
    """The file beside a save that holds the breakpoints and watched expressions of the viewer.

    That of a table is beside the file of all tables.
    """
    table = table_at(path)
    if table is not None:
        return table[0].with_name(f"table-{table[1]}.viewer")
    return path.with_name(f"{path.name.removesuffix(ENDING)}.viewer")


def find_save(text: str) -> Path:
    """Find the save that a person names, by path or by name. Raises CommandError if no save has that name.

    A path is returned unchanged, whether or not it exists.
    """
    if text.startswith(OF_TABLE) and Path(text).name == text:
        return tables_file() / text.removeprefix(OF_TABLE)
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
    raise CommandError(
        Phrase(
            "there is no save `{name}`{meant}; see `regelwerk saves`",
            name=brief(text), meant=suggestion(text, known_names()),
        )
    )  # fmt: skip


def path_to_write(text: str, flag: str) -> Path:
    """The path of a save that is to be written, given by a path or a name. Raises MisuseError, CommandError."""
    return _with_folder(named_path(valid_name(text))) if _is_name(text) else output_file(text, flag)


def valid_name(text: str) -> str:
    """Check a new name of a save. Raises MisuseError."""
    if not _is_name(text) or not _VALID.fullmatch(text) or len(text) > MAX_NAME_LENGTH:
        raise MisuseError(
            Phrase(
                "`{name}` cannot be the name of a save: a name has up to {number} letters, digits, hyphens and "
                "underscores, and no hyphen at its beginning or end",
                name=brief(text),
                number=MAX_NAME_LENGTH,
            )
        )
    return text


def _is_name(text: str) -> bool:
    """True if a text is meant as a name: it has neither a folder nor a dot in it, or no path can be like that."""
    separators = {"/", "\\", os.sep, os.altsep or os.sep, ".", "~"}
    return bool(text) and (not separators.intersection(text) or "\0" in text)


def new_save(name: str, chosen: str | None) -> Claim:
    """Claim the path of a save that does not exist yet, in a writable folder.

    `chosen` is a path or a name; without it the save is called `name`, with date and time.
    """
    if chosen is None:
        return unused_save(f"{name}-{datetime.now():%Y%m%d-%H%M%S}")
    path = path_to_write(chosen, "--save")
    if not is_there(path):
        with suppress(ClaimedError):  # another process is just beginning a game with that name
            return Claim(_with_folder(path))
    raise MisuseError(
        Phrase("--save {name} already exists; resume it with --resume {name}, or choose another name", name=chosen)
    )


def unused_save(stem: str, folder: Path | None = None) -> Claim:
    """Claim a path for a save called `stem`, with a number if that name is taken. Raises CommandError.

    It is in `folder`, by default the one for saves.
    """
    folder = folder or saves_folder()
    return first_unused(folder / f"{name}{ENDING}" for name in _numbered(stem))


def first_unused(paths: Iterable[Path]) -> Claim:
    """Claim the first path at which there is nothing, and which no other process has claimed. Raises CommandError."""
    for path in paths:
        with suppress(ClaimedError):
            claim = Claim(_with_folder(path))
            if not is_there(path):
                return claim
            claim.release()
    raise CommandError(Phrase("no name is left for a save; see --save"))


def claimed_save(path: Path) -> Claim:
    """Claim a save in order to change it. Raises CommandError if another process is playing it.

    With a table, its file is claimed, which is the server's as long as that runs.
    """
    try:
        return Claim(claimed_path(path))
    except ClaimedError as fault:
        if table_at(path) is not None:
            file = short(fault.path.absolute())
            raise CommandError(
                Phrase("{file} is used by a server (process {number}); end it first", file=file, number=fault.process)
            ) from None
        raise CommandError(being_played(fault)) from None


def claimed_path(path: Path) -> Path:
    """What is claimed in order to change a save."""
    table = table_at(path)
    return path if table is None else table[0]


def being_played(fault: ClaimedError) -> Phrase:
    """Say that another process is playing a save, and which one."""
    save = save_name(fault.path) or short(fault.path.absolute())
    if not fault.process:
        return Phrase("{save} is being played by another process", save=save)
    return Phrase("{save} is being played by another process ({number})", save=save, number=fault.process)


def _with_folder(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        message = Phrase(
            "cannot create the folder {path} for saves: {reason}; see --save", path=path.parent, reason=_words(fault)
        )
        raise CommandError(message) from None
    return path


def save_once(stem: str, text: str) -> Path:
    """Write a save whose name begins with `stem`, unless one has the same content; return its path. Raises OSError."""
    folder = saves_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob(f"{glob.escape(stem)}*{ENDING}")):
        if path.is_file() and path.read_bytes() == text.encode("utf-8"):
            return path
    with unused_save(stem, folder) as claim:
        replace_text(claim.path, text)
        return claim.path


def _numbered(stem: str) -> Iterator[str]:
    """A name, and then that name with a number from 2 on."""
    return chain([stem], (f"{stem}-{number}" for number in range(2, MAX_NAMES)))


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
