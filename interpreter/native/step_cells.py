"""Cells and moves of Python as words of machine code, and back."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.ir.types import Opt, Row, Seq, Type
from interpreter.layout.cells import IDLE, POINT, RANDOM
from interpreter.native.forms import SCALAR, WORD
from interpreter.native.listing import Rows
from interpreter.native.steps import Steps
from interpreter.native.words import MASK, NONE, read, written
from interpreter.program import Move
from interpreter.runtime.primitives import Cells
from interpreter.runtime.recorded import Recorded

MOST_KEPT = 1 << 16
"""Maximum number of cached moves of a decision."""


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
    """The cells of a state by their numbers; of recorded positions only their count."""
    coming = iter(words)
    found: dict[int, Any] = {RANDOM: next(coming) & MASK, POINT: next(coming), IDLE: next(coming)}
    for form, numbers in steps.cells.by_form.items():
        for number in numbers:
            found[number] = read(steps.forms, form, coming)
    return found


def only_numbers(parts: Sequence[tuple[int, str]]) -> bool:
    """Whether the arguments of an act are numbers or none, in the first words of a row."""
    return list(parts) == [(place, SCALAR) for place in range(1, len(parts) + 1)]


class MoveReader:
    """Reads the moves of one decision, cached by their rows."""

    def __init__(self, steps: Steps, rows: Rows) -> None:
        self._forms, self._rows = steps.forms, rows
        self._known: dict[bytes, Move] = {}
        self._numbers = {act: len(parts) + 1 for act, parts in rows.acts.items() if only_numbers(parts)}

    def read(self, data: bytes) -> list[Move]:
        """The moves of some rows."""
        width, known = WORD // 8 * self._rows.words, self._known
        rows = [data[start : start + width] for start in range(0, len(data), width)]
        try:
            return [known[row] for row in rows]
        except KeyError:
            if len(known) + len(rows) > MOST_KEPT:
                known.clear()
            for row in rows:
                if row not in known:
                    known[row] = self._move(memoryview(row).cast("q").tolist())
            return [known[row] for row in rows]

    def _move(self, words: Sequence[int]) -> Move:
        act = words[0]
        if act in self._numbers:
            move = tuple(words[: self._numbers[act]])
            if NONE not in move:
                return move
        return (act, *[read(self._forms, form, iter(words[place:])) for place, form in self._rows.acts[act]])
