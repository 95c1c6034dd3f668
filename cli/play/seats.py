"""Assignment of persons and bots to seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.errors import MisuseError, suggestion
from dsl.text.nouns import counted

HUMAN, RANDOM = "human", "random"
KINDS = (HUMAN, RANDOM)
ALL = "all"


def check_kinds(assigned: Mapping[str, str], all_seats: Sequence[str]) -> None:
    """Reject unknown seats and kinds. Raises MisuseError."""
    for seat, kind in assigned.items():
        if seat != ALL and seat not in all_seats:
            raise MisuseError(
                f"there is no seat `{seat}`{suggestion(seat, all_seats)} (the seats are {', '.join(all_seats)})"
            )
        if kind not in KINDS:
            raise MisuseError(f"a seat is played by {' or '.join(KINDS)}, not by `{kind}`{suggestion(kind, KINDS)}")


def choose_seats(
    players: int | Sequence[str] | None, assigned: Mapping[str, str], all_seats: Sequence[str], fewest: int
) -> int | Sequence[str]:
    """Choose the seats in the game: those named, filled up from the beginning of the list. Raises MisuseError."""
    named = [seat for seat in all_seats if seat in assigned]
    if players is not None and not isinstance(players, int):
        missing = [seat for seat in named if seat not in players]
        if missing:
            raise MisuseError(f"--seat names {missing[0]}, but --players does not")
        return players
    number = max(fewest, len(named)) if players is None else players
    if 0 <= number < len(named):
        raise MisuseError(f"--seat names {counted(len(named), 'seat')}, but --players says {number}")
    if all(seat in all_seats[:number] for seat in named):
        return number
    others = [seat for seat in all_seats if seat not in named][: number - len(named)]
    return [seat for seat in all_seats if seat in named or seat in others]


def fill_kinds(assigned: Mapping[str, str], seats: Sequence[str]) -> dict[str, str]:
    """Assign a kind to each seat: as given; else bots, but the first free seat goes to a person if none is named."""
    given = {seat: assigned.get(seat, assigned.get(ALL)) for seat in seats}
    if HUMAN not in given.values():
        free = next((seat for seat, kind in given.items() if kind is None), None)
        if free is not None:
            given[free] = HUMAN
    return {seat: kind or RANDOM for seat, kind in given.items()}


def people(kinds: Mapping[str, str]) -> list[str]:
    """The seats played by persons."""
    return [seat for seat, kind in kinds.items() if kind == HUMAN]
