"""The function every text from outside is shown through, and the readers that refuse what it spells out."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.boards import board_of
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse
from dsl.text.span import Source, Span
from dsl.text.visible import BIDI, HIDDEN, brief, json_text, visible
from tests.support.project import ROOT

GAME = (ROOT / "games" / "nim.rules").read_text("utf-8")
BOARD = '{"format": 1, "name": "B%s", "fields": [{"id": "a"}]}'
SHOWN_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Signs of Arabic and related scripts that belong to the category of formats, and are seen."""
SAMPLES = [*"\0\a\b\x0b\f\x1b\x7f\x85\x9b\xad\u061c\u180e\u200b\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060"]
SAMPLES += [*"\u2066\u2069\ufeff\ufffb\ud800\U000e0001\U000e0041"]


def hidden() -> list[str]:
    """Every control, format, surrogate and separator of lines that Unicode has."""
    every = map(chr, range(0x110000))
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return [sign for sign in every if unicodedata.category(sign) in kinds and ord(sign) not in SHOWN_FORMATS]


def test_no_hidden_character_is_missing() -> None:
    pattern = re.compile(f"[{HIDDEN}]")
    assert [hex(ord(sign)) for sign in hidden() if not pattern.match(sign)] == []


def test_what_is_seen_stays_as_it_is() -> None:
    text = "größe 中文\u3000\xa0“…” ♖ 👍🏽 ﷽ e\u0301 \u0600"
    assert visible(text) == text


def test_all_marks_of_direction_are_known() -> None:
    """Those with the property Bidi_Control."""
    found = {ord(sign) for sign in map(chr, range(0x10000)) if re.match(f"[{BIDI}]", sign)}
    assert found == {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def test_hidden_characters_are_spelled_out() -> None:
    assert visible("a\x1b[2J\0\u202e\U000e0041\ud800\n\t") == r"a\x1b[2J\x00\u202e\U000e0041\ud800\n\t"
    assert visible("a\n\tb\x07", layout=True) == "a\n\tb\\x07"


@given(st.text())
def test_shown_text_holds_nothing_hidden(text: str) -> None:
    assert not re.search(f"[{HIDDEN}]", visible(text))
    assert visible(visible(text)) == visible(text)


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_json_says_the_same_with_nothing_hidden(document: object) -> None:
    for indent in (None, 2):
        text = json_text(document, indent)
        assert json.loads(text) == document
        assert not re.search(f"[{HIDDEN}]", text.replace("\n", ""))


def test_a_long_value_is_abbreviated() -> None:
    assert brief("x" * 500) == "x" * 120 + "…"
    assert brief(10**5000) == "a number too large"
    assert brief("\x1b") == r"\x1b"


@pytest.mark.parametrize("sign", SAMPLES)
@pytest.mark.parametrize("place", ["# the", '"Nim"', "take"])
def test_rules_hold_nothing_hidden(sign: str, place: str) -> None:
    """In a comment, a text or a name."""
    text = GAME if place in GAME else f"{GAME}\n{place}"
    tree, found = parse(Source("x.rules", text.replace(place, place[:2] + sign + place[2:], 1)))
    assert tree is None
    assert [finding.code for finding in found] == ["E0103"]
    assert not re.search(f"[{HIDDEN}]", found[0].draw().replace("\n", ""))
    assert sign not in found[0].replacements[0].result


@pytest.mark.parametrize("sign", SAMPLES)
def test_boards_hold_nothing_hidden(sign: str) -> None:
    found = board_of(Source("x.json", BOARD % json.dumps(sign)[1:-1]))
    assert isinstance(found, list)
    assert [finding.code for finding in found] == ["E0704"]


def test_the_caret_stays_below_what_it_means() -> None:
    source = Source("a\x1bb.rules", "\x1b[31m wrong \u202e here")
    start = source.text.index("wrong")
    lines = (
        Diagnostic("E0103", "error", "no \x1b here", Span(source, start, start + 5), helps=("\0",)).draw().split("\n")
    )
    assert lines[0] == r"error[E0103]: no \x1b here"
    assert lines[1] == r"  a\x1bb.rules:1:7"
    assert lines[3].index("^") == lines[2].index("wrong")
    assert lines[3].count("^") == 5
    assert lines[4] == r"   = help: \x00"
