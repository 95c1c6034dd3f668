"""`mutate GAME`: changes of rules that no example notices, each with an example that does."""

from __future__ import annotations

import os
import re
import shlex
import signal
import time

import pytest

from tests.cli.conftest import DRAWING, valid
from tests.cli.terminal import plain

RULES = """game "Coins" for 2 to 3 players ann, ben, cal

== components ==

piece Coin: 12 in pot
zone pot holds Coin
zone purse[p: Player] holds Coin

== phases ==

phase taking, turns from ann, over when pot is empty:
    must take

action take(n: 1..3):
    "take {n}"
    require n <= count pot                because "only {count pot} are left"
    move n from pot to purse[me]
    if count purse[me] > 5: move 1 from purse[me] to pot

== scoring ==

winner highest (count purse[me])

== examples ==

example "no more than there are":
    given count pot is 2
    when ann: take(2)
    then count purse[ann] is 2
    and pot is empty
"""


@pytest.fixture
def coins(own_folder):
    path = own_folder / "coins.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def changes(run, path, *words, code=1):
    result = run("mutate", path, "--jobs", 1, "--format", "json", *words)
    assert result.exit_code == code, result.output
    return valid("mutate", result.output)


def test_each_proposed_example_notices_its_change_and_passes_now(run, coins):
    document = changes(run, coins)
    assert document["tried"] == document["changes"] == sum(document["summary"].values())
    proposed = [change for change in document["missing"] if change["example"]]
    assert any("drop `if count purse[me] > 5" in change["change"] for change in proposed)
    examples = "\n".join(
        change["example"].replace('"', f'"{number} ', 1) for number, change in enumerate(proposed)
    )  # fmt: skip
    coins.write_text(f"{RULES}\n{examples}", encoding="utf-8")
    assert run("test", coins).exit_code == 0
    changed = {
        change["change"]
        for change in changes(run, coins, code=0 if len(proposed) == len(document["missing"]) else 1)["missing"]
    }
    assert changed.isdisjoint(change["change"] for change in proposed)


def test_the_first_proposal_is_about_what_was_changed(run, coins):
    result = run("mutate", coins, "--jobs", 1, "--only", "action take")
    assert result.exit_code == 1
    assert re.search(r"coins\.rules:18  action take: `>=` for `>` in `count purse\[me\] > 5`", result.output)
    assert "         when ann: take(3)\n         then pot is [4 Coin]\n" in result.output
    assert "phase taking" not in result.output


SECRET = (
    """game "Draw" for 2 players ann, ben

== components ==

piece Card: 1 for each rank: 1..6 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p

== setup ==

each player from ann: move 1 from deck to hand[me]
"""
    + DRAWING
)


def test_an_example_says_who_sees_what(run, own_folder):
    path = own_folder / "draw.rules"
    path.write_text(SECRET, encoding="utf-8")
    (hand,) = [each for each in changes(run, path, "--only", "zone hand")["missing"] if "drop `seen" in each["change"]]
    assert hand["differs"] == "view"
    assert hand["example"].endswith("then not sees(ben, hand[ann])\n")


def test_a_run_is_continued(run, coins, own_folder):
    some = ("--only", "action take", "--into", "kept")
    first = changes(run, coins, *some)
    kept = own_folder / "kept" / "coins.changes.jsonl"
    lines = kept.read_text("utf-8").splitlines()
    assert len(lines) == 1 + first["tried"]
    kept.write_text("\n".join(lines[:-3]) + '\n{"descr', encoding="utf-8")  # killed in the middle of a line
    assert changes(run, coins, *some) == first
    assert "example " in (own_folder / "kept" / "coins.proposed.txt").read_text("utf-8")
    again = run("mutate", coins, "--jobs", 1, *some)
    assert f"{first['tried']} of them earlier" in again.output
    coins.write_text(RULES.replace("1..3", "1..2"), encoding="utf-8")
    assert "earlier" not in run("mutate", coins, "--jobs", 1, *some).output


def test_a_foreign_file_is_not_overwritten(run, coins, own_folder):
    kept = own_folder / "coins.changes.jsonl"
    kept.write_text("my shopping list", encoding="utf-8")
    result = run("mutate", coins, "--jobs", 1, "--into", ".")
    assert result.exit_code == 1 and "not a file of changes tried" in result.output
    assert kept.read_text("utf-8") == "my shopping list"


def test_rules_whose_examples_fail_are_not_changed(run, coins):
    coins.write_text(RULES.replace("count purse[ann] is 2", "count purse[ann] is 3"), encoding="utf-8")
    result = run("mutate", coins, "--jobs", 1)
    assert result.exit_code == 1
    assert "1 example of " in result.output and "regelwerk test" in result.output


def test_examples_that_fail_with_a_variant_are_found_by_the_command_that_is_named(run, coins, own_folder):
    variant = own_folder / "fewer coins.rules"
    variant.write_text(
        'variant "Fewer" of coins:\n    "One coin at a time."\n    replace action take(n: 1..3):\n        "take {n}"\n'
        '        require n is 1 because "one at a time"\n        move n from pot to purse[me]\n',
        encoding="utf-8",
    )
    refused = run("mutate", coins, "--variant", variant)
    assert refused.exit_code == 1
    told = " ".join(refused.output.split())
    assert f"1 example of {coins} fails already; see `regelwerk test" in told
    arguments = shlex.split(told.partition("`regelwerk ")[2].rstrip("`"))
    assert arguments == ["test", str(coins), "--variant", str(variant)] and run(*arguments).exit_code == 1


@pytest.mark.parametrize(
    "words",
    [("--only", "nothing of that name"), ("--time", 0), ("--games", 0), ("--jobs", 0), ("--into", "coins.rules")],
)
def test_misuse(run, coins, words):
    assert run("mutate", coins, *words).exit_code == 2


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
def test_interrupted(terminal):
    running = terminal("mutate", "oware", "--time", 600, "--jobs", 2, columns=100)
    end = time.monotonic() + 120
    while not re.search(r"\b[1-9]\d*/\d+\b", plain(running.raw)):
        assert running.read(end - time.monotonic()), running.raw
    running.process.send_signal(signal.SIGINT)
    assert running.end(60) == 130
    assert "interrupted: this is what was found so far" in plain(running.raw)
    assert re.search(r"Changes of oware: \d+ of \d+ tried", plain(running.raw))


def test_a_variant_with_words_of_its_own(run):
    result = run("mutate", "china", "--variant", "even_cards", "--only", "winner", "--time", 1)
    assert "Changes of china: " in result.output
