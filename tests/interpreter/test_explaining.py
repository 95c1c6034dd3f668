"""Explanations: worked out when they are read, no larger than can be read, and true."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.play.game import State, load
from interpreter.runtime.layout import ME
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.query import evaluate_query
from interpreter.watchdog import watchdog

ROWS = """game "Rows" for 2 players ann, ben

== components ==

type Cell from grid(6, 6)
type Side from beside(Cell)
piece Man: 18 for each owner: Player in box[owner]
zone box[p: Player] holds Man
zone man[c: Cell] holds one Man

== phases ==

phase main, turns from ann, over when no c in Cell where man[c] is empty:
    must lay

action lay(c: Cell):
    "lay at {c}"
    require man[c] is empty         because "{c} is taken"
    move 1 from box[me] to man[c]

define rows(p: Player): highest (sum worth(r) for r in chosen) for chosen in packings(paths(man of p, Side, 3))
define worth(r: several Cell): count r + (2 if some c in r where c is a1 else 0)
define longest(p: Player): highest count r for r in paths(man of p, Side, 2)
define shortest(p: Player): lowest count r for r in paths(man of p, Side, 2)
define width(p: Player): sum count r for r in paths(man of p, Side, 2)
define cells(p: Player): sum (2 if man[c] is p else 0) for c in Cell
define large: sum (a + b) for a in 0..20 with b in 0..20

== scoring ==

winner highest rows(me) then highest longest(me) then highest width(me) + cells(me) then lowest shortest(me)
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> State:
    """A game at whose end there are many ways: 257 of one seat, 24 of the other."""
    path = tmp_path_factory.mktemp("rows") / "rows.rules"
    path.write_text(ROWS, encoding="utf-8")
    state, rng = load(path).start(1), random.Random(1)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    return state


def total(tree: Explanation) -> int:
    return sum(int(part.value) for part in tree.children)


def parts(tree: Explanation) -> int:
    return 1 + sum(map(parts, tree.children))


def test_the_best_of_a_search_is_explained_by_its_parts(ended: State) -> None:
    with watchdog(1.0):
        outcome = ended.outcome
        assert outcome is not None
        explained = outcome.explained
    for seat, (rows, longest, wide, shortest) in explained.items():
        assert [int(tree.value) for tree in (rows, longest, wide, shortest)] == list(outcome.scores[seat])
        (found,) = rows.children
        assert found.value == rows.value and total(found) == int(rows.value)
        assert all(total(row) == int(row.value) for row in found.children if row.children)
        assert longest.value in [part.value for part in longest.children]
        assert shortest.value in [part.value for part in shortest.children]
        width, cells = wide.children
        assert total(width) == int(width.value) and total(cells) == int(cells.value)
        assert len(cells.children) == 18
        assert all(parts(tree) < 100 for tree in explained[seat])
    many = max((wide.children[0] for _, _, wide, _ in explained.values()), key=lambda width: len(width.children))
    assert len(many.children) == 41 and many.children[-1].text.endswith(" more")


def test_a_sum_of_many_terms_lists_the_first_and_combines_the_rest(ended: State) -> None:
    tree = evaluate_query(ended.program, ended.cells, "large", None)
    assert total(tree) == int(tree.value) == sum(a + b for a in range(21) for b in range(21))
    assert len(tree.children) == 41 and tree.children[-1].text == f"{21 * 21 - 1 - 40} more"


def test_the_depth_and_size_of_an_explanation_are_bounded(tmp_path: Path) -> None:
    chain = "".join(f"define f{n}: f{n - 1} + f{n - 1}\n" for n in range(1, 13))
    deep = "".join(f"define g{n}: g{n - 1} + 1\n" for n in range(1, 90))
    path = tmp_path / "rows.rules"
    added = f"define f0: count Cell\ndefine g0: count Cell\n{chain}{deep}\n== scoring"
    path.write_text(ROWS.replace("\n== scoring", added), encoding="utf-8")
    state = load(path).start(1)
    with watchdog(2.0):
        wide = evaluate_query(state.program, state.cells, "f12", None)
        low = evaluate_query(state.program, state.cells, "g89", None)
    assert wide.value == str(36 * 2**12) and parts(wide) < 3000
    assert low.value == str(36 + 89) and max(len(line) - len(line.lstrip()) for line in low.lines()) <= 80


def test_the_parts_of_a_value_are_read_aloud(ended: State) -> None:
    """As written for those who write rules, and in words for those who play."""
    tree = evaluate_query(ended.program, ended.cells, "count man + count box[me]", None)
    assert [part.text for part in tree.children] == ["count man", "count box[me]"]
    seat = ended.game.seats[ended.cells[ME]]
    assert [part.text_shown for part in tree.children] == ["count man", f"count box of {seat}"]


SETS = """game "Sets" for 2 players ann, ben

== components ==

type Suit is red, blue, green
type Rank is 1..2
piece Card: 1 for each suit: Suit, rank: Rank in row
zone row holds row of Card
note ended: Truth = false

define runs(cards: several Card, suits: several Suit):
    count cards + count (cards & row) + count suits

define every_run: runs(row, {red, blue}) + runs({first(row)}, {red})

== phases ==

phase main, turns from ann, over when ended:
    must stop

action stop:
    set ended to true

== scoring ==

winner highest 1
"""


def test_several_members_inside_an_expression_are_in_brackets(tmp_path: Path) -> None:
    """A set that stands alone, or has one member, needs none."""
    path = tmp_path / "sets.rules"
    path.write_text(SETS, encoding="utf-8")
    state = load(path).start(1)
    state_of_play = state.program, state.cells
    tree = evaluate_query(*state_of_play, "every_run", None)
    cards = ", ".join(f"{suit} {rank}" for suit in ("red", "blue", "green") for rank in (1, 2))
    first, second = tree.children
    assert (first.text, second.text) == (f"runs([{cards}], {{red, blue}})", "runs(red 1, red)")
    assert first.text_shown == "runs of row, (red, blue)"
    assert [part.text_shown for part in first.children] == [
        f"count ({cards}) + count (({cards}) & row)", "count (red, blue)",
    ]  # fmt: skip
    assert [part.text_shown for part in second.children] == ["count red 1 + count (red 1 & row)", "count red"]
    joined = evaluate_query(*state_of_play, "runs((row + {first(row)}), {red}) + runs(row + row, {red})", None)
    assert [part.text_shown for part in joined.children] == [
        "runs of (row + first of row), red",
        "runs of (row + row), red",
    ]


KEPT = """game "Kept" for 2 players ann, ben

== components ==

type Suit is red, blue
piece Card: 3 for each suit: Suit in deck
zone deck holds stack of Card, seen by nobody
zone out holds Card, seen by nobody
note taken: 0..9 = 0, seen by nobody
note reds: 0..9 = 0, seen by nobody
note many: Truth = false, seen by nobody

== setup ==

shuffle deck

== phases ==

phase main, turns from ann, over when deck is empty:
    may take

action take:
    require taken < 6 because "enough"
    add 1 to taken
    if top(deck).suit is red: add 1 to reds
    if reds > 1: set many to true
    move top(deck) to out

== scoring ==

winner highest 1
"""


def test_a_note_seen_by_nobody_is_as_secret_as_what_is_written_to_it(tmp_path: Path) -> None:
    """`why` shows how many cards have been taken, but not how many of them were red, nor what follows from that."""
    path = tmp_path / "kept.rules"
    path.write_text(KEPT, encoding="utf-8")
    state = load(path).start(1)
    assert state.program.model.open_notes == {"taken"}
    values = [evaluate_query(state.program, state.cells, name, 0).value for name in ("taken", "reds", "many")]
    assert values == ["0", "hidden", "hidden"]
