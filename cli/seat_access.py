"""The seat a saved game may be viewed as before it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import MisuseError, suggestion
from cli.play.screens import Screens
from cli.play.seats import people
from cli.render.palette import palette
from cli.render.screen import screen
from interpreter import State
from interpreter.saves.files import DivergedError, Note, SaveMeta, notes_of, read_save, resume, write_save
from interpreter.words import OWN

if TYPE_CHECKING:
    from interpreter.saves.model import SaveFile


@dataclass(frozen=True)
class SeatAccess:
    """The seat to view as, None to see everything, and the other seats to choose from."""

    as_seat: str | None
    offered: tuple[str | None, ...]


def seat_access(state: State, kinds: Mapping[str, str], *, opened: bool, as_seat: str | None) -> SeatAccess:
    """Determine the seat from which a game with these players may be viewed.

    Everything is open when the game is over or `opened`, when it hides nothing, and when no person plays. Otherwise the
    game is viewed as a person's seat: the requested one, or the only one.
    """
    seats = state.game.seats
    if as_seat is not None and as_seat not in seats:
        raise MisuseError(
            f"there is no seat `{as_seat}`{suggestion(as_seat, seats)} (the seats are {', '.join(seats)})"
        )
    persons = people(kinds)
    if state.over or opened or state.game.is_open or not persons:
        return SeatAccess(as_seat, (None, *seats))
    named = " or ".join(f"--as {person}" for person in persons)
    if as_seat is None and len(persons) > 1:
        raise MisuseError(
            f"the game is not over, and {len(persons)} people play it: choose a seat with {named}; "
            "--all shows everything, and is recorded in every seat's log"
        )
    if as_seat is not None and as_seat not in persons:
        raise MisuseError(f"the game is not over, and {as_seat} is not played by a person: use {named}, or --all")
    chosen = as_seat or persons[0]
    return SeatAccess(chosen, (chosen,))


def opened_save(
    path: Path, as_seat: str | None, everything: bool, verb: str, language: str | None = None
) -> tuple[State, SeatAccess]:
    """Load the game in a save, with the seat it is viewed as, in a language (None: in the game's own words).

    `everything` opens it to everybody, which is recorded in the save. Raises MisuseError, SaveError, OSError.
    """
    saved = read_save(path)
    state, notes = resumed(saved, language), notes_of(saved)
    opened = any(note.kind == "opened" for note in notes)
    found = seat_access(state, saved.seats, opened=opened or everything, as_seat=as_seat)
    if everything and not opened and not state.over:
        notes.append(Note(state.ply, "opened", None, f"the game is open to everybody from here on ({verb} --all)"))
        write_save(path, state, SaveMeta(saved.seats, notes))
    return state, found


def resumed(saved: SaveFile, language: str | None = None) -> State:
    """Resume a saved game; if its moves are no longer legal, show both sides first. Raises SaveError, Diverged."""
    try:
        return resume(saved, language=language or OWN)
    except DivergedError as fault:
        screens = Screens(screen(), palette(fault.state.game.seats, fault.state.game.words))
        screens.diverged(fault.state, fault.divergence, people(saved.seats))
        raise
