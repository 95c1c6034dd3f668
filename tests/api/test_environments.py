"""Environments of PettingZoo and Gymnasium: what these packages require of every environment, and what games return."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import regelwerk
from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.sampling import Sampler
from tests.support.library import shipped

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402

from regelwerk import gymnasium, pettingzoo  # noqa: E402

NORMAL = {"china", "connect_four", "kuhn_poker", "mauerbauer", "rock_paper_scissors", "spades", "yacht"}
"""The games of the normal run: moves in parts, hidden cards, simultaneous choices, teams, a game for one."""

GAMES = [pytest.param(name, marks=() if name in NORMAL else pytest.mark.long) for name in shipped()]


def quietly(check: Callable[..., object], *arguments: Any, **named: Any) -> None:
    """Make a check without its advice: names such as `player_0`, spaces that are no boxes, rewards that are 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(*arguments, **named)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_an_environment_of_pettingzoo(name: str) -> None:
    game = regelwerk.load(name)
    quietly(api_test, pettingzoo.env(game), num_cycles=60)
    quietly(seed_test, lambda: pettingzoo.env(game), num_cycles=20)
    quietly(parallel_api_test, pettingzoo.parallel_env(game), num_cycles=60)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_an_environment_of_gymnasium(name: str) -> None:
    quietly(check_env, gymnasium.env(name, render_mode="ansi"), skip_render_check=False)


def random_game(env: Any, seed: int) -> dict[str, float]:
    """Play a game of PettingZoo at random; what each seat gets."""
    env.reset(seed=seed)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        returns[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over else int(rng.choice(legal)))
    return returns


def test_the_winner_of_two_gets_1_and_the_loser_loses_1() -> None:
    env = pettingzoo.env("connect_four", render_mode="ansi")
    env.reset(seed=1)
    for column in (0, 1, 0, 1, 0, 1, 0):
        env.step(column)
    assert (env.terminations, env.rewards) == ({"red": True, "yellow": True}, {"red": 1.0, "yellow": -1.0})
    lines = env.render().splitlines()
    assert lines[0] == "the game is set up" and "red: drop a disc to a1" in lines
    assert env.render() == ""


@pytest.mark.parametrize(("name", "players"), [("china", 3), ("spades", 4), ("kuhn_poker", 2), ("no_thanks", 5)])
def test_returns_are_zero_sum_over_seats_or_teams(name: str, players: int) -> None:
    env = pettingzoo.env(name, players=players)
    for seed in range(2):
        returns = random_game(env, seed)
        assert sum(returns.values()) == pytest.approx(0)
        assert all(-1 <= number <= 1 for number in returns.values())


def test_teams_get_the_same_and_games_for_one_all_or_nothing() -> None:
    returns = random_game(pettingzoo.env("spades"), 3)
    assert returns["north"] == returns["south"] == -returns["east"] == -returns["west"]
    assert random_game(pettingzoo.env("golf"), 3) in ({"ann": 1.0}, {"ann": -1.0})
    assert random_game(pettingzoo.env("yacht", returns="score"), 3)["ann"] > 20


def test_an_illegal_action_ends_the_game() -> None:
    env = pettingzoo.env("tic_tac_toe")
    for illegal in (4, 9, -1):
        env.reset(seed=1)
        env.step(4)
        env.step(illegal)
        assert env.rewards == {"cross": 0, "nought": -1}
        gained = {}
        for agent in env.agent_iter():
            _, gained[agent], terminated, _, _ = env.last()
            assert terminated
            env.step(None)
        assert gained == {"cross": 0, "nought": -1}
    parallel = pettingzoo.parallel_env("tic_tac_toe")
    parallel.reset(seed=1)
    parallel.step({"cross": 4, "nought": 9})
    _, returns, over, _, _ = parallel.step({"cross": 9, "nought": 4})
    assert (returns, over, parallel.agents) == ({"cross": 0.0, "nought": -1.0}, {"cross": True, "nought": True}, [])
    single = gymnasium.env("tic_tac_toe")
    _, info = single.reset(seed=3)
    single.step(int(np.flatnonzero(info["action_mask"])[0]))
    _, reward, terminated, _, info = single.step(int(np.flatnonzero(single.action_masks() == 0)[0]))
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)


def test_a_seat_of_gymnasium_plays_against_bots() -> None:
    env = gymnasium.env("connect_four", seat="yellow", bots={"red": "greedy"})
    observation, info = env.reset(seed=5)
    names = env._game.observation_space.names
    assert dict(zip(names, observation, strict=True))["looks: yellow"] == 1
    over, steps = False, 0
    while not over:
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        steps += 1
    assert reward in (-1.0, 0.0, 1.0) and steps >= 3
    anywhere = gymnasium.env("connect_four", seat="any")
    seats = set()
    for seed in range(12):
        anywhere.reset(seed=seed)
        seats.add(anywhere.seat)
    assert seats == {0, 1}


def test_a_bot_that_moves_at_random_for_lack_of_a_state_warns_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: object, *_: object, **__: object) -> None:
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)
    env = gymnasium.env("kuhn_poker", seat="ben", bots="greedy")
    with pytest.warns(RuntimeWarning, match="ann moves at random: no state was found in time") as told:
        for seed in range(3):
            env.reset(seed=seed)
    assert len(told) == 1


def test_several_games_of_gymnasium_go_on_together() -> None:
    envs = gymnasium.vector_env("kuhn_poker", 5, seat="ben", bots="random")
    observations, infos = envs.reset(seed=2)
    assert observations.shape == (5, envs.single_observation_space.shape[0])
    for _ in range(6):
        actions = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in infos["action_mask"]]
        observations, rewards, over, _, infos = envs.step(np.array(actions))
        assert rewards.shape == over.shape == (5,)


def test_wrong_arguments_are_refused() -> None:
    game = regelwerk.load("tic_tac_toe")
    for make in (pettingzoo.env, pettingzoo.parallel_env, gymnasium.env):
        with pytest.raises(regelwerk.UsageError, match="returns"):
            make(game, returns="money")
        with pytest.raises(regelwerk.UsageError, match="ansi"):
            make(game, render_mode="human")
        with pytest.raises(regelwerk.UsageError, match="loaded"):
            make(game, players=2)
    with pytest.raises(regelwerk.UnknownSeatError):
        gymnasium.env(game, seat="ann")
    with pytest.raises(regelwerk.UsageError, match="no bot"):
        gymnasium.env(game, bots="nobody")


def test_wrong_calls_are_refused() -> None:
    game = regelwerk.load("tic_tac_toe")
    single, turns, steps = gymnasium.env(game), pettingzoo.env(game), pettingzoo.parallel_env(game)
    for call in (lambda: single.step(0), single.action_masks, lambda: steps.step({"cross": 0})):
        with pytest.raises(ResetNeeded):
            call()
    for env in (single, turns, steps):
        env.reset(seed=1)
    for call in (turns.observe, turns.observation_space, turns.action_space, steps.action_space):
        with pytest.raises(regelwerk.UnknownSeatError, match="no seat `nobody`"):
            call("nobody")
    with pytest.raises(regelwerk.UsageError, match="cross decides, and has no action"):
        steps.step({"nought": 0})
    for call in (lambda: single.step(0.5), lambda: steps.step({"cross": "first"}), lambda: turns.unwrapped.step(None)):
        with pytest.raises(regelwerk.UsageError, match="an action is a whole number"):
            call()
    with pytest.raises(regelwerk.UsageError, match="at least 1"):
        gymnasium.vector_env(game, 0)


def test_a_game_that_is_over_does_not_go_on() -> None:
    env = gymnasium.env("tic_tac_toe")
    env.reset(seed=1)
    assert env.step(10_000)[2]
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    while not env.step(int(np.flatnonzero(env.action_masks())[0]))[2]:
        pass
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(again: Callable[[Any], Any]) -> None:
    """In chess a move is chosen in two parts, of which one has been chosen."""
    single, turns = gymnasium.env("chess"), pettingzoo.env("chess")
    single.reset(seed=1), turns.reset(seed=1)
    turns.step(12)
    single.step(12)
    single_copy, turns_copy = again(single), again(turns)
    masks = single.action_masks(), turns.last()[0]["action_mask"]
    for action in np.flatnonzero(masks[0])[:1]:
        observed = single_copy.step(int(action))[0]
        turns_copy.step(int(action))
        assert (single.action_masks() == masks[0]).all() and (turns.last()[0]["action_mask"] == masks[1]).all()
        assert (single.step(int(action))[0] == observed).all()


@pytest.mark.parametrize(("name", "package"), [("pettingzoo", "PettingZoo"), ("gymnasium", "Gymnasium")])
def test_a_missing_package_is_named(name: str, package: str) -> None:
    code = f"import sys; sys.modules['{name}'] = None\nimport regelwerk.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert f"regelwerk.{name} needs {package}, which is not installed: pip install 'regelwerk[{name}]'" in done.stderr
