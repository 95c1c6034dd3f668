"""Operations on sets as C."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir.expressions import Const, Expr, Op
from interpreter.ir.types import Opt, Ref, Set, bare
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, as_type, bound, text

JOINED = {"union": "union", "both": "both", "minus": "minus"}


def set_form(names: Names, node: Expr) -> str:
    """The suffix of the functions for the sets of a type."""
    inner = bare(node.type)
    assert isinstance(inner, Set)
    return names.forms.set_form(inner.width)


def _joined(names: Names, node: Op) -> str:
    form = set_form(names, node)
    one, other = (as_form(names, arg, f"set_{form}") for arg in node.args)
    return f"{JOINED[node.name]}_{form}({one}, {other})"


def _single(names: Names, node: Op) -> str:
    (value,) = node.args
    return single(names, set_form(names, node), value)


def single(names: Names, form: str, value: Expr) -> str:
    """The set with one member, or with none if that is none; numbers may be beyond the set, which is a fault."""
    found = text(names, value)
    return f"bit_{form}({found})" if isinstance(value.type, Ref) else f"single_{form}(x, {found})"


def _or_empty(names: Names, node: Op) -> str:
    (value,) = node.args
    if not isinstance(value.type, Opt):
        return as_type(names, value, node.type)
    form = names.forms.form_of(value.type)
    wanted = names.forms.form_of(node.type)
    name = names.new()
    inner = names.forms.converted(f"{name}.v", names.forms.form_of(bare(value.type)), wanted)
    nothing = f"({wanted}){{0}}" if wanted != "Q" else "(Q){0, 0}"
    return bound(names, name, form, text(names, value), f"{name}.there ? {inner} : {nothing}")


def _has(names: Names, node: Op) -> str:
    those, value = node.args
    return f"has_{set_form(names, those)}({text(names, those)}, {text(names, value)})"


def _of_set(function: str) -> Callable[[Names, Op], str]:
    def printed(names: Names, node: Op) -> str:
        (those,) = node.args
        return f"{function}_{set_form(names, those)}({text(names, those)})"

    return printed


def _lowest(names: Names, node: Op) -> str:
    """The first member of a set that is not empty."""
    return f"need(x, {_of_set('first')(names, node)})"


def _nth_member(names: Names, node: Op) -> str:
    number, those = node.args
    return f"nth_member_{set_form(names, those)}({text(names, number)}, {text(names, those)})"


def _shift(names: Names, node: Op) -> str:
    those, step = node.args
    assert isinstance(step, Const) and isinstance(node.type, Set) and isinstance(those.type, Set)
    form = names.forms.set_form(max(node.type.width, those.type.width))
    found = as_form(names, those, f"set_{form}")
    if step.value:
        found = f"{'up' if step.value > 0 else 'down'}_{form}({found}, {abs(step.value)})"
    if those.type.width + max(0, step.value) > node.type.width:
        found = f"both_{form}({found}, below_{form}({node.type.width}))"
    return names.forms.converted(found, f"set_{form}", names.forms.form_of(node.type))


SETS: dict[str, Callable[[Names, Op], str]] = {
    **dict.fromkeys(JOINED, _joined),
    **{name: _of_set(name) for name in ("size", "first", "last")},
    "lowest": _lowest, "single": _single, "or_empty": _or_empty, "has": _has, "nth_member": _nth_member,
    "shift": _shift,
}  # fmt: skip
"""The functions that print operations on sets, by their names."""
