"""Exact values: those that others have found, in both engines, and games that are too large or go on for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import regelwerk
from interpreter.solving.limits import TooLargeError
from interpreter.solving.solution import Solution, solve

ENDLESS = """
game "Round" for 2 players ann, ben

== components ==

note at: 0..3 = 0
note quitter: Player or nobody = nobody

== phases ==

phase walk, turns from ann, over when quitter is somebody or at is {end}:
    must step_on or give_up

action step_on:
    set at to (0 if at is {last} else at + 1)
action give_up:
    set quitter to me

== scoring ==

winner {winner} "has not given up"
"""


WAY = """game "Way" for 1 player ann

== components ==

note at: 0..9 = 0

== phases ==

phase walk, turns from ann, over when at >= 3:
    must step_on or leap

action step_on: add 1 to at
action leap: add 2 to at

== scoring ==

winner at is 3 "exactly at the end"
"""


AGAIN = """game "Again" for 1 player ann

== components ==

die cube: 1, 2, 3, 4, 5, 6
note ended: Truth = false

== setup ==

roll cube

== phases ==

phase throwing, turns from ann, over when ended:
    must keep or throw

action keep: set ended to true
action throw:
    roll cube
    set ended to true

== scoring ==

winner highest cube "points"
"""


def endless(folder: Path, last: int = 2, end: int = 3, winner: str = "quitter is not me") -> regelwerk.Game:
    path = folder / "round.rules"
    path.write_text(ENDLESS.format(last=last, end=end, winner=winner).lstrip(), encoding="utf-8")
    return regelwerk.load(path)


def solved(name: str, returns: Any = "win", seconds: float = 300.0, **options: object) -> Solution:
    return solve(regelwerk.load(name, options=options), returns, seconds=seconds)


@pytest.mark.parametrize(
    ("name", "options", "value", "decisions"),
    [
        ("tic_tac_toe", {}, 0.0, 9),
        # Bouton, Nim, 1901: the piles 1, 3, 5, 7 are lost for who begins, whoever takes the last match.
        ("nim", {"last_loses": True}, -1.0, 15),
        ("nim", {"last_loses": False}, -1.0, 16),
        # Who begins wins hex, on three rows from the middle in five decisions, on four in nine (Gardner, 1957).
        ("hex", {"size": 2}, 1.0, 3),
        ("hex", {"size": 3}, 1.0, 5),
        pytest.param("hex", {"size": 4}, 1.0, 9, marks=pytest.mark.long),
        # Mead, Rosa, Huang: The Game of SIM, 1974: who is second wins.
        pytest.param("sim", {}, -1.0, None, marks=pytest.mark.long),
        # Whoever gets the centre of three men's morris first wins.
        pytest.param("three_mens_morris", {}, 1.0, None, marks=pytest.mark.long),
        # Berlekamp, Conway, Guy, Winning Ways, chapter 21: the hounds win, who move first.
        pytest.param("hare_and_hounds", {}, 1.0, None, marks=pytest.mark.long),
    ],
)
def test_who_wins(name: str, options: dict[str, object], value: float, decisions: int | None) -> None:
    solution = solved(name, **options)
    assert solution.returns == (value, -value)
    assert not solution.is_endless
    if decisions is not None:
        assert solution.decisions == decisions == len(solution.line)


def test_every_position_of_tic_tac_toe() -> None:
    solution = solved("tic_tac_toe")
    assert (solution.method, solution.size) == ("positions", 5478)
    assert {move.value for move in solution.moves} == {0.0} and len(solution.moves) == 9


def test_dots_and_boxes_by_its_boxes() -> None:
    """On four boxes, who begins gets three of them: so does OpenSpiel's game, searched completely."""
    solution = solved("dots_and_boxes", "margin", rows=3, columns=3)
    assert solution.returns == (1.0, -1.0)  # a margin is that above the mean: half the difference


MORRIS = """
given man of white is {a7, {second}, g4}
and man of black is {b4, e3, f2}
and hand[white] is []
and hand[black] is []
and turns_played is 196
when phase playing from {first}
"""


@pytest.mark.parametrize(
    ("second", "first", "value", "decisions"),
    [
        ("d6", "white", 1.0, 4),  # a man on g7 threatens mills in d7 and g1 at once; one of them takes the third man
        # A man of black comes to g7 before.
        pytest.param("d7", "black", 0.0, None, marks=pytest.mark.long),
    ],
)
def test_endgames_of_nine_mens_morris(second: str, first: str, value: float, decisions: int | None) -> None:
    position = MORRIS.replace("{second}", second).replace("{first}", first)
    game = regelwerk.load("nine_mens_morris").start(given=position).game
    solution = solve(game, seconds=300.0)
    assert solution.returns == (value, -value)
    assert decisions is None or solution.decisions == decisions


def test_both_engines_find_the_same() -> None:
    game = regelwerk.load("nim")
    machine, python = (solve(game, backend=backend) for backend in ("machine", "python"))
    assert machine == python


def test_best_play_is_played_to_the_end() -> None:
    game = regelwerk.load("nim", options={"last_loses": False})
    state = game.start()
    for played in solve(game).line:
        assert state.player == played.seat
        state.push(played.notation)
    assert state.outcome is not None and state.outcome.winners == ("ben",)


def test_play_that_goes_on_for_ever(tmp_path: Path) -> None:
    solution = solve(endless(tmp_path))
    assert (solution.returns, solution.is_endless, solution.decisions) == ((0.0, 0.0), True, None)
    assert [played.notation for played in solution.line] == ["step_on"] * 6  # then the first position comes again
    assert [(move.notation, move.value, move.decisions) for move in solution.moves] == [
        ("step_on", 0.0, None), ("give_up", -1.0, 1)
    ]  # fmt: skip


def test_what_is_forced_is_no_play_for_ever(tmp_path: Path) -> None:
    """Who leads on to the end of the way draws; giving up would lose."""
    solution = solve(endless(tmp_path, last=3))
    assert (solution.returns, solution.is_endless, solution.decisions) == ((0.0, 0.0), False, 3)


def test_a_game_for_one_is_won_or_lost(tmp_path: Path) -> None:
    path = tmp_path / "way.rules"
    path.write_text(WAY, encoding="utf-8")
    solution = solve(regelwerk.load(path))
    assert (solution.returns, [played.notation for played in solution.line]) == ((1.0,), ["step_on", "leap"])
    with pytest.raises(TooLargeError, match="more than 3 histories"):
        solve(regelwerk.load("golf"), positions=3)


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("kuhn_poker", {}, -1 / 18),  # Kuhn, A Simplified Two-Person Poker, 1950
        ("leduc_poker", {}, 2 * -0.0856064),  # in half chips; OpenSpiel's own linear program says the same
        ("rock_paper_scissors", {"goal": 1, "most_rounds": 1}, 0.0),
        ("blotto", {"soldiers": 4}, 0.0),
    ],
)
def test_games_with_hidden_information(name: str, options: dict[str, object], value: float) -> None:
    pytest.importorskip("scipy")
    solution = solved(name, "margin", **options)
    assert solution.method == "tree"
    assert solution.returns == (pytest.approx(value, abs=1e-6), pytest.approx(-value, abs=1e-6))
    for choice in solution.choices:
        assert sum(choice.moves.values()) == pytest.approx(1)


def test_a_game_for_one_with_chance(tmp_path: Path) -> None:
    """Who may throw a die again does so up to three, and expects (4 + 5 + 6) / 6 + 3.5 / 2."""
    pytest.importorskip("scipy")
    path = tmp_path / "again.rules"
    path.write_text(AGAIN, encoding="utf-8")
    solution = solve(regelwerk.load(path), "score")
    assert solution.returns == (pytest.approx(4.25),)
    assert sum(choice.moves["throw"] > 0.5 for choice in solution.choices) == 3


def test_how_kuhn_poker_is_played() -> None:
    """Ben calls a bet with the queen, and bluffs with the jack, in a third of the cases: his only best play."""
    pytest.importorskip("scipy")
    choices = [choice for choice in solved("kuhn_poker", "margin").choices if choice.seat == "ben"]
    plays = {(choice.told[2].split(":")[0], tuple(choice.moves)): choice.moves for choice in choices}
    assert plays["queen", ("call", "fold")]["call"] == pytest.approx(1 / 3)
    assert plays["jack", ("check", "bet")]["bet"] == pytest.approx(1 / 3)
    assert plays["king", ("call", "fold")]["call"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"game": "nim"}, "a game from `load`"), ({"returns": "money"}, "`returns` is"),
        ({"seed": "x"}, "a seed must be"), ({"positions": 0}, "`positions` must be at least 1"),
        ({"positions": "9"}, "`positions` must be a whole"),
        ({"seconds": -1}, "`seconds` must be a number of at least 0"), ({"seconds": "9"}, "`seconds` must be"),
        ({"backend": "fast"}, "a backend is one of"),
    ],
)  # fmt: skip
def test_wrong_arguments(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(regelwerk.UsageError, match=why):
        solve(**{"game": regelwerk.load("nim"), **wrong})


def test_games_that_cannot_be_solved() -> None:
    with pytest.raises(regelwerk.UsageError, match="for one or two"):
        solve(regelwerk.load("whist"))
    with pytest.raises(regelwerk.UsageError, match="choose `win` or `margin`"):
        solve(regelwerk.load("nim"), "score")
    with pytest.raises(TooLargeError, match="more than 100 positions"):
        solve(regelwerk.load("connect_four"), positions=100)
    with pytest.raises(TooLargeError, match="the time was up"):
        solve(regelwerk.load("connect_four"), seconds=0.0)
