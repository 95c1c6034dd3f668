"""`games`: list the games with their numbers of players and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from cli.arguments import Json, rules_file, wants_json
from cli.errors import Stop
from cli.json_output import emit
from cli.render.cells import Hanging
from cli.render.echo import echo
from cli.render.screen import screen
from dsl.boards import Board
from dsl.text.nouns import counted
from interpreter import RulesError
from interpreter.loading.game_library import SUFFIX, all_games
from interpreter.loading.rules import load_rules
from interpreter.loading.variants import variants_of

ORIGINS = {
    "here": "this folder",
    "user": "your games folder",
    "shipped": "comes with Regelwerk",
    "path": "given by path",
}


def games(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME…", help="Only these games, in full.")] = None,
    form: Json = "text",
) -> None:
    """List the games with their players, options and variants.

    Also shown: the values of the options, the board, and where each game comes from.
    """
    json = wants_json(form)
    found = _found(names or ())
    if json:
        emit("games", {"games": found})
        return
    if not found:
        echo("no games found")
        raise Stop(0)
    console = screen()
    for entry in found:
        for part in _lines(entry, whole=bool(names)):
            console.print(part)


def _found(names: Sequence[str]) -> list[dict[str, Any]]:
    """All games, or only those with these names or paths."""
    known = all_games()
    if not names:
        return [_entry(one.name, one.origin, str(one.path)) for one in known]
    origins = {one.path.absolute(): one.origin for one in known}
    paths = dict.fromkeys(rules_file(name) for name in names)
    return [_entry(one.name.removesuffix(SUFFIX), origins.get(one.absolute(), "path"), str(one)) for one in paths]


def _entry(name: str, origin: str, path: str) -> dict[str, Any]:
    """One game as plain data; for a game with errors, their number."""
    variants = [
        {"name": one.name, "title": one.title, "path": str(one.path)} for one in variants_of(Path(path).absolute())
    ]
    entry: dict[str, Any] = {"name": name, "origin": origin, "path": path, "variants": variants}
    try:
        rules = load_rules(Path(path))
    except RulesError as fault:
        errors = sum(1 for diagnostic in fault.diagnostics if diagnostic.severity == "error")
        return entry | {"title": None, "players": None, "seats": [], "options": [], "board": None, "errors": errors}
    header, known = rules.model.file.header, rules.model.options.values()
    options = [{"name": one.name, "values": list(one.values), "default": one.default} for one in known]
    return entry | {
        "title": header.title.value,
        "players": {"fewest": header.fewest, "most": header.most},
        "seats": list(header.seats),
        "options": options,
        "board": _board(rules.model.board),
        "errors": 0,
    }


def spans(values: list[str]) -> list[str]:
    """Describe values, with runs of whole numbers as ranges."""
    shown: list[str] = []
    run: list[str] = []
    for value in [*values, ""]:
        if run and value.isdecimal() and int(value) == int(run[-1]) + 1:
            run.append(value)
            continue
        shown += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
        run = [value] if value.isdecimal() else []
        shown += [value] if value and not run else []
    return shown


def _board(board: Board | None) -> dict[str, Any] | None:
    if board is None:
        return None
    return {"name": board.name, "reconstruction": board.reconstruction, "note": board.note}


def _lines(entry: dict[str, Any], *, whole: bool) -> Iterator[RenderableType]:
    """Render a game in a few lines; `whole` adds what the board file says about the board."""
    origin = ORIGINS.get(entry["origin"], entry["origin"])
    if entry["errors"]:
        number = counted(entry["errors"], "error")
        yield Text.assemble((entry["name"], "bold"), (f"  has {number}: regelwerk check {entry['path']}", "bright_red"))
        return
    yield Text.assemble((entry["name"], "bold"), f"  {entry['title']}", (f"  ({origin})", "dim"))
    fewest, most = entry["players"]["fewest"], entry["players"]["most"]
    number = str(fewest) if fewest == most else f"{fewest} to {most}"
    yield Hanging(Text("  players  "), Text(f"{number}: {', '.join(entry['seats'])}"))
    for index, option in enumerate(entry["options"]):
        others = spans([value for value in option["values"] if value != option["default"]])
        head = Text("  options  " if index == 0 else "           ")
        words = Text.assemble(f"{option['name']} = ", (option["default"], "bold"), (f", or {', '.join(others)}", "dim"))
        yield Hanging(head, words)
    for index, variant in enumerate(entry["variants"]):
        head = Text("  variants " if index == 0 else "           ")
        yield Hanging(head, Text(f"{variant['name']}: {variant['title']}"))
    if entry["board"] is not None:
        board = entry["board"]
        text = f"{board['name']}, a reconstruction" if board["reconstruction"] else board["name"]
        yield Hanging(Text("  board    "), Text(text))
        if whole and board["note"] is not None:
            yield Hanging(Text("           "), Text(board["note"], style="dim"))
