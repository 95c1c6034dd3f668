"""`solve`: what it prints, as text and as data, and what it refuses."""

import pytest

from tests.cli.conftest import valid

ENDGAME = """
given mark[a1] is cross
and mark[b1] is cross
and mark[a2] is nought
and mark[b2] is nought
when phase marking from cross
"""


def test_who_wins_and_how(run):
    result = run("solve", "nim", "-o", "last_loses=false")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[2] == "ben wins in 16 decisions"
    assert lines[3].startswith("best play: take(")
    assert "752 positions examined" in lines
    assert ["take(1,", "1)", "ben", "wins", "16"] in [line.split() for line in lines]


def test_a_position(run, own_folder):
    (own_folder / "endgame.txt").write_text(ENDGAME, encoding="utf-8")
    document = valid("solve", run("solve", "tic_tac_toe", "--from", "endgame.txt", "--format", "json").output)
    solution = document["solution"]
    assert (document["solved"], solution["returns"], solution["decisions"]) == (True, [1.0, -1.0], 1)
    assert solution["line"] == [{"seat": "cross", "notation": "put(c1)", "label": "mark c1"}]


def test_hidden_information(run):
    pytest.importorskip("scipy")
    result = run("solve", "kuhn_poker", "--returns", "margin")
    assert "ann -0.0555556 and ben +0.0555556 with best play" in result.output
    assert "check 0.667, bet 0.333" in result.output
    document = valid("solve", run("solve", "kuhn_poker", "--returns", "margin", "--format", "json").output)
    assert document["solution"]["method"] == "tree" and len(document["solution"]["choices"]) == 12


def test_what_is_not_solved(run):
    result = run("solve", "connect_four", "--positions", 50)
    assert result.exit_code == 1
    told = "not solved: there are more than 50 positions; raise --time or --positions, or begin later with --from"
    assert result.output == f"Connect four: {told}\n"
    document = valid("solve", run("solve", "connect_four", "--positions", 50, "--format", "json").output)
    assert (document["solved"], document["solution"]) == (False, None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("whist",), "games for one or two can be solved; this one has 4 seats"),
        (("nim", "--returns", "chips"), "`returns` is"),
        (("nim", "--time", "0"), "--time must be above 0"),
        (("nim", "--positions", "0"), "--positions must be at least 1"),
    ],
)
def test_what_is_refused(run, words, message):
    result = run("solve", *words)
    assert result.exit_code == 2 and message in result.output
