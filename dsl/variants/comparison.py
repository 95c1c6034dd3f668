"""Differences between the rules of two games: by declaration, down to the lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.variants.declaration_kinds import describe, keyword_of, name_of

Sign = Literal["-", "+"]

_SPACES = re.compile(r'("[^"]*")|\s+')


@dataclass(frozen=True)
class RuleDifference:
    """A declaration that only one side has, or that differs between the sides.

    `what` describes it in words. `said` are the nodes that differ, each with - if it is from the first side and + if it
    is from the second: for an action perhaps one requirement, for a table one row.
    """

    change: Literal["added", "removed", "changed"]
    what: str
    said: tuple[tuple[Sign, ast.Node], ...]


def differences(one: ast.GameFile, other: ast.GameFile) -> list[RuleDifference]:
    """Compare two games, in source order; examples are ignored."""
    before, after = dict(_declared(one)), dict(_declared(other))
    found: list[RuleDifference] = []
    for key, node in before.items():
        if key not in after:
            found.append(RuleDifference("removed", describe(*key), _whole("-", node)))
        elif node != after[key]:
            found.append(RuleDifference("changed", describe(*key), tuple(_inside(node, after[key]))))
    new = [(key, node) for key, node in after.items() if key not in before]
    return found + [RuleDifference("added", describe(*key), _whole("+", node)) for key, node in new]


def _whole(sign: Sign, node: ast.Node) -> tuple[tuple[Sign, ast.Node], ...]:
    """A declaration that only one side has; for the set-up its statements, as it has no text."""
    if isinstance(node, ast.Setup):
        return tuple((sign, statement) for statement in node.statements)
    return ((sign, node),)


def written(node: ast.Node) -> str:
    """The source text of a node, unindented; its further lines keep their relative indentation.

    A node on one line is written without the spaces that align columns.
    """
    span = node.span
    first, *rest = span.text.rstrip().splitlines() or [""]
    if not rest:
        return _SPACES.sub(lambda found: found[1] or " ", first)
    line = span.source.line(span.line)
    depth = len(line) - len(line.lstrip(" "))
    return "\n".join([first, *(_dedented(each, depth) for each in rest)])


def _dedented(line: str, depth: int) -> str:
    """Remove up to `depth` leading spaces from a line."""
    return line[min(depth, len(line) - len(line.lstrip(" "))) :].rstrip()


def _declared(file: ast.GameFile) -> Iterator[tuple[tuple[str, str], ast.Node]]:
    """Every declaration of a game with its kind and name, and the set-up as one."""
    yield (keyword_of(file.header), ""), file.header
    for option in file.options:
        yield (keyword_of(option), name_of(option)), option
    statements = tuple(statement for part in file.parts for statement in part.statements)
    setup = next((part for part in file.parts if part.statements), None)
    for part in file.parts:
        if part is setup:
            yield ("setup", ""), ast.Setup(span=file.span, number=-1, statements=statements)
        for declaration in part.declarations:
            if not isinstance(declaration, ast.Example):
                yield (keyword_of(declaration), name_of(declaration)), declaration


def _inside(before: ast.Node, after: ast.Node) -> Iterator[tuple[Sign, ast.Node]]:
    """Nodes that differ inside two declarations of one kind; the declarations themselves if more than that differs."""
    ours, theirs = before.content(), after.content()
    changed = [name for name in ours if ours[name] != theirs.get(name)]
    listed = [name for name in changed if _nodes(ours[name]) and _nodes(theirs.get(name))]
    one_line = isinstance(before, ast.OfferedOnce)
    if type(before) is not type(after) or not changed or listed != changed or one_line:
        yield "-", before
        yield "+", after
        return
    for name in listed:
        yield from _several(ours[name], theirs[name])


def _several(before: tuple[ast.Node, ...], after: tuple[ast.Node, ...]) -> Iterator[tuple[Sign, ast.Node]]:
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            for one, other in zip(before[a:b], after[c:d], strict=True):
                yield from _inside(one, other)
        elif tag != "equal":
            yield from (("-", node) for node in before[a:b])
            yield from (("+", node) for node in after[c:d])


def _nodes(value: Any) -> bool:
    """True if a field contains nodes that are on lines of their own."""
    return isinstance(value, tuple) and all(isinstance(item, ast.Node) for item in value)
