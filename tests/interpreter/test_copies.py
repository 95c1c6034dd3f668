"""Copies and pickles of states and games: equal to the original, and nothing of it is shared that changes."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dsl.diagnostics import RulesError
from interpreter.engine.seated_game import MAX_SHARED
from interpreter.errors import ExpressionError, IllegalMoveError, PlayError, UsageError
from interpreter.play.game import State, load, reload_game
from interpreter.runtime.chance import ChanceEvent
from tests.support.project import ROOT

GAMES = ("nim", "go_fish", "leduc_poker", "chinesische_mauer")
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "method": State.copy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
}


def played(name: str, decisions: int = 15, traced: bool = False) -> State:
    state, rng = load(name).start(seed=4, traced=traced), random.Random(4)
    while not state.over and state.ply < decisions:
        state.push(rng.choice(state.legal_moves))
    return state


def told(state: State) -> list[Any]:
    seats = (None, *state.game.seats)
    return [state.key(), state.legal_moves, [state.view(seat) for seat in seats], [state.log(seat) for seat in seats]]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", GAMES)
def test_a_copy_is_equal_and_independent(name: str, way: str, traced: bool) -> None:
    state = played(name, traced=traced)
    before = told(state)
    other = COPIES[way](state)
    assert told(other) == before
    assert (other.history, other.chance_results, other.seed) == (state.history, state.chance_results, state.seed)
    rng = random.Random(1)
    for _ in range(5):
        if not other.over:
            other.push(rng.choice(other.legal_moves))
    while other.history:
        other.pop()
    assert told(state) == before
    while state.history:
        state.pop()
    assert told(other) == told(state)


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_continues_with_the_same_chance(way: str) -> None:
    state = played("go_fish")
    other, rng = COPIES[way](state), random.Random(2)
    while not state.over:
        move = rng.choice(state.legal_moves)
        state.push(move)
        other.push(move.notation)
        assert other.key() == state.key()


def last_first(event: ChanceEvent) -> Any:
    return list(reversed(range(event.size))) if event.kind == "shuffle" else 0


def test_supplied_chance_is_pickled_if_possible() -> None:
    state = load("go_fish").start(chance=last_first)
    assert pickle.loads(pickle.dumps(state)).journal.chance is last_first
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(load("go_fish").start(chance=lambda event: last_first(event)))


def test_a_pickled_game_has_its_seats_options_and_variants() -> None:
    game = load("nim", options={"last_loses": True})
    again = pickle.loads(pickle.dumps(game))
    assert (again.name, again.seats, again.options, again.rules.hash) == (
        game.name, game.seats, game.options, game.rules.hash,
    )  # fmt: skip
    assert again.start(3).key() == game.start(3).key()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_game_has_options_of_its_own(way: Callable[[Any], Any]) -> None:
    game = load("nim")
    other = way(game)
    other.options["last_loses"] = "odd"
    assert game.options["last_loses"] != "odd"
    assert other.start(1).key() == game.start(1).key()


READER = """
import pickle, sys
state = pickle.loads(sys.stdin.buffer.read())
state.pop()
print(state.key(), state.ply, len(state.legal_moves))
"""


def test_a_pickle_is_read_in_another_process() -> None:
    state = played("go_fish")
    data = pickle.dumps(state)
    read = subprocess.run([sys.executable, "-c", READER], input=data, capture_output=True, cwd=ROOT, check=True)
    state.pop()
    assert read.stdout.decode().split() == [state.key(), str(state.ply), str(len(state.legal_moves))]


def test_rules_that_changed_or_are_gone_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.rules"
    text = (ROOT / "games" / "nim.rules").read_text("utf-8")
    path.write_text(text, "utf-8")
    data = pickle.dumps(load(path).start())
    reload_game.cache_clear()
    path.write_text(f"{text}\n# a remark changes nothing\n", "utf-8")
    assert pickle.loads(data).legal_moves
    reload_game.cache_clear()
    path.write_text(text.replace('"Nim"', '"Not Nim"'), "utf-8")
    with pytest.raises(UsageError, match="the rules of `x` have changed since the game was pickled"):
        pickle.loads(data)
    path.unlink()
    with pytest.raises(RulesError, match="no such file"):
        pickle.loads(data)


@pytest.mark.parametrize(
    "fail",
    [
        lambda: load("nim").start().push("nothing"),
        lambda: load("nim").start().why("last_loses + +"),
        lambda: load(ROOT / "tests" / "games" / "none.rules"),
    ],
)
def test_errors_can_be_pickled(fail: Callable[[], Any]) -> None:
    with pytest.raises((UsageError, ExpressionError, IllegalMoveError)) as caught:
        fail()
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is caught.type
    assert str(again) == str(caught.value)


def test_an_error_in_a_rule_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(PlayError("a value is missing here", "x.rules:3:5")))
    assert (again.message, again.location) == ("a value is missing here", "x.rules:3:5")


def test_games_with_the_same_rules_seats_and_options_share_what_is_compiled() -> None:
    game = load("chinesische_mauer", 3)
    again = load("chinesische_mauer", 3)
    assert again.rules is game.rules and again.program is game.program
    assert again.compiled(traced=True) is game.compiled(traced=True) is not game.program
    others = [
        load("chinesische_mauer", 4),
        load("chinesische_mauer", 3, options={"won_tokens_visible": "all"}),
        game.without("folding"),
        load("chinesische_mauer", 3, variants=["equal_cards"]),
    ]
    assert len({program_of.program.source for program_of in [game, *others]}) == 5
    assert load("chinesische_mauer", 3, language="de").program.source == game.program.source


def test_few_programs_of_the_same_rules_are_kept() -> None:
    names = ("folding", "fusion", "hoisting", "unrolling", "inlining")
    first = load("nim").without(names[0]).program
    assert load("nim").without(names[0]).program is first
    for name in names[1 : MAX_SHARED + 1]:
        assert load("nim").without(name).program is not first
    assert load("nim").without(names[0]).program is not first
