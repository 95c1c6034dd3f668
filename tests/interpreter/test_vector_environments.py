"""Many games that go on together: the machine engine shows, allows and rewards what Python does."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import regelwerk
from tests.support.library import shipped
from tests.support.project import ROOT
from tests.support.secret_games import ALIKE, rules

np = pytest.importorskip("numpy")

from interpreter.compiler.machine.forms import UnprintableError  # noqa: E402
from interpreter.environments.machine.games import GamesPrinter  # noqa: E402
from interpreter.environments.returns import Returns  # noqa: E402
from interpreter.environments.vectors import MachineVectorEnv, PythonVectorEnv  # noqa: E402

NORMAL = {
    "china", "chinesische_mauer", "cribbage", "dschingis_khan", "klondike", "mauerbauer", "oware", "skat",
    "texas_holdem",
}  # fmt: skip
"""The games of the normal run: choices in parts, secrets, kinds of pieces, rows, notes about pieces, lists, records."""

GAMES = [pytest.param(name, marks=() if name in NORMAL else pytest.mark.long) for name in shipped()]


@pytest.mark.parametrize("name", GAMES)
def test_the_machine_engine_steps_games_as_python_does(name: str, long_run: bool) -> None:
    game = regelwerk.load(name, players=max(regelwerk.load(name).counts))
    assert_same(game, 400 if long_run else 80)


NORMAL_GENERATED = {*range(12), 14, 142}
"""Those of the normal run: 14 has sets of pieces that look the same, 142 sets whose pieces are not sorted by looks."""


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=() if n in NORMAL_GENERATED else pytest.mark.long) for n in range(300)]
)
def test_the_machine_engine_steps_generated_games_as_python_does(number: int, tmp_path: Path) -> None:
    """Pieces that are partly seen, notes about pieces, who sees what depends on notes and pieces."""
    path = tmp_path / "generated.rules"
    path.write_text(rules(number), encoding="utf-8")
    try:
        game = regelwerk.load(path)
    except regelwerk.RulesError:
        pytest.skip("the check refuses it")
    assert_same(game, 25)


def test_moves_that_look_the_same_are_numbered_as_in_python(tmp_path: Path) -> None:
    """More of them than a digit can tell apart, with pieces, with sets of pieces, and with what lies on pieces."""
    path = tmp_path / "alike.rules"
    path.write_text(ALIKE, encoding="utf-8")
    assert_same(regelwerk.load(path), 60)


def assert_same(game: regelwerk.Game, steps: int, returns: Returns = "win") -> None:
    """Step games in both engines; what they show, allow and give is the same."""
    parts = game, game.action_space, game.observation_space, 4, returns
    machine = MachineVectorEnv(*parts)
    python = PythonVectorEnv(*parts, game.start)
    rng = np.random.default_rng(1)
    fast, slow = machine.reset(7), python.reset(7)
    for _ in range(steps):
        assert np.array_equal(fast.seats, slow.seats)
        assert np.array_equal(fast.action_masks, slow.action_masks)
        assert np.allclose(fast.observations, slow.observations, rtol=1e-6, atol=0)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in slow.action_masks])
        if rng.random() < 0.05:
            actions[0] = rng.integers(-1, game.action_space.size + 1)  # legal or not
        fast, slow = machine.step(actions), python.step(actions)
        assert np.array_equal(fast.rewards, slow.rewards)
        assert np.array_equal(fast.terminated, slow.terminated) and np.array_equal(fast.truncated, slow.truncated)


def test_games_begin_anew_when_they_are_over() -> None:
    env = regelwerk.vector_env("connect_four", n=3, seed=5)
    assert env.backend == "machine" and env.n == 3
    for column in (0, 1, 0, 1, 0, 1):
        step = env.step([column, column, 6 - column])
        assert not step.terminated.any()
    step = env.step([0, 5, 6])
    assert step.terminated.tolist() == [True, False, True]
    assert step.rewards.tolist() == [[1, -1], [0, 0], [1, -1]]
    assert np.array_equal(step.observations[0], env.reset(5).observations[0])


def test_an_illegal_action_ends_its_game() -> None:
    for backend in ("python", "machine"):
        env = regelwerk.vector_env(regelwerk.load("tic_tac_toe", backend=backend), 2)
        env.step([4, 3])
        step = env.step(np.array([4, 4]))
        assert step.rewards.tolist() == [[0, -1], [0, 0]] and step.terminated.tolist() == [True, False]
        assert env.backend == backend


@pytest.mark.parametrize("returns", get_args(Returns))
def test_what_is_returned_is_the_same_in_python(returns: Returns) -> None:
    assert_same(regelwerk.load("leduc_poker", players=3), 40, returns)


def test_scores_are_returned_where_they_are_asked_for() -> None:
    env, rng = regelwerk.vector_env("yacht", n=2, returns="score"), np.random.default_rng(3)
    step = env.step([int(np.flatnonzero(mask)[0]) for mask in env.position.action_masks])
    while not step.terminated.any():
        step = env.step([int(rng.choice(np.flatnonzero(mask))) for mask in step.action_masks])
    assert step.rewards.max() > 20


def test_many_games_are_spread_over_several_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.environments import vectors

    monkeypatch.setattr(vectors, "MEMORY_OF_GAMES", 5000)
    small = regelwerk.vector_env("kuhn_poker", n=40, seed=2)
    monkeypatch.undo()
    whole = regelwerk.vector_env("kuhn_poker", n=40, seed=2)
    for _ in range(5):
        actions = [int(np.flatnonzero(mask)[-1]) for mask in whole.position.action_masks]
        assert all(np.array_equal(a, b) for a, b in zip(small.step(actions), whole.step(actions), strict=True))


FAILING = """
game "Failing" for 2 players ann, ben

== components ==

note total: 0..3 = 0

== phases ==

phase counting, turns from ann, over when total is 9:
    must count_on

action count_on:
    set total to total + 1

== scoring ==

winner highest total
"""


def test_a_game_in_which_a_rule_fails_is_truncated(tmp_path: Path) -> None:
    path = tmp_path / "failing.rules"
    path.write_text(FAILING, encoding="utf-8")
    for backend in ("python", "machine"):
        env = regelwerk.vector_env(regelwerk.load(path, backend=backend), n=2)
        for _ in range(3):
            step = env.step([0, 0])
        assert not step.truncated.any()
        step = env.step([0, 0])
        assert step.truncated.tolist() == [True, True] and not step.terminated.any()
        assert not env.step([0, 0]).truncated.any()


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(regelwerk.UsageError):
        regelwerk.vector_env("tic_tac_toe", n=0)
    with pytest.raises(regelwerk.UsageError, match="returns"):
        regelwerk.vector_env("tic_tac_toe", n=1, returns="money")
    with pytest.raises(regelwerk.UsageError, match="loaded"):
        regelwerk.vector_env(regelwerk.load("tic_tac_toe"), n=1, players=2)
    env = regelwerk.vector_env("tic_tac_toe", n=2)
    for actions in ([1], [[1, 2]], [0.5, 1.0]):
        with pytest.raises(regelwerk.UsageError, match="2 actions"):
            env.step(actions)
    for again in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(regelwerk.UsageError, match="cannot be copied or pickled"):
            again(env)


def test_python_steps_what_cannot_be_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(printer: object, extension: object) -> None:
        raise UnprintableError("sets of sets in moves")

    monkeypatch.setattr(GamesPrinter, "extend", refuse)
    with pytest.warns(regelwerk.MachineWarning, match="cannot step sets of sets in moves; Python steps the games"):
        assert regelwerk.vector_env(regelwerk.load("nim", backend="machine"), n=1).backend == "python"
    assert regelwerk.vector_env("nim", n=1).backend == "python"


def test_numpy_is_named_where_it_is_missing() -> None:
    code = "import sys; sys.modules['numpy'] = None\nimport regelwerk\nregelwerk.vector_env('nim', n=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert "need NumPy, which is not installed: pip install 'regelwerk[gymnasium]'" in done.stderr
