"""Examples of the catalogue, put into a small game so that they can be checked: see `dsl/catalogue/README.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dsl import ast
from dsl.boards import Board
from dsl.boards import board_of as board_in
from dsl.checker import check
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse
from dsl.text.span import Source
from dsl.variants import merged, with_changes
from interpreter.loading.game_library import items_of
from interpreter.loading.rules import board_of

FOLDER = Path(__file__).parent / "catalogue"
FRAME = FOLDER / "frame.rules"
WHOLE = re.compile(r"#|(game|examples of|variant)\b")
HEADING = re.compile(r"== (\w+) ==")
DECLARED = re.compile(r"(?:type|piece|zone|note|option|die|position|define|action|step|phase|example) (\w+|\"[^\"]*\")")
OTHERS = re.compile(r"winner|teams by|when \w+")
PARTS = {
    "components": ("board", "type", "piece", "zone", "note", "die", "position", "table", "by players", "names"),
    "setup": (),
    "phases": ("phase", "action", "step", "when", "define"),
    "scoring": ("winner", "teams by"),
    "examples": ("example",),
}
INDENT = "    "

Line = tuple[str, int]
"""A line of a file, and the number of the line of the example that it is; 0 if it is a line of the frame."""


def told(example: str) -> list[tuple[int, int, Diagnostic]]:
    """What is said about an example: the line of it, from 1, the column, from 0, and the finding."""
    if example.startswith("{"):
        board = board_in(Source("example.json", example))
        found = [] if isinstance(board, Board) else board
        return [(finding.span.line, finding.span.column - 1, finding) for finding in found]
    lines = [(line, number) for number, line in enumerate(example.split("\n"), 1)]
    if not WHOLE.match(example):
        lines = framed(example)
    source = Source("example.rules", "\n".join(text for text, _ in lines))
    placed = []
    for finding in findings(source):
        if finding.span.source is not source:
            continue
        text, number = lines[finding.span.line - 1]
        if number:
            indent = len(text) - len(example.split("\n")[number - 1])
            placed.append((number, finding.span.column - 1 - indent, finding))
    return placed


def findings(source: Source) -> list[Diagnostic]:
    """All that is wrong with a file that stands beside the frame."""
    tree, diagnostics = parse(source)
    if isinstance(tree, ast.ExamplesFile):
        game, _ = parse(Source("frame.rules", FRAME.read_text("utf-8")))
        assert isinstance(game, ast.GameFile)
        return diagnostics + check(game, companion=tree, items=items_of(FRAME))[1]
    if isinstance(tree, ast.VariantFile):
        return diagnostics + _with_the_frame(source)
    if not isinstance(tree, ast.GameFile):
        return diagnostics
    board, wrong = board_of(FRAME, tree)
    return diagnostics + (wrong or check(tree, items=items_of(FRAME), board=board)[1])


def _with_the_frame(source: Source) -> list[Diagnostic]:
    """What is wrong with a variant of the frame."""
    game, _ = parse(Source("frame.rules", FRAME.read_text("utf-8")))
    assert isinstance(game, ast.GameFile)
    variant, _ = parse(source, game.number + 1)
    assert isinstance(variant, ast.VariantFile)
    found, diagnostics = merged(game, None, [variant])
    if found is None:
        return diagnostics
    return diagnostics + with_changes(check(found.file, items=items_of(FRAME))[1], found)


def framed(example: str) -> list[Line]:
    """The frame with the declarations and statements of an example at their places."""
    parts = _parts([(line, 0) for line in FRAME.read_text("utf-8").split("\n")], "header")
    given = _parts([(line, number) for number, line in enumerate(example.split("\n"), 1)], "")
    named = {_name(chunk) for chunks in given.values() for chunk in chunks} - {None}
    for part, chunks in parts.items():
        parts[part] = [chunk for chunk in chunks if _name(chunk) not in named]
    statements = [line for chunk in given.pop("statements", []) for line in chunk]
    if any(text for text, _ in statements):
        body = [(INDENT + text if text else text, number) for text, number in statements]
        parts["phases"].append([("step example_step:", 0), *body])
    for part, chunks in given.items():
        parts[part] += chunks
    whole = [line for chunk in parts.pop("header") for line in chunk]
    for part, chunks in parts.items():
        whole += [("", 0), (f"== {part} ==", 0), ("", 0), *(line for chunk in chunks for line in chunk)]
    return whole


def _parts(lines: list[Line], part: str) -> dict[str, list[list[Line]]]:
    """Lines by parts, those of one declaration together. Without a part, the first word says where they belong."""
    found: dict[str, list[list[Line]]] = {}
    for chunk in _chunks(lines):
        heading = HEADING.match(chunk[0][0])
        if heading:
            part = heading.group(1)
            chunk = chunk[1:]
        found.setdefault(part or _part_of(chunk), []).append(chunk)
    return found


def _chunks(lines: list[Line]) -> Iterator[list[Line]]:
    chunk: list[Line] = []
    for line in lines:
        if chunk and line[0] and not line[0].startswith((" ", "\t")) and not HEADING.match(chunk[0][0]):
            yield chunk
            chunk = []
        elif chunk and line[0] and HEADING.match(chunk[0][0]):
            yield chunk[:1]
            chunk = []
        chunk.append(line)
    yield chunk


def _part_of(chunk: list[Line]) -> str:
    first = chunk[0][0]
    if first.startswith("option"):
        return "header"
    for part, words in PARTS.items():
        if any(re.match(rf"{word}\b", first) for word in words):
            return part
    return "statements"


def _name(chunk: list[Line]) -> str | None:
    if not chunk:
        return None
    match = DECLARED.match(chunk[0][0])
    other = OTHERS.match(chunk[0][0])
    return match.group(1) if match else other.group() if other else None
