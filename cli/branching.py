"""Branching off a saved game: the game as it was after some decision, to be continued in a save of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import MisuseError
from cli.play.seats import people
from cli.save_paths import ENDING, unused_save
from cli.seat_access import hides_nothing, show_diverged
from dsl.text.nouns import counted
from interpreter import State
from interpreter.saves.files import DivergedError, Note, SaveMeta, resume, write_save

if TYPE_CHECKING:
    from interpreter.saves.model import SaveFile


def state_after(saved: SaveFile, number: int) -> State:
    """Replay the first `number` decisions of a save; later ones need not be legal any more.

    Decisions are counted as in the viewer: those that the person who plays knows of; for several persons those that
    everybody knows of. Raises MisuseError if there are fewer, SaveError if they cannot be replayed.
    """
    persons = people(saved.seats)
    seat = persons[0] if len(persons) == 1 else None
    opened = any(note.kind == "opened" for note in saved.notes)
    try:
        state, fault = resume(saved), None
    except DivergedError as raised:
        state, fault = raised.state.copy(), raised
    hidden = not hides_nothing(state, saved.seats, opened=opened)
    known = [ply for ply, made in enumerate(state.history) if not (hidden and made.unnoticed and made.player != seat)]
    if number > len(known):
        if fault is not None:
            show_diverged(fault, saved)
            raise fault
        raise MisuseError(f"the game has {counted(len(known), 'decision')}, so --at must be at most {len(known)}")
    return back_to(state, known[number] if number < len(known) else state.ply)


def back_to(state: State, ply: int) -> State:
    """A copy of a game as it was after `ply` decisions."""
    earlier = state.copy()
    while earlier.ply > ply:
        earlier.pop()
    return earlier


def notes_of_branch(notes: Sequence[Note], origin: Path, ply: int) -> list[Note]:
    """The notes of a game that branches off another one after `ply` decisions.

    Notes on what came later are dropped, except that the game was opened: nobody forgets what it showed.
    """
    kept = [replace(note, ply=min(note.ply, ply)) for note in notes if note.ply <= ply or note.kind == "opened"]
    return [*kept, Note(ply, "branch", None, f"the game branches off {_stem(origin)} here")]


def branch_path(origin: Path, number: int) -> Path:
    """Choose a path for the save of a branch after decision `number`. Raises CommandError."""
    return unused_save(f"{_stem(origin)}-at{number}")


def write_branch(origin: Path, state: State, meta: SaveMeta, ply: int, number: int) -> Path:
    """Write a branch after `ply` decisions, called `number` by who asks for it, to a new save and return its path.

    Raises CommandError, SaveError, OSError.
    """
    path = branch_path(origin, number)
    write_save(path, back_to(state, ply), SaveMeta(meta.seats, notes_of_branch(meta.notes, origin, ply)))
    return path


def _stem(path: Path) -> str:
    return path.name.removesuffix(ENDING)
