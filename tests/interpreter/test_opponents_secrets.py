"""The bot `mcts` where seats know different things: nobody answers what it cannot know, and equal pieces are equal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.analysis.search_states import search_state
from interpreter.analysis.searches import UNNOTICED, MoveKeys
from interpreter.opponents.budgets import Budget
from interpreter.opponents.greedy import Greedy
from interpreter.opponents.mcts import Mcts, analyse
from interpreter.opponents.situation import Bot
from interpreter.play.game import Game, State, load
from tests.support.resampling import resampled
from tests.support.situations import after, situation_of

PENNIES = """\
game "Pennies" for 2 players ann, ben:
    "Ann hopes that both show the same side, Ben that they do not."

== components ==

type Side is heads, tails
note shown[p: Player]: Side or none = none{hidden}

== phases ==

phase showing:
    each player from ann{at_once}: must show

action show({secret}s: Side):
    "show {{s}}"
    set shown[me] to s

== scoring ==

winner (shown[ann] is shown[ben]) is (me is ann) "matched, or not"
"""

DRAWN = """\
game "Drawn" for 2 players ann, ben:
    "Play the cards that you were dealt."

== components ==

type Colour is red, blue
piece Card: 6 for each colour: Colour in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone played[p: Player] holds Card

== setup ==

shuffle deck
each player from ann: move 4 from deck to hand[me]

== phases ==

phase playing, turns from ann, over when hand[ben] is empty:
    must play

action play({secret}c in hand[me]):
    "play {{c}}"
    move c to played[me]

== scoring ==

winner highest count played[me] of red "most red cards"
"""


def written(text: str, folder: Path, name: str = "written") -> Game:
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("hidden", "at_once", "secret"), [("", " at once", ""), (", seen by p", "", "secret "), ("", "", "")]
)
def test_a_hidden_choice_is_not_answered(hidden: str, at_once: str, secret: str, tmp_path: Path) -> None:
    """Who is second wins always if it knows what was chosen, and otherwise half of the time."""
    game = written(PENNIES.format(hidden=hidden, at_once=at_once, secret=secret), tmp_path)
    found = analyse(situation_of(game.start(0)), Budget(iterations=2000), "python")
    if hidden or at_once:
        assert all(0.35 < move.win_share < 0.65 for move in found.moves if move.visits > 100)
    else:
        assert all(move.win_share < 0.1 for move in found.moves)


def test_a_hidden_choice_is_not_known_to_the_second_at_the_root(tmp_path: Path) -> None:
    game = written(PENNIES.format(hidden="", at_once=" at once", secret=""), tmp_path)
    shares = []
    for first in ("show(heads)", "show(tails)"):
        found = analyse(situation_of(after(game.start(0), [first])), Budget(iterations=400), "python")
        shares.append(found.win_shares["ben"])
    assert sum(shares) == pytest.approx(1.0, abs=0.2) or shares[0] == shares[1]


@pytest.mark.parametrize("secret", ["", "secret "])
def test_equal_pieces_share_their_edges(secret: str, tmp_path: Path) -> None:
    """In all worlds there are two moves at most, one of a red card and one of a blue one; others see none or both."""
    game = written(DRAWN.format(secret=secret), tmp_path)
    keys = MoveKeys(game.program)
    own: set[int] = set()
    public: set[int] = set()
    codes: set[tuple[int, ...]] = set()
    for seed in range(8):
        search = search_state(game.start(seed), "python")
        own_keys, public_keys = keys.keys(search.point, search.seat, search.legal_moves)
        own |= set(own_keys)
        public |= set(public_keys)
        codes |= set(search.legal_moves)
    assert len(own) == 2 and len(codes) > 2
    assert len(public) == (1 if secret else 2)


def declinable(state: State) -> State:
    """Go on at random until a seat is asked secretly whether it wants something."""
    rng = random.Random(1)
    while state.question is None or not state.question.secretly:
        state.push(rng.choice(state.legal_moves))
    return state


def test_a_secret_question_that_is_declined_is_not_noticed() -> None:
    state = declinable(load("china", players=3).start(2))
    search = search_state(state, "python")
    _, public = MoveKeys(state.program).keys(search.point, search.seat, search.legal_moves)
    declined = [code[0] == -1 for code in search.legal_moves]
    assert any(declined)
    assert [key == UNNOTICED for key in public] == declined


def test_cards_are_known_by_those_who_hold_them() -> None:
    """In Kuhn poker nobody folds a king, and nobody calls with a jack."""
    game = load("kuhn_poker")
    for seed in range(12):
        state = after(game.start(seed), ["bet"])
        found = analyse(situation_of(state, seed), Budget(iterations=300), "python")
        best = state.legal_moves[found.moves[0].move].notation
        card = str(state.evaluate("hand[ben].rank", "ben"))
        assert best == {"king": "call", "jack": "fold"}.get(card, best)


@pytest.mark.parametrize("bot", [Greedy("python"), Mcts(Budget(iterations=80), "python")], ids=["greedy", "mcts"])
def test_the_choice_follows_from_what_is_given(bot: Bot) -> None:
    """Where the real hands differ, but everything that the seat is given is equal, so is the choice."""

    class Given:
        def __init__(self, states: list[State]) -> None:
            self._states = states

        def states(self, count: int, hurry: object = None, **_: object) -> list[State]:
            return self._states[:count]

    state = load("go_fish", players=3).start(4)
    seat = str(state.player)
    other = resampled(state, seat, 7)
    assert state.view(seat) == other.view(seat) and state.cells != other.cells
    given = Given([resampled(state, seat, seed) for seed in range(24)])
    choices = [bot.choose(situation_of(one, 5, sampler=given)) for one in (state, other)]
    assert choices[0] == choices[1]
