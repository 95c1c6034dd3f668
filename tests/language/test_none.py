"""None as a value like any other: offered for a parameter that may be none, and what functions give of none."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import State, load
from interpreter.seat.narrowing import Narrowing
from interpreter.seat.notation.moves import rendered
from tests.interpreter.engines import same_in_every_engine
from tests.interpreter.lockstep import play, programs, same_playout

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


ROBBING = """game "Robbing" for 2 players ann, ben
== components ==
type Place is a, b
note at: Place = a
note n: 0..9 = 0
== phases ==
phase play, turns from ann, over when n is 3:
    must rob
action rob(x: Place, p: Player or nobody):
    "go to {x} and rob {p}"
    require p is not me                     because "not you"
    set at to x
    add 1 to n
== scoring ==
winner at is a
"""


def test_a_seat_or_nobody_is_offered_with_a_place(tmp_path: Path) -> None:
    path = tmp_path / "robbing.rules"
    path.write_text(ROBBING, encoding="utf-8")
    state = load(path, 2).start(seed=1)
    for other in ("ben", "ann", "ben"):
        offered = [move.notation for move in state.legal_moves]
        assert offered == [f"rob({place}, {whom})" for place in "ab" for whom in (other, "nobody")]
        state.push(offered[-1])
    assert state.over
    same_in_every_engine(load(path, 2))


BEYOND = """game "Beyond" for 2 players ann, ben
== components ==
type Cell from grid(3, 3)
type Way from directions(Cell)
note last_cell: Cell or none = none
== phases ==
phase moving, turns from ann, over when last_cell is not none:
    must go
action go(c: Cell):
    require next(next(c, north), east) is not none because "too far"
    set last_cell to c
== scoring ==
winner last_cell is a1
"""


def test_beyond_the_edge_there_is_none_without_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "beyond.rules"
    path.write_text(BEYOND, encoding="utf-8")
    state = load(path, 2).start(seed=1)
    assert [move.notation for move in state.legal_moves] == ["go(a1)", "go(b1)", "go(a2)", "go(b2)"]
    refused = state.why("go(c3)")
    assert refused.legal is False
    assert [reason.text for reason in refused.reasons if not reason.holds] == ["too far"]
    same_in_every_engine(load(path, 2))


UNSEEN = """game "Unseen or none" for 2 players ann, ben
== components ==
type Rank is one, two
piece Card: 2 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone line holds row of Card, seen by (all if n is 2 else {})
zone open holds Card
note n: 0..9 = 0
== setup ==
shuffle deck
move 2 from deck to line
== phases ==
phase play, turns from ann, over when n > 5:
    must turn_up
action turn_up(c: Card or none):
    "turn up {c}"
    require c is not none or n is not 1     because "a card, please"
    if c is not none: move c to open
    add 1 to n
== scoring ==
winner n > 5
"""


def test_none_is_offered_after_pieces_that_the_seat_may_not_see(tmp_path: Path) -> None:
    path = tmp_path / "unseen.rules"
    path.write_text(UNSEEN, encoding="utf-8")
    game = load(path, 2)
    state = game.start(seed=3)
    hidden = [f"turn_up(nth({number}, {zone}))" for zone in ("deck", "line") for number in (1, 2)]
    assert [move.notation for move in state.legal_moves] == [*hidden, "turn_up(none)"]
    state.push("turn_up(none)")
    assert [move.notation for move in state.legal_moves] == hidden
    state.push(hidden[0])
    assert [move.notation for move in state.legal_moves][-2:] == ["turn_up(card)", "turn_up(none)"]
    compiled = programs(game)
    for seed in range(4):
        same_playout(game, seed, play(compiled, 2, seed, journal=seed % 2 == 1))
