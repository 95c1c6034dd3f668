"""The changes of a variant as edits of the base's tree, each with a target that can be compared."""

from __future__ import annotations

from typing import Literal

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span

SETUP = -1
"""The target that means the statements of the set-up."""

NEW = -2
"""The target that means the whole game: declarations are added to it."""

Field = Literal["", "phases", "requires", "once", "cases", "rows"]


@dataclass(frozen=True)
class Edit:
    """New nodes that replace one node of the base, or are added to one.

    `target` is the number of that node, `adds` the field they are added to, or empty if they replace it. `name` is the
    name of the declaration concerned. Edits with the same `claim`, if they have one, conflict.
    """

    span: Span
    name: str
    target: int
    new: tuple[ast.Node, ...] = ()
    adds: Field = ""
    claim: str = ""

    @property
    def removes(self) -> bool:
        """True if something is removed without a replacement."""
        return not self.adds and not self.new
