"""Unframed maps, boards with holes and hexagonal ones: examples, pictures, views, saves, random games."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from cli.render.board import draw_board
from cli.render.palette import palette
from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from tests.interpreter.lockstep import play, programs, same_playout
from tests.interpreter.machine.comparing import compared

RULES = Path(__file__).parent / "rules"
SHAPES = {"plane": 3, "hexagon": 2, "holes": 3, "numbered_places": 1}


def opened(name: str, **options: object) -> Game:
    return load(RULES / f"{name}.rules", options=options)


def drawn(state: State, names: bool = False) -> str:
    view = state.view(None)
    assert view.board is not None
    tables = [table for table in view.tables if table.board]
    file = io.StringIO()
    console = Console(file=file, width=80, highlight=False, no_color=True)
    console.print(draw_board(view.board, tables, palette(view.seats), 80, names=names))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


@pytest.mark.parametrize("name", SHAPES)
def test_the_examples_hold(name: str) -> None:
    results = run_examples(RULES / f"{name}.rules")
    assert len(results) == SHAPES[name]
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("name", SHAPES)
def test_random_games_are_the_same_however_they_are_played(name: str) -> None:
    game = opened(name)
    assert compared(game, 0, 10)["games"] == 10
    same_playout(game, 1, play(programs(game), 2, 1, journal=True))


def test_at_first_the_middle_of_a_plane_is_shown_with_its_rim() -> None:
    assert (
        drawn(opened("plane").start())
        == """\
 n1   ·   ·   ·

 n0   ·   ·   ·

 s1   ·   ·   ·

     w1  e0  e1
  Men: Man a ann, b ben
  Marks: Mark ✓
"""
    )


def test_the_picture_of_a_plane_grows_with_the_part_in_use() -> None:
    state = opened("plane").start()
    for move in ("put(e0n0)", "put(w1n0)", "put(w1s1)", "tick(e1n1)"):
        state.push(move)
    assert (
        drawn(state)
        == """\
 n2   ·   ·   ·   ·   ·

 n1   ·   ·   ·   ✓   ·

 n0   ·   b   a   ·   ·

 s1   ·   a   ·   ·   ·

 s2   ·   ·   ·   ·   ·

     w2  w1  e0  e1  e2
  Men: Man a ann, b ben
  Marks: Mark ✓
"""
    )
    assert "w2s2" in drawn(state, names=True) and "e3n3" not in drawn(state, names=True)
    state.pop()
    assert "n2" not in drawn(state)


def test_the_picture_of_a_plane_ends_where_the_plane_ends() -> None:
    state = opened("plane", steps=1).start()
    for move in ("put(e0n0)", "put(e1n0)"):
        state.push(move)
    board = state.view(None).board
    assert board is not None
    assert sorted(place.id for place in board.places) == sorted(
        f"{column}{row}" for column in ("w1", "e0", "e1") for row in ("s1", "n0", "n1")
    )


def test_a_hexagon_is_drawn_with_its_holes() -> None:
    state = opened("hexagon").start()
    state.push("fly(d1, east)")
    assert (
        drawn(state)
        == """\
   c d e
  b · a ·  1
 a · · · ·  2
  · ·   · ·  3
   · · · ·  4
    · · ·  5
  Bees: Bee a ann, b ben
"""
    )


def test_holes_of_a_grid_stay_empty() -> None:
    assert (
        drawn(opened("holes").start())
        == """\
 3 · · ·
 2 ·   · ·
 1   · · ·
   a b c d

   1 2 3   5 6
   · · ✓   · ·
  Men: Man a ann, b ben
  Lanes: Here ✓
"""
    )


def test_a_save_names_the_places(tmp_path: Path) -> None:
    state = opened("plane").start()
    for move in ("put(e0n0)", "put(w1n0)", "tick(w1s1)"):
        state.push(move)
    path = tmp_path / "plane.json"
    write_save(path, state, SaveMeta({}))
    assert "put(w1n0)" in path.read_text("utf-8")
    assert drawn(resume(read_save(path))) == drawn(state)


def test_rectangles_of_places_are_left_out(tmp_path: Path) -> None:
    """Two corners in any order, on boards of several sizes, and numbers on a track; what overlaps is named twice."""
    for form, names in (
        ("grid(3, 3) without {a2..b1, c3}", {"c1", "c2", "a3", "b3"}),
        ("grid(size, 2) without {b1..c2}", {"a1", "a2", "d1", "d2"}),
        ("plane(1) without {w1s1..e1n0}", {"w1n1", "e0n1", "e1n1"}),
        ("track(6) without {2..4, 6}", {"1", "5"}),
        ("hexes(3, 3) without {b3, c2..c3}", {"a1", "b1", "c1", "a2", "b2", "a3"}),
    ):
        path = tmp_path / "shape.rules"
        path.write_text(RECTANGLES.replace("FORM", form), encoding="utf-8")
        cells = load(path).start(seed=1).legal_moves
        assert {move.notation.removeprefix("put(").removesuffix(")") for move in cells} == names
    for form, message in (
        ("grid(3, 3) without {a1..d2}", "there is no place `d2` to omit"),
        ("grid(3, 3) without {a1..b2, b2..c3}", "`b2` is omitted twice"),
        ("grid(3, 3) without {a1..c3}", "no place is left"),
    ):
        path.write_text(RECTANGLES.replace("FORM", form), encoding="utf-8")
        with pytest.raises(RulesError, match=message):
            load(path)


RECTANGLES = """
game "Shape" for 2 players ann, ben

option size: 4..6 = 4

== components ==

type Cell from FORM
piece Man: 40 in box
zone box holds Man
zone man[c: Cell] holds one Man

== phases ==

phase play, turns from ann, over when man is not empty:
    must put

action put(c: Cell): move 1 from box to man[c]

== scoring ==

winner count box > size
"""
