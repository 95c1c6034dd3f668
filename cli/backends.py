"""The option `--backend`, with a note if the machine engine cannot play."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.errors import MisuseError
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from interpreter.analysis.backends import why_no_machine
from interpreter.arguments import BACKENDS, Backend, backend_of
from interpreter.play.game import Game

BackendName = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar="|".join(BACKENDS),
        help="What plays the games: auto (the default), machine (fast) or python.",
    ),
]


def named_backend(name: str) -> Backend:
    """The backend with this name. Raises MisuseError."""
    if name not in BACKENDS:
        raise MisuseError(f"--backend must be one of {', '.join(BACKENDS)}, not {name}")
    return backend_of(name)


def usable_backend(game: Game, chosen: Backend) -> Backend:
    """The backend, or Python with a note that says why, where the machine engine was chosen and cannot play."""
    if chosen != "machine":
        return chosen
    with show_progress(Stage(f"{game.name}: preparing")):
        reason = why_no_machine(game)
    if reason is None:
        return chosen
    echo(f"note: Python plays: {reason}", err=True)
    return "python"
