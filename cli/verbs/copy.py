"""`copy GAME FOLDER`: copy a game with everything that belongs to it, to modify it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import GameName, rules_file
from cli.errors import MisuseError
from cli.output_files import target_path, write_new
from cli.render.echo import echo
from cli.save_paths import short
from dsl.text.files import is_there, special_at
from dsl.text.nouns import counted
from interpreter.loading.game_files import files_of_game


def copy(
    game: GameName,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder to copy to; it need not exist.")],
) -> None:
    """Copy a game with its board, examples and variants, to modify it.

    Its rulebook items are copied, too. The copy has the name of the game; it can be checked, tested and played as it
    is. No file is overwritten.
    """
    copied(rules_file(game), folder)


def copied(rules: Path, folder: str) -> Path:
    """Copy a game into a folder, and say so; the path of the copied rules. Raises MisuseError."""
    target = target_path(folder, "FOLDER")
    if is_there(target) and not target.is_dir():
        raise MisuseError(f"{folder} is {special_at(target) or 'a file'}, not a folder")
    paths = {path: target / path.relative_to(rules.parent) for path in files_of_game(rules)}
    existing = [path for path in paths.values() if is_there(path)]
    if existing:
        more = f" and {counted(len(existing) - 1, 'other file')}" if len(existing) > 1 else ""
        raise MisuseError(f"{short(existing[0].absolute())}{more} already exists; choose another folder")
    write_new({copy_path: path.read_bytes() for path, copy_path in paths.items()})
    for copy_path in paths.values():
        echo(short(copy_path.absolute()))
    echo(f"copied {counted(len(paths), 'file')}; check the copy with: regelwerk check {short(paths[rules].absolute())}")
    return paths[rules]
