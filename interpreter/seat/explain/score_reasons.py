"""Score reasons: what the rules say with `because`, kept in the journal beside the change itself."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.runtime.cells import LEFT, LOOP, Cells, JournalEntry, ReasonPayload
from interpreter.seat.notation.words import filled_text, kept_values


@dataclass(frozen=True)
class ScoreReason:
    """One addition to a number with its reason; `amount` may be negative."""

    text: str
    amount: int
    location: str
    cites: tuple[str, ...]


def score_reason(program: Program, state: Cells, payload: ReasonPayload, seat: int | None) -> ScoreReason:
    """Read a score reason from an entry of the journal, as a seat may know it."""
    number, _, amount, values = payload
    node = program.nodes[number]
    assert isinstance(node, ast.Add)
    assert node.because is not None
    text = filled_text(program, state, node.because, kept_values(node.because, iter(values)), seat)
    return ScoreReason(text, amount, node.span.location, node.cites)


def score_reasons_of(
    program: Program, state: Cells, journal: Iterable[JournalEntry], seat: int | None = None
) -> dict[int, list[ScoreReason]]:
    """All score reasons by the cell they concern, in the order of play.

    Reasons from a loop over pieces are sorted for a seat, because the order of its rounds follows the pieces, seen or
    not.
    """
    reasons: dict[int, list[ScoreReason]] = {}
    depth, added = 0, dict[int, list[ScoreReason]]()
    for cell, payload in journal:
        if isinstance(payload, ReasonPayload):
            reason = score_reason(program, state, payload, seat)
            (added if depth else reasons).setdefault(payload.cell, []).append(reason)
        elif cell == LOOP and seat is not None:
            depth = 0 if payload == LEFT else depth + (1 if payload is not None else -1)
            if depth <= 0:
                _add_sorted(reasons, added)
    _add_sorted(reasons, added)
    return reasons


def _add_sorted(reasons_by_cell: dict[int, list[ScoreReason]], added: dict[int, list[ScoreReason]]) -> None:
    for cell, reasons in added.items():
        reasons_by_cell.setdefault(cell, []).extend(
            sorted(reasons, key=lambda reason: (reason.location, reason.text, reason.amount))
        )
    added.clear()
