"""The common base of all AST nodes: kind, span, number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from dsl.text.span import Source, Span

NOWHERE = Span(Source("", ""), 0, 0)
"""The span of a node that was loaded from data, not parsed from a text."""


class Node(BaseModel):
    """A frozen node. `==` compares content only: span and number do not count.

    `number` identifies the node within one parse of one file (or of a game and its companion); the side tables of later
    stages are keyed by it.
    """

    # Validators are built only on first use: the parser constructs nodes without validation.
    model_config = ConfigDict(
        frozen=True,
        arbitrary_types_allowed=True,
        extra="forbid",
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )

    kind: str
    span: SkipJsonSchema[Span] = Field(default=NOWHERE, exclude=True, repr=False)
    number: SkipJsonSchema[int] = Field(default=-1, exclude=True, repr=False)

    _apart: ClassVar[frozenset[str]] = frozenset({"span", "number"})

    def said(self) -> dict[str, Any]:
        """The fields that count for `==`: all but span and number."""
        return {name: value for name, value in self.__dict__.items() if name not in self._apart}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Node) and self.said() == other.said()

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self.said().values()))

    def children(self) -> Iterator[Node]:
        """The direct child nodes, in source order."""
        for value in self.__dict__.values():
            yield from _nodes(value)

    def walk(self) -> Iterator[Node]:
        """This node and all its descendants, in preorder."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(list(node.children()))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
