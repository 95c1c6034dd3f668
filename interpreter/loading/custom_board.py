"""A player's own board: finding it, fitting it to the rules, finding it again when a save is resumed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from dsl import ast
from dsl.boards import Board, Entry
from dsl.diagnostics import Diagnostic, Label
from dsl.text.files import Unreadable, has_suffix, read_file
from interpreter.errors import BoardError

_CODES = "E075"
"""Prefix of the codes of diagnostics that concern rules and board together."""

_NAMED = re.compile(r"`(\w+)`")


def given_board(path: Path) -> None:
    """Raise `BoardError` if the file does not exist; errors in its content are reported when it is read."""
    try:
        read_file(path, 0)
    except Unreadable as fault:
        if fault.kind == "missing":
            raise BoardError(f"there is no board `{path}`") from None
        if fault.kind == "failed":
            raise BoardError(f"the board `{path}` {fault.why}") from None
        raise BoardError(f"`{path}` {fault.why.removesuffix('file')}board") from None
    if not has_suffix(path, ".json"):
        raise BoardError(f"`{path}` is not a board: its name does not end in `.json`")


def without_examples(file: ast.GameFile) -> ast.GameFile:
    """Return the file without its examples."""
    parts = []
    for part in file.parts:
        kept = tuple(node for node in part.declarations if not isinstance(node, ast.Example))
        parts.append(part.model_copy(update={"declarations": kept}))
    return file.model_copy(update={"parts": tuple(parts)})


def with_both_places(
    findings: Iterable[Diagnostic], file: ast.GameFile, board: Board, named: Board | None
) -> list[Diagnostic]:
    """Add a span in the board file to each diagnostic about the board.

    `named` is the board the rules name when they are played on another: a name that is a place there, and not on
    `board`, is shown there as well.
    """
    here, there = _entries(board), _entries(named)
    types = [node.span for part in file.parts for node in part.declarations if isinstance(node, ast.TypeBoard)]
    told = []
    for finding in findings:
        name = next(iter(_NAMED.findall(finding.message)), "")
        if any(label.span.source is board.source for label in finding.labels):
            labels = []
        elif named is not None and name in here:
            labels = [Label(board.span_of(here[name]), "here on the board")]
        elif named is not None and name in there:
            labels = [
                Label(board.head, "this board has no such place"),
                Label(named.span_of(there[name]), "a place on the board that the rules name"),
            ]
        elif finding.code.startswith(_CODES) or any(finding.span.is_inside(span) for span in types):
            labels = [Label(board.head, "on this board")]
        else:
            labels = []
        told.append(replace(finding, labels=(*finding.labels, *labels)))
    return told


def _entries(board: Board | None) -> dict[str, Entry]:
    return {entry.id: entry for entry in board.walk()} if board else {}


def board_again(known: str, rules: Path) -> Path | None:
    """The board file of a save: at its recorded path, or of the same name in the current folder or beside the rules."""
    path = Path(known)
    for place in (path, Path.cwd() / path.name, rules.parent / path.name):
        try:
            given_board(place)
        except BoardError:
            continue
        return place
    return None
