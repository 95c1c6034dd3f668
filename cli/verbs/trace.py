"""`trace SAVE`: everything that happened in a saved game, rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.arguments import Json, wants_json

if TYPE_CHECKING:
    from interpreter.tracing import TraceLine


def trace(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="A saved game.")],
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text, one for each thing that happened.")] = False,
    form: Json = "text",
) -> None:
    """Show each decision, rule, reason, chance result and change of a saved game, with its place and citations.

    It shows everything, also what was hidden from the players.
    """
    json = wants_json(form)
    from interpreter.saves import read_save, resume
    from interpreter.tracing import trace_lines

    lines = trace_lines(resume(read_save(Path(save).expanduser())))
    if json:
        from cli.machine import emit

        emit("trace", {"lines": [_document(line) for line in lines]})
        return
    from cli.render.screen import screen
    from cli.render.tracing import line_of, traced

    console = screen()
    if not plain and console.is_terminal:
        for part in traced(lines):
            console.print(part)
        return
    for line in lines:
        typer.echo(line_of(line))


def _document(line: TraceLine) -> dict[str, object]:
    return {
        "depth": line.depth,
        "ply": line.ply,
        "kind": line.kind,
        "text": line.text,
        "place": line.place,
        "cites": list(line.cites),
    }
