"""From a file to a board, or to its diagnostics. Positions are computed only when there is something to report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.boards.json_positions import MAX_JSON_DEPTH, BoardDiagnostic, Positions, positions, quoted
from dsl.boards.mesh import choices, duplicate_names, every, mesh, named_lists, references, too_many_choices
from dsl.boards.model import Board
from dsl.diagnostics import Diagnostic, Label, in_order
from dsl.syntax.prescan import MAX_DIAGNOSTICS, read_source
from dsl.text.span import Source, Span

if TYPE_CHECKING:
    from dsl.boards.entries import BoardData

_BOARD = re.compile(r'"format"\s*:\s*[0-9]')
"""Matches any text that is intended as a board, however broken it is."""

_INK = re.compile(r"\S")


class _RefusedError(ValueError):
    """Raised for text that `json.loads` accepts but JSON does not allow, or for a duplicate field."""


def read_board(path: Path, name: str | None = None) -> Board | list[Diagnostic]:
    """Read and check a board; return it, or at most 25 diagnostics in file order.

    `name` is the name shown to people, by default the path. Never raises, whatever the file contains.
    """
    source = read_source(path, name, "board")
    if isinstance(source, Diagnostic):
        helps = ("boards are read as a whole; this is probably not a board",)
        return [replace(source, helps=helps if source.code == "E0102" else source.helps)]
    return board_of(source)


def check_board(path: Path, name: str | None = None) -> list[Diagnostic]:
    """Check a board file; the list is empty if it is valid."""
    board = read_board(path, name)
    return board if isinstance(board, list) else []


def board_of(source: Source) -> Board | list[Diagnostic]:
    """Parse and check the text of a board. Nothing is quoted from a text that is not a board."""
    board = _board_of(source)
    if isinstance(board, list) and not _BOARD.search(source.text):
        return [_unquoted(diagnostic) for diagnostic in board]
    return board


def _unquoted(diagnostic: Diagnostic) -> Diagnostic:
    """A diagnostic whose excerpts show positions without quoting the text."""
    source = diagnostic.span.source
    blank = Source(source.name, _INK.sub("·", source.text), source.skipped)
    span = Span(blank, diagnostic.span.start, diagnostic.span.end)
    return Diagnostic(diagnostic.code, diagnostic.severity, diagnostic.message, span, helps=diagnostic.helps)


def _board_of(source: Source) -> Board | list[Diagnostic]:
    try:
        data = json.loads(source.text, object_pairs_hook=_object, parse_int=_int, parse_constant=_constant)
    except (ValueError, RecursionError):
        return _not_json(source)
    if _too_deep(data):
        return _not_json(source)
    from dsl.boards.entries import (
        BoardData,  # loads the schema, which games without a board do not need
        Misfit,
    )
    from dsl.boards.forms import fits

    if not fits(data, "file"):
        return _reported(source, Misfit(data, "file", ()).explain())
    board = BoardData(data)
    return _reported(source, _in_stages(board)) or Board(
        board.name, board.reconstruction, board.note, board.evidence, board.drawing, board.holes, board.alternatives,
        board.lists, board.undrawn, board.borders, source,
    )  # fmt: skip


def _in_stages(board: BoardData) -> Iterator[BoardDiagnostic]:
    """Run the checks in stages; each examines only what the previous one accepted, so no mistake is reported twice."""
    reported: set[BoardDiagnostic] = set()

    def fresh(diagnostics: Iterator[BoardDiagnostic]) -> Iterator[BoardDiagnostic]:
        for diagnostic in diagnostics:
            if diagnostic not in reported:
                reported.add(diagnostic)
                yield diagnostic

    for misfit in board.misfits:
        yield from fresh(misfit.explain())
    yield from fresh(named_lists("alternatives", board.alternatives_named, board.lists))
    yield from fresh(named_lists("undrawn", board.undrawn, board.lists))
    yield from fresh(named_lists("borders", board.borders, board.lists))
    if too_many_choices(board.lists, board.alternatives):
        message, help = (
            "there are more than 64 combinations of alternatives",
            "the lists named here have too many entries",
        )
        yield BoardDiagnostic("E0704", message, ("alternatives",), (help,))
        return
    entries = every(board.lists)
    yield from fresh(duplicate_names(entries, board.alternatives))
    if not board.complete or any(diagnostic.code == "E0706" for diagnostic in reported):
        return
    combinations = choices(board.lists, board.alternatives)
    everywhere = frozenset(entry.id for entry in entries)
    for choice in combinations:
        yield from fresh(references(choice, everywhere))
    if reported:
        return
    for choice in combinations:
        yield from fresh(mesh(choice, board.holes))


def _reported(source: Source, diagnostics: Iterator[BoardDiagnostic]) -> list[Diagnostic]:
    first = list(islice(diagnostics, MAX_DIAGNOSTICS))
    located = positions(source) if first else Positions(source)
    return in_order(diagnostic.diagnostic(located) for diagnostic in first)


def _not_json(source: Source) -> list[Diagnostic]:
    located = positions(source)
    if located.fault:
        span = Span(source, located.fault.start, located.fault.end)
        return [Diagnostic("E0701", "error", located.fault.message, span, helps=(located.fault.help,))]
    diagnostics = []
    for where, (start, end) in located.duplicates[:MAX_DIAGNOSTICS]:
        first = Label(located.span(where, key=True), "first here")
        message, help = f"duplicate field {quoted(where[-1])}", "remove or rename one of them"
        diagnostics.append(Diagnostic("E0703", "error", message, Span(source, start, end), (first,), (help,)))
    return diagnostics


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _RefusedError
    return fields


def _int(text: str) -> int:
    """Parse an integer; excessively long ones stay too large, as converting their digits would be slow or refused."""
    return int(text) if len(text) < 19 else 10**18


def _constant(name: str) -> None:
    raise _RefusedError


def _too_deep(data: object) -> bool:
    level = [data]
    for _ in range(MAX_JSON_DEPTH):
        level = [
            item
            for container in level
            for item in (
                container.values() if isinstance(container, dict) else container if isinstance(container, list) else ()
            )
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True
