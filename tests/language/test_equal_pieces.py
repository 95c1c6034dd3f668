"""Moves that no rule can tell apart are one; moves that differ are written, and shown, differently."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from interpreter.play.game import State, load
from interpreter.wording.words import OWN

RULES = Path(__file__).parents[1] / "interpreter" / "machine" / "strange" / "equal_pieces.rules"
"""Six pieces of two colours, chosen in every way in which rules can offer pieces."""


def moves(state: State, name: str) -> list[str]:
    return [move.notation for move in state.legal_moves if move.name == name]


def test_equal_pieces_are_offered_once_however_the_rules_name_them() -> None:
    state = load(RULES).start(1)
    assert moves(state, "take") == ["take(red)", "take(blue)"]
    assert moves(state, "any") == ["any(red)", "any(blue)"]
    assert moves(state, "pair") == ["pair(red)", "pair(none)"]
    assert moves(state, "handful") == ["handful([red])", "handful([red, red])"]
    assert moves(state, "mark") == ["mark(blue)"]
    state.push("some_one")
    assert moves(state, "choose") == ["choose(red)", "choose(blue)"]


def test_a_piece_with_something_on_it_is_another() -> None:
    state = load(RULES).start(1)
    state.push("mark(blue)")
    labels = [move.label for move in state.legal_moves if move.name == "take"]
    assert labels == ["take red", "take blue (#3)", "take blue (#4)"]
    assert moves(state, "take") == ["take(red)", "take(blue #3)", "take(blue #4)"]


def test_why_knows_pieces_by_number_and_by_place() -> None:
    state = load(RULES).start(1)
    state.push("mark(blue)")
    for number in (3, 4):
        assert state.why(f"take(blue #{number})").headline.startswith(f"`take(blue #{number})` is legal")
    assert "is legal" not in state.why("take(blue #1)").headline
    state = load("chinesische_mauer").start(seed=1)
    rng = random.Random(1)
    while not (exact := [move.notation for move in state.legal_moves if "nth(" in move.notation]):
        state.push(rng.choice(state.legal_moves))
    assert [state.why(notation).headline for notation in exact] == [f"`{notation}` is legal" for notation in exact]


def test_moves_are_told_apart_by_notation_and_label() -> None:
    for seed in range(20):
        state, random_moves = load(RULES).start(seed), random.Random(seed)
        while not state.over:
            for words in ([move.notation for move in state.legal_moves], [move.label for move in state.legal_moves]):
                assert not [text for text, times in Counter(words).items() if times > 1]
            state.push(random_moves.choice(state.legal_moves).notation)


IN_A_ROW = """game "In a row" for 2 players ann, ben

== components ==

type Colour is red, blue
piece Chip: 2 for each colour: Colour in bag
piece Counter: 4 in box
zone bag holds Chip
zone box holds Counter
zone line holds row of Chip
zone on[c: Chip] holds Counter
note wear[c: Chip]: 0..9 = 0

names:
    wear[c] "wear of {c}"
    on[c]   "on {c}"

== setup ==

move bag to line

== phases ==

phase main, turns from ann, over when box is empty:
    must mark

action mark(c in line):
    "mark {c}"
    add 1 to wear[c]
    move 1 from box to on[c]

== scoring ==

winner highest 1
"""


def test_the_log_tells_equal_pieces_in_a_row_apart(tmp_path: Path) -> None:
    path = tmp_path / "in_a_row.rules"
    path.write_text(IN_A_ROW, encoding="utf-8")
    state = load(path, language=OWN).start(1)
    state.push("mark(nth(2, line))")
    assert state.log("ben")[-1].details == (
        "wear of red (number 2 of line): 0 → 1", "counter: box → on red (number 2 of line)",
    )  # fmt: skip
