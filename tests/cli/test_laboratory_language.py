"""Results of the laboratory in another language: people read translated names, programs those of the rules."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re

import pytest

from tests.cli.conftest import valid
from tests.cli.runs import MARKET

MISSING = [name for name in ("altair", "vl_convert", "scipy") if importlib.util.find_spec(name) is None]
if MISSING and "CI" in os.environ:
    raise AssertionError(f"{', '.join(MISSING)}: not installed: pip install 'regelwerk[lab]'")
needs_libraries = pytest.mark.skipif(bool(MISSING), reason="not installed: pip install 'regelwerk[lab]'")

GERMAN = """names de of market:
    red                 "rot"
    green               "grün"
    ann                 "Anna"
    goal                "Ziel"
    silk                "Seide"
    Crate               "Kiste", "Kisten"
    Crate(good)         "Kiste {good}"
    load                "laden"
    rest                "ruhen"
    "a good bargain": "ein gutes Geschäft"
    "{c} on the shelf": "{c} im Regal"
"""

ENGLISH_WORDS = re.compile(r"\b(red|green|ann|goal|silk|load|rest)\b|a good bargain|on the shelf")


@pytest.fixture
def market(own_folder):
    (own_folder / "market.rules").write_text(MARKET, encoding="utf-8")
    (own_folder / "languages").mkdir()
    (own_folder / "languages" / "market.de.rules").write_text(GERMAN, encoding="utf-8")
    return own_folder


SIMULATE = ("simulate", "market.rules", "--players", 3, "-n", 6, "--details", 3, "-o", "goal=9")
COMPARE = ("compare", "market.rules", "market.rules", "--players", 3, "-n", 12, "--option-b", "goal=9")
SWEEP = ("sweep", "market.rules", "--players", 3, "-n", 4, "-o", "goal=6,9")


def without_source(text):
    """What is read without criteria and cases, which are shown as the rules have them."""
    return re.sub(r"highest points\[me\]|lowest count shelf\[me\]|\d if c is \w+", "", text)


@pytest.mark.parametrize("words", [SIMULATE, pytest.param(COMPARE, marks=needs_libraries), SWEEP])
def test_tables_have_the_names_of_the_language(alone, market, words):
    output = alone(*words, "--language", "de").output
    assert not ENGLISH_WORDS.search(without_source(output)), output
    for seat in ("rot", "grün", "Anna"):
        assert f"games won (%), {seat}" in " ".join(output.split())
    assert "Ziel" in output
    assert ENGLISH_WORDS.search(alone(*words).output)


def test_rules_pieces_and_reasons_have_the_names_of_the_language(alone, market):
    output = alone(*SIMULATE, "--language", "de").output
    for words in ("{c} im Regal", "ein gutes Geschäft", "Kiste Seide", "action ruhen", "Ziel is 9"):
        assert words in output
    output = alone(*SIMULATE, "--language", "de", "--seat", "green=greedy").output
    assert "random as rot, greedy as grün, random as Anna" in " ".join(output.split())


@pytest.mark.parametrize("words", [SIMULATE, pytest.param(COMPARE, marks=needs_libraries), SWEEP])
def test_programs_read_the_names_of_the_rules(alone, market, words):
    document = alone(*words, "--format", "json").output
    assert alone(*words, "--format", "json", "--language", "de").output == document
    assert valid(words[0], document)
    if words is not COMPARE:
        assert alone(*words, "--format", "csv", "--language", "de").output == alone(*words, "--format", "csv").output


def test_files_for_programs_have_the_names_of_the_rules(alone, market):
    for folder, more in (("plain", ()), ("german", ("--language", "de"))):
        (market / folder).mkdir()
        alone(*SIMULATE, "--figures", f"{folder}/figures.csv", "--per-game", f"{folder}/games.json", *more)
    for name in ("figures.csv", "games.json"):
        assert (market / "german" / name).read_text() == (market / "plain" / name).read_text()
    subjects = {row["subject"] for row in csv.DictReader((market / "german" / "figures.csv").open())}
    assert {"red", "green", "ann"} <= subjects
    assert {row["winners"] for row in json.loads((market / "german" / "games.json").read_text())} <= {
        "red", "green", "ann", "red green", "red ann", "green ann", "red green ann",
    }  # fmt: skip


@needs_libraries
@pytest.mark.parametrize(
    ("words", "form"),
    [
        (SIMULATE, "text"), pytest.param(SIMULATE, "json", marks=pytest.mark.long),
        (COMPARE, "json"), pytest.param(COMPARE, "text", marks=pytest.mark.long),
        (SWEEP, "text"), pytest.param(SWEEP, "json", marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_pages_and_pictures_have_the_names_of_the_language(alone, market, words, form):
    alone(*words, "--language", "de", "--html", "page.html", "--svg", "charts", "--format", form)
    page = (market / "page.html").read_text()
    body = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    assert "rot" in body and "grün" in body and "Anna" in body and "Ziel" in body
    drawn = "".join(path.read_text() for path in (market / "charts").iterdir())
    assert "grün" in drawn and "Anna" in drawn
    for text in (re.sub(r"<[^>]*>", "\n", body), re.sub(r"<[^>]*>", "\n", drawn)):
        assert not ENGLISH_WORDS.search(without_source(text)), ENGLISH_WORDS.search(without_source(text))


@needs_libraries
def test_seats_keep_their_colours(alone, market):
    """A seat named after a colour keeps it, whatever its name in another language."""
    styles = []
    for more in ((), ("--language", "de")):
        alone(*SIMULATE, "--html", "page.html", *more)
        styles.append(re.search(r"--mark0:[^}]*", (market / "page.html").read_text())[0])
    assert styles[0] == styles[1]


def test_seats_with_the_same_name_are_told_apart(alone, market):
    path = market / "languages" / "market.de.rules"
    path.write_text(path.read_text().replace('"grün"', '"rot"'))
    output = alone(*SIMULATE, "--language", "de").output
    assert "games won (%), red" in output and "games won (%), green" in output
