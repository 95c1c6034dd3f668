"""What a seat knows, in words: what is certain, what is possible, what others know; and nothing of the real state."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.recording import observation_of
from interpreter.opponents.knowledge.sampling import determinizations, sampler_of
from interpreter.opponents.knowledge.summary import HiddenPlace, Kind, Knowledge, knowledge_of
from interpreter.play.game import State, load
from tests.support.secret_number import SECRET

TILES = """\
game "Tiles" for 2 players ann, ben:
    "Both turn over tiles."

== components ==

type Field is 1..30
type Motif is 1..30

piece Tile: 1 for each motif: Motif in bag

zone bag holds stack of Tile, seen by nobody
zone tile_on[f: Field] holds Tile, seen by turned[f]

note turned[f: Field]: several Player = {}
note turns: 0..20 = 0

names:
    Tile(motif)     "tile {motif}"
    Tile            "tile", "tiles"
    tile_on[f]      "tile on {f}"
    turned[f]       "who has seen {f}"

== setup ==

shuffle bag
for each f in Field: move 1 from bag to tile_on[f]

== phases ==

phase turning, turns from ann, over when turns is 20:
    must turn

action turn(f: Field):
    "turn {f}"
    require turned[f] is empty      because "that tile is turned over already"
    set turned[f] to {ann, ben}
    add 1 to turns

== scoring ==

winner me is ann "wins"
"""


def places(knowledge: Knowledge) -> dict[str, HiddenPlace]:
    return {place.name: place for place in knowledge.places}


def possible(knowledge: Knowledge, name: str) -> dict[str, int]:
    """What the hidden pieces at a place can be, and how many at most."""
    return {chance.name: chance.most for chance in places(knowledge)[name].kinds}


def certain(place: HiddenPlace) -> tuple[Kind, ...]:
    """What lies at a place for certain."""
    return tuple(Kind(chance.name, chance.least) for chance in place.kinds if chance.least)


def hand(state: State, seat: str) -> list[str]:
    return [piece.name for piece in state.view(None).zones[f"hand[{seat}]"].pieces]


def test_in_kuhn_poker_the_other_card_is_one_of_two() -> None:
    state = load("kuhn_poker", players=2).start(seed=4)
    knowledge = knowledge_of(state, "ann")
    [own] = hand(state, "ann")
    others = [name for name in ("jack", "queen", "king") if name != own]
    assert list(knowledge.unaccounted) == [Kind(name, 1) for name in others]
    assert [(place.name, place.count, certain(place)) for place in knowledge.places] == [
        ("deck", 1, ()), ("hand[ben]", 1, ()),
    ]  # fmt: skip
    for place in knowledge.places:
        assert [(chance.name, chance.most) for chance in place.kinds] == [(name, 1) for name in others]
        assert all(0.2 < chance.likely < 0.8 and chance.mean == chance.likely for chance in place.kinds)
        assert sum(chance.likely for chance in place.kinds) == pytest.approx(1)
    assert not knowledge.others, "Ben has no idea what Ann holds"


def test_in_go_fish_what_the_other_cannot_hold_is_certain_in_the_pond() -> None:
    """Ben has none of the rank he was asked for; and four of a rank would have been laid down as a book."""
    state = load("go_fish", players=2).start(seed=3)
    assert state.player == "ann"
    state.push("ask(ben, three)")
    knowledge = knowledge_of(state, "ann")
    sure = [
        Kind(kind.name, 3 if kind.name == "three" else 1)
        for kind in knowledge.unaccounted
        if kind.count == 4 or kind.name == "three"
    ]
    assert list(certain(places(knowledge)["pond"])) == sure
    assert certain(places(knowledge)["hand[ben]"]) == ()
    assert "three" not in possible(knowledge, "hand[ben]")
    [known] = knowledge.others
    assert known.certain == (Kind("three", 1),), "Ann asked for one, so she holds it"


def asked(seed: int) -> State:
    """A game of go fish in which Ann has just caught a card, or been given some, that Ben saw."""
    state, rng = load("go_fish", players=2).start(seed=seed), random.Random(seed)
    while True:
        move, seat = rng.choice(state.legal_moves), state.player
        before = len(hand(state, "ann"))
        state.push(move)
        if seat == "ann" and len(hand(state, "ann")) > before and "shown" in str(state.log(None)[-1]):
            return state


def test_in_go_fish_a_card_that_was_shown_and_taken_into_a_hand_is_certain(long_run: bool) -> None:
    for seed in (1, 2) if long_run else (1,):
        state = asked(seed)
        rank = state.history[-1].notation.removesuffix(")").split(", ")[1]
        knowledge = knowledge_of(state, "ben")
        sure = {kind.name: kind.count for kind in certain(places(knowledge)["hand[ann]"])}
        assert sure[rank] >= 2, "the one that Ann had to hold, and the one that she took"
        known = {one.place: one.certain for one in knowledge_of(state, "ann").others if one.seat == "ben"}
        assert rank in [kind.name for kind in known["hand[ann]"]]


def test_in_hearts_a_suit_that_was_not_followed_is_impossible() -> None:
    state, rng = load("hearts", players=4).start(seed=1), random.Random(1)
    while state.ply < 30:
        state.push(rng.choice(state.legal_moves))
    assert state.player == "west"
    knowledge = knowledge_of(state, "west")
    of_east, of_south = possible(knowledge, "hand[east]"), possible(knowledge, "hand[south]")
    assert not any("diamonds" in name for name in of_east)
    assert {"four diamonds", "eight diamonds", "queen spades"} <= set(of_south)
    assert set(hand(state, "east")) <= set(of_east)
    assert not knowledge.others


def test_a_secret_number_narrows_with_every_hint(tmp_path: Path) -> None:
    (tmp_path / "number.rules").write_text(SECRET)
    state = load(str(tmp_path / "number.rules")).start()
    state.push("write(3)")
    [note] = knowledge_of(state, "ben").notes
    assert [value for value, _ in note.values] == [1, 2, 3, 4]
    assert sum(likely for _, likely in note.values) == pytest.approx(1)
    state.push("guess(2)")
    [note] = knowledge_of(state, "ben").notes
    assert [value for value, _ in note.values] == [3, 4]
    assert knowledge_of(state, "ann") == Knowledge("ann")


def test_pieces_that_were_turned_over_where_they_lie_are_put_there_at_once(tmp_path: Path) -> None:
    """No move shows them, so nothing but the table says which ones they are."""
    (tmp_path / "tiles.rules").write_text(TILES)
    state, rng = load(str(tmp_path / "tiles.rules")).start(seed=3), random.Random(3)
    for _ in range(12):
        state.push(rng.choice(state.legal_moves))
    drawn = determinizations(state, "ann", 1, 1)
    assert drawn.tries <= 12, "one exchange for each tile is enough"
    assert drawn[0].view("ann") == state.view("ann")
    assert drawn[0].view(None) != state.view(None), "the other tiles may be anywhere"


@pytest.mark.parametrize(
    ("name", "players", "seed"),
    [
        ("chinesische_mauer", 3, 2),
        *(pytest.param(*table, marks=pytest.mark.long) for table in (("go_fish", 2, 5), ("spades", 4, 3))),
    ],
)
def test_what_is_said_to_be_certain_or_impossible_holds_in_all_that_could_be(
    name: str, players: int, seed: int, long_run: bool
) -> None:
    """In the real state, in others that the seat cannot tell from it, and for the others as well."""
    drawn = 30 if long_run else 3
    state, rng = load(name, players=players).start(seed=seed), random.Random(seed)
    while state.ply < 14 or len(state.legal_moves) < 2:
        state.push(rng.choice(state.legal_moves))
    seat = state.player
    assert seat is not None
    knowledge = knowledge_of(state, seat)
    for other in [state, *sampler_of(state, seat, 77, size=3).states(drawn)]:
        for zone, place in places(knowledge).items():
            assert all(piece.hidden for piece in other.view(seat).zones[zone].pieces)
            there = Counter(piece.name for piece in other.view(None).zones[zone].pieces)
            assert there.total() == place.hidden
            assert Counter({kind.name: kind.count for kind in certain(place)}) <= there
            assert set(there) <= set(possible(knowledge, zone))
    for known in knowledge.others:
        there = Counter(piece.name for piece in state.view(None).zones[known.place].pieces)
        for other in sampler_of(state, known.seat, 5, size=3).states(drawn):
            there &= Counter(piece.name for piece in other.view(None).zones[known.place].pieces)
        assert Counter({kind.name: kind.count for kind in known.certain}) <= there


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param("go_fish", 2, marks=pytest.mark.long), ("kuhn_poker", 2), ("liars_dice", 2),
        ("chinesische_mauer", 3), ("mauerbauer", 2),
    ],
)  # fmt: skip
def test_states_that_a_seat_cannot_tell_apart_give_equal_knowledge(name: str, players: int) -> None:
    state, rng = load(name, players=players).start(seed=6), random.Random(6)
    while not state.over and (state.ply < 9 or len(state.legal_moves) < 2):
        state.push(rng.choice(state.legal_moves))
    while state.over:
        state.pop()
    seat = state.player
    assert seat is not None
    other = sampler_of(state, seat, 8, size=2).states(2)[-1]
    seen: list[Observation] = [observation_of(each, seat) for each in (state, other)]
    assert seen[0] == seen[1]
    assert knowledge_of(other, seat) == knowledge_of(state, seat)


def test_a_first_estimate_comes_before_the_rest() -> None:
    state = load("go_fish", players=2).start(seed=3)
    state.push("ask(ben, three)")
    estimates: list[Knowledge] = []
    knowledge = knowledge_of(state, "ann", report=estimates.append)
    hasty = knowledge_of(state, "ann", hurry=lambda: True)
    assert estimates[0].worlds < knowledge.worlds and knowledge.tested
    for estimate in (*estimates, hasty):
        assert not estimate.tested and list(places(estimate)) == list(places(knowledge))
        for name, place in places(estimate).items():
            in_the_end = {kind.name: kind.count for kind in certain(places(knowledge)[name])}
            assert all(kind.count <= in_the_end[kind.name] for kind in certain(place)), "only what was tested"
            assert set(possible(knowledge, name)) <= set(possible(estimate, name))
    assert not any(certain(place) for place in places(hasty).values()), "nothing was tested"


def test_a_die_that_was_rolled_before_the_others_can_show_each_face() -> None:
    """Some of the pieces with a face were never shuffled together with it: these may not stand for all of them."""
    for seed in range(3):
        state = load("liars_dice", players=2).start(seed=seed)
        [cup] = [place for name, place in places(knowledge_of(state, "ann")).items() if name == "cup[ben]"]
        assert [(chance.name, chance.least, chance.most) for chance in cup.kinds] == [
            (face, 0, 1) for face in ("one", "two", "three", "four", "five", "six")
        ]  # fmt: skip


def test_where_nothing_is_hidden_there_is_nothing_to_know() -> None:
    assert knowledge_of(load("chess").start(), "white") == Knowledge("white")


def test_words_for_people_are_those_of_the_language() -> None:
    game = load("china", players=3, language="de")
    knowledge = knowledge_of(game.start(seed=2), game.seats[0], words=game.words)
    plain = knowledge_of(game.start(seed=2), game.seats[0])
    assert knowledge.unaccounted != plain.unaccounted
    assert [kind.count for kind in knowledge.unaccounted] == [kind.count for kind in plain.unaccounted]
