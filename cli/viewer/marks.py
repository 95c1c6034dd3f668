"""Breakpoints and watched expressions of the viewer, stored beside a save.

A breakpoint is stored with the text of its line. If the rules have changed, it follows that line if the text still
occurs exactly once; otherwise it is dropped, with a note. The marks of several people at one keyboard are kept
separate, as a watched expression may reveal somebody's plans.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject, Unreadable, read_file
from dsl.text.replacing import replace_text
from dsl.text.visible import json_text, visible
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from dsl.text.span import Source
    from interpreter.play.game import Game, State

FORMAT = "regelwerk viewer"
MAX_FILE_SIZE = 1_000_000
"""Maximum size of the file in bytes."""
MAX_ENTRIES = 1000
"""Maximum number of breakpoints, and of watched expressions."""
Branch = Callable[["State", int, int], str]
"""Writes a branch of a game after a number of decisions, given also as the viewer counts them; returns a message."""


@dataclass(frozen=True)
class Marks:
    """Breakpoints by file and line, each with its condition, which may be empty; and watched expressions."""

    breakpoints: Mapping[tuple[str, int], str] = field(default_factory=dict)
    watched: Sequence[str] = ()
    note: str = ""


def sources_of(game: Game) -> dict[str, Source]:
    """The sources of a game by their names: the rules and the variants."""
    return {node.span.source.name: node.span.source for node in game.rules.model.file.walk()}


class BesideSave:
    """The file beside a save, with the marks of each owner: a seat, or empty unless several people play.

    Only the marks of `owner` are read and replaced.
    """

    def __init__(self, path: Path, branch: Branch, owner: str = "") -> None:
        self.path, self.branch, self.owner = path, branch, owner

    def load(self, sources: Mapping[str, Source]) -> Marks:
        """The stored marks that fit the current rules; the note says what was dropped."""
        stored = self._document().get(self.owner)
        if not isinstance(stored, dict):
            return Marks()
        breakpoints, lost = dict[tuple[str, int], str](), 0
        named = {Path(name).name: source for name, source in sources.items()}
        for entry in _listed(stored.get("breakpoints")):
            file, line, text, condition = (entry.get(key) for key in ("file", "line", "text", "condition"))
            source = named.get(file) if isinstance(file, str) else None
            number = None if source is None else _current_line(source, line, text)
            if source is None or number is None:
                lost += 1
            else:
                breakpoints[source.name, number] = condition if isinstance(condition, str) else ""
        watched = [visible(text) for text in _listed(stored.get("watched"), str)]
        dropped = Phrase(
            "the rules have changed; {number} breakpoint dropped",
            plural="the rules have changed; {number} breakpoints dropped", number=lost,
        )  # fmt: skip
        return Marks(breakpoints, watched, dropped if lost else "")

    def store(self, marks: Marks, sources: Mapping[str, Source]) -> str:
        """Store the marks, or delete the file if no owner has any; return the reason if that fails."""
        by_owner = {owner: stored for owner, stored in self._document().items() if owner != self.owner}
        breakpoints = [
            {"file": Path(file).name, "line": line, "text": sources[file].line(line), "condition": condition}
            for (file, line), condition in marks.breakpoints.items()
            if file in sources
        ]
        if breakpoints or marks.watched:
            by_owner[self.owner] = {"breakpoints": breakpoints, "watched": list(marks.watched)}
        try:
            if by_owner:
                replace_text(
                    self.path, json_text({"format": FORMAT, "seats": by_owner}, indent=1) + "\n", durable=False
                )
            else:
                self.path.unlink(missing_ok=True)
        except OSError as fault:
            return Phrase("not stored beside the save: {reason}", reason=(fault.strerror or str(fault)).lower())
        return ""

    def _document(self) -> JsonObject:
        """The marks of every owner; none if the file is missing, damaged or of another format."""
        try:
            document = json.loads(read_file(self.path, MAX_FILE_SIZE)[:MAX_FILE_SIZE])
        except (Unreadable, ValueError, RecursionError):
            return {}
        seats = document.get("seats") if isinstance(document, dict) and document.get("format") == FORMAT else None
        return seats if isinstance(seats, dict) else {}


def _listed(entries: object, kind: type = dict) -> list[Any]:
    return [entry for entry in entries if isinstance(entry, kind)][:MAX_ENTRIES] if isinstance(entries, list) else []


def _current_line(source: Source, line: object, text: object) -> int | None:
    """The current number of a stored line: the same if its text is still there, else that of its only occurrence."""
    lines = source.text.split("\n")
    if isinstance(line, int) and 1 <= line <= len(lines) and source.line(line) == text:
        return line
    places = [number for number in range(1, len(lines) + 1) if source.line(number) == text]
    return places[0] if len(places) == 1 and isinstance(text, str) and text.strip() else None
