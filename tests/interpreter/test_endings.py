"""Endings: conditions, nobody or everyone wins, places."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, Outcome, Timeline, load
from interpreter.analysis.playouts import Playout, play_at_random
from interpreter.examples.suite import run_examples
from interpreter.random_games import random_games

COINS = """game "Coins" for 2 to 4 players ann, ben, cleo, dan

== components ==

note coins[p: Player]: 0..99 = 0
note debt[p: Player]: 0..99 = 0
note turns: 0..99 = 0
note flood: Truth = false

== phases ==

phase main, turns from ann, over when turns is 12 or flood:
    add 1 to turns
    must earn or borrow or wait or drown

action earn:
    "earn"
    add 1 to coins[me]

action borrow:
    "borrow"
    add 2 to coins[me]
    add 1 to debt[me]

action wait:
    "wait"

action drown:
    require turns > 8   because "the dam holds"
    set flood to true

define solvent(p: Player): debt[p] is 0
define dry: not flood

== scoring ==

winner highest coins[me]
"""


def coins(folder: Path, criteria: str, players: int = 3) -> Game:
    """The game with other criteria."""
    text = COINS.replace("winner highest coins[me]", f"winner {criteria}")
    path = folder / "coins.rules"
    path.write_text(text, encoding="utf-8")
    return load(path, players)


def ended(game: Game, *moves: str) -> Outcome:
    """The outcome after these moves of the seats in turn, and waiting."""
    state = game.start(1)
    for name in (*moves, *["wait"] * 12):
        if not state.over:
            state.push(name)
    assert state.outcome is not None
    return state.outcome


def examples(folder: Path, criteria: str, lines: str) -> None:
    """Run an example with these lines; all must hold."""
    path = coins(folder, criteria).rules.path
    begun = '\n\n== examples ==\n\nexample "it":\n    given 4 players\n'
    path.write_text(path.read_text("utf-8") + begun + lines, encoding="utf-8")
    (result,) = run_examples(path)
    assert result.passed, result


def test_only_seats_that_meet_a_condition_can_win(tmp_path: Path) -> None:
    found = ended(coins(tmp_path, "solvent(me) then highest coins[me]"), "earn", "borrow", "wait")
    assert found.winners == ("ann",)
    assert found.scores == {"ann": (1, 1), "ben": (0, 2), "cleo": (1, 0)}
    assert found.criteria == ("solvent(me)", "highest coins[me]")
    assert found.reason == "ann wins: solvent(me), then highest coins[me]"
    assert list(found.places.items()) == [("ann", 1), ("cleo", 2), ("ben", 3)]


def test_a_condition_may_stand_anywhere(tmp_path: Path) -> None:
    for criteria in ("highest coins[me] then solvent(me)", "solvent(me) then highest coins[me]"):
        found = ended(coins(tmp_path, criteria), "earn", "borrow", "borrow")
        assert (found.winners, found.places["ann"]) == (("ann",), 1)


def test_several_conditions_must_all_be_met(tmp_path: Path) -> None:
    game = coins(tmp_path, "solvent(me) then highest coins[me] then coins[me] > 0", players=4)
    found = ended(game, "borrow", "wait", "wait", "earn")
    assert found.winners == ("dan",)
    assert list(found.places.items()) == [("dan", 1), ("ben", 2), ("cleo", 2), ("ann", 4)]


def test_nobody_wins_if_no_seat_meets_a_condition(tmp_path: Path) -> None:
    game = coins(tmp_path, "solvent(me) then highest coins[me]", players=2)
    found = ended(game, "borrow", "borrow", "earn")
    assert (found.winners, found.reason) == ((), "nobody wins: solvent(me), then highest coins[me]")
    assert found.places == {"ann": 1, "ben": 2}
    state = game.start(1)
    for name in ("borrow", "borrow", *["wait"] * 10):
        state.push(name)
    assert state.log("ann")[-1].text == "the game is over: nobody wins"
    assert [event.text for _, event in Timeline(state, None).all_events()][-1] == found.reason
    view = state.view(None).as_data()["outcome"]
    assert (view["winners"], view["places"]) == ([], {"ann": 1, "ben": 1})


@pytest.mark.parametrize("criteria", ["dry", "not flood", "turns is 12 then not flood"])
def test_all_win_or_lose_together_where_a_condition_is_the_same_for_all(tmp_path: Path, criteria: str) -> None:
    game = coins(tmp_path, criteria)
    won = ended(game)
    assert (won.winners, won.reason.split(":")[0]) == (("ann", "ben", "cleo"), "everyone wins")
    assert set(won.places.values()) == {1}
    lost = ended(game, *["wait"] * 8, "drown")
    assert (lost.winners, lost.reason.split(":")[0]) == ((), "everyone loses")
    state = game.start(1)
    for name in ["wait"] * 12:
        state.push(name)
    assert state.log(None)[-1].text == "the game is over: everyone"


def test_the_best_win_where_all_survive(tmp_path: Path) -> None:
    game = coins(tmp_path, "dry then highest coins[me]")
    assert ended(game, "wait", "earn").reason == "ben wins: dry, then highest coins[me]"
    assert ended(game, "wait", "earn", *["wait"] * 6, "drown").reason.startswith("everyone loses: ")


def test_a_shared_win_by_numbers_alone_names_the_seats(tmp_path: Path) -> None:
    found = ended(coins(tmp_path, "highest coins[me]", players=2))
    assert found.reason == "ann and ben share the win: highest coins[me]"


def test_places_are_shared(tmp_path: Path) -> None:
    found = ended(coins(tmp_path, "highest coins[me]", players=4), "wait", "earn", "earn", "borrow")
    assert list(found.places.items()) == [("dan", 1), ("ben", 2), ("cleo", 2), ("ann", 4)]
    found = ended(coins(tmp_path, "lowest coins[me]", players=4), "wait", "earn", "earn", "borrow")
    assert list(found.places.items()) == [("ann", 1), ("ben", 2), ("cleo", 2), ("dan", 4)]


def test_a_condition_is_explained_for_every_seat(tmp_path: Path) -> None:
    found = ended(coins(tmp_path, "solvent(me) then highest coins[me]", players=2), "borrow")
    first, _ = found.explained["ann"]
    assert (first.text, first.value) == ("solvent(ann)", "false")
    assert found.explained["ben"][0].value == "true"


def test_examples_say_that_nobody_wins(tmp_path: Path) -> None:
    lines = """    given debt[{0}] is 1
    and debt[ben] is 1
    and debt[cleo] is 2
    and debt[dan] is 1
    and turns is 11
    when phase main
    when ann: wait
    then winners is {1}
    and over
"""
    examples(tmp_path, "solvent(me)", lines.format("ann", "{}"))
    examples(tmp_path, "debt[me] < 2", lines.format("ann", "{ann, ben, dan}"))


CRITERIA = [
    "solvent(me)", "not flood", "solvent(me) then highest coins[me]", "highest coins[me] then solvent(me)",
    "dry then coins[me] > 3 then lowest debt[me]", "highest coins[me]", "lowest debt[me] then highest coins[me]",
]  # fmt: skip


@pytest.mark.parametrize("criteria", CRITERIA)
@pytest.mark.parametrize("players", [2, 3])
def test_random_games_at_once_have_the_same_winners(tmp_path: Path, criteria: str, players: int) -> None:
    game, seeds = coins(tmp_path, criteria, players), range(60)
    step_by_step = [play_at_random(game, seed) for seed in seeds]
    assert list(random_games(game.program).play(seeds, Playout, never)) == step_by_step
    found = {len(each.winners) for each in step_by_step}
    assert (0 in found) == (criteria not in CRITERIA[-2:])


def never(seed: int) -> Playout:
    raise AssertionError(f"the game with the seed {seed} ended in a fault")
