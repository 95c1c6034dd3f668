"""A game as environments of other packages need it: its spaces in Gymnasium's terms, and numbers as NumPy's arrays.

Imported only by the adapters, which say what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from interpreter.environments.course import Course
from interpreter.errors import UsageError
from regelwerk.game import Game, State, load

Observation = dict[str, NDArray[Any]]
"""The tensor of a seat, `observation`, and a number for each action, `action_mask`: 1 if it is legal now."""

ILLEGAL_RETURN = -1.0
"""What a seat gets that chooses an action which is not legal: the game then ends."""

RENDER_MODES = ("ansi",)


class Playing:
    """An environment that plays one game after the other."""

    _course: Course[State] | None = None

    @property
    def course(self) -> Course[State]:
        """The game in progress. Raises Gymnasium's ResetNeeded before the first."""
        if self._course is None:
            raise ResetNeeded("no game has begun: call reset() first")
        return self._course


def game_of(game: Game | str | Path, options: dict[str, Any]) -> Game:
    """A game, or the one that is loaded with these arguments. Raises what `load` raises, UsageError."""
    if not isinstance(game, Game):
        return load(game, **options)
    if options:
        raise UsageError(f"a game that is loaded takes no {', '.join(options)}")
    return game


def checked_mode(render_mode: str | None) -> str | None:
    """A way to render. Raises UsageError if there is no such way."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise UsageError(f'`render_mode` is "ansi" or None, not "{render_mode}"')
    return render_mode


def mask_space(game: Game, more: int = 0) -> spaces.Box:
    """The masks of a game, of which some actions are no moves."""
    return spaces.Box(0, 1, (game.action_space.size + more,), np.int8)


def tensor_space(game: Game) -> spaces.Space[NDArray[np.float32]]:
    """The tensors of a game, each number with the bounds that it has as far as they are known."""
    least, most = (np.array(bounds, dtype=np.float32) for bounds in game.observation_space.bounds)
    box: spaces.Space[Any] = spaces.Box(least, most, dtype=np.float32)
    return box


def observation_space(game: Game, more: int = 0) -> spaces.Dict:
    """The observations of a game."""
    return spaces.Dict({"observation": tensor_space(game), "action_mask": mask_space(game, more)})


def tensor(course: Course[State], seat: int) -> NDArray[np.float32]:
    """What a seat sees."""
    return np.frombuffer(course.observation(seat), dtype=np.float32)


def mask(course: Course[State], seat: int, *more: int) -> NDArray[np.int8]:
    """The legal actions of a seat."""
    return np.frombuffer(course.mask(seat) + bytes(more), dtype=np.int8)


def begun(game: Game, seed: int) -> Course[State]:
    """A game that begins."""
    return Course(game.start(seed), game.action_space, game.observation_space)


def told(course: Course[State], since: int) -> str:
    """What all have seen of the decisions from one on, as lines."""

    def lines() -> Iterator[str]:
        for entry in course.state.log("*", since):
            yield entry.text if entry.player is None else f"{entry.player}: {entry.text}"
            yield from (f"  {detail}" for detail in entry.details)

    return "\n".join(lines())
