"""Variant files: recognised by their first line, before they are parsed."""

from __future__ import annotations

import re
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import Unreadable, has_suffix, read_file

FOLDER = "variants"
"""The folder beside a game that contains its variants."""

HEAD = 1 << 16
"""Number of bytes read to see whether a file is a variant."""

_HEAD = re.compile(
    r'(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*variant[ \t]+"([^"\n]*)"[ \t]+of[ \t]+(\w+)'
    r'(?:[^\n"]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]+"([^"\n]*)")?'
)


@dataclass(frozen=True)
class FoundVariant:
    """A variant file: its name without `.rules`, its title, the game it belongs to, and what it says about itself."""

    name: str
    title: str
    game: str
    path: Path
    sentence: str = ""


def head_of(path: Path) -> FoundVariant | None:
    """Read the first line of a variant; None if the file is not a variant or cannot be read."""
    try:
        text = read_file(path, HEAD).decode("utf-8-sig", "replace") if has_suffix(path, ".rules") else ""
    except (Unreadable, ValueError):
        return None
    match = _HEAD.match(text)
    return FoundVariant(name_of(path), match[1], match[2], path, match[3] or "") if match else None


def name_of(path: Path) -> str:
    """The name of a rules file: its file name without `.rules`."""
    return path.name.removesuffix(".rules")
