"""Relations as edges: searches compared with plain ones, play in every way, secrets, faults, what is kept."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.compiler.passes.pipeline import MEANINGS
from interpreter.errors import PlayError
from interpreter.play.game import Game, load
from interpreter.play.trace.origins import why
from interpreter.runtime.graphs import TooManyPaths, groups_by, path_by, paths_by, reach_by
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.engines import same_in_every_engine
from tests.interpreter.lockstep import play, programs, same_playout

RELATIONS = Path(__file__).parent / "rules" / "relations.rules"

Pairs = frozenset[tuple[int, int]]
PLACES = 7
PAIRS = st.frozensets(st.tuples(st.integers(0, PLACES - 1), st.integers(0, PLACES - 1)))
SETS = st.frozensets(st.integers(0, PLACES - 1))


def test_the_examples_hold() -> None:
    results = run_examples(RELATIONS)
    assert len(results) == 7
    assert [failure for result in results for failure in result.failures] == []


# ---------------------------------------------------------------- the searches


def as_set(places: frozenset[int] | set[int] | tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


def linked_from(pairs: Pairs, place: int) -> set[int]:
    return {two for one, two in pairs if one == place and two != place}


def reached(pairs: Pairs, start: int) -> set[int]:
    found = {start}
    for _ in range(PLACES):
        found |= {two for one, two in pairs if one in found}
    return found


def steps(pairs: Pairs, start: int, goal: int) -> int | None:
    found, count = {start}, 0
    while goal not in found:
        wider = found | {two for one, two in pairs if one in found}
        if wider == found:
            return None
        found, count = wider, count + 1
    return count


def is_path(pairs: Pairs, places: frozenset[int]) -> bool:
    return any(all(step in pairs for step in pairwise(order)) for order in permutations(sorted(places)))


@given(PAIRS)
def test_what_is_reached_and_how_far_it_is(pairs: Pairs) -> None:
    def neighbours(place: int) -> int:
        return as_set(linked_from(pairs, place))

    for start in range(PLACES):
        assert reach_by(start, neighbours) == as_set(reached(pairs, start))
        for goal in range(PLACES):
            found, distance = path_by(start, goal, neighbours), steps(pairs, start, goal)
            assert (found is None) == (distance is None)
            if found is not None and distance is not None:
                on_it = frozenset(place for place in range(PLACES) if found >> place & 1)
                assert len(on_it) == distance + 1
                within = frozenset(pair for pair in pairs if set(pair) <= on_it)
                assert steps(within, start, goal) == distance


@given(PAIRS, SETS)
def test_groups_join_in_either_direction(pairs: Pairs, places: frozenset[int]) -> None:
    both_ways = frozenset({*pairs, *((two, one) for one, two in pairs)})
    inside = frozenset(pair for pair in both_ways if set(pair) <= places)
    found = groups_by(as_set(places), [as_set(linked_from(pairs, place) & places) for place in sorted(places)])
    assert sorted(found) == sorted({as_set(reached(inside, place)) for place in places})
    assert list(found) == sorted(found, key=lambda group: group & -group)


@given(PAIRS, SETS.filter(lambda places: len(places) < 6), st.integers(1, 4))
def test_paths_follow_the_direction(pairs: Pairs, places: frozenset[int], least: int) -> None:
    found = paths_by(as_set(places), [as_set(linked_from(pairs, place) & places) for place in sorted(places)], least)
    every = (frozenset(some) for size in range(least, len(places) + 1) for some in combinations(sorted(places), size))
    assert sorted(found) == sorted(as_set(some) for some in every if is_path(pairs, some))


def test_too_many_paths_are_refused() -> None:
    everywhere = [0b11111111 ^ 1 << place for place in range(8)]
    with pytest.raises(TooManyPaths):
        paths_by(0b11111111, everywhere, 2, cap=50)


# ---------------------------------------------------------------- play


def test_games_are_the_same_in_every_engine() -> None:
    same_in_every_engine(load(RELATIONS), seeds=1)


@pytest.mark.parametrize("without", [frozenset(MEANINGS), frozenset({"constants"}), frozenset({"inlining"})])
def test_games_are_the_same_without_passes(without: frozenset[str]) -> None:
    game = load(RELATIONS)
    for seed in range(2):
        same_playout(game, seed, play(programs(game, *without), 2, seed, journal=True))


def test_the_values_are_those_of_the_relation_in_every_position() -> None:
    state = load(RELATIONS).start()
    rng = Random(7)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
        for cell in ("a1", "b2", "d3"):
            for text in (
                f"reach({cell}, alike) is (the g in groups(Cell, alike) where {cell} is in g)",
                f"near({cell}, alike) is {{x in Cell where x is not {cell} and alike({cell}, x)}}",
                f"near({cell}, downhill) is {{x in Cell where x is not {cell} and downhill({cell}, x)}}",
                f"count path(a1, {cell}, beside) is count path(a1, {cell}, Side) + 1",
            ):
                assert evaluate_query(state.program, state.cells, text, None).value == "true", text


def test_a_relation_that_reads_nothing_is_asked_once() -> None:
    def kept(game: Game) -> set[str]:
        return {name for name, function in game.program.module.functions.items() if function.constant}

    names = kept(load(RELATIONS))
    assert "linkedˑbeside" in names and "fˑfar" in names
    assert not any("alike" in name or "downhill" in name for name in names)


def test_why_explains_what_uses_a_relation() -> None:
    state = load(RELATIONS).start()
    state.push("lay(red, b2)")
    assert why(state, "count groups(stone, alike)", None).headline == "count groups(stone, alike) is 1"
    assert why(state, "lay(red, b2)", None).headline == "`lay(red, b2)` is not legal: taken"
    told = why(state, "crowded given put(red, a1)", None)
    assert told.headline == "crowded given put(red, a1) is false"


def test_too_many_paths_are_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "paths.rules"
    text = RELATIONS.read_text("utf-8").split("== examples ==")[0].replace("grid(4, 3)", "grid(4, 4)")
    text = text.replace("highest count row[me]", "highest count paths(Cell, other, 1)")
    path.write_text(text.replace("define far", "define other(a: Cell, b: Cell): a is not b\ndefine far"), "utf-8")
    state = load(path).start()
    with pytest.raises(PlayError, match=r"there are more than 100000 partial paths"):
        evaluate_query(state.program, state.cells, "count paths(Cell, other, 1)", None)


# ---------------------------------------------------------------- secrets

HANDS = """
game "Hands" for 2 players ann, ben

== components ==

type Colour is red, blue
type Spot is left_one, middle_one, right_one
piece Card: 3 for each colour: Colour in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone shown holds row of Card

== setup ==

shuffle deck
for each p in Player: move 2 from deck to hand[p]

== phases ==

phase showing, turns from ann, over when count shown > 1:
    must show

action show(c in hand[me]):
    "show {LABEL}"
    move c to shown

define rich(a: Spot, b: Spot): count hand[ann] of red > 1 and a before b
define alike(a: Card, b: Card): a.colour is b.colour
define chained(a: Spot, b: Spot): b is next(a)

== scoring ==

winner highest count shown of red
"""


@pytest.mark.parametrize(
    ("label", "accepted"),
    [
        ("count groups(Spot, rich)", False), ("count reach(left_one, rich)", False),
        ("count near(left_one, rich)", False), ("count path(left_one, right_one, rich)", False),
        ("count paths(Spot, rich, 2)", False), ("count groups(hand[ben], alike)", False),
        ("count groups(hand[me], alike)", False), ("count groups(deck, alike)", False),
        ("count groups(shown, alike)", True), ("count groups(Spot, chained)", True),
    ],
)  # fmt: skip
def test_what_a_relation_reads_is_a_secret(tmp_path: Path, label: str, accepted: bool) -> None:
    path = tmp_path / "hands.rules"
    path.write_text(HANDS.replace("LABEL", label), "utf-8")
    if accepted:
        load(path)
        return
    with pytest.raises(RulesError, match=r"would tell .* `colour` of pieces in"):
        load(path)
