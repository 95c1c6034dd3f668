"""Plain text output and questions, without anything that is slow to import."""

from __future__ import annotations

import sys

import typer

from dsl.text.visible import visible
from interpreter.watchdog import paused


def echo(message: str, *, err: bool = False) -> None:
    """Write plain lines to standard output or standard error, with hidden characters spelled out."""
    # to the stream itself: by default typer would write UTF-8 even if the stream is ASCII
    typer.echo(visible(message, layout=True), file=sys.stderr if err else sys.stdout)


def asked(question: str) -> str:
    """What is typed in answer to a question. Raises EOFError at the end of input."""
    with paused():
        return input(question)
