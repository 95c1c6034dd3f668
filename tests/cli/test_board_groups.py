"""Boards as printed: groups, names where a choice needs them, marks beside pieces; in encodings without lines, too."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from cli.errors import nearest
from cli.render.board.geometry import geometry
from cli.render.moves import places_in
from cli.render.palette import palette
from cli.render.tables import draw_tables
from interpreter.play.game import Game, load
from interpreter.seat.views.board_groups import groups_of
from interpreter.seat.views.board_shape import shape_of
from tests.cli.test_render import drawn
from tests.support.project import ROOT


def first_picture(game: Game) -> list[str]:
    """The picture at the first decision, with names where moves need them."""
    state = game.start(seed=3)
    view = state.view(state.player)
    return drawn(draw_tables(view, palette(view.seats, game.words), 80, places_in(state.legal_moves))).splitlines()


def test_places_are_tinted_like_the_place_they_lie_in() -> None:
    game = load("china", 3)
    board = game.start(seed=1).view(None).board
    assert board is not None
    groups = groups_of(shape_of(board))
    assert groups.tint(("provinces", "zhao")) == "orange"
    assert groups.tint(("provinces.spaces", "zhao4")) == "orange"
    assert groups.tint(("sides.roads", "chin1_chin2")) == ""


def test_places_are_tinted_by_the_group_they_name() -> None:
    board = load("mauerbauer", 2).start(seed=1).view(None).board
    assert board is not None
    groups = groups_of(shape_of(board))
    west, east = groups.tint(("regions", "west")), groups.tint(("regions", "east"))
    assert "" not in {west, east}
    assert west != east
    assert groups.tint(("faces", "f31")) == west


def test_the_legend_says_what_the_rules_know_of_places() -> None:
    text = "\n".join(first_picture(load("china", 3)))
    assert "colour: Y Yan green, Z Zhao orange, Q Qi yellow" in text
    german = "\n".join(first_picture(load("china", 3, language="de")))
    assert "Farbe: Y Yan Grün, Z Zhao Orange, Q Qi Gelb" in german
    assert "qua Quarry stone" in "\n".join(first_picture(load("weir_keepers", 1)))


def test_places_to_choose_from_are_named() -> None:
    assert any("yan3──yan4──yan5──yan6" in line for line in first_picture(load("china", 3)))
    assert not any("h0_1" in line for line in first_picture(load("dschingis_khan", 2))), "the labels name no edges"


def test_an_edge_named_by_its_ends_is_found_by_their_names() -> None:
    picture = first_picture(load("mauerbauer", 2))
    assert picture[1].split("┄") == [
        " " * 13 + "~A1",
        *[""] * 5,
        "A2",
        *[""] * 5,
        "A3",
        *[""] * 5,
        "A4",
        *[""] * 4,
        "~A5",
    ]


def test_a_place_that_shows_its_name_anyway_is_not_named_again() -> None:
    assert not any("13:13" in line for line in first_picture(load("backgammon", 2)))


def test_a_king_in_checkers_is_written_in_full() -> None:
    state = load("checkers", 2).start(seed=2)
    choices, text = random.Random(3), ""
    while not state.over and "K" not in text:
        state.push(choices.choice(state.legal_moves))
        view = state.view(None)
        text = drawn(draw_tables(view, palette(view.seats), 80)).split("Board:")[0]
    assert "wK" in text or "bK" in text
    assert "…" not in text


def test_the_geometry_of_a_board_is_computed_once() -> None:
    game = load("china", 3)
    first, second = game.start(seed=1).view(None).board, game.start(seed=2).view("red").board
    assert first is not None
    assert second is not None
    assert shape_of(first) is shape_of(second)
    assert geometry(shape_of(first), (6, 2)) is geometry(shape_of(second), (6, 2))


@pytest.mark.parametrize(
    ("character", "plain"), [("─", "-"), ("┼", "+"), ("╝", "+"), ("é", "e"), ("漢", "?"), ("…", ".")]
)
def test_the_nearest_character(character: str, plain: str) -> None:
    assert nearest(character) == plain


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_encodings_without_lines(encoding: str, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    command = [sys.executable, "-m", "cli.main", "play", "dschingis_khan", "--seed", "3", "--save", tmp_path / "a.json"]
    done = subprocess.run(command, env=env, input=b"quit\n", capture_output=True, check=True)
    text = done.stdout.decode(encoding)
    assert " +-----------o-----------o-----------o-------o-------o-----------+" in text.splitlines()
    assert "Wall: Main wall **, .. none; Gate p open, c closed" in text
    assert "turn of red  r red  g green -----" in text
    assert "?" not in text.split("? for help")[1]


def test_messages_and_help_in_an_encoding_without_signs() -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "cli.main", "games"], env=env, capture_output=True, check=True)
    assert done.stdout.isascii()
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "play", "chïna…"], env=env, capture_output=True, check=False
    )
    assert done.stderr.isascii()
