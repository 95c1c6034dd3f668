"""States where equal pieces come into a hand openly and unseen: which of them is laid down later does not tell.

Ben is dealt three cards, and takes others from the table. Where he was dealt a red card in a history, took another and
laid down the first, all the same he may have been dealt no red one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
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
