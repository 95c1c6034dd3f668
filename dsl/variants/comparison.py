"""Differences between the rules of two games: by declaration, down to the lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.variants.reading import CLAUSE_FIELDS, clauses
from dsl.variants.selectors import describe, keyword_of, name_of

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


def differences(old_game: ast.GameFile, new_game: ast.GameFile) -> list[RuleDifference]:
    """Compare two games, in source order; examples are ignored."""
    old_nodes, new_nodes = dict(_declared(old_game)), dict(_declared(new_game))
    results: list[RuleDifference] = []
    for key, node in old_nodes.items():
        if key not in new_nodes:
            results.append(RuleDifference("removed", describe(*key), _whole("-", node)))
        elif node != new_nodes[key]:
            results.append(RuleDifference("changed", describe(*key), tuple(_inside(node, new_nodes[key]))))
    new = [(key, node) for key, node in new_nodes.items() if key not in old_nodes]
    return results + [RuleDifference("added", describe(*key), _whole("+", node)) for key, node in new]


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
    return "\n".join([first, *(_dedented(further_line, depth) for further_line in rest)])


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


def _inside(old: ast.Node, new: ast.Node) -> Iterator[tuple[Sign, ast.Node]]:
    """Nodes that differ inside two declarations of one kind; the declarations themselves if more than that differs."""
    ours, theirs = old.content(), new.content()
    in_clauses = {*CLAUSE_FIELDS.values(), "last"} if isinstance(old, ast.Phase) else set()
    changed = [name for name in ours if ours[name] != theirs.get(name)]
    listed = [name for name in changed if _nodes(ours[name]) and _nodes(theirs.get(name))]
    one_line = isinstance(old, ast.OfferedOnce)
    if type(old) is not type(new) or not changed or not {*changed} <= {*listed, *in_clauses} or one_line:
        yield "-", old
        yield "+", new
        return
    if isinstance(old, ast.Phase) and isinstance(new, ast.Phase):
        yield from _clauses(old, new)
    for name in listed:
        yield from (_cued if name == "cues" else _several)(ours[name], theirs[name])


def _clauses(old: ast.Phase, new: ast.Phase) -> Iterator[tuple[Sign, ast.Node]]:
    ours, theirs = clauses(old), clauses(new)
    for words in CLAUSE_FIELDS:
        if ours.get(words) != theirs.get(words):
            yield from (("-", present[words]) for present in (ours,) if words in present)
            yield from (("+", present[words]) for present in (theirs,) if words in present)


def _cued(old: tuple[ast.Cue, ...], new: tuple[ast.Cue, ...]) -> Iterator[tuple[Sign, ast.Node]]:
    """The rules that a step is no longer done before or after, and those that it now is."""
    ours, theirs = ([(cue.relation, rule) for cue in cues for rule in cue.rules] for cues in (old, new))
    yield from (("-", rule) for relation, rule in ours if (relation, rule) not in theirs)
    yield from (("+", rule) for relation, rule in theirs if (relation, rule) not in ours)


def _several(old: tuple[ast.Node, ...], new: tuple[ast.Node, ...]) -> Iterator[tuple[Sign, ast.Node]]:
    old_keys, new_keys = [_identity(node) for node in old], [_identity(node) for node in new]
    for tag, a, b, c, d in SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and b - a == d - c):
            for old_node, new_node in zip(old[a:b], new[c:d], strict=True):
                if old_node != new_node:
                    yield from _inside(old_node, new_node)
        else:
            yield from (("-", node) for node in old[a:b])
            yield from (("+", node) for node in new[c:d])


def _identity(node: ast.Node) -> object:
    """What a node has in common with one that differs only inside."""
    if isinstance(node, ast.Phase):
        return node.name
    return ast.first_line(node) if isinstance(node, ast.Statement) else node


def _nodes(value: Any) -> bool:
    """True if a field contains nodes that are on lines of their own."""
    return isinstance(value, tuple) and all(isinstance(item, ast.Node) for item in value)
