"""The option `--backend`, with a note if machine code is impossible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from cli.errors import MisuseError
from cli.progress import Stage, shown
from cli.render.echo import echo
from interpreter import Game
from interpreter.arguments import BACKENDS, Backend, backend_of

BackendName = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar="|".join(BACKENDS),
        help="What plays the games: auto (the default), native (machine code) or python.",
    ),
]


def named_backend(name: str) -> Backend:
    """The backend with this name. Raises MisuseError."""
    if name not in BACKENDS:
        raise MisuseError(f"--backend must be one of {', '.join(BACKENDS)}, not {name}")
    return backend_of(name)


def usable_backend(game: Game, chosen: Backend, why_not: Callable[[Game], str | None]) -> Backend:
    """The native backend once it is ready, or Python with a note that says why not; other backends unchanged."""
    if chosen != "native":
        return chosen
    with shown(Stage(f"{game.name}: compiling")):
        reason = why_not(game)
    if reason is None:
        return "native"
    echo(f"note: playing in Python: {reason}", err=True)
    return "python"
