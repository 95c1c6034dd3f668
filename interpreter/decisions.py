"""Decision points of the rules: where they stand, and the marks of a state in which nothing is to be decided."""

from __future__ import annotations

from dataclasses import dataclass

from dsl import ast
from interpreter.names import Names

OVER_POINT = -1
"""The pending decision of a state in which the game is over."""

FREE_POINT = -2
"""The pending decision of a state of an example in which nothing is pending."""


@dataclass(frozen=True)
class Decision:
    """A decision point: where it stands, the names in scope there, and the cell of what is chosen so far.

    `quiet`: it is reached in the setup or in a reaction.
    """

    number: int
    node: ast.Decide | ast.Choose
    names: Names
    rule: str
    chosen: int | None = None
    quiet: bool = False
