"""The pending question, and the decisions that were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.decisions import Decision
from interpreter.engine.program import Program
from interpreter.engine.sight import SPECTATOR
from interpreter.runtime.cells import Cells, Journal, MoveCode
from interpreter.runtime.layout import ME, MOVES
from interpreter.seat.notation.moves import Listing
from interpreter.wording.phrases import Phrase

CHOOSES = Phrase("chooses")
"""Shown to the others for a choice that all make at once, until everybody has chosen."""


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

    `label` is for the seat itself, `labels` are those that each seat is shown, and last what spectators are; its
    changes begin at `start` of the journal. `code` is the move as numbered by the program. `unnoticed`: the other seats
    do not learn that anything was decided.
    """

    player: str
    notation: str
    label: str
    labels: tuple[str, ...]
    secret: bool
    declined: bool
    start: int
    code: MoveCode
    unnoticed: bool


class Made(NamedTuple):
    """The record of a decision in a state: where its changes begin in the journal, the move, and what was legal.

    The legal moves are None if they have to be listed again.
    """

    start: int
    code: MoveCode
    legal: list[MoveCode] | None


def records_of(program: Program, state: Cells, journal: Journal, decisions: Sequence[Made]) -> list[DecisionRecord]:
    """Render the last decisions that were made, each as of the moment before it, to which the journal leads back.

    Raises PlayError.
    """
    # Labels are rendered on demand, since random games need none. They depend on the state in which the seat decided:
    # `move the top card` names another card afterwards. One pass backwards through the journal visits all of these
    # states; going back to each of them separately would take time quadratic in the length of the game.
    cells, end = Cells(state), len(journal)
    records: list[DecisionRecord] = []
    for decision in reversed(decisions):
        journal.rewind(cells, end, decision.start)
        # INVARIANT: the cells are those in which the decision was pending, with its legal moves as they were listed
        # then.
        cells[MOVES], end = decision.legal, decision.start
        records.append(record_of(program, cells, decision))
    return records[::-1]


def record_of(program: Program, state: Cells, made: Made) -> DecisionRecord:
    """Render a decision that is pending in these cells. Raises PlayError."""
    decision = program.decision(state)
    assert decision is not None
    code, seats = made.code, program.layout.seats
    listing = Listing(program, state, decision.node, program.legal(state))
    labels = tuple(label_shown(listing, decision, code, seat) for seat in (*range(len(seats)), SPECTATOR))
    return DecisionRecord(
        seats[state[ME]], listing.notation(code), labels[state[ME]], labels, decision.node.secretly, code[0] < 0,
        made.start, code, is_unnoticed(decision, state, code),
    )  # fmt: skip


def record_without_label(program: Program, state: Cells, made: Made) -> DecisionRecord:
    """Render a decision whose label fails: the seat itself reads the notation, others only that it chose."""
    decision = program.decision(state)
    assert decision is not None
    me, seats = state[ME], program.layout.seats
    notation = Listing(program, state, decision.node, program.legal(state)).notation(made.code)
    chosen = program.words.phrase(CHOOSES)
    labels = tuple(notation if seat == me else chosen for seat in (*range(len(seats)), SPECTATOR))
    return DecisionRecord(
        seats[me], notation, notation, labels, decision.node.secretly, made.code[0] < 0, made.start, made.code,
        is_unnoticed(decision, state, made.code),
    )  # fmt: skip


def label_shown(listing: Listing, decision: Decision, code: MoveCode, seat: int) -> str:
    """The label of a move as the log of a seat has it."""
    if seat != listing.state[ME]:
        return listing.program.words.phrase(CHOOSES) if decision.at_once else listing.observer_label(code, seat)
    label = listing.label(code)
    if isinstance(decision.node, ast.Choose) and code[0] >= 0:
        return listing.program.words.choice(decision.node.name, label)
    return label


def is_unnoticed(decision: Decision, state: Cells, code: MoveCode) -> bool:
    """True if the other seats do not learn that anything was decided."""
    if decision.at_once and decision.chosen is not None and state[decision.chosen]:
        return True  # how many have been chosen so far is not known either
    return decision.node.secretly and (code[0] < 0 or decision.at_once)
