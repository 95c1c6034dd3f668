"""Loops and tables over two things, steps that only require, and numbers of pieces that rest on definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.loading.rules import load_rules
from interpreter.play.game import State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.seat.views.model import ValueCell

STALLS = Path(__file__).parents[1] / "games" / "small" / "stalls.rules"
RULES = """game "Pairs" for 2 to 3 players ann, ben, cat
option size: 1..9 = 2

== components ==

type Shade is white, black
type Cell from grid(3, 3)
type Side from beside(Cell)
by players  2  3:
    many    1  4
define enough: 2 * size + many
define corner_way: count path(a1, b3, Side)
DECLARED
piece Card: AMOUNT for each shade: Shade in deck
zone deck holds stack of Card
zone hand[p: Player] holds row of Card, seen by p
zone open[p: Player] holds Card
note seen: 0..99 = 0
note order[n: 0..20]: Player or nobody = nobody
TABLE

== phases ==

phase main:
    each player from ann to ann: must pass_on or count_up
    end game

action pass_on:
    for each p in Player with c in hand[p]: move c to hand[left(p)]
action count_up:
    for each p in Player with q in Player where p is not q:
        set order[seen] to q
        add 1 to seen
action ask:
    for each p in Player with c in hand[p]:
        move c to hand[left(p)]
        must mark or leave
action mark: add 1 to seen
action leave:
    add 0 to seen

== scoring ==

winner highest 1

== examples ==

EXAMPLES
"""
NOTHING = 'example "it is there":\n    then count deck is count Card'


def rules(tmp_path: Path, examples: str = NOTHING, amount: str = "enough", declared: str = "", table: str = "") -> Path:
    text = RULES.replace("action mark: add", "action mark:\n    add")
    for name, part in {"EXAMPLES": examples, "AMOUNT": amount, "DECLARED": declared, "TABLE": table}.items():
        text = text.replace(name, part)
    path = tmp_path / "pairs.rules"
    path.write_text(text, encoding="utf-8")
    return path


def failures(path: Path) -> list[str]:
    return [failure for result in run_examples(path) for failure in result.failures]


def texts(state: State, title: str, seat: str | None) -> list[list[str]]:
    """The rows of a table as text."""
    table = next(table for table in state.view(seat).tables if table.title == title)
    return [[cell.text if isinstance(cell, ValueCell) else "" for cell in row] for row in table.rows]


# ---------------------------------------------------------------- loops


@pytest.mark.parametrize(("action", "answers"), [("pass_on", 0), ("ask", 4)])
def test_a_loop_iterates_over_the_pairs_that_exist_when_it_begins(tmp_path: Path, action: str, answers: int) -> None:
    lines = [
        'example "each card moves once":',
        "given hand[ann] is [white, black]",
        "and hand[ben] is [2 black]",
        f"when ann: {action}",
        *["when ann: mark"] * answers,
        "then hand[ben] is [white, black]",
        "and hand[ann] is [2 black]",
        f"and seen is {answers}",
    ]
    assert failures(rules(tmp_path, "\n    ".join(lines))) == []


def test_the_first_name_changes_slowest(tmp_path: Path) -> None:
    lines = [
        'example "in order":',
        "given players ann, ben, cat",
        "when ann: count_up",
        "then seen is 6",
        *(f"and order[{index}] is {seat}" for index, seat in enumerate(["ben", "cat", "ann", "cat", "ann", "ben"])),
    ]
    assert failures(rules(tmp_path, "\n    ".join(lines))) == []


def test_a_waiting_loop_continues_after_undo_and_from_a_save(tmp_path: Path) -> None:
    game = load(STALLS, players=2)
    state = game.start(seed=5)
    while "restock" not in [move.name for move in state.legal_moves]:
        state.push(state.legal_moves[0])
    before = state.key()
    state.push(state.legal_moves[0])
    state.pop()
    assert state.key() == before
    state.push(state.legal_moves[0])
    path = tmp_path / "stalls.json"
    write_save(path, state, SaveMeta({"ann": "human", "ben": "human"}))
    assert resume(read_save(path)).key() == state.key()


# ---------------------------------------------------------------- tables


def test_a_table_has_a_row_for_each_pair() -> None:
    state = load(STALLS, players=2).start(seed=1)
    rows = texts(state, "Stalls", "ann")
    assert [row[:2] for row in rows] == [[s, g] for s in ("gate", "harbour") for g in ("salt", "tea", "silk")]
    state.push("buy(gate, tea)")
    assert ["gate", "tea"] not in [row[:2] for row in texts(state, "Stalls", "ann")]


def test_the_second_name_of_a_table_may_depend_on_the_first(tmp_path: Path) -> None:
    table = 'table "Open" for each p in Player with c in open[p] where c is white:\n    "Seat": p\n    "Card": c'
    path = rules(tmp_path, table=table)
    assert texts(load(path).start(), "Open", None) == []


@pytest.mark.parametrize(
    "table",
    [
        'table "T" for each p in Player with c in hand[p]:\n    "Shade": c.shade',
        'table "T" for each s in Shade with c in hand[ann] where c.shade is s:\n    "Shade": s',
        'table "T" for each c in hand[ann] with s in {c.shade}:\n    "Shade": s',
    ],
)
def test_no_table_over_two_things_shows_what_is_hidden(tmp_path: Path, table: str) -> None:
    with pytest.raises(RulesError) as raised:
        load_rules(rules(tmp_path, table=table))
    assert {found.code for found in raised.value.diagnostics if found.severity == "error"} == {"E0601"}


def test_a_table_over_two_things_is_not_drawn_on_the_board(tmp_path: Path) -> None:
    table = 'table "T" for each c in Cell with s in Shade, on board:\n    "Cell": c'
    with pytest.raises(RulesError) as raised:
        load_rules(rules(tmp_path, table=table))
    assert [found.code for found in raised.value.diagnostics if found.severity == "error"] == ["E0757"]


# ---------------------------------------------------------------- how many pieces there are


@pytest.mark.parametrize(
    ("amount", "players", "size", "count"),
    [
        ("enough", 2, 1, 3),
        ("enough", 3, 9, 22),
        ("count Player * size", 3, 4, 12),
        ("corner_way + 1", 2, 1, 4),
        ("count reach(a1, Side)", 2, 1, 9),
        ("count groups(Cell, Side)", 2, 1, 1),
        ("(enough if size > 3 else size - 2)", 2, 2, 0),
    ],
)
def test_the_number_of_pieces(tmp_path: Path, amount: str, players: int, size: int, count: int) -> None:
    game = load(rules(tmp_path, amount=amount), players=players, options={"size": size})
    assert len(game.start().view(None).zones["deck"].pieces) == 2 * count


@pytest.mark.parametrize(("amount", "size", "count"), [("size - 5", 2, -3), ("size * 200", 6, 1200)])
def test_a_number_of_pieces_out_of_range_is_an_error_with_its_line(
    tmp_path: Path, amount: str, size: int, count: int
) -> None:
    game = load(rules(tmp_path, amount=amount), options={"size": size})
    with pytest.raises(PlayError, match=rf"pairs.rules:14:13: there may be 0 to 999 of each piece, not {count}"):
        game.start()


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ("define changing: count deck", "`changing` depends on `deck`"),
        ("define changing: rest + 1\ndefine rest: seen", "`changing` depends on `seen`"),
        ("define changing: (1 if me is ann else 2)", "`changing` depends on `me`"),
        ("die cube: 1, 2\ndefine changing: cube", "`changing` depends on `cube`"),
        ("option luck: 1..3 or random = random\ndefine changing: luck", "`changing` depends on `luck`"),
        ("define changing: count Card", "`changing` depends on `Card`"),
    ],
)
def test_a_definition_that_depends_on_play_cannot_number_pieces(tmp_path: Path, declared: str, told: str) -> None:
    with pytest.raises(RulesError) as raised:
        load_rules(rules(tmp_path, amount="changing", declared=declared))
    found = [found for found in raised.value.diagnostics if found.code == "E0341"]
    assert [one.message for one in found] == [f"the number of pieces must be known before the game begins, but {told}"]
