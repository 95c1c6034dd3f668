"""Announcements: what the rules say with `tell`, kept in the journal at the moment it was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ast
from interpreter.notation.words import value_words
from interpreter.program import Program
from interpreter.runtime.primitives import Cells


def announcement(program: Program, S: Cells, payload: tuple[int, Sequence[Any]], seat: int | None) -> str:
    """An announcement from an entry of the journal, as a seat hears it; empty if it is for another one."""
    number, values = payload
    node = program.nodes[number]
    assert isinstance(node, ast.Tell)
    known = iter(values)
    if node.seat is not None:
        hearer = next(known)
        if hearer is None or seat not in (None, hearer):
            return ""
    parts = [
        part if isinstance(part, str) else value_words(program, S, program.model.types[part.number], next(known), seat)
        for part in node.text.parts
    ]
    return "".join(parts)
