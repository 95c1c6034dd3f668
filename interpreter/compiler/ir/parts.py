"""The parts of nodes, and nodes with other parts: derived from the fields of all classes of the IR, once.

The type of a field, as it is written, says whether it holds parts:

- an expression, or several: `Expr`, `Expr | None`, `tuple[Expr, ...]`;
- what is not an expression itself but contains some: `tuple[Loop, ...]` (the sets of the loops and their conditions)
  and `Cell` in a statement (its index; the cell remains one of its group);
- statements: `Block`.

Other fields are kept as they are, such as the locals that an expression binds, and the cells of `int | Cell` and
`Cell | None`, whose index is always constant. A new class of nodes needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from operator import attrgetter, is_
from typing import Any, TypeAlias

Part: TypeAlias = Any
"""A node, or what a field with nodes holds: the text of the type of a field says so, which mypy cannot follow."""
Change: TypeAlias = Callable[[Part], Part]
Read = Callable[[Part], tuple[Part, ...]]
"""What returns the expressions directly in a node."""
Rewrite = Callable[[Part, Change, Part], Part]
"""What rewrites the expressions and the blocks directly in a node, with one function for each of the two."""

EXPRESSIONS: dict[type, Read] = {}
"""The functions that return the expressions directly in a node, in order of evaluation, by class."""
REWRITING: dict[type, Rewrite] = {}
"""The functions that rewrite what is directly in a node, by class: they return the node itself if nothing changes."""
BLOCKS: dict[type, Read] = {}
"""The functions that return the blocks directly in a node, of the classes that have some."""
CELLS: dict[type, tuple[str, ...]] = {}
"""The fields of a node that hold a cell, by class."""


def derive(classes: Iterable[type], evaluated: Mapping[type, tuple[str, ...]] | None = None) -> None:
    """Add classes of nodes; `evaluated` names fields in order of evaluation where that is not the order of the fields.

    Raises TypeError for a field with expressions or blocks in a form that is not known here.
    """
    for class_ in classes:
        kinds = {part.name: str(part.type) for part in fields(class_)}
        names = {name: None for name in (*(evaluated or {}).get(class_, ()), *kinds) if kinds[name] in _REWRITTEN}
        for name, kind in kinds.items():
            if name not in names and any(word in kind for word in ("Expr", "Block", "Loop")):
                raise TypeError(f"{class_.__name__}.{name}: {kind}")
        EXPRESSIONS[class_] = _reader({name: kinds[name] for name in names if kinds[name] in _READ})
        REWRITING[class_] = _rewriter(class_, tuple(kinds), {name: kinds[name] for name in names})
        CELLS[class_] = tuple(name for name, kind in kinds.items() if "Cell" in kind)
        blocks = [name for name in names if kinds[name] == "Block"]
        if blocks:
            BLOCKS[class_] = _tuple_of(*blocks)


def has_parts(class_: type) -> bool:
    """Whether nodes of a class contain expressions or blocks."""
    return REWRITING[class_] is not _unchanged


# ---------------------------------------------------------------- reading


def _expressions(node: Part) -> tuple[Part, ...]:
    return EXPRESSIONS[type(node)](node)


_READ: Mapping[str, Read] = {
    "Expr": lambda part: (part,),
    "Expr | None": lambda part: () if part is None else (part,),
    "tuple[Expr, ...]": lambda parts: parts,
    "tuple[Loop, ...]": lambda loops: tuple([part for loop in loops for part in _expressions(loop)]),
    "Cell": _expressions,
}
"""The expressions in the value of a field, by the type of the field."""


def _tuple_of(*names: str) -> Read:
    """What returns the values of some fields."""
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda node: (get(node),)


def _nothing(node: Part) -> tuple[Part, ...]:
    return ()


def _reader(kinds: dict[str, str]) -> Read:
    """What returns the expressions in these fields. The frequent forms have functions that do not go through a loop."""
    if not kinds:
        return _nothing
    get = attrgetter(*kinds)
    if len(kinds) == 1:
        (kind,) = kinds.values()
        if kind == "Expr":
            return _tuple_of(*kinds)
        read_field = _READ[kind]
        return get if kind == "tuple[Expr, ...]" else lambda node: read_field(get(node))
    if set(kinds.values()) == {"Expr"}:
        return get
    readers = [(attrgetter(name), _READ[kind]) for name, kind in kinds.items()]
    return lambda node: tuple([part for get, read_field in readers for part in read_field(get(node))])


# ---------------------------------------------------------------- rewriting


def _all_rewritten(nodes: tuple[Part, ...], change: Change, inside: Part) -> tuple[Part, ...]:
    new_nodes = tuple([change(node) for node in nodes])
    return nodes if all(map(is_, new_nodes, nodes)) else new_nodes


def _block_rewritten(block: tuple[Part, ...], change: Part, inside: Change) -> tuple[Part, ...]:
    new_block: tuple[Part, ...] = inside(block)
    if new_block is block:
        return block
    return block if len(new_block) == len(block) and all(map(is_, new_block, block)) else new_block


def _rewritten(node: Part, change: Change, inside: Part) -> Part:
    return REWRITING[type(node)](node, change, inside)


def _loops_rewritten(loops: tuple[Part, ...], change: Change, inside: Part) -> tuple[Part, ...]:
    return _all_rewritten(loops, lambda loop: _rewritten(loop, change, inside), inside)


_REWRITTEN: Mapping[str, Rewrite] = {
    "Expr": lambda part, change, _: change(part),
    "Expr | None": lambda part, change, _: None if part is None else change(part),
    "tuple[Expr, ...]": _all_rewritten,
    "tuple[Loop, ...]": _loops_rewritten,
    "Cell": _rewritten,
    "Block": _block_rewritten,
}
"""What becomes of the value of a field, by the type of the field; the value itself if nothing changes."""


def _unchanged(node: Part, change: Change, inside: Part) -> Part:
    return node


def _rewriter(class_: type, names: tuple[str, ...], kinds: dict[str, str]) -> Rewrite:
    """What rewrites these fields of a class whose fields are `names`.

    The frequent forms have functions of their own, as most of the time of passes is spent here.
    """
    if not kinds:
        return _unchanged
    read_parts, values_of = _tuple_of(*kinds), attrgetter(*names)  # of two or more fields: every node has its source
    places = [names.index(name) for name in kinds]
    functions = [None if kind == "Expr" else _REWRITTEN[kind] for kind in kinds.values()]

    def rebuilt(node: Part, parts: Iterable[Part]) -> Part:
        values = list(values_of(node))
        for place, part in zip(places, parts, strict=True):
            values[place] = part
        return class_(*values)

    def rewrite_tuple(node: Part, change: Change, inside: Part) -> Part:
        old = read_parts(node)[0]
        new = [change(part) for part in old]
        return node if all(map(is_, new, old)) else rebuilt(node, (tuple(new),))

    def rewrite_expressions(node: Part, change: Change, inside: Part) -> Part:
        old = read_parts(node)
        new = [change(part) for part in old]
        return node if all(map(is_, new, old)) else rebuilt(node, new)

    def rewrite(node: Part, change: Change, inside: Part) -> Part:
        old = read_parts(node)
        new = [
            change(part) if rewrite_field is None else rewrite_field(part, change, inside)
            for rewrite_field, part in zip(functions, old, strict=True)
        ]
        return node if all(map(is_, new, old)) else rebuilt(node, new)

    if set(kinds.values()) == {"Expr"}:
        return rewrite_expressions
    return rewrite_tuple if [*kinds.values()] == ["tuple[Expr, ...]"] else rewrite
