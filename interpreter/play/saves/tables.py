"""Tables of people in browsers, as they lie in one SQLite file: each is a save, and who sits at it.

The server writes the file (`web/server/store.py`); every command that reads saves reads it as well, while the server
runs or not. The save of a table has the path FILE/TABLE, as if the file were a folder. Whoever changes the file claims
it first: the server keeps its claim as long as it runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject, is_file
from dsl.text.visible import brief
from interpreter.errors import SaveError
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    import sqlite3  # start-up of play, and browsers, which have no SQLite

LAYOUT = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, created REAL NOT NULL, changed REAL NOT NULL, header TEXT NOT NULL, progress TEXT NOT NULL,
    over INTEGER NOT NULL, clock TEXT, pending REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS seats (
    of_table TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat TEXT NOT NULL, kind TEXT NOT NULL,
    name TEXT NOT NULL, token_hash BLOB NOT NULL, PRIMARY KEY (of_table, seat)
) STRICT;
CREATE TABLE IF NOT EXISTS decisions (
    of_table TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, ply INTEGER NOT NULL, seat TEXT NOT NULL,
    notation TEXT NOT NULL, chance TEXT NOT NULL, charged TEXT, seconds REAL NOT NULL, PRIMARY KEY (of_table, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    of_table TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (of_table, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 2;
"""
"""`header` is what stays the same in the save of the table; a decision has the results of `chance` that came after it,
and the `seconds` that were `charged` to a seat when it became known; `pending` are those that are not charged yet."""

VERSION = 2
"""The version of the layout; a file of another one is not opened."""

SPECTATOR = ""
"""The seat of spectators, who share one secret."""

OF_HEADER = (
    "format", "format_version", "warning", "game", "title", "path", "rules_hash", "options", "players", "seed",
    "chance_from", "versions", "board", "variants", "rules", "given", "chance",
)  # fmt: skip
"""What stays the same in the save of a table; `chance` are the results that came up in the setup."""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in a list; `changed` is the time of its last decision, the rest as in a save."""

    id: str
    changed: float
    game: str
    title: str
    kinds: tuple[tuple[str, str], ...]
    decisions: int
    over: bool
    result: str


def table_at(path: Path) -> tuple[Path, str] | None:
    """The file and the table of a path FILE/TABLE; None for any other path."""
    return (path.parent, path.name) if is_file(path.parent) else None


def table_document(path: Path, table: str) -> JsonObject:
    """The save of a table, without its checksum. Raises SaveError."""
    with _reading(path) as file:
        return document_in(file, table)


def document_in(file: sqlite3.Connection, table: str) -> JsonObject:
    """The save of a table in an open file, without its checksum. Raises SaveError if there is no such table."""
    row = file.execute("SELECT header, progress FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        raise SaveError(Phrase("there is no table {table}", table=brief(table)))
    document = cast(JsonObject, json.loads(row[0]))
    decisions = file.execute(
        "SELECT seat, notation, chance FROM decisions WHERE of_table = ? ORDER BY ply", (table,)
    ).fetchall()
    kinds = dict(file.execute("SELECT seat, kind FROM seats WHERE of_table = ?", (table,)).fetchall())
    notes = file.execute("SELECT note FROM notes WHERE of_table = ? ORDER BY number", (table,)).fetchall()
    return document | {
        "seats": {seat: kinds[seat] for seat in document["players"]},
        "progress": json.loads(row[1]),
        "moves": [{"player": seat, "move": notation} for seat, notation, _ in decisions],
        "chance": [*document["chance"], *(drawn for _, _, chance in decisions for drawn in json.loads(chance))],
        "notes": [json.loads(note) for (note,) in notes],
    }


def tables_in(path: Path) -> list[TableSummary]:
    """All tables of a file. Raises SaveError."""
    with _reading(path) as file:
        kinds: dict[str, list[tuple[str, str]]] = {}
        for table, seat, kind in file.execute("SELECT of_table, seat, kind FROM seats WHERE seat != ?", (SPECTATOR,)):
            kinds.setdefault(table, []).append((seat, kind))
        summaries = []
        for table, changed, header, text in file.execute("SELECT id, changed, header, progress FROM tables"):
            document, progress = json.loads(header), json.loads(text)
            seats = sorted(kinds[table], key=lambda seat: document["players"].index(seat[0]))
            summaries.append(
                TableSummary(
                    table,
                    changed,
                    document["game"],
                    document["title"],
                    tuple(seats),
                    progress["decisions"],
                    progress["over"],
                    progress.get("result", ""),
                )
            )
    return summaries


def add_note(file: sqlite3.Connection, table: str, note: Mapping[str, object]) -> None:
    """Add a note to a table in an open file."""
    number = file.execute("SELECT count(*) FROM notes WHERE of_table = ?", (table,)).fetchone()[0]
    file.execute("INSERT INTO notes VALUES (?, ?, ?)", (table, number, json.dumps(note)))


def delete_table(path: Path, table: str) -> None:
    """Delete a table of a file that this process has claimed. Raises SaveError."""
    with writing(path) as file:
        file.execute("DELETE FROM tables WHERE id = ?", (table,))


def check_layout(file: sqlite3.Connection, path: Path) -> None:
    """Raise SaveError, before anything is read or written, for a file that this version has not written.

    An empty file is one that is about to be written.
    """
    version = file.execute("PRAGMA user_version").fetchone()[0]
    is_empty = file.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if version != (0 if is_empty else VERSION):
        raise SaveError(Phrase("{path} was written by another program, or another version of Regelwerk", path=path))


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """A file that this process has claimed, to be changed: all or nothing. Raises SaveError."""
    with _opened(path, "rw") as file:
        file.execute("PRAGMA synchronous = FULL")
        file.execute("PRAGMA foreign_keys = ON")
        with file:
            yield file


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A file as it is now, whatever is written meanwhile. Raises SaveError."""
    with _opened(path, "ro") as file:
        file.execute("BEGIN")
        check_layout(file, path)
        if not file.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise SaveError(Phrase("{path} holds no tables", path=path))
        yield file


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    import sqlite3  # start-up of play, and browsers, which have no SQLite

    try:
        address = f"file:{quote(str(path.absolute()))}?mode={mode}"
        with closing(sqlite3.connect(address, uri=True)) as file:
            yield file
    except sqlite3.Error as fault:
        raise SaveError(Phrase("{path} cannot be read: {reason}", path=path, reason=str(fault))) from None
