"""`position SAVE`, and games that begin in such a text."""

import pytest

from interpreter.loading.game_library import shipped_folder
from tests.cli.conftest import valid


@pytest.fixture
def saved(run, own_folder):
    """A game of hearts that a person has left in the middle."""
    path = own_folder / "evening.json"
    run("play", "hearts", "--seed", 4, "--save", path, typed=["1", "1", "1", "quit"])
    return path


def test_what_the_person_knows_until_the_game_is_over(run, saved):
    result = run("position", saved)
    assert result.exit_code == 0
    first, *lines = result.output.splitlines()
    assert first.startswith("# hearts, after ") and first.endswith(", as north knows it")
    assert any(line.startswith("# hand[east]: ") for line in lines)
    assert not any(line.startswith("and hand[east] is") for line in lines)
    assert run("position", saved, "--as", "east").exit_code == 2  # whom a bot plays
    assert (
        "not seen" in run("position", saved, "--all").output or "and hand[east] is [" in run("position", saved).output
    )


def test_a_position_of_a_finished_game_is_an_example(run, save, own_folder):
    result = run("position", save, "--at", "2")
    assert result.exit_code == 0
    document = valid("position", run("position", save, "--at", "2", "--format", "json").output)
    assert document["ply"] == 2 and document["as"] is None
    assert document["text"].splitlines() == result.output.splitlines()[1:]


BOARD = """
given mark[a1] is cross
and mark[b1] is cross
and mark[a2] is nought
and mark[b2] is nought
# it is the turn of cross
when phase marking from cross
"""


@pytest.fixture
def endgame(own_folder):
    """A position of a shipped game in a file."""
    path = own_folder / "endgame.txt"
    path.write_text(BOARD, encoding="utf-8")
    return path


def test_play_from_a_position_and_resume(run, endgame, own_folder):
    save = own_folder / "late.json"
    result = run("play", "tic_tac_toe", "--from", endgame, "--seat", "all=human", "--save", save, typed=["quit"])
    assert result.exit_code == 0
    resumed = run("play", "--resume", save, "--plain", typed=["", "put(c1)"])
    assert "cross wins" in resumed.output
    assert "tic_tac_toe, after 0 decisions" in run("position", save, "--at", "0").output
    assert run("trace", save, "--plain").exit_code == 0
    assert "put(c1)" in run("position", save).output


def test_the_same_from_standard_input_as_from_a_save(run, endgame, own_folder):
    counted = run("perft", "tic_tac_toe", "--from", endgame, "--depth", "2")
    assert counted.output.splitlines()[0] == "Tic-tac-toe: move sequences from the position"
    assert [line.split() for line in counted.output.splitlines()[3:5]] == [["1", "5", "1"], ["2", "16", "3"]]
    again = run("perft", "tic_tac_toe", "--from", "-", "--depth", "2", typed=BOARD)
    assert again.output == counted.output
    assert (
        run("perft", "tic_tac_toe", "--from", endgame, "--depth", "2", "--backend", "machine").output == counted.output
    )


def test_many_games_from_a_position(run, endgame):
    python = run("simulate", "tic_tac_toe", "--from", endgame, "-n", "50", "--format", "json", "--backend", "python")
    machine = run("simulate", "tic_tac_toe", "--from", endgame, "-n", "50", "--format", "json", "--backend", "machine")
    assert python.exit_code == machine.exit_code == 0
    assert python.output == machine.output
    other = run("simulate", "tic_tac_toe", "-n", "50", "--format", "json")
    assert other.output != python.output


def test_bots_search_from_a_position_without_secrets_only(run, endgame, own_folder):
    save = own_folder / "late.json"
    played = run("play", "tic_tac_toe", "--from", endgame, "--seat", "all=mcts:200", "--save", save)
    assert "cross wins" in played.output
    assert run("hint", save, "100").exit_code in (0, 1, 2)
    cards = own_folder / "cards.txt"
    cards.write_text("when phase setup\n", encoding="utf-8")
    refused = run("play", "kuhn_poker", "--from", cards, "--seat", "all=mcts:50", "--save", own_folder / "p.json")
    assert refused.exit_code != 0
    assert "as that does not say what its seat has seen before" in " ".join(refused.output.split())
    assert run("play", "kuhn_poker", "--from", cards, "--seat", "all=random").exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("given mark[a4] is cross\n", "bad.txt:1:12\n  1 | given mark[a4] is cross\n    |            ^^"),
        ("when phase marking\nwhen cross: put(z9)\n", "bad.txt:2:17"),
        ("given mark[a1] is cross\n", "error: bad.txt:1:1\n 1 | given mark[a1] is cross\n   | ^^^"),
    ],
)
def test_mistakes_are_shown_in_the_text(run, own_folder, text, message):
    (own_folder / "bad.txt").write_text(text, encoding="utf-8")
    for verb in ("play", "perft", "simulate"):
        result = run(verb, "tic_tac_toe", "--from", "bad.txt")
        assert result.exit_code != 0
        assert message in result.output


def test_flags_that_contradict_the_position(run, own_folder):
    (own_folder / "three.txt").write_text("given 3 players\nand goal is 20\nwhen phase setup\n", encoding="utf-8")
    result = run("perft", "pig", "--from", "three.txt", "--players", "2")
    assert "omit --players" in result.output
    assert "omit --option" in run("perft", "pig", "--from", "three.txt", "-o", "goal=50").output
    assert run("perft", "pig", "--from", "missing.txt").output == "error: missing.txt: no such file\n"
    assert run("play", "--resume", "x", "--from", "three.txt").exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("piece Mark: 5", "piece Mark: 1", "that these rules do not have: this takes `cross` out of `mark[a1]`"),
        ("Cell from grid(3, 3)", "Cell from grid(3, 1)", "begins in a position that these rules do not have:"),
    ],
)
def test_a_position_that_changed_rules_do_not_have(run, endgame, own_folder, old, new, message):
    rules = own_folder / "tic_tac_toe.rules"
    text = (shipped_folder() / "tic_tac_toe.rules").read_text(encoding="utf-8")
    examples = text.index("== examples ==")
    rules.write_text(text[:examples], encoding="utf-8")
    run("play", rules, "--from", endgame, "--seat", "all=human", "--save", "late.json", typed=["quit"])
    rules.write_text(text[:examples].replace(old, new), encoding="utf-8")
    refused = run("play", "--resume", "late.json")
    assert refused.exit_code == 1
    assert message in " ".join(refused.output.split())
    assert run("play", "--resume", "late.json", "--rules", "saved", typed=["quit"]).exit_code == 0
