"""Branching from a saved game: the position after some decision, continued in a new save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import CommandError
from cli.save_paths import ENDING, marks_path, save_argument, typed_command, unused_save
from cli.viewer.marks import BesideSave
from dsl.text.claims import Claim
from interpreter.errors import SaveError
from interpreter.play.saves.files import Note, SaveMeta, write_save
from interpreter.play.saves.tables import table_at
from interpreter.play.state import back_to
from interpreter.play.story import BRANCHED
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.game import State


def notes_of_branch(notes: Sequence[Note], origin: Path, ply: int) -> list[Note]:
    """The notes of a game that branches from another one after `ply` decisions.

    Later notes are dropped, except the one that everything was revealed: nobody forgets what they saw.
    """
    earlier_notes = [
        replace(note, ply=min(note.ply, ply)) for note in notes if note.ply <= ply or note.kind == "opened"
    ]
    return [*earlier_notes, Note(ply, "branch", None, BRANCHED.format(save=_stem(origin)))]


def branch_claim(origin: Path, number: int) -> Claim:
    """Claim a path for the save of a branch after decision `number`. Raises CommandError."""
    return unused_save(f"{_stem(origin)}-at{number}")


def beside(origin: Path, meta: SaveMeta, owner: str = "") -> BesideSave:
    """The files that the viewer writes beside a save: marks of `owner`, and branches."""

    def branch(state: State, ply: int, number: int) -> str:
        """Write the game as it was after `ply` decisions to a new save."""
        try:
            with branch_claim(origin, number) as claim:
                path = claim.path
                write_save(path, back_to(state, ply), SaveMeta(meta.seats, notes_of_branch(meta.notes, origin, ply)))
        except OSError as fault:
            return Phrase("no branch: {reason}", reason=(fault.strerror or str(fault)).lower())
        except (CommandError, SaveError) as fault:
            return Phrase("no branch: {reason}", reason=fault.message)
        resume = typed_command("play --resume", save_argument(path), state.game.words)
        return Phrase("branched after decision {number}: {command}", number=number, command=resume)

    return BesideSave(marks_path(origin), branch, owner)


def _stem(path: Path) -> str:
    if table_at(path) is not None:
        return f"table-{path.name}"
    return path.name.removesuffix(ENDING)
