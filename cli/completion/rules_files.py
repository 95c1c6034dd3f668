"""Facts about a game, found in its rules file without parsing it: seats, numbers of players, options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dsl.text.files import Unreadable, expanded, is_file, read_file
from dsl.text.folders import EXAMPLES_SUFFIX, SUFFIX, shipped_folder, user_folder
from dsl.text.variant_files import FOLDER, head_of, name_of

MAX_FILE_SIZE = 1_000_000
MAX_RANGE_VALUES = 64
"""The values of longer ranges are not listed."""

_HEADER = re.compile(
    r'^game\s+"[^"\n]*"\s+for\s+(?P<low>\d+)(?:\s+to\s+(?P<high>\d+))?\s+players?\s+(?P<seats>[^\[#\n:]+)', re.MULTILINE
)
_OPTION = re.compile(r"^option\s+(?P<name>\w+)\s*:\s*(?P<type>[^=\n]+?)\s*=", re.MULTILINE)
_RANGE = re.compile(r"(\d+)\.\.(\d+)")


def game_files() -> Iterator[Path]:
    """The rules files of all games that can be given by name, nearest first."""
    for folder in (Path.cwd(), user_folder(), shipped_folder()):
        for path in _rules_in(folder):
            if not path.name.endswith(EXAMPLES_SUFFIX) and head_of(path) is None:
                yield path


def variant_files(game: str | None) -> Iterator[Path]:
    """The files of the variants of a game; of all games if the game is unknown."""
    rules = rules_file(game) if game else None
    beside = [rules.parent] if rules is not None else [shipped_folder()]
    for folder in dict.fromkeys([*beside, Path.cwd(), user_folder()]):
        for path in _rules_in(folder / FOLDER):
            head = head_of(path)
            if head is not None and (rules is None or head.game == name_of(rules)):
                yield path


def rules_file(game: str) -> Path | None:
    """The rules file that a name or path denotes; None if there is none."""
    if game.endswith(SUFFIX):
        path = expanded(game)
        head = head_of(path)
        return rules_file(head.game) if head is not None else path if is_file(path) else None
    return next((path for path in game_files() if name_of(path) == game), None)


def _rules_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(f"*{SUFFIX}") if is_file(path))
    except OSError:
        return []


def text_of(path: Path | None) -> str:
    """The text of a rules file; empty if it cannot be read."""
    try:
        return "" if path is None else read_file(path, MAX_FILE_SIZE).decode("utf-8-sig", "replace")
    except Unreadable:
        return ""


def seats_of(text: str) -> list[str]:
    """The seats of a game."""
    header = _HEADER.search(text)
    return [seat.strip() for seat in header["seats"].split(",")] if header else []


def player_numbers(text: str) -> list[str]:
    """The numbers of players of a game."""
    header = _HEADER.search(text)
    return (
        [str(number) for number in range(int(header["low"]), int(header["high"] or header["low"]) + 1)]
        if header
        else []
    )


def options_of(text: str) -> dict[str, list[str]]:
    """The options of a game, each with its values; with none if they cannot be listed."""
    options: dict[str, list[str]] = {}
    for declaration in _OPTION.finditer(text):
        parts = [part.strip() for part in declaration["type"].split(" or ")]
        options[declaration["name"]] = list(dict.fromkeys(value for part in parts for value in _values(part, text)))
    return options


def _values(type_: str, text: str) -> list[str]:
    """The values of one alternative of a type: `Truth`, `Player`, a range, a declared type, or a word."""
    if type_ == "Truth":
        return ["true", "false"]
    if type_ == "Player":
        return seats_of(text)
    if bounds := _RANGE.fullmatch(type_):
        low, high = map(int, bounds.groups())
        return [str(number) for number in range(low, high + 1)] if high - low < MAX_RANGE_VALUES else []
    if not type_[:1].isupper():
        return [type_]
    listed = re.search(rf"^type\s+{re.escape(type_)}\s+is\s+(?P<values>[^\[#\n]+)", text, re.MULTILINE)
    if listed:
        return [value.strip() for value in listed["values"].split(",")]
    rows = re.search(
        rf"^type\s+{re.escape(type_)}\s+with\b[^\n]*:[^\n]*\n(?P<rows>(?:[ \t]+[^\n]*\n|\n)+)", text, re.MULTILINE
    )
    return re.findall(r"^[ \t]+(\w+)", rows["rows"], re.MULTILINE) if rows else []
