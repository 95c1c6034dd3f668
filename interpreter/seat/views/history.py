"""The pending question, and the decisions that were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.decisions import Decision
from interpreter.engine.program import Program
from interpreter.runtime.cells import Cells, Change, Journal, MoveCode, changes
from interpreter.runtime.layout import ME, MOVES
from interpreter.seat.notation.moves import Listing
from interpreter.seat.notation.words import Sightings
from interpreter.seat.views.sightings import observers, sets_of_pieces, sightings
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

    `label` is for the seat itself, `labels` are those that each seat is shown, and last what spectators are: with what
    each saw of the arguments once the move was made. Its changes begin at `start` of the journal. `code` is the move as
    numbered by the program. `unnoticed`: the other seats do not learn that anything was decided.
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

    Only the pieces that it names are worded by what was seen of them up to the next decision as well (`sightings`).

    Raises PlayError.
    """
    # Labels are rendered on demand, since random games need none. They depend on the state in which the seat decided:
    # `move the top card` names another card afterwards. One pass through the changes visits all of these states; going
    # back to each of them separately would take time quadratic in the length of the game.
    if not decisions:
        return []
    first = decisions[0].start
    cells, run = changes(state, journal, first)
    records: list[DecisionRecord] = []
    for number, decision in enumerate(decisions):
        # INVARIANT: the cells are those in which the decision was pending, with its legal moves as they were listed
        # then.
        cells[MOVES] = decision.legal
        end = decisions[number + 1].start if number + 1 < len(decisions) else len(journal)
        followed = run[decision.start - first : end - first]
        records.append(record_of(program, cells, decision, followed))
        for cell, _, value in followed:
            if cell >= 0:
                cells[cell] = value
    return records


def record_of(program: Program, state: Cells, made: Made, followed: Sequence[Change] = ()) -> DecisionRecord:
    """Render a decision that is pending in these cells; `followed` are the changes up to the next one.

    Raises PlayError.
    """
    decision = program.decision(state)
    assert decision is not None
    code, seats = made.code, program.layout.seats
    listing = Listing(program, state, decision.node, program.legal(state))
    sightings_by_seat = sightings(program, state, followed, sets_of_pieces(listing.types(code), code[1:]))
    labels = tuple(
        label_shown(listing, decision, code, seat, seen)
        for seat, seen in zip(observers(program), sightings_by_seat, strict=True)
    )
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
    labels = tuple(notation if seat == me else chosen for seat in observers(program))
    return DecisionRecord(
        seats[me], notation, notation, labels, decision.node.secretly, made.code[0] < 0, made.start, made.code,
        is_unnoticed(decision, state, made.code),
    )  # fmt: skip


def label_shown(
    listing: Listing, decision: Decision, code: MoveCode, seat: int, seen: Sightings | None = None
) -> str:  # fmt: skip
    """The label of a move as the log of a seat has it; `seen`: what it came to see of the arguments by the move."""
    if seat != listing.state[ME]:
        return listing.program.words.phrase(CHOOSES) if decision.at_once else listing.observer_label(code, seat, seen)
    label = listing.label(code, seen)
    if isinstance(decision.node, ast.Choose) and code[0] >= 0:
        return listing.program.words.choice(decision.node.name, label)
    return label


def is_unnoticed(decision: Decision, state: Cells, code: MoveCode) -> bool:
    """True if the other seats do not learn that anything was decided."""
    if decision.at_once and decision.chosen is not None and state[decision.chosen]:
        return True  # how many have been chosen so far is not known either
    return decision.node.secretly and (code[0] < 0 or decision.at_once)
