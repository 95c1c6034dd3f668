"""States where equal pieces come into a hand openly and unseen: which of them is laid down later does not tell.

Ben is dealt three cards, and takes others from the table. Where he was dealt a red card in a history, took another and
laid down the first, all the same he may have been dealt no red one.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.opponents.knowledge.summary import knowledge_of
from interpreter.play.game import Game, State, load

RULES = """\
game "Take and lay" for 2 players ann, ben

== components ==

type Colour is red, green, blue, white, black

piece Card: 16 for each colour: Colour in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone open holds Card
zone laid holds Card
note turns_taken: 0..60 = 0

== setup ==

shuffle deck
move 3 from deck to hand[ben]
move 3 from deck to open

== phases ==

phase playing, turns from ben, over when turns_taken is 60:
    add 1 to turns_taken
    must take or lay or wait

action take(c in open):
    "take {c}"
    require me is ben                           because "ann watches"
    move c to hand[me]
    move 1 from deck to open

action lay(colour: Colour):
    "lay down {colour}"
    require hand[me] of colour is not empty     because "you have none"
    move 1 of colour from hand[me] to laid

action wait:
    "wait"
    require me is ann                           because "you have something to do"

== scoring ==

winner highest count hand[me]
"""


def taken_and_laid(game: Game, seed: int, times: int) -> State:
    """Ben takes a card and lays down one of its colour, some times, and then one that he was dealt."""
    state = game.start(seed)
    for _ in range(times):
        take = state.legal_moves[0]
        assert take.name == "take"
        colour = take.label.removeprefix("take ")
        for label in (take.label, "wait", f"lay down {colour}", "wait"):
            state.push(next(move for move in state.legal_moves if move.label == label))
    for label in ("lay down", "wait"):
        state.push(next(move for move in state.legal_moves if move.label.startswith(label)))
    while state.player != "ann":
        state.push(state.legal_moves[-1])
    return state


@pytest.mark.parametrize("seed", [1, 2])
def test_a_card_that_was_dealt_is_found_although_equal_ones_were_laid_down(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "take_and_lay.rules"
    path.write_text(RULES, encoding="utf-8")
    state = taken_and_laid(load(path), seed, 12)
    sampler = sampler_of(state, "ann", seed, size=1)
    for other in sampler.states(4):
        assert other.view("ann") == state.view("ann")
    assert sampler.agrees
    assert sampler.tries < 40


MOVES_OF_CHINA = (
    "23 1 45 1 8 1 34 2 2 48 1 43 1 2 38 2 51 5 2 9 1 1 25 3 11 2 22 3 30 0 1 20 3 1 0 0 22 1 2 4 3 0 2 7 "
    "2 24 2 1 15 1 23 2 0 15 0 9 0 1 8 0 26 2 2 2 2 6 1 15 4 0 21 1 2 24 2 3 0 0 2 1 14 1 8 1 2 2 7"
)
"""A course with a reshuffle, after which Blue, who had taken a red card openly, draws a green one and pays a red."""


def test_a_card_drawn_after_a_reshuffle_is_not_certain_because_an_equal_one_was_paid() -> None:
    state = load("china", players=4).start(788872)
    for number in map(int, MOVES_OF_CHINA.split()):
        state.push(state.legal_moves[number])
    held = Counter(str(piece.name) for piece in state.view("blue").zones["hand[blue]"].pieces)
    assert held == {"green": 1, "yellow": 1, "violet": 1}
    (hand,) = [place for place in knowledge_of(state, "violet").places if place.name == "hand[blue]"]
    said = {kind.name: (kind.least, kind.most) for kind in hand.kinds}
    assert all(said[name][0] <= count <= said[name][1] for name, count in held.items())
    assert said["red"][0] == 0
