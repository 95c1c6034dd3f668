"""Differences between two texts, line by line, in patch format."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

import typer
from rich.text import Text

from cli.render.screen import screen
from dsl.text.visible import visible

_COLOURS = (("---", "bold"), ("+++", "bold"), ("@@", "cyan"), ("-", "bright_red"), ("+", "green3"))


def show(name: str, old_text: str, new_text: str) -> None:
    """Print the differences: coloured on a terminal, as a valid patch in a pipe."""
    console = screen()
    for line in _patch(visible(name), old_text, new_text):
        if console.is_terminal:
            colour = next((colour for start, colour in _COLOURS if line.startswith(start)), "")
            console.print(Text(line.rstrip("\r\n").expandtabs(1), style=colour), soft_wrap=True)
        else:
            typer.echo(line, nl=False)  # from parsed text, in which only line ends can be hidden characters


def _patch(name: str, old_text: str, new_text: str) -> Iterator[str]:
    for line in unified_diff(_lines(old_text), _lines(new_text), name, name, "current", "canonical"):
        yield line if line.endswith("\n") else f"{line}\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one."""
    parts = text.split("\n")
    return [f"{line}\n" for line in parts[:-1]] + parts[-1:] * bool(parts[-1])
