"""`know`: of a save, at the prompt, and in full screen."""

from io import StringIO
from itertools import count

import pytest
from rich.console import Console

from cli.render.knowledge import knowledge_lines
from cli.render.palette import palette
from interpreter.opponents.knowledge.summary import Chance, HiddenNote, HiddenPlace, Kind, Knowledge
from interpreter.wording.words import PLAIN
from tests.cli.at_table import at_table, session_of
from tests.cli.conftest import valid
from tests.cli.viewing import at_once


@pytest.fixture
def poker(run, own_folder):
    """A game that a person has left after the deal."""
    path = own_folder / "poker.json"
    run("play", "kuhn_poker", "--seed", 4, "--save", path, typed=["quit"])
    return path


def test_what_the_person_can_know(run, poker):
    result = run("know", poker)
    assert result.exit_code == 0
    lines = [line.split() for line in result.output.splitlines()]
    assert " ".join(lines[0]) == "what ann knows of what it does not see"
    assert " ".join(lines[1]) == "deck (1) hand of ben (1)"
    for line in lines[2:4]:  # one of the two cards lies in each place
        name, in_deck, in_hand = line[0], line[-4], line[-2]
        assert name in ("jack", "queen", "king") and int(in_deck) + int(in_hand) == 100
    assert run("know", poker, "60s", "--as", "ann").output == run("know", poker, "60s").output


def test_as_data(run, poker):
    document = valid("know", run("know", poker, "60s", "--format", "json").output)
    assert document["seat"] == "ann" and document["ply"] == 0
    deck, hand = document["places"]
    assert (deck["name"], hand["name"]) == ("deck", "hand[ben]")
    assert [kind["name"] for kind in hand["kinds"]] == [kind["name"] for kind in document["unaccounted"]]
    for here, there in zip(deck["kinds"], hand["kinds"], strict=True):
        assert (here["least"], here["most"]) == (there["least"], there["most"]) == (0, 1)
        assert here["likely"] + there["likely"] == pytest.approx(1)
    assert document["tested"] and document["worlds"] > 30


def test_in_no_time_it_says_less_and_nothing_that_is_not_certain(run, poker):
    document = valid("know", run("know", poker, "1ms", "--format", "json").output)
    assert not document["tested"] and not any(kind["least"] for place in document["places"] for kind in place["kinds"])
    assert "more may turn out to be" in " ".join(run("know", poker, "1ms").output.split())
    refused = run("know", poker, "48")
    assert refused.exit_code == 2 and "`48` is no time" in refused.output


def test_data_without_a_time_is_complete_on_a_slow_machine(run, poker, monkeypatch):
    complete = run("know", poker, "600s", "--format", "json").output
    seconds = count(step=60)  # each look at the clock is a minute later
    monkeypatch.setattr("cli.verbs.know.process_time", lambda: next(seconds))
    assert run("know", poker, "--format", "json").output == complete
    assert valid("know", complete)["tested"]
    assert not valid("know", run("know", poker, "1s", "--format", "json").output)["tested"]
    assert "more may turn out to be" in " ".join(run("know", poker).output.split())


def test_another_seat_only_if_the_game_is_opened(run, poker):
    refused = run("know", poker, "--as", "ben")
    assert refused.exit_code == 2 and "ben is not played by a person" in refused.output
    opened = run("know", poker, "--as", "ben", "--all")
    assert opened.exit_code == 0 and "what ben knows" in opened.output
    assert "choose a seat with --as (the seats are ann, ben)" in " ".join(run("know", poker).output.split())


def test_before_a_decision_of_a_finished_game(run, own_folder):
    path = own_folder / "over.json"
    run("play", "kuhn_poker", "--seat", "all=random", "--seed", 4, "--save", path)
    assert "everything" in run("know", path, "--as", "ann").output
    assert "hand of ben (1)" in run("know", path, "--as", "ann", "--at", 1).output
    late = run("know", path, "--as", "ann", "--at", 99)
    assert late.exit_code == 2 and "--at must be at most" in late.output


def test_in_another_language(run, own_folder):
    run("play", "china", "--seed", 3, "--save", "a.json", typed=["quit"])
    assert "green" in run("know", "a.json").output
    assert "Grün" in run("know", "a.json", "--language", "de").output


def test_at_the_prompt(run):
    output = run("play", "kuhn_poker", "--seed", 4, typed=["know", "?", "know me", "quit"]).output
    assert "  hand of ben (1)\n" in output
    assert "  know " in output, "the help has it"
    assert "there is no move `know me`" in output


def drawn(knowledge, width=60):
    """The table as it is shown, without empty columns at the end."""
    console = Console(width=width, record=True, file=StringIO())
    for part in knowledge_lines(knowledge, palette(("ann", "ben"), PLAIN)):
        console.print(part)
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_what_cells_say():
    hand = (Chance("ace", 2, 2, 1.0, 2.0), Chance("king", 1, 3, 1.0, 1.5), Chance("jack", 0, 1, 0.43, 0.43))
    deck = (Chance("jack", 0, 1, 0.0, 0.0), Chance("ten", 0, 4, 1.0, 3.0))
    kinds = (Kind("ace", 2), Kind("king", 3), Kind("jack", 1), Kind("ten", 4))
    places = (HiddenPlace("hand", 4, 4, hand), HiddenPlace("deck", 9, 8, deck))
    notes = (HiddenNote("number", (("three", 0.25), ("four", 0.75))), HiddenNote("again", ((False, 1.0),)))
    lines = drawn(Knowledge("ann", 48, True, kinds, places, notes))
    assert [line.split() for line in lines] == [
        ["what", "ann", "knows", "of", "what", "it", "does", "not", "see"],
        ["hand", "(4)", "deck", "(8/9)"],
        ["2", "ace", "2", "·"],
        ["3", "king", "1", "to", "3", "·"],
        ["1", "jack", "43", "%", "<", "1", "%"],
        ["4", "ten", "·", ">", "99", "%"],
        ["number:", "three", "25", "%,", "four", "75", "%"],
        ["again:", "false"],
        ["%", "of", "48", "sampled", "states;", "plain", "numbers", "are", "certain"],
    ]
    estimate = " ".join(" ".join(drawn(Knowledge("ann", 8, False, kinds, places), 80)[-2:]).split())
    assert "% of 8 sampled states; plain numbers are certain, and more may turn out to be" in estimate


def test_long_tables_are_joined_and_wide_ones_continue_below():
    """Thirty tiles lie face down in thirty places, and one of them is known to be in the last."""
    kinds = tuple(Kind(f"tile {number}", 1) for number in range(30))
    unknown = tuple(Chance(kind.name, 0, 1, 1 / 29, 1 / 29) for kind in kinds[:29])
    places = [HiddenPlace(f"field {number}", 1, 1, unknown) for number in range(29)]
    places.append(HiddenPlace("field 29", 1, 1, (Chance("tile 29", 1, 1, 1.0, 1.0),)))
    text = "\n".join(drawn(Knowledge("ann", 48, True, kinds, tuple(places)), 80))
    assert text.count("tile 29") == 2 and text.count("field 29 (1)") == 1 and text.count("3 %") == 1
    assert text.count("tile 12") == 1  # for the columns that follow below, the rows have the beginning of their names
    many = Knowledge("ann", 48, True, kinds[:2], tuple(places[:2]))
    assert sum("field" in line for line in drawn(many, 30)) == 2


@at_once
async def test_in_full_screen():
    async with at_table(session_of("kuhn_poker", seed=4)) as table:
        await table.press("=know")
        await table.until("what ann can know")
        assert "hand of ben (1)" in table.text
        await table.press("escape")
        assert "what ann can know" not in table.text


@at_once
async def test_what_somebody_wanted_to_know_is_not_shown_once_the_game_has_gone_on(monkeypatch):
    async with at_table(session_of("kuhn_poker", seed=4)) as table:
        monkeypatch.setattr("cli.inquiry.Inquiry.is_done", False)
        monkeypatch.setattr("cli.inquiry.Inquiry._report", lambda self, estimate: None)
        await table.press("=know")
        assert "working out what ann can know" in table.lines[-1]
        await table.press("=check")
        monkeypatch.setattr("cli.inquiry.Inquiry.is_done", True)
        await table.until("type `know` again")
        assert "hand of ben" not in table.text
