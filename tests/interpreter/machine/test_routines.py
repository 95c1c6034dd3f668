"""Routines give the same printed as they give in Python, and as what they are about says."""

from __future__ import annotations

from itertools import combinations

import pytest
import wasmtime
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.compiler.machine.forms import SCALAR, Items, Members
from interpreter.compiler.machine.routines import graphs, packings, records, subsets, walks
from interpreter.compiler.machine.routines.kinds import ArrayOf
from interpreter.compiler.machine.routines.language import NONE, FaultError
from interpreter.runtime import graphs as search
from tests.interpreter.machine.routines_run import run_routine

NUMBERS = ArrayOf(SCALAR)
GROUPS = Items(Items(SCALAR))
ROWS = Items(Members(1))
NONE_OF = 0, Members(1)
PLACES = st.integers(1, 150)


@st.composite
def links(draw: st.DrawFn, most: int = 150) -> tuple[list[int], list[int], list[int], int, int]:
    """A graph by place: where the edges of each place begin, the edges, and their other ends; places and edges."""
    places = draw(st.integers(2, most))
    ends = st.tuples(st.integers(0, places - 1), st.integers(0, places - 1))
    pairs = draw(st.lists(ends, max_size=120))
    first, edges, others = [0], [], []
    for place in range(places):
        for number, (one, other) in enumerate(pairs):
            if one != other and place in (one, other):
                edges.append(number)
                others.append(other if place == one else one)
        first.append(len(edges))
    return first, edges, others, places, max(1, len(pairs))


def members_of(width: int) -> Members:
    return Members(-(-width // 64))


def subset(draw: st.DataObject, width: int) -> int:
    return draw.draw(st.integers(0, (1 << width) - 1))


@settings(max_examples=25)
@given(links(), st.data())
def test_what_is_near_and_reached(graph: tuple[list[int], list[int], list[int], int, int], data: st.DataObject) -> None:
    *arrays, places, edges = graph
    start, used = data.draw(st.integers(0, places - 1)), subset(data, edges)
    form, of_edges = members_of(places), members_of(edges)
    typed = [(array, NUMBERS) for array in arrays]
    for name in ("near", "reach"):
        found = run_routine(graphs, name, *typed, (start, SCALAR), (used, of_edges), (0, form))
        assert found == getattr(graphs, name)(*arrays, start, used, 0)
    groups = run_routine(graphs, "groups", *typed, (places, SCALAR), ((1 << places) - 1, form), (used, of_edges))
    assert sum(groups) == (1 << places) - 1 and all(one & other == 0 for one, other in combinations(groups, 2))
    assert next(group for group in groups if group >> start & 1) == graphs.reach(*arrays, start, used, 0)


@settings(max_examples=25)
@given(links(), st.data())
def test_a_shortest_path(graph: tuple[list[int], list[int], list[int], int, int], data: st.DataObject) -> None:
    *arrays, places, edges = graph
    start, goal = data.draw(st.integers(0, places - 1)), data.draw(st.integers(0, places - 1))
    used = subset(data, edges)
    typed = [(array, NUMBERS) for array in arrays]
    ends = (places, SCALAR), (start, SCALAR), (goal, SCALAR)
    found = run_routine(graphs, "path", *typed, *ends, (used, members_of(edges)), (0, members_of(edges)))
    assert found == graphs.path(*arrays, places, start, goal, used, 0)
    assert found & ~used == 0
    if start != goal:
        assert bool(found) == bool(graphs.reach(*arrays, start, used, 0) >> goal & 1)
        assert not found or graphs.reach(*arrays, start, found, 0) >> goal & 1


@settings(max_examples=25)
@given(links(most=70), st.data())
def test_groups_and_connections_within_places(
    graph: tuple[list[int], list[int], list[int], int, int], data: st.DataObject
) -> None:
    first, _, others, places, _ = graph
    beside = [0] * places
    for place in range(places):
        for other in others[first[place] : first[place + 1]]:
            beside[place] |= 1 << other
    form = members_of(places)
    within, ends, goals = (subset(data, places) for _ in range(3))
    groups = run_routine(graphs, "hanging", (beside, ArrayOf(form)), (within, form))
    assert groups == tuple(graphs.hanging(beside, within))
    joined = run_routine(graphs, "joined", (beside, ArrayOf(form)), (within, form), (ends, form), (goals, form))
    assert joined == any(group & ends and group & goals for group in groups)


@settings(max_examples=25)
@given(st.integers(1, 9), st.integers(0, 130), st.integers(-1, 4), st.data())
def test_components_and_paths_over_a_relation(count: int, shift: int, fewest: int, data: st.DataObject) -> None:
    """The relation need not be symmetric; the places are in two words or three."""
    places = subset(data, count) << shift
    linked = [subset(data, count) << shift & places for _ in range(places.bit_count())]
    form = members_of(shift + count)
    args = (places, form), (linked, Items(form))
    found = run_routine(graphs, "groups_by", *args)
    assert found == tuple(graphs.groups_by(places, linked)) == search.groups_by(places, linked)
    paths = run_routine(walks, "paths_by", *args, (fewest, SCALAR))
    assert paths == tuple(walks.paths_by(places, linked, fewest)) == search.paths_by(places, linked, fewest)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 2**8 - 1), max_size=7), st.integers(0, 70))
def test_all_choices_of_sets(sets: list[int], shift: int) -> None:
    sets = [those << shift for those in sets]
    form = members_of(shift + 8)
    found = run_routine(packings, "all_packings", (sets, Items(form)), (0, form))
    assert found == tuple(map(tuple, packings.all_packings(sets, 0))) == tuple(search.packings(sets))


def test_too_many_choices_of_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packings, "MAX_PACKINGS", 32)
    sets = [1 << number for number in range(5)]
    for choices in packings.all_packings(sets, 0), run_routine(packings, "all_packings", (sets, ROWS), NONE_OF):
        assert len(choices) == 32
    sets.append(1 << 5)
    with pytest.raises(FaultError):
        packings.all_packings(sets, 0)
    with pytest.raises(wasmtime.Trap):
        run_routine(packings, "all_packings", (sets, ROWS), NONE_OF)


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(-3, 3), max_size=4), max_size=9))
def test_rows_of_words_in_order(rows: list[list[int]]) -> None:
    """They are in the order of tuples in Python, and equal ones stay as they are."""
    pieces = list(range(len(rows)))
    wanted = sorted(pieces, key=lambda piece: rows[piece])
    args = (pieces, Items(SCALAR)), (rows, GROUPS)
    assert list(run_routine(subsets, "by_standing", *args)) == list(subsets.by_standing(pieces, rows)) == wanted
    words = [word for piece in wanted for word in rows[piece]]
    assert list(run_routine(subsets, "joined_in_order", (rows, GROUPS))) == list(subsets.joined_in_order(rows)) == words


@settings(max_examples=25)
@given(links(most=7), st.data())
def test_paths_and_trails(graph: tuple[list[int], list[int], list[int], int, int], data: st.DataObject) -> None:
    *arrays, places, edges = graph
    among, used, fewest = subset(data, places), subset(data, edges) & 0xFF, data.draw(st.integers(0, 4))
    form, of_edges = members_of(places), members_of(edges)
    beside = graphs.neighbours(*arrays, places, among, used)
    found = run_routine(walks, "paths_among", (beside, ArrayOf(form)), (among, form), (fewest, SCALAR), (5000, SCALAR))
    assert found == tuple(walks.paths_among(beside, among, fewest, 5000))
    assert found == tuple(sorted(_paths(beside, among, fewest), key=_ascending))
    typed = [(array, NUMBERS) for array in arrays]
    trails = run_routine(walks, "trails", *typed, (places, SCALAR), (among, form), (used, of_edges), (fewest, SCALAR))
    assert trails == tuple(walks.trails(*arrays, places, among, used, fewest))


def _paths(beside: list[int], among: int, fewest: int) -> set[int]:
    """The sets of places of all paths, each place visited once, found one by one."""
    found: set[int] = set()

    def extend(seen: int, end: int) -> None:
        if seen.bit_count() >= fewest:
            found.add(seen)
        for place in range(len(beside)):
            if beside[end] >> place & 1 and not seen >> place & 1:
                extend(seen | 1 << place, place)

    for place in range(len(beside)):
        if among >> place & 1:
            extend(1 << place, place)
    return found


def _ascending(those: int) -> list[int]:
    return [place for place in range(those.bit_length()) if those >> place & 1]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 2**9 - 1), st.integers(-2, 9)), max_size=9), st.integers(0, 60))
def test_the_best_choice_of_sets(choices: list[tuple[int, int]], shift: int) -> None:
    """The total is that of the best of all choices, and the sets chosen are worth it; shifted sets cross words."""
    sets = list(dict.fromkeys(those << shift for those, _ in choices))
    worths = [worth for _, worth in choices][: len(sets)]
    best = max(
        sum(worths[number] for number in chosen)
        for size in range(len(sets) + 1)
        for chosen in combinations(range(len(sets)), size)
        if all(not sets[one] & sets[other] for one, other in combinations(chosen, 2))
    )
    mates = packings.mates_of(sets, 0)
    choice = packings.best(sets, sets, mates, worths, 0)
    assert choice.total == best
    chosen = choice.sets[: choice.count]
    assert sum(worths[sets.index(those)] for those in chosen) == best
    form = members_of(70)
    printed = run_routine(
        packings, "best", (sets, Items(form)), (sets, ArrayOf(form)), (mates, ArrayOf(form)), (worths, NUMBERS),
        (0, form),
    )  # fmt: skip
    assert printed["total"] == best and printed["count"] == choice.count


@settings(max_examples=25)
@given(st.lists(st.integers(1, 4), max_size=5), st.integers(-1, 4), st.integers(-1, 6), st.data())
def test_subsets_of_groups(sizes: list[int], fewest: int, most: int, data: st.DataObject) -> None:
    """The first members of each group are taken: as many subsets as ways to say how many of each group."""
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    groups = [list(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)]
    form = Members(1)
    found = run_routine(subsets, "handfuls", (groups, GROUPS), (fewest, SCALAR), (most, SCALAR), (0, form))
    assert found == tuple(subsets.handfuls(groups, fewest, most, 0))
    wanted = {
        those for those in range(1 << sum(sizes))
        if max(0, fewest) <= those.bit_count() <= most and all(
            those >> start & ((1 << size) - 1) in {(1 << taken) - 1 for taken in range(size + 1)}
            for start, size in zip(starts, sizes, strict=True)
        )
    }  # fmt: skip
    assert len(found) == len(set(found)) and set(found) == wanted
    chosen = data.draw(st.sampled_from(sorted(wanted))) if wanted else 0
    picked = run_routine(subsets, "picks", (groups, GROUPS), (chosen, form), (fewest, SCALAR))
    assert picked == tuple(subsets.picks(groups, chosen, fewest))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=30))
@settings(max_examples=25)
def test_recorded_positions(steps: list[tuple[bool, int]]) -> None:
    """A log is taken back to a number of positions whenever something is recorded after fewer of them."""
    log = records.Log(
        heads=[0] * records.HEADS, following=[0] * 100, first_hashes=[0] * 100, second_hashes=[0] * 100, count=0
    )
    kept: list[int] = []
    for back, position in steps:
        if back and kept:
            kept.pop()
        assert records.times(log, len(kept), position, -position) == kept.count(position)
        assert records.recorded(log, len(kept), position, -position) == len(kept) + 1
        kept.append(position)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=70), st.data())
@settings(max_examples=25)
def test_what_lies_where(pieces: list[tuple[int, int]], data: st.DataObject) -> None:
    places, kinds = [place for place, _ in pieces], [kind for _, kind in pieces]
    those = subset(data, len(pieces))
    wanted = sorted(pieces[number] for number in range(len(pieces)) if those >> number & 1)
    found = run_routine(
        records, "lying", (those, members_of(len(pieces))), (places, NUMBERS), (kinds, NUMBERS), (6, SCALAR)
    )
    assert found == tuple(part for pair in wanted for part in pair)


def test_steps_beyond_the_edge() -> None:
    steps = [1, NONE, NONE, 0]  # two places, two directions
    args = (steps, NUMBERS), (2, SCALAR), (2, SCALAR)
    for start, way, count, end in ((0, 0, 1, 1), (0, 0, 2, NONE), (1, 1, 1, 0), (0, 5, 0, 0)):
        found = run_routine(graphs, "steps_on", *args, (start, SCALAR), (way, SCALAR), (count, SCALAR))
        assert found == end == graphs.steps_on(steps, 2, 2, start, way, count)
    with pytest.raises(FaultError):
        graphs.steps_on(steps, 2, 2, 0, 5, 1)
    with pytest.raises(wasmtime.Trap):
        run_routine(graphs, "steps_on", *args, (0, SCALAR), (5, SCALAR), (1, SCALAR))
