"""The pending question, and the decisions that were made."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.program import Move as Code


@dataclass(frozen=True, slots=True)
class Question:
    """The pending question: the seat asked, whether it must answer, and the actions; `secretly`: hidden from others.

    `so_far`, where several are chosen one by one: the progress, `1 of up to 3`.
    """

    player: str
    duty: str
    names: tuple[str, ...]
    secretly: bool
    location: str
    cites: tuple[str, ...]
    so_far: str = ""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A decision that was made.

    `label` is for the seat itself, `labels` are those that each seat is shown; its changes begin at `start` of the
    journal. `code` is the move as numbered by the program.
    """

    player: str
    notation: str
    label: str
    labels: tuple[str, ...]
    secret: bool
    declined: bool
    start: int
    code: Code
