"""Definitions without arguments whose last value is kept until what they read changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.game import Game, load
from interpreter.seat.redaction import SeatVisibility
from tests.interpreter.lockstep import play, programs, same_playout

RULES = """
game "Walls" for 2 players ann, ben

== components ==

type Cell from grid(5, 3)
type Side from beside(Cell)
piece Wall: 12 in store
piece Man: 1 for each owner: Player in man[a1]
zone store holds Wall
zone wall[s: Side] holds one Wall
zone man[c: Cell] holds Man
note turns: 0..99 = 0
note least: 0..99 = 0

== phases ==

phase play, turns from ann, over when store is empty or turns > 20:
    add 1 to turns
    may build or split

action build(s: Side):
    require wall[s] is empty            because "taken"
    require s is not in route or open given build_there(s) because "no way is left"
    move 1 from store to wall[s]

action split(s: Side):
    require wall[s] is empty            because "taken"
    require s is in route               because "not on the way"
    move 1 from store to wall[s]
    set least to shortest
    if turns > 12: set least to worst

step build_there(s: Side): move 1 from store to wall[s]

define route: path(a1, e3, Side - wall)
define open: path(a1, e3, Side - wall) is not empty
define shortest: count route
define worst: 1 + (lowest c.row for c in Cell - reach(a1, Side - wall))
define cheap: turns > 3

== scoring ==

winner shortest > 3
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "walls.rules"
    path.write_text(RULES, encoding="utf-8")
    return load(path)


def kept(game: Game) -> set[str]:
    return {name.partition("ˑ")[2] for name, function in game.program.module.functions.items() if function.kept_for}


def test_what_is_kept(game: Game) -> None:
    """What searches and is asked for in several places or in a loop: not what is cheap, nor what is asked for once."""
    assert kept(game) == {"route", "shortest"}
    assert kept(game.without("kept definitions")) == set()
    reasons = {record.reason for record in game.program.records.entries if record.name == "kept definitions"}
    assert reasons == {"it is computed again only when one of these has changed: wall filled"}


def test_a_value_is_computed_again_when_what_it_reads_has_changed(game: Game) -> None:
    program = game.program
    search, count = program.names["path"], 0

    def counting(*args: object) -> object:
        nonlocal count
        count += 1
        return search(*args)

    program.names["path"] = counting
    first, second = list(program.initial), list(program.initial)
    group = next(group for group in program.module.cells.values() if group.name == "wall filled")
    second[group.first] = 1
    routes = [program.definition("route", cells, ()) for cells in (first, first, second, second, first)]
    assert routes[0] == routes[1] == routes[4] and routes[2] == routes[3]
    assert count == 3


def test_games_are_the_same_without_also_those_that_fail(game: Game) -> None:
    compiled = programs(game, "kept definitions")
    for seed in range(12):
        same_playout(game, seed, play(compiled, 2, seed, journal=True))


def test_what_a_seat_may_know_is_read_by_the_definition_itself(tmp_path: Path) -> None:
    """Not all cells beforehand: a seat is refused only what the definition comes to."""
    path = tmp_path / "walls.rules"
    deserted = "define deserted: {c in reach(a1, Side - wall) where man[c] is empty}\ndefine cheap"
    rules = RULES.replace("define cheap", deserted).replace(
        "if turns > 12:", "if count deserted > 1 and count deserted < 9:"
    )
    path.write_text(rules, encoding="utf-8")
    game = load(path)
    assert "deserted" in kept(game)
    cells = list(game.program.initial)
    seen = SeatVisibility(game.program, 0).redacted(cells)
    assert game.program.definition("deserted", seen, ()) == game.program.definition("deserted", cells, ())
