"""`saves`: list saved games, rename one, delete some."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated, Any

import typer

from cli.arguments import Json, wants_json
from cli.errors import CommandError, MisuseError, Stop
from cli.json_output import emit
from cli.render.echo import echo
from cli.render.screen import screen, show
from cli.save_paths import claimed_save, find_save, marks_path, named_path, save_name, short, valid_name
from cli.saved_games import SavedGame, listed, saved_game, saved_games
from dsl.text.files import is_there
from dsl.text.folders import saves_folder
from dsl.text.nouns import counted


def saves(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME…", help="List only these saves, by name or path.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the named saves, after confirmation.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --delete: do not ask for confirmation.")] = False,
    rename: Annotated[bool, typer.Option("--rename", help="Rename a save: --rename OLD NEW.")] = False,
    form: Json = "text",
) -> None:
    """List, rename and delete saved games.

    The newest comes first. Every command that expects a save accepts the names in this list.
    """
    json = wants_json(form)
    if delete and rename:
        raise MisuseError("--delete cannot be combined with --rename")
    if json and (delete or rename):
        raise MisuseError("--format json lists saves; it cannot be combined with --delete or --rename")
    if yes and not delete:
        raise MisuseError("--yes belongs to --delete")
    if rename:
        _rename(names or ())
    elif delete:
        _delete(names or (), sure=yes)
    else:
        _list([_found(name) for name in names] if names else saved_games(), json=json)


def _found(text: str) -> SavedGame:
    """Find the save that a person names. Raises CommandError."""
    path = find_save(text)
    if not is_there(path):
        raise CommandError(f"there is no save {text}")
    game = saved_game(path)
    if game is None:
        raise CommandError(f"{text} is not a save")
    return game


# ---- listing


def _list(saved: Sequence[SavedGame], *, json: bool) -> None:
    if json:
        emit("saves", {"saves": [_entry(save) for save in saved]})
        return
    if not saved:
        echo(f"there are no saves in {short(saves_folder())} yet")
        return
    console = screen()
    show(console, *listed(saved, console.width))
    unfinished = next((save for save in saved if not save.over and not save.problem), None)
    finished = next((save for save in saved if save.over), None)
    if unfinished is not None:
        echo(f"go on playing: regelwerk play --resume {shlex.quote(unfinished.name)}")
    if finished is not None:
        name = shlex.quote(finished.name)
        echo(f"result: regelwerk play --resume {name}; step by step: regelwerk trace {name}")
        echo(f"play again: regelwerk play {shlex.quote(finished.game)}")
    for save in saved:
        if save.problem:
            echo(save.problem)


def _entry(game: SavedGame) -> dict[str, Any]:
    return {
        "name": save_name(game.path),
        "path": str(game.path.absolute()),
        "game": game.game or None,
        "title": game.title or None,
        "seats": dict(game.seats),
        "modified": game.modified.astimezone().isoformat(timespec="seconds"),
        "decisions": game.decisions,
        "over": game.over,
        "result": game.result or None,
        "problem": game.problem or None,
    }


# ---- renaming


def _rename(names: Sequence[str]) -> None:
    if len(names) != 2:
        raise MisuseError("--rename expects two names: the old and the new one")
    old, new = _found(names[0]), valid_name(names[1])
    if save_name(old.path) is None:
        raise MisuseError(f"only saves in {short(saves_folder())} have names; move {names[0]} there to name it")
    target = named_path(new)
    if is_there(target):
        raise MisuseError(f"there is already a save `{new}`; choose another name")
    with claimed_save(old.path), claimed_save(target):
        old.path.rename(target)
        if is_there(marks_path(old.path)):
            marks_path(old.path).replace(marks_path(target))
    echo(f"{old.name} is now called {new}")


# ---- deleting


def _delete(names: Sequence[str], *, sure: bool) -> None:
    """Delete saves after confirmation; if one of them is not a save, none is deleted."""
    if not names:
        raise MisuseError("--delete expects the names of saves; see `regelwerk saves`")
    doomed = {save.path.absolute(): save for save in map(_found, names)}.values()
    several = counted(len(doomed), "save")
    if not sure:
        console = screen()
        show(console, *listed(list(doomed), console.width))
        if not _agreed(f"delete {'this save' if len(doomed) == 1 else f'these {several}'}? [y/N] "):
            echo("nothing was deleted")
            raise Stop(0)
    with ExitStack() as claims:
        for save in doomed:
            claims.enter_context(claimed_save(save.path))
        for save in doomed:
            save.path.unlink()
            marks_path(save.path).unlink(missing_ok=True)
    echo(f"deleted {', '.join(save.name for save in doomed)}")


def _agreed(question: str) -> bool:
    try:
        line = input(question)
        if not sys.stdin.isatty():
            echo(line)
        return line.strip().lower() in ("y", "yes")
    except EOFError:
        raise MisuseError("nothing was deleted: nobody answered; --yes deletes without asking") from None
