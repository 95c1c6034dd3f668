"""What helps and pages of the catalogue tell an author to write is right: each correction is tried, each form is found.

- A correction that can be applied as it is (`Replacement`) takes its finding away and brings no other: here for the
  wrong examples of the catalogue, in `test_ways_out.py` for all files with mistakes. Whether it means what was written
  is tested in `test_fixes_keep_meaning.py`.
- Code in any other help is a form: `lowest … for x in …`. Such a form must occur in a text that checks without an
  error: a right example of the catalogue, the way out of a mistake, a game, or `accepted/suggested.rules`
  with its variant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dsl import catalogue
from dsl.checker.names.functions import FUNCTIONS
from dsl.diagnostics import Diagnostic
from dsl.syntax import terminals
from dsl.text.span import Source
from regelwerk import load
from tests.dsl import framing
from tests.dsl.test_catalogue import NO_RULES, bare, beside_the_point
from tests.dsl.test_errors import FILES, MISTAKES, findings, source_of
from tests.dsl.test_ways_out import righted
from tests.support.project import ROOT

SUGGESTED = Path(__file__).parent / "accepted" / "suggested.rules"
CHANGED = SUGGESTED.parent / "variants" / "changed.rules"
CHECKED = (
    SUGGESTED,
    CHANGED,
    *ROOT.glob("games/*.rules"),
    *ROOT.glob("games/variants/*.rules"),
    *ROOT.glob("tests/games/small/*.rules"),
    *ROOT.glob("tests/dsl/variants/variants/*.rules"),
)
NOT_FOUND = {
    ("E0105", "remove zone a"): "in a variant, of a zone that nothing uses any more",
    ("E0105", "remove otherwise"): "in a variant, of a definition that has another case for everything else",
    ("E0105", 'replace game "…" for 2 players …'): "in a variant with other seats: tests/dsl/test_variants.py",
    ("E0105", 'replace game "…" for 2 players red, blue'): "likewise",
    ("E0320", "{c in … where c is in groups(Isle, Ferry) or c is in groups(Isle, Ferry)}"): "of other definitions: "
    "newcomer_mistakes/sets_of_sets_joined.rules",
    ("E0753", "first: several Isle"): "a column of the board in the same folder",
}
"""Forms that no checked file has, each with the reason."""

QUOTED = re.compile(r"`` (.+?) ``|`([^`]+)`")
TOKEN = re.compile(r'"[^"]*"|[A-Za-z_]\w*|\d+(?:\.\d+)?|…|\.\.|[<>]=|->|\S')
OPERAND = re.compile(r'[A-Za-z_]\w*|\d+(?:\.\d+)?|…|"[^"]*"')
WHOLE = re.compile(r"\w+\[[^\[\]]*\]|\b(?!board)\w+\.\w+\b|\{\w+, \w+\}|\(\w+ [-+*] \w+\)")
"""Values of several tokens that are one operand: `score[me]`, `c.kind`, `{market, mint}`, `(b + 1)`."""
TEXT = re.compile(r'"[^"]*"')
ANYTHING = r".+?"
SORTS = frozenset({"set", "note", "zone", "piece", "place"})
"""Keywords that stand for an argument in a signature: `first(number, set)`."""


@cache
def literal_words() -> frozenset[str]:
    """Words that a form means as they are: keywords, and functions."""
    return frozenset(word for keyword in terminals.keywords() for word in keyword.split()) | frozenset(FUNCTIONS)


def pattern_of(form: str) -> str | None:
    """A pattern of the texts that have a form; None for a mere name, which is no form."""
    parts: list[str] = []
    literals = 0
    before = ""
    for token in TOKEN.findall(WHOLE.sub("x", form)):
        argument = token in SORTS and before in ("(", ",")
        if OPERAND.fullmatch(token) and (argument or token not in literal_words()):
            parts += [] if parts[-1:] == [ANYTHING] else [ANYTHING]
        else:
            parts.append(rf"\b{token}\b" if token.isidentifier() else re.escape(token))
            literals += 1
        before = token
    return r"\s*".join(parts) if literals else None


def _without_words(text: re.Match[str]) -> str:
    """A text of the rules with only the expressions in it, so that its words do not look like code."""
    return f'"x{"".join(re.findall(r"{[^{}]*}", text.group()))}"'


@cache
def checked_text() -> str:
    """All texts that check without an error, without comments, with single spaces."""
    texts = [catalogue.page(code).right for code in catalogue.codes()]
    texts += [righted(source_of(path).text) for path in MISTAKES]
    texts += [path.read_text("utf-8") for path in CHECKED]
    lines = (TEXT.sub(_without_words, line).partition("#")[0] for text in texts for line in text.split("\n"))
    return "\n".join(" ".join(line.split()) for line in lines)


def told() -> Iterator[Diagnostic]:
    """Everything that is told in the tests of diagnostics."""
    for path in FILES:
        yield from findings(path, source_of(path))
    for code in catalogue.codes():
        yield from (found for _, _, found in framing.told(bare(catalogue.page(code).wrong)))


def forms(found: Diagnostic) -> Iterator[str]:
    """The code in the helps of a finding, apart from what its corrections insert."""
    inserted = {way.text.strip() for way in found.replacements}
    results = [way.result for way in found.replacements]
    for text in found.helps:
        for double, single in QUOTED.findall(text):
            form = double or single
            if not any(form.removesuffix(" …") in text for text in (*inserted, *results)):
                yield form


def test_the_forms_that_helps_show_are_right_somewhere() -> None:
    text, missing = checked_text(), {}
    used = set()
    for found in told():
        for form in forms(found):
            pattern = pattern_of(form)
            if pattern is None or re.search(pattern, text):
                continue
            if (found.code, form) in NOT_FOUND:
                used.add((found.code, form))
            else:
                missing[found.code, form] = found.draw()
    assert not missing, "\n".join(f"{form}\n{drawn}" for form, drawn in missing.items())
    assert used == set(NOT_FOUND), "no longer suggested, or found by now"


def test_the_forms_of_no_help_are_found_by_chance() -> None:
    """Keywords and signs that other languages put together are not in the text, so such a form would be noticed."""
    for form in ("if … then …", "highest … with … where", "… != …"):
        pattern = pattern_of(form)
        assert pattern is not None and not re.search(pattern, checked_text()), form


def test_the_suggested_forms_check() -> None:
    assert [found.draw() for found in findings(SUGGESTED, source_of(SUGGESTED)) if found.severity == "error"] == []
    load(SUGGESTED, variants=[CHANGED])


UNFINISHED = {"E0120"}
"""Pages whose wrong example is a game that lacks more than what is wrong with it."""
MOST_CORRECTIONS = 6
"""How many corrections an example may need."""


def correctable() -> list[str]:
    """The codes with a wrong example in the language; boards are JSON, and are not corrected."""
    codes = [code for code in catalogue.codes() if code not in NO_RULES | UNFINISHED]
    return [code for code in codes if not catalogue.page(code).wrong.startswith("{")]


@pytest.mark.parametrize("code", correctable())
def test_the_corrections_of_a_wrong_example(code: str) -> None:
    """Applied one after the other, within the frame of the example, they leave none of its findings and bring none."""
    found = [one for _, _, one in framing.told(bare(catalogue.page(code).wrong)) if not beside_the_point(one, code)]
    if not found or not all(one.replacements for one in found):
        return
    drawn = ""
    for _ in range(MOST_CORRECTIONS):
        way = found[0].replacements[0]
        drawn += f"{found[0].draw()}\n-> {way.text!r}\n"
        found = framing.findings(Source(way.span.source.name, way.result))
        found = [one for one in found if not beside_the_point(one, code)]
        assert all(one.code == code and one.replacements for one in found), drawn + found[0].draw()
        if not found:
            return
    raise AssertionError(drawn)
