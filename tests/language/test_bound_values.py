"""Values of every type, bound in every position and compared in every way, have the right results in every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import load
from tests.interpreter.engines import same_in_every_engine
from tests.support.value_games import COMPARISONS, POSITIONS, TYPES, every_cell, games, rules

PARTS = 12
EVERY_NTH = 20
"""Of so many games one is also compared between all engines in the normal run; all in the long run."""


def test_every_position_and_type_is_in_the_matrix() -> None:
    cells = list(every_cell())
    assert {cell.position for cell in cells} == set(POSITIONS)
    assert {cell.kind for cell in cells} == set(TYPES)
    assert {cell.comparison for cell in cells} == set(COMPARISONS)
    assert sum(map(len, games())) == len(cells)


@pytest.mark.parametrize("part", range(PARTS))
def test_bound_values_are_what_they_are(part: int, tmp_path: Path) -> None:
    path = tmp_path / "values.rules"
    for number, cells in list(enumerate(games()))[part::PARTS]:
        path.write_text(rules(cells, number), encoding="utf-8")
        results = run_examples(path)
        failures = [f"{failure}" for result in results for failure in result.failures]
        assert len(results) == 2, number
        assert not failures, f"rules(games()[{number}], {number}): {failures[0]}"


@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=() if number % EVERY_NTH == 0 else pytest.mark.long) for number in range(len(games()))],
)
def test_every_engine_plays_with_them_alike(number: int, tmp_path: Path) -> None:
    path = tmp_path / "values.rules"
    path.write_text(rules(games()[number], number), encoding="utf-8")
    same_in_every_engine(load(path), seeds=2, random_games=5, steps=30)


TRUTHS = """game "Truths" for 2 players ann, ben

== components ==

type Role with magic: Truth:
    mage     true
    soldier  false
piece Card: (1 if role.magic is magic else 0) for each role: Role, magic: Truth in box
zone box holds Card
note n: 0..9 = 0

== phases ==

phase taking, turns from ann, over when n is 3:
    must take

action take(k: Truth, l: Truth):
    "take {k} {l}"
    require k is l    because "differs"
    add 1 to n

== scoring ==

winner n is 3

== examples ==

example "truths":
    then ann may take(true, true)
    and ann may not take(true, false)
    and ann may not take(false, true)
    and ann may take(false, false)
    and count box is 2
    and some c in box where c.role is mage and c.magic
    and some c in box where c.role is soldier and not c.magic
    and count {c in Card where c.role.magic is c.magic} is 2
"""


def test_a_truth_value_of_a_column_is_that_of_an_attribute(tmp_path: Path) -> None:
    path = tmp_path / "truths.rules"
    path.write_text(TRUTHS, encoding="utf-8")
    (result,) = run_examples(path)
    assert not result.failures
    same_in_every_engine(load(path))
