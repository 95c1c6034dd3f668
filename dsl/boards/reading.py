"""From a file to a board, or to its diagnostics. Positions are computed only when there is something to report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from dsl.boards.findings import BoardDiagnostic
from dsl.boards.mesh import mesh
from dsl.boards.model import Board
from dsl.boards.places import choices, every, names_twice, references, too_many_choices
from dsl.boards.positions import DEEPEST, positions
from dsl.boards.shape import FORMAT, Shape, quoted, whole
from dsl.diagnostics import Diagnostic, Label, in_order
from dsl.syntax.sources import MOST, read_source
from dsl.text.span import Source, Span

_BOARD = re.compile(r'"format"\s*:\s*[0-9]')
"""Matches any text that is intended as a board, however broken it is."""

_INK = re.compile(r"\S")


class _Refused(ValueError):
    """Raised for text that `json.loads` accepts but JSON does not allow, or for a duplicate field."""


def read_board(path: Path, name: str | None = None) -> Board | list[Diagnostic]:
    """Read and check a board; return it, or at most 25 diagnostics in file order.

    `name` is the name shown to people, by default the path. Never raises, whatever the file contains.
    """
    source = read_source(path, name, "board")
    if isinstance(source, Diagnostic):
        helps = ("boards are read whole; this is probably none",) if source.code == "E0102" else source.helps
        return [replace(source, helps=helps)]
    return board_of(source)


def check_board(path: Path, name: str | None = None) -> list[Diagnostic]:
    """Check a board file; the list is empty if it is valid."""
    found = read_board(path, name)
    return found if isinstance(found, list) else []


def board_of(source: Source) -> Board | list[Diagnostic]:
    """Parse and check the text of a board. Nothing is quoted from a text that is no board."""
    found = _board_of(source)
    if isinstance(found, list) and not _BOARD.search(source.text):
        return [_unquoted(finding) for finding in found]
    return found


def _unquoted(finding: Diagnostic) -> Diagnostic:
    """A diagnostic whose excerpts show positions without quoting the text."""
    source = finding.span.source
    blank = Source(source.name, _INK.sub("·", source.text), source.skipped)
    span = Span(blank, finding.span.start, finding.span.end)
    return Diagnostic(finding.code, finding.severity, finding.message, span, helps=finding.helps)


def _board_of(source: Source) -> Board | list[Diagnostic]:
    try:
        data = json.loads(source.text, object_pairs_hook=_object, parse_int=_int, parse_constant=_constant)
    except (ValueError, RecursionError):
        return _no_json(source)
    if _too_deep(data):
        return _no_json(source)
    if not isinstance(data, dict):
        return _told(
            source, [BoardDiagnostic("E0702", "this is not a board", (), ('a board is an object: `{"format": 1, …}`',))]
        )
    if whole(data.get("format")) != FORMAT:
        return _told(source, [_other_format(data)])
    shape = Shape(data)
    findings = list(islice(_in_stages(shape), MOST))
    if findings:
        return _told(source, findings)
    return Board(
        shape.name, shape.reconstruction, shape.note, shape.evidence, shape.drawing, shape.holes, shape.alternatives,
        shape.lists, source,
    )  # fmt: skip


def _in_stages(shape: Shape) -> Iterator[BoardDiagnostic]:
    """Run the checks in stages; each examines only what the previous one accepted, so no mistake is reported twice."""
    told: set[BoardDiagnostic] = set()

    def fresh(findings: Iterator[BoardDiagnostic]) -> Iterator[BoardDiagnostic]:
        for finding in findings:
            if finding not in told:
                told.add(finding)
                yield finding

    yield from fresh(iter(shape.findings))
    if too_many_choices(shape.lists, shape.alternatives):
        help = "the lists named here have too many entries"
        yield BoardDiagnostic(
            "E0704", "there are more than 64 ways to choose among alternatives", ("alternatives",), (help,)
        )
        return
    entries = every(shape.lists)
    yield from fresh(names_twice(entries, shape.alternatives))
    if not shape.complete or any(finding.code == "E0706" for finding in told):
        return
    boards = choices(shape.lists, shape.alternatives)
    everywhere = frozenset(entry.id for entry in entries)
    for board in boards:
        yield from fresh(references(board, everywhere))
    if told:
        return
    for board in boards:
        yield from fresh(mesh(board, shape.holes))


def _told(source: Source, findings: list[BoardDiagnostic]) -> list[Diagnostic]:
    found = positions(source)
    return in_order(finding.diagnostic(found) for finding in findings)


def _other_format(data: dict[str, Any]) -> BoardDiagnostic:
    if "format" not in data:
        return BoardDiagnostic(
            "E0702", "the file does not say that it is a board", (), (f'begin with `"format": {FORMAT}`',)
        )
    helps = (f'this version reads `"format": {FORMAT}`',)
    return BoardDiagnostic("E0702", "this is no board of a format that is known", ("format",), helps)


def _no_json(source: Source) -> list[Diagnostic]:
    found = positions(source)
    if found.fault:
        span = Span(source, found.fault.start, found.fault.end)
        return [Diagnostic("E0701", "error", found.fault.message, span, helps=(found.fault.help,))]
    told = []
    for where, (start, end) in found.twice[:MOST]:
        first = Label(found.span(where, key=True), "the first one")
        message = f"the field {quoted(where[-1])} is there twice"
        told.append(
            Diagnostic("E0703", "error", message, Span(source, start, end), (first,), ("a field has one value",))
        )
    return told or [Diagnostic("E0701", "error", "this cannot be read as JSON", found.span(()))]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Refused
    return made


def _int(text: str) -> int:
    """Parse an integer; excessively long ones stay too large, as converting their digits would be slow or refused."""
    return int(text) if len(text) < 19 else 10**18


def _constant(name: str) -> None:
    raise _Refused


def _too_deep(data: object) -> bool:
    level = [data]
    for _ in range(DEEPEST):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
