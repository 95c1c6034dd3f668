"""What is offered as the way out is one: whoever takes it has one mistake less and no new one.

In `mistakes/` each wrong line is followed by lines with `#>` that say what should stand there instead; `#>` alone takes
the line away.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from dsl.diagnostics import Diagnostic, Replacement
from dsl.text.span import Source
from tests.dsl.test_errors import FILES, LOOSE_ENDS, MARK, MISTAKES, findings, source_of
from tests.support.project import ROOT

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


GAME = ROOT / "games" / "go_fish.rules"
DECLARES = re.compile(r"\b(?:phase|action|step|define|when|let|some|no|the|each) $")


def turned(word: str) -> str:
    """A word with two letters in turn."""
    place = next((place for place in range(1, len(word)) if word[place] != word[place - 1]), 0)
    return word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]


def test_a_misspelt_word_is_reported_once_with_the_right_one() -> None:
    text = GAME.read_text("utf-8")
    body = re.sub(r'"[^"]*"|#.*', lambda found: " " * len(found.group()), text)
    play = range(body.index("== setup =="), body.index("== scoring =="))
    named = []
    for found in re.finditer(r"[A-Za-z_]\w{2,}(?!\w*\s*:)", body):
        word = found.group()
        if found.start() not in play or "==" in line_of(body, found.start()) or DECLARES.search(body[: found.start()]):
            continue  # where a name is declared, it is the others that are not known any more
        wrong = f"{text[: found.start()]}{turned(word)}{text[found.end() :]}"
        told = [one for one in findings(GAME, Source("x", wrong)) if not LOOSE_ENDS.fullmatch(one.code)]
        assert len(told) == 1, "\n".join([turned(word), *(one.draw() for one in told)])
        named.append(text in [way.result for way in told[0].replacements])
    assert len(named) > 90
    assert sum(named) >= 0.9 * len(named)


def line_of(text: str, start: int) -> str:
    return text[text.rfind("\n", 0, start) + 1 : text.find("\n", start)]
