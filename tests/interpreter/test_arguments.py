"""Arguments of wrong types passed to the interpreter: each is reported in one line by a fault of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.analysis.playouts import playouts
from interpreter.errors import (
    BoardError,
    IllegalMoveError,
    OptionError,
    PlayersError,
    SaveError,
    UnknownGameError,
    UnknownSeatError,
    UsageError,
    VariantError,
)
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, save_text, write_save
from interpreter.play.saves.model import SaveFile

HUGE = 10**5000
ODD: tuple[Any, ...] = (1.5, b"nim", [], {}, object(), HUGE, float("nan"), -1, True, ("a", 1), {1}, lambda: 0)
"""Handed in everywhere; what fits by chance is left out there."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load("nim")


@pytest.fixture
def state(game: Game) -> State:
    return game.start()


EMPTY = ([], {})


def again(state: State) -> SaveFile:
    return SaveFile.model_validate_json(save_text(state, SaveMeta({})), strict=True)


FULL = tuple(odd for odd in ODD if odd not in EMPTY)
CALLS: dict[str, tuple[Callable[[State, Any], Any], type[Exception], tuple[Any, ...]]] = {
    "load": (lambda s, odd: load(odd), UnknownGameError, (None, *ODD)),
    "players": (lambda s, odd: load("nim", players=odd), PlayersError, (*ODD, "red", "2", [None], ["red", 2])),
    "options": (lambda s, odd: load("nim", options=odd), OptionError, ("a", *(x for x in ODD if x != {}))),
    "option": (lambda s, odd: load("nim", options={"last_loses": odd}), OptionError, [x for x in ODD if x is not True]),
    "board": (lambda s, odd: load("nim", board=odd), BoardError, ODD),
    "variants": (lambda s, odd: load("nim", variants=odd), VariantError, (None, "x", *FULL)),
    "variant": (lambda s, odd: load("nim", variants=[odd]), VariantError, (None, *ODD)),
    "seed": (lambda s, odd: s.game.start(seed=odd), UsageError, ("1", *(x for x in ODD if x not in (-1, None)))),
    "chance": (lambda s, odd: s.game.start(chance=odd), UsageError, ("x", *ODD[:-1])),
    "push": (lambda s, odd: s.push(odd), IllegalMoveError, (None, "", "(", *ODD)),
    "view": (lambda s, odd: s.view(odd), UnknownSeatError, ("", *ODD)),
    "log": (lambda s, odd: s.log(odd), UnknownSeatError, ("", *ODD)),
    "since": (lambda s, odd: s.log(None, odd), UsageError, (None, "1", *(x for x in ODD if x not in (-1, HUGE)))),
    "why": (lambda s, odd: s.why(odd), UsageError, (None, *ODD)),
    "games": (lambda s, odd: playouts(s.game, odd), UsageError, (None, "1", *(x for x in ODD if x is not HUGE))),
    "playouts": (lambda s, odd: playouts(odd, 1), UsageError, (None, "nim", *ODD)),
    "read_save": (lambda s, odd: read_save(odd), SaveError, (None, "", "a\0b", "x" * 5000, *ODD)),
    "write_save": (lambda s, odd: write_save(odd, s, SaveMeta({})), SaveError, (None, *ODD)),
    "resume": (lambda s, odd: resume(odd), SaveError, (None, "", *ODD)),
    "chance of a save": (lambda s, odd: resume(again(s), chance=odd), SaveError, ("x", *ODD[:-1])),
    "moves of a save": (lambda s, odd: resume(again(s), at=odd), UsageError, ("1", *(x for x in ODD if x is not HUGE))),
    "state": (lambda s, odd: save_text(odd, SaveMeta({})), UsageError, (None, "", *ODD)),
    "meta": (lambda s, odd: save_text(s, odd), UsageError, (None, "", *ODD)),
    "seats": (lambda s, odd: save_text(s, SaveMeta(odd)), UsageError, (None, "", {1: 2}, *(x for x in ODD if x != {}))),
    "notes": (lambda s, odd: save_text(s, SaveMeta({}, odd)), UsageError, (None, "x", [1], {}, *FULL)),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_each_wrong_argument_is_reported(name: str, state: State) -> None:
    call, fault, odd = CALLS[name]
    before = state.key()
    for value in odd:
        with pytest.raises(fault) as caught:
            call(state, value)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 6000
    assert state.key() == before


def test_wrong_arguments_of_a_query_are_reported(state: State) -> None:
    for value in (*ODD, None, "--3", "²", "9" * 5000):
        assert state.why("take", from_heap=value).legal in (False, None) or value == 1


def test_seeds_are_numbers_of_64_bits(game: Game) -> None:
    assert game.start(seed=-5).key() == game.start(seed=-5).key()
    for seed in (2**64 - 1, 1 - 2**64):
        assert game.start(seed=seed).seed == seed
    for seed in (2**64, -(2**64), HUGE):
        with pytest.raises(UsageError, match="a seed must be between"):
            game.start(seed=seed)


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "\ud800", "~nobody_of_that_name", "/dev/null", "/"])
def test_names_no_file_can_have(name: str, tmp_path: Path) -> None:
    for call, fault in (
        (lambda: load(f"{name}.rules"), UnknownGameError),
        (lambda: load(f"{name}/x.rules"), UnknownGameError),
        (lambda: load("nim", board=name), BoardError),
        (lambda: load("nim", variants=[f"{name}.rules"]), VariantError),
        (lambda: read_save(name), SaveError),
    ):
        with pytest.raises(fault):
            call()


def test_paths_may_be_strings(state: State, tmp_path: Path) -> None:
    write_save(str(tmp_path / "a.json"), state, SaveMeta({}))
    assert resume(read_save(str(tmp_path / "a.json"))).key() == state.key()
