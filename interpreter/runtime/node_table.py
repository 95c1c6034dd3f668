"""The nodes of rules by number; the table is built at the first look-up, which few programs ever make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from dsl import ast


class NodeTable:
    """The nodes of some trees by number, and those of another table."""

    def __init__(self, roots: Iterable[ast.Node], more: NodeTable | None = None) -> None:
        self._roots, self._more = tuple(roots), more

    @cached_property
    def _nodes(self) -> Mapping[int, ast.Node]:
        return {node.number: node for root in self._roots for node in root.walk()}

    def find(self, number: int) -> ast.Node | None:
        """The node with a number, or None."""
        node = self._nodes.get(number)
        return self._more.find(number) if node is None and self._more is not None else node

    def __getitem__(self, number: int) -> ast.Node:
        node = self.find(number)
        if node is None:
            raise KeyError(number)
        return node
