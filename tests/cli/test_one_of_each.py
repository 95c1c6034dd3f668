"""A game in which there is one of everything: nothing says `1 players`."""

import re

import pytest

from tests.cli.conftest import saves

SOLO = """
game "Solo" for 1 player ann

== components ==

note steps: 0..9 = 0

== phases ==

phase main, turns from ann, over when steps is 1:
    must walk

action walk:                                                                            [S-1]
    "walk"
    add 1 to steps

== scoring ==

winner highest steps

== examples ==

example "one step":                                                                     [S-1]
    when phase main
    when ann: walk
    then steps is 1
"""
NOUNS = "players|moves|games|decisions|examples|files|bots|seats|pairs|ways|errors|warnings|items|wins|pieces|places"
ODD = re.compile(rf"(?<![\d.])1 (random |legal |rulebook )?({NOUNS})\b(?! passed)")


@pytest.mark.parametrize(
    "words",
    [
        ("play", "solo.rules", "--seat", "all=random"),
        ("play", "solo.rules", "--players", 3),
        ("simulate", "solo.rules", "-n", 1),
        ("simulate", "solo.rules", "-n", 2),
        ("perft", "solo.rules", "--depth", 1),
        ("solve", "solo.rules"),
        ("test", "solo.rules", "--coverage", "--playouts", 1),
        ("test", "solo.rules"),
        ("diff", "solo.rules", "solo.rules", "-n", 1),
        ("diff", "solo.rules", "longer.rules", "-n", 1),
        ("diff", "solo.rules", "longer.rules", "--players", 2),
        ("check", "solo.rules"),
        ("check", "broken.rules"),
        ("check", "many.rules"),
        ("games", "broken.rules"),
        ("fmt", "solo.rules"),
        ("trace", "s.json", "--plain"),
        ("trace", "s.json", "--html", "page.html"),
        ("why", "s.json", "walk", "--at", 5),
        ("why", "s.json", "3", "--at", 0),
    ],
    ids=lambda words: " ".join(map(str, words)),
)  # fmt: skip
def test_one_is_not_described_as_several(run, own_folder, words):
    text = SOLO.lstrip()
    (own_folder / "solo.rules").write_text(text, encoding="utf-8")
    (own_folder / "longer.rules").write_text(text.replace("steps is 1:", "steps is 2:"), encoding="utf-8")
    (own_folder / "broken.rules").write_text(text.replace("add 1 to steps", "add 1 to stops"), encoding="utf-8")
    (own_folder / "many.rules").write_text(text.replace("player ann", "player ann, ben"), encoding="utf-8")
    assert run("play", "solo.rules", "--seat", "all=random", "--seed", 1, "--save", "s.json").exit_code == 0
    result = run(*words)
    assert result.output
    assert not ODD.search(result.output), result.output
    assert saves(own_folder) == [] or words[0] == "play"
