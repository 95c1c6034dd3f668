"""Expressions: pure, each with its type and the node of the rules that it came from.

Equality ignores where an expression came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from operator import attrgetter, is_
from typing import Any, Literal

from dsl import ast
from dsl.lazy_dataclasses import dataclass, value_class
from interpreter.compiler.ir.operations import FAILING
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Type

Content = tuple[Any, ...] | dict[int, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Constant data of the program: a tuple indexed by the key, or a mapping; nested for several keys.

    `missing` is the value for keys that a mapping does not have, if they can be looked up. `steps_from` names the
    directions of a table of steps: its second key.
    """

    name: str
    content: Any
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
    value: Any
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

NOTHING_FOUND: Mapping[FoldKind, Any] = {
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


def children(node: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression, in order of evaluation."""
    return CHILDREN[type(node)](node)


def _none(node: Const | Data | Local) -> tuple[Expr, ...]:
    return ()


def _in_fold(node: Fold) -> tuple[Expr, ...]:
    parts: list[Expr] = []
    for loop in node.loops:
        parts.append(loop.over)
        if loop.where is not None:
            parts.append(loop.where)
    return *parts, node.value


CHILDREN: Mapping[type, Callable[[Any], tuple[Expr, ...]]] = {
    Const: _none, Data: _none, Local: _none, Op: attrgetter("args"), Call: attrgetter("args"),
    Cell: lambda node: (node.index,), Slot: lambda node: (node.index,), Lookup: attrgetter("keys"),
    Logic: attrgetter("parts"), Choice: attrgetter("condition", "then", "otherwise"),
    Check: lambda node: (node.value,), Counted: lambda node: (node.value,), Fold: _in_fold,
    Let: attrgetter("value", "body"), Lambda: lambda node: (node.body,),
}  # fmt: skip
"""The functions that return the direct parts, by class: they are called very often."""


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all its parts, outermost first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += CHILDREN[type(node)](node)[::-1]


def rebuilt(node: Expr, change: Change) -> Expr:
    """The node with its children changed; the node itself if none is."""
    return REBUILDING[type(node)](node, change)


def changed_loop(loop: Loop, change: Change) -> Loop:
    """The loop with its expressions changed; the loop itself if none is."""
    over, where = change(loop.over), None if loop.where is None else change(loop.where)
    return loop if over is loop.over and where is loop.where else Loop(loop.local, over, where)


def _same(node: Expr, change: Change) -> Expr:
    return node


def _changed_op(node: Op, change: Change) -> Expr:
    args = tuple([change(arg) for arg in node.args])
    return node if all(map(is_, args, node.args)) else Op(node.type, node.name, args, node.source)


def _changed_ask(node: Call, change: Change) -> Expr:
    args = tuple([change(arg) for arg in node.args])
    return node if all(map(is_, args, node.args)) else Call(node.type, node.function, args, node.source)


def _changed_lookup(node: Lookup, change: Change) -> Expr:
    keys = tuple([change(key) for key in node.keys])
    return node if all(map(is_, keys, node.keys)) else Lookup(node.type, node.table, keys, node.source)


def _changed_logic(node: Logic, change: Change) -> Expr:
    parts = tuple([change(part) for part in node.parts])
    return node if all(map(is_, parts, node.parts)) else Logic(node.type, node.word, parts, node.source)


def _changed_fold(node: Fold, change: Change) -> Expr:
    loops = tuple([changed_loop(loop, change) for loop in node.loops])
    value = change(node.value)
    if value is node.value and all(map(is_, loops, node.loops)):
        return node
    return Fold(node.type, node.word, loops, value, node.source)


def _changed_cell(node: Cell, change: Change) -> Expr:
    index = change(node.index)
    return node if index is node.index else Cell(node.type, node.group, index, node.source)


def _changed_slot(node: Slot, change: Change) -> Expr:
    index = change(node.index)
    return node if index is node.index else Slot(node.type, node.zone, index, node.source)


def _changed_choice(node: Choice, change: Change) -> Expr:
    three = change(node.condition), change(node.then), change(node.otherwise)
    return node if all(map(is_, three, children(node))) else Choice(node.type, *three, node.source)


def _changed_check(node: Check, change: Change) -> Expr:
    value = change(node.value)
    if value is node.value:
        return node
    return Check(node.type, node.word, value, node.bounds, node.source, node.domain)


def _changed_counted(node: Counted, change: Change) -> Expr:
    value = change(node.value)
    return node if value is node.value else Counted(node.type, value, node.branch, node.otherwise, node.source)


def _changed_let(node: Let, change: Change) -> Expr:
    value, body = change(node.value), change(node.body)
    same = value is node.value and body is node.body
    return node if same else Let(node.type, node.local, value, body, node.source)


def _changed_lambda(node: Lambda, change: Change) -> Expr:
    body = change(node.body)
    return node if body is node.body else Lambda(node.type, node.params, body, node.source)


REBUILDING: Mapping[type, Callable[[Any, Change], Expr]] = {
    Const: _same, Data: _same, Local: _same, Op: _changed_op, Call: _changed_ask, Cell: _changed_cell,
    Slot: _changed_slot, Lookup: _changed_lookup, Logic: _changed_logic, Choice: _changed_choice,
    Check: _changed_check, Counted: _changed_counted, Fold: _changed_fold, Let: _changed_let, Lambda: _changed_lambda,
}  # fmt: skip
"""The functions that rewrite the direct parts of an expression, by class."""


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


def conjuncts(node: Expr | None) -> list[Expr]:
    """The conditions of which a condition is the conjunction."""
    if node is None or node == TRUE:
        return []
    if isinstance(node, Logic) and node.word == "and":
        return [condition for part in node.parts for condition in conjuncts(part)]
    return [node]
