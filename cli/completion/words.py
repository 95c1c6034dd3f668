"""The words that can come next on a command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cli.topics import topics
from cli.verbs import VERBS
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import Unreadable, expanded, is_file, read_file
from dsl.text.folders import EXAMPLES_SUFFIX, OF_TABLE, SUFFIX, saves_folder, shipped_folder, tables_file, user_folder
from dsl.text.nouns import numbers_in
from dsl.text.variant_files import FOLDER, head_of, name_of

if TYPE_CHECKING:
    from interpreter.play.saves.tables import TableSummary

PERSON = "human"
BOTS = ("easy", "normal", "hard", "best", "random", "greedy", "mcts", "alphabeta")
"""The bots that come with Regelwerk, without limits: shells may split a word at a colon."""
OWN_BOTS = "regelwerk.bots"
"""The entry point group of custom bots."""


@dataclass(frozen=True)
class Candidate:
    """A word that can come next, with a short description. The attributes are those that typer's completion reads."""

    value: str
    help: str = ""
    type: str = "plain"


def candidates(words: Sequence[str], incomplete: str) -> list[Candidate]:
    """The words that begin with `incomplete` and can follow `words`, the first of which is the verb."""
    words, incomplete, prefix = _joined(list(words), incomplete)
    possible = _all(words, incomplete)
    matching = [candidate for candidate in dict.fromkeys(possible) if candidate.value.startswith(incomplete)]
    return [Candidate(candidate.value[len(prefix) :], candidate.help, candidate.type) for candidate in matching]


def _joined(words: list[str], incomplete: str) -> tuple[list[str], str, str]:
    """Rejoin `NAME=VALUE` and `table:ID`, which bash splits; also return the prefix that bash expects to be omitted.

    As long as the value is empty, bash does not pass on the sign.
    """
    words = _with_whole_tables(words)
    if words[-2:] == [OF_TABLE[:-1], ":"]:
        return words[:-2], OF_TABLE + incomplete, OF_TABLE
    # For `--option advanced=t` bash passes on `--option`, `advanced`, `=` and completes `t`; for `--option advanced=`
    # it passes on `--option`, `advanced` and completes an empty word, as if the next argument was asked for. Only the
    # flag before the name, one that takes NAME=VALUE, tells the two apart.
    if words[-1:] == ["="] and len(words) > 1:
        name, rest = words[-2], words[:-2]
    elif (
        len(words) > 2 and "=" not in words[-1] and not incomplete and _kind(words[0], words[-2]) in ("option", "seat")
    ):
        name, rest = words[-1], words[:-1]
    else:
        return words, incomplete, ""
    return rest, f"{name}={incomplete}", f"{name}="


def _with_whole_tables(words: list[str]) -> list[str]:
    """The words, with the names of tables in one piece: `table`, `:`, `ID` is `table:ID`."""
    whole: list[str] = []
    for word in words:
        if whole[-2:] == [OF_TABLE[:-1], ":"]:
            whole[-2:] = [OF_TABLE + word]
        else:
            whole.append(word)
    return whole


def _kind(verb: str, flag: str) -> ValueKind | tuple[str, ...]:
    signature = signatures().get(verb)
    return "none" if signature is None else signature.flags.get(flag, "none")


def _all(words: Sequence[str], incomplete: str) -> Iterator[Candidate]:
    if not words:
        yield from (Candidate(verb, about) for verb, about in VERBS.items())
        yield from map(Candidate, ("--version", "--help", "--install-completion", "--show-completion"))
        return
    signature = signatures().get(words[0])
    if signature is None:
        return
    flag = words[-1] if len(words) > 1 else ""
    kind = signature.flags.get(flag, "none")
    if kind != "none":
        yield from _of_kind(kind, words[1:], signature)
    elif incomplete.startswith("-"):
        yield from map(Candidate, [*(name for name in signature.flags if name.startswith("--")), "--help"])
    else:
        yield from _of_kind(_next_argument(words[1:], signature), words[1:], signature)


def _next_argument(words: Sequence[str], signature: Signature) -> ValueKind:
    position = len(_arguments(words, signature))
    if position < len(signature.arguments):
        return signature.arguments[position]
    return signature.arguments[-1] if signature.repeats else ""


def _arguments(words: Sequence[str], signature: Signature) -> list[str]:
    """The words that are neither flags nor their values."""
    arguments: list[str] = []
    flag = ""
    for word in words:
        if signature.flags.get(flag, "none") == "none" and not word.startswith("-"):
            arguments.append(word)
        flag = word
    return arguments


def _of_kind(kind: ValueKind | tuple[str, ...], words: Sequence[str], signature: Signature) -> Iterator[Candidate]:
    """The values of a kind, given the preceding words."""
    if isinstance(kind, tuple):
        yield from map(Candidate, kind)
        return
    game = next(iter(_arguments(words, signature)), None) if "game" in signature.arguments else None

    def rules_text() -> str:
        return text_of(rules_file(game)) if game else ""

    match kind:
        case "game":
            yield from (Candidate(name_of(path)) for path in game_files())
        case "variant":
            heads = (head_of(path) for path in variant_files(game))
            yield from (Candidate(head.name, head.title) for head in heads if head is not None)
        case "option":
            for name, values in options_of(rules_text()).items():
                yield from (Candidate(f"{name}={value}") for value in values or [""])
        case "seat":
            seats = [*seats_of(rules_text()), "all"] if game else []
            yield from (Candidate(f"{seat}={who}") for seat in seats for who in (PERSON, *_bots()))
        case "bot":
            yield from map(Candidate, _bots())
        case "players":
            yield from map(Candidate, player_numbers(rules_text()))
        case "as":
            yield from _seats_of_save(words)
        case "save":
            yield from _saves()
        case "topic":
            yield from (Candidate(topic.name, topic.title) for topic in topics())
        case "file" | "none" | "":
            return  # shells complete the names of files


def _bots() -> list[str]:
    """The names of all bots."""
    from importlib.metadata import entry_points  # imported late: it is slow, and other completions do not need it

    return [*BOTS, *sorted(entry_point.name for entry_point in entry_points(group=OWN_BOTS))]


def _saves() -> Iterator[Candidate]:
    """The saves in the user's folder and the tables of the server, newest first."""
    try:
        paths = sorted(saves_folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        paths = []
    yield from (Candidate(str(path)) for path in paths)
    tables = sorted(_tables(), key=lambda table: table.changed, reverse=True)
    yield from (Candidate(f"{OF_TABLE}{table.id}", table.title) for table in tables)


def _tables() -> list[TableSummary]:
    """The tables of the server; none if there are none, or their file cannot be read."""
    from interpreter.errors import SaveError  # as the next: other completions do not need it
    from interpreter.play.saves.tables import tables_in

    try:
        return tables_in(tables_file()) if is_file(tables_file()) else []
    except SaveError:
        return []


def _seats_of_save(words: Sequence[str]) -> Iterator[Candidate]:
    """The seats of the game of a save: the game whose name is the longest prefix of the save's file name."""
    table = next((word.removeprefix(OF_TABLE) for word in words if word.startswith(OF_TABLE)), None)
    if table is not None:
        yield from (Candidate(seat) for each in _tables() if each.id == table for seat, _ in each.kinds)
        return
    stem = next((Path(word).stem for word in words if word.endswith(".json")), "")
    games = [path for path in game_files() if stem.startswith(name_of(path))]
    if games:
        longest = max(games, key=lambda path: len(name_of(path)))
        yield from map(Candidate, seats_of(text_of(longest)))


# ---------------- the arguments and flags of each verb, with the kinds of their values
# Completion uses a table because the verbs themselves are slow to import. The table is generated from the commands:
# `REGELWERK_UPDATE=1 pytest tests/cli/test_completion.py` writes it.


ValueKind = Literal[
    "game", "file", "save", "variant", "option", "seat", "bot", "as", "players", "topic", "none", "",
]  # fmt: skip
"""`none` takes no value, and values of an empty kind cannot be completed."""


@dataclass(frozen=True)
class Signature:
    """The kinds of a verb's arguments, in order; and its flags, each with the kind of its value or all its values.

    If it `repeats`, the last argument may be given several times.
    """

    arguments: tuple[ValueKind, ...]
    repeats: bool
    flags: Mapping[str, ValueKind | tuple[str, ...]]


@cache
def signatures() -> Mapping[str, Signature]:
    """The signature of every verb."""
    table = json.loads(files("cli.completion").joinpath("flags.json").read_text(encoding="utf-8"))
    return {
        verb: Signature(
            tuple(entry["arguments"]),
            entry["repeats"],
            {flag: tuple(kind) if isinstance(kind, list) else kind for flag, kind in entry["flags"].items()},
        )
        for verb, entry in table.items()
    }


# ---------------- facts about a game, found in its rules file without parsing it: seats, numbers of players,
# options


MAX_FILE_SIZE = 1_000_000
MAX_RANGE_VALUES = 64
"""The values of longer ranges are not listed."""

_HEADER = re.compile(
    r'^game\s+"[^"\n]*"\s+for\s+(?P<counts>\d[\dtor,\s]*)\splayers?\s+(?P<seats>[^\[#\n:]+)', re.MULTILINE
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
    return list(map(str, numbers_in(header["counts"]))) if header else []


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
