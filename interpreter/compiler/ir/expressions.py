"""Expressions: pure, each with its type and the node of the rules that it came from.

INVARIANT: nodes are never changed, so several expressions may share one. A rewriting gives the node itself if nothing
in it is different (`rebuilt`). Passes see from that whether they have done anything, and keep facts by the identity of
nodes (`IdentityMap`).

Equality ignores where an expression came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias, get_args

from dsl import ast
from dsl.lazy_dataclasses import dataclass, value_class
from interpreter.compiler.ir.operations import FAILING
from interpreter.compiler.ir.parts import EXPRESSIONS, REWRITING, derive
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Type
from interpreter.runtime.cells import StoredValue

TableContent: TypeAlias = Any
"""Nested as deeply as a table has keys; data of a search, such as a graph, in a form of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Constant data of the program: a tuple indexed by the key, or a mapping; nested for several keys.

    `missing` is the value for keys that a mapping does not have, if they can be looked up. `steps_from` names the
    directions of a table of steps: its second key.
    """

    name: str
    content: TableContent
    type: Type
    partial: bool = False
    missing: int | None = None


@value_class
class Group:
    """Consecutive cells of the same kind: the slots of a zone or note, the parameters of a rule.

    `first` is the number of the first cell in the state, `count` the number of cells.
    """

    name: str
    first: int
    count: int
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A zone of the game: `count` places from number `first` on, in the order of their index.

    `shape` is heap, one, row or stack. `contents` are the cells with the pieces of each place as a set, `order` those
    with the pieces of a row or stack in order; `filled` is the one cell with the indices of the places that hold a
    piece, of a zone for single pieces with one index; `positions` maps such an index to the position of its place, None
    where they are the same.
    """

    name: str
    first: int
    count: int
    shape: str
    contents: Group
    order: Group | None
    filled: Group | None
    positions: Table | None


@value_class
class Const:
    """A number, truth value, none, or a set as its bits."""

    type: Type
    value: Any  # as `type` says, on which passes decide before they read it
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Data:
    """A table as a whole, as an argument of an operation or iterated over."""

    type: Type
    table: Table
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Local:
    """A parameter or variable of a function; names are unique within it."""

    type: Type
    name: str
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Cell:
    """A cell of the state: number `index`, from 0, of its group."""

    type: Type
    group: Group
    index: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Slot:
    """The number of a place: number `index`, from 0, of its zone."""

    type: Type
    zone: Zone
    index: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Lookup:
    """An entry of a table; none for a key that is none."""

    type: Type
    table: Table
    keys: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Op:
    """An operation (`operations.py`) whose arguments are all evaluated first."""

    type: Type
    name: str
    args: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Logic:
    """A short-circuiting `and` or `or`."""

    type: Type
    word: Literal["and", "or"]
    parts: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Choice:
    """A conditional expression, of which only the chosen branch is evaluated."""

    type: Type
    condition: Expr
    then: Expr
    otherwise: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Loop:
    """A loop variable over a set (in ascending order) or sequence, restricted to values that satisfy `where`."""

    local: Local
    over: Expr
    where: Expr | None = None


FoldKind = Literal["any", "count", "sum", "max", "min", "set", "sets", "list", "first", "highest", "lowest"]

NOTHING_FOUND: Mapping[FoldKind, StoredValue] = {
    "any": False, "count": 0, "sum": 0, "max": 0, "min": 0, "set": 0, "sets": (), "list": (), "first": None,
    "highest": None, "lowest": None,
}  # fmt: skip
"""The value of a fold without iterations."""


@value_class
class Fold:
    """A value computed by nested loops.

    `any`: whether there is a combination; `count`, `sum`, `max`, `min` (0 of nothing) of the values; `set` of the
    values, without none; `sets` in order without repetition; `list` of all values; `first` value or none; `highest`
    and `lowest`: the first loop variable for which the value is that, or none.
    """

    type: Type
    word: FoldKind
    loops: tuple[Loop, ...]
    value: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Let:
    """An expression with a local bound to a value, which is evaluated once."""

    type: Type
    local: Local
    value: Expr
    body: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Call:
    """A call of a definition."""

    type: Type
    function: str
    args: tuple[Expr, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)


CheckKind = Literal["need", "in_range", "among", "subset", "one_of", "product", "divisor"]


@value_class
class Check:
    """A value with a check, which ends the game in a fault if it fails.

    `need`: it is not none; `in_range`: from `bounds[0]` to `bounds[1]`; `among` and `subset`: one, or a subset, of the
    numbers in `bounds`; `one_of`: a value of the type `domain` within `bounds`; `product`: not too large;
    `divisor`: not 0.
    """

    type: Type
    word: CheckKind
    value: Expr
    bounds: tuple[int, ...]
    source: ast.Node | None = field(default=None, compare=False, repr=False)
    domain: str = ""


@value_class
class Counted:
    """A value whose evaluation is counted for coverage as `branch`; for a condition as one of two branches."""

    type: Type
    value: Expr
    branch: int
    otherwise: int | None
    source: ast.Node | None = field(default=None, compare=False, repr=False)


@value_class
class Lambda:
    """An anonymous function, as an argument of a search."""

    type: Type
    params: tuple[Local, ...]
    body: Expr
    source: ast.Node | None = field(default=None, compare=False, repr=False)


Expr = (
    Const | Data | Local | Cell | Slot | Lookup | Op | Logic | Choice | Fold | Let | Call | Check | Counted | Lambda
)  # fmt: skip

TRUE, FALSE, NOTHING = Const(BOOL, True), Const(BOOL, False), Const(Opt(Ref("nothing", 0)), None)


def number(value: int) -> Const:
    """A constant number."""
    return Const(Int(value, value), value)


Change = Callable[[Expr], Expr]
"""A rewriting of expressions."""


derive((*get_args(Expr), Loop))


def children(node: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression, in order of evaluation."""
    return EXPRESSIONS[type(node)](node)


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all its parts, outermost first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += EXPRESSIONS[type(node)](node)[::-1]


def rebuilt(node: Expr, change: Change) -> Expr:
    """The node with its children changed; the node itself if none is."""
    rewritten: Expr = REWRITING[type(node)](node, change, None)
    return rewritten


def changed_loop(loop: Loop, change: Change) -> Loop:
    """The loop with its expressions changed; the loop itself if none is."""
    rewritten: Loop = REWRITING[Loop](loop, change, None)
    return rewritten


def may_fail(node: Expr, call_may_fail: Callable[[str], bool] = lambda _: True) -> bool:
    """Whether evaluating an expression may end the game in a fault; `call_may_fail` answers that for calls."""
    if isinstance(node, Check) or (isinstance(node, Op) and node.name in FAILING):
        return True
    if isinstance(node, Call) and call_may_fail(node.function):
        return True
    return any(may_fail(child, call_may_fail) for child in children(node))


def mentions(node: Expr, local: Local) -> bool:
    """Whether an expression reads a local."""
    name, waiting = local.name, [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Local):
            if part.name == name:
                return True
        else:
            waiting += children(part)
    return False


def locals_of(node: Expr) -> frozenset[str]:
    """The names of all locals that an expression reads, including those it binds."""
    return frozenset(part.name for part in walk(node) if isinstance(part, Local))


def both(parts: list[Expr]) -> Expr:
    """The conjunction of conditions; true if there are none."""
    if len(parts) == 1:
        return parts[0]
    return Logic(BOOL, "and", tuple(parts)) if parts else TRUE


def not_empty(members: Expr, source: ast.Node | None = None) -> Op:
    """Whether a set or sequence has members."""
    return Op(BOOL, "not", (Op(BOOL, "is_empty", (members,), source),), source)


def conjuncts(node: Expr | None) -> list[Expr]:
    """The conditions of which a condition is the conjunction."""
    if node is None or node == TRUE:
        return []
    if isinstance(node, Logic) and node.word == "and":
        return [condition for part in node.parts for condition in conjuncts(part)]
    return [node]
