"""What is offered as the way out is one: whoever takes it has one mistake less and no new one.

In `mistakes/` each wrong line is followed by lines with `#>` that say what should stand there instead; `#>` alone takes
the line away.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dsl.diagnostics import Diagnostic, Replacement
from dsl.span import Source
from tests.dsl.test_errors import FILES, MARK, MISTAKES, findings, source_of

INSTEAD = "#>"
NOT_ENOUGH = {("blocks", 43), ("boards", 20)}
"""Lines with a second mistake behind the one that is told."""


def righted(text: str) -> str:
    """A text with the lines that should stand there."""
    lines: list[str] = []
    before = ""
    for line in text.split("\n"):
        if not line.startswith(INSTEAD):
            lines.append(line)
        else:
            if not before.startswith(INSTEAD):
                lines.pop()
            lines += [line[len(INSTEAD) + 1 :]] if line != INSTEAD else []
        before = line
    return "\n".join(lines)


def without_marks(text: str) -> str:
    return "\n".join(MARK.sub("", line) for line in text.split("\n") if not line.startswith(INSTEAD))


def taken(text: str, ways: list[Replacement]) -> str:
    """A text with replacements made, the last one first."""
    for way in sorted(ways, key=lambda way: -way.span.start):
        text = text[: way.span.start] + way.text + text[way.span.end :]
    return text


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_the_way_out_of_a_mistake(path: Path) -> None:
    source = source_of(path)
    right = righted(source.text)
    assert [found.draw() for found in findings(path, Source(path.name, right))] == []
    ways = [found.replacements[0] for found in findings(path, source) if found.replacements]
    if ways:
        assert without_marks(taken(source.text, ways)) == without_marks(right)


def told(diagnostics: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((found.code, found.message) for found in diagnostics)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_replacement_takes_its_finding_away_and_brings_no_other(path: Path) -> None:
    source = source_of(path)
    before = findings(path, source)
    for found in before:
        for way in found.replacements[:1]:
            if way.span.source is not source or (path.stem, found.span.line) in NOT_ENOUGH:
                continue
            after = findings(path, Source(path.name, way.result))
            drawn = f"{found.draw()}\n-> {way.text!r} makes {told(after) - told(before)}"
            assert told(after)[found.code, found.message] < told(before)[found.code, found.message], drawn
            assert not told(after) - told(before), drawn


def test_replacements_lie_in_their_file() -> None:
    for path in FILES:
        for found in findings(path, source_of(path)):
            for way in found.replacements:
                assert 0 <= way.span.start <= way.span.end <= len(way.span.source.text)
                assert way.text != way.span.text
