"""Quoted texts, split at their braces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Hole(NamedTuple):
    """The contents of a pair of braces: offsets in the text, without the braces."""

    start: int
    end: int


class Unbalanced(NamedTuple):
    """An unmatched brace: which one, and its offset in the text. It is always the last part."""

    brace: str
    place: int


def split(value: str) -> Iterator[str | Hole | Unbalanced]:
    """Split a text into words and holes, in order; holes may contain braces."""
    place = 0
    while place < len(value):
        opened, closed = value.find("{", place), value.find("}", place)
        if closed >= 0 and (opened < 0 or closed < opened):
            yield Unbalanced("}", closed)
            return
        if opened < 0:
            yield value[place:]
            return
        if opened > place:
            yield value[place:opened]
        end = _closing(value, opened)
        if end < 0:
            yield Unbalanced("{", opened)
            return
        yield Hole(opened + 1, end)
        place = end + 1


def _closing(value: str, opened: int) -> int:
    depth = 0
    for place in range(opened, len(value)):
        if value[place] == "{":
            depth += 1
        elif value[place] == "}":
            depth -= 1
            if depth == 0:
                return place
    return -1
