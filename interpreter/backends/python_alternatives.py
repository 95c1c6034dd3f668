"""Moves that combine a place with an alternative, as Python source: one set of places per alternative."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.python_searches import Lines, assigned, extracted
from interpreter.backends.python_text import EITHER, SHIFT, identifier, text
from interpreter.ir.expressions import Const, Expr, Local
from interpreter.ir.runs import Run
from interpreter.runtime.selection import lane


def packed_sets(out: Lines, run: Run, width: int) -> str:
    """The sets of all alternatives packed into one number, the first in the lowest bits."""
    step = lane(width)
    found = []
    for number, (those, _) in enumerate(run.alternatives):
        least = SHIFT if number else EITHER
        shown = text(extracted(out, those), least)
        found.append(f"{shown} << {number * step}" if number else shown)
    return " | ".join(found)


def selector(width: int, count: int) -> str:
    """The name of the function that selects a move from such a number."""
    return f"select_way{lane(width)}_{count}"


def assign_parts(out: Lines, names: Sequence[Local], run: Run, place: Local, found: str) -> None:
    """Assign the parts of a move: `found` is its place and the number of its alternative."""
    out.add(f"{identifier(place)}, way = {found}")
    for position, name in enumerate(names):
        parts = [move[position] for _, move in run.alternatives if position < len(move)]
        if not parts:
            continue
        _part(out, name, parts)


def _part(out: Lines, name: Local, parts: list[Expr]) -> None:
    if all(part == parts[0] for part in parts):
        assigned(out, identifier(name), parts[0])
    elif all(isinstance(part, Const) for part in parts):
        values = tuple([part.value for part in parts if isinstance(part, Const)])
        out.add(f"{identifier(name)} = {values}[way]")
    else:
        for number, part in enumerate(parts):
            out.add(f"{'el' if number else ''}if way == {number}:")
            assigned(out.inside(), identifier(name), part)
