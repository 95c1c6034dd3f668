"""Rounds of phases that are repeated: their number is kept like a note that everybody sees."""

from __future__ import annotations

from dsl import ast
from dsl.model import Model
from dsl.symbols import NoteSymbol, PhaseSymbol
from dsl.types import FAR, Number

ROUND = "round"
"""The name of the function that gives the number of the present round; rules may use the name for something else."""


def keep_round(model: Model, phase: PhaseSymbol) -> None:
    """Add the number of the round of a repeated phase to the notes.

    Its nodes occur in no file; their negative numbers collide with no others.
    """
    node = phase.declaration
    first = ast.Number(span=node.span, number=-2 * node.number - 1, value=0)
    note = ast.Note(
        span=node.span, number=-2 * node.number - 2, name=f"{ROUND}({node.name})", index=(),
        type=ast.TypeUnion(span=node.span, number=-2 * node.number - 2, members=()), first=first, anew_in=None,
        sights=(),
    )  # fmt: skip
    model.types[first.number] = Number(0, 0)
    phase.round = model.notes.setdefault(note.name, NoteSymbol(note.name, note, note, type=Number(0, FAR)))
