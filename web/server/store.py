"""What is kept of tables: their games, their seats, and every decision, in one SQLite file.

A decision is on the disk before anybody is shown it (`PRAGMA synchronous = FULL`), so that a server that is killed, or
a machine that loses power, forgets nothing that somebody has seen. A table is stored as the parts of a save
(`interpreter/play/saves/tables.py`), and is played through again when it is opened.

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
from time import time

from dsl.lazy_dataclasses import dataclass
from dsl.text.claims import Claim, ClaimedError
from dsl.text.visible import brief
from interpreter.errors import SaveError, UsageError
from interpreter.play.game import State
from interpreter.play.saves.files import Note, SaveMeta, note_document, progress_of, save_document, save_of_table
from interpreter.play.saves.model import SaveFile
from interpreter.play.saves.tables import LAYOUT, OF_HEADER, SPECTATOR, add_note, check_layout, document_in
from interpreter.wording.phrases import Phrase
from web.clock import Charge, TimeLimit

ID_BYTES, TOKEN_BYTES = 8, 16


@dataclass(frozen=True, slots=True)
class StoredTable:
    """All that is kept of a table: its save, the names of the people, and the clock as it was left."""

    save: SaveFile
    names: Mapping[str, str]
    limit: TimeLimit | None
    charges: tuple[Charge, ...]
    pending: float


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
            check_layout(self._file, path)
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
        self, state: State, kinds: Mapping[str, str], names: Mapping[str, str], limit: TimeLimit | None, created: float
    ) -> tuple[str, dict[str, str]]:
        """Keep a new table; its name, and the secret of each seat and of the spectators, which are not kept."""
        table = secrets.token_urlsafe(ID_BYTES)
        tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in (*kinds, SPECTATOR)}
        document = save_document(state, SaveMeta(kinds))
        header = {key: document[key] for key in OF_HEADER if key in document}
        clock = None if limit is None else json.dumps(asdict(limit))
        with self.transaction() as file:
            file.execute(
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, 0, ?, 0.0)",
                (table, created, created, json.dumps(header), json.dumps(document["progress"]), clock),
            )
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
            head = file.execute("SELECT clock, pending FROM tables WHERE id = ?", (table,)).fetchone()
            if head is None:
                raise UsageError(Phrase("there is no table {table}", table=brief(table)))
            document = document_in(file, table)
            names = file.execute("SELECT seat, name FROM seats WHERE of_table = ? AND name != ''", (table,)).fetchall()
            charges = file.execute(
                "SELECT ply + 1, charged, seconds FROM decisions WHERE of_table = ? AND charged NOT NULL ORDER BY ply",
                (table,),
            ).fetchall()
        save, limit = save_of_table(document, table), None if head[0] is None else TimeLimit(**json.loads(head[0]))
        return StoredTable(save, dict(names), limit, tuple(Charge(*row) for row in charges), head[1])

    def forget(self, before: float, attended: Sequence[str]) -> list[str]:
        """Delete the tables whose game was over before a time, or at which nobody had decided by then; their names.

        Those that are `attended` are kept.
        """
        with self.transaction() as file:
            rows = file.execute(
                "DELETE FROM tables WHERE changed < ? AND id NOT IN (SELECT value FROM json_each(?)) "
                "AND (over OR NOT EXISTS (SELECT 1 FROM decisions WHERE of_table = id)) RETURNING id",
                (before, json.dumps(attended)),
            ).fetchall()
        return [table for (table,) in rows]

    def ticked(self, pending: Mapping[str, float]) -> None:
        """Keep how long the decisions of tables have taken so far."""
        with self.transaction() as file:
            file.executemany(
                "UPDATE tables SET pending = ? WHERE id = ?", [(seconds, table) for table, seconds in pending.items()]
            )

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

    def decided(self, state: State, drawn: int, charge: Charge | None, pending: float) -> None:
        """See `Keeper`. Raises SaveError if it cannot be written."""
        record, chance = state.history[-1], json.dumps(state.chance_results[drawn:])
        charged, seconds = (None, 0.0) if charge is None else (charge.seat, charge.seconds)
        with self.store.transaction() as file:
            file.execute(
                "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self.table, state.ply - 1, record.player, record.notation, chance, charged, seconds),
            )
            self._moved_on(file, state, pending)

    def taken_back(self, state: State, note: Note | None, pending: float) -> None:
        """See `Keeper`. Raises SaveError if it cannot be written."""
        with self.store.transaction() as file:
            file.execute("DELETE FROM decisions WHERE of_table = ? AND ply >= ?", (self.table, state.ply))
            self._moved_on(file, state, pending)
            if note is not None:
                add_note(file, self.table, note_document(note))

    def _moved_on(self, file: sqlite3.Connection, state: State, pending: float) -> None:
        file.execute(
            "UPDATE tables SET changed = ?, progress = ?, over = ?, pending = ? WHERE id = ?",
            (time(), json.dumps(progress_of(state)), state.over, pending, self.table),
        )

    def handed_over(self, seat: str, kind: str, note: Note) -> None:
        """See `Keeper`. Raises SaveError if it cannot be written."""
        with self.store.transaction() as file:
            file.execute("UPDATE seats SET kind = ? WHERE of_table = ? AND seat = ?", (kind, self.table, seat))
            add_note(file, self.table, note_document(note))

    def ticked(self, pending: float) -> None:
        """See `Keeper`. Raises SaveError if it cannot be written."""
        self.store.ticked({self.table: pending})


def _hashed(token: str) -> bytes:
    """A secret of 128 bits cannot be guessed, so that its hash needs neither salt nor many rounds."""
    return sha256(token.encode("utf-8", "replace")).digest()
