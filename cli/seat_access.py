"""The seat a saved game may be viewed as before it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import CommandError, MisuseError, translated
from cli.play.screens import Screens
from cli.play.seats import people, unknown_seat
from cli.render.echo import echo
from cli.render.palette import palette
from cli.render.screen import screen
from cli.save_paths import claimed_save, short
from dsl.lazy_dataclasses import dataclass
from interpreter.play.game import State
from interpreter.play.saves.files import (
    WHICH_RULES,
    DivergedError,
    Note,
    SaveMeta,
    WhichRules,
    notes_of,
    read_save,
    record_note,
    resume,
)
from interpreter.play.state import back_to
from interpreter.play.story import OPENED
from interpreter.wording.phrases import Phrase, alternatives
from interpreter.wording.words import OWN

if TYPE_CHECKING:
    from interpreter.play.saves.model import SaveFile


@dataclass(frozen=True)
class SeatAccess:
    """The seat to view as, None to see everything, and the other seats to choose from."""

    as_seat: str | None
    offered: tuple[str | None, ...]
    owner: str = field(default="", compare=False)
    """The seat whose marks in the viewer are kept apart from those of others; empty if all may see all."""


def seat_access(
    state: State, kinds: Mapping[str, str], *, opened: bool, as_seat: str | None, can_open: bool = True
) -> SeatAccess:
    """Determine the seat from which a game with these players may be viewed.

    Everything is open when the game is over or `opened`, when it hides nothing, and when no person plays. Otherwise the
    game is viewed as a person's seat: the requested one, or the only one. `can_open`: `--all` is offered.
    """
    seats = state.game.seats
    if as_seat is not None and as_seat not in seats:
        raise unknown_seat(as_seat, seats)
    persons = people(kinds)
    if hides_nothing(state, kinds, opened=opened):
        return SeatAccess(as_seat, (None, *seats))
    flags = alternatives([f"--as {person}" for person in persons])
    if as_seat is None and len(persons) > 1:
        everything = Phrase("; --all shows everything, and is recorded in every seat's log")
        raise MisuseError(
            Phrase(
                "the game is not over, and {number} people play it: choose a seat with {flags}{everything}",
                number=len(persons), flags=flags, everything=everything if can_open else "",
            )
        )  # fmt: skip
    if as_seat is not None and as_seat not in persons:
        everything = Phrase(", or --all")
        raise MisuseError(
            Phrase(
                "the game is not over, and {seat} is not played by a person: use {flags}{everything}",
                seat=as_seat, flags=flags, everything=everything if can_open else "",
            )
        )  # fmt: skip
    chosen = as_seat or persons[0]
    return SeatAccess(chosen, (chosen,), chosen if len(persons) > 1 else "")


def hides_nothing(state: State, kinds: Mapping[str, str], *, opened: bool) -> bool:
    """True if everything in a game may be shown to everybody; `kinds` says who plays each seat."""
    return state.over or opened or state.game.is_open or not people(kinds)


@dataclass(frozen=True)
class OpenedSave:
    """The game in a save, with the seat it is viewed as, the path of the save and its other content."""

    path: Path
    state: State
    access: SeatAccess
    meta: SaveMeta


def opened_save(
    path: Path, as_seat: str | None, everything: bool, verb: str, language: str | None = None, *, can_open: bool = True,
    english: bool = False, rules: str = "new",
) -> OpenedSave:  # fmt: skip
    """Load the game in a save, with the seat it is viewed as, in a language (None: in the game's own words).

    `everything` opens it to everybody, which is recorded in the save; `can_open`: the verb offers that.
    `english`: phrases of Regelwerk itself are in English, for programs. `rules` is the value of `--rules`. Raises
    MisuseError, CommandError, SaveError, OSError.
    """
    saved = read_save(path)
    state, notes = resumed(saved, language, which_rules(rules)), notes_of(saved)
    if english:
        state.game = state.game.with_phrases_in_english()
        state.program = state.program.in_words(state.game.words)
    opened = any(note.kind == "opened" for note in notes)
    access = seat_access(state, saved.seats, opened=opened or everything, as_seat=as_seat, can_open=can_open)
    meta = SaveMeta(saved.seats, notes, saved.failing)
    if everything and not opened and not state.over:
        notes.append(Note(state.ply, "opened", None, OPENED.format(command=f"{verb} --all")))
        with claimed_save(path):
            if read_save(path) != saved:
                raise CommandError(
                    Phrase("{path} has just been changed by another program: try again", path=short(path.absolute()))
                )
            record_note(path, state, meta)
    return OpenedSave(path, state, access, meta)


def state_at(state: State, number: int | None) -> State:
    """The game in a save after a number of decisions; None: as it is now. Raises MisuseError if there are fewer."""
    if number is None:
        return state
    if number > state.ply:
        raise _too_late(state.ply)
    return back_to(state, number)


def _too_late(decisions: int) -> MisuseError:
    return MisuseError(
        Phrase(
            "the game has {number} decision, so --at must be at most {number}",
            plural="the game has {number} decisions, so --at must be at most {number}", number=decisions,
        )
    )  # fmt: skip


def resumed(saved: SaveFile, language: str | None = None, rules: WhichRules = "new") -> State:
    """Resume a saved game; if its moves are no longer legal, show both sides first. Raises SaveError, DivergedError."""
    try:
        return resume(saved, language=language or OWN, rules=rules)
    except DivergedError as fault:
        show_diverged(fault, saved)
        if rules == "new" and saved.rules is not None:
            echo(translated(SAVED_RULES), err=True)
        raise


def which_rules(text: str) -> WhichRules:
    """The rules that `--rules` asks for. Raises MisuseError."""
    for rules in WHICH_RULES:
        if text == rules:
            return rules
    raise MisuseError(Phrase("--rules must be saved or new, not {rules}", rules=text))


SAVED_RULES = Phrase("`--rules saved` goes on under the rules that the game began with")


def show_diverged(fault: DivergedError, saved: SaveFile) -> None:
    """Show the first decision of a save that is no longer legal: the game up to there, then and now."""
    screens = Screens(screen(), palette(fault.state.game.seats, fault.state.game.words))
    screens.diverged(fault.state, fault.divergence, people(saved.seats))


def state_after(saved: SaveFile, number: int, language: str | None = None, rules: WhichRules = "new") -> State:
    """Replay the first `number` decisions of a save; later ones need not be legal any more.

    Decisions are counted as in the viewer: those that the person who plays knows of; for several persons those that
    everybody knows of. Raises MisuseError if there are fewer, SaveError if they cannot be replayed.
    """
    persons = people(saved.seats)
    seat = persons[0] if len(persons) == 1 else None
    opened = any(note.kind == "opened" for note in saved.notes)
    try:
        state, fault = resume(saved, language=language or OWN, rules=rules), None
    except DivergedError as raised:
        state, fault = raised.state.copy(), raised
    hidden = not hides_nothing(state, saved.seats, opened=opened)
    noticed_plies = [
        ply
        for ply, decision in enumerate(state.history)
        if not (hidden and decision.unnoticed and decision.player != seat)
    ]
    if number > len(noticed_plies):
        if fault is not None:
            show_diverged(fault, saved)
            raise fault
        raise _too_late(len(noticed_plies))
    return back_to(state, noticed_plies[number] if number < len(noticed_plies) else state.ply)
