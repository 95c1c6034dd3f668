"""The common base of all AST nodes: kind, span, number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from dsl.text.span import Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Node:
    """A frozen node. `==` compares content only: span and number do not count.

    `kind` is the same for all nodes of a class and tells the classes apart where the tree is plain data. `number`
    identifies the node within one parse of one file (or of a game and its companion); the side tables of later stages
    are keyed by it.
    """

    kind: str
    span: Span = field(compare=False)
    number: int = field(compare=False)

    # Defined once here, not generated for every class: that would double the time it takes to import the tree.

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Node) and self.content() == other.content()

    def __hash__(self) -> int:
        return hash(tuple(self.content().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.content().items())})"

    def content(self) -> dict[str, Any]:
        """The fields that count for `==` by name, `kind` first: all but span and number."""
        return {name: getattr(self, name) for name in content_fields(type(self))}

    def children(self) -> Iterator[Node]:
        """The direct child nodes, in the order of the fields that hold them."""
        for name in content_fields(type(self)):
            value = getattr(self, name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                yield from (item for item in value if isinstance(item, Node))

    def walk(self) -> Iterator[Node]:
        """This node and all its descendants, in preorder."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(list(node.children()))


_CONTENT_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def content_fields(model: type[Node]) -> tuple[str, ...]:
    """The names of the fields of a node class that count for `==`, in the order of declaration."""
    if model not in _CONTENT_FIELDS:
        _CONTENT_FIELDS[model] = tuple(each.name for each in fields(model) if each.compare)
    return _CONTENT_FIELDS[model]
