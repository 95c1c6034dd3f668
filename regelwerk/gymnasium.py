"""Any game as an environment of Gymnasium: one seat is played by the program, bots play the others.

This needs Gymnasium: pip install 'regelwerk[gymnasium]'.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interpreter.arguments import action_number, seat_number
from interpreter.environments.returns import returns_named
from interpreter.errors import IllegalMoveError
from interpreter.laboratory.setting import BotName, lineup
from interpreter.opponents.driver import Driver
from interpreter.opponents.situation import at_a_loss
from regelwerk.game import Game, loaded_game
from regelwerk.vectors import games_at_once

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from numpy.typing import NDArray

    from regelwerk.spaces import ILLEGAL_RETURN, RENDER_MODES, Playing, checked_mode, mask, tensor, tensor_space
except ImportError as missing:
    needed = "regelwerk.gymnasium needs Gymnasium, which is not installed: pip install 'regelwerk[gymnasium]'"
    raise ImportError(needed, name=missing.name) from None

ANY = "any"
"""Stands for another seat in each game; no seat can have this name."""

LOADING = ("players", "seats", "options", "variants", "board", "language", "backend")
"""The arguments that `regelwerk.load` takes."""


class SeatEnv(Playing, gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game of which one seat is played by the program.

    `game` is a game, or what `regelwerk.load` loads with the other arguments. `seat` is the seat of the program, by
    default the first; "any" takes another one in each game. `bots` play the others: the same bot, `mcts:200`, or one
    for each seat, by name. `returns` is what the seat gets at the end: "win", from -1 to 1, "score", the first number
    by which the game is decided, or "margin", how far it is above the mean. Which actions are legal is in
    `info["action_mask"]` and `action_masks()`; one that is not ends the game, and the seat loses 1. With the
    `render_mode` "ansi", `render` tells what all have seen since it was called last. Raises what `load` raises,
    `UsageError`, `BotError`.
    """

    def __init__(
        self, game: Game | str | Path, *, seat: str | None = None, bots: BotName | Mapping[str, BotName] = "random",
        returns: str = "win", render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        self._game, self._returns = loaded_game(game, options), returns_named(returns)
        self.render_mode = checked_mode(render_mode)
        self.metadata = {"render_modes": list(RENDER_MODES)}
        seats = self._game.seats
        self._seats = seats if seat == ANY else (seats[0] if seat is None else seat,)
        for playable in self._seats:
            seat_number(seats, playable)
        self._bots = lineup(self._game, bots)
        self._is_over = True
        self._has_warned = False
        self.observation_space = tensor_space(self._game)
        self.action_space = spaces.Discrete(self._game.action_space.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game, and let the bots play until the seat decides: the same game for the same seed."""
        super().reset(seed=seed)
        seats = self._game.seats
        while True:
            self._begin(self._game, self.np_random)
            self.seat = seats.index(self._seats[int(self.np_random.integers(len(self._seats)))])
            self._drivers = [Driver(spec, name) for spec, name in zip(self._bots, seats, strict=True)]
            self._let_bots_play()
            if self.course.seat is not None:  # otherwise the seat has not been asked at all
                self._is_over = False
                return tensor(self.course, self.seat), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Let the seat act, and then the bots until it decides again. Raises ResetNeeded if no game is going on."""
        if self._is_over:
            raise ResetNeeded("no game is going on: call reset() first")
        try:
            self.course.act(action_number(action))
        except IllegalMoveError:
            self._is_over = True
            return tensor(self.course, self.seat), ILLEGAL_RETURN, True, False, {**self._info(), "illegal": True}
        self._let_bots_play()
        reward, self._is_over = self.course.returns(self._returns)[self.seat], self.course.seat is None
        return tensor(self.course, self.seat), reward, self._is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as learners with masks ask for it."""
        return mask(self.course, self.seat).astype(np.bool_)

    def _let_bots_play(self) -> None:
        state = self.course.state
        while self.course.seat not in (None, self.seat):
            driver = self._drivers[self.course.seat or 0]
            move = driver.play(state)
            if driver.is_at_a_loss and not self._has_warned:
                self._has_warned = True
                warnings.warn(at_a_loss(driver.seat, state.program.words), RuntimeWarning, stacklevel=3)
            self.course.move(state.legal_moves.index(move))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": mask(self.course, self.seat)}


def env(game: Game | str | Path, **arguments: Any) -> SeatEnv:
    """A game of which one seat is played by the program: `SeatEnv` with these arguments."""
    return SeatEnv(game, **arguments)


def vector_env(game: Game | str | Path, n: int, **arguments: Any) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    """`n` games of which one seat each is played by the program, one after the other in each step.

    Which actions are legal is in `infos["action_mask"]`. The arguments are those of `env`.
    """
    games_at_once(n)
    loaded = loaded_game(game, {name: arguments.pop(name) for name in list(arguments) if name in LOADING})
    return gymnasium.vector.SyncVectorEnv([lambda: SeatEnv(loaded, **arguments)] * n)
