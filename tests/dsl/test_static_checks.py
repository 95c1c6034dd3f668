"""What the check finds without playing: what is never reached, legal, filled, over or told apart; and what is."""

from __future__ import annotations

import pytest

from dsl import ast
from dsl.checker import check
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse
from dsl.text.span import Source

GAME = """game "Frame" for 2 to 3 players red, blue, green

option pace: slow or fast = slow

== components ==

type Suit is hearts, spades, bells
type Rank with worth: 1..3:
    low   1
    high  3
type Bid is pass, trumps(Suit), without(1..3)
piece Card: 3 for each suit: Suit, rank: Rank in deck
zone deck holds stack of Card
zone hand[p: Player] holds Card
note score[p: Player]: 0..99 = 0
note leader: Player or nobody = nobody
note bid: Bid = pass
COMPONENTS

== phases ==

phase main, turns from red, over when OVER:
    must draw
    STATEMENT

action draw:
    move 1 from deck to hand[me]
    add (1 if pace is slow else 2) to score[me]
    if leader is me: add 1 to score[me]
    if bid is pass: set bid to trumps(hearts)
    else: set bid to without(2)
    RULES

define value(s: Suit, n: 1..3, c: Card, b: Bid):
    DEFINE

== scoring ==

winner WINNER
"""

PARTS = {
    "COMPONENTS": "# nothing more",
    "OVER": "deck is empty",
    "STATEMENT": "add value(hearts, 1, top(deck), bid) to score[me]",
    "RULES": "",
    "DEFINE": "1",
    "WINNER": "highest score[me]",
}


def found(**parts: str) -> list[Diagnostic]:
    text = GAME
    for name, part in {**PARTS, **parts}.items():
        indented = {"STATEMENT": "    ", "DEFINE": "    "}.get(name, "")
        text = text.replace(name, part.replace("\n", f"\n{indented}"))
    tree, unread = parse(Source("frame.rules", text))
    assert isinstance(tree, ast.GameFile), "\n".join(finding.draw() for finding in unread)
    return check(tree)[1]


def test_the_frame_is_right() -> None:
    assert found() == []


REACHED = [
    "1 if s is hearts\n2 if s is spades\n3 otherwise",
    "1 if n > 2\n2 if n > 1\n3 otherwise",
    "1 if s is hearts and n > 1\n2 if s is hearts\n3 otherwise",
    "1 if c is low\n2 if c is hearts\n3 otherwise",
    "1 if c.rank.worth > 2\n2 otherwise",
    "1 if pace is slow and deck is empty\n2 if pace is slow\n3 otherwise",
    "m if b is without(m) and m > n\n2 if b is without(m) and m is n\n3 if b is trumps(t) and t is s\n4 otherwise",
    "1 if b is without(1)\n2 if b is without(2)\n3 if b is without(m)\n4 otherwise",
    "1 if leader is me\n2 if leader is nobody\n3 otherwise",
    "1 if count deck > 3\n2 if count deck > 2\n3 otherwise",
    "1 if not (s is hearts or n is 2)\n2 if s is hearts\n3 otherwise",
    "1 if s is in {hearts, spades}\n2 otherwise",
]
NEVER_REACHED = {
    "1 if s is hearts\n2 if s is spades\n3 if s is bells\n4 otherwise": "4 otherwise",
    "1 if s is in {hearts, spades}\n2 if s is spades\n3 otherwise": "2 if s is spades",
    "1 if n < 3\n2 if n is 3\n3 otherwise": "3 otherwise",
    "1 if n > 3\n2 otherwise": "n > 3",
    "1 if n + n > 6\n2 otherwise": "n + n > 6",
    "1 if s is hearts or deck is empty\n2 if deck is empty\n3 otherwise": "2 if deck is empty",
    "1 if deck is empty\n2 if not deck is empty\n3 otherwise": "3 otherwise",
    "1 if c is low\n2 if c is high\n3 otherwise": "3 otherwise",
    "1 if c.rank.worth > 2\n2 if c is high\n3 otherwise": "2 if c is high",
    "1 if pace is slow\n2 if pace is fast\n3 otherwise": "3 otherwise",
    "1 if b is without(m)\n2 if b is without(m) and m > 1\n3 otherwise": "2 if b is without(m) and m > 1",
    "1 if leader is somebody\n2 if leader is nobody\n3 otherwise": "3 otherwise",
    "1 if s is hearts and s is spades\n2 otherwise": "s is hearts and s is spades",
}


@pytest.mark.parametrize("cases", REACHED)
def test_cases_that_are_reached(cases: str) -> None:
    assert found(DEFINE=cases) == []


@pytest.mark.parametrize("cases", NEVER_REACHED)
def test_a_case_that_no_value_reaches(cases: str) -> None:
    (finding,) = found(DEFINE=cases)
    assert (finding.code, finding.severity) == ("E0503", "warning")
    assert " ".join(finding.span.text.split()) == NEVER_REACHED[cases]


@pytest.mark.parametrize(
    ("cases", "lacking"),
    [
        ("1 if s is hearts", "no case covers `spades`, `bells`"),
        ("1 if s is hearts\n2 if s is spades\n3 if s is bells", ""),
        ("1 if c is high", "no case covers `low`"),
        ("1 if n < 3\n2 if n is 4", "no case covers `3`"),
        ("1 if leader is red\n2 if leader is blue", "no case covers `green`, `none`"),
        ("1 if s is hearts\n2 if n is 1", ""),
        ("1 if deck is empty", ""),
    ],
)
def test_a_definition_that_misses_a_value_says_which(cases: str, lacking: str) -> None:
    (finding,) = found(DEFINE=cases)
    assert finding.code == "E0405"
    assert finding.helps == ("end it with `… otherwise`", *([lacking] if lacking else []))


@pytest.mark.parametrize(
    ("requirements", "clash"),
    [
        (["n < 3"], None),
        (["n > 3"], "n > 3"),
        (["n > 1", "n < 2"], "n < 2"),
        (["n > 1", "deck is not empty", "n < 3"], None),
        (["deck is empty", "n is 2", "deck is not empty"], "deck is not empty"),
        (["p is me", "p is not me"], "p is not me"),
        (["p is not me", "p is leader"], None),
        (["s is hearts or n is 1", "n > 1 and s is spades"], "n > 1 and s is spades"),
        (["count hand[me] > n", "count hand[me] <= n"], "count hand[me] <= n"),
        (["bid is trumps(s)", "bid is pass"], None),
    ],
)
def test_a_move_that_is_never_legal(requirements: list[str], clash: str | None) -> None:
    """A requirement that never holds by itself or with those above; what it does not understand may hold."""
    asked = "\n".join(f'    require {requirement} because "so"' for requirement in requirements)
    rules = f"\naction give(p: Player, s: Suit, n: 1..3):\n{asked}\n    add n to score[p]\n"
    told = found(RULES=rules, STATEMENT="may give")
    told = [finding for finding in told if finding.code != "E0501"]
    assert [(finding.code, finding.severity, finding.span.text) for finding in told] == (
        [("E0504", "warning", clash)] if clash else []
    )


@pytest.mark.parametrize(
    ("components", "statement", "code", "place"),
    [
        ("piece Gem: 3", "", "E0505", "piece Gem: 3"),
        ("piece Gem: 3 in mine\nzone mine holds Gem", "move mine to mine", "", ""),
        ("piece Gem: 3\nzone mine holds Gem", "move mine to mine", "E0510", "piece Gem: 3"),
        ("piece Gem: 3\nzone mine holds Gem", "if mine is empty: end game", "E0510", "piece Gem: 3"),
        ("piece Gem: 3\nzone mine holds Gem", "move 1 from mine to mine", "E0510", "piece Gem: 3"),
        ("piece Gem: 3\nzone mine holds Gem", "for each g in mine: move g to mine", "E0510", "piece Gem: 3"),
        ("piece Gem: 3\nzone mine holds Gem or Card", "move deck to mine", "E0510", "piece Gem: 3"),
        ("piece Gem: 3\nzone mine holds Gem", "let g = the x in mine\nmove g to mine", "E0510", "piece Gem: 3"),
        ("piece Gem: 3\nzone mine holds Gem", "for each g in Gem: move g to mine", "", ""),
        ("piece Gem: 3\nzone mine holds Gem", "move Gem to mine", "", ""),
        ("piece Gem: 3\nzone mine holds Gem", "let g = the x in Gem\nmove g to mine", "", ""),
        ("piece Gem: 3\nzone mine holds Gem\ndefine gems: Gem - mine", "move gems to mine", "", ""),
        ("piece Gem: 3 in mine\nzone mine holds Gem", "if mine is empty: end game", "E0506", "zone mine holds Gem"),
        ("zone bin holds Card", "if bin is empty: move 1 from deck to bin", "", ""),
        ("zone bin holds Card", "if bin is empty: move 1 from deck to hand[me]", "E0506", "zone bin holds Card"),
        ("zone bin holds Card", "move bin to hand[me]", "E0506", "zone bin holds Card"),
        ("zone bin holds Card", "move top(deck) to bin", "", ""),
        ("zone bin holds Card\nzone box holds Card", "for each c in bin: move c to box\nmove deck to bin", "", ""),
        ("piece Gem: 3 in mine\nzone mine holds Gem\nzone box holds Gem", "for each g in Gem: move g to box", "", ""),
    ],
)
def test_pieces_and_zones_without_use(components: str, statement: str, code: str, place: str) -> None:
    told = found(COMPONENTS=components, STATEMENT=f"{PARTS['STATEMENT']}\n{statement}")
    assert [(finding.code, finding.span.text) for finding in told] == ([(code, place)] if code else [])


@pytest.mark.parametrize(
    ("over", "good"),
    [
        ("deck is empty", True),
        ("hand[red] is not empty", True),
        ("leader is somebody", False),
        ("leader is me", True),
        ("score[red] > 5", True),
        ("count Player is 2", False),
        ("pace is slow and leader is red", False),
        ("leader is red or bid is pass", True),
    ],
)
def test_a_phase_that_nothing_leaves(over: str, good: bool) -> None:
    assert [finding.code for finding in found(OVER=over)] == ([] if good else ["E0507"])


@pytest.mark.parametrize(
    ("phases", "good"),
    [
        ("phase rest, turns from red:\n    must draw", False),
        ("phase rest, turns from red to left(red):\n    must draw", True),
        ("phase rest, turns from red, over as soon as deck is empty:\n    must draw", True),
        ("phase rest, turns from red:\n    must stop\naction stop:\n    end game", True),
        ("phase whole, over as soon as deck is empty:\n    phase rest, turns from red:\n        must draw", True),
    ],
)
def test_turns_without_end(phases: str, good: bool) -> None:
    told = found(RULES=f"\n{phases}\n")
    assert [(finding.code, finding.severity) for finding in told] == ([] if good else [("E0411", "warning")])


@pytest.mark.parametrize(
    ("winner", "good"),
    [
        ("highest score[me]", True),
        ("highest score[me] then lowest count hand[me]", True),
        ("highest score[me] then highest score[me]", False),
        ("highest score[me] then highest score[red]", False),
        ("highest score[me] then lowest score[me]", False),
        ("highest (1 if leader is me else 0) then highest value(hearts, 1, top(hand_of_me), bid)", True),
        ("highest count deck", True),  # all win together
    ],
)
def test_a_criterion_that_breaks_no_tie(winner: str, good: bool) -> None:
    winner = winner.replace("top(hand_of_me)", "the c in hand[me]")
    assert [finding.code for finding in found(WINNER=winner)] == ([] if good else ["E0508"])


def test_points_of_all_together_come_first() -> None:
    (told,) = found(WINNER="leader is red then highest count deck then highest score[me]")
    assert told.helps == (
        "for points that all score together, write them first: `winner highest count deck then leader is red`",
    )
    (told,) = found(WINNER="score[me] > 0 then highest count deck")
    assert told.helps[0] == "use a value of each seat, such as `score[me]`"


@pytest.mark.parametrize(
    ("leader", "good"),
    [
        ("the p in Player with highest score[p]", False),
        ("the p in Player with lowest count hand[p] where p is not me", False),
        ("first({p in Player where score[p] is (highest score[q] for q in Player)})", True),
        ("the p in Player with highest value(hearts, 1, the c in hand[p], bid)", True),
    ],
)
def test_a_seat_that_leads_while_others_are_tied(leader: str, good: bool) -> None:
    told = found(STATEMENT=f"{PARTS['STATEMENT']}\nset leader to {leader}")
    assert [finding.code for finding in told] == ([] if good else ["E0508"])


@pytest.mark.parametrize(
    ("components", "names"),
    [
        ("type Shade is light, dark", ["`Shade` is never used"]),
        ("by players 2 3:\n    dealt 4 3", ["`dealt` is never used"]),
        (
            "define one: two\ndefine two: 3",
            ["`one` is never used", "`two` is used only by `one`, which is itself never used"],
        ),
        ("note shade: Shade = light\ntype Shade is light, dark", ["`shade` is never used"]),
        ("die cube: light, dark\ntype Shade is light, dark", ["`cube` is never used"]),
    ],
)
def test_what_is_used_nowhere(components: str, names: list[str]) -> None:
    told = found(COMPONENTS=components)
    assert [(finding.code, finding.message) for finding in told] == [("E0501", name) for name in names]


def test_a_table_by_players_has_an_entry_for_each_number_of_players() -> None:
    (finding,) = found(COMPONENTS="by players 2:\n    dealt 4", STATEMENT="move dealt from deck to hand[me]")[:1]
    assert finding.code == "E0404"
