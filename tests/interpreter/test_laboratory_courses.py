"""How single games went: known values by hand, exact probabilities, positions, points and picks."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt

import pytest

from interpreter.analysis.playouts import play_at_random
from interpreter.analysis.random_choices import random_move
from interpreter.authoring.coverage.subjects import subjects
from interpreter.errors import PlayError, UsageError
from interpreter.laboratory.courses import PARTS, Courses, Picks, Points, course_of, parts_of
from interpreter.play.game import load


def written(tmp_path, text, players=None, name="small"):
    path = tmp_path / f"{name}.rules"
    path.write_text(text)
    return load(path, players)


def choices(game, seed, notations):
    """The numbers of moves given by notation."""
    state, found = game.start(seed), []
    for notation in notations:
        found.append([move.notation for move in state.legal_moves].index(notation))
        state.push(notation)
    assert state.over
    return found


# ---- decisions


def test_a_win_in_five_moves():
    game = load("tic_tac_toe")
    chosen = choices(game, 0, ["put(a1)", "put(b1)", "put(a2)", "put(b2)", "put(a3)"])
    course = course_of(game, 0, chosen, 0, "python")
    assert course.forced == 0
    assert course.branching == (9.0,) * 4 + (8.0,) * 4 + (7.0,) * 4 + (6.0,) * 4 + (5.0,) * 4
    assert course.scores == ((0,) * PARTS + (1,), (0,) * (PARTS + 1))
    assert course.shares == ()
    assert course.repeats == 1


def test_a_full_board_is_forced_at_the_end():
    game = load("tic_tac_toe")
    marks = ["a1", "a2", "a3", "b2", "b1", "c1", "b3", "c3", "c2"]
    course = course_of(game, 0, choices(game, 0, [f"put({cell})" for cell in marks]), 1, "python")
    assert course.forced == 1
    assert [share[-1] for share in course.shares] == [0.5, 0.5]
    assert sum(course.branching) / PARTS == pytest.approx(5)


def test_a_number_counts_in_every_part_in_which_it_lies():
    assert parts_of([]) == ()
    assert parts_of([4]) == (4.0,) * PARTS
    assert parts_of(range(PARTS)) == tuple(map(float, range(PARTS)))
    assert parts_of([number // 2 for number in range(2 * PARTS)]) == tuple(map(float, range(PARTS)))
    thirds = parts_of([0, 10, 20])
    assert thirds[:7] == pytest.approx((0,) * 6 + (10 / 3,))  # the seventh part ends a twentieth after a third
    assert thirds[7:13] == (10.0,) * 6
    assert thirds[13] == pytest.approx(20 * 2 / 3 + 10 / 3)
    assert sum(thirds) / PARTS == pytest.approx(10)


@pytest.mark.parametrize(
    ("name", "players"), [("spades", None), ("mauerbauer", 3), ("kuhn_poker", 5), ("liars_dice", 4)]
)
def test_the_end_is_that_of_the_random_game(name, players):
    game = load(name, players)
    courses = Courses(game, 1, "python")
    winner = game.rules.model.winner
    assert winner is not None
    for seed in (1, 2):
        playout = play_at_random(game, seed)
        course = courses.of(seed)
        assert {game.seats[seat] for seat, share in enumerate(course.shares) if share[-1]} == set(playout.winners)
        assert sum(course.branching) / PARTS == pytest.approx(playout.choices / playout.decisions)
        if course.scores:
            assert tuple(score[-1] for score in course.scores) == tuple(scores[0] for scores in playout.scores.values())


def test_moments_go_from_the_first_decision_to_the_end():
    game = load("spades")
    course = course_of(game, 3, None, 2, "python")
    assert [len(row) for row in (*course.scores, *course.shares)] == [PARTS + 1] * 8
    assert all(score[0] == 0 for score in course.scores)
    assert course.shares[0] == course.shares[2] and course.shares[1] == course.shares[3]  # partners
    assert all(north + east == pytest.approx(1) for north, east in zip(*course.shares[:2], strict=True))
    assert course.scores[0] == course.scores[2] != course.scores[1]


def test_choices_that_lead_to_no_end_are_refused():
    game = load("nim")
    with pytest.raises(UsageError, match="decision 2"):
        course_of(game, 0, [0], 0, "python")
    with pytest.raises(UsageError, match="decision 1"):
        course_of(game, 0, [99], 0, "python")
    game = load("tic_tac_toe")
    chosen = choices(game, 0, ["put(a1)", "put(b1)", "put(a2)", "put(b2)", "put(a3)"])
    with pytest.raises(UsageError, match="5 of 6"):
        course_of(game, 0, [*chosen, 0], 0, "python")


# ---- expected shares


@cache
def chance_to_win(piles, mine):
    """The exact chance of ann where all take at random; `mine`: she is next. Who takes the last match loses."""
    if not any(piles):
        return Fraction(mine)
    found = [
        chance_to_win((*piles[:place], count - taken, *piles[place + 1 :]), not mine)
        for place, count in enumerate(piles)
        for taken in range(1, count + 1)
    ]
    return sum(found, Fraction()) / len(found)


def test_expected_shares_in_nim_are_the_exact_chances():
    game, games = load("nim"), 1500
    course = course_of(game, 5, None, games, "machine")
    state = game.start(5)
    playout = play_at_random(game, 5)
    expected = {}
    while True:
        piles = tuple(state.evaluate(f"count pile[{x}]") for x in range(1, 5))
        expected[state.ply] = float(chance_to_win(piles, state.player == "ann" or (state.over and state.ply % 2 == 0)))
        if state.over:
            break
        state.push(random_move(state))
    assert expected[playout.decisions] == ("ann" in playout.winners)
    for moment in range(PARTS + 1):
        exact = expected[moment * playout.decisions // PARTS]
        error = 4.5 * sqrt(exact * (1 - exact) / games)
        assert course.shares[0][moment] == pytest.approx(exact, abs=error + 1e-9)
        assert course.shares[0][moment] + course.shares[1][moment] == pytest.approx(1)


def test_both_backends_find_the_same(tmp_path):
    together = written(tmp_path, TOGETHER)
    for game in (load("nim"), load("pig", 4), load("kuhn_poker", 3), together):
        fast, slow = Courses(game, 7, "machine"), Courses(game, 7, "python")
        assert [fast.of(seed) for seed in range(4)] == [slow.of(seed) for seed in range(4)]


def test_a_course_depends_on_its_own_game_only():
    game = load("pig", 3)
    courses = Courses(game, 3, "python")
    many = [courses.of(seed) for seed in range(5)]
    assert course_of(game, 4, None, 3, "python") == many[4]
    assert course_of(game, 0, None, 3, "python") == many[0]


TOGETHER = """game "Together" for 1 to 3 players ann, ben, cleo

== components ==

note height: 0..9 = 0
note turns: 0..9 = 0

== phases ==

phase main, turns from ann, over when turns is 3:
    add 1 to turns
    must build or rest

action build:
    "build"
    add 2 to height because "a storey"

action rest:
    "rest"

== scoring ==

winner height > 3 then highest height
"""


@pytest.mark.parametrize("players", [1, 2, 3])
def test_where_all_win_together_a_share_is_the_chance_to_win(tmp_path, players):
    game = written(tmp_path, TOGETHER, players)
    won = course_of(game, 0, choices(game, 0, ["build", "build", "rest"]), 2000, "python")
    assert len(won.shares) == players
    for shares in won.shares:
        assert shares[0] == pytest.approx(1 / 2, abs=0.05)  # at least two of three
        assert shares[7] == pytest.approx(3 / 4, abs=0.05)  # at least one of two
        assert set(shares[14:]) == {1.0}
    lost = course_of(game, 0, choices(game, 0, ["rest", "build", "rest"]), 2000, "python")
    assert [shares[-1] for shares in lost.shares] == [0.0] * players
    assert won.scores == ()  # a condition comes first


LOWEST = """game "Lowest" for 2 to 4 players ann, ben, cleo, dan

== components ==

note taken[p: Player]: 0..9 or none = none

== phases ==

phase main, turns from ann, over when no p in Player where taken[p] is none:
    must take

action take(n: 1..2):
    set taken[me] to n

== scoring ==

winner lowest taken[me]
"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_criterion_without_a_value_has_no_scores_and_others_are_better_if_higher(tmp_path, players):
    game = written(tmp_path, LOWEST, players)
    course = course_of(game, 0, choices(game, 0, ["take(1)", *["take(2)"] * (players - 1)]), 400, "python")
    assert course.scores == ()
    assert course.shares[0][-1] == 1.0
    even = [shares[0] for shares in course.shares]
    assert even == pytest.approx([1 / players] * players, abs=0.09)
    valued = written(tmp_path, LOWEST.replace("0..9 or none = none", "0..9 = 0").replace("is none", "is 0"), players)
    course = course_of(valued, 0, choices(valued, 0, ["take(1)", *["take(2)"] * (players - 1)]), 0, "python")
    assert [scores[-1] for scores in course.scores] == [-1, *[-2] * (players - 1)]
    assert all(scores[0] == 0 for scores in course.scores)


# ---- positions


REPEATING = """game "Repeating" for 2 players ann, ben

== components ==

piece Stone: 2 for each owner: Player in home[owner]
zone home[p: Player] holds Stone
zone away[p: Player] holds Stone
note made: 0..20 = 0
{position}

== phases ==

phase main, turns from ann, over when count away[ben] is 2:
    {record}
    must leave or come

action leave:
    require home[me] is not empty because "all are away"
    {counted}
    move 1 from home[me] to away[me]

action come:
    require away[me] is not empty because "all are at home"
    {counted}
    move 1 from away[me] to home[me]

== scoring ==

winner highest count away[me]
"""

CYCLE = ["leave", "leave", "come", "come"]


def repeating(tmp_path, counted="", position="", record=""):
    text = REPEATING.format(counted=counted, position=position, record=record)
    return written(tmp_path, "\n".join(line for line in text.splitlines() if line.strip() or not line) + "\n")


def test_the_most_frequent_position_is_counted(tmp_path):
    game = repeating(tmp_path)
    for cycles in range(3):
        moves = [*CYCLE * cycles, "leave", "leave", "come", "leave"]
        assert course_of(game, 0, choices(game, 0, moves), 0, "python").repeats == cycles + 1


def test_notes_belong_to_a_position_unless_the_rules_say_what_does(tmp_path):
    moves = [*CYCLE * 2, "leave", "leave", "come", "leave"]
    counting = repeating(tmp_path, counted="add 1 to made")
    assert course_of(counting, 0, choices(counting, 0, moves), 0, "python").repeats == 1
    recording = repeating(tmp_path, "add 1 to made", "position pattern: home, away", "record pattern")
    assert course_of(recording, 0, choices(recording, 0, moves), 0, "python").repeats == 3


def test_chance_does_not_belong_to_a_position_and_equal_pieces_are_equal(tmp_path):
    game = written(tmp_path, SHUFFLING)
    assert course_of(game, 1, choices(game, 1, ["take", "back", "take", "back", "stop"]), 0, "python").repeats == 3


SHUFFLING = """game "Shuffling" for 1 player ann

== components ==

piece Card: 8 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card
note stopped: Truth = false

== phases ==

phase main, turns from ann, over when stopped:
    must take or back or stop

action take:
    require hand[me] is empty because "you have one"
    shuffle deck
    move 1 from deck to hand[me]

action back:
    require hand[me] is not empty because "you have none"
    move hand[me] to deck

action stop:
    require hand[me] is empty because "put it back"
    set stopped to true

== scoring ==

winner stopped
"""


def test_chess_repeats_positions_as_its_rules_count_them():
    game = load("chess")
    moves = ["go(b1, a3)", "go(b8, a6)", "go(a3, b1)", "go(a6, b8)"]
    state, chosen = game.start(0), []
    while not state.over:
        notations = [move.notation for move in state.legal_moves]
        chosen.append(notations.index(moves[state.ply % 4]))
        state.push(moves[state.ply % 4])
    assert course_of(game, 0, chosen, 0, "python").repeats == 2  # the third time ends the game


# ---- points


POINTS = """game "Points" for 4 players ann, ben, cleo, dan

== components ==

type Side is odd, even
note score[p: Player]: 0..99 = 0
note total[s: Side]: -99..99 = 0
note pot: 0..99 = 0
note turns: 0..9 = 0

define side(p: Player): (odd if p is ann or p is cleo else even)

== setup ==

for each p in Player: add 1 to score[p] because "a start"

== phases ==

phase main, turns from ann, over when turns is 5:
    add 1 to turns
    must win or lose

action win:
    add 3 to score[me] because "a win"
    add 2 to total[side(me)] because "for the side"
    add 7 to pot because "everybody's"
    add 1 to pot

action lose:
    add -1 to total[side(me)] because "a loss"

== scoring ==

winner highest total[side(me)]
{teams}
"""


def amounts(game, course):
    nodes = game.program.nodes
    return {
        (nodes[each.node].because.value, game.seats[each.seat]): (each.times, each.amount) for each in course.points
    }


def test_points_are_grouped_by_rule_and_by_the_seat_whose_they_are(tmp_path):
    game = written(tmp_path, POINTS.format(teams="teams by side(me)"))
    course = course_of(game, 0, choices(game, 0, ["win", "win", "lose", "lose", "win"]), 0, "python")
    assert all(isinstance(each, Points) for each in course.points)
    start = {("a start", seat): (1, 1) for seat in game.seats}
    assert amounts(game, course) == start | {
        ("a win", "ann"): (2, 6),
        ("a win", "ben"): (1, 3),
        ("for the side", "ann"): (2, 4),
        ("for the side", "cleo"): (2, 4),
        ("for the side", "ben"): (1, 2),
        ("for the side", "dan"): (1, 2),
        ("a loss", "ann"): (1, -1),
        ("a loss", "cleo"): (1, -1),
        ("a loss", "ben"): (1, -1),
        ("a loss", "dan"): (1, -1),
    }
    assert course.scores[0] == course.scores[2]


def test_points_of_nobody_count_only_where_all_win_together(tmp_path):
    game = written(tmp_path, TOGETHER, 3)
    course = course_of(game, 0, choices(game, 0, ["build", "rest", "build"]), 0, "python")
    assert amounts(game, course) == {("a storey", seat): (2, 4) for seat in game.seats}
    alone = written(tmp_path, TOGETHER, 1)
    assert amounts(alone, course_of(alone, 0, [0, 0, 0], 0, "python")) == {("a storey", "ann"): (3, 6)}


def test_the_points_of_a_shipped_game_add_up_to_its_score():
    game = load("spades")
    course = course_of(game, 2, None, 0, "python")
    nodes = game.program.nodes
    for seat, scores in enumerate(course.scores):
        assert scores[-1] == sum(each.amount for each in course.points if each.seat == seat)
    assert {nodes[each.node].because.value for each in course.points} >= {"contract made", "contract failed", "bags"}


# ---- picks


CARDS = """game "Cards" for 2 players ann, ben

== components ==

type Suit is hearts, clubs
piece Card: 2 for each suit: Suit in box
piece Token: 1 for each suit: Suit in chest
piece Coin: 3 in purse
zone box holds Card
zone chest holds Token
zone hand[p: Player] holds Card or Token
zone purse holds Coin
zone laid holds Card or Token or Coin
note turns: 0..9 = 0

== setup ==

move box to hand[ann]
move chest to hand[ben]

== phases ==

phase main, turns from ann, over when turns is 4:
    add 1 to turns
    must lay or pay or rest

action lay(c in hand[me]):
    "lay {c}"
    move c to laid

action pay(those in handfuls(purse, 2, 2)):
    move those to laid

action rest:
    "rest"

== scoring ==

winner highest count hand[me]
"""


def test_a_decision_offers_each_kind_once(tmp_path):
    game = written(tmp_path, CARDS)
    state, chosen = game.start(0), []
    for name in ("lay(hearts", "pay", "rest", "lay(clubs"):
        notations = [move.notation for move in state.legal_moves]
        chosen.append(next(number for number, each in enumerate(notations) if each.startswith(name)))
        state.push(state.legal_moves[chosen[-1]])
    assert state.over
    course = course_of(game, 0, chosen, 0, "python")
    assert course.picks == (
        Picks("card clubs", 2, 0),
        Picks("card hearts", 2, 1),
        Picks("coin", 2, 1),
        Picks("token clubs", 2, 1),
        Picks("token hearts", 2, 0),
    )


def test_moves_without_pieces_offer_none():
    assert course_of(load("nim"), 0, None, 0, "python").picks == ()


def test_what_is_hidden_from_others_counts_as_well():
    picks = course_of(load("spades"), 1, None, 0, "python").picks
    assert len(picks) == 52
    assert sum(each.chosen for each in picks) % 52 == 0  # all cards are played in every hand
    assert len({each.chosen for each in picks}) == 1
    assert all(each.offered >= each.chosen for each in picks)


def test_pieces_chosen_together_count_as_one_choice_of_each_kind():
    picks = course_of(load("mauerbauer", 3), 1, None, 0, "python").picks
    assert picks and all(0 <= each.chosen <= each.offered for each in picks)


# ---- rules that fail


def test_rules_that_fail_in_the_game_itself(tmp_path):
    game = written(tmp_path, TOGETHER.replace("add 2 to height", "add 6 to height"), 2)
    with pytest.raises(PlayError):
        course_of(game, 0, [0, 0, 1], 0, "python")


@pytest.mark.parametrize("backend", ["python", "machine"])
def test_there_are_no_shares_where_a_game_from_a_position_fails(tmp_path, backend):
    game = written(tmp_path, TOGETHER.replace("add 2 to height", "add 6 to height"), 2)
    course = course_of(game, 0, choices(game, 0, ["build", "rest", "rest"]), 50, backend)
    assert course.shares == ()
    assert course.forced == 0 and course.points


def test_a_game_that_is_over_from_the_beginning(tmp_path):
    game = written(tmp_path, TOGETHER.replace("over when turns is 3", "over as soon as turns is 0"), 2)
    course = course_of(game, 0, [], 3, "python")
    assert (course.forced, course.branching, course.repeats) == (0, (), 0)
    assert course.shares == ((0.0,) * (PARTS + 1),) * 2


# ---- branches


def test_branches_are_those_that_coverage_counts():
    game = load("tic_tac_toe")
    found = subjects(game.rules.model)
    known = {subject.branch for subject in found}
    known |= {branch for subject in found for part in subject.parts for branch in part.branches.values()}
    course = course_of(game, 1, None, 0, "python")
    assert set(course.branches) <= known
    assert list(course.branches) == sorted(course.branches)
    (action,) = [subject for subject in found if subject.kind == "action"]
    assert action.branch in course.branches
