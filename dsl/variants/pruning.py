"""What a variant leaves over: definitions and steps of the game that nothing uses with the variant.

A variant that replaces a rule often takes away the last use of what the old rule was made of. Such definitions and
steps do nothing; kept, they would be reported as never used, told in rulebooks and counted as not covered, and every
variant would have to remove them one by one. What the game itself does not use stays, and so does what the variant has
written or changed: those are mistakes of their own, which are reported.

Names are compared, not what they refer to, because this happens before names are resolved: a definition that has the
name of somebody's parameter may be kept, never the other way round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from dsl import ast


def without_leftovers(game: ast.GameFile, base: ast.GameFile, examples: Iterable[ast.Example]) -> ast.GameFile:
    """The merged game without the definitions and steps of the base that are used there, but no longer."""
    used_in_base = _used_names(base, (), frozenset())
    in_base = {node.number: node for node in _removable(base) if node.name in used_in_base}
    unchanged = {node.number for node in _removable(game) if in_base.get(node.number) is node}
    used = _used_names(game, examples, unchanged)
    leftovers = {node.number for node in _removable(game) if node.number in unchanged and node.name not in used}
    if not leftovers:
        return game
    parts = tuple(
        replace(part, declarations=tuple(node for node in part.declarations if node.number not in leftovers))
        for part in game.parts
    )
    return replace(game, parts=parts)


def _removable(file: ast.GameFile) -> Iterator[ast.Define | ast.Step]:
    """What does nothing unless something names it; a step with cues is done without being named."""
    for part in file.parts:
        for node in part.declarations:
            if isinstance(node, ast.Define) or (isinstance(node, ast.Step) and not node.cues):
                yield node


def _used_names(file: ast.GameFile, examples: Iterable[ast.Example], only_if_used: Collection[int]) -> set[str]:
    """The names in a file and in examples; those in declarations with these numbers only if their own name is used."""
    waiting = [node for node in _removable(file) if node.number in only_if_used]
    used = {name for node in (file, *examples) for name in _names_in(node, only_if_used)}
    while reached := [node for node in waiting if node.name in used]:
        waiting = [node for node in waiting if node not in reached]
        used.update(name for node in reached for child in node.children() for name in _names_in(child, ()))
    return used


def _names_in(node: ast.Node, apart_from: Collection[int]) -> Iterator[str]:
    """The names that occur in a node, but not those that definitions and steps declare."""
    if node.number in apart_from:
        return
    name = getattr(node, "name", None)
    if isinstance(name, str) and not isinstance(node, ast.Define | ast.Step):
        yield name.partition("(")[0]
    for child in node.children():
        yield from _names_in(child, apart_from)
