"""The package for Python programs: loading, playouts, values, and the errors of wrong input."""

from __future__ import annotations

import ast
import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import regelwerk
from interpreter.analysis.playouts import playouts
from interpreter.analysis.random_choices import random_move
from interpreter.play import game as play
from regelwerk import (
    HIDDEN,
    BoardError,
    ExpressionError,
    Game,
    HiddenError,
    IllegalMoveError,
    OptionError,
    PlayError,
    PlayersError,
    RulesError,
    State,
    UnknownGameError,
    UnknownSeatError,
    UsageError,
    VariantError,
    load,
)
from tests.support.project import ROOT

ODD: tuple[Any, ...] = (1.5, b"nim", [], {}, object(), 10**5000, float("nan"), -1, True, ("a", 1), {1}, lambda: 0)


def without(*fitting: object) -> tuple[Any, ...]:
    return tuple(odd for odd in ODD if not any(odd is one or odd == one for one in fitting))


# ---------------------------------------------------------------- loading


def test_seats_are_counted_or_named() -> None:
    assert load("pig").seats == ("ann", "ben")
    assert load("pig", players=3).seats == ("ann", "ben", "cleo")
    assert load("pig", seats=["dan", "ben"]).seats == ("ben", "dan")
    with pytest.raises(PlayersError, match="not both"):
        load("pig", players=2, seats=["ann", "ben"])


def test_a_game_is_a_name_or_a_path_with_options_and_variants() -> None:
    by_name = load("pig", options={"goal": 40})
    by_path = load(ROOT / "games" / "pig.rules", options={"goal": "40"})
    assert by_name.options == by_path.options == {"goal": "40"}
    assert by_name.start(seed=2).key() == load(str(ROOT / "games" / "pig.rules"), options={"goal": 40}).start(2).key()
    assert load("chinesische_mauer", variants=["eight_cards"]).variants == ("eight_cards",)


def test_a_game_without_a_seed_draws_one_of_64_bits() -> None:
    game = load("pig")
    seeds = [game.start(None).seed for _ in range(8)]
    assert len({*seeds}) == 8 and max(seeds) > 1 << 60
    assert game.start(seeds[0]).seed == seeds[0]
    assert game.start().seed == 0


def test_copies_and_pickles_stay_what_they_are() -> None:
    state = load("nim").start(seed=1)
    state.push(state.legal_moves[0])
    for other in (state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert type(other) is State and type(other.game) is Game
        assert other.key() == state.key() and other is not state
    assert type(pickle.loads(pickle.dumps(state.game))) is Game
    plain = play.load("nim")
    assert type(pickle.loads(pickle.dumps(plain))) is play.Game


# ---------------------------------------------------------------- many games


@pytest.mark.parametrize(("name", "players"), [("pig", 3), ("chinesische_mauer", 2), ("hearts", 4)])
def test_playouts_are_the_games_of_simulate_and_of_bots(name: str, players: int) -> None:
    game = load(name, players=players)
    for played, simulated in zip(game.playouts(4, seed=9), playouts(game, 4, 9), strict=True):
        state = game.start(seed=played.seed)
        while not state.over:
            state.push(random_move(state))
        assert state.outcome is not None
        assert (state.outcome.winners, state.outcome.scores, state.outcome.teams) == (*played[1:3], played.teams)
        assert (
            (state.ply, played.winners)
            == (played.decisions, simulated.winners)
            == (simulated.decisions, played.winners)
        )
    assert list(game.playouts(0)) == []
    assert list(game.playouts(3, seed=5)) == list(game.playouts(3, seed=5)) == list(game.playouts(5, seed=3))[2:]


@pytest.mark.parametrize(("name", "players"), [("pig", 3), ("spades", 4)])
def test_every_backend_plays_the_same_games(name: str, players: int) -> None:
    game = load(name, players=players, backend="python")
    games = list(game.playouts(40, seed=7))
    assert list(game.playouts(40, seed=7, backend="machine")) == games
    assert list(load(name, players=players, backend="machine").playouts(40, seed=7)) == games
    columns = game.playout_columns(40, seed=7)
    assert columns == game.playout_columns(40, seed=7, backend="machine")
    assert columns == game.playout_columns(40, seed=7, backend="machine", threads=3)
    assert len(columns) == 40 and list(columns.decisions) == [played.decisions for played in games]
    assert columns.wins() == {seat: sum(seat in played.winners for played in games) for seat in game.seats}
    assert len(game.playout_columns(0)) == 0 and game.playout_columns(0).wins() == dict.fromkeys(game.seats, 0)


# ---------------------------------------------------------------- values

KINDS = """game "Kinds" for 2 players ann, ben

== components ==

type Word is hidden, shown
piece Card: 1 for each rank: 1..4, owner: Player in hand[owner]
zone hand[p: Player] holds Card, seen by p, owner seen by all
zone line holds row of Card
zone pile holds stack of Card
note score: 0..9 = 7
note leader: Player or nobody = nobody
note word: Word = hidden
note private[p: Player]: 0..9 = 3, seen by p
note marked: several 1..5 = {2, 4}
define ratio(n: 0..9): 10 - n

== phases ==

phase main, turns from ann, over when score is 9:
    must lay or pile_up or win

action lay(c in hand[me]):
    move c to line

action pile_up(c in hand[me]):
    move c to pile

action win:
    add 9 to score

== scoring ==

winner highest score
"""


@pytest.fixture
def kinds(tmp_path: Path) -> State:
    path = tmp_path / "kinds.rules"
    path.write_text(KINDS, encoding="utf-8")
    return load(path).start()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("score", 7), ("ratio(score) + 1", 4), ("score < 9", True), ("leader", None), ("leader is nobody", True),
        ("word", "hidden"), ("marked", (2, 4)), ("me", "ann"), ("count hand[ben]", 4), ("line", ()),
        ("hand[ann]", ("ann 1", "ann 2", "ann 3", "ann 4")), ("private[ben]", 3), ("{ann}", ("ann",)),
        ("Player", ("ann", "ben")),
    ],
)  # fmt: skip
def test_values_are_plain_python(kinds: State, text: str, value: object) -> None:
    found = kinds.evaluate(text)
    assert found == value and type(found) is type(value)


def test_rows_and_stacks_are_in_their_order(kinds: State) -> None:
    for move in ("lay(ann 3)", "lay(ben 1)", "lay(ann 1)", "pile_up(ben 4)", "pile_up(ann 2)"):
        kinds.push(move)
    assert kinds.evaluate("line", "ben") == ("ann 3", "ben 1", "ann 1")
    assert kinds.evaluate("pile") == ("ann 2", "ben 4")


def test_what_a_seat_may_not_know_is_refused(kinds: State) -> None:
    assert kinds.evaluate("hand[ann]", "ann") == kinds.evaluate("hand[ann]")
    assert kinds.evaluate("count hand[ann]", "ben") == 4
    assert kinds.view("ben").notes["private[ann]"] == HIDDEN
    for text in ("hand[ann]", "private[ann]", "private[ann] + 1", "hand[me]"):
        with pytest.raises(HiddenError, match="`ben` may not know"):
            kinds.evaluate(text, "ben")


@pytest.mark.parametrize(
    "text", ["", "(", "\0", "nothing_of_that_name", "hand", "1 +", "ratio", "[ann]", '"x"', "9" * 5000]
)
def test_what_is_no_expression_is_refused_with_diagnostics(kinds: State, text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        kinds.evaluate(text)
    assert caught.value.diagnostics


# ---------------------------------------------------------------- errors

CALLS: dict[str, tuple[Callable[[State, Any], Any], type[Exception], tuple[Any, ...]]] = {
    "game": (lambda s, odd: load(odd), UnknownGameError, (None, "", "ne", "a\0b", "/", *ODD)),
    "players": (lambda s, odd: load("nim", players=odd), PlayersError, (0, 99, "2", ["red"], *ODD)),
    "seats": (lambda s, odd: load("nim", seats=odd), PlayersError, ("first", 2, ["x", "y"], [1, 2], *ODD)),
    "options": (lambda s, odd: load("nim", options=odd), OptionError, ("x", {"x": 1}, *without({}))),
    "variants": (lambda s, odd: load("nim", variants=odd), VariantError, (None, "x", ["x"], *without([], {}))),
    "board": (lambda s, odd: load("nim", board=odd), BoardError, ("x", *ODD)),
    "seed": (lambda s, odd: s.game.start(seed=odd), UsageError, ("1", 2**64, *without(-1))),
    "chance": (lambda s, odd: s.game.start(chance=odd), UsageError, ("x", *ODD[:-1])),
    "count": (lambda s, odd: s.game.playouts(odd), UsageError, (None, "1", *without(10**5000))),
    "first seed": (lambda s, odd: list(s.game.playouts(1, odd)), UsageError, (None, "1", *without(-1))),
    "move": (lambda s, odd: s.push(odd), IllegalMoveError, (None, "", "x", *ODD)),
    "viewer": (lambda s, odd: s.view(odd), UnknownSeatError, ("", "x", *ODD)),
    "reader": (lambda s, odd: s.log(odd), UnknownSeatError, ("", "x", *ODD)),
    "expression": (lambda s, odd: s.evaluate(odd), UsageError, (None, *ODD)),
    "asker": (lambda s, odd: s.evaluate("1", odd), UnknownSeatError, ("", "x", *ODD)),
    "question": (lambda s, odd: s.why(odd), UsageError, (None, *ODD)),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_wrong_input_raises_an_error_of_the_package(name: str) -> None:
    state = load("nim").start()
    call, fault, odd = CALLS[name]
    before = state.key()
    for value in odd:
        with pytest.raises(fault) as caught:
            call(state, value)
        assert isinstance(caught.value, UsageError)
        assert not isinstance(caught.value, IllegalMoveError) or fault is IllegalMoveError
        assert "\n" not in str(caught.value)
    assert state.key() == before


def test_rules_with_errors_and_rules_that_fail(tmp_path: Path) -> None:
    path = tmp_path / "kinds.rules"
    path.write_text(KINDS.replace("add 9 to score", "add 9 to scor"), encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load(path)
    assert caught.value.diagnostics
    path.write_text(KINDS, encoding="utf-8")
    game = load(path)
    with pytest.raises(PlayError):
        game.start().push("win")
    with pytest.raises(PlayError):
        list(game.playouts(20))
    with pytest.raises(IllegalMoveError):
        game.start().pop()


def test_nothing_for_screens_is_imported() -> None:
    code = (
        "import sys, regelwerk; regelwerk.load('nim').start().view(None).as_data();"
        "print(sorted({'rich', 'textual', 'typer', 'cli'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_everything_listed_is_there() -> None:
    assert all(hasattr(regelwerk, name) for name in regelwerk.__all__)
    assert regelwerk.__all__ == sorted(regelwerk.__all__, key=lambda name: (not name.isupper(), name))


def test_the_package_imports_what_it_exports_at_first_use() -> None:
    code = (
        "import sys, regelwerk; print(sorted(name for name in sys.modules if name.startswith(('interpreter', 'dsl'))));"
        "assert {'Bot', 'Game', 'load'} <= set(dir(regelwerk));"
        "regelwerk.load('nim').start();"
        "print(sorted({'interpreter.analysis', 'interpreter.opponents', 'interpreter.laboratory'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"


def test_names_have_the_meaning_that_type_checkers_read() -> None:
    tree = ast.parse(Path(regelwerk.__file__).read_text(encoding="utf-8"))
    declared = {
        alias.name: statement.module
        for block in tree.body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }
    assert sorted(declared) == sorted(regelwerk.__all__)
    for name, module in declared.items():
        assert getattr(regelwerk, name) is getattr(import_module(module), name)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module `regelwerk` has no attribute `Pawn`"):
        regelwerk.Pawn  # noqa: B018


def test_games_and_states_are_one_helpful_line() -> None:
    game = regelwerk.load("go", options={"size": 13})
    state = game.start()
    assert repr(game) == "<Game Go: black, white, size=13>"
    assert repr(state) == "<State of Go: 0 decisions made, black decides>"


def test_saves_are_resumed_as_states_of_the_package(tmp_path: Path) -> None:
    state = load("chinesische_mauer", players=3).start(seed=2)
    for _ in range(9):
        state.push(random_move(state))
    state.save(tmp_path / "game.json")
    again = regelwerk.resume(tmp_path / "game.json")
    assert type(again) is State and type(again.game) is Game
    assert again.key() == state.key() and [made.notation for made in again.history] == [
        made.notation for made in state.history
    ]
    again.push(again.legal_moves[0])
    again.pop()
    assert pickle.loads(pickle.dumps(again)).key() == state.key()
    assert again.search_state().legal_moves
    assert regelwerk.resume(tmp_path / "game.json", at=4).ply == 4
    with pytest.raises(regelwerk.SaveError, match="cannot write"):
        state.save(tmp_path / "missing" / "game.json")
    with pytest.raises(regelwerk.SaveError, match="there is no save"):
        regelwerk.resume(tmp_path / "none.json")
