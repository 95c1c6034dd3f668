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


def test_in_another_language(run, own_folder):
    """A move is shown in its words and may be asked about in them; values stay those of the rules."""
    assert run("play", "china", "--seed", 3, "--save", "a.json", typed=["1", "quit"]).exit_code == 0
    assert "`take_open(green)` is legal: take green from the display" in run("why", "a.json", 1).output
    german = run("why", "a.json", 1, "--language", "de").output
    assert "`take_open(green)` is legal: grün aus der Auslage nehmen" in german
    assert run("why", "a.json", "grün aus der Auslage nehmen", "--language", "de").output == german
    unknown = run("why", "a.json", 1, "--language", "xx")
    assert unknown.exit_code != 0 and "has no words in `xx`" in " ".join(unknown.output.split())


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


def asked(run, game: str, *questions: str, seed: int = 3) -> str:
    """The answers at the first decision of a game, in single blanks."""
    typed = [*(f"why {question}" for question in questions), "quit"]
    shown = run("play", game, "--seed", seed, typed=typed).output
    return " ".join(shown[shown.index("> why") :].split())


def test_words_of_a_label_name_a_move(run):
    assert "`house on wei1` is legal in 2 ways" in asked(run, "china", "house on wei1")
    assert "legal moves: build(wei, wei1, red), build(wei, wei1, yellow)" in asked(run, "china", "house on wei1")
    assert "`build(wei, wei1, red)` is legal" in asked(run, "china", "house on wei1 for 1 red")
    assert "`exchange(red)` is legal" in asked(run, "china", "discard red")


def test_words_of_a_label_name_a_move_that_is_not_legal(run):
    assert "`build(wei, wei1, violet)` is not legal: one red card" in asked(run, "china", "house on wei1 violet")
    assert "`send(yan, yellow)` is not legal: yan admits only 0" in asked(run, "china", "emissary to yan")
    assert "`ride(D)` is not legal: you hold no rider" in asked(run, "chinesische_mauer", "ride at D", seed=2)
    assert "`go(a1, northeast)` is not legal: there is no empty place" in asked(run, "checkers", "a1 to b2")


def test_words_of_no_label(run):
    assert "there is no move `a3 to b5`; the actions are jump, go" in asked(run, "checkers", "a3 to b5")


def test_an_argument_that_does_not_fit_shows_what_the_action_takes(run):
    shown = asked(run, "china", "build(wei, wei1, black)")
    assert "`black` is not a value for `paid` of `build` here build(p: Province, x in p.spaces, paid: Colour)" in shown
    assert "paid: a `Colour`, such as red, green, orange, yellow, violet" in shown
    assert "x: a `Space`, such as yan1, yan2, yan3, yan4, yan5, yan6, …" in asked(run, "china", "build(wei)")


def test_the_case_that_gave_a_value_is_named(run):
    assert "price(yellow, yan) is 2 (otherwise)" in asked(run, "china", "price(yellow, yan)")
    assert "price(green, yan) is 1 (if paid is p.colour)" in asked(run, "china", "price(green, yan)")


def test_you_is_said_to_nobody_else(run, running):
    assert "you hold no gem" in run("why", running, "show(gem)").output
    other = run("why", running, "show(gem)", "--all").output
    assert "you" not in other
    assert "holds no gem" in other
