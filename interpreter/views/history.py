"""What is asked, and the decisions that were made."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.program import Move as Code


@dataclass(frozen=True)
class Question:
    """What is being asked: of whom, whether it must be answered, and by what; `secretly` hides it from the others.

    `so_far`, where several are chosen one by one: how many have been, `1 of up to 3`.
    """

    player: str
    duty: str
    names: tuple[str, ...]
    secretly: bool
    place: str
    cites: tuple[str, ...]
    so_far: str = ""


@dataclass(frozen=True)
class DecisionRecord:
    """A decision that was made.

    `label` is what the seat itself calls it, `told` what each seat is told of it; its changes begin at `start` of the
    journal. `code` is the move as the program numbers it.
    """

    player: str
    notation: str
    label: str
    told: tuple[str, ...]
    secret: bool
    declined: bool
    start: int
    code: Code
