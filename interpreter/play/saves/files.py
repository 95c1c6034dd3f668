"""Saves: a header and the moves, in one documented JSON format; a state is rebuilt by replaying them.

A file is replaced atomically, so that a kill at any instant leaves either the old save or the new one. The JSON Schema
of the format is `save.schema.json` beside this file, generated from `SaveFile`.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from dsl.diagnostics import RulesError
from dsl.lazy_dataclasses import dataclass
from dsl.text.claims import fingerprint, fingerprint_at
from dsl.text.files import Unreadable, has_suffix, is_file, read_file
from dsl.text.replacing import replace_text
from dsl.text.span import Source
from dsl.text.visible import brief, json_text
from interpreter.arguments import described, integer_of, path_of
from interpreter.errors import PlayError, PositionError, SaveError, UsageError, thing
from interpreter.loading.custom_board import find_saved_board
from interpreter.loading.game_library import find_named
from interpreter.loading.rules import Origin
from interpreter.loading.rules_texts import RulesFiles, packed_texts, unpacked_files
from interpreter.loading.variants import find_saved_variant
from interpreter.play.game import Game, State, load
from interpreter.play.saves.replay import Divergence, divergence_told, replay
from interpreter.play.saves.tables import add_note, table_at, table_document, writing
from interpreter.play.trace.failed_decision import told_to
from interpreter.runtime.chance import Chance, RecordedChance
from interpreter.seat.explain.outcome import verdict, winners_of
from interpreter.version import __version__
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN

if TYPE_CHECKING:
    from interpreter.play.saves.model import SaveFile

FORMAT = "regelwerk save"
FORMAT_VERSION = 2
PERSON = "human"
"""Who plays a seat if no bot does."""
WARNING = "This file contains the secrets of the game. Players should not read it; once edited, it cannot be loaded."
MAX_MOVES = 100_000
"""Maximum number of decisions in a save: as many as a game of random moves may have."""
MAX_SAVE_BYTES = 16_000_000
"""Maximum size of a save in bytes."""
MAX_PARTS, MAX_VALUES = 600_000, 2_000_000
"""Maximum number of objects and lists, and of values; counted before anything is built from them."""


@dataclass(frozen=True)
class Note:
    """An event outside the rules: an undo, a game revealed, a seat handed over, changed rules, a branch.

    `ply` is the number of decisions made (after an undo: of those that remained), `player` the seat it came from,
    `agreed` the seats that agreed to an undo, `moves` what it took back as (seat, move).
    """

    ply: int
    kind: Literal["undo", "opened", "seat", "rules", "branch"]
    player: str | None
    text: str
    agreed: tuple[str, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SaveMeta:
    """The contents of a save besides the game: who plays each seat (seat: kind), and the notes.

    `failing` is the move of the pending decision in which a rule failed, so that it is not among those made.
    """

    seats: Mapping[str, str]
    notes: Sequence[Note] = ()
    failing: str | None = None


def save_document(state: State, meta: SaveMeta) -> dict[str, object]:
    """Convert a state to the plain data of a save, with its checksum. Raises UsageError for wrong arguments."""
    if not isinstance(state, State):
        raise UsageError(f"a save is made from a State, not from {described(state)}")
    _check_meta(meta)
    game = state.game
    origin = game.rules.origin or _origin(game)
    document: dict[str, object] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "warning": WARNING,
        "game": game.name,
        "title": game.title,
        "path": origin.path,
        "rules_hash": game.rules.hash,
        "rules": packed_texts(game.rules),
        "options": dict(game.options),
        "players": list(game.seats),
        "seats": dict(meta.seats),
        "seed": state.seed,
        "chance_from": "seed" if state.journal.chance is None else "supplied",
        "progress": progress_of(state),
        "versions": {"regelwerk": __version__, "python": platform.python_version()},
        "moves": [{"player": record.player, "move": record.notation} for record in state.history],
        "chance": list(state.chance_results),
        "notes": [note_document(note) for note in meta.notes],
    }
    if origin.board is not None:
        document["board"] = origin.board
    if origin.variants:
        document["variants"] = list(origin.variants)
    if game.given is not None:
        document["given"] = game.given.text
    if meta.failing is not None:
        document["failing"] = _without_surrogates(meta.failing)
    return document | {"checksum": checksum(document)}


def _origin(game: Game) -> Origin:
    rules = game.rules
    board = None if rules.board is None else _path_text(rules.board)
    return Origin(_path_text(game.path), board, tuple(map(_path_text, rules.variants)))


def progress_of(state: State) -> dict[str, object]:
    """How far a game has come, as in a save: only decisions of which every seat knows are counted before its end."""
    known = sum(1 for record in state.history if state.over or not record.unnoticed)
    return {"decisions": known, "over": state.over, **_result(state)}


def _result(state: State) -> dict[str, str]:
    """Who has won, in plain words; nothing before the end, or if a criterion of `winner` fails."""
    try:
        if state.over:
            program = state.program.in_words(PLAIN)
            return {"result": _without_surrogates(verdict(program, state.cells, winners_of(program, state.cells)))}
    except PlayError:
        pass  # reported where the outcome is shown
    return {}


def _check_meta(meta: object) -> None:
    if not isinstance(meta, SaveMeta):
        raise UsageError(f"a save needs a SaveMeta in addition to the state, not {described(meta)}")
    seats, notes = meta.seats, meta.notes
    if not isinstance(seats, Mapping) or not all(isinstance(word, str) for pair in seats.items() for word in pair):
        raise UsageError(f"the seats of a save must be a mapping of seats to who plays them, not {described(seats)}")
    if isinstance(notes, str) or not isinstance(notes, Sequence) or not all(isinstance(note, Note) for note in notes):
        raise UsageError(f"the notes of a save must be a list of Note, not {described(notes)}")


def _path_text(path: Path) -> str:
    """The path of a file as text; bytes of a file name that are not text are replaced."""
    return _without_surrogates(str(path.absolute()))


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates in a text, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def note_document(note: Note) -> dict[str, object]:
    """A note as in a save."""
    moves = [{"player": player, "move": move} for player, move in note.moves]
    return asdict(note) | {"text": _without_surrogates(note.text), "agreed": list(note.agreed), "moves": moves}


def notes_of(save: SaveFile) -> list[Note]:
    """The notes of a loaded save."""
    return [
        Note(note.ply, note.kind, note.player, note.text, note.agreed, tuple((m.player, m.move) for m in note.moves))
        for note in save.notes
    ]


def checksum(document: Mapping[str, object]) -> str:
    """SHA-256 of the document without its checksum, as JSON with sorted keys and no blanks."""
    content = {key: value for key, value in document.items() if key != "checksum"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def save_text(state: State, meta: SaveMeta) -> str:
    """Convert a state to the text of a save file. Raises UsageError, and SaveError if it could not be read again."""
    text = json_text(save_document(state, meta), indent=1) + "\n"
    _check_size(text, Phrase("the game"))
    _check_count(state.ply, Phrase("the game"))
    return text


def _check_size(text: str, subject: object) -> None:
    """Raise SaveError if parsing a text as a save would take too much memory."""
    if len(text) > MAX_SAVE_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_SAVE_BYTES:
        raise _too_large(subject)
    moves = text.count('"move"')
    if moves > 2 * MAX_MOVES:
        _check_count(moves, subject)
    if text.count("{") + text.count("[") > MAX_PARTS or text.count(",") > MAX_VALUES:
        raise SaveError(Phrase("{path} has too many values for a save", path=subject))


def _too_large(subject: object) -> SaveError:
    size = MAX_SAVE_BYTES // 1_000_000
    return SaveError(
        Phrase("{path} is too large for a save, which may have at most {size} MB", path=subject, size=size)
    )


def _check_count(moves: int, subject: object) -> None:
    """Raise SaveError if a save may not have this number of moves."""
    if moves > MAX_MOVES:
        phrase = Phrase("{path} has {moves} moves; a save may have at most {most}", path=subject, moves=moves,
                        most=MAX_MOVES)  # fmt: skip
        raise SaveError(phrase)


def write_save(path: str | Path, state: State, meta: SaveMeta, *, durable: bool = True) -> str:
    """Replace the save at `path` atomically and return the fingerprint of its content; `durable` waits for the disk.

    Raises OSError, SaveError, UsageError.
    """
    text = save_text(state, meta)
    replace_text(path_of(path, "a save is named by", SaveError), text, durable=durable)
    return fingerprint(text.encode())


def record_note(path: Path, state: State, meta: SaveMeta) -> None:
    """Keep the last of the notes in a save, or at a table, whose file is claimed. Raises like `write_save`."""
    table = table_at(path)
    if table is None:
        write_save(path, state, meta)
        return
    file, name = table
    with writing(file) as connection:
        add_note(connection, name, note_document(meta.notes[-1]))


def save_fingerprint(path: Path) -> str | None:
    """The fingerprint of the save at `path` as it is now; None if there is none."""
    return fingerprint_at(path, MAX_SAVE_BYTES)


def read_save(path: str | Path) -> SaveFile:
    """Read the save at `path`, which may be that of a table: see `tables.py`.

    Raises SaveError with one line that says what is wrong with it.
    """
    path = path_of(path, "a save is named by", SaveError)
    table = table_at(path)
    return (
        _checked(_document(path, _text(path)), path) if table is None else save_of_table(table_document(*table), path)
    )


def save_of_table(document: Mapping[str, object], path: object) -> SaveFile:
    """The save of a table, of which `path` is the name. Raises SaveError."""
    return _checked({**document, "checksum": checksum(document)}, path)


def _checked(document: Mapping[str, object], path: object) -> SaveFile:
    # start-up of play, which writes saves but reads none: pydantic takes long to import
    from pydantic import ValidationError

    from interpreter.play.saves.model import SaveFile

    if document.get("format") != FORMAT:
        raise SaveError(Phrase("{path} is not a Regelwerk save", path=path))
    version = document.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool):
        found = f'"{version}"' if isinstance(version, str) else json_text(version)
        problem = f"format_version: expected {FORMAT_VERSION}, found {brief(found)}"
        raise SaveError(Phrase("{path} is not a valid save: {problem}", path=path, problem=problem))
    if version != FORMAT_VERSION:
        raise SaveError(
            Phrase(
                "{path} has format version {version}; this version of Regelwerk reads version {readable}",
                path=path, version=brief(version), readable=FORMAT_VERSION,
            )
        )  # fmt: skip
    moves = document.get("moves")
    if isinstance(moves, list):
        _check_count(len(moves), path)
    if document.get("checksum") != checksum(document):
        raise SaveError(Phrase("{path} was edited or damaged: its checksum does not match its content", path=path))
    try:
        return SaveFile.model_validate_json(json.dumps(document, ensure_ascii=False).encode("utf-8"), strict=True)
    except UnicodeEncodeError:
        raise SaveError(Phrase("{path} is not a valid save: a text contains half of a character", path=path)) from None
    except ValidationError as fault:
        details = fault.errors()[0]
        location = brief(".".join(str(part) for part in details["loc"]))
        problem = f"{location}: {details['msg'].lower()}"
        raise SaveError(Phrase("{path} is not a valid save: {problem}", path=path, problem=problem)) from None


def _text(path: Path) -> str:
    try:
        content = read_file(path, MAX_SAVE_BYTES)
    except Unreadable as fault:
        if fault.kind == "missing":
            raise SaveError(Phrase("there is no save {path}", path=path)) from None
        if fault.kind == "failed":
            raise SaveError(Phrase("{path} cannot be read: {reason}", path=path, reason=fault.what)) from None
        raise SaveError(Phrase("{path} is {thing}, not a save", path=path, thing=thing(fault.what))) from None
    if len(content) > MAX_SAVE_BYTES:
        raise _too_large(path)
    if not content.strip():
        raise SaveError(Phrase("{path} is empty", path=path))
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise SaveError(Phrase("{path} is not a save: it is not text", path=path)) from None
    _check_size(text, path)
    return text


def _document(path: Path, text: str) -> dict[str, object]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        line = Phrase(" (line {line})", line=fault.lineno) if isinstance(fault, json.JSONDecodeError) else ""
        if FORMAT in text[:200]:
            raise SaveError(Phrase("{path} is truncated or damaged{line}", path=path, line=line)) from None
        raise SaveError(Phrase("{path} is not a save: it is not JSON{line}", path=path, line=line)) from None
    if not isinstance(document, dict):
        raise SaveError(Phrase("{path} is not a Regelwerk save", path=path))
    return document


class DivergedError(SaveError):
    """A save with a move that is not legal under the current rules: the game up to that move, and the reason."""

    def __init__(self, message: str, state: State, divergence: Divergence) -> None:
        self.state, self.divergence = state, divergence
        super().__init__(message)

    def __reduce__(self) -> tuple[type[DivergedError], tuple[str, State, Divergence]]:
        return type(self), (self.message, self.state, self.divergence)


WhichRules = Literal["new", "saved"]
WHICH_RULES: tuple[WhichRules, ...] = get_args(WhichRules)
"""The rules of a resumed game: as their files are now, or as the save holds them."""

Loading = Callable[[Path, Sequence[str], Mapping[str, str], Path | None, Sequence[Path]], Game]
"""Loads a game from its rules, with its seats, its options, its board and its variants."""


def resume(
    save: SaveFile, *, at: int | None = None, chance: Chance | None = None,
    language: str | None = None, loading: Loading | None = None, rules: WhichRules = "new",
) -> State:  # fmt: skip
    """Replay the moves of a save, all or the first `at`; for `language` see `load`, which `loading` replaces.

    `rules` are those of the files as they are now, or those that the save holds.

    `chance` supplies what comes after the results of a save whose chance was supplied. Raises SaveError where that
    cannot be done, DivergedError if a move is no longer legal.
    """
    from interpreter.play.saves.model import SaveFile  # start-up of play: pydantic takes long to import

    if not isinstance(save, SaveFile):
        raise SaveError(f"expected a save from `read_save`, not {described(save)}")
    if at is not None:
        integer_of(at, "the number of moves to play", least=0)
    if chance is not None and not callable(chance):
        raise SaveError(f"`chance` must be a function that returns results, not {described(chance)}")
    try:
        files = _files_now(save) if rules == "new" else saved_files(save)
        loading = loading or partial(load, language=language)
        game = loading(files.rules, save.players, save.options, files.board, files.variants)
        if rules == "saved":
            game.rules.origin = Origin(save.path, save.board, save.variants)
        if save.given is not None:
            from interpreter.play.scenes.starting import game_at  # start-up of play without it

            try:
                game = game_at(game, Source("the position in the save", save.given))
            except (RulesError, PositionError) as fault:
                told = told_to(_reader(save), fault, is_open=game.is_open)
                reason = (
                    told.diagnostics[0].message
                    if isinstance(told, RulesError)
                    else told.message.splitlines()[-1].strip()
                )
                raise SaveError(
                    Phrase(
                        "the save of {title} begins in a position that these rules do not have: {reason}",
                        title=brief(save.title),
                        reason=reason,
                    )
                ) from None
    except UsageError as fault:
        reason = fault.message if isinstance(fault.message, Phrase) else str(fault).splitlines()[-1].strip()
        raise SaveError(
            Phrase("the save of {title} cannot be resumed: {reason}", title=brief(save.title), reason=reason)
        ) from None
    if game.name != save.game:
        raise SaveError(
            Phrase(
                "the save is for `{game}`, but {path} is now `{name}`",
                game=brief(save.game), path=brief(save.path), name=game.name,
            )
        )  # fmt: skip
    seats = {*save.seats, *(name for note in save.notes for name in (note.player or game.seats[0], *note.agreed))}
    unknown = sorted(seats.difference(game.seats))
    if unknown:
        raise SaveError(
            Phrase(
                "the save of {title} names `{seat}`, which is not a seat of the game",
                title=brief(save.title), seat=brief(unknown[0]),
            )
        )  # fmt: skip
    changed = (
        Phrase("the rules have changed since the save was written; ") if game.rules.hash != save.rules_hash else ""
    )
    try:
        supplied = RecordedChance(save.chance, chance) if save.chance_from == "supplied" else None
        moves = [(move.player, move.move) for move in save.moves[:at]]
        state, divergence = replay(game, moves, save.seed, supplied)
    except PlayError as fault:
        reason = game.words.fault(told_to(_reader(save), fault, is_open=game.is_open))
        raise SaveError(
            Phrase("{changed}the game cannot be replayed: {reason}", changed=changed, reason=reason)
        ) from None
    if divergence is not None:
        if not (game.is_open and (rules == "saved" or _was_open(save, loading))):
            divergence = divergence_told(divergence, state, _readers(save))
        raise DivergedError(Phrase("{changed}{reason}", changed=changed, reason=divergence.reason), state, divergence)
    results = json.loads(json.dumps(list(state.chance_results)))
    if results != list(save.chance)[: len(results)] or (at is None and len(results) != len(save.chance)):
        changed = changed or Phrase("this version of Regelwerk draws differently from the one that wrote the save; ")
        raise SaveError(
            Phrase("{changed}shuffles and dice come out differently, so the game cannot continue", changed=changed)
        )
    return state


def _reader(save: SaveFile) -> str | None:
    """A seat from which something may be hidden that is read in a save; None if everything may be told."""
    return next(iter(_readers(save)), None)


def _readers(save: SaveFile) -> list[str]:
    """The seats from which something may be hidden that is read in a save; none if everything may be told."""
    if any(note.kind == "opened" for note in save.notes):
        return []
    return [seat for seat, kind in save.seats.items() if kind == PERSON]


def _was_open(save: SaveFile, loading: Loading) -> bool:
    """True if nothing was hidden under the rules that a save holds, if it holds them."""
    if save.rules is None:
        return True
    try:
        files = saved_files(save)
        return loading(files.rules, save.players, save.options, files.board, files.variants).is_open
    except (RulesError, UsageError, SaveError):
        return False


def saved_files(save: SaveFile) -> RulesFiles:
    """The files of the rules that a save holds. Raises SaveError if it holds none, or none that can be used."""
    if save.rules is None:
        raise SaveError(Phrase("the save of {title} does not hold the text of its rules", title=brief(save.title)))
    try:
        return unpacked_files(save.rules)
    except (ValueError, OSError):
        raise SaveError(
            Phrase("the text of the rules in the save of {title} cannot be used", title=brief(save.title))
        ) from None


def _files_now(save: SaveFile) -> RulesFiles:
    """The files that a save names, as they are now. Raises SaveError, UnknownGameError."""
    rules = _rules(save)
    board = None if save.board is None else _board(save, save.board, rules)
    return RulesFiles(rules, tuple(_variant(save, recorded, rules) for recorded in save.variants), board)


def _rules(save: SaveFile) -> Path:
    """Find the rules file of a save: at its path, or the game of that name. Raises SaveError, UnknownGameError."""
    _check_suffix(save, save.path, ".rules", Phrase("rules file"))
    path = Path(save.path)
    return path if is_file(path) else find_named(save.game)


def _check_suffix(save: SaveFile, name: str, suffix: str, kind: str) -> None:
    """Raise SaveError if a save names another file than a game file, so that no message can quote that by mistake."""
    if not has_suffix(Path(name), suffix):
        raise SaveError(
            Phrase(
                "the save of {title} names `{name}` as its {kind}, but that name does not end in `{suffix}`",
                title=brief(save.title), name=brief(name), kind=kind, suffix=suffix,
            )
        )  # fmt: skip


def _board(save: SaveFile, recorded: str, rules: Path) -> Path:
    """Find the board file of a save. Raises SaveError."""
    _check_suffix(save, recorded, ".json", Phrase("board"))
    board = find_saved_board(recorded, rules)
    if board is None:
        raise SaveError(
            Phrase(
                "the save of {title} was played on the board {path}, which does not exist; put it back, or in the "
                "current folder, or next to the rules",
                title=brief(save.title), path=brief(recorded),
            )
        )  # fmt: skip
    return board


def _variant(save: SaveFile, recorded: str, rules: Path) -> Path:
    """Find the file of a variant of a save. Raises SaveError."""
    _check_suffix(save, recorded, ".rules", Phrase("variant"))
    variant = find_saved_variant(recorded, rules)
    if variant is None:
        raise SaveError(
            Phrase(
                "the save of {title} was played with the variant {path}, which does not exist; put it back, or in the "
                "folder `variants` next to the rules",
                title=brief(save.title), path=brief(recorded),
            )
        )  # fmt: skip
    return variant
