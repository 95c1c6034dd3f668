"""A line that begins with `because`, indented, goes on with the line before it."""

from __future__ import annotations

import pytest

from dsl.formatter import canonical
from dsl.syntax import parse
from dsl.syntax.blocks import Blocks
from dsl.text.span import Source

ONE_LINE = """game "Steps" for 2 players ann, ben

== components ==

note n: 0..9 = 0

== phases ==

phase main, turns from ann, over when n > 8:
    must go

action go:
    require n < 8 because "too many" [S-1]
    require (n < 7 or n is 7) because "odd"
    if n > 3: add 1 to n because "more"
    add 1 to n

== scoring ==

winner n > 0

== examples ==

example "refused":
    given n is 8
    when phase main
    then ann may not go because "too many"
"""
BROKEN = ONE_LINE.replace(' because "', '\n          because "').replace('"odd"', '"odd"  # why')
WITH_COMMENTS = ONE_LINE.replace(' because "', '  # the reason\n\n        # is this\n     because "')


def tree_of(text: str) -> object:
    file, diagnostics = parse(Source("steps.rules", text))
    assert diagnostics == []
    assert file is not None
    return file


@pytest.mark.parametrize("text", [BROKEN, WITH_COMMENTS, BROKEN.replace("\n", "\r\n")])
def test_the_break_says_nothing(text: str) -> None:
    assert tree_of(text) == tree_of(ONE_LINE)  # trees are compared without their spans
    file, diagnostics = Blocks().parse(Source("steps.rules", text))
    assert diagnostics == []
    assert file == tree_of(ONE_LINE)


def test_it_is_kept_one_step_further_in() -> None:
    text, diagnostics = canonical(Source("steps.rules", BROKEN))
    assert diagnostics == []
    assert text is not None
    lines = text.splitlines()
    where = lines.index("    require n < 8")
    assert lines[where + 1].startswith('        because "too many"  ')
    assert lines[where + 1].endswith("[S-1]") and lines[where + 1].index("[") == 88
    assert '        because "odd"  # why' in lines


def test_a_reason_at_the_margin_is_a_mistake() -> None:
    _, diagnostics = parse(Source("steps.rules", ONE_LINE.replace(' because "odd"', '\nbecause "odd"')))
    assert diagnostics
