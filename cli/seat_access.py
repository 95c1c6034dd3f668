"""Through whose eyes a saved game may be looked at, before it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import Misused, suggestion
from cli.play.seats import people

if TYPE_CHECKING:
    from interpreter import State
    from interpreter.saves.model import SaveFile


@dataclass(frozen=True)
class Seeing:
    """Whose eyes are looked through, None for those that see everything, and which others there are to choose."""

    eyes: str | None
    offered: tuple[str | None, ...]


def seeing(state: State, kinds: Mapping[str, str], *, opened: bool, eyes: str | None) -> Seeing:
    """Through whose eyes to look at a game with these players.

    Everything is open when the game is over or `opened`, when it hides nothing, and when no person plays. Else one
    looks through the eyes of a person: the one that is wanted, or the only one.
    """
    seats = state.game.seats
    if eyes is not None and eyes not in seats:
        raise Misused(f"there is no seat `{eyes}`{suggestion(eyes, seats)} (the seats are {', '.join(seats)})")
    persons = people(kinds)
    if state.over or opened or state.game.is_open or not persons:
        return Seeing(eyes, (None, *seats))
    named = " or ".join(f"--eyes {person}" for person in persons)
    if eyes is None and len(persons) > 1:
        raise Misused(
            f"the game is not over, and {len(persons)} persons play it: say through whose eyes to look, {named}; "
            "--all opens everything, and is written into every seat's log"
        )
    if eyes is not None and eyes not in persons:
        raise Misused(f"the game is not over, and {eyes} is no person's seat: {named}, or --all")
    chosen = eyes or persons[0]
    return Seeing(chosen, (chosen,))


def opened_save(path: Path, eyes: str | None, everything: bool, verb: str) -> tuple[State, Seeing]:
    """The game in a save, and through whose eyes it is looked at.

    `everything` opens it to everybody, which is written into the save. Raises Misused, SaveFault, OSError.
    """
    from interpreter.saves.files import Note, SaveMeta, notes_of, read_save, write_save

    saved = read_save(path)
    state, notes = resumed(saved), notes_of(saved)
    opened = any(note.kind == "opened" for note in notes)
    found = seeing(state, saved.seats, opened=opened or everything, eyes=eyes)
    if everything and not opened and not state.over:
        notes.append(Note(state.ply, "opened", None, f"the game is laid open to everybody ({verb} --all)"))
        write_save(path, state, SaveMeta(saved.seats, notes))
    return state, found


def resumed(saved: SaveFile) -> State:
    """The game of a save; if its moves are no longer legal, both sides are shown first. Raises SaveFault, Diverged."""
    from interpreter.saves.files import Diverged, resume

    try:
        return resume(saved)
    except Diverged as fault:
        from cli.play.screens import Screens
        from cli.render.palette import palette
        from cli.render.screen import screen

        screens = Screens(screen(), palette(fault.state.game.seats))
        screens.diverged(fault.state, fault.divergence, people(saved.seats))
        raise
