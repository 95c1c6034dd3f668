"""Endings: conditions, nobody or everyone wins, places, teams, games for one player."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.syntax import parse
from dsl.text.span import Source
from interpreter.analysis.playouts import play_at_random
from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game, load
from interpreter.play.trace import Timeline
from interpreter.seat.explain.outcome import Outcome
from tests.interpreter.machine.comparing import machine_playouts

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
    assert (found.winners, found.reason) == ((), "nobody wins; not met: solvent(me)")
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
    assert (lost.winners, lost.reason.split("; not met: ")[0]) == ((), "everyone loses")
    state = game.start(1)
    for name in ["wait"] * 12:
        state.push(name)
    assert state.log(None)[-1].text == "the game is over: everyone"


def test_the_best_win_where_all_survive(tmp_path: Path) -> None:
    game = coins(tmp_path, "dry then highest coins[me]")
    assert ended(game, "wait", "earn").reason == "ben wins: dry, then highest coins[me]"
    assert ended(game, "wait", "earn", *["wait"] * 6, "drown").reason == "everyone loses; not met: dry"


def test_all_score_together_where_a_number_is_the_same_for_all(tmp_path: Path) -> None:
    found = ended(coins(tmp_path, "highest turns", players=2))
    assert (found.winners, found.reason) == (("ann", "ben"), "everyone wins: highest turns")
    found = ended(coins(tmp_path, "highest turns then dry"), *["wait"] * 8, "drown")
    assert (found.winners, found.reason) == ((), "everyone loses; not met: dry")
    assert len(set(found.scores.values())) == 1


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
    assert machine_playouts(game, seeds) == step_by_step
    found = {len(each.winners) for each in step_by_step}
    assert (0 in found) == (criteria not in CRITERIA[-2:])


# ---------------------------------------------------------------- teams

TEAMS = """game "Teams" for 2 to 5 players ann, ben, cleo, dan, eve

== components ==

type Side is attackers, defenders
note coins[p: Player]: 0..99 = 0
note turns: 0..99 = 0
note soloist: Player or nobody = nobody

== phases ==

phase main, turns from ann, over when turns is 10:
    add 1 to turns
    must earn or wait or play_alone

action earn:
    "earn"
    add 1 to coins[me]

action wait:
    "wait"

action play_alone:
    require soloist is nobody   because "{soloist} plays alone"
    set soloist to me

define side(p: Player): (attackers if p is soloist else defenders)
define partner(p: Player): (ann if p is cleo else ben if p is dan else p)
define number(p: Player): (1 if p is soloist else 2)
define some_side(p: Player) -> Side or none:
    attackers   if p is ann or p is ben
    none        otherwise

== scoring ==

winner highest coins[me]
teams by side(me)
"""


def teams(folder: Path, by: str = "side(me)", criteria: str = "highest coins[me]", players: int = 4) -> Game:
    """The game with other teams."""
    text = TEAMS.replace("teams by side(me)", f"teams by {by}").replace(
        "winner highest coins[me]", f"winner {criteria}"
    )
    text = text.replace(
        "(ann if p is cleo else ben if p is dan else p)", "(ann if p is cleo else (ben if p is dan else p))"
    )
    path = folder / "teams.rules"
    path.write_text(text, encoding="utf-8")
    return load(path, players)


def test_partners_win_together_regardless_of_who_is_best(tmp_path: Path) -> None:
    found = ended(teams(tmp_path), "play_alone", "earn", "wait", "wait")
    assert found.winners == ("ben", "cleo", "dan")
    assert found.scores == {"ann": (0,), "ben": (1,), "cleo": (0,), "dan": (0,)}
    assert found.reason == "defenders (ben and cleo and dan) wins: highest coins[me]"
    assert found.places == {"ben": 1, "cleo": 1, "dan": 1, "ann": 4}
    assert found.teams == {"ann": "attackers", "ben": "defenders", "cleo": "defenders", "dan": "defenders"}


def test_one_may_win_against_all(tmp_path: Path) -> None:
    game = teams(tmp_path)
    assert ended(game, "wait", "play_alone", "wait", "wait", "wait", "earn").reason.startswith("attackers (ben) wins: ")
    tied = ended(game, "wait", "play_alone", "earn", "wait", "wait", "earn")
    assert tied.winners == ("ann", "ben", "cleo", "dan")
    assert tied.reason.startswith("defenders (ann and cleo and dan) and attackers (ben) share the win: ")


def test_a_team_may_be_named_by_a_seat(tmp_path: Path) -> None:
    found = ended(teams(tmp_path, "partner(me)", players=5), "wait", "wait", "wait", "earn", "wait")
    assert (found.winners, found.reason.split(":")[0]) == (("ben", "dan"), "ben (ben and dan) wins")
    assert found.places == {"ben": 1, "dan": 1, "ann": 3, "cleo": 3, "eve": 3}
    found = ended(teams(tmp_path, "number(me)"), "play_alone", "earn")
    assert found.teams["ann"] == "team 1"
    assert found.reason.startswith("team 2 (ben and cleo and dan) wins: ")


def test_a_seat_without_a_team_plays_alone(tmp_path: Path) -> None:
    found = ended(teams(tmp_path, "some_side(me)"), "wait", "wait", "earn", "earn")
    assert (found.winners, found.teams) == (("cleo", "dan"), {"ann": "attackers", "ben": "attackers"})
    assert found.reason.startswith("cleo and dan share the win: ")
    assert ended(teams(tmp_path, "some_side(me)"), "earn").winners == ("ann", "ben")


def test_a_team_can_win_if_one_of_it_meets_the_condition(tmp_path: Path) -> None:
    game = teams(tmp_path, criteria="coins[me] > 1 then highest coins[me]", players=2)
    assert ended(game, "wait", "play_alone", "earn", "wait", "earn").winners == ("ann",)
    assert ended(game, "wait", "play_alone", "earn", "wait").reason.startswith("nobody wins; not met: ")


@pytest.mark.parametrize("by", ["side(me)", "partner(me)", "some_side(me)", "number(me)", "soloist"])
@pytest.mark.parametrize("criteria", ["highest coins[me]", "coins[me] > 1", "coins[me] > 0 then lowest coins[me]"])
def test_random_games_at_once_have_the_same_teams(tmp_path: Path, by: str, criteria: str) -> None:
    found = set()
    for players in (2, 4):
        game, seeds = teams(tmp_path, by, criteria, players), range(40)
        step_by_step = [play_at_random(game, seed) for seed in seeds]
        assert machine_playouts(game, seeds) == step_by_step
        assert len(step_by_step[0].teams) == players
        found |= {each.winners for each in step_by_step}
    assert len(found) > 2


def test_examples_and_views_know_the_partners(tmp_path: Path) -> None:
    game = teams(tmp_path)
    path = game.rules.path
    lines = """

== examples ==

example "partners":
    given 3 players
    and soloist is ann
    and coins[cleo] is 2
    and turns is 9
    when phase main
    when ann: wait
    then winners is {ben, cleo}
"""
    path.write_text(path.read_text("utf-8") + lines, encoding="utf-8")
    (result,) = run_examples(path)
    assert result.passed, result
    state = game.start(1)
    for name in ("play_alone", "earn", *["wait"] * 8):
        state.push(name)
    assert state.view("ann").as_data()["outcome"]["teams"]["ben"] == "defenders"
    assert state.log(None)[-1].text == "the game is over: defenders (ben and cleo and dan)"


def test_a_variant_replaces_and_adds_what_decides(tmp_path: Path) -> None:
    teams(tmp_path)
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "poor.rules").write_text(
        'variant "Poor" of teams:\n    replace winner lowest coins[me] then me is ann\n'
        "    replace teams by partner(me)\n",
        encoding="utf-8",
    )
    game = load(tmp_path / "teams.rules", 4, variants=["poor"])
    found = ended(game, "earn")
    assert found.criteria == ("lowest coins[me]", "me is ann")
    assert (found.winners, found.teams["cleo"]) == (("ann", "cleo"), "ann")


# ---------------------------------------------------------------- one player

PATIENCE = """game "Patience" for 1 player ann

== components ==

by players  1:
    goal    2

piece Card: 6 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note steps: 0..9 = 0

== setup ==

shuffle deck

== phases ==

phase main, turns from ann, over when steps is 4 or count hand[ann] is goal:
    must walk or draw

phase encore, turns from left(ann) to right(ann):
    may walk

action walk:
    "walk"
    add 1 to steps

action draw:
    "draw"
    move 1 from deck to hand[left(me)]

== scoring ==

winner count hand[me] is goal then lowest steps

== examples ==

example "won":
    given 1 player
    when phase main
    when ann: draw
    when ann: draw
    when ann: done
    then winners is {ann}

example "lost":
    given steps is 3
    when phase main
    when ann: walk
    when ann: done
    then winners is {}
"""


def patience(folder: Path, header: str = "1 player ann") -> Game:
    path = folder / "patience.rules"
    text = PATIENCE.replace("1 player ann", header, 1)
    if header != "1 player ann":
        text = text.replace("by players  1:\n    goal    2\n", "by players  1  2:\n    goal    2  3\n")
    path.write_text(text, encoding="utf-8")
    return load(path, 1)


def test_one_player_wins_or_loses(tmp_path: Path) -> None:
    game = patience(tmp_path)
    assert (game.fewest, game.most, game.seats) == (1, 1, ("ann",))
    state = game.start(1)
    for name in ("draw", "walk", "draw", "walk"):
        state.push(name)
    assert state.outcome is not None
    assert state.outcome.reason == "ann wins: count hand[me] is goal, then lowest steps"
    assert (state.outcome.scores, state.outcome.places) == ({"ann": (1, 2)}, {"ann": 1})
    state = game.start(1)
    for name in ["walk"] * 5:
        state.push(name)
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.places) == ((), {"ann": 1})
    assert state.log("ann")[-1].text == "the game is over: ann loses"
    assert [event.text for _, event in Timeline(state, "ann").all_events()][-1] == state.outcome.reason


def test_the_examples_of_a_game_for_one(tmp_path: Path) -> None:
    for header in ("1 player ann", "1 to 2 players ann, ben"):
        results = run_examples(patience(tmp_path, header).rules.path)
        assert [result.passed for result in results] == [True, True], results


def test_random_games_of_one_player(tmp_path: Path) -> None:
    for header in ("1 player ann", "1 to 2 players ann, ben"):
        game, seeds = patience(tmp_path, header), range(50)
        step_by_step = [play_at_random(game, seed) for seed in seeds]
        assert machine_playouts(game, seeds) == step_by_step
        assert {each.winners for each in step_by_step} == {("ann",), ()}


def test_every_number_counts_for_one_player(tmp_path: Path) -> None:
    model, found = check(tree_of(patience(tmp_path)))
    assert model is not None and not found
    _, found = check(tree_of(patience(tmp_path, "1 to 2 players ann, ben")))
    assert [each.code for each in found] == ["E0508"]


def tree_of(game: Game) -> ast.GameFile:
    tree, _ = parse(Source("patience.rules", game.rules.path.read_text("utf-8")))
    assert isinstance(tree, ast.GameFile)
    return tree


def test_tables_by_players_have_a_column_for_one(tmp_path: Path) -> None:
    tree = tree_of(patience(tmp_path))
    text = tree.span.source.text.replace("by players  1:\n    goal    2\n", "by players  1  2:\n    goal    2  3\n")
    wrong, _ = parse(Source("patience.rules", text))
    assert isinstance(wrong, ast.GameFile)
    (found,) = check(wrong)[1]
    assert (found.code, found.message) == ("E0404", "expected one column, for 1 player")
