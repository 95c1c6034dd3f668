"""Plain text output, without anything that is slow to import."""

from __future__ import annotations

import typer

from dsl.text.visible import visible


def echo(message: str, *, err: bool = False) -> None:
    """Write plain lines to standard output or standard error, with hidden characters spelled out."""
    typer.echo(visible(message, layout=True), err=err)
