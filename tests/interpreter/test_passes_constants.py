"""Definitions that search and depend on nothing that changes: their values are kept, in every way of playing."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.game import Game, load
from tests.interpreter.lockstep import play, programs, same_playout

RULES = """
game "Far" for 2 players ann, ben

option size: 2..5 = 3

== components ==

type Cell from grid(5, size)
type Side from beside(Cell)
piece Man: 6 for each owner: Player in box[owner]
zone box[p: Player] holds Man
zone man[c: Cell] holds one Man
note total: 0..999 = 0

== phases ==

phase play, turns from ann, over when box[me] is empty or count man > 7:
    must put

action put(c: Cell):
    "{c}"
    require man[c] is empty           because "taken"
    require far(c) > least            because "too near"
    move 1 from box[me] to man[c]
    set total to joined

define far(c: Cell): sum count path(c, d, Side) for d in Cell
define least: lowest far(c) for c in Cell
define joined: highest (count g) for g in groups(Cell - man, Side)
define near_me(c: Cell): count reach(c, Side) + (1 if me is ann else 0)
define cheap: {c in Cell where c.row is 2}

== scoring ==

winner highest (sum far(c) for c in man of me) + (count cheap) + (sum near_me(c) for c in man of me)
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "far.rules"
    path.write_text(RULES, encoding="utf-8")
    return load(path)


def kept(game: Game) -> set[str]:
    return {name.partition("ˑ")[2] for name, function in game.program.module.functions.items() if function.constant}


def test_what_is_kept(game: Game) -> None:
    """Not what reads a zone or whose turn it is, nor what is cheap."""
    assert kept(game) == {"far", "least"}
    assert kept(game.without("constants")) == set()


def test_it_is_recorded(game: Game) -> None:
    told = {record.subject: record.reason for record in game.program.records.entries if record.name == "constants"}
    assert told == {
        "define far": "it is computed once for each of its arguments",
        "define least": "it is computed once",
    }


def test_each_value_is_computed_once(game: Game) -> None:
    program = game.program
    paths, count = program.names["path"], 0

    def counting(*args: object) -> object:
        nonlocal count
        count += 1
        return paths(*args)

    program.names["path"] = counting
    S = list(program.initial)
    first = [program.definition("far", S, (cell,)) for cell in range(15)]
    before = count
    assert [program.definition("far", S, (cell,)) for cell in range(15)] == first
    assert before > 0 and count == before


def test_games_are_the_same_without(game: Game) -> None:
    compiled = programs(game, "constants")
    for seed in range(4):
        same_playout(game, seed, play(compiled, 2, seed, journal=True))


def test_other_options_have_other_values(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "far.rules"
    for size in ("2", "4"):
        other = load(path, 2, {"size": size})
        assert other.program.definition("least", list(other.program.initial), ()) == other.without(
            "constants"
        ).program.definition("least", list(other.program.initial), ())
    small, large = (load(path, 2, {"size": size}).program for size in ("2", "4"))
    assert small.definition("least", list(small.initial), ()) < large.definition("least", list(large.initial), ())
