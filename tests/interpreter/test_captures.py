"""Names that take arguments in conditions have values in traces and explanations only where the condition holds."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from interpreter.play.game import State, load
from interpreter.play.trace import Timeline
from interpreter.seat.explain.query import evaluate_query

RULES = Path(__file__).parent / "rules" / "captures.rules"


def played(seed: int) -> State:
    """A game that is over, so that nothing is hidden any more, or with an even seed one before its end."""
    state, rng = load(RULES).start(seed), random.Random(seed)
    while not state.over and (seed % 2 == 1 or state.ply < 5):
        state.push(rng.choice(state.legal_moves))
    return state


@pytest.mark.parametrize("as_seat", [None, "ann", "ben"])
@pytest.mark.parametrize("seed", range(8))
def test_traces_tell_what_was_taken(seed: int, as_seat: str | None) -> None:
    told = set[str]()
    for _, event in Timeline(played(seed), as_seat).all_events():
        if event.kind != "condition":
            continue
        values = dict(event.values)
        told.add(event.text)
        name = "n" if "run(n)" in event.text and " and " in event.text else "b"
        if name == "n" and event.verdict is True:
            assert int(values["n"]) > 1
        taken = re.match(r"(run|pair)\((\w+)\)", values.get("latest", ""))
        if "latest is" in event.text and event.verdict is not None and " and " in event.text:
            matches = taken is not None and {"run": "n", "pair": "b"}[taken[1]] == name
            assert values.get(name) == (taken[2] if matches and taken else None)
        if event.verdict is None:
            assert "hidden" in values.values()
    assert any(text.startswith("if latest is run(n) and n > 1: ") for text in told)


@pytest.mark.parametrize("as_seat", [None, "ann", "ben"])
@pytest.mark.parametrize("seed", range(8))
def test_explanations_follow_the_case_that_holds(seed: int, as_seat: str | None) -> None:
    state = played(seed)
    latest = str(state.evaluate("latest"))
    taken = re.fullmatch(r"run\((\d)\)", latest)
    number = int(taken[1]) if taken else 0
    expected = number - 1 if number > 2 else 2 if latest == "pair(true)" else 0
    seat = None if as_seat is None else state.game.seats.index(as_seat)
    for text, value in (
        ("(n + 1 if latest is run(n) else 0)", number + 1 if taken else 0), ("worth(latest)", expected),
    ):  # fmt: skip
        assert evaluate_query(state.program, state.cells, text, seat).value == str(value)
