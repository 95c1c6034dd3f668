"""The canonical layout of a text, as edits of the lines that change."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path

from dsl.formatter import FormatError, canonical
from dsl.text.span import Source
from editors.service.results import Edit, Place

STEP = 4
"""By how many spaces a block is indented."""


def formatted(path: Path, text: str, lines: tuple[int, int] | None = None) -> tuple[Edit, ...]:
    """The edits that bring a text into its canonical layout; with `lines`, from 0, only those that touch them.

    None for a text with syntax errors, and for one of which the formatter cannot prove that it keeps its meaning.
    """
    try:
        new, _ = canonical(Source(path.name, text))
    except FormatError:
        return ()
    if new is None or new == text:
        return ()
    old_lines, new_lines = text.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    edits = []
    matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        outside = lines is not None and (last < lines[0] or first > lines[1])
        if tag != "equal" and not outside:
            edits.append(Edit(Place(path, starts[first], starts[last]), "".join(new_lines[new_first:new_last])))
    return tuple(edits)


def indented(path: Path, text: str, offset: int) -> tuple[Edit, ...]:
    """The edit that indents the line of an offset, just begun, below the line before it."""
    start = text.rfind("\n", 0, offset) + 1
    above = [line for line in text[:start].split("\n") if line.strip()]
    if not above:
        return ()
    previous = above[-1]
    code = re.sub(r"\s+\[[A-Z][A-Z0-9 -]*\w\]\s*$", "", re.sub(r"#[^\"]*$", "", previous)).rstrip()
    indent = len(previous) - len(previous.lstrip()) + (STEP if code.endswith(":") else 0)
    end = start + len(text[start:]) - len(text[start:].lstrip(" \t"))
    if text[start:end] == " " * indent:
        return ()
    return (Edit(Place(path, start, end), " " * indent),)
