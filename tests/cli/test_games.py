"""`games` and `rules`: the games there are, one in full, and its rules in brief."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import GAMES, PEBBLES, valid
from tests.support.long_run import one_in

SHIPPED = Path(__file__).parents[2] / "games"
TITLES = sorted(path.stem for path in SHIPPED.glob("*.rules") if ".examples" not in path.name)


@pytest.fixture
def here(own_folder):
    """A current folder with the small games."""
    shutil.copytree(GAMES, own_folder, dirs_exist_ok=True)
    return own_folder


def test_games(run, here):
    result = run("games")
    assert result.exit_code == 0
    lines = [line.split() for line in result.output.splitlines()]
    assert lines[0] == ["Game", "Title", "Players", "Minutes"]
    assert ["pebbles", "Pebbles", "2-3"] in lines
    assert lines[-1] == ["details", "of", "a", "game:", "regelwerk", "games", "GAME"]


def test_a_game_in_full(run, here):
    output = run("games", "pebbles").output
    assert "pebbles  Pebbles  (this folder)" in output
    assert "players  2 to 3: red, green, blue" in output
    assert "turns = few, or many" in output


PAIRS = """
game "Pairs" for 2, 4 or 6 players ann, ben, cleo, dora, emil, fay

== phases ==

phase main, turns from ann to ann:
    must go

action go(n: 1..3):
    set chosen[me] to n

== components ==

by players  2  4  6:
    goal    1  2  3

note chosen[p: Player]: 0..3 = 0

== scoring ==

winner chosen[me] >= goal
"""


def test_a_game_for_numbers_of_players_with_gaps(run, here):
    Path("pairs.rules").write_text(PAIRS)
    details = run("games", "pairs.rules").output
    assert "players  2, 4 or 6: ann, ben, cleo, dora, emil, fay" in details
    assert "2,4,6" in run("games").output
    assert "2, 4 or 6 players" in run("rules", "pairs.rules").output
    assert "2, 4 or 6 players" in run("rulebook", "pairs.rules").output
    refused = run("simulate", "pairs.rules", "--players", "3")
    assert (refused.exit_code, "`pairs` is for 2, 4 or 6 players, not 3" in refused.output) == (2, True)
    compared = run("compare", "pairs.rules", "pairs.rules", "--players", "3")
    assert "both games are for 2, 4 or 6 players" in compared.output


def test_games_as_json(run, here):
    document = valid("games", run("games", "--format", "json").output)
    entry = next(game for game in document["games"] if game["name"] == "pebbles")
    assert entry["origin"] == "here"
    assert entry["players"] == {"fewest": 2, "most": 3, "numbers": [2, 3]}
    turns = {"name": "turns", "values": ["few", "many"], "default": "few", "sentence": "", "texts": {}}
    assert entry["options"][0] == turns
    assert (entry["sentence"], entry["designer"], entry["minutes"], entry["languages"]) == ("", "", None, [])


def test_what_a_game_says_about_itself(run, own_folder):
    (own_folder / "languages").mkdir()
    text = Path(PEBBLES).read_text(encoding="utf-8")
    header = next(line for line in text.splitlines() if line.startswith("game "))
    about = f'{header}:\n    "Take pebbles."\n    family "heaps"\n    designer "Ada"\n    minutes 5 to 10'
    (own_folder / "pebbles.rules").write_text(text.replace(header, about), encoding="utf-8")
    words = 'names de of pebbles:\n    "Pebbles": "Kies"\n    "heaps": "Haufen"\n    "Take pebbles.": "Nimm Kiesel."\n'
    (own_folder / "languages" / "pebbles.de.rules").write_text(words, encoding="utf-8")
    assert "pebbles  Pebbles  2-3      5-10\n    Take pebbles.\n" in squeezed(run("games").output)
    assert "pebbles  Kies  2-3      5-10\n    Nimm Kiesel.\n" in squeezed(run("games", "--language", "de").output)
    whole = run("games", "pebbles", "--language", "de").output
    assert "pebbles  Kies  (this folder)\n  Nimm Kiesel.\n  family   Haufen\n  designer Ada\n" in whole
    assert "  minutes  5 to 10\n" in whole
    assert "  languages de\n" in whole
    (entry,) = valid("games", run("games", "pebbles", "--format", "json").output)["games"]
    assert (entry["designer"], entry["minutes"]) == ("Ada", {"fewest": 5, "most": 10})
    assert entry["family"] == "heaps"
    assert "\n\nHeaps\npebbles" in run("games").output
    assert "\n\nHaufen\npebbles" in run("games", "--language", "de").output
    assert "2 to 3 players, 5 to 10 minutes, heaps, by Ada" in run("rules", "pebbles").output
    only = run("games", "--family", "Heaps", "--format", "json").output
    assert [game["name"] for game in valid("games", only)["games"]] == ["pebbles"]
    missing = run("games", "--family", "heap")
    assert missing.exit_code == 2 and "there is no family `heap`; known families:" in missing.output


def test_games_without_a_family_come_last(run, own_folder):
    (own_folder / "heap.rules").write_text(HEAP, encoding="utf-8")
    families = [block.split("\n", 1)[0] for block in run("games").output.split("\n\n")[1:-1]]
    assert families[-1] == "Other games"
    assert families[:-1] == sorted(families[:-1])
    assert run("games", "--family", "").exit_code == 2


def test_every_shipped_game_has_a_family(run, own_folder):
    games = valid("games", run("games", "--format", "json").output)["games"]
    assert not [game["name"] for game in games if not game["family"]]


def squeezed(output: str) -> str:
    """The text with two blanks between cells, except before numbers of minutes."""
    return re.sub(r"(?<=[a-z])  +", "  ", output)


def test_a_game_with_errors_is_listed_as_such(run, here):
    (here / "broken.rules").write_text("game nonsense")
    result = run("games")
    assert result.exit_code == 0
    assert "broken cannot be read: regelwerk check" in result.output
    assert "broken  has 1 error: regelwerk check" in run("games", "broken").output
    broken = next(game for game in valid("games", run("games", "--format", "json").output)["games"] if game["errors"])
    assert (broken["name"], broken["title"]) == ("broken", None)


# ---- rules


def test_rules_in_brief(run, here):
    output = run("rules", "pebbles").output
    assert output.startswith("Pebbles\n  2 to 3 players\n\n who wins\n")
    assert "\n course of play\n" in output
    assert "\n what may be done\n" in output
    document = valid("rules", run("rules", "pebbles", "--format", "json").output)
    assert document["title"] == "Pebbles"
    assert document["actions"]


def test_rules_of_a_small_game(run, own_folder):
    (own_folder / "heap.rules").write_text(HEAP, encoding="utf-8")
    assert (
        run("rules", "heap").output
        == """\
Heap
  Take the last coin.
  2 players, 5 to 10 minutes, by Ada

 who wins
  the last to take

 course of play
  playing, turns from ann, over when heap is empty
    must take coins

 what may be done
  take coins: take [number] coins
    not allowed: only [number] are left

 options
  generous: false, or true
    Whether there are more coins.
    true: nine coins
"""
    )
    played = run("play", "heap", "--seed", 1, typed=["rules", "quit"]).output
    assert " who wins\n  the last to take\n" in played


NOTATION = {
    "a placeholder": r"[{}]",
    "a call": r"\w\(",
    "an index": r"\w\[(?!\w+-)",
    "an attribute": r"[a-z_]\.[a-z_]",
    "a name of the rules": r"\w_\w|[a-z][A-Z]",
    "a comparison": r"[<>=]",
}
"""What belongs to the rules and not to the words of a player."""


@pytest.mark.parametrize("name", one_in(4, TITLES))
def test_the_summary_is_in_words(run, name):
    """Items of the rulebook, `[MB-07]`, are in square brackets too, and what differs from move to move: `[number]`."""
    languages = [
        (),
        *(("--language", path.stem.rpartition(".")[2]) for path in SHIPPED.glob(f"languages/{name}.*.rules")),
    ]
    variants = [
        ("--variant", path.stem)
        for path in SHIPPED.glob("variants/*.rules")
        if f" of {name}:" in path.read_text("utf-8")
    ]
    for options in [*languages, *variants]:
        result = run("rules", name, *options)
        assert result.exit_code == 0 and len(result.output.splitlines()) > 10
        for what, pattern in NOTATION.items():
            assert not re.search(pattern, result.output), (what, options, re.search(f".*({pattern}).*", result.output))


HEAP = """\
game "Heap" for 2 players ann, ben:
    "Take the last coin."
    designer "Ada"
    minutes 5 to 10

option generous: Truth = false:
    "Whether there are more coins."
    true "nine coins"

== components ==

piece Coin: (9 if generous else 5) in heap
zone heap holds Coin
zone taken[p: Player] holds Coin
note last_taker: Player or nobody = nobody

names:
    take "take coins"
    Coin "coin", "coins"

== phases ==

phase playing, turns from ann, over when heap is empty:
    must take

action take(n: 1..3):
    "take {n} coins"
    require n <= count heap     because "only {count heap} are left"
    move n from heap to taken[me]
    set last_taker to me

== scoring ==

winner last_taker is me "the last to take"
"""
