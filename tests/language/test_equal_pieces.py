"""Moves that no rule can tell apart are one; moves that differ are written, and shown, differently."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from interpreter.play.game import State, load

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


def test_moves_are_told_apart_by_notation_and_label() -> None:
    for seed in range(20):
        state, random_moves = load(RULES).start(seed), random.Random(seed)
        while not state.over:
            for words in ([move.notation for move in state.legal_moves], [move.label for move in state.legal_moves]):
                assert not [text for text, times in Counter(words).items() if times > 1]
            state.push(random_moves.choice(state.legal_moves).notation)
