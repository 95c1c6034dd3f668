"""Assignment of people and bots to seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.errors import MisuseError, suggestion
from interpreter.opponents.specs import NORMAL, SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game
from interpreter.play.saves.files import PERSON
from interpreter.wording.phrases import Phrase

ALL = "all"


def check_kinds(assigned: Mapping[str, str], all_seats: Sequence[str]) -> None:
    """Reject unknown seats, and kinds that are neither a person nor a bot. Raises MisuseError."""
    for seat, kind in assigned.items():
        if seat != ALL and seat not in all_seats:
            raise unknown_seat(seat, all_seats)
        problem = kind_problem(kind)
        if problem:
            raise MisuseError(
                Phrase("a seat is played by `{human}` or a bot: {problem}", human=PERSON, problem=problem)
            )


def unknown_seat(seat: str, seats: Sequence[str]) -> MisuseError:
    """The error for a seat that a game does not have."""
    return MisuseError(
        Phrase(
            "there is no seat `{seat}`{meant} (the seats are {seats})",
            seat=seat, meant=suggestion(seat, seats), seats=", ".join(seats),
        )
    )  # fmt: skip


def kind_problem(kind: str) -> str:
    """Why nothing of this kind can play a seat; empty if it can."""
    spec = spec_of(kind, [PERSON]) if kind != PERSON else None
    return spec.message if isinstance(spec, SpecProblem) else ""


def check_bots(kinds: Mapping[str, str], game: Game) -> None:
    """Reject bots that cannot play a game. Raises MisuseError."""
    for seat, kind in kinds.items():
        spec = spec_of(kind) if kind != PERSON else None
        reason = None if spec is None or isinstance(spec, SpecProblem) else why_unfit(spec, game)
        if reason is not None:
            raise MisuseError(Phrase("{reason} for {seat}", reason=reason, seat=seat))


def choose_seats(
    players: int | Sequence[str] | None, assigned: Mapping[str, str], all_seats: Sequence[str], counts: Sequence[int]
) -> int | Sequence[str]:
    """Choose the seats in the game: those named, completed from the beginning of the list. Raises MisuseError."""
    named = [seat for seat in all_seats if seat in assigned]
    if players is not None and not isinstance(players, int):
        missing = [seat for seat in named if seat not in players]
        if missing:
            raise MisuseError(Phrase("--seat names {seat}, but --players does not", seat=missing[0]))
        return players
    enough = (count for count in counts if count >= len(named))
    number = next(enough, len(named)) if players is None else players
    if 0 <= number < len(named):
        raise MisuseError(
            Phrase(
                "--seat names {number} seat, but --players says {players}",
                plural="--seat names {number} seats, but --players says {players}",
                number=len(named), players=number,
            )
        )  # fmt: skip
    if all(seat in all_seats[:number] for seat in named):
        return number
    others = [seat for seat in all_seats if seat not in named][: number - len(named)]
    return [seat for seat in all_seats if seat in named or seat in others]


def fill_kinds(assigned: Mapping[str, str], seats: Sequence[str], bots: str = NORMAL) -> dict[str, str]:
    """Assign a kind to each seat: as given, else `bots`; if no person is named, the first free seat goes to one."""
    kinds = {seat: assigned.get(seat, assigned.get(ALL)) for seat in seats}
    if PERSON not in kinds.values():
        free = next((seat for seat, kind in kinds.items() if kind is None), None)
        if free is not None:
            kinds[free] = PERSON
    return {seat: kind or bots for seat, kind in kinds.items()}


def people(kinds: Mapping[str, str]) -> list[str]:
    """The seats played by people."""
    return [seat for seat, kind in kinds.items() if kind == PERSON]
