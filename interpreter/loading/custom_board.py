"""A player's own board: finding it, fitting it to the rules, finding it again when a save is resumed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from dsl import ast
from dsl.boards import Board, Entry
from dsl.diagnostics import Diagnostic, Label
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import MAX_FILE_SIZE, Unreadable, files_in, has_suffix, read_file
from dsl.text.folders import user_folder
from dsl.text.visible import visible
from interpreter.errors import BoardError, thing
from interpreter.wording.phrases import Phrase

_CODES = "E075"
"""Prefix of the codes of diagnostics that concern rules and board together."""

BOARDS = "boards"
"""The folder that contains boards, beside rules, in the current folder, or in the user's own games folder."""

_NAMED = re.compile(r"`(\w+)`")


def require_board(path: Path) -> None:
    """Raise BoardError if the file does not exist; errors in its content are reported when it is read."""
    try:
        read_file(path, 0)
    except Unreadable as fault:
        if fault.kind == "missing":
            raise BoardError(Phrase("there is no board `{path}`", path=path)) from None
        if fault.kind == "failed":
            raise BoardError(
                Phrase("the board `{path}` cannot be read: {reason}", path=path, reason=fault.what)
            ) from None
        raise BoardError(Phrase("`{path}` is {thing}, not a board", path=path, thing=thing(fault.what))) from None
    if not has_suffix(path, ".json"):
        raise BoardError(Phrase("`{path}` is not a board: its name does not end in `.json`", path=path))


def without_examples(file: ast.GameFile) -> ast.GameFile:
    """Return the file without its examples."""
    parts = []
    for part in file.parts:
        declarations = tuple(node for node in part.declarations if not isinstance(node, ast.Example))
        parts.append(replace(part, declarations=declarations))
    return replace(file, parts=tuple(parts))


def with_board_labels(
    diagnostics: Iterable[Diagnostic], file: ast.GameFile, board: Board, named: Board | None
) -> list[Diagnostic]:
    """Add a span in the board file to each diagnostic about the board.

    `named` is the board that the rules name, if the game is played on another: a name that is a place there, but not
    on `board`, is shown there as well.
    """
    on_board, on_named = _entries(board), _entries(named)
    types = [node.span for part in file.parts for node in part.declarations if isinstance(node, ast.TypeBoard)]
    located = []
    for diagnostic in diagnostics:
        name = next(iter(_NAMED.findall(diagnostic.message)), "")
        if any(label.span.source is board.source for label in diagnostic.labels):
            labels = []
        elif named is not None and name in on_board:
            labels = [Label(board.span_of(on_board[name]), "here on the board")]
        elif named is not None and name in on_named:
            labels = [
                Label(board.head, "this board has no such place"),
                Label(named.span_of(on_named[name]), "a place on the board that the rules name"),
            ]
        elif diagnostic.code.startswith(_CODES) or any(diagnostic.span.is_inside(span) for span in types):
            labels = [Label(board.head, "on this board")]
        else:
            labels = []
        located.append(replace(diagnostic, labels=(*diagnostic.labels, *labels)))
    return located


def _entries(board: Board | None) -> dict[str, Entry]:
    return {entry.id: entry for entry in board.walk()} if board else {}


@dataclass(frozen=True)
class FoundBoard:
    """A board file in one of the folders for boards, and the name it gives its board."""

    path: Path
    title: str


def boards_for(rules: Path, named: Board) -> dict[str, FoundBoard]:
    """Boards on which a game can be played instead of the one it names, by their file names without `.json`.

    They are those in a folder `boards` beside the rules, in the current folder, or in the user's own games folder, that
    have all lists of places of the named board; nearest first, of those with the same name only the nearest counts.
    Whether one fits the rules in full is known when they are checked with it.
    """
    found: dict[str, FoundBoard] = {}
    for folder in dict.fromkeys((rules.parent, Path.cwd(), user_folder())):
        for path in files_in(folder / BOARDS, ".json"):
            if path.stem in found or Path(named.source.name).name == path.name:
                continue
            try:
                content = json.loads(read_file(path, MAX_FILE_SIZE))
            except (Unreadable, ValueError, RecursionError):
                continue
            if isinstance(content, dict) and named.lists.keys() <= content.keys():
                found[path.stem] = FoundBoard(path, visible(str(content.get("name", path.stem))))
    return found


def find_saved_board(recorded: str, rules: Path) -> Path | None:
    """The board file of a save: at its recorded path, or of the same name in the current folder or beside the rules."""
    path = Path(recorded)
    for candidate in (path, Path.cwd() / path.name, rules.parent / path.name):
        try:
            require_board(candidate)
        except BoardError:
            continue
        return candidate
    return None
