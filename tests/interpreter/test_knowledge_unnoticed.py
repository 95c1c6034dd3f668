"""States where some decisions arise only with some hidden cards, and nobody notices that they are declined.

Whoever holds a large card may show it after each turn. In one of two histories that look the same there are such
decisions, in the other there are none; so the same moves, and the same shuffle of signs, come later in one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.play.game import Game, State, load
from tests.interpreter.test_knowledge_exact import compare, histories, whole

RULES = """\
game "Second thoughts" for 2 players ann, ben

== components ==

type Size is 1..12
type Sign is 1..24

piece Card: 1 for each size: Size in deck
piece Omen: 1 for each sign: Sign in omens
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone shown holds row of Card
zone omens holds stack of Omen, seen by nobody
zone sky holds row of Omen
note turns_taken: 0..40 = 0

== setup ==

shuffle deck
move 3 from deck to hand[ann]
move 3 from deck to hand[ben]

== phases ==

phase waiting, turns from ann, over when turns_taken is 40:
    must wait
    if shown is empty and some c in hand[me] where c.size > 10: may secretly show

action wait:
    "wait"
    add 1 to turns_taken
    if turns_taken is 5: shuffle omens
    if turns_taken > 5: move 1 from omens to sky

action show(c in hand[me]):
    "show {c}"
    require c.size > 10     because "it is small"
    move c to shown

== scoring ==

winner highest count hand[me]
"""

SHUFFLED = """\
    if turns_taken is 5: shuffle omens
    if turns_taken > 5: move 1 from omens to sky
"""

FEWER = {SHUFFLED: "", "1..12": "1..4", "1..24": "1..1", "move 3": "move 1", "> 10": "> 2"}


def second_thoughts(folder: Path, changes: dict[str, str] | None = None) -> Game:
    rules = RULES
    for old, new in (changes or {}).items():
        rules = rules.replace(old, new)
    path = folder / "second_thoughts.rules"
    path.write_text(rules, encoding="utf-8")
    return load(path)


def waited(game: Game, seed: int, turns: int) -> State:
    """A game in which both wait and show nothing, until it is somebody's turn again."""
    state = game.start(seed)
    while state.evaluate("turns_taken") != turns or "wait" not in [move.name for move in state.legal_moves]:
        state.push("wait" if state.legal_moves[0].name == "wait" else "done")
    return state


@pytest.mark.parametrize("seed", [5, 7, 24, 39])
def test_a_card_that_could_have_been_shown_earlier_is_found(seed: int, tmp_path: Path) -> None:
    """Ben shows a card that he has held since the beginning, when eighteen signs have been seen."""
    state = waited(second_thoughts(tmp_path), seed, 23)
    state.push("wait")
    state.push(next(move for move in state.legal_moves if move.name == "show"))
    sampler = sampler_of(state, "ann", seed, size=1)
    for other in sampler.states(4):
        assert other.view("ann") == state.view("ann")
    assert sampler.agrees
    assert sampler.tries < 100


def test_one_history_leads_to_others_with_fewer_and_more_decisions(tmp_path: Path) -> None:
    """Between two of these states, thirty-two are drawn without changing who is asked."""
    state = waited(second_thoughts(tmp_path, FEWER), 0, 8)
    drawn = sampler_of(state, "ann", 0, size=1).states(640)[::32]
    assert {bool(other.evaluate("some c in hand[ben] where c.size > 2")) for other in drawn} == {True, False}


def test_states_with_such_decisions_are_as_likely_as_their_histories(tmp_path: Path) -> None:
    state = waited(second_thoughts(tmp_path, FEWER), 1, 3)
    seat = str(state.player)
    expected: dict[str, float] = {}
    for other, weight in histories(state.game, seat, state):
        expected[whole(other)] = expected.get(whole(other), 0.0) + weight
    assert len(expected) > 1
    compare(expected, state, seat)
