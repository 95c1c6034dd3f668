"""The common base of all AST nodes: kind, span, number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field, fields
from operator import attrgetter
from typing import Any

from dsl.lazy_dataclasses import node_class
from dsl.text.span import Span

NODES: set[type] = set()
"""The classes of nodes: looking a class up here is much faster than `isinstance`."""


@node_class
class Node:
    """A node, which nothing changes. `==` compares content only: span and number do not count.

    `kind` is the same for all nodes of a class and tells the classes apart where the tree is plain data. `number`
    identifies the node within one parse of one file (or of a game and its companion); the side tables of later stages
    are keyed by it.
    """

    kind: str
    span: Span = field(compare=False)
    number: int = field(compare=False)

    def __init_subclass__(cls) -> None:
        NODES.add(cls)

    # Defined once here, not generated for every class: that would double the time it takes to import the tree.

    def __eq__(self, compared: object) -> bool:
        if type(self) is not type(compared) or not isinstance(compared, Node):
            return False
        values = values_of(type(self))
        return values(self) == values(compared)

    def __hash__(self) -> int:
        return hash((self.kind, values_of(type(self))(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.content().items())})"

    def content(self) -> dict[str, Any]:
        """The fields that count for `==` by name, `kind` first: all but span and number."""
        return {name: getattr(self, name) for name in content_fields(type(self))}

    def children(self) -> list[Node]:
        """The direct child nodes, in the order of the fields that hold them."""
        nodes: list[Node] = []
        for value in _parts_of(type(self))(self):
            if type(value) in NODES:
                nodes.append(value)
            elif type(value) is tuple:
                for item in value:
                    if type(item) in NODES:
                        nodes.append(item)
        return nodes

    def walk(self) -> Iterator[Node]:
        """This node and all its descendants, in preorder."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children())


_CONTENT_FIELDS: dict[type[Node], tuple[str, ...]] = {}
_VALUES: dict[type[Node], Callable[[Node], tuple[Any, ...]]] = {}
_PARTS: dict[type[Node], Callable[[Node], tuple[Any, ...]]] = {}
_PLAIN = re.compile(r"(?:Literal\[[^][]*\]|str|int|bool|None|tuple|\.\.\.|[][|, ])+")
"""The type of a field, as it is written, that holds no nodes."""


def content_fields(model: type[Node]) -> tuple[str, ...]:
    """The names of the fields of a node class that count for `==`, in the order of declaration."""
    if model not in _CONTENT_FIELDS:
        _CONTENT_FIELDS[model] = tuple(field.name for field in fields(model) if field.compare)
    return _CONTENT_FIELDS[model]


def values_of(model: type[Node]) -> Callable[[Node], tuple[Any, ...]]:
    """What gives the values of these fields at once.

    `kind` may be missing, as it is the same for all nodes of the class: it is there only to make at least two.
    """
    if model not in _VALUES:
        names = content_fields(model)
        _VALUES[model] = attrgetter(*names[1:]) if len(names) > 2 else attrgetter("kind", *names)
    return _VALUES[model]


def _parts_of(model: type[Node]) -> Callable[[Node], tuple[Any, ...]]:
    """What gives the values of the fields that may hold nodes: half of all nodes of a tree are names, without any.

    `kind` is there for the same reason as in `values_of`.
    """
    if model not in _PARTS:
        names = [field.name for field in fields(model) if field.compare and not _PLAIN.fullmatch(str(field.type))]
        _PARTS[model] = attrgetter("kind", *names) if names else _nothing
    return _PARTS[model]


def _nothing(node: Node) -> tuple[Any, ...]:
    """The parts of a node that has none."""
    return ()
