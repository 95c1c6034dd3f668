"""`let` above a requirement: a name for a value that requirements, their reasons and effects use."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.checker import check
from dsl.syntax.parsing import parse
from dsl.text.span import Source
from interpreter.play.game import load
from interpreter.seat.explain.moves import requirements_of

RULES = Path(__file__).parents[1] / "interpreter" / "machine" / "strange" / "named_values.rules"
"""Its examples are run, and its random games compared in both engines, with those of the other strange rules."""


def test_reasons_and_explanations_know_the_name() -> None:
    game = load(RULES)
    state = game.start(3)
    move = state.legal_moves[-1]
    assert (move.name, state.player) == ("buy", "ann")
    rule = game.rules.model.rules["buy"]
    program = state.program
    code = program.legal(state.cells)[-1]
    assert [reason.holds for reason in requirements_of(program, state.cells, rule, code[1:], 0)] == [True] * 3


def codes(old: str, new: str) -> list[str]:
    """The codes of the diagnostics for the rules with a change."""
    text = RULES.read_text("utf-8")
    assert old in text
    tree, unread = parse(Source("named_values.rules", text.replace(old, new)))
    return [found.code for found in (*unread, *(check(tree)[1] if tree is not None and not unread else ()))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("rest >= n", "rest >= n", []),
        ("    let rest = money[me] - price\n", "", ["E0201"]),
        ("    require price", "    require rest > 0 because \"\"\n    require price", ["E0201"]),
        ("    set money[me] to rest\n", "    set money[me] to rest\n    require n is 1 because \"no\"\n", ["E0105"]),
        ("    require price", "    require no rest in 1..3 where rest > n + 9 because \"\"\n    require price", []),
        ("may secretly sell", "may sell", ["E0602"]),
        ("let rest = ", "let n = ", ["E0204", "E0201"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_name(old: str, new: str, expected: list[str]) -> None:
    assert codes(old, new) == expected
