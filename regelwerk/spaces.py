"""What the environments of Gymnasium and PettingZoo have in common: spaces, arrays of NumPy, a game in progress.

Only these two modules import it; they say which package is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from interpreter.environments.course import Course
from interpreter.errors import UsageError
from regelwerk.game import Game, State

Observation = dict[str, NDArray[Any]]
"""The tensor of a seat, `observation`, and a number for each action, `action_mask`: 1 if it is legal now, else 0."""

ILLEGAL_RETURN = -1.0
"""What a seat gets that chooses an action which is not legal: the game then ends."""

RENDER_MODES = ("ansi",)

MAX_SEED = 2**63
"""The seeds of games are drawn below this."""


class Playing:
    """An environment that plays one game after the other, and renders what everybody sees of them as text."""

    render_mode: str | None = None
    _course: Course[State] | None = None
    _rendered_plies = 0

    @property
    def course(self) -> Course[State]:
        """The game in progress. Raises Gymnasium's ResetNeeded before the first."""
        if self._course is None:
            raise ResetNeeded("no game has begun: call reset() first")
        return self._course

    def _begin(self, game: Game, generator: np.random.Generator) -> None:
        """Begin a game with a seed that is drawn from a generator of random numbers."""
        state = game.start(int(generator.integers(MAX_SEED)))
        self._course = Course(state, game.action_space, game.observation_space)
        self._rendered_plies = 0

    def render(self) -> str | None:
        """What all seats have seen since this was called last, as lines; None without a render mode."""
        if self.render_mode is None:
            return None
        text = "\n".join(_log_lines(self.course.state, self._rendered_plies))
        self._rendered_plies = self.course.state.ply
        return text


def _log_lines(state: State, first_ply: int) -> Iterator[str]:
    for entry in state.log("*", first_ply):
        yield entry.text if entry.player is None else f"{entry.player}: {entry.text}"
        yield from (f"  {detail}" for detail in entry.details)


def checked_mode(render_mode: str | None) -> str | None:
    """The render mode, if it exists. Raises UsageError."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise UsageError(f'`render_mode` is "ansi" or None, not "{render_mode}"')
    return render_mode


def tensor_space(game: Game) -> spaces.Space[NDArray[np.float32]]:
    """The tensors of a game: a vector, each number with its own bounds."""
    least, most = (np.array(bounds, dtype=np.float32) for bounds in game.observation_space.bounds)
    box: spaces.Space[Any] = spaces.Box(least, most, dtype=np.float32)
    return box


def observation_space(game: Game, extra_actions: int = 0) -> spaces.Dict:
    """The observations of a game; `extra_actions` is the number of actions that are no moves, after the others."""
    masks = spaces.Box(0, 1, (game.action_space.size + extra_actions,), np.int8)
    return spaces.Dict({"observation": tensor_space(game), "action_mask": masks})


def tensor(course: Course[State], seat: int) -> NDArray[np.float32]:
    """What a seat sees, as a vector."""
    return np.frombuffer(course.observation(seat), dtype=np.float32)


def mask(course: Course[State], seat: int, *extra: int) -> NDArray[np.int8]:
    """A vector with 1 for each action that is legal for a seat now, and these numbers for extra actions."""
    return np.frombuffer(course.mask(seat) + bytes(extra), dtype=np.int8)
