"""What games used of the rules, counted over known games."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from interpreter.laboratory.courses import Courses
from interpreter.laboratory.usage import usage
from interpreter.play.game import load

RULES = """game "Usage" for 2 players ann, ben

option goal: 1..9 = 3

== components ==

type Suit is hearts, clubs, spades
piece Card: 1 for each suit: Suit in box
piece Coin: 2 in purse
piece Marker: 1 in shelf
zone box holds Card
zone hand[p: Player] holds Card
zone laid holds Card or Coin
zone purse holds Coin
zone shelf holds Marker
note turns: 0..9 = 0
note points[p: Player]: 0..99 = 0

== setup ==

move box to hand[ann]

== phases ==

phase main, turns from ann, over when turns is goal:
    add 1 to turns
    must lay or pay or rest

action lay(c in hand[me]):
    move c to laid
    reward(c)

action pay(c in purse):
    require turns > 5 because "too early"
    move c to laid

action rest:
    "rest"

step reward(c: Card):
    add worth(c) to points[me]

define worth(c: Card):
    3       if c is hearts
    1       if c is clubs
    2       otherwise

when all_laid:
    add 1 to points[ann]

define all_laid: count laid is 3

table "Hands" for each p in Player:
    "Player": p
    "Size": size(p)

define size(p: Player):
    2   if many(p)
    1   otherwise

define many(p: Player): count hand[p] > 2

== scoring ==

winner highest points[me] then lowest count hand[me]
"""


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "usage.rules"
    path.write_text(RULES)
    return load(path)


def used(game, *games):
    """The usage of games given by the first words of their moves."""
    courses = Courses(game, 0, "python")
    found = []
    for moves in games:
        state, chosen = game.start(0), []
        for words in moves:
            notations = [move.notation for move in state.legal_moves]
            chosen.append(next(number for number, each in enumerate(notations) if each.startswith(words)))
            state.push(state.legal_moves[chosen[-1]])
        assert state.over
        found.append(courses.of(0, chosen))
    return usage(game, found)


def games_of(found):
    return {(rule.kind, rule.name, rule.text): rule.games for rule in found.rules}


def test_rules_are_counted_by_game(game):
    found = used(game, ["lay(hearts", "rest", "lay(spades"], ["rest", "rest", "lay(spades"], ["rest", "rest", "rest"])
    assert found.games == 3
    games = games_of(found)
    assert games["phase", "main", ""] == 3
    assert games["action", "lay", ""] == 2
    assert games["action", "rest", ""] == 3
    assert games["action", "pay", ""] == 0
    assert games["step", "reward", ""] == 2
    assert games["when", "all_laid", ""] == 0
    assert games["case", "worth", "3 if c is hearts"] == 1
    assert games["case", "worth", "1 if c is clubs"] == 0
    assert games["case", "worth", "2 otherwise"] == 2
    assert games["case", "all_laid", "count laid is 3"] == 2


def test_a_criterion_counts_where_it_was_needed(game):
    found = games_of(used(game, ["lay(hearts", "rest", "rest"], ["rest", "rest", "rest"]))
    assert found["criterion", "", "highest points[me]"] == 2
    assert found["criterion", "", "lowest count hand[me]"] == 1


def test_values_of_options_count_but_are_not_missing(game):
    found = used(game, ["rest", "rest", "rest"])
    values = {rule.text: rule.games for rule in found.rules if rule.kind == "value"}
    assert values == {"1": 0, "3": 1, "9": 0}
    assert all(rule.kind != "value" for rule in found.unused_rules)


def test_what_was_never_used(game):
    found = used(game, ["lay(hearts", "rest", "lay(spades"])
    assert {(rule.kind, rule.name, rule.text) for rule in found.unused_rules} == {
        ("action", "pay", ""),
        ("case", "worth", "1 if c is clubs"),
        ("when", "all_laid", ""),
        ("criterion", "", "lowest count hand[me]"),
    }
    assert {kind.kind for kind in found.kinds if not kind.chosen} == {"clubs", "coin"}


def test_what_only_tables_and_labels_need_is_not_counted(game):
    found = used(game, ["rest", "rest", "rest"])
    assert {rule.name for rule in found.rules if rule.kind == "case"} == {"worth", "all_laid"}


def test_rules_have_locations_in_their_order(game):
    found = used(game, ["rest", "rest", "rest"])
    lines = [int(rule.location.split(":")[-2]) for rule in found.rules]
    assert lines == sorted(lines)
    (lay,) = [rule for rule in found.rules if (rule.kind, rule.name) == ("action", "lay")]
    assert RULES.splitlines()[int(lay.location.split(":")[-2]) - 1].startswith("action lay")


def test_pieces_by_kind_and_type(game):
    found = used(game, ["lay(hearts", "rest", "lay(spades"], ["lay(hearts", "rest", "rest"])
    kinds = {kind.kind: kind for kind in found.kinds}
    assert list(kinds) == ["hearts", "clubs", "spades", "coin"]  # no move is about the marker
    hearts, clubs, spades, coin = kinds.values()
    assert (hearts.offered, hearts.chosen, hearts.games_offered, hearts.games_chosen) == (2, 2, 2, 2)
    assert (clubs.offered, clubs.chosen, clubs.games_offered, clubs.games_chosen) == (4, 0, 2, 0)
    assert (spades.offered, spades.chosen, spades.games_offered, spades.games_chosen) == (4, 1, 2, 1)
    assert (coin.offered, coin.games_offered, coin.type) == (0, 0, "Coin")
    assert [(type_.type, type_.games_offered, type_.games_chosen) for type_ in found.types] == [
        ("Card", 2, 2),
        ("Coin", 0, 0),
    ]
    assert RULES.splitlines()[int(found.types[1].location.split(":")[-2]) - 1].startswith("piece Coin")


def test_usage_is_plain_data(game):
    found = used(game, ["rest", "rest", "rest"])
    assert json.loads(json.dumps(asdict(found)))["games"] == 1


def test_no_games_use_nothing(game):
    found = usage(game, [])
    assert found.games == 0
    assert {rule.games for rule in found.rules} == {0}
    assert [kind.chosen for kind in found.kinds] == [0] * 4
