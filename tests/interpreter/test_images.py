"""Images of a history in small games, where what happens, but not what may be chosen, depends on hidden pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.play.game import State, load

HINTS = """\
game "Hints" for 2 players ann, ben

== components ==

type Kind with copies: 1..6:
    narrow  6
    wide    4

piece Card: kind.copies for each kind: Kind in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note one_wide: Truth = false
note two_wide: Truth = false
note turns_taken: 0..9 = 0

== setup ==

shuffle deck
move 2 from deck to hand[ann]
move 2 from deck to hand[ben]
if hand[ben] of wide is not empty: set one_wide to true

== phases ==

phase asking, turns from ann, over when turns_taken is 4:
    must ask or draw

action ask:
    "ask"
    add 1 to turns_taken
    set two_wide to false
    if count hand[ben] of wide >= 2: set two_wide to true

action draw:
    "draw"
    add 1 to turns_taken
    move 1 from deck to hand[me]

== scoring ==

winner two_wide and me is ann "was right"
"""


TURNED = """\
zone hand[p: Player] holds Card, seen by (Player if turned else {p})
note turned: Truth = false
"""

TURN = """\
action turn:
    "turn all cards over"
    add 1 to turns_taken
    if turned: set turned to false
    else: set turned to true

"""


@pytest.mark.parametrize("moves", [(), ("ask",), ("draw", "draw", "ask")])
def test_what_followed_from_hidden_pieces_follows_in_each_image(moves: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "hints.rules"
    path.write_text(HINTS, encoding="utf-8")
    game = load(path)
    for seed in range(6):
        state = game.start(seed)
        for move in moves:
            state.push(move)
        held: set[int] = set()
        for other in sampler_of(state, "ann", seed).states(40):
            assert other.view("ann") == state.view("ann")
            assert made_again(other, moves).view("ann") == state.view("ann")
            held.add(int(str(other.evaluate("count hand[ben] of wide"))))
        drawn, has_asked = moves.count("draw") // 2, "ask" in moves
        assert held == {
            dealt + more
            for dealt in ((1, 2) if state.evaluate("one_wide") else (0,))
            for more in range(drawn + 1)
            if not has_asked or (dealt + more >= 2) == state.evaluate("two_wide")
        }


@pytest.mark.parametrize(
    "moves", [("turn", "turn"), ("turn", "turn", "draw", "draw"), ("draw", "draw", "turn", "turn")]
)
def test_what_was_seen_where_it_lay_is_the_same_in_each_image(moves: tuple[str, ...], tmp_path: Path) -> None:
    """Hands are turned over and back: nothing moves, but all that was in them then is known."""
    rules = HINTS.replace("is 4:", "is 6:").replace("zone hand[p: Player] holds Card, seen by p", TURNED)
    path = tmp_path / "turns.rules"
    rules = rules.replace("must ask or draw", "must ask or draw or turn").replace("action ask", f"{TURN}action ask")
    path.write_text(rules, encoding="utf-8")
    game = load(path)
    varied = 0
    for seed in range(6):
        state = game.start(seed)
        for move in moves:
            state.push(move)
        real, unseen = int(str(state.evaluate("count hand[ben] of wide"))), int(moves[-1] == "draw")
        held: set[int] = set()
        for other in sampler_of(state, "ann", seed).states(40):
            assert other.view("ann") == state.view("ann")
            assert made_again(other, moves).view("ann") == state.view("ann")
            held.add(int(str(other.evaluate("count hand[ben] of wide"))))
        assert real in held and max(held) - min(held) <= unseen
        varied += len(held) > 1
    assert bool(varied) == bool(unseen)


def made_again(state: State, moves: tuple[str, ...]) -> State:
    """The same moves, from the setup on, with the same chance results."""
    results = iter(state.chance_results)
    other = state.game.start(0, chance=lambda _: next(results))
    for move in moves:
        other.push(move)
    return other
