"""The nodes of rules by number, found when they are first asked for: few programs ever ask."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast


class NodeTable:
    """The nodes of some trees by number, and of those added later."""

    def __init__(self, roots: Iterable[ast.Node]) -> None:
        self._roots = list(roots)
        self._nodes: dict[int, ast.Node] = {}

    def add(self, root: ast.Node) -> None:
        """Add the nodes of a tree."""
        self._roots.append(root)

    def find(self, number: int) -> ast.Node | None:
        """The node with a number, or None."""
        while self._roots:
            self._nodes.update({node.number: node for node in self._roots.pop().walk()})
        return self._nodes.get(number)

    def __getitem__(self, number: int) -> ast.Node:
        found = self.find(number)
        if found is None:
            raise KeyError(number)
        return found
