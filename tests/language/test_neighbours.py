"""`left(seat, seats)` and `right(seat, seats)`: the next one of some seats, in every engine, and what it tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import load
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.engines import same_in_every_engine

NEIGHBOURS = Path(__file__).parent / "rules" / "neighbours.rules"


def test_the_examples_hold() -> None:
    results = run_examples(NEIGHBOURS)
    assert len(results) == 2
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("seats", [2, 4])
def test_every_engine_plays_with_them_alike(seats: int) -> None:
    same_in_every_engine(load(NEIGHBOURS, players=seats), seeds=2, random_games=5)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_they_are_the_first_of_the_circle(seats: int) -> None:
    state = load(NEIGHBOURS, players=seats).start()
    names = ("ann", "ben", "cleo", "dora")[:seats]
    for bits in range(1 << seats):
        chosen = [name for place, name in enumerate(names) if bits >> place & 1]
        for place, name in enumerate(names):
            circle = [*names[place + 1 :], *names[: place + 1]]
            for function, order in (("left", circle), ("right", [*reversed(circle[:-1]), name])):
                text = f"{function}({name}, Player - {{{', '.join(set(names) - set(chosen))}}})"
                wanted = next((other for other in order if other in chosen), "nobody")
                answer = evaluate_query(state.program, state.cells, text.replace(" - {}", ""), None)
                assert answer.value == wanted, text


def test_who_is_next_of_those_with_secret_cards_is_secret(tmp_path: Path) -> None:
    path, text = tmp_path / "hidden.rules", NEIGHBOURS.read_text("utf-8").split("== examples ==")[0]
    text = text.replace("6 for each owner: Player in box", "3 for each red: Truth, owner: Player in box")
    text = text.replace("number(p) of Card from", "number(p) from").replace(
        "me is not in resting", "left(me, holders) is me"
    )
    path.write_text(text, "utf-8")
    assert load(path).start().legal_moves
    path.write_text(text.replace("hand[q] is not empty}", "some c in hand[q] where c.red}"), "utf-8")
    with pytest.raises(RulesError, match="about the `red` of pieces in `hand`"):
        load(path)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("left(me, ann)", "`left` does not accept a seat, a seat"),
        ("left(me, {1})", "`left` does not accept a seat, a set of numbers in 1..1"),
        ("left(holders, me)", "`left` does not accept a set of seats, a seat"),
    ],
)
def test_what_they_do_not_take(tmp_path: Path, call: str, message: str) -> None:
    path = tmp_path / "wrong.rules"
    path.write_text(NEIGHBOURS.read_text("utf-8").replace("left(turn, holders)", call), "utf-8")
    with pytest.raises(RulesError) as caught:
        load(path)
    assert message in str(caught.value)
