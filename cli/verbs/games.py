"""`games`: which games there are, for how many, with which options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from cli.arguments import Json, wants_json
from cli.faults import Stop

if TYPE_CHECKING:
    from rich.console import RenderableType

ORIGINS = {"here": "this folder", "user": "your games folder", "shipped": "comes with Regelwerk"}


def games(form: Json = "text") -> None:
    """List the games: players, options and their values, where they come from."""
    json = wants_json(form)
    found = _found()
    if json:
        from cli.machine import emit

        emit("games", {"games": found})
        return
    if not found:
        typer.echo("no games found")
        raise Stop(0)
    from cli.render.screen import screen

    console = screen()
    for entry in found:
        for part in _lines(entry):
            console.print(part)


def _found() -> list[dict[str, Any]]:
    from interpreter.catalogue import all_games

    return [_entry(one.name, one.origin, str(one.path)) for one in all_games()]


def _entry(name: str, origin: str, path: str) -> dict[str, Any]:
    """One game as plain data; a game with errors says how many."""
    from interpreter import RulesError, load

    entry: dict[str, Any] = {"name": name, "origin": origin, "path": path}
    try:
        game = load(path)
    except RulesError as fault:
        errors = sum(1 for diagnostic in fault.diagnostics if diagnostic.severity == "error")
        return entry | {"title": None, "players": None, "seats": [], "options": [], "errors": errors}
    options = [{"name": info.name, "values": list(info.values), "default": info.default} for info in game.option_info]
    return entry | {
        "title": game.title,
        "players": {"fewest": game.fewest, "most": game.most},
        "seats": list(game.all_seats),
        "options": options,
        "errors": 0,
    }


def _lines(entry: dict[str, Any]) -> Iterator[RenderableType]:
    from rich.text import Text

    from cli.render.cells import Hanging

    origin = ORIGINS.get(entry["origin"], entry["origin"])
    if entry["errors"]:
        number = f"{entry['errors']} error{'s' if entry['errors'] > 1 else ''}"
        yield Text.assemble((entry["name"], "bold"), (f"  has {number}: regelwerk check {entry['path']}", "bright_red"))
        return
    yield Text.assemble((entry["name"], "bold"), f"  {entry['title']}", (f"  ({origin})", "dim"))
    fewest, most = entry["players"]["fewest"], entry["players"]["most"]
    number = str(fewest) if fewest == most else f"{fewest} to {most}"
    yield Hanging(Text("  players  "), Text(f"{number}: {', '.join(entry['seats'])}"))
    for place, option in enumerate(entry["options"]):
        others = [value for value in option["values"] if value != option["default"]]
        head = Text("  options  " if place == 0 else "           ")
        words = Text.assemble(f"{option['name']} = ", (option["default"], "bold"), (f", or {', '.join(others)}", "dim"))
        yield Hanging(head, words)
