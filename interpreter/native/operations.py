"""Operations as C; those on numbers and truth values are printed here."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir.expressions import Const, Data, Expr, Lambda, Op
from interpreter.ir.types import Bool, Opt, Ref, Set
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, condition, text
from interpreter.native.forms import NotInC, is_scalar
from interpreter.native.graphs import graph_call
from interpreter.native.packings import SEARCHES
from interpreter.native.positions import POSITIONS
from interpreter.native.sequences import SEQUENCES
from interpreter.native.sets import SETS

CHECKED = {"add": "add", "sub": "sub", "mul": "mul", "div": "floor_div", "mod": "floor_mod"}
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
MOST_UNCHECKED = 10**12
"""Bounds of numbers whose sums need no check."""


def operation(names: Names, node: Op) -> str:
    """An operation as a C expression."""
    printer = OPERATIONS.get(node.name)
    if printer is not None:
        return printer(names, node)
    if any(isinstance(arg, Data | Lambda) for arg in node.args):
        return graph_call(names, node)
    raise NotInC(f"the operation {node.name}")


def _checked(names: Names, node: Op) -> str:
    one, other = node.args
    first, second = text(names, one), text(names, other)
    if node.name in ("add", "sub") and _small(one) and _small(other):
        return f"({first} {'+' if node.name == 'add' else '-'} {second})"
    return f"{CHECKED[node.name]}(x, {first}, {second})"


def _small(node: Expr) -> bool:
    if isinstance(node, Const) and isinstance(node.value, int):
        return abs(node.value) <= MOST_UNCHECKED
    return isinstance(node.type, Ref | Bool) and not isinstance(node, Op)


def _compared(names: Names, node: Op) -> str:
    one, other = (text(names, arg) for arg in node.args)
    return f"({one} {COMPARED[node.name]} {other})"


def _equal(names: Names, node: Op) -> str:
    one, other = node.args
    if is_scalar(one.type) and is_scalar(other.type):
        return f"({text(names, one)} == {text(names, other)})"
    if isinstance(one.type, Set) and isinstance(other.type, Set):
        form = names.forms.set_form(max(one.type.width, other.type.width))
        first, second = (as_form(names, part, f"set_{form}") for part in node.args)
        return f"equal_{form}({first}, {second})"
    raise NotInC(f"a comparison of {one.type} with {other.type}")


def _is_none(names: Names, node: Op) -> str:
    (value,) = node.args
    if is_scalar(value.type):
        return f"({text(names, value)} == NONE)"
    found = text(names, value)
    return f"(!({found}).there)" if isinstance(value.type, Opt) else f"((void)({found}), false)"


def _extreme(names: Names, node: Op) -> str:
    found = text(names, node.args[0])
    for other in node.args[1:]:
        found = f"{node.name}({found}, {text(names, other)})"
    return found


def _of_number(function: str) -> Callable[[Names, Op], str]:
    return lambda names, node: f"{function}(x, {text(names, node.args[0])})"


OPERATIONS: dict[str, Callable[[Names, Op], str]] = {
    **SEARCHES, **SETS, **SEQUENCES, **POSITIONS,
    **dict.fromkeys(CHECKED, _checked), **dict.fromkeys(COMPARED, _compared),
    **dict.fromkeys(("least", "greatest"), _extreme),
    "neg": _of_number("neg"), "abs": _of_number("absolute"), "eq": _equal, "is_none": _is_none,
    "not": lambda names, node: f"(!{condition(names, node.args[0])})",
    "to_int": lambda names, node: f"((I){condition(names, node.args[0])})",
}  # fmt: skip
