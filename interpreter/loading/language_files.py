"""Files of languages, found by their names and recognised by their first line, before they are parsed."""

from __future__ import annotations

import re
from pathlib import Path

from dsl.text.files import Unreadable, has_suffix, is_file, read_file
from dsl.text.variant_files import HEAD, name_of

SUFFIX = ".rules"
FOLDER = "languages"
"""The folder beside a game that contains its languages."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:_[A-Za-z0-9]{1,8})*")

_HEAD = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*names[ \t]+\w+[ \t]+of[ \t]+(\w+)")


def languages_of(rules: Path) -> dict[str, Path]:
    """The files of the languages of a game, by language: `languages/NAME.LANGUAGE.rules` beside it."""
    folder, prefix = rules.parent / FOLDER, f"{name_of(rules)}."
    try:
        paths = sorted(folder.glob(f"*{SUFFIX}"))
    except OSError:
        return {}
    files: dict[str, Path] = {}
    for path in paths:
        language = path.name.removeprefix(prefix).removesuffix(SUFFIX)
        inside = path.resolve().is_relative_to(rules.parent.resolve())
        if path.name.startswith(prefix) and _LANGUAGE.fullmatch(language) and inside and is_file(path):
            files[language] = path
    return files


def game_of(path: Path) -> Path | None:
    """The rules file of the game that a file of a language belongs to; None if it is no such file."""
    try:
        text = read_file(path, HEAD).decode("utf-8-sig", "replace") if has_suffix(path, SUFFIX) else ""
    except (Unreadable, ValueError):
        return None
    match = _HEAD.match(text)
    rules = path.absolute().parent.parent / f"{match[1]}{SUFFIX}" if match else None
    return rules if rules is not None and is_file(rules) else None
