"""Many games of the same rules that go on together, as Python programs ask for them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.arguments import backend_of, integer_of
from interpreter.environments.returns import returns_named
from interpreter.errors import RunError
from interpreter.wording.phrases import Phrase
from regelwerk.game import Game, loaded_game

if TYPE_CHECKING:
    from interpreter.environments.vectors import VectorEnv

MAX_GAMES_AT_ONCE = 1_000_000

EXTRA = "pip install 'regelwerk[gymnasium]'"
"""The command that installs NumPy."""


def games_at_once(number: object) -> int:
    """Check how many games are to go on together. Raises UsageError."""
    return integer_of(number, "the number of games", 1, MAX_GAMES_AT_ONCE)


def vector_env(
    game: Game | str | Path, n: int, *, seed: int = 0, returns: str = "win", **options: Any
) -> VectorEnv:  # fmt: skip
    """`n` games that go on together: `reset` begins them, `step` makes an action in each of them.

    `game` is a game, or what `regelwerk.load` loads with the other arguments, such as `players`. The games begin with
    the seeds `seed`, `seed + 1`, …. `returns` is what seats get at the end: "win", from -1 to 1, "score", the first
    number by which the game is decided, or "margin", how far it is above the mean. The machine engine steps them where
    it can, unless the game was loaded with `backend="python"`; with "machine" a warning says why it cannot
    (`MachineWarning`). This needs NumPy. Raises what `load` raises, `UsageError` for a wrong argument, and `RunError`
    without NumPy or enough memory.
    """
    loaded = loaded_game(game, options)
    count, kind = games_at_once(n), returns_named(returns)
    try:
        importlib.import_module("numpy")
    except ImportError as error:
        message = Phrase("many games at once need NumPy, which is not installed: {command}", command=EXTRA)
        raise RunError(message) from error
    from interpreter.environments import vectors  # NumPy takes long to import

    spaces = loaded.action_space, loaded.observation_space
    try:
        env = vectors.vector_env(loaded, *spaces, count, kind, loaded.start, backend_of(loaded.backend))
        env.reset(seed)
    except MemoryError as error:
        raise RunError(Phrase("there is not enough memory for {count} games at once", count=count)) from error
    return env
