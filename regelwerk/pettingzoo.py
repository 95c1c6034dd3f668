"""Any game as an environment of PettingZoo: `from regelwerk.pettingzoo import env, parallel_env`.

This needs PettingZoo: pip install 'regelwerk[pettingzoo]'.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter.arguments import action_number, seat_number
from interpreter.environments.returns import returns_named
from interpreter.errors import IllegalMoveError, UsageError
from regelwerk.game import Game, loaded_game

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers

    from regelwerk.spaces import (
        ILLEGAL_RETURN,
        RENDER_MODES,
        Observation,
        Playing,
        checked_mode,
        mask,
        observation_space,
        tensor,
    )
except ImportError as missing:
    needed = "regelwerk.pettingzoo needs PettingZoo, which is not installed: pip install 'regelwerk[pettingzoo]'"
    raise ImportError(needed, name=missing.name) from None


def env(game: Game | str | Path, *, returns: str = "win", render_mode: str | None = None, **options: Any) -> Any:
    """A game as an environment in which one seat acts after the other.

    `game` is a game, or what `regelwerk.load` loads with the other arguments, such as `players`. Observations have the
    `observation` and the `action_mask`. `returns` is what seats get at the end: "win", from -1 to 1, "score", the first
    number by which the game is decided, or "margin", how far it is above the mean. A rule that fails raises `PlayError`
    from `step`. An action that is not legal ends the game, and that seat loses 1. With the `render_mode` "ansi",
    `render` tells what all have seen since it was called last. Raises what `load` raises, and `UsageError`.
    """
    return wrappers.OrderEnforcingWrapper(TurnsEnv(loaded_game(game, options), returns, render_mode))


def parallel_env(
    game: Game | str | Path, *, returns: str = "win", render_mode: str | None = None, **options: Any
) -> ParallelEnv:  # fmt: skip
    """A game as an environment in which all seats act in each step, of which one decides and the others wait.

    Waiting is the last action, after those of the game. Arguments and errors are those of `env`; an action of the seat
    that decides which is not legal ends the game for all.
    """
    return StepsEnv(loaded_game(game, options), returns, render_mode)


class _Seats(Playing):
    """What both environments have: the spaces of all seats, and the generator of the seeds of games."""

    def _prepare(self, game: Game, returns: str, render_mode: str | None, extra_actions: int) -> None:
        self._game, self._returns = game, returns_named(returns)
        self.render_mode = checked_mode(render_mode)
        self.metadata: dict[str, Any] = {
            "name": game.name, "render_modes": list(RENDER_MODES), "is_parallelizable": False,
        }  # fmt: skip
        self.possible_agents = list(game.seats)
        self.agents: list[str] = []
        self.observation_spaces = {seat: observation_space(game, extra_actions) for seat in game.seats}
        self.action_spaces = {seat: spaces.Discrete(game.action_space.size + extra_actions) for seat in game.seats}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The observations of a seat. Raises UnknownSeatError."""
        seat_number(self.possible_agents, agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of a seat. Raises UnknownSeatError."""
        seat_number(self.possible_agents, agent)
        return self.action_spaces[agent]

    def _reset(self, seed: int | None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._begin(self._game, self._random)
        self.agents = list(self.possible_agents)

    def close(self) -> None:
        """Nothing is open."""


class TurnsEnv(_Seats, AECEnv):
    """A game in which one seat acts after the other; an action that is not legal ends it."""

    def __init__(self, game: Game, returns: str = "win", render_mode: str | None = None) -> None:
        AECEnv.__init__(self)
        self._prepare(game, returns, render_mode, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the same one for the same seed. There are no options."""
        self._reset(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        seat = self.course.seat
        self.agent_selection = self.possible_agents[0 if seat is None else seat]
        if seat is None:
            self._end(self.course.returns(self._returns))

    def _end(self, returns: Sequence[float]) -> None:
        self.rewards = dict(zip(self.possible_agents, returns, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """The observation of a seat; only that of the one that decides has legal actions."""
        seat = seat_number(self.possible_agents, agent)
        return {"observation": tensor(self.course, seat), "action_mask": mask(self.course, seat)}

    def step(self, action: int | None) -> None:
        """Let the seat that decides act."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        try:
            self.course.act(action_number(action))
        except IllegalMoveError:
            self._end([ILLEGAL_RETURN if seat == agent else 0.0 for seat in self.possible_agents])
            self.agent_selection = self.possible_agents[0]
        else:
            self._select()


class StepsEnv(_Seats, ParallelEnv):
    """A game in which all seats act in each step."""

    def __init__(self, game: Game, returns: str = "win", render_mode: str | None = None) -> None:
        self._prepare(game, returns, render_mode, 1)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game: the same one for the same seed. There are no options."""
        self._reset(seed)
        observations, infos = self._observed(), self._infos()
        if self.course.seat is None:
            self.agents = []
        return observations, infos

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:  # fmt: skip
        """Let the seat that decides act; the actions of the others make no difference."""
        agents, seat = list(self.agents), self.course.seat
        if seat is None or not agents:
            return {}, {}, {}, {}, {}
        decides = self.possible_agents[seat]
        if decides not in actions:
            raise UsageError(f"{decides} decides, and has no action")
        illegal = False
        try:
            self.course.act(action_number(actions[decides]))
        except IllegalMoveError:
            illegal = True
        returns = dict(zip(self.possible_agents, self.course.returns(self._returns), strict=True))
        if illegal:
            returns[decides] = ILLEGAL_RETURN
        over = illegal or self.course.seat is None
        observations, infos = self._observed(), self._infos()
        if over:
            self.agents = []
        return observations, returns, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observed(self) -> dict[str, Observation]:
        deciding = self.course.seat
        return {
            agent: {
                "observation": tensor(self.course, seat), "action_mask": mask(self.course, seat, int(seat != deciding))
            }
            for seat, agent in enumerate(self.possible_agents)
        }  # fmt: skip

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.possible_agents}
