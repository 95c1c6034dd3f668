"""The file that keeps the games of an arena: a line that says what is played, and a line for each game.

A game is written down when it is over, so a kill loses only those under way; a line that it cut off is ignored. A game
is identified by who sits where and by its rotation: one that is in the file is not played again, and counts once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cli.arena.pairings import PlayedGames
from cli.errors import CommandError
from dsl.text.files import Unreadable, read_file
from dsl.text.visible import json_text
from interpreter.analysis.failed_games import Failed
from interpreter.opponents.matches import Broken, Finished, Meeting

FORMAT, FORMAT_VERSION = "regelwerk arena results", 1
LARGEST, LONGEST_HEAD = 500_000_000, 100_000
"""Maximum size of a file, and of its first line, in bytes."""


@dataclass(frozen=True)
class Setting:
    """What the games of a file have in common; games of another setting are not added to it.

    `packages` are those that have custom bots, with their versions.
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


_NAMES = {
    "regelwerk": "the version of Regelwerk",
    "rules_hash": "the hash of the rules",
    "packages": "packages of bots",
}


class ResultsFile:
    """An open file of results."""

    def __init__(self, path: Path, setting: Setting) -> None:
        """Open a file, or begin it. Raises CommandError if it holds anything else, OSError."""
        self.results: PlayedGames = {}
        text = _text(path)
        lines = text.split("\n")[:-1]  # what a kill cut off has no end
        self._file = path.open("a", encoding="utf-8", newline="\n")
        head = json_text({"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(setting)})
        try:
            if not lines:
                self._begin(path, text, head)
                return
            _same(path, lines[0], setting)
            for number, line in enumerate(lines[1:], 2):
                meeting, result = _read(path, number, line, setting)
                self.results[meeting] = result
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(len("".join(f"{line}\n" for line in lines).encode()))

    def _begin(self, path: Path, text: str, head: str) -> None:
        """Write the first line; the file may hold nothing, or a part of that line."""
        if not head.startswith(text):
            raise _other_file(path)
        self._file.truncate(0)
        self._write(head)

    def add(self, meeting: Meeting, result: Finished | Broken) -> None:
        """Write a game down."""
        kind = "failed" if isinstance(result, Broken) else "result"
        self._write(json_text({**asdict(meeting), kind: asdict(result)}))
        self.results[meeting] = result

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()


def _text(path: Path) -> str:
    """The text of a file; empty if there is none. Raises CommandError, for a large file that is another one at once."""
    try:
        if b"\n" not in (head := read_file(path, LONGEST_HEAD)) and len(head) > LONGEST_HEAD:
            raise _other_file(path)
        content = read_file(path, LARGEST)
        if len(content) > LARGEST:
            raise CommandError(f"{path} is too large for a file of arena results")
        return content.decode("utf-8")
    except Unreadable as fault:
        if fault.kind == "missing":
            return ""
        raise CommandError(f"{path} {fault.why}") from None
    except UnicodeDecodeError:
        raise _other_file(path) from None


def _other_file(path: Path) -> CommandError:
    return CommandError(f"{path} is not a file of arena results; name a new file")


def _same(path: Path, line: str, setting: Setting) -> None:
    """Raise CommandError unless a file was begun with the same setting."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        raise _other_file(path) from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise _other_file(path)
    if head.get("format_version") != FORMAT_VERSION:
        raise CommandError(f"{path} was written by another version of Regelwerk; name a new file")
    for name, now in json.loads(json_text(asdict(setting))).items():
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


def _read(path: Path, number: int, line: str, setting: Setting) -> tuple[Meeting, Finished | Broken]:
    """A game of the file. Raises CommandError."""
    try:
        document = json.loads(line)
        meeting = Meeting(tuple(map(int, document["seating"])), int(document["rotation"]))
        fits = len(meeting.seating) == len(setting.players) and set(meeting.seating) <= set(range(len(setting.bots)))
        result = _broken(document["failed"]) if "failed" in document else _finished(document["result"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        fits = False
    if not fits:
        raise CommandError(f"line {number} of {path} is damaged; delete it, and that game is played again")
    return meeting, result


def _finished(found: Mapping[str, Any]) -> Finished:
    scores = tuple(tuple(map(int, criteria)) for criteria in found["scores"])
    return Finished(tuple(map(int, found["winners"])), scores, int(found["decisions"]), str(found["digest"]))


def _broken(found: Mapping[str, Any]) -> Broken:
    return Broken(Failed(**found["failed"]), tuple(map(str, found["moves"])))
