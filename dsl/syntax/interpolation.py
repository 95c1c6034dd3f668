"""Quoted texts, split at their braces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Hole(NamedTuple):
    """The contents of a pair of braces: offsets in the text, without the braces."""

    start: int
    end: int


class Unbalanced(NamedTuple):
    """An unmatched brace: which one, and its offset in the text. It is always the last part."""

    brace: str
    offset: int


def split(value: str) -> Iterator[str | Hole | Unbalanced]:
    """Split a text into words and placeholders, in order; a placeholder may contain braces."""
    start = 0
    while start < len(value):
        opened, closed = value.find("{", start), value.find("}", start)
        if closed >= 0 and (opened < 0 or closed < opened):
            yield Unbalanced("}", closed)
            return
        if opened < 0:
            yield value[start:]
            return
        if opened > start:
            yield value[start:opened]
        end = _closing(value, opened)
        if end < 0:
            yield Unbalanced("{", opened)
            return
        yield Hole(opened + 1, end)
        start = end + 1


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its placeholders replaced; one without a value is left out."""
    if "{" not in text:
        return text
    return "".join(
        part if isinstance(part, str) else values.get(text[part.start : part.end].strip(), "")
        for part in split(text)
        if not isinstance(part, Unbalanced)
    )


def _closing(value: str, opened: int) -> int:
    depth = 0
    for offset in range(opened, len(value)):
        if value[offset] == "{":
            depth += 1
        elif value[offset] == "}":
            depth -= 1
            if depth == 0:
                return offset
    return -1
