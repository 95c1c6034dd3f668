"""Lines above declarations that do something: run an example, show the examples of an action, play the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dsl import ast
from dsl.text.nouns import counted
from editors.service.analysis import Analysis
from editors.service.outline import tree_of
from editors.service.results import Lens, Place


def lenses(analysis: Analysis, path: Path) -> tuple[Lens, ...]:
    """The lenses of a file that can be read, in order."""
    tree = tree_of(analysis, path)
    match tree:
        case None | ast.NamesFile():
            return ()
        case ast.GameFile():
            nodes: list[ast.Node] = [node for part in tree.parts for node in part.declarations]
            game = _game(tree, path)
        case ast.ExamplesFile():
            nodes, game = list(tree.examples), []
        case ast.VariantFile():
            nodes = [
                change.declaration for change in tree.changes if isinstance(change, ast.Change) and change.declaration
            ]
            game = []
    uses = _examples_by_rule(analysis)
    return (*game, *(lens for node in nodes for lens in _lenses(node, path, uses)))


def _game(tree: ast.GameFile, path: Path) -> list[Lens]:
    place = Place(path, tree.header.span.start, tree.header.span.end)
    title = tree.header.title.value
    return [Lens("play", place, "play", title), Lens("simulate", place, "simulate", title)]


def _lenses(node: ast.Node, path: Path, uses: dict[str, list[Place]]) -> Iterator[Lens]:
    place = Place(path, node.span.start, node.span.end)
    match node:
        case ast.Example():
            yield Lens("run", place, "run", node.title.value)
            yield Lens("debug", place, "debug", node.title.value)
        case ast.Action() | ast.Step():
            examples = uses.get(node.name.partition("(")[0], [])
            if examples or isinstance(node, ast.Action):
                yield Lens("examples", place, counted(len(examples), "example"), node.name, tuple(examples))
        case _:
            pass


def _examples_by_rule(analysis: Analysis) -> dict[str, list[Place]]:
    """The examples that choose each action, by its name without a clause."""
    by_rule: dict[str, list[Place]] = {}
    for example in analysis.model.examples if analysis.model is not None else ():
        place = analysis.place(example.span)
        if place is None:
            continue
        for name in {act.name.partition("(")[0] for act in example.walk() if isinstance(act, ast.Act)}:
            by_rule.setdefault(name, []).append(place)
    return by_rule
