"""`rulebook`: every game has one, in words; what it says of each construct; pages; what has no words of its own."""

import json
import os
import re
from pathlib import Path

import pytest

from cli.json_output import schema
from tests.support.json_schemas import validate
from tests.support.library import representative
from tests.support.long_run import one_in
from tests.support.project import ROOT

UPDATE = bool(os.environ.get("REGELWERK_UPDATE"))
BOOKS = ROOT / "docs" / "rulebooks"
LARGE = ("chinesische_mauer", "china", "mauerbauer", "dschingis_khan")
OTHERS = tuple(name for name in representative() if name not in LARGE)

DEPOT = """# A depot.

game "Depot" for 2 to 3 players ann, ben, cleo:
    "Fill your depot."
    designer "Ada"
    minutes 10

option generous: Truth = false:
    "Whether two crates come at once."

== components ==

type Size with weight: 1..3:
    small  1
    large  3
by players  2  3:
    dealt   2  1
piece Crate: 4 for each size: Size in yard
zone yard holds stack of Crate, seen by nobody
zone depot[p: Player] holds Crate
zone secret_of[p: Player] holds Crate, seen by p
zone sold holds row of Crate
die luck: 1, 2, 3
note score[p: Player]: 0..99 = 0
note calls: 0..9 = 0, seen by nobody

names:
    Crate       "crate", "crates"
    depot[p]    "depot of {p}"
    score[p]    "points of {p}"

== setup ==

shuffle yard
for each p in Player: move dealt from yard to depot[p]

== phases ==

phase filling, turns from ann, over when yard is empty or some p in Player where score[p] > 9:
    must fetch or sell else wait
    may choose up to 2 c from depot[me] where c.size is small
    tidy

## Whoever has much to carry rests.
step tidy:
    if count depot[me] > 3: set calls to 0
    else: add 1 to calls

action fetch(n: 1..2):
    "fetch {n}"
    require n is 1 or generous              because "only one"
    move n from yard to depot[me]

action sell(c in depot[me]):
    "sell {c}"
    require c.size is large or no d in depot[me] where d.size is large because "a large one first"
    move c to sold
    add value(c) to score[me]               because "{c} sold"
    check_end(c)

action wait:
    roll luck

## Selling may end everything.
step check_end(c: Crate):
    if value(c) is 3 and (sum value(d) for d in sold) > 12: end game

when rich(p: Player): tidy
define rich(p: Player): score[p] >= 9

== scoring ==

## A crate is worth its weight.
define value(c: Crate):
    2 * c.size.weight    if generous
    c.size.weight        otherwise

winner highest score[me] "most points" then lowest count depot[me]

== examples ==

example "a large crate is worth three":
    given depot[ann] is [small, large]
    and score[ann] is 1
    when phase filling
    when ann: sell(large)
    then score[ann] is 4 and count sold is 1
"""

SENTENCES = (
    "2 to 3 players · 10 minutes · by Ada",
    "You win with: most points.",
    "After that, of those who are level: lowest: the number of crates in your depot.",
    "| crates: small | 4 |",
    "| dealt | 2 | 1 |",
    "- Yard: a stack of crates, face down: nobody sees them.",
    "- Depot of [player]: crates.",
    "- Secret of [player]: crates, seen only by [player].",
    "- Luck: 1, 2, 3.",
    "- Points of [player]: at first 0.",
    "1. Shuffle yard.",
    "   - Move dealt crates from yard to depot of [player].",
    "**Filling.** Players take turns clockwise, beginning with ann.",
    "It is over when, after a turn, yard is empty or there is some [player] where points of [player] is more than 9.",
    "You must fetch or sell.",
    "If none of this is possible, you must wait.",
    "You may choose up to 2 [crates] from your depot where size of [crates] is small.",
    "**You choose:** [number] (1 to 2).",
    "- [number] is 1 or “generous” is agreed; otherwise: “only one”",
    "**You choose:** [crate] from your depot.",
    "- Size of [crate] is large or there is no crate in your depot where size is large; otherwise: “a large one first”",
    "1. Move [crate] to sold.",
    "Add value of [crate] to your points: [crate] sold.",
    "Selling may end everything.",
    "If value of [crate] is 3 and the sum of value of [crate d] over all crates [crate d] in sold is more than 12:",
    "The game is over at once.",
    "**As soon as:** points of [player] is at least 9.",
    "A crate is worth its weight.",
    "- 2 \u00d7 weight of size of [crate], if “generous” is agreed",
    "- otherwise weight of size of [crate]",
    "### A large crate is worth three",
    "1. Ann: sell (large).",
    "- Generous: Whether two crates come at once.",
)


def book(output: str) -> str:
    """Markdown without what keeps its characters from having a meaning."""
    return re.sub(r"\\(.)", r"\1", output)


@pytest.fixture
def depot(own_folder):
    path = own_folder / "depot.rules"
    path.write_text(DEPOT)
    return path


@pytest.mark.parametrize("name", one_in(2, OTHERS))
def test_every_game_has_a_rulebook(run, name):
    result = run("rulebook", name)
    assert result.exit_code == 0, result.output
    for section in ("Aim", "Course of play", "End of the game", "Index"):
        assert f"## {section}" in result.output
    targets = set(re.findall(r"\]\(#([^)]+)\)", result.output))
    assert targets <= set(re.findall(r'<a id="([^"]+)">', result.output))


@pytest.mark.parametrize("name", LARGE)
def test_the_rulebooks_of_the_large_games_are_current(run, own_folder, name):
    folder = BOOKS if UPDATE else own_folder
    result = run("rulebook", name, "--output", folder / f"{name}.md")
    assert result.exit_code == 0, result.output
    written = {path.name: path.read_text("utf-8") for path in folder.glob(f"{name}*") if path.is_file()}
    kept = {path.name: path.read_text("utf-8") for path in BOOKS.glob(f"{name}*")}
    assert written.keys() == kept.keys() and len(kept) > 0
    for file, text in written.items():
        assert text == kept[file], f"{file}: REGELWERK_UPDATE=1 writes what is generated now; review it"


def test_each_construct_becomes_a_sentence(run, depot):
    text = book(run("rulebook", depot).output)
    missing = [sentence for sentence in SENTENCES if sentence not in text]
    assert not missing, "\n".join([*missing, "---- not in ----", text])


def test_authors_come_first_and_items_are_printed_once(run, depot):
    depot.with_name("depot.items").write_text("D-1  Sales are public.\nD-2  What is worth most counts.\n")
    depot.write_text(
        DEPOT.replace("action sell(c in depot[me]):", "action sell(c in depot[me]):  [D-1]").replace(
            "define value(c: Crate):", "define value(c: Crate):  [D-1 D-2]"
        )
    )
    text = book(run("rulebook", depot).output)
    assert text.count("Sales are public.") == 1
    scoring = text[text.index('<a id="rule-value">') :]
    assert scoring.index("A crate is worth its weight.") < scoring.index("Sales are public. <sub>D-1</sub>")
    assert scoring.index("What is worth most counts.") < scoring.index("the first of these that fits")


def test_a_book_for_one_number_of_players(run, depot):
    assert "| dealt | 1 |" in run("rulebook", depot, "--players", 3).output
    refused = run("rulebook", depot, "--players", 9)
    assert refused.exit_code == 2 and "2 to 3 players" in refused.output


def test_a_book_of_a_variant(run, depot):
    (depot.parent / "variants").mkdir()
    (depot.parent / "variants" / "heavy.rules").write_text(
        'variant "Heavy" of depot:\n    "Only large crates are sold."\n    in action sell:\n'
        '        add require c.size is large because "too light"\n'
    )
    text = book(run("rulebook", depot, "--variant", "heavy").output)
    assert "# Depot (Heavy)" in text
    assert "Size of [crate] is large; otherwise: “too light”" in text
    assert "- Heavy: Only large crates are sold." in text


def test_a_book_in_another_language(run):
    text = book(run("rulebook", "chinesische_mauer", "--language", "de").output)
    assert "## Spielablauf" in text and "## Wertung" in text
    assert "Deine" not in text and "CM-01" not in text, "items have no German text"
    assert "- [Sorte] ist nicht Reiter; sonst: „" in text


def test_lines_for_the_rulebook_can_be_translated(run, depot):
    german = 'names de:\n    "A crate is worth its weight.": "Eine Kiste zählt ihr Gewicht."\n'
    depot.write_text(DEPOT.replace("== setup ==", f"{german}\n== setup =="))
    text = run("rulebook", depot, "--language", "de").output
    assert "Eine Kiste zählt ihr Gewicht." in text
    assert "A crate is worth" not in text and "Whoever has much to carry" not in text
    assert "Whoever has much to carry" in run("rulebook", depot).output


def test_steps_have_the_titles_that_names_give_them(run, depot):
    depot.write_text(DEPOT.replace('    depot[p]    "depot', '    tidy        "tidying up"\n    depot[p]    "depot'))
    result = run("rulebook", depot)
    assert result.exit_code == 0
    assert "### Tidying up" in result.output and "### Tidy\n" not in result.output


def test_what_has_no_words_of_its_own(run, depot):
    result = run("rulebook", depot, "--check")
    lines = DEPOT.splitlines()
    assert result.exit_code == 1
    line = lines.index("action wait:") + 1
    assert f"depot.rules:{line}:1: action `wait` has no words of its own" in result.output
    assert "`value`" not in result.output and "`generous`" not in result.output
    data = json.loads(run("rulebook", depot, "--check", "--format", "json").output)
    validate(data, schema("rulebook"))
    assert {"kind": "action", "name": "wait"}.items() <= next(e for e in data["wordless"] if e["line"] == line).items()
    depot.write_text(
        re.sub(r"(?m)^(note|phase|action|define rich|when|winner)", r"## Said.\n\1", DEPOT).replace(
            '"most points" then lowest count depot[me]', '"most points"'
        )
    )
    settled = run("rulebook", depot, "--check")
    assert (settled.exit_code, settled.output) == (0, "everything has words of its own\n")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--format", "json"), "--format json needs --check"),
        (("--check", "--html"), "--check writes no rulebook"),
        (("--output", "depot.rules.html/x.md"), "no such folder"),
        (("--output", "notes.html"), "already exists and is not a rulebook"),
    ],
)
def test_what_is_refused(run, depot, flags, message):
    Path("notes.html").write_text("mine")
    result = run("rulebook", depot, *flags)
    assert result.exit_code in (1, 2) and message in result.output
    assert Path("notes.html").read_text() == "mine"


def test_texts_of_a_game_cannot_become_elements_of_a_page(run, depot):
    depot.write_text(DEPOT.replace('"Fill your depot."', '"<script>alert(1)</script> & more"'))
    assert run("rulebook", depot, "--output", "depot.html").exit_code == 0
    page = Path("depot.html").read_text("utf-8")
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "default-src 'none'" in page
    assert run("rulebook", depot, "--output", "depot.html").exit_code == 0, "a rulebook may be replaced"


def test_a_page_fits_a_phone_and_shows_the_board(run, own_folder, browser):
    assert run("rulebook", "nine_mens_morris", "--output", "morris.html").exit_code == 0
    browser.screen(390, 844, phone=True)
    browser.open(own_folder / "morris.html")
    assert browser.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert browser.page.locator("figure svg").first.bounding_box()["width"] > 200
    assert browser.page.locator("a[href='#course']").count() >= 1
    assert browser.faults == []
