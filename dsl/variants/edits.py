"""What the changes of a variant come to: edits of the base's tree, each at a place that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl import ast
from dsl.text.span import Span

SETUP = -1
"""Stands for the statements of the setup where the number of a node is wanted."""

NEW = -2
"""Stands for the whole game: declarations are added to it."""

Field = Literal["", "phases", "requires", "cases", "rows"]


@dataclass(frozen=True)
class Edit:
    """New nodes that stand in the place of one node of the base, or are added to what one holds.

    `target` is the number of that node, `adds` the field they are added to, or nothing if they stand in its place.
    `name` is the name of the declaration it is about. Edits with the same `claim`, where there is one, are about the
    same thing.
    """

    place: Span
    name: str
    target: int
    new: tuple[ast.Node, ...] = ()
    adds: Field = ""
    claim: str = ""

    @property
    def removes(self) -> bool:
        """Whether something goes and nothing comes in its place."""
        return not self.adds and not self.new
