"""A game is laid out for the options it is played with: as if its rules allowed nothing else, with the same games.

For comparison, the range of an option is narrowed in the file to the value that is chosen in the original.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from cli.verbs.compile import value_names
from dsl.diagnostics import RulesError
from dsl.types import Listed
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import OptionError, PlayError
from interpreter.loading.game_library import shipped_folder
from interpreter.play.game import Game, load
from interpreter.runtime.layout import MOVES
from tests.support import typed_games

ABSENT = Path(__file__).parent / "rules" / "absent.rules"
GENERATED, GENERATED_IN_THE_LONG_RUN = 4, 600
LONGEST = 150
MORE_TYPES = """
type Way from directions(Cell)
type Mark is blank, on(Cell), wall(Side, 1..2), crossed
type Word is near_by, far_off
type Anchor with held: Cell:
    corner  a1
    other   b2
note marks: several Mark = {}
note place: Cell or Word or none = none
note crosses[k: Mark]: 0..9 = 0
"""
MORE_ACTIONS = """
action cross(k: Mark):
    require k is not in marks       because "it is crossed"
    set marks to marks + {k}
    add 1 to crosses[k]
    if k is on(c): set place to c
    if k is wall(w, n): set fence to fence + {w}

action stay(s: Cell or Word):
    require s is not place          because "you are there"
    set place to s

action wait:
"""


def with_values_of_places(text: str) -> str:
    """A generated game with values that have places and sides as arguments, and with a union of places and words."""
    text = text.replace("\ntype Way from directions(Cell)\n", MORE_TYPES).replace("\naction wait:\n", MORE_ACTIONS)
    return text.replace(" or wait\n", " or cross or stay or wait\n", 1)


def with_only(text: str, option: str, value: int) -> str:
    """The rules with an option that can have only one value."""
    found, count = re.subn(rf"option {option}: \S+ = \d+", f"option {option}: {value}..{value} = {value}", text)
    assert count == 1
    return found


def game_of(path: Path, text: str, **options: int) -> Game:
    path.write_text(text, encoding="utf-8")
    return load(path, options=options)


def walk(game: Game, seed: int) -> list[object]:
    """Everything that a random game shows, and its cells and key, decision by decision, up to its end or its fault."""
    seen: list[object] = []
    rng = random.Random(seed)
    try:
        state = game.start(seed)
        while not state.over and state.ply < LONGEST:
            cells = [cell for number, cell in enumerate(state.cells) if number != MOVES]
            seen += [cells, state.key(), [(move.notation, move.label) for move in state.legal_moves]]
            state.push(rng.choice(state.legal_moves))
        seats = (None, *game.seats)
        seen += [state.outcome, state.chance_results, [(state.view(seat), state.log(seat)) for seat in seats]]
    except PlayError as fault:
        seen.append(str(fault))
    return seen


def values(game: Game) -> dict[str, object]:
    """The numbers and names of all values of the listed types."""
    layout = game.program.layout
    types = [symbol.type for symbol in game.rules.model.type_symbols.values() if isinstance(symbol.type, Listed)]
    return {type_.name: [(value, layout.name_of(type_, value)) for value in layout.members(type_)] for type_ in types}


@pytest.mark.parametrize(("name", "size"), [("hex", 2), ("hex", 5), ("go", 5), ("go", 9)])
def test_shipped_games_are_compiled_as_for_a_single_size(name: str, size: int, tmp_path: Path) -> None:
    text = (shipped_folder() / f"{name}.rules").read_text(encoding="utf-8").partition("== examples ==")[0]
    wide = load(name, options={"size": size})
    narrow = game_of(tmp_path / f"{name}.rules", with_only(text, "size", size))
    found, expected = (re.sub(r"# \S*/", "# ", game.program.source) for game in (wide, narrow))
    assert found == expected
    assert values(wide) == values(narrow)
    assert walk(wide, 1) == walk(narrow, 1)


@pytest.mark.parametrize("kind", ["plain", "hypotheses", "relations", "repetition", "reactions"])
def test_generated_games_are_the_same_where_only_one_size_is_allowed(kind: str, long_run: bool, tmp_path: Path) -> None:
    made = {} if kind == "plain" else {kind: True}
    compared = refused = 0
    for number in range(GENERATED_IN_THE_LONG_RUN if long_run else GENERATED):
        text = with_values_of_places(typed_games.rules(number, **made))
        size = 2 + number % 3
        try:
            narrow = game_of(tmp_path / "narrow.rules", with_only(text, "size", size))
        except RulesError:
            refused += 1
            continue
        wide = game_of(tmp_path / "wide.rules", text, size=size)
        assert values(wide) == values(narrow), number
        for seed in range(2):
            found, expected = ([str(part) for part in walk(game, seed)] for game in (wide, narrow))
            assert [part.replace("narrow.rules", "wide.rules") for part in expected] == found, (number, seed)
        compared += 1
    assert compared > refused, "the generator makes too few games that are accepted"


HEXAGON = """
game "Comb" for 2 players red, blue

option side: 1..4 = 4

== components ==

type Cell from hexagon(side)
type Edge from beside(Cell)
type Way from directions(Cell)
type Mark is on(Cell), along(Edge)
piece Stone: 40 for each owner: Player in box[owner]
zone box[p: Player] holds Stone
zone at[c: Cell] holds one Stone
note marks: several Mark = {}

== phases ==

phase main, turns from red, over when count at is count Cell:
    must put or score

action put(c: Cell, d: Way):
    require at[c] is empty              because "taken"
    require next(c, d) is not in at     because "somebody is there"
    move 1 from box[me] to at[c]
    for each e in Edge where count {x in Cell where e is in near_edges(x)} is 2: set marks to marks + {along(e)}

action score(m: Mark):
    require m is not in marks or count at > 3       because "marked"
    set marks to marks + {m}
    if m is on(c) and at[c] is empty: move 1 from box[me] to at[c]

define near_edges(x: Cell): {e in Edge where some y in near(x, {e}) where y is not x}

== scoring ==

winner highest count {g in groups(at of me, Edge) where count g > 1}
"""


@pytest.mark.parametrize("side", [2, 3, 4])
def test_moves_are_the_same_where_places_of_a_smaller_board_have_other_names(side: int, tmp_path: Path) -> None:
    """The places of a hexagon are none of those of a larger one, so that they come in another order there."""
    wide = game_of(tmp_path / "wide.rules", HEXAGON, side=side).start(1)
    narrow = game_of(tmp_path / "narrow.rules", with_only(HEXAGON, "side", side)).start(1)
    rng = random.Random(side)
    while not wide.over and wide.ply < LONGEST:
        found, expected = (sorted(move.notation for move in state.legal_moves) for state in (wide, narrow))
        assert found == expected
        move = rng.choice(found)
        wide.push(move)
        narrow.push(move)
    assert wide.outcome == narrow.outcome


def test_places_that_only_larger_boards_have_are_none() -> None:
    assert load(ABSENT).rules.warnings == (), "what may be none can be compared with none"
    results = run_examples(ABSENT)
    assert len(results) == 5
    assert [failure for result in results for failure in result.failures] == []


def test_sets_are_as_wide_as_the_board_that_is_played_on() -> None:
    for size in (5, 9, 19):
        layout = load("go", options={"size": size}).program.layout
        assert layout.room(Listed("Point")) == size * size
        assert layout.room(Listed("Line")) == 2 * size * (size - 1)


def test_a_listing_names_the_seats_that_play() -> None:
    layout = load("go_fish", players=["ann", "cleo"]).program.layout
    assert [value_names(layout)("Player", seat) for seat in range(2)] == ["ann", "cleo"]


def test_a_listing_names_the_places_of_this_board() -> None:
    layout = load("hex", options={"size": 3}).program.layout
    names = value_names(layout)
    assert [names("Cell", value) for value in range(9)] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


OPTIONS = """
game "Chosen" for 2 players red, blue

option size: 1..3 = 2
option spot: Cell = c3
option mark: Mark = on(c3)
option either: Cell or Word = c3
option lap: Lap or random = 3

== components ==

type Cell from grid(size, size)
type Word is near_by, far_off
type Mark is on(Cell), crossed
type Lap from track(size)

== phases ==

phase main, turns from red:
    may pass

action pass:
    "pass"

== scoring ==

winner highest 1

== examples ==

example "what does not exist is replaced":
    then spot is a1
    and mark is on(a1)
    and either is a1
"""


@pytest.mark.parametrize(("option", "value"), [("spot", "c1"), ("mark", "on(a3)"), ("either", "b3"), ("lap", "3")])
def test_an_option_can_only_be_what_the_board_has(option: str, value: str, tmp_path: Path) -> None:
    """A default that does not exist is replaced; a value that is asked for is refused, also inside another value."""
    path = tmp_path / "chosen.rules"
    game = game_of(path, OPTIONS)
    assert game.options == {"size": "2", "spot": "a1", "mark": "on(a1)", "either": "near_by", "lap": "1"}
    game.start()
    with pytest.raises(OptionError, match=rf"option `{option}` must be .* when `size` is 2, not `{re.escape(value)}`"):
        load(path, options={option: value})
    assert load(path, options={"size": 3, option: value}).options[option] == value
