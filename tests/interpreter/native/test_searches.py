"""Searches in C find what those of interpreter/graphs find, for sets of one word, two and more."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.graphs import (
    Adjacency,
    TooManyPaths,
    best_rows,
    best_sets,
    groups_by,
    packings,
    paths,
    paths_by,
    trails,
)
from interpreter.graphs.calls import lines_in
from tests.interpreter.graphs.by_hand import Case, cases, everything, grid, hexagons, in_order, side, tree
from tests.interpreter.native.compiled import SANITIZED, header, library

HERE = Path(__file__).parent
FORMS = {"u1": 1, "u2": 2, "w3": 3}
FIRST = {"u1": 0, "u2": 59, "w3": 123}
"""The number of the first place of a graph, so that places are in several words."""

Sets = tuple[int, ...]
forms = pytest.mark.parametrize("form", FORMS)


def source(form: str) -> str:
    words = FORMS[form]
    wide = [f"WIDE_SET({form}, {words})", f"MEMBERS({form}, 256)"] if words > 2 else []
    lines = [
        header("runtime"), header("sets"), *wide,
        "typedef struct { int32_t n; const I *v; } Q;",
        f"typedef struct {{ int32_t n; const set_{form} *v; }} SETS;",
        "typedef struct { int32_t n; const SETS *v; } FAMILIES;",
        header("graphs"), header("walks"), header("packings"),
        f"WALKS({form})", f"WALK_NEIGHBOURS({form}, {form})", f"WALK_BY_PLACE({form}, SETS)",
        f"WALK_PATHS({form}, SETS)", f"WALK_TRAILS({form}, {form}, SETS)", f"WALK_GROUPS_BY({form}, SETS)",
        f"SUM_OVER({form})", f"BEST_PACKING({form}, SETS)", f"ALL_PACKINGS({form}, SETS, FAMILIES)",
        f"LINES_IN({form}, SETS)",
        f"enum {{ WORDS = {words} }};", f"typedef set_{form} S;", f"#define F(name) name##_{form}",
        f"#define NEIGHBOURS neighbours_{form}_{form}", f"#define TRAILS trails_{form}_{form}",
        (HERE / "searches.c").read_text("ascii"),
    ]  # fmt: skip
    return "\n".join(lines)


class Links(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int64), *((name, ctypes.c_void_p) for name in ("starts", "edges", "others"))]


@cache
def question_of(words: int) -> type[ctypes.Structure]:
    class Question(ctypes.Structure):
        _fields_ = [
            ("links", Links), ("places", ctypes.c_uint64 * words), ("edges", ctypes.c_uint64 * words),
            ("fewest", ctypes.c_int64), ("count", ctypes.c_int64), ("sets", ctypes.c_void_p),
            ("added", ctypes.c_void_p),
            ("doubled", ctypes.c_uint64 * words), ("constant", ctypes.c_int64), ("total", ctypes.c_int64),
        ]  # fmt: skip

    return Question


@dataclass(frozen=True)
class Asked:
    """What a search gets."""

    links: Adjacency = field(default_factory=lambda: Adjacency(0, []))
    places: int = 0
    edges: int = 0
    fewest: int = 0
    sets: Sequence[int] = ()
    added: Sequence[int] = ()
    doubled: int = 0
    constant: int = 0

    def worth(self, row: int) -> int:
        """The worth of a row."""
        found = sum(self.added[place] for place in in_order(row))
        return 2 * found + self.constant if row & self.doubled else found


ROOM = 1 << 13


def searched(what: str, form: str, asked: Asked) -> tuple[int, Sets] | None:
    """The total and the sets that C finds, None if that is a fault."""
    words = FORMS[form]
    starts, edges, others = [0], [], []
    for pairs in asked.links.incidences:
        edges += [edge.bit_length() - 1 for edge, _ in pairs]
        others += [other for _, other in pairs]
        starts.append(len(edges))
    arrays = [(ctypes.c_int32 * max(1, len(each)))(*each) for each in (starts, edges, others)]
    sets = (ctypes.c_uint64 * max(1, words * len(asked.sets)))(
        *(w for each in asked.sets for w in as_words(each, words))
    )
    added = (ctypes.c_int64 * (64 * words))(*asked.added)
    question = question_of(words)(
        Links(asked.links.count, *map(ctypes.addressof, arrays)), as_words(asked.places, words),
        as_words(asked.edges, words), asked.fewest, len(asked.sets), ctypes.addressof(sets), ctypes.addressof(added),
        as_words(asked.doubled, words), asked.constant, 0,
    )  # fmt: skip
    found = (ctypes.c_uint64 * (words * ROOM))()
    function = library(source(form), *SANITIZED).asked
    function.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int64]
    function.restype = ctypes.c_int64
    count = function(ctypes.addressof(question), what.encode(), ctypes.addressof(found), ROOM)
    if count < 0:
        return None
    assert count <= ROOM or what == "packings"
    each = [sum(found[words * k + n] << 64 * n for n in range(words)) for k in range(min(count, ROOM))]
    return question.total, tuple(each)


def as_words(those: int, words: int) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * words)(*(those >> 64 * n & (1 << 64) - 1 for n in range(words)))


def moved(case: Case, form: str) -> Case:
    """The same graph with later numbers of places and edges."""
    links, places, edges = case
    by = FIRST[form]
    ends = [pair and (pair[0] + by, pair[1] + by) for pair in links.ends]
    return Adjacency(links.count + by, [None] * by + ends), places << by, edges << by


# ---------------------------------------------------------------- paths, trails and components


@forms
@given(case=cases(), fewest=st.integers(-1, 5))
def test_paths(form: str, case: Case, fewest: int) -> None:
    links, places, edges = moved(case, form)
    assert searched("paths", form, Asked(links, places, edges, fewest)) == (0, paths(links, places, edges, fewest))


@forms
@given(case=cases(), fewest=st.integers(-1, 5), rng=st.randoms())
def test_trails(form: str, case: Case, fewest: int, rng: Random) -> None:
    links, places, edges = moved(case, form)
    places &= rng.getrandbits(links.count)
    assert searched("trails", form, Asked(links, places, edges, fewest)) == (0, trails(links, places, edges, fewest))


@forms
@pytest.mark.parametrize("what", ["groups_by", "paths_by"])
@given(rng=st.randoms(use_true_random=False), density=st.floats(0, 0.6), fewest=st.integers(-1, 4))
def test_a_relation(form: str, what: str, rng: Random, density: float, fewest: int) -> None:
    places = rng.getrandbits(9) << FIRST[form]
    near = [sum(1 << other for other in in_order(places) if rng.random() < density) for _ in in_order(places)]
    found = groups_by(places, near) if what == "groups_by" else paths_by(places, near, fewest)
    assert searched(what, form, Asked(places=places, fewest=fewest, sets=near)) == (0, found)


@forms
@given(rng=st.randoms(use_true_random=False))
def test_lines(form: str, rng: Random) -> None:
    lines = [rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64) << FIRST[form] for _ in range(9)]
    places = rng.getrandbits(64) | lines[3]
    assert searched("lines_in", form, Asked(places=places, sets=lines)) == (0, lines_in(lines, places))


def test_too_many_paths_are_a_fault() -> None:
    links = grid(4, 6)
    places, edges = everything(links)
    with pytest.raises(TooManyPaths):
        paths(links, places, edges, 1)
    assert searched("paths", "u1", Asked(links, places, edges, 1)) is None


# ---------------------------------------------------------------- packings


@st.composite
def worths(draw: st.DrawFn, count: int) -> tuple[list[int], int, int]:
    added = draw(st.lists(st.integers(-2, 3), min_size=count, max_size=count))
    if draw(st.booleans()):
        added = [1] * count
    return added, draw(st.integers(0, (1 << count) - 1)), draw(st.integers(-3, 3))


def compared_rows(form: str, case: Case, fewest: int, worth: tuple[list[int], int, int]) -> None:
    links, places, edges = moved(case, form)
    by = FIRST[form]
    added = [0] * by + worth[0] + [0] * (64 * FORMS[form] - by - len(worth[0]))
    asked = Asked(links, places, edges, fewest, added=added, doubled=worth[1] << by, constant=worth[2])
    assert searched("best_rows", form, asked) == best_rows(links, places, edges, fewest, asked.worth)


@forms
@given(data=st.data(), case=cases(), fewest=st.integers(-1, 4))
def test_best_rows(form: str, data: st.DataObject, case: Case, fewest: int) -> None:
    compared_rows(form, case, fewest, data.draw(worths(case[0].count)))


@pytest.mark.parametrize("graph", [grid(4, 4), hexagons(4, 5), tree(30, 3), side("3-4"), side("4-5")], ids=str)
@pytest.mark.parametrize("form", ["u1", "w3"])
@pytest.mark.parametrize("seed", range(4))
def test_best_rows_of_larger_graphs(graph: Adjacency, form: str, seed: int) -> None:
    rng = Random(seed)
    places, edges = everything(graph)
    places &= sum(1 << place for place in rng.sample(range(graph.count), min(graph.count, 17)))
    added = [1] * graph.count if seed % 2 else [rng.randrange(3) for _ in range(graph.count)]
    compared_rows(
        form, (graph, places, edges), 3, (added, rng.getrandbits(graph.count) & rng.getrandbits(graph.count), 0)
    )


@st.composite
def some_sets(draw: st.DrawFn, most: int) -> list[int]:
    """Sets of few members, some of them several times."""
    count = draw(st.integers(1, 10))
    return draw(st.lists(st.integers(0, (1 << count) - 1), max_size=most))


@forms
@given(data=st.data(), sets=some_sets(24))
def test_best_sets(form: str, data: st.DataObject, sets: list[int]) -> None:
    by = FIRST[form]
    added, doubled, constant = data.draw(worths(12))
    added = [0] * by + added + [0] * (64 * FORMS[form] - by - 12)
    asked = Asked(sets=[each << by for each in sets], added=added, doubled=doubled << by, constant=constant)
    assert searched("best_sets", form, asked) == best_sets(asked.sets, asked.worth)


@forms
@given(sets=some_sets(9))
def test_all_packings(form: str, sets: list[int]) -> None:
    by, end = FIRST[form], (1 << 64 * FORMS[form]) - 1
    sets = [each << by for each in sets]
    found = [each for packing in packings(sets) for each in (*packing, end)]
    assert searched("packings", form, Asked(sets=sets)) == (0, tuple(found))


@pytest.mark.parametrize("count", [17, 18])
def test_too_many_packings_are_a_fault(count: int) -> None:
    found = searched("packings", "u1", Asked(sets=[1 << member for member in range(count)]))
    assert (found is None) == (2**count > 200_000)
