"""Cells and moves of Python as words of machine code, and back."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.ir.types import Opt, Row, Seq, Type
from interpreter.layout.cells import IDLE, POINT, RANDOM
from interpreter.native.forms import SCALAR
from interpreter.native.listing import Rows
from interpreter.native.steps import Steps
from interpreter.native.words import MASK, NONE, read, written
from interpreter.program import Move
from interpreter.runtime.primitives import Cells
from interpreter.runtime.recorded import Recorded


def to_words(steps: Steps, S: Cells) -> array[int]:
    """The cells of a state as words."""
    found = array("Q", [S[RANDOM], S[POINT] & MASK, S[IDLE] & MASK])
    for form, numbers in steps.cells.by_form.items():
        for number in numbers:
            value = S[number]
            if isinstance(value, Recorded):
                value = sum(times for _, times in value.items())
            found.extend(written(steps.forms, form, value))
    for number, type_ in sorted(steps.records.items()):
        record: Recorded = S[number]
        counts = list(record.items())
        found.append(len(counts))
        for key, times in counts:
            words = list(_noted(steps, type_, key))
            found.extend([len(words), times, *words])
    return found


def _noted(steps: Steps, type_: Type, value: Any) -> Iterator[int]:
    """The words of a recorded value, which are those that `_noted` of positions.py prints."""
    match type_:
        case Row(of=parts):
            for part, inner in zip(value, parts, strict=True):
                yield from _noted(steps, inner, part)
        case Seq(of=inner):
            yield len(value)
            for part in value:
                yield from _noted(steps, inner, part)
        case Opt(of=inner) if steps.forms.form_of(type_) != SCALAR:
            yield int(value is not None)
            yield from () if value is None else _noted(steps, inner, value)
        case _:
            yield from written(steps.forms, steps.forms.form_of(type_), value)


def from_words(steps: Steps, words: Sequence[int]) -> dict[int, Any]:
    """The cells of a state by their numbers; of what has been recorded only how much."""
    coming = iter(words)
    found: dict[int, Any] = {RANDOM: next(coming) & MASK, POINT: next(coming), IDLE: next(coming)}
    for form, numbers in steps.cells.by_form.items():
        for number in numbers:
            found[number] = read(steps.forms, form, coming)
    return found


def moves_of(steps: Steps, rows: Rows, words: Sequence[int]) -> list[Move]:
    """Legal moves from their rows."""
    found: list[Move] = []
    length, numbers = rows.words, rows.numbers
    for start in range(0, len(words), length):
        act = words[start]
        if act in numbers:
            move = tuple(words[start : start + numbers[act]])
            found.append(move if NONE not in move else tuple([None if part == NONE else part for part in move]))  # type: ignore[misc]
        else:
            row = words[start : start + length]
            parts = [read(steps.forms, form, iter(row[place:])) for place, form in rows.acts[act]]
            found.append((act, *parts))
    return found
