"""Expressions as C.

An expression that needs statements is a statement expression, `({ … })`, of the compilers that are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.ir.expressions import (
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Counted,
    Data,
    Expr,
    Fold,
    Lambda,
    Let,
    Local,
    Logic,
    Lookup,
    Op,
    Slot,
)
from interpreter.ir.types import Bool, Opaque, Opt, Seq, Set, Type, optional
from interpreter.native.constants import scalar, set_value
from interpreter.native.context import Names, form_of_cell
from interpreter.native.forms import SCALAR, NotInC, is_scalar

PRINTERS: dict[type, Callable[[Names, Any], str]] = {}
"""The functions that print operations and folds; `source.py` adds them, as they print expressions in turn."""


def text(names: Names, node: Expr) -> str:
    """An expression as a C expression of the C type of its type."""
    match node:
        case Const():
            return constant(names, node.value, node.type)
        case Local():
            return names.read(node)
        case Cell():
            return _cell(names, node)
        case Slot():
            return plus(node.zone.first, index_text(names, node.index))
        case Lookup():
            return _lookup(names, node)
        case Logic():
            sign = " && " if node.word == "and" else " || "
            return f"({sign.join(condition(names, part) for part in node.parts)})"
        case Choice():
            form = names.forms.form_of(node.type)
            then, otherwise = (as_form(names, part, form) for part in (node.then, node.otherwise))
            return f"({condition(names, node.condition)} ? {then} : {otherwise})"
        case Let():
            return _let(names, node)
        case Call():
            return _call(names, node)
        case Check():
            return _check(names, node)
        case Op() | Fold():
            return PRINTERS[type(node)](names, node)
        case Counted():
            return text(names, node.value)
        case Data(table=table) if isinstance(node.type, Seq):
            return constant(names, table.content, node.type)
        case Data() | Lambda():
            raise NotInC("a function or a graph as a value")


def as_type(names: Names, node: Expr, type_: Type) -> str:
    """An expression as a value of a type."""
    return as_form(names, node, names.forms.form_of(type_))


def as_form(names: Names, node: Expr, form: str) -> str:
    """An expression as a value of a C type."""
    if isinstance(node, Const) and node.value is None and form != SCALAR:
        return f"({form}){{0}}"
    return names.forms.converted(text(names, node), names.forms.form_of(node.type), form)


def condition(names: Names, node: Expr) -> str:
    """An expression as a condition; none counts as false."""
    if isinstance(node, Const):
        return "true" if node.value else "false"
    found = text(names, node)
    match node.type:
        case Bool():
            return found
        case Opt(of=Bool()):
            return f"({found} == 1)"
        case Set(width=width):
            return f"(!is_empty_{names.forms.set_form(width)}({found}))"
        case _:
            raise NotInC(f"a condition of the type {node.type}")


def constant(names: Names, value: object, type_: Type) -> str:
    """A constant."""
    if is_scalar(type_):
        return scalar(value)
    if value is None:
        return f"({names.forms.form_of(type_)}){{0}}"
    if isinstance(type_, Set):
        assert isinstance(value, int)
        form = names.forms.set_form(type_.width)
        return set_value(form, value, names.forms.sets[form])
    return f"({names.forms.form_of(type_)}){names.program.constants.value(value, type_)}"


def index_text(names: Names, node: Expr) -> str:
    """A number that is used as an index."""
    if isinstance(node, Const) and not isinstance(node.type, Opaque) and node.value is not None:
        return str(int(node.value))
    return text(names, node)


def plus(first: int, index: str) -> str:
    """The sum of a number and an index."""
    return str(first + int(index)) if index.lstrip("-").isdigit() else f"({first} + {index})" if first else index


def bound(names: Names, name: str, form: str, value: str, body: str) -> str:
    """An expression with a variable."""
    return f"({{ {form} {name} = {value}; {body}; }})"


def _cell(names: Names, node: Cell) -> str:
    form = form_of_cell(names, node.group)
    place = names.cell(node, _varying(names, node))
    if form == "Q":
        return f"order_of(x, &{place})"
    if isinstance(node.group.type, Seq) and not names.kept(node.group):
        names.list_number(node.group)
        size = f"sizeof {place}.v[0] * (size_t){place}.n"
        return f"({form}){{{place}.n, copied(x, {place}.v, {size})}}"
    return names.forms.converted(place, form, names.forms.form_of(node.type))


def cell_place(names: Names, node: Cell) -> str:
    """A cell as something that can be assigned."""
    return names.cell(node, _varying(names, node))


def _varying(names: Names, node: Cell) -> str | None:
    return None if node.group.count == 1 else index_text(names, node.index)


def _lookup(names: Names, node: Lookup) -> str:
    last = node.keys[-1]
    maybe = isinstance(last.type, Opt)
    entry_type = node.table.type if maybe else node.type
    wanted = names.forms.form_of(node.type)
    form = names.forms.form_of(optional(node.type)) if maybe else wanted
    stored = names.program.constants.table(node.table, len(node.keys), entry_type)
    keys = [_key(names, key) for key in node.keys]
    stored_form = names.forms.form_of(entry_type)
    if not maybe:
        return names.forms.converted(f"{stored.name}[{stored.place(keys)}]", stored_form, wanted)
    name = names.new()
    found = names.forms.converted(f"{stored.name}[{stored.place([*keys[:-1], name])}]", stored_form, form)
    nothing = "NONE" if form == SCALAR else f"({form}){{0}}"
    whole = bound(names, name, SCALAR, keys[-1], f"{name} == NONE ? {nothing} : {found}")
    return names.forms.converted(whole, form, wanted)


def _key(names: Names, key: Expr) -> str:
    """A key of a table; a small set is the number formed by its bits."""
    if isinstance(key.type, Set):
        form = names.forms.set_form(key.type.width)
        if form != "u1":
            raise NotInC("a table whose key is a set of more than 64 values")
        return f"(I){text(names, key)}"
    return index_text(names, key) if isinstance(key, Const) and key.value is not None else text(names, key)


def _let(names: Names, node: Let) -> str:
    form = names.forms.form_of(node.local.type)
    value = as_form(names, node.value, form)
    before = names.locals.get(node.local.name)
    name = names.bind(node.local)
    names.note_record(node.local, node.value)
    body = text(names, node.body)
    restore(names, node.local, before)
    return bound(names, name, form, value, body)


def restore(names: Names, local: Local, before: tuple[str, str] | None) -> None:
    """Restore the previous meaning of a name."""
    if before is None:
        names.locals.pop(local.name, None)
    else:
        names.locals[local.name] = before


def _call(names: Names, node: Call) -> str:
    function = names.program.module.functions[node.function]
    args = [as_type(names, arg, param.type) for arg, param in zip(node.args, function.params, strict=True)]
    assert function.result is not None
    found = f"{names.program.functions[node.function]}({', '.join(['x', 'g', *args])})"
    return names.forms.converted(found, names.forms.form_of(function.result), names.forms.form_of(node.type))


def _check(names: Names, node: Check) -> str:
    value = node.value
    form = names.forms.form_of(value.type)
    wanted = names.forms.form_of(node.type)
    match node.word:
        case "need" if form == SCALAR:
            return f"need(x, {text(names, value)})"
        case "need" if isinstance(value.type, Opt):
            name = names.new()
            return bound(names, name, form, text(names, value), f"if (!{name}.there) fault(x); {name}.v")
        case "need":
            return names.forms.converted(text(names, value), form, wanted)
        case "in_range":
            return f"in_range(x, {text(names, value)}, {scalar(node.bounds[0])}, {scalar(node.bounds[1])})"
        case "divisor":
            name = names.new()
            return bound(names, name, SCALAR, text(names, value), f"if ({name} == 0) fault(x); {name}")
        case "product":
            assert isinstance(value, Op)
            return f"product(x, {', '.join(text(names, arg) for arg in value.args)})"
        case "among" | "one_of":
            name = names.new()
            tests = " || ".join(f"{name} == {scalar(bound_)}" for bound_ in node.bounds) or "false"
            return bound(names, name, SCALAR, text(names, value), f"if ({name} != NONE && !({tests})) fault(x); {name}")
        case "subset":
            assert isinstance(value.type, Set)
            width = value.type.width
            set_form, name = names.forms.set_form(width), names.new()
            allowed = sum(1 << bound_ for bound_ in node.bounds if 0 <= bound_ < width)
            every = set_value(set_form, allowed, names.forms.sets[set_form])
            test = f"if (!is_empty_{set_form}(minus_{set_form}({name}, {every}))) fault(x); {name}"
            return bound(names, name, form, text(names, value), test)
