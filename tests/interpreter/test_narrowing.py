"""Narrowing of legal moves: every list fits, no move is lost, and every way of answering ends at one move."""

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.play.game import load
from interpreter.seat.narrowing import Narrowing, completed, matching, step_of, words_of
from interpreter.seat.notation.moves import rendered
from tests.support.library import representative
from tests.support.resampling import resampled

FOLDER = Path(__file__).parents[2] / "games"
GAMES = representative()


def decisions(name, players=None, seed=1, most=200):
    """The states of a random game at which there is a choice."""
    state, chosen = load(name, players).start(seed=seed), random.Random(seed)
    while not state.over and state.ply < most:
        if len(state.legal_moves) > 1:
            yield state
        state.push(chosen.choice(state.legal_moves))


def at_most(number):
    """What fits where there is room for a number of short texts."""
    return lambda words: len(words) <= number


@cache
def widest(name, players=None):
    """The moves of the decision with most of them."""
    return rendered(max((state.legal_moves for state in decisions(name, players)), key=len))


def rooms():
    """Every game with room for each number of texts; in the normal run for one of these numbers, in turn."""
    for number, name in enumerate(GAMES):
        for place, room in enumerate((2, 7, 20)):
            yield pytest.param(name, room, marks=() if number % 3 == place else pytest.mark.long)


@pytest.mark.parametrize(("name", "room"), list(rooms()))
def test_every_way_of_answering_ends_at_one_move(name, room):
    chosen = random.Random(room)
    moves = widest(name)
    for _ in range(20):
        narrowing = Narrowing(moves)
        while narrowing.move is None:
            step = narrowing.step(at_most(room))
            assert sorted(move.notation for move in step.moves) == sorted(move.notation for move in narrowing.moves)
            assert 1 < len(step.candidates) <= room
            assert len({candidate.words for candidate in step.candidates}) == len(step.candidates)
            narrowing = narrowing.answer(chosen.choice(step.candidates))
        while narrowing.before is not None:
            narrowing = narrowing.before
        assert narrowing == Narrowing(moves)


@pytest.mark.parametrize(
    "name", ["chinesische_mauer", "mauerbauer", "dschingis_khan", "china", "hearts", "leduc_poker"]
)
def test_questions_do_not_depend_on_what_is_hidden(name):
    for count, state in enumerate(decisions(name, most=60)):
        other = resampled(state, state.player, count)
        for room in (3, 12):
            here, there = (step_of(each.legal_moves, at_most(room)) for each in (state, other))
            assert (here.asked, here.label, here.part) == (there.asked, there.label, there.part)
            assert [(one.words, one.names) for one in here.candidates] == [
                (one.words, one.names) for one in there.candidates
            ]


def test_the_action_first():
    step = step_of(widest("china"), at_most(20))
    assert step.asked == "action"
    assert step.candidates[0].words == "house on … for … …"


def test_the_first_part_that_leaves_few_enough():
    step = step_of(widest("dschingis_khan"), at_most(40))
    assert words_of(step.label) == "… to …, the other token to …"
    assert step.part == 2
    assert "B4" in [candidate.words for candidate in step.candidates]


def test_ranges_of_places_that_begin_alike():
    build = step_of(widest("china"), at_most(20)).candidates[0]
    step = step_of(build.moves, at_most(12))
    assert [candidate.words for candidate in step.candidates][:2] == ["yan1 … yan6", "zhao1 … zhao7"]
    assert "yan1" in step.candidates[0].names
    assert "zhao1" not in step.candidates[0].names


def test_moves_about_a_place():
    moves = widest("dschingis_khan")
    about = Narrowing(moves).about("B4", "B4")
    assert {move.notation for move in about.moves} == {move.notation for move in moves if "B4" in move.names}
    assert Narrowing(moves).about("nowhere", "nowhere") is None


def test_words_of_moves():
    moves = widest("mauerbauer")
    assert [move.label for move in matching(moves, "a1a2")] == ["wall on A1A2"]
    assert len(matching(moves, "wall")) == len(moves)
    assert {move.label for move in matching(moves, "A1")} == {move.label for move in moves if " A1" in move.label}
    assert matching(moves, "a1a2 q") == []
    assert matching(moves, "?!") == []


def test_whole_words_come_before_beginnings():
    moves = widest("hex")
    assert [move.label for move in matching(moves, "f1")] == ["f1"]
    assert {move.label for move in matching(moves, "f")} == {f"f{number}" for number in range(1, 12)}


def test_completion():
    moves = widest("mauerbauer")
    assert completed(moves, "w") == "wall "
    assert completed(moves, "wall a1a") == "wall a1a2 "
    assert completed(moves, "wall a") == "wall a"
    assert completed(moves, "x") == "x"
    assert completed(moves, "") == ""


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_is_matched_or_not(text):
    moves = widest("nim")
    assert set(matching(moves, text)) <= set(moves)
    assert completed(moves, text).startswith(text)
