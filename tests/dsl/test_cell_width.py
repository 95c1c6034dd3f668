"""Text is measured in the cells it takes on a terminal: carets, columns of the formatter, and agreement with rich."""

import sys
import unicodedata

import pytest
from rich.cells import cell_len

from dsl.formatter import canonical
from dsl.text.cells import cell_width, padded, wrapped
from dsl.text.span import Source, Span

SAMPLES = {
    "": 0,
    "abc": 3,
    "漢字": 4,
    "한글": 4,
    "\u1112\u1161\u11ab": 2,
    "\uff46\uff55\uff4c": 6,
    "ﾊﾝ": 2,
    "e\u0301te\u0301": 3,
    "क्षि": 2,
    "😀!": 3,
    "👍🏽": 2,
    "👨\u200d👩\u200d👧": 2,
    "❤\ufe0f": 2,
    "❤": 1,
    "1\ufe0f\u20e3": 2,
    "🇩🇪": 2,
    "\u2630": 2,
    "\u0301": 0,
}


@pytest.mark.parametrize("text", SAMPLES, ids=ascii)
def test_widths(text):
    assert cell_width(text) == SAMPLES[text] == cell_len(text)


def test_every_character_is_as_wide_as_tables_take_it_to_be():
    unlike = [
        character
        for character in map(chr, range(32, sys.maxunicode + 1))
        if unicodedata.category(character) not in ("Cn", "Cs", "Co", "Cc", "Zl", "Zp")  # not displayed as they are
        and cell_width(character) != cell_len(character)
    ]
    assert unlike == []


def test_padding_and_wrapping():
    assert [padded(text, 6) + "|" for text in ("漢字", "e\u0301", "abcdefg")] == [
        "漢字  |",
        "e\u0301     |",
        "abcdefg|",
    ]
    assert wrapped("ab 漢字 cd 漢字漢字漢字漢字", 7) == ["ab 漢字", "cd", "漢字漢", "字漢字", "漢字"]
    assert wrapped("", 7) == [""]
    assert wrapped("漢", 1) == ["漢"]


@pytest.mark.parametrize(
    ("before", "marked"),
    [
        ("漢字の手を打つ ", "wrong"),
        ("", "漢字"),
        ("cafe\u0301 ", "e\u0301e\u0301"),
        ("👍🏽😀 ", "❤\ufe0f"),
        ("a\u200db ", "x"),
        ("\t", "漢"),
    ],
    ids=ascii,
)
def test_carets_stand_below_what_they_mark(before, marked):
    text = f"{before}{marked} end"
    line, carets = Span(Source("x", text), len(before), len(before + marked)).excerpt()
    shown = before.replace("\u200d", "\\u200d").replace("\t", " ")
    assert line == f" 1 | {shown}{marked} end"
    assert carets == "   | " + " " * cell_len(shown) + "^" * cell_len(marked)


def test_a_caret_below_a_combining_mark_alone_is_still_seen():
    assert Span(Source("x", "e\u0301"), 1, 2).excerpt()[1].endswith("| " + " ^")


RULES = """game "漢字" for 2 players ann, ben:
    "x"

== components ==

type Rank is one, two # 一
names:
    one  "一番の札" # first
    two "e\u0301" # second
note n: 0..9 = 0 # 漢
note nn: 0..9 = 0 # n

== phases ==

phase p, turns from ann, over when n is 9:
    must go

action go:
    "go"
    require n < 9 because "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字" [A-1]
    require n < 9 because "b" [A-2]
    add 1 to n

== scoring ==

winner n is 9
"""


def test_the_formatter_aligns_cells():
    text, _ = canonical(Source("x", RULES))
    lines = text.splitlines()
    first, second = (next(line for line in lines if line.endswith(end)) for end in ("# first", "# second"))
    assert cell_len(first.split("#")[0]) == cell_len(second.split("#")[0])
    long, short = (next(line for line in lines if line.endswith(end)) for end in ("[A-1]", "[A-2]"))
    assert cell_len(long) <= 120
    assert "  [A-1]" in long and len(short) > 80
