"""`saves`: list saved games, rename one, delete some."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated

import typer

from cli.arguments import Json, Language, wants_json
from cli.errors import CommandError, MisuseError, Stop
from cli.json_output import emit
from cli.render.echo import asked, echo
from cli.render.screen import screen, show
from cli.save_paths import (
    claimed_path,
    claimed_save,
    find_save,
    marks_path,
    named_path,
    save_argument,
    save_name,
    short,
    typed_command,
    valid_name,
)
from cli.saved_games import SavedGame, listed, newest_first, saved_game, saved_games, saved_tables
from dsl.text.files import JsonObject, is_file, is_there
from dsl.text.folders import saves_folder, tables_file
from dsl.text.visible import brief
from interpreter.play.saves.tables import delete_table, table_at
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words


def saves(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME…", help="List only these saves, by name or path.")
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the named saves, after confirmation.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --delete: do not ask for confirmation.")] = False,
    rename: Annotated[bool, typer.Option("--rename", help="Rename a save: --rename OLD NEW.")] = False,
    form: Json = "text",
    language: Language = None,
) -> None:
    """List, rename and delete saved games.

    The newest comes first. Every command that expects a save accepts the names in this list.
    """
    json = wants_json(form)
    if delete and rename:
        raise MisuseError(Phrase("--delete cannot be combined with --rename"))
    if json and (delete or rename):
        raise MisuseError(Phrase("--format json lists saves; it cannot be combined with --delete or --rename"))
    if yes and not delete:
        raise MisuseError(Phrase("--yes belongs to --delete"))
    words = Words(language=language)
    if rename:
        _rename(names or (), words)
    elif delete:
        _delete(names or (), words, sure=yes)
    else:
        _list([_found(name) for name in names] if names else _all(), words, json=json)


def _found(text: str) -> SavedGame:
    """Find the save that a person names. Raises CommandError."""
    path = find_save(text)
    table = table_at(path)
    if table is None and not is_there(path):
        raise CommandError(Phrase("there is no save {path}", path=text))
    game = saved_game(path)
    if game is None and table is not None:
        raise CommandError(Phrase("there is no table {table}", table=brief(path.name)))
    if game is None:
        raise CommandError(Phrase("{path} is not a Regelwerk save", path=text))
    return game


def _all() -> list[SavedGame]:
    """All saves, and the tables of the server."""
    tables = saved_tables(tables_file()) if is_file(tables_file()) else []
    return newest_first([*saved_games(), *tables])


# ---- listing


def _list(saved: Sequence[SavedGame], words: Words, *, json: bool) -> None:
    if json:
        emit("saves", {"saves": [_entry(save) for save in saved]})
        return
    if not saved:
        echo(words.phrase("there is no save in {folder} yet", folder=short(saves_folder())))
        return
    console = screen()
    show(console, *listed(saved, console.width, words))
    unfinished = next((save for save in saved if not save.over and not save.problem), None)
    finished = next((save for save in saved if save.over), None)
    if unfinished is not None:
        echo(
            words.phrase(
                "go on playing: {command}",
                command=typed_command("play --resume", save_argument(unfinished.path), words),
            )
        )
    if finished is not None:
        name = save_argument(finished.path)
        result, trace = typed_command("play --resume", name, words), typed_command("trace", name, words)
        echo(words.phrase("result: {result}; step by step: {trace}", result=result, trace=trace))
        echo(words.phrase("play again: ") + typed_command("play", shlex.quote(finished.game), words))
    for save in saved:
        if save.problem:
            echo(words.phrase(save.problem))


def _entry(game: SavedGame) -> JsonObject:
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


def _rename(names: Sequence[str], words: Words) -> None:
    if len(names) != 2:
        raise MisuseError(Phrase("--rename expects two names: the old and the new one"))
    old, new = _found(names[0]), valid_name(names[1])
    if save_name(old.path) is None or table_at(old.path) is not None:
        message = Phrase(
            "only saves in {folder} have names; move {path} there to name it",
            folder=short(saves_folder()), path=names[0],
        )  # fmt: skip
        raise MisuseError(message)
    target = named_path(new)
    if is_there(target):
        raise MisuseError(Phrase("there is already a save `{name}`; choose another name", name=new))
    with claimed_save(old.path), claimed_save(target):
        old.path.rename(target)
        if is_there(marks_path(old.path)):
            marks_path(old.path).replace(marks_path(target))
    echo(words.phrase("{old} is now called {new}", old=old.name, new=new))


# ---- deleting


def _delete(names: Sequence[str], words: Words, *, sure: bool) -> None:
    """Delete saves after confirmation; if one of them is not a save, none is deleted."""
    if not names:
        raise MisuseError(Phrase("--delete expects the names of saves; see `regelwerk saves`"))
    doomed = {save.path.absolute(): save for save in map(_found, names)}.values()
    if not sure:
        console = screen()
        show(console, *listed(list(doomed), console.width, words))
        question = words.counted_phrase("delete this save?", "delete these {number} saves?", len(doomed))
        if not _agreed(f"{question} {words.phrase('[y/N] ')}", words):
            echo(words.phrase("nothing was deleted"))
            raise Stop(0)
    with ExitStack() as claims:
        for path in {claimed_path(save.path): save.path for save in doomed}.values():
            claims.enter_context(claimed_save(path))
        for save in doomed:
            table = table_at(save.path)
            if table is None:
                save.path.unlink()
            else:
                delete_table(*table)
            marks_path(save.path).unlink(missing_ok=True)
    echo(words.phrase("deleted: {saves}", saves=", ".join(save.name for save in doomed)))


def _agreed(question: str, words: Words) -> bool:
    try:
        line = asked(question)
        if not sys.stdin.isatty():
            echo(line)
        return line.strip().lower() in ("y", "yes", words.phrase("y"), words.phrase("yes"))
    except EOFError:
        raise MisuseError(Phrase("nothing was deleted: nobody answered; --yes deletes without asking")) from None
