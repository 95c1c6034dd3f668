"""The order of the values of a type: `next`, `previous`, `before`, `after` in faults, leaks and random games."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import load
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.machine.comparing import compared

RANKS = Path(__file__).parent / "rules" / "ranks.rules"


def test_the_examples_hold() -> None:
    results = run_examples(RANKS)
    assert len(results) == 5
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("text", ["asked before winter", "winter after asked"])
def test_none_has_no_place_in_the_order(text: str) -> None:
    state = load(RANKS).start()
    with pytest.raises(PlayError, match="`asked` is none"):
        evaluate_query(state.program, state.cells, text, None)


def test_beyond_the_ends_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "ranks.rules"
    text = RANKS.read_text("utf-8").split("== examples ==")[0]
    path.write_text(text.replace("require season before winter ", "require season is winter "), encoding="utf-8")
    with pytest.raises(PlayError, match=r"there is no `next\(season\)`") as caught:
        load(path).start().push("turn")
    line = int(caught.value.location.rsplit(":", 2)[1])
    assert path.read_text("utf-8").splitlines()[line - 1].strip() == "set season to next(season)"


def test_random_games_are_the_same_however_they_are_played() -> None:
    game = load(RANKS)
    assert compared(game, 0, 20)["games"] == 20


@pytest.mark.parametrize(
    "condition",
    [
        "first(deck).rank before jack", "six after first(deck).rank", "next(first(deck).rank) is jack",
        "previous(first(deck).rank) is six",
    ],
)  # fmt: skip
def test_what_the_order_says_of_a_secret_is_one(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "ranks.rules"
    path.write_text(RANKS.read_text("utf-8").replace("require season before winter", f"require {condition}"), "utf-8")
    with pytest.raises(RulesError, match="would tell the acting seat about the `rank` of pieces in `deck`"):
        load(path)


def test_a_reaction_to_an_order_happens_when_it_becomes_so(tmp_path: Path) -> None:
    path = tmp_path / "ranks.rules"
    text = RANKS.read_text("utf-8").split("== examples ==")[0]
    text = text.replace("season: Season = winter", "season: Season = spring")
    added = "when late: set bid to grand\ndefine late: season after summer and bid is pass\n"
    text = text.replace("define lowest_laid", f"{added}define lowest_laid")
    path.write_text(text, encoding="utf-8")
    state = load(path).start()
    for wanted in ("pass", "grand", "grand"):
        state.push("turn")
        assert evaluate_query(state.program, state.cells, "bid", None).value == wanted
