"""The pending question, and the decisions that were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dsl import ast
from interpreter.layout.cells import ME, MOVES
from interpreter.notation.moves import Listing
from interpreter.program import Move as Code
from interpreter.program import Program
from interpreter.runtime.primitives import Cells, Journal

CHOOSES = "chooses"
"""What the others are shown of a choice that all make at once, until everybody has chosen."""


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
    journal. `code` is the move as numbered by the program. `unnoticed`: the other seats do not learn that anything was
    decided.
    """

    player: str
    notation: str
    label: str
    labels: tuple[str, ...]
    secret: bool
    declined: bool
    start: int
    code: Code
    unnoticed: bool


class Made(NamedTuple):
    """What a state keeps of a decision: where its changes begin in the journal, the move, and what was legal.

    The legal moves are None if they have to be listed again.
    """

    start: int
    code: Code
    legal: list[Code] | None


def records_of(program: Program, S: Cells, journal: Journal, made: Sequence[Made]) -> list[DecisionRecord]:
    """Render the last decisions that were made, each as of the moment before it, to which the journal leads back.

    Raises PlayError.
    """
    cells, end = list(S), len(journal)
    found: list[DecisionRecord] = []
    for each in reversed(made):
        journal.rewind(cells, end, each.start)
        cells[MOVES], end = each.legal, each.start
        found.append(_record(program, cells, each))
    return found[::-1]


def _record(program: Program, S: Cells, made: Made) -> DecisionRecord:
    """Render a decision that is pending in these cells."""
    decision = program.decision(S)
    assert decision is not None
    node, code, me, seats = decision.node, made.code, S[ME], program.layout.seats
    listing, declined = Listing(program, S, node, program.legal(S)), code[0] < 0
    label = listing.label(code)
    if isinstance(node, ast.Choose) and not declined:
        label = f"choose {label}"
    labels = tuple(
        label if seat == me else CHOOSES if decision.at_once else listing.observer_label(code, seat)
        for seat in range(len(seats))
    )
    unnoticed = node.secretly and (declined or decision.at_once)
    if decision.at_once and decision.chosen is not None and S[decision.chosen]:
        unnoticed = True  # how many have been chosen so far is not known either
    return DecisionRecord(
        seats[me], listing.notation(code), label, labels, node.secretly, declined, made.start, code, unnoticed
    )
