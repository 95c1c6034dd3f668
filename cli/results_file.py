"""The file that keeps the games of a long run: a header line, and a line for each game.

A game is written when it is over, so a kill loses only those in progress; a truncated line is ignored. Each game has a
key: a game whose key is in the file is not played again, and counts once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from cli.errors import CommandError
from cli.version import version
from dsl.text.files import Unreadable, read_file
from dsl.text.visible import json_text
from interpreter import Game
from interpreter.opponents.own_bots import package_of
from interpreter.opponents.specs import BotSpec

OURS, FORMAT_VERSION = "regelwerk ", 1
LARGEST, LONGEST_HEAD = 500_000_000, 100_000
"""Maximum size of a file, and of its first line, in bytes."""


@dataclass(frozen=True)
class Header:
    """The header of a file: what all its games have in common; a file with another header is refused.

    `packages` are those that provide custom bots, with their versions.
    """

    regelwerk: str
    game: str
    rules_hash: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    board: str | None
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    packages: Mapping[str, str]
    seed: int

    @staticmethod
    def of(game: Game, bots: Iterable[BotSpec], seed: int) -> Header:
        """The header for games of these bots."""
        chosen = tuple(bots)
        packages = {bot.name: package_of(bot.name) for bot in chosen}
        return Header(
            regelwerk=version(),
            game=game.name,
            rules_hash=game.rules.hash,
            players=game.seats,
            options=dict(game.options),
            board=game.board.name if game.board else None,
            variants=game.variants,
            bots=tuple(bot.text for bot in chosen),
            packages={name: package for name, package in packages.items() if package is not None},
            seed=seed,
        )


_NAMES = {
    "regelwerk": "the version of Regelwerk",
    "rules_hash": "the hash of the rules",
    "packages": "packages of bots",
}


K = TypeVar("K")
R = TypeVar("R")


@dataclass(frozen=True)
class Form(Generic[K, R]):
    """The format of a file: its name, such as "arena results", and the conversion of games to data and back.

    `read` raises ValueError, TypeError, KeyError or AttributeError for data of another form.
    """

    name: str
    read: Callable[[Mapping[str, Any]], tuple[K, R]]
    write: Callable[[K, R], Mapping[str, Any]]


class ResultsFile(Generic[K, R]):
    """An open file of results."""

    def __init__(self, path: Path, form: Form[K, R], header: Header) -> None:
        """Open a file, or create it. Raises CommandError if it holds anything else, OSError."""
        self.results: dict[K, R] = {}
        self._form = form
        text = _text(path, form.name)
        lines = text.split("\n")[:-1]  # a truncated line has no end
        self._file = path.open("a", encoding="utf-8", newline="\n")
        head = json_text({"format": f"{OURS}{form.name}", "format_version": FORMAT_VERSION, **asdict(header)})
        try:
            if not lines:
                self._begin(path, text, head)
                return
            _same(path, lines[0], form.name, header)
            for number, line in enumerate(lines[1:], 2):
                key, result = _read(path, number, line, form)
                self.results[key] = result
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(len("".join(f"{line}\n" for line in lines).encode()))

    def _begin(self, path: Path, text: str, head: str) -> None:
        """Write the first line; so far the file is empty, or holds a part of that line."""
        if not head.startswith(text):
            raise _other_file(path, self._form.name)
        self._file.truncate(0)
        self._file.write(head + "\n")
        self._file.flush()

    def add(self, key: K, result: R) -> None:
        """Store a game."""
        self.add_all([(key, result)])

    def add_all(self, games: Iterable[tuple[K, R]]) -> None:
        """Store several games at once."""
        for key, result in games:
            self._file.write(json_text(self._form.write(key, result)) + "\n")
            self.results[key] = result
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def kept_results(path: Path | None, form: Form[K, R], header: Header) -> Iterator[ResultsFile[K, R] | None]:
    """The results file, open within the block; None without a path."""
    if path is None:
        yield None
        return
    file = ResultsFile(path, form, header)
    try:
        yield file
    finally:
        file.close()


def _text(path: Path, form: str) -> str:
    """The text of a file; empty if there is none. Raises CommandError, early for a large file of another kind."""
    try:
        if b"\n" not in (head := read_file(path, LONGEST_HEAD)) and len(head) > LONGEST_HEAD:
            raise _other_file(path, form)
        content = read_file(path, LARGEST)
        if len(content) > LARGEST:
            raise CommandError(f"{path} is too large for a file of {form}")
        return content.decode("utf-8")
    except Unreadable as fault:
        if fault.kind == "missing":
            return ""
        raise CommandError(f"{path} {fault.why}") from None
    except UnicodeDecodeError:
        raise _other_file(path, form) from None


def _other_file(path: Path, form: str) -> CommandError:
    return CommandError(f"{path} is not a file of {form}; name a new file")


def _same(path: Path, line: str, form: str, header: Header) -> None:
    """Raise CommandError unless a file was begun with the same header."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        raise _other_file(path, form) from None
    if not isinstance(head, dict) or head.get("format") != f"{OURS}{form}":
        raise _other_file(path, form)
    if head.get("format_version") != FORMAT_VERSION:
        raise CommandError(f"{path} was written by another version of Regelwerk; name a new file")
    for name, now in json.loads(json_text(asdict(header))).items():
        if head.get(name) != now:
            what = _NAMES.get(name, name)
            raise CommandError(
                f"{path} holds results of other games: {what} was {_words(head.get(name))}, now it is {_words(now)}; "
                "name a new file"
            )


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={each}" for name, each in value.items()) or "nothing"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value is None else str(value)


def _read(path: Path, number: int, line: str, form: Form[K, R]) -> tuple[K, R]:
    """A game of the file. Raises CommandError."""
    try:
        return form.read(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise CommandError(f"line {number} of {path} is damaged; delete it, and that game is played again") from None
