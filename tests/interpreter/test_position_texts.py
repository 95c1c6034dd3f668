"""Positions as lines of examples: there and back, in random games of every shipped game."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.diagnostics import RulesError
from dsl.text.span import Source
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import UsageError
from interpreter.loading.game_library import shipped_folder
from interpreter.play.scenes.known import known_position_text
from interpreter.play.scenes.starting import game_at
from interpreter.play.scenes.writing import position_text
from interpreter.runtime.layout import RANDOM
from regelwerk import Game, State, load
from tests.support.library import representative
from tests.support.long_run import one_in

PATHS = sorted(shipped_folder().glob("*.rules"))
GAMES = [path.name.removesuffix(".rules") for path in PATHS if path.name.count(".") == 1]
MAX_DECISIONS = 120


def after(game: Game, seed: int, decisions: int) -> State:
    """A random game after some decisions, or at its end."""
    state, rng = game.start(seed), random.Random(seed)
    while not state.over and state.ply < decisions:
        state.push(rng.choice(state.legal_moves))
    return state


def read(game: Game, text: str) -> State:
    return game_at(game, Source("position", text)).start()


def assert_same(state: State, other: State) -> None:
    assert state.view(None) == other.view(None)
    assert sorted(move.notation for move in state.legal_moves) == sorted(move.notation for move in other.legal_moves)


def there_and_back(game: Game, seed: int, decisions: int) -> None:
    """Write a position, read it, and play on until chance comes up: how far a rule has come shows only then."""
    state = after(game, seed, decisions)
    reached = read(game, position_text(state))
    assert_same(state, reached)
    chance, rng = state.cells[RANDOM], random.Random(seed)
    for _ in range(6):
        if state.over:
            break
        notation = rng.choice(state.legal_moves).notation
        state.push(notation)
        if state.cells[RANDOM] != chance:
            break
        reached.push(notation)
        assert_same(state, reached)
    if reached.ply:
        assert_same(reached, read(game, position_text(reached)))


@pytest.mark.parametrize("name", one_in(4, representative()))
def test_a_position_is_read_as_it_was_written(name: str) -> None:
    game = load(name)
    for seed, decisions in ((1, 0), (2, 9), (3, 60)):
        there_and_back(game, seed, decisions)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_positions_of_any_length_and_number_of_players(name: str) -> None:
    smallest = load(name)
    sizes = {smallest.fewest, smallest.most}
    games = {number: load(name, players=number) for number in sizes}

    @settings(max_examples=30, deadline=None, database=None)
    @given(st.sampled_from(sorted(sizes)), st.integers(0, 1000), st.integers(0, MAX_DECISIONS))
    def check(players: int, seed: int, decisions: int) -> None:
        there_and_back(games[players], seed, decisions)

    check()


@pytest.mark.parametrize("name", ["hearts", "chinesische_mauer"])
def test_what_a_seat_knows_is_the_same_in_positions_that_it_cannot_tell_apart(name: str) -> None:
    state = after(load(name), 4, 7)
    seat = state.game.seats[0]
    text = known_position_text(state, seat)
    assert any(line.startswith("#") for line in text.splitlines())
    others = state.determinizations(seat, 3, seed=1)
    assert len({str(other.view(None)) for other in others}) > 1
    assert {known_position_text(other, seat) for other in others} == {text}


UNNAMED = """
game "Unnamed" for 2 players ann, ben

== components ==

type Colour is red, blue
piece Card: 2 for each colour: Colour, value: 1..3 in deck
piece Tile: 2 for each left: Colour, right: Colour in heap
zone deck holds stack of Card, seen by nobody
zone row holds row of Card
zone heap holds Tile
zone line holds row of Tile
zone post holds one Tile
zone tray[p: Player] holds Tile

table "Tables":
    "Row": row
    "Line": line
    "Post": post
    "Trays": p in Player as count tray[p]

== setup ==

shuffle deck
move 3 from deck to row

== phases ==

phase play, turns from ann, over when count deck < 3:
    must draw or put or take or set_up

action draw: move top(deck) to row
action put(t in heap): move t to line
action take(t in heap): move t to tray[me]
action set_up(t in heap):
    require post is empty because "taken"
    move t to post

== scoring ==

winner highest count tray[me]

== examples ==

example "any of these":
    given row is [{c in Card where c.value > 1 and c.colour is red}, {c in Card where c.value is 1}]
    then last(row).value is 1
    and first(row).colour is red
    and row is [{c in Card where c.colour is red}, {c in Card where c.value < 2}]
"""


def test_pieces_that_no_words_name_are_told_apart(tmp_path: Path) -> None:
    """A number and another attribute, or two attributes of one type: the order of a row, and equal pieces of a heap."""
    path = tmp_path / "unnamed.rules"
    path.write_text(UNNAMED, encoding="utf-8")
    game = load(path)
    for seed in range(6):
        there_and_back(game, seed, 7)
    results = run_examples(path)
    assert [failure for result in results for failure in result.failures] == [] and results


def test_a_finished_game_stays_finished() -> None:
    state = after(load("nim"), 1, 1000)
    reached = read(load("nim"), position_text(state))
    assert reached.over
    assert reached.outcome == state.outcome


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("given man[e9] is white pawn", "pos:1:11\n  1 | given man[e9] is white pawn\n    |           ^^"),
        ("\n  whn phase playing", "pos:2:3\n 2 |   whn phase playing\n   |   ^^^"),
        ("    when phase setup\n    given quiet is 7\n    then quiet is 8", "expected quiet is 8, found 7"),
        ("when phase setup\nwhen white: go(e2, e5)", "pos:2:1\n 2 | when white: go(e2, e5)\n"),
        ("given quiet is 3", "go on with a line such as `when phase playing`"),
        ("given quiet is 3\nand quiet is 4", "`quiet` is already given by `quiet is 3` (pos:1:7)"),
        ("# nothing\n", "pos: the position is empty"),
        ("given 3 players\nwhen phase setup", "this game is for 2 players\n  pos:1:1"),
    ],
)
def test_mistakes_in_a_position(text: str, message: str) -> None:
    with pytest.raises((RulesError, UsageError)) as raised:
        game_at(load("chess"), Source("pos", text))
    assert message in str(raised.value)
