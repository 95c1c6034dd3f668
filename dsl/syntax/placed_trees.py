"""Lark's trees with their places in the text.

Lark can work out places itself, lines and columns as well, but takes a third of the time of parsing for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lark
from lark import Token


class Tree(lark.Tree[Token]):
    """The tree of a grammar rule, with the offsets of its text; both are -1 if the text is empty.

    `outer_start` and `outer_end` include what encloses it in rules that have no tree of their own, such as parentheses.
    """

    start = end = outer_start = outer_end = -1


class Parser(lark.Lark):
    """A parser that makes such trees."""

    def _prepare_callbacks(self) -> None:
        super()._prepare_callbacks()
        self._callbacks = {rule: Placing(build) for rule, build in self._callbacks.items()}


class Placing:
    """Builds the tree of one rule from its children, with the offsets of their text."""

    __slots__ = ("build",)

    def __init__(self, build: Callable[[list[Any]], Any]) -> None:
        self.build = build

    def __call__(self, children: list[Any]) -> Any:
        """The tree of the rule, or its only child if the rule has no tree of its own."""
        tree = self.build(children)
        if type(tree) is not Tree or (len(children) == 1 and tree is children[0]):
            return tree
        tree.outer_start, tree.outer_end = _start_of(children), _end_of(children)
        if tree.start < 0:
            tree.start, tree.end = tree.outer_start, tree.outer_end
        return tree


def _start_of(children: list[Any]) -> int:
    """Where the first of them that is somewhere starts, -1 if none is anywhere."""
    for child in children:
        if type(child) is Token:
            return child.start_pos or 0
        if type(child) is Tree and child.outer_start >= 0:
            return child.outer_start
    return -1


def _end_of(children: list[Any]) -> int:
    """Where the last of them that is somewhere ends, -1 if none is anywhere."""
    for child in reversed(children):
        if type(child) is Token:
            return child.end_pos or 0
        if type(child) is Tree and child.outer_end >= 0:
            return child.outer_end
    return -1
