"""Plain text output, without anything that is slow to import."""

from __future__ import annotations

import sys

import typer

from dsl.text.visible import visible


def echo(message: str, *, err: bool = False) -> None:
    """Write plain lines to standard output or standard error, with hidden characters spelled out."""
    # to the stream itself: by default typer would write UTF-8 even if the stream is ASCII
    typer.echo(visible(message, layout=True), file=sys.stderr if err else sys.stdout)
