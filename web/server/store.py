"""What is kept of tables: their games, their seats, and every decision, in one SQLite file.

A decision is on the disk before anybody is shown it (`PRAGMA synchronous = FULL`), so that a server that is killed, or
a machine that loses power, forgets nothing that somebody has seen. A table is stored as its beginning and its
decisions, like a save, and is played through again when it is opened.

Secrets of seats are stored as hashes: whoever reads the file cannot sit down in somebody's place.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from dsl.text.claims import Claim, ClaimedError
from dsl.text.visible import brief
from interpreter.errors import SaveError, UsageError
from interpreter.play.saves.files import Note
from interpreter.wording.phrases import Phrase

LAYOUT = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, created REAL NOT NULL, beginning TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS seats (
    of_table TEXT NOT NULL REFERENCES tables(id), seat TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    token_hash BLOB NOT NULL, PRIMARY KEY (of_table, seat)
) STRICT;
CREATE TABLE IF NOT EXISTS decisions (
    of_table TEXT NOT NULL REFERENCES tables(id), ply INTEGER NOT NULL, seat TEXT NOT NULL, notation TEXT NOT NULL,
    PRIMARY KEY (of_table, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    of_table TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (of_table, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
"""

VERSION = 1
"""The version of the layout; a file of another one is not opened."""

SPECTATOR = ""
"""The seat of spectators, who share one secret."""

ID_BYTES, TOKEN_BYTES = 8, 16


@dataclass(frozen=True, slots=True)
class Beginning:
    """How the game of a table began: enough to begin it again, and to notice that its rules have changed since."""

    game: str
    path: str
    rules_hash: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    variants: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """All that is kept of a table; `decisions` are pairs of seat and notation."""

    id: str
    beginning: Beginning
    kinds: Mapping[str, str]
    names: Mapping[str, str]
    decisions: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]


class Store:
    """The file with all tables. Its methods may be called from any thread. Raises SaveError if it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            # Two servers would each go on from what they remember of a table, and mix up its decisions.
            self._claim = Claim(path)
        except ClaimedError as fault:
            raise SaveError(f"another server keeps its tables in {path} (process {fault.process})") from None
        try:
            # The files beside it, which hold decisions as well, get the permissions that this one has when opened.
            path.touch(0o600)
            path.chmod(0o600)
            self._file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._check_layout()
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._file.executescript(LAYOUT)
        except (OSError, sqlite3.Error) as fault:
            self._claim.release()
            reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else fault
            raise SaveError(f"cannot keep tables in {path}: {reason}") from None
        except SaveError:
            self._claim.release()
            raise

    def _check_layout(self) -> None:
        """Raise SaveError, before anything is written, for a file that was not written by this version."""
        version = self._file.execute("PRAGMA user_version").fetchone()[0]
        is_empty = self._file.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if version != (0 if is_empty else VERSION):
            raise SaveError(f"{self.path} was written by another program, or another version of Regelwerk")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()
        self._claim.release()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """For each look into the file. Raises SaveError if it cannot be read."""
        with self._lock:
            try:
                yield self._file
            except sqlite3.Error as fault:
                raise SaveError(f"cannot read {self.path}: {fault}") from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; on the disk when the block is left. Raises SaveError."""
        with self._lock:
            try:
                self._file.execute("BEGIN IMMEDIATE")
                try:
                    yield self._file
                    self._file.execute("COMMIT")
                except BaseException:
                    # A full disk ends the transaction itself, while a COMMIT that has failed leaves it open.
                    if self._file.in_transaction:
                        self._file.execute("ROLLBACK")
                    raise
            except sqlite3.Error as fault:
                raise SaveError(f"cannot write {self.path}: {fault}") from None

    def add(
        self, beginning: Beginning, kinds: Mapping[str, str], names: Mapping[str, str], created: float
    ) -> tuple[str, dict[str, str]]:
        """Keep a new table; its name, and the secret of each seat and of the spectators, which are not kept."""
        table = secrets.token_urlsafe(ID_BYTES)
        tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in (*kinds, SPECTATOR)}
        with self.transaction() as file:
            file.execute("INSERT INTO tables VALUES (?, ?, ?)", (table, created, json.dumps(asdict(beginning))))
            file.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?)",
                [
                    (table, seat, kinds.get(seat, ""), names.get(seat, ""), _hashed(token))
                    for seat, token in tokens.items()
                ],
            )
        return table, tokens

    def seat_of(self, table: str, token: str) -> str | None:
        """The seat that a secret opens, None for spectators. Raises UsageError if it opens none."""
        with self.reading() as file:
            row = file.execute(
                "SELECT seat FROM seats WHERE of_table = ? AND token_hash = ?", (table, _hashed(token))
            ).fetchone()
        if row is None:
            raise UsageError(Phrase("this link does not lead to a seat; ask for a new one"))
        return str(row[0]) or None

    def table(self, table: str) -> StoredTable:
        """All that is kept of a table. Raises UsageError if there is no such table."""
        with self.reading() as file:
            head = file.execute("SELECT beginning FROM tables WHERE id = ?", (table,)).fetchone()
            if head is None:
                raise UsageError(Phrase("there is no table {table}", table=brief(table)))
            seats = file.execute("SELECT seat, kind, name FROM seats WHERE of_table = ?", (table,)).fetchall()
            decisions = file.execute(
                "SELECT seat, notation FROM decisions WHERE of_table = ? ORDER BY ply", (table,)
            ).fetchall()
            notes = file.execute("SELECT note FROM notes WHERE of_table = ? ORDER BY number", (table,)).fetchall()
        data = json.loads(head[0])
        beginning = Beginning(**data | {name: tuple(data[name]) for name in ("players", "variants")})
        kinds = {seat: kind for seat, kind, _ in seats if seat != SPECTATOR}
        names = {seat: name for seat, _, name in seats if name}
        return StoredTable(
            table, beginning, {seat: kinds[seat] for seat in beginning.players}, names,
            tuple((seat, notation) for seat, notation in decisions),
            tuple(_note(json.loads(note)) for (note,) in notes),
        )  # fmt: skip

    def count(self) -> int:
        """The number of tables."""
        with self.reading() as file:
            return int(file.execute("SELECT count(*) FROM tables").fetchone()[0])

    def keeper(self, table: str) -> StoreKeeper:
        """What keeps the decisions of a table."""
        return StoreKeeper(self, table)


@dataclass(frozen=True, slots=True)
class StoreKeeper:
    """Keeps what happens at one table."""

    store: Store
    table: str

    def decided(self, ply: int, seat: str, notation: str) -> None:
        """See `Keeper`. Raises SaveError if it cannot be written."""
        with self.store.transaction() as file:
            file.execute("INSERT INTO decisions VALUES (?, ?, ?, ?)", (self.table, ply, seat, notation))

    def taken_back(self, ply: int, note: Note | None) -> None:
        """See `Keeper`. Raises SaveError if it cannot be written."""
        with self.store.transaction() as file:
            file.execute("DELETE FROM decisions WHERE of_table = ? AND ply >= ?", (self.table, ply))
            if note is None:
                return
            number = file.execute("SELECT count(*) FROM notes WHERE of_table = ?", (self.table,)).fetchone()[0]
            file.execute("INSERT INTO notes VALUES (?, ?, ?)", (self.table, number, json.dumps(asdict(note))))


def _hashed(token: str) -> bytes:
    """A secret of 128 bits cannot be guessed, so that its hash needs neither salt nor many rounds."""
    return sha256(token.encode("utf-8", "replace")).digest()


def _note(data: Mapping[str, object]) -> Note:
    agreed, moves = data["agreed"], data["moves"]
    assert isinstance(agreed, Sequence) and isinstance(moves, Sequence)
    return Note(**{**data, "agreed": tuple(agreed), "moves": tuple((seat, move) for seat, move in moves)})  # type: ignore[arg-type]
