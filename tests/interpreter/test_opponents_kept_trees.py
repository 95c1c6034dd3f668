"""Search trees kept between decisions: what a bot with a time limit still knows, and when it has to start afresh."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from interpreter.analysis.search_states import search_state
from interpreter.opponents.alphabeta import AlphaBeta
from interpreter.opponents.budgets import Budget
from interpreter.opponents.kept_trees import WORLDS_COMPARED, kept_trees
from interpreter.opponents.knowledge.histories import always, never
from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.opponents.mcts import Mcts
from interpreter.opponents.move_keys import MoveKeys
from interpreter.opponents.situation import Bot, Situation
from interpreter.opponents.tree import Node, Trees
from interpreter.play.game import State, load
from tests.support.situations import after, situation_of

PLENTY = Budget(seconds=60.0)
"""More time than these searches need: they end as soon as the position is decided."""


def played(bot: Bot, situation: Situation, state: State) -> None:
    state.push(state.legal_moves[bot.choose(situation)])


@pytest.mark.parametrize("seed", range(8))
def test_a_decided_game_is_won_without_searching_again(seed: int) -> None:
    """After its first move, which it knows to win, the bot gets no time against a perfect opponent."""
    state = after(load("nim").start(0), ["take(4, 7)"])
    seat, bot, opponent = state.player, Mcts(PLENTY, "python"), AlphaBeta()
    played(bot, situation_of(state, seed), state)
    while not state.over:
        if state.player == seat:
            played(bot, situation_of(state, stop=lambda: True), state)
        else:
            played(opponent, situation_of(state, seed), state)
    assert state.outcome is not None and state.outcome.winners == (seat,)


def test_after_an_undo_the_tree_of_another_line_is_not_used() -> None:
    """The bot has searched a line with other moves, of which a tree would give it the wrong position."""
    state = after(load("nim").start(0), ["take(4, 7)", "take(3, 4)"])
    bot = Mcts(PLENTY)
    played(bot, situation_of(state), state)
    while state.ply:
        state.pop()
    after(state, ["take(4, 7)", "take(2, 1)"])
    assert state.legal_moves[bot.choose(situation_of(state))].notation == "take(3, 2)"


def test_trees_lead_to_later_positions_of_their_line_only() -> None:
    game = load("connect_four")
    state = after(game.start(0), ["drop(4)"])
    keys, position = MoveKeys(game.program), search_state(state)
    replied = keys.offer(position).own[2]
    position.push(2)
    root = Node()
    visited = root.after(replied).after(keys.offer(position).own[4])
    kept = kept_trees(Trees(keys, root, {}), situation_of(state), [state])
    assert kept is not None
    for moves, expected in (([], root), (["drop(3)", "drop(5)"], visited), (["drop(3)", "drop(6)"], None)):
        later = after(state.copy(), moves)
        found = kept.at(situation_of(later), later, never)
        assert (found and found.root) is expected, "only where iterations have been"
    other = load("connect_four")
    for elsewhere in (game.start(0), after(game.start(0), ["drop(5)", "drop(1)"]), after(other.start(0), ["drop(4)"])):
        assert kept.at(situation_of(elsewhere), elsewhere, never) is None


TURNS = """\
game "Turns of three" for 2 players ann, ben

== components ==

type Value is one, two, three, four
piece Card: 3 for each value: Value in deck
zone deck holds stack of Card, seen by nobody
zone pit holds stack of Card, seen by (all if lit else {})
zone hand[p: Player] holds Card, seen by p
die fate: 1, 2, 3
note ones: 0..9 = 0
note lit: Truth = false
note played: 0..60 = 0

== setup ==

shuffle deck
each player from ann: move 1 from deck to hand[me]

== phases ==

phase main, turns from ann, over when played is 12:
    must look or bury or throw or wait or compare or peek or light
    must look or bury or throw or wait or compare or peek or light
    must look or bury or throw or wait or compare or peek or light
    add 1 to played

action look:
    move 1 from deck to hand[me]

action bury:
    move 1 from deck to pit

action throw:
    roll fate

action wait:
    add 0 to played

action compare:
    if top(deck).value is one: add 1 to ones

action peek:
    let c = top(deck)
    move c to hand[me]
    move c to pit

action light:
    set lit to true

== scoring ==

winner highest count hand[me]
"""


def turns_of_three(folder: Path) -> State:
    (folder / "turns.rules").write_text(TURNS, encoding="utf-8")
    return load(folder / "turns.rules").start(2)


@pytest.mark.parametrize(
    ("moves", "kept"),
    [
        ("", True),
        ("wait", True),
        ("bury", True),
        ("bury wait", True),
        ("light", True),
        ("bury light", False),
        ("look", False),
        ("throw", False),
        ("compare", False),
        ("peek", False),
        ("wait peek", False),
        ("wait wait wait wait wait wait", False),
    ],
)
def test_trees_are_kept_while_a_seat_learns_nothing(tmp_path: Path, moves: str, kept: bool) -> None:
    """After three moves of its own it is the turn of the opponent, whose moves could imply something.

    Without any move it is the same decision again, after an undo.
    """
    state = turns_of_three(tmp_path)
    seat, keys, root, other = str(state.player), MoveKeys(state.program), Node(), Node()
    worlds = sampler_of(state, seat, 5).states(WORLDS_COMPARED)
    found = kept_trees(Trees(keys, root, {(1, None): other}), situation_of(state), worlds)
    for move in moves.split():
        offer, number = keys.offer(search_state(state)), [each.name for each in state.legal_moves].index(move)
        root, other = root.after(offer.own[number]), other.after(offer.public[number])
        state.push(move)
    assert state.player == seat
    (world,) = sampler_of(state, seat, 6).states(1)
    assert found is not None
    expected = Trees(keys, root, {(1, None): other}) if kept else None
    assert found.at(situation_of(state), world, never) == expected
    assert not moves or found.at(situation_of(state), world, always) is None, "no time to compare worlds"


PASSING = """\
game "Passing" for 2 players ann, ben

== components ==

type Value is one, two, three, four
piece Card: 3 for each value: Value in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone passed[p: Player] holds Card, seen by p

== setup ==

shuffle deck
each player from ann: move 4 from deck to hand[me]

== phases ==

phase passing, repeated until hand[ann] is empty:
    each player from ann at once:
        must choose 2 cards from hand[me]
        move cards to passed[me]

== scoring ==

winner highest count passed[me] of one
"""


def test_the_others_do_not_follow_what_they_learn_of_later(tmp_path: Path) -> None:
    """The cards that are passed on are chosen one by one; the others learn of it when all have chosen."""
    (tmp_path / "passing.rules").write_text(PASSING, encoding="utf-8")
    state = load(tmp_path / "passing.rules").start(3)
    seat, keys, root, other = str(state.player), MoveKeys(state.program), Node(), Node()
    kept = kept_trees(Trees(keys, root, {(1, None): other}), situation_of(state), sampler_of(state, seat, 5).states(8))
    offer = keys.offer(search_state(state))
    assert kept is not None and offer.at_once
    own = root.after(offer.own[1])
    other.after(offer.public[1])
    state.push(state.legal_moves[1])
    (world,) = sampler_of(state, seat, 6).states(1)
    assert state.player == seat
    assert kept.at(situation_of(state), world, never) == Trees(keys, own, {})


def test_a_throw_is_learned_even_if_it_is_the_same_in_all_worlds_compared(tmp_path: Path) -> None:
    state = turns_of_three(tmp_path)
    seat, keys, root = str(state.player), MoveKeys(state.program), Node()
    for key in keys.offer(search_state(state)).own:
        root.after(key)
    thrown = after(state.copy(), ["throw"])
    (world,) = sampler_of(thrown, seat, 6).states(1)
    worlds = [
        one for one in sampler_of(state, seat, 5).states(100)
        if after(one.copy(), ["throw"]).view(seat) == thrown.view(seat)
    ]  # fmt: skip
    kept = kept_trees(Trees(keys, root, {}), situation_of(state), worlds)
    assert len(worlds) > WORLDS_COMPARED and kept is not None
    assert kept.at(situation_of(thrown), world, never) is None


def test_trees_that_are_too_large_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load("connect_four").start(0)
    keys = MoveKeys(state.program)
    trees = Trees(keys, Node(), {})
    monkeypatch.setattr("interpreter.opponents.move_keys.MOST_KEPT", 2)
    for move in ("drop(1)", "drop(1)"):
        assert kept_trees(trees, situation_of(state), [state]) is not None
        keys.offer(search_state(state))
        state.push(move)
    assert kept_trees(trees, situation_of(state), [state]) is None


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("chinesische_mauer", 3),
        ("china", 3),
        ("mauerbauer", 2),
        ("dschingis_khan", 2),
        ("backgammon", 2),
        ("hearts", 4),
    ],
)
def test_bots_with_a_time_limit_play_on_with_what_they_keep(game: str, players: int) -> None:
    state = load(game, players=players).start(1)
    bots = {seat: Mcts(Budget(seconds=0.05)) for seat in state.game.seats}
    for _ in range(15):
        bot, situation = bots[str(state.player)], situation_of(state, state.ply)
        bot.choose(situation)  # the move is taken back
        played(bot, situation, state)
    for _ in range(3):
        state.pop()
    played(bots[str(state.player)], situation_of(state), state)
    assert state.ply == 13


def test_with_iterations_each_decision_starts_afresh() -> None:
    """Otherwise a move would depend on whether the game was resumed before it."""
    state = load("connect_four").start(0)
    bot = Mcts(Budget(iterations=150))
    for _ in range(6):
        situation = situation_of(state, state.ply)
        chosen = bot.choose(situation)
        assert chosen == Mcts(Budget(iterations=150)).choose(situation)
        state.push(state.legal_moves[chosen])


@pytest.mark.parametrize("bot", [Mcts(PLENTY), AlphaBeta(seconds=60.0)], ids=["mcts", "alphabeta"])
@pytest.mark.parametrize("change", ["asked", "share"])
def test_time_counts_from_the_request_and_is_shared_by_successive_choices(bot: Bot, change: str) -> None:
    situation = situation_of(load("othello").start(0))
    if change == "asked":
        situation = replace(situation, asked=perf_counter() - 100.0)
    else:
        situation = replace(situation, share=0.001)
    before = perf_counter()
    bot.choose(situation)
    assert perf_counter() - before < 30.0
