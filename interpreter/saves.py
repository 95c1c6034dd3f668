"""Saves: a header and the moves, in one documented JSON format; a state is rebuilt by playing them again.

A file is replaced in one step, so that a kill at any instant leaves either the old save or the new one. The JSON
Schema of the format is `interpreter/save_schema.json`, made from `SaveFile`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
import tempfile
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from interpreter.faults import SaveFault
from interpreter.own_board import board_again
from interpreter.own_variants import variant_again

if TYPE_CHECKING:
    from interpreter import State
    from interpreter.chance import Chance, ChanceEvent
    from interpreter.replaying import Divergence
    from interpreter.savefile import SaveFile

FORMAT = "regelwerk save"
FORMAT_VERSION = 1
WARNING = "This file holds everything that is secret in the game. Who plays should not read it; who edits it ends it."
LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True)
class Note:
    """Something that happened beside the rules: an undo, a game laid open, a seat given to somebody else, other rules.

    `ply` is how many decisions had been made (after an undo: those that stayed), `player` the seat it came from,
    `agreed` the seats that agreed to an undo, `moves` what it took back as (seat, move).
    """

    ply: int
    kind: Literal["undo", "opened", "seat", "rules"]
    player: str | None
    text: str
    agreed: tuple[str, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SaveMeta:
    """What a save holds beside the game: who sits where (seat: kind), and what happened around the moves."""

    seats: Mapping[str, str]
    notes: Sequence[Note] = ()


def save_document(state: State, meta: SaveMeta) -> dict[str, Any]:
    """The save as plain data, with its checksum."""
    game = state.game
    document: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "warning": WARNING,
        "game": game.name,
        "title": game.title,
        "path": _hint(game.path),
        "rules_hash": game.rules.hash,
        "options": dict(game.options),
        "players": list(game.seats),
        "seats": dict(meta.seats),
        "seed": state.seed,
        "chance_from": "seed" if state.journal.chance is None else "supplied",
        "versions": versions(),
        "moves": [{"player": made.player, "move": made.notation} for made in state.history],
        "chance": list(state.chance_results),
        "notes": [_note_document(note) for note in meta.notes],
    }
    if game.rules.board is not None:
        document["board"] = _hint(game.rules.board)
    if game.rules.variants:
        document["variants"] = [_hint(path) for path in game.rules.variants]
    return document | {"checksum": checksum(document)}


def _hint(path: Path) -> str:
    """Where a file is; bytes of a file name that are no text are lost."""
    return str(path.absolute()).encode("utf-8", "replace").decode("utf-8")


def _note_document(note: Note) -> dict[str, Any]:
    moves = [{"player": player, "move": move} for player, move in note.moves]
    return asdict(note) | {"agreed": list(note.agreed), "moves": moves}


def notes_of(save: SaveFile) -> list[Note]:
    """The notes of a save that was read."""
    return [
        Note(note.ply, note.kind, note.player, note.text, note.agreed, tuple((m.player, m.move) for m in note.moves))
        for note in save.notes
    ]


def checksum(document: Mapping[str, Any]) -> str:
    """SHA-256 of the document without its checksum, as JSON with sorted keys and no blanks."""
    content = {key: value for key, value in document.items() if key != "checksum"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def save_text(state: State, meta: SaveMeta) -> str:
    """The save as the text of its file."""
    return json.dumps(save_document(state, meta), indent=1, ensure_ascii=False) + "\n"


@cache
def versions() -> dict[str, str]:
    """What wrote the save."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        own = version("regelwerk")
    except PackageNotFoundError:
        own = "unpacked"
    return {"regelwerk": own, "python": platform.python_version()}


def write_save(path: Path, state: State, meta: SaveMeta, *, durable: bool = True) -> None:
    """Replace the save at `path` in one step; `durable` waits until it is on the disk. Raises OSError."""
    replace_text(path, save_text(state, meta), durable=durable)


def replace_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Write a file so that at every instant either the old or the whole new content is there.

    Who may read and write it stays as it was; a new file is its owner's alone.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, name)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    if durable:
        _settle(target.parent)


def _settle(folder: Path) -> None:
    """Make the new name of a file last, where the system lets one."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_save(path: Path) -> SaveFile:
    """The save at `path`; raises SaveFault with one line that says what is wrong with it."""
    from pydantic import ValidationError

    from interpreter.savefile import SaveFile

    document = _document(path, _text(path))
    if document.get("format") != FORMAT:
        raise SaveFault(f"{path} is not a save of Regelwerk")
    if document.get("format_version") != FORMAT_VERSION:
        raise SaveFault(
            f"{path} has format version {document.get('format_version')}; this Regelwerk reads version {FORMAT_VERSION}"
        )
    if document.get("checksum") != checksum(document):
        raise SaveFault(f"{path} was edited or damaged: its checksum does not fit its content")
    try:
        return SaveFile.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as fault:
        first = fault.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SaveFault(f"{path} does not hold what a save must: {place}: {first['msg'].lower()}") from None


def _text(path: Path) -> str:
    try:
        if path.is_dir():
            raise SaveFault(f"{path} is a folder, not a save")
        if path.exists() and not path.is_file():
            raise SaveFault(f"{path} is not a file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise SaveFault(f"there is no save {path}") from None
    except OSError as fault:
        raise SaveFault(f"{path} cannot be read: {(fault.strerror or str(fault)).lower()}") from None
    if len(content) > LARGEST:
        raise SaveFault(f"{path} is too large for a save")
    if not content.strip():
        raise SaveFault(f"{path} is empty")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise SaveFault(f"{path} is not a save: it is not text") from None


def _document(path: Path, text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        line = f" (line {fault.lineno})" if isinstance(fault, json.JSONDecodeError) else ""
        if FORMAT in text[:200]:
            raise SaveFault(f"{path} is cut off or damaged{line}") from None
        raise SaveFault(f"{path} is not a save: it is not JSON{line}") from None
    if not isinstance(document, dict):
        raise SaveFault(f"{path} is not a save of Regelwerk")
    return document


class Recorded:
    """Chance that gives the results of a save first, then those of `more`."""

    def __init__(self, results: Sequence[Any], more: Chance | None) -> None:
        self.results, self.more = deque(results), more

    def __call__(self, event: ChanceEvent) -> Any:
        """The next result."""
        if self.results:
            return self.results.popleft()
        if self.more is None:
            raise SaveFault("shuffles and dice of this save were supplied from outside; it goes on only with more")
        return self.more(event)


class Diverged(SaveFault):
    """A save whose moves are not all legal under the rules as they are now: the game as far as they carry, and why."""

    def __init__(self, message: str, state: State, divergence: Divergence) -> None:
        self.state, self.divergence = state, divergence
        super().__init__(message)


def resume(save: SaveFile, *, at: int | None = None, chance: Chance | None = None, traced: bool = False) -> State:
    """Play the moves of a save again, all or the first `at`.

    `chance` supplies what comes after the results of a save whose chance was supplied. Raises SaveFault where that
    cannot be done, Diverged if a move is no longer legal.
    """
    from interpreter import load
    from interpreter.catalogue import find
    from interpreter.faults import RuntimeFault, UsageFault
    from interpreter.replaying import replay

    try:
        rules = Path(save.path) if Path(save.path).is_file() else find(save.game)
        board = None if save.board is None else board_again(save.board, rules)
        if save.board is not None and board is None:
            raise SaveFault(
                f"the save of {save.title} was played on the board {save.board}, which is not there; "
                "put it back, or into the current folder, or beside the rules"
            )
        variants = [_variant(save, known, rules) for known in save.variants]
        game = load(rules, players=save.players, options=save.options, board=board, variants=variants)
    except UsageFault as fault:
        raise SaveFault(f"the save of {save.title} cannot be resumed: {fault}") from None
    if game.name != save.game:
        raise SaveFault(f"the save is of `{save.game}`, but {save.path} is now `{game.name}`")
    changed = "the rules have changed since the save was written; " if game.rules.hash != save.rules_hash else ""
    try:
        supplied = Recorded(save.chance, chance) if save.chance_from == "supplied" else None
        moves = [(made.player, made.move) for made in save.moves[:at]]
        state, divergence = replay(game, moves, save.seed, supplied, traced)
    except RuntimeFault as fault:
        raise SaveFault(f"{changed}the game cannot be played again: {fault}") from None
    if divergence is not None:
        raise Diverged(f"{changed}{divergence.reason}", state, divergence)
    results = json.loads(json.dumps(list(state.chance_results)))
    if results != list(save.chance)[: len(results)] or (at is None and len(results) != len(save.chance)):
        raise SaveFault(
            f"{changed or 'this Regelwerk draws another way than the one that wrote the save; '}"
            "shuffles and dice come out differently, so the game cannot go on"
        )
    return state


def _variant(save: SaveFile, known: str, rules: Path) -> Path:
    """The file of a variant of a save."""
    found = variant_again(known, rules)
    if found is None:
        raise SaveFault(
            f"the save of {save.title} was played with the variant {known}, which is not there; "
            "put it back, or into the folder `variants` beside the rules"
        )
    return found
