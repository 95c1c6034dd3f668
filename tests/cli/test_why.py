"""`why`: of moves, values and places, at any decision of a save and at the prompt."""

import pytest

from tests.cli.conftest import PEBBLES, quiet_seed, valid


def test_a_legal_move(run, running):
    result = run("why", running, "grab")
    assert result.exit_code == 0
    assert "`grab` is legal" in result.output
    assert "the rule asks: must grab or show or build or throw" in result.output
    assert "bag is not empty" in result.output and "pebbles.rules:" in result.output and "[P-1]" in result.output
    assert run("why", running, "1").output == result.output


def test_a_move_that_is_not_legal(run, running):
    document = valid("why", run("why", running, "show(gem)", "--format", "json").output)
    assert document["legal"] is False
    assert "you hold no gem" in document["headline"]
    failing = [reason for reason in document["reasons"] if not reason["holds"]]
    assert [reason["text"] for reason in failing] == ["you hold no gem"]
    assert failing[0]["values"] == [{"name": "hand[me] of kind", "value": "nothing"}]
    assert failing[0]["cites"] == ["P-2"]
    assert document["nearest"] and document["nearest"][0]["move"].startswith("show(")


def test_a_value(run, save):
    document = valid("why", run("why", save, "points(red)", "--format", "json").output)
    assert document["legal"] is None
    tree = document["explained"]
    assert tree["text"] == "points(red)"
    assert sum(int(part["value"]) for part in tree["parts"]) == int(tree["value"])
    text = run("why", save, "points(red)").output
    assert f"points(red) is {tree['value']}" in text


def test_a_place(run, running):
    document = valid("why", run("why", running, "field", "--at", 1, "--format", "json").output)
    assert document["headline"] == "field is red"
    assert [origin["decision"] for origin in document["origins"]] == ["red: build a hut"]
    assert document["origins"][0]["change"] == "red: store[red] → field"
    assert "move 1 from store[me] to field" in document["origins"][0]["rule"]
    assert "1 red: build a hut" in run("why", running, "field").output


def test_at_another_decision(run, running):
    assert "field is nothing" in run("why", running, "field", "--at", 0).output
    result = run("why", running, "field", "--at", 99)
    assert result.exit_code == 2
    assert "--at must be at most" in result.output


def test_what_is_hidden_stays_hidden(run, running):
    document = valid("why", run("why", running, "hand[green]", "--format", "json").output)
    assert document["headline"] == "hand[green] is hidden"
    assert document["explained"] is None
    taken = [origin["change"] for origin in document["origins"] if "→ hand[green]" in origin["change"]]
    assert taken and all("pebble" in change for change in taken)
    assert run("why", running, "count hand[green]").output.startswith(" count hand[green] is 3")
    opened = run("why", running, "hand[green]", "--all").output
    assert "hidden" not in opened


def test_of_somebody_elses_decision(run, running):
    asked = run("why", running, "grab", "--at", 1)
    assert asked.exit_code == 2
    assert "it is green's decision" in asked.output


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("hand[green", "query:1:"),
        ("hand[blue] + 1", "error[E"),
        ("dance", "there is no move `dance`"),
        ("99", "the legal moves are numbered 1 to"),
    ],
)
def test_questions_that_make_no_sense(run, running, question, said):
    result = run("why", running, question)
    assert said in result.output
    assert "Traceback" not in result.output


def test_at_the_prompt(run):
    typed = ["why field", "build", "why field", "why hand[green]", "why points(red)", "why hand[", "quit"]
    result = run("play", PEBBLES, "--seed", quiet_seed(2), typed=typed)
    assert "field is nothing" in result.output
    assert "red: build a hut: red: store[red] → field" in " ".join(result.output.split())
    assert "hand[green] is hidden" in result.output
    assert "query:1:" in result.output
    assert result.exit_code == 0
