"""Examples: where they begin, what they look at, what they refuse, and how they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import ExampleResult, run_examples
from interpreter.play.game import load

SCENES = Path(__file__).parent / "rules" / "scenes.rules"

PASSING = """
game "Passing" for 2 players ann, ben

== components ==

note purse[p: Player]: 0..99 = 0

== phases ==

phase evening, repeated until round(evening) is 3 or purse[ann] > 8:
    phase paying:
        add 1 to purse[ann]
    phase taking:
        if purse[ann] < 9: each player from ann at once: must take or leave

action take:
    add 1 to purse[me]
action leave:
    add 1 to purse[left(me)]

== scoring ==

winner highest purse[me]

== examples ==

example "went on":
    when phase paying
    then purse[ann] is 0

example "asked":
    when phase paying
    then ben may take

example "over":
    given purse[ann] is 20
    when phase paying
    then purse[ann] is 5

example "stayed":
    when phase taking
    then purse[ann] is 1

example "acted":
    when phase paying
    when ann: take
    then purse[ann] is 9

example "in order":
    when phase taking
    then ben may take
"""

CARDS = """type Colour is red, green
piece Card: 1 for each rank: 1..9, colour: Colour in deck
zone deck holds Card
zone hand[p: Player] holds Card
note purse"""

NUMBERED = """phase paying
    given hand[ann] is [9 red, 3 red]
    then purse[ann] is 1"""


def tried(tmp_path: Path, *lines: str) -> ExampleResult:
    """The outcome of an example with these lines."""
    path = tmp_path / "scenes.rules"
    rules, heading, _ = SCENES.read_text("utf-8").partition("== examples ==")
    written = "".join(f"    {line}\n" for line in lines)
    path.write_text(f'{rules}{heading}\n\nexample "tried":\n{written}', encoding="utf-8")
    (result,) = run_examples(path)
    return result


def told(tmp_path: Path, *lines: str) -> list[str]:
    """The lines of its failure without its place and excerpt; none if it holds."""
    return [line.strip() for failure in tried(tmp_path, *lines).failures for line in failure.splitlines()[3:]]


def test_every_form_of_a_scene() -> None:
    results = run_examples(SCENES)
    assert len(results) > 15
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize(
    ("lines", "failure"),
    [
        (("given hand[ann] is [2 red one]", "and hand[ben] is [red one]"),
         "this takes `red one` out of `hand[ann]`, where it was put by `hand[ann] is [2 red one]`"),
        (("given hand[ann] is [2 red one] and pile is [red one]",),
         "this takes `red one` out of `hand[ann]`, where it was put by `hand[ann] is [2 red one]`"),
        (("given deck is [red one, red one]", "and hand[ben] is [red one]"),
         "this takes `red one` out of `deck`, where it was put by `deck is [red one, red one]`"),
        (("given hand[ann] is [red one]", "and hand[ben] is hand[ann]"),
         "this takes `red one` out of `hand[ann]`, where it was put by `hand[ann] is [red one]`"),
        (("given count box is 3", "and post is {one}"),
         "this takes `peg` out of `box`, where it was put by `count box is 3`"),
        (("given post is {one, two}", "and box is [2 Peg]"),
         "this takes `peg` out of `post[one]`, where it was put by `post is {one, two}`"),
        (("given hand[ann] is [red one]", "and mark[first(hand[ann] + {})] is Peg", "and box is [3 Peg]"),
         "this takes `peg` out of `mark[red one]`, where it was put by `mark[first(hand[ann] + {})] is Peg`"),
        (("given hand[ann] is [red one]", "and hand[ann] is [red two]"),
         "`hand[ann]` is already given by `hand[ann] is [red one]`"),
        (("given deck is [red one]", "and count deck is 1"), "`deck` is already given by `deck is [red one]`"),
        (("given deck is empty", "and deck is [red one]"), "`deck` is already given by `deck is empty`"),
        (("given post[one] is Peg", "and post is {two}"), "`post[one]` is already given by `post[one] is Peg`"),
        (("given post is {two}", "and post[one] is Peg"), "`post[one]` is already given by `post is {two}`"),
        (("given score[ann] is 1", "and score[first(Player)] is 2"),
         "`score[ann]` is already given by `score[ann] is 1`"),
        (("given cube shows 1", "and cube shows 2"), "`cube` is already given by `cube shows 1`"),
        (("given hand[ann] is [3 red one]",), "no such piece is left for number 3"),
        (("given post is {one, two}", "and mark is {c in deck where c is red one}"),
         "this takes `peg` out of `post[one]`, where it was put by `post is {one, two}`"),
    ],
)  # fmt: skip
def test_lines_of_given_describe_one_table(tmp_path: Path, lines: tuple[str, ...], failure: str) -> None:
    """Nothing that one line has given is changed by another without a word."""
    (found,) = told(tmp_path, *lines)
    message, _, place = found.partition(" (")
    assert message == failure
    assert not place or "scenes.rules:" in place


@pytest.mark.parametrize(
    ("lines", "failure"),
    [
        (("then ann may only throw",), "no decision is pending, so there is nothing to choose from"),
        (("then ann may only done",), "no decision is pending, so there is nothing to choose from"),
        (("then ann may done",), "no decision is pending"),
        (("then ann may not done",), "no decision is pending"),
        (("then ann may not choose one",), "no decision is pending"),
        (("given closer is ben", "when phase bidding", "then ben may not choose one"),
         "it is ann's decision, not ben's"),
        (("given closer is ben", "when phase bidding", "then ben may choose one"), "it is ann's decision, not ben's"),
        (("given closer is ben", "when phase bidding", "then ben may only choose one"),
         "it is ann's decision, not ben's"),
        (("given deck is [red one]", "when ann: ask_both", "then ben may not throw"), "ben has nothing more to decide"),
        (("given deck is [red one]", "when ann: ask_both", "then ben may only throw"),
         "no decision is pending, so there is nothing to choose from"),
        (("given deck is empty", "when phase taking", "then over", "and ann may not throw"),
         "the game is over: ann has nothing to decide"),
        (("given deck is empty", "when phase taking", "then ann may throw"),
         "the game is over: ann has nothing to decide"),
        (("given deck is empty", "when phase taking", "when phase bidding"), "the game is over"),
    ],
)  # fmt: skip
def test_claims_about_moves_need_a_decision(tmp_path: Path, lines: tuple[str, ...], failure: str) -> None:
    """Where nobody, or somebody else, is asked, nothing holds of moves."""
    assert told(tmp_path, *lines)[0] == failure


def test_the_actual_reasons_are_listed(tmp_path: Path) -> None:
    lines = ("given score[ann] is 50", "and deck is empty")
    assert told(tmp_path, *lines, 'then ann may not draw because "your hand is full"') == [
        "the reason is a different one: you have enough",
        "the deck is empty",
    ]
    assert told(tmp_path, lines[0], 'then ann may not draw because "the deck is empty"') == [
        "the reason is a different one: you have enough"
    ]


def test_an_amount_is_not_the_number_on_a_piece(tmp_path: Path) -> None:
    rules = tmp_path / "numbered.rules"
    rules.write_text(PASSING.replace("note purse", CARDS).replace("phase paying\n    then purse[ann] is 0", NUMBERED))
    (result,) = [result for result in run_examples(rules) if result.title == "went on"]
    assert [line.strip() for line in result.failures[0].splitlines()[3:]] == [
        "no such piece is left for number 10",
        "`9 red` is 9 pieces; one with this number on it is `{c in Card where c.rank is 9 and …}`",
    ]


def test_a_claim_after_a_phase_without_a_choice_says_where_play_went(tmp_path: Path) -> None:
    """What is told if play has left the phase that `when phase …` began, because nobody was asked there."""
    rules = tmp_path / "passing.rules"
    rules.write_text(PASSING, encoding="utf-8")
    found = {result.title: [line.strip() for failure in result.failures for line in failure.splitlines()[3:]]
             for result in run_examples(rules)}  # fmt: skip
    left = "to check a value of what is given, leave out `when phase paying`"
    assert found["went on"][-2:] == ["nobody had a choice in `paying`: play went on to ann's choice in `taking`", left]
    assert found["asked"][-2:] == ["nobody had a choice in `paying`: play went on to ann's choice in `taking`", left]
    assert found["over"][-2:] == ["nobody had a choice in `paying`: the game is over", left]
    assert found["stayed"] == ["expected purse[ann] is 1, found 0"]
    assert found["acted"] == ["expected purse[ann] is 9, found 1"]
    assert found["in order"] == ["it is ann's decision, not ben's: seats that choose at once are named in their order"]


def test_a_claim_that_comes_too_late_lists_the_skipped_decisions(tmp_path: Path) -> None:
    lines = ("given deck is [red one, green one, red two]", "when phase taking")
    assert told(tmp_path, *lines, "then hand[ben] is empty") == [
        "expected hand[ben] is empty, found red one",
        "skipped before this: ben may only draw",
        "to check the state before that, first write: then ben may only draw",
    ]
    assert told(tmp_path, *lines, "then ben may only draw", "and hand[ben] is empty") == []
    assert told(tmp_path, *lines, "when ann: draw") == [
        "it is ben's decision, not ann's:",
        "legal: draw, throw",
        "skipped before this: ben may only draw",
    ]


def test_a_die_that_has_not_been_rolled_is_mentioned(tmp_path: Path) -> None:
    assert told(tmp_path, "given cube is 3", "and pair[1] is wild", "then cube is 3 and pair[1] is wild") == [
        "expected cube is 3, found none",
        "expected pair[1] is wild, found none",
        "3 is the next roll of `cube`; for the face it shows now, write `given cube shows 3`",
        "wild is the next roll of `pair[1]`; for the face it shows now, write `given pair[1] shows wild`",
    ]
    lines = told(tmp_path, "given pair[1] is wild", "then some n in 1..2 where pair[n] is wild")
    assert lines and not any("next roll" in line for line in lines)


def test_a_failure_in_a_phase_from_a_seat_has_a_trace(tmp_path: Path) -> None:
    lines = ("given closer is ben", "when phase bidding from ben", "when ben: done", "then over")
    result = tried(tmp_path, *lines)
    assert not result.passed
    texts = [event.text for _, event in result.last_events]
    assert "turn of ben" in texts and "score[ben]: 0 → 1" in texts
    assert not any("ann" in text for text in texts)


WORDS_OF_PIECES = """game "Two Words" for 1 player ann

== components ==
type Suit is red, black
type Rank is one, two
piece Card: 1 for each suit: Suit, rank: Rank in stock
zone stock holds Card
zone hand holds Card
zone heap holds Card

== setup ==
move stock of red to hand
move stock of black to hand

== phases ==
phase play, turns from ann, over when hand is empty:
    must discard or knock or lay
action discard(c in hand):
    move c to heap
action knock(c in hand):
    require count hand < 2                     because "too many"
    move c to heap
action lay(cards in handfuls(hand, 2, 2)):
    require no c in cards with d in cards where c.suit is not d.suit because "two suits"
    move cards to heap

== scoring ==
winner hand is empty

== examples ==
example "any order of the words":
    given hand is [one red, two black]
    when phase play
    then ann may discard(red one)
    and ann may discard(one red)
    and ann may not knock(red one) because "too many"
    and ann may not knock(one red) because "too many"
    and ann may not lay([black two, red one]) because "two suits"
    and ann may not lay([one red, two black]) because "two suits"
"""


def test_the_words_of_a_piece_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "words.rules"
    path.write_text(WORDS_OF_PIECES, encoding="utf-8")
    results = run_examples(path)
    assert [result.failures for result in results] == [()] * len(results) != []
    for text in ("discard(one red)", "discard(red one)", "lay([red two, red one])", "lay([two red, one red])"):
        state = load(path).start(seed=1)
        assert state.why(text).legal, text
        state.push(text)
    refused = {load(path).start(seed=1).why(text).headline for text in ("knock(one red)", "knock(red one)")}
    assert {headline.partition(" is not legal: ")[2] for headline in refused} == {"too many"}
