"""The file that keeps the games of a long run: a header line, and a line for each game.

A game is written when it is over, so a kill loses only those in progress; a truncated line is ignored. Each game has a
key: a game whose key is in the file is not played again, and counts once. Every line has a checksum, of itself and of
the header, so that a damaged line, or one of another file, is refused instead of being counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from dsl.lazy_dataclasses import dataclass
from dsl.text.claims import Claim, ClaimedError
from dsl.text.files import JsonObject, Unreadable, read_file
from dsl.text.visible import json_text
from interpreter.errors import RunError, writing
from interpreter.laboratory.courses import FailedRecord, GameRecord, Record
from interpreter.laboratory.matches import Broken, Finished, Meeting
from interpreter.opponents.own_bots import package_of
from interpreter.opponents.specs import KINDS, BotSpec
from interpreter.play.game import Game
from interpreter.play.saves.files import checksum
from interpreter.runtime.chance import MAX_SEED
from interpreter.version import __version__

OURS, FORMAT_VERSION = "regelwerk ", 2
MAX_FILE_SIZE, MAX_HEAD_SIZE = 500_000_000, 100_000
"""Maximum size of a file, and of its first line, in bytes."""
CHECKSUM = "checksum"
"""The key of the checksum of a line."""


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
        packages = {bot.name: package_of(bot.name) for bot in chosen if bot.name not in KINDS}
        return Header(
            regelwerk=__version__,
            game=game.name,
            rules_hash=game.begun_hash,
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
class ResultsFormat(Generic[K, R]):
    """The format of a file: its name, such as "arena results", and the conversion of games to data and back.

    `read` raises ValueError, TypeError, KeyError, AttributeError or OverflowError for data of another form.
    """

    name: str
    read: Callable[[JsonObject], tuple[K, R]]
    write: Callable[[K, R], JsonObject]


class Results(Generic[K, R]):
    """The games of a run by their keys, in memory only."""

    def __init__(self) -> None:
        self.results: dict[K, R] = {}

    def add(self, games: Iterable[tuple[K, R]]) -> None:
        """Store games."""
        self.results.update(games)


class ResultsFile(Results[K, R]):
    """The games of a run, kept in an open file."""

    def __init__(self, path: Path, form: ResultsFormat[K, R], header: Header) -> None:
        """Open a file, or create it. Raises RunError if it holds anything else or cannot be written."""
        super().__init__()
        self._form = form
        content = _content(path, form.name)
        lines = content.split(b"\n")[:-1]  # a truncated line has no end
        self._path = path
        with writing(path):
            self._file = path.open("a", encoding="utf-8", newline="\n")
        head = _signed({"format": f"{OURS}{form.name}", "format_version": FORMAT_VERSION, **asdict(header)})
        self._of = str(head[CHECKSUM])
        try:
            if not lines:
                self._begin(path, content, json_text(head))
                return
            _same(path, lines[0], form.name, header)
            for number, line in enumerate(lines[1:], 2):
                key, result = _read(path, number, line, form, self._of)
                self.results[key] = result
        except BaseException:
            self.close()
            raise
        self._file.truncate(sum(len(line) + 1 for line in lines))

    def _begin(self, path: Path, content: bytes, head: str) -> None:
        """Write the first line; so far the file is empty, or holds a part of that line."""
        if not head.encode().startswith(content):
            raise _other_file(path, self._form.name)
        with writing(path):
            self._file.truncate(0)
            self._file.write(head + "\n")
            self._file.flush()

    def add(self, games: Iterable[tuple[K, R]]) -> None:
        """Store games, each in a line."""
        for key, result in games:
            with writing(self._path):
                self._file.write(json_text(_signed(self._form.write(key, result), self._of)) + "\n")
            self.results[key] = result
        with writing(self._path):
            self._file.flush()

    def close(self) -> None:
        """Close the file. Raises RunError if its end cannot be written."""
        with writing(self._path):
            self._file.close()


@contextmanager
def kept_results(path: Path | None, form: ResultsFormat[K, R], header: Header) -> Iterator[Results[K, R]]:
    """The games that a file holds, which is open within the block and keeps those that are added; none without a path.

    Raises RunError if the file cannot be used.
    """
    if path is None:
        yield Results()
        return
    try:
        claim = Claim(path)
    except ClaimedError as fault:
        raise RunError(f"another process ({fault.process}) is writing {path}; wait, or name a new file") from None
    with claim:
        file = ResultsFile(path, form, header)
        try:
            yield file
        finally:
            file.close()


def _signed(document: JsonObject, of: str = "") -> JsonObject:
    """A line as data with its checksum; `of` is the checksum of the header."""
    return {**document, CHECKSUM: checksum({**document, "of": of})}


def _content(path: Path, form: str) -> bytes:
    """The content of a file; empty if there is none. Raises RunError, early for a large file of another kind."""
    try:
        if b"\n" not in (head := read_file(path, MAX_HEAD_SIZE)) and len(head) > MAX_HEAD_SIZE:
            raise _other_file(path, form)
        content = read_file(path, MAX_FILE_SIZE)
        if len(content) > MAX_FILE_SIZE:
            raise RunError(f"{path} is too large for a file of {form}")
        return content
    except Unreadable as fault:
        if fault.kind == "missing":
            return b""
        raise RunError(f"{path} {fault.why}") from None


def _other_file(path: Path, form: str) -> RunError:
    return RunError(f"{path} is not a file of {form}; name a new file")


def _same(path: Path, line: bytes, form: str, header: Header) -> None:
    """Raise RunError unless a file was begun with the same header."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        raise _other_file(path, form) from None
    if not isinstance(head, dict) or head.get("format") != f"{OURS}{form}":
        raise _other_file(path, form)
    if head.get("format_version") != FORMAT_VERSION:
        raise RunError(f"{path} was written by another version of Regelwerk; name a new file")
    for name, now in json.loads(json_text(asdict(header))).items():
        if head.get(name) != now:
            what = _NAMES.get(name, name)
            raise RunError(
                f"{path} holds results of other games: {what} was {_words(head.get(name))}, now it is {_words(now)}; "
                "name a new file"
            )
    if head.get(CHECKSUM) != _signed(head)[CHECKSUM]:
        raise RunError(f"{path} was edited or damaged: its first line does not match its checksum; name a new file")


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_words(member)}" for name, member in value.items()) or "nothing"
    if isinstance(value, list):
        return ", ".join(map(_words, value)) or "nothing"
    return "nothing" if value is None else str(value)


def _read(path: Path, number: int, line: bytes, form: ResultsFormat[K, R], of: str) -> tuple[K, R]:
    """A game of the file with this checksum of its header. Raises RunError."""
    try:
        document = json.loads(line, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
        signature = document.pop(CHECKSUM)
        if signature != _signed(document, of)[CHECKSUM]:
            raise ValueError("another checksum")
        return form.read(document)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise RunError(f"line {number} of {path} is damaged; delete it, and that game is played again") from None


def _whole(digits: str) -> int:
    """A whole number of a game: none is larger than a seed. Raises ValueError."""
    number = int(digits)
    if abs(number) >= MAX_SEED:
        raise ValueError("too large")
    return number


def _finite(digits: str) -> float:
    """A number of a game: none is infinite or NaN. Raises ValueError."""
    number = float(digits)
    if not isfinite(number):
        raise ValueError("no number")
    return number


# ---- The games of a run as stored in its file, identified by their numbers


def games_form(seats: int) -> ResultsFormat[int, Record]:
    """The format of a file of games with this number of seats."""
    finished, failed = TypeAdapter(GameRecord), TypeAdapter(FailedRecord)

    def read(document: JsonObject) -> tuple[int, Record]:
        record: Record
        if "failed" in document:
            record = failed.validate_python(document)
        else:
            record = finished.validate_python(document)
            if len(record.scores) != seats or not set(record.winners) <= set(range(seats)):
                raise ValueError("other seats")
        if record.number < 0:
            raise ValueError("a negative number")
        return record.number, record

    return ResultsFormat("games", read, _game_line)


def _game_line(number: int, record: Record) -> JsonObject:
    return {name: value for name, value in asdict(record).items() if value is not None}


# ---- The games of an arena as stored in its file, identified by seating and rotation


def arena_form(seats: int, bots: int) -> ResultsFormat[Meeting, Finished | Broken]:
    """The format of a file of games between this number of bots."""
    meetings, finished, broken = TypeAdapter(Meeting), TypeAdapter(Finished), TypeAdapter(Broken)

    def read(document: JsonObject) -> tuple[Meeting, Finished | Broken]:
        meeting = meetings.validate_python({name: document[name] for name in ("seating", "rotation")})
        if len(meeting.seating) != seats or not set(meeting.seating) <= set(range(bots)) or meeting.rotation < 0:
            raise ValueError("other seats or bots")
        if "failed" in document:
            return meeting, broken.validate_python(document["failed"])
        result = finished.validate_python(document["result"])
        if len(result.scores) != seats or not set(result.winners) <= set(range(seats)):
            raise ValueError("other seats")
        return meeting, result

    return ResultsFormat("arena results", read, _arena_line)


def _arena_line(meeting: Meeting, result: Finished | Broken) -> JsonObject:
    kind = "failed" if isinstance(result, Broken) else "result"
    return {**asdict(meeting), kind: asdict(result)}
