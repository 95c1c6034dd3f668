"""Saves under rules that have changed since: they go on while their moves are legal, else both sides are shown."""

import shutil

import pytest

from tests.cli.conftest import PEBBLES, quiet_seed, read

VERBS = [("play", "--resume"), ("trace",), ("why",)]


@pytest.fixture
def saved(run, own_folder):
    """A game of bots, saved, with its rules in the current folder."""
    shutil.copy(PEBBLES, own_folder)
    run("play", "pebbles.rules", "--seat", "all=random", "--seed", 53, "--save", "a.json")
    return own_folder / "a.json"


def change(folder, old, new):
    path = folder / "pebbles.rules"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_both_sides_of_a_move_that_is_no_longer_legal(run, saved, own_folder, verb):
    change(
        own_folder,
        'require store[me] is not empty          because "you have no hut left"',
        'require count store[me] > 5 because "five huts stay at home"',
    )
    before = saved.read_bytes()
    result = run(*verb, saved, *(["points(red)"] if verb == ("why",) else []))
    assert result.exit_code == 1
    assert "then  " in result.output and "made the move build" in result.output
    assert "`build` is not legal: five huts stay at home" in result.output
    assert "count store[me] = 2" in result.output
    assert "nearest legal moves: " in result.output
    assert "error: the rules have changed since the save was written; move " in result.output
    assert saved.read_bytes() == before


def test_a_save_goes_on_while_its_moves_are_legal(run, saved, own_folder):
    change(own_folder, "stone  2  4", "stone  1  4")
    assert run("trace", saved).exit_code == 0
    assert run("play", "--resume", saved).exit_code == 0
    assert "the rules have been changed" in read(saved)["notes"][-1]["text"]


def test_another_seat_decides_or_the_game_ends_earlier(run, saved, own_folder):
    change(own_folder, "turns from start", "turns from green")
    result = run("trace", saved)
    assert result.exit_code == 1
    assert "but now it is green's decision" in result.output
    assert "green must grab, show, build or throw" in result.output


def test_a_person_does_not_learn_what_a_bot_holds(run, own_folder):
    shutil.copy(PEBBLES, own_folder)
    run("play", "pebbles.rules", "--seed", quiet_seed(2), "--save", "b.json", typed=["build", "1", "1", "quit"])
    other = next(made for made in read(own_folder / "b.json")["moves"] if made["player"] == "green")
    name = other["move"].partition("(")[0]
    change(own_folder, f"action {name}", f"action not_{name}")
    change(
        own_folder,
        "must grab or show or build or throw",
        "must grab or show or build or throw".replace(name, f"not_{name}"),
    )
    result = run("trace", "b.json")
    assert result.exit_code == 1
    assert "hand[me]" not in result.output


def test_comments_and_layout_change_nothing(run, saved, own_folder):
    change(own_folder, "== phases ==", "# how it goes\n\n== phases ==\n\n")
    assert run("play", "--resume", saved).exit_code == 0
    assert read(saved)["notes"] == []
