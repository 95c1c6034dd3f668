"""None as a value like any other: offered for a parameter that may be none, and what functions give of none."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import State, load
from interpreter.examples.suite import run_examples
from interpreter.narrowing import Narrowing
from interpreter.notation.moves import rendered
from tests.interpreter.engines import same_in_every_engine

RULES = Path(__file__).parent / "rules"


@pytest.mark.parametrize("name", ["none_functions", "optional_parameters"])
def test_the_examples_hold(name: str) -> None:
    results = run_examples(RULES / f"{name}.rules")
    assert results
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", ["none_functions", "optional_parameters"])
def test_every_engine_plays_it_the_same(name: str, players: int) -> None:
    same_in_every_engine(load(RULES / f"{name}.rules", players))


@pytest.fixture
def state() -> State:
    return load(RULES / "optional_parameters.rules", 2).start(seed=1)


def test_none_is_offered_after_the_other_values(state: State) -> None:
    offered = [move.notation for move in state.legal_moves]
    assert [text for text in offered if text.startswith("rob")] == [
        "rob(a, ben)", "rob(a, nobody)", "rob(b, ben)", "rob(b, nobody)"
    ]  # fmt: skip
    assert [text for text in offered if text.startswith("say")] == [
        "say(pass)", "say(run(1))", "say(run(2))", "say(flagged(false))", "say(none)"
    ]  # fmt: skip
    assert [text for text in offered if text.startswith("see")] == ["see(a)", "see(none)"]


@pytest.mark.parametrize("text", ["rob(a, nobody)", "put(none, none, false)", "see(none)"])
def test_a_move_with_none_can_be_written(state: State, text: str) -> None:
    assert state.why(text).legal is True
    state.push(text)
    assert state.ply == 1


def test_the_label_of_a_move_with_none_names_it(state: State) -> None:
    assert state.why("go to a and rob nobody").legal is True
    assert "go to a and rob nobody" in [move.label for move in rendered(state.legal_moves)]


def test_what_is_not_legal_with_none_has_its_reason(state: State) -> None:
    state.push("put(none, none, none)")
    refused = state.why("hit(nobody, none)")
    assert refused.legal is False
    assert [reason.text for reason in refused.reasons if not reason.holds] == ["again"]


def test_narrowing_asks_for_none_as_for_any_value(state: State) -> None:
    narrowing = Narrowing(rendered(state.legal_moves))
    moves = {move.notation for move in narrowing.moves}
    while narrowing.move is None:
        step = narrowing.step(lambda words: len(words) <= 30)
        assert {move.notation for move in step.moves} <= moves
        narrowing = narrowing.answer(step.candidates[-1])
    assert "none" in narrowing.move.notation


OPTION = """game "Option" for 2 players ann, ben
option favourite: Player or nobody = nobody
== components ==
note n: 0..9 = 0
== phases ==
phase play, turns from ann, over when n > 3:
    must go
action go:
    "go"
    add (2 if favourite is me else 1) to n
== scoring ==
winner favourite is me or favourite is nobody
"""


def test_an_option_may_be_nobody(tmp_path: Path) -> None:
    path = tmp_path / "option.rules"
    path.write_text(OPTION, encoding="utf-8")
    for favourite, decisions in (("nobody", 4), ("ann", 3)):
        state = load(path, 2, options={"favourite": favourite}).start(seed=1)
        while not state.over:
            state.push("go")
        assert state.ply == decisions
