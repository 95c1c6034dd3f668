"""Views as typed data: what their values are, and the schema of what goes out as JSON."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from pydantic import TypeAdapter

from interpreter.play.game import State, load
from interpreter.seat.views.model import (
    HIDDEN,
    EachCell,
    Hidden,
    PiecesCell,
    Together,
    ValueCell,
    View,
    plain_data,
    schema,
    value_text,
)

SCHEMA = Path(__file__).resolve().parents[2] / "interpreter" / "seat" / "views" / "view.schema.json"
GAMES = ("chinesische_mauer", "china", "mauerbauer", "go_fish", "pig", "hearts", "othello")


def positions(name: str, every: int = 9) -> Iterator[State]:
    """Some positions of a random game, the end included."""
    state, rng = load(name).start(seed=4), random.Random(4)
    while True:
        if state.over or state.ply % every == 0:
            yield state
        if state.over or state.ply > 150:
            return
        state.push(rng.choice(state.legal_moves))


def test_the_schema_file_is_that_of_the_model() -> None:
    found = schema()
    if os.environ.get("REGELWERK_UPDATE") == "1":
        SCHEMA.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == found
    jsonschema.Draft202012Validator.check_schema(found)


@pytest.mark.parametrize("name", GAMES)
def test_views_are_what_the_schema_says(name: str, long_run: bool) -> None:
    """In the normal run each position is seen with everything, and by the seats in turn."""
    valid, adapter = jsonschema.Draft202012Validator(schema()), TypeAdapter(View)
    for number, state in enumerate(positions(name, 9 if long_run else 32)):
        seats = state.game.seats
        for seat in (None, *(seats if long_run else seats[number % len(seats) :][:1])):
            view = state.view(seat)
            data = view.as_data()
            valid.validate(json.loads(json.dumps(data)))
            assert adapter.dump_python(view, mode="json") == data
            assert pickle.loads(pickle.dumps(view)) == copy.deepcopy(view) == copy.copy(view) == view
            assert hash(view) == hash(state.view(seat))


def test_numbers_are_numbers_and_what_is_hidden_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "kinds.rules"
    path.write_text(RULES, encoding="utf-8")
    state = load(path).start()
    own, other = state.view("ann"), state.view("ben")
    assert own.notes == {
        "score": 7, "found": False, "leader": None, "word": "hidden", "private[ann]": 3, "private[ben]": HIDDEN,
        "marked": (2, 4), "open_for": (),
    }  # fmt: skip
    assert other.notes["private[ann]"] == HIDDEN != other.notes["word"]
    assert state.view(None).notes["private[ben]"] == 3
    (card,), (back,) = own.zones["hand[ann]"].pieces, other.zones["hand[ann]"].pieces
    assert (card.attributes, card.hidden, card.owner) == ({"rank": 5, "owner": "ann"}, False, "ann")
    assert (back.attributes, back.hidden, back.owner) == ({"rank": HIDDEN, "owner": "ann"}, True, "ann")
    (table,) = own.tables
    (row,) = [row for row in table.rows if isinstance(row[0], ValueCell) and row[0].value == "ann"]
    number, truth, nobody, members, hand = row[1:]
    assert number == ValueCell(7, "7")
    assert truth == ValueCell(True, "true")
    assert nobody == ValueCell(None, "nobody")
    assert members == ValueCell((2, 4), "2, 4")
    assert isinstance(hand, PiecesCell) and hand.order == "heap" and hand.pieces == (card,)


ORDER = """
game "Order" for 3 players ann, ben, cleo
== components ==
type Suit is red, green, blue
note mark[s: Suit]: 0..9 = 1
table "Tiers" for each t in {3, 1, 2} with s in {blue, red}:
    "Tier": t
    "Suit": s
table "Mine first" for each p in {me, left(me), right(me)}:
    "Player": p
    "Marks": s in {green, blue, red} as mark[s]
table "Usual" for each s in Suit - {green}:
    "Suit": s
== phases ==
phase main, turns from ann to ben:
    must go
action go: add 1 to mark[red]
== scoring ==
winner true
"""


def test_rows_of_a_set_that_is_written_out_are_in_the_order_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "order.rules"
    path.write_text(ORDER, encoding="utf-8")
    tiers, mine, usual = load(path).start().view("ben").tables
    cells = [[cell.text for cell in row if isinstance(cell, ValueCell)] for row in tiers.rows]
    assert cells == [[tier, suit] for tier in "312" for suit in ("blue", "red")]
    assert [row[0] for row in mine.rows] == [ValueCell(seat, seat) for seat in ("ben", "cleo", "ann")]
    marks = mine.rows[0][1]
    assert isinstance(marks, EachCell)
    assert [entry.item for entry in marks.entries] == [ValueCell(suit, suit) for suit in ("green", "blue", "red")]
    assert [row[0] for row in usual.rows] == [ValueCell(suit, suit) for suit in ("red", "blue")]


def test_values_in_words_and_as_data() -> None:
    assert [value_text(value) for value in (True, 0, None, "red", (1, None), (), HIDDEN)] == [
        "true", "0", "none", "red", "{1, none}", "{}", "hidden",
    ]  # fmt: skip
    assert value_text(Together((1, (2, 3)))) == "1, {2, 3}"
    assert plain_data((1, HIDDEN, ("a",))) == [1, {"kind": "hidden"}, ["a"]]
    assert Hidden() == HIDDEN == copy.deepcopy(HIDDEN)


RULES = """game "Kinds" for 2 players ann, ben

== components ==

type Word is hidden, shown
piece Card: 1 for each rank: 5..5, owner: Player in hand[owner]
zone hand[p: Player] holds Card, seen by p, owner seen by all
note score: 0..9 = 7
note found: Truth = false
note leader: Player or nobody = nobody
note word: Word = hidden
note private[p: Player]: 0..9 = 3, seen by p
note marked: several 1..5 = {2, 4}
note open_for: several Player = {}

table "Players" for each p in Player:
    "Player": p
    "Score": score
    "Low": score < 9
    "Leader": leader
    "Marked": marked
    "Hand": hand[p]

== phases ==

phase main, turns from ann, over when score is 9:
    must wait

action wait:
    add 1 to score

== scoring ==

winner highest score
"""
