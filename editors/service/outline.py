"""The shape of a file: its declarations, what can be folded, and what encloses the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from dsl import ast
from dsl.boards import Board, Entry
from dsl.text.span import Source, Span
from dsl.text.visible import visible
from editors.service.analysis import BOARD_SUFFIX, ITEMS_SUFFIX, Analysis
from editors.service.names import spelt_in
from editors.service.results import Fold, Outline, OutlineKind, Place

_KINDS: dict[type[ast.Node], OutlineKind] = {
    ast.TypeList: "type", ast.TypeTable: "type", ast.TypeBoard: "type", ast.ByPlayers: "type", ast.Piece: "piece",
    ast.Zone: "zone", ast.Note: "note", ast.Die: "die", ast.PositionDeclaration: "position", ast.Option: "option",
    ast.Table: "table", ast.Define: "definition", ast.Winner: "winner", ast.Teams: "winner", ast.Action: "action",
    ast.Step: "step", ast.When: "reaction", ast.Phase: "phase", ast.Example: "example", ast.Change: "change",
    ast.Inside: "change", ast.Names: "words", ast.Board: "place",
}  # fmt: skip
_HEADING = re.compile(r"^==+[ \t]*([A-Za-z_]+)[ \t]*==+", re.MULTILINE)
_ITEM = re.compile(r"^([^\s#]\S*)[ \t]+(.*)$", re.MULTILINE)
_UNIT = re.compile(
    r"^(?:(?P<keyword>type|piece|zone|note|option|die|position|table|define|action|step|when|phase|example)"
    r"[ \t]+(?P<name>\w+|\"[^\"\n]*\"))",
    re.MULTILINE,
)
"""The beginning of a declaration in a text that cannot be parsed as a whole."""

_OF_KEYWORD: dict[str, OutlineKind] = {
    "type": "type", "piece": "piece", "zone": "zone", "note": "note", "option": "option", "die": "die",
    "position": "position", "table": "table", "define": "definition", "action": "action", "step": "step",
    "when": "reaction", "phase": "phase", "example": "example",
}  # fmt: skip


def outline(analysis: Analysis, path: Path) -> tuple[Outline, ...]:
    """The declarations of a file, below their parts; of a text with syntax errors those that can be recognised."""
    source = analysis.source(path)
    if source is None:
        return ()
    if path.name.endswith(ITEMS_SUFFIX):
        return tuple(
            Outline(item[1], "item", Place(path, *item.span()), Place(path, *item.span(1)), visible(item[2]))
            for item in _ITEM.finditer(source.text)
        )
    if path.name.endswith(BOARD_SUFFIX):
        return tuple(_entries(analysis.board, path)) if analysis.board is not None else ()
    tree = tree_of(analysis, path)
    if tree is None:
        return tuple(_recognised(source, path))
    match tree:
        case ast.GameFile():
            options = (_entry(node, path) for node in tree.options)
            return (*filter(None, options), *(_part(part, path) for part in tree.parts))
        case ast.ExamplesFile():
            return tuple(filter(None, (_entry(node, path) for node in tree.examples)))
        case ast.VariantFile():
            return tuple(filter(None, (_entry(node, path) for node in tree.changes)))
        case ast.NamesFile():
            return tuple(filter(None, [_entry(tree.names, path)]))


def tree_of(analysis: Analysis, path: Path) -> ast.RulesFile | None:
    """The tree of a file as it is written; None if it cannot be parsed."""
    trees = analysis.reading.trees if analysis.reading is not None else ()
    for tree in trees:
        if analysis.paths.get(tree.span.source.name) == path:
            return tree
    return None


def _part(part: ast.Part, path: Path) -> Outline:
    heading = Span(part.span.source, part.span.start, part.span.start + len(part.span.source.line(part.span.line)))
    children = tuple(filter(None, (_entry(node, path) for node in part.declarations)))
    place = Place(path, part.span.start, max(part.span.end, heading.end))
    return Outline(part.name, "part", place, Place(path, heading.start, heading.end), children=children)


def _entry(node: ast.Node, path: Path) -> Outline | None:
    if type(node) not in _KINDS:
        return None
    name = _title(node)
    span = spelt_in(node.span, name) or Span(node.span.source, node.span.start, node.span.start)
    children = node.phases if isinstance(node, ast.Phase) else ()
    return Outline(
        visible(name) or node.kind, _KINDS[type(node)], Place(path, node.span.start, node.span.end),
        Place(path, span.start, span.end), children=tuple(filter(None, (_entry(child, path) for child in children))),
    )  # fmt: skip


def _title(node: ast.Node) -> str:
    """The name of a declaration, or the text by which people know it."""
    match node:
        case ast.Table() | ast.Example():
            return node.title.value
        case ast.Change():
            return node.name or (_title(node.declaration) if node.declaration is not None else "")
        case ast.Action() | ast.Step():
            return node.name if node.clause is None else f"{node.name}({node.clause.key})"
        case ast.Names():
            return f"names {node.language}" if node.language else "names"
        case ast.Winner():
            return "winner"
        case ast.Teams():
            return "teams by"
        case ast.ByPlayers():
            return "by players"
        case ast.Board():
            return node.path
        case _:
            return getattr(node, "name", None) or ""


def _entries(board: Board, path: Path) -> Iterator[Outline]:
    def entry(node: Entry) -> Outline:
        span = board.span_of(node)
        place = Place(path, span.start, span.end)
        return Outline(visible(node.id), "place", place, place)

    return (entry(node) for node in board.walk())


def _recognised(source: Source, path: Path) -> Iterator[Outline]:
    units = list(_UNIT.finditer(source.text))
    ends = [*(match.start() for match in units[1:]), len(source.text)]
    for match, end in zip(units, ends, strict=False):
        text = source.text[match.start() : end].rstrip()
        place = Place(path, match.start(), match.start() + len(text))
        name_place = Place(path, match.start("name"), match.end("name"))
        yield Outline(visible(match["name"].strip('"')), _OF_KEYWORD[match["keyword"]], place, name_place)


# ---------------- folding and selection, by the lines of the text: these work whatever is wrong with it


def folds(source: Source) -> tuple[Fold, ...]:
    """What can be folded: parts, blocks by their indentation, and comments of several lines."""
    lines = source.text.split("\n")
    indents = [len(line) - len(line.lstrip()) if line.strip() else None for line in lines]
    return (*_parts(lines), *_blocks(lines, indents), *_comments(lines))


def _parts(lines: list[str]) -> Iterator[Fold]:
    headings = [number for number, line in enumerate(lines) if _HEADING.match(line)]
    for first, following in pairwise([*headings, len(lines)]):
        last = _last_text(lines, first, following - 1)
        if last > first:
            yield Fold(first, last)


def _blocks(lines: list[str], indents: list[int | None]) -> Iterator[Fold]:
    opened: list[tuple[int, int]] = []  # indentation and line
    previous = -1
    for number, indent in enumerate(indents):
        if indent is None or lines[number].lstrip().startswith("#"):
            continue
        while opened and indent <= opened[-1][0]:
            first = opened.pop()[1]
            if previous > first:
                yield Fold(first, previous)
        opened.append((indent, number))
        previous = number
    for _, first in reversed(opened):
        if previous > first:
            yield Fold(first, previous)


def _comments(lines: list[str]) -> Iterator[Fold]:
    first: int | None = None
    for number, line in enumerate([*lines, ""]):
        is_comment = line.lstrip().startswith("#")
        if is_comment and first is None:
            first = number
        elif not is_comment and first is not None:
            if number - 1 > first:
                yield Fold(first, number - 1, "comment")
            first = None


def _last_text(lines: list[str], first: int, last: int) -> int:
    while last > first and not lines[last].strip():
        last -= 1
    return last


def selections(analysis: Analysis, path: Path, offset: int) -> tuple[Place, ...]:
    """What encloses an offset, from the innermost node to the whole file."""
    source = analysis.source(path)
    if source is None:
        return ()
    line = source.line_of(offset)
    start = source.line_starts[line - 1]
    places = [Place(path, 0, len(source.text))]
    tree = tree_of(analysis, path)
    node: ast.Node | None = tree
    while node is not None:
        places.append(Place(path, node.span.start, node.span.end))
        node = next((child for child in node.children() if child.span.start <= offset <= child.span.end), None)
    if tree is None:
        places.append(Place(path, start, start + len(source.line(line))))
    word = next(
        (match for match in re.finditer(r"\w+", source.line(line)) if match.start() <= offset - start <= match.end()),
        None,
    )
    if word is not None:
        places.append(Place(path, start + word.start(), start + word.end()))
    nested: list[Place] = []
    for place in places:
        if not nested or (nested[-1].start <= place.start and place.end <= nested[-1].end and place != nested[-1]):
            nested.append(place)
    return tuple(reversed(nested))
