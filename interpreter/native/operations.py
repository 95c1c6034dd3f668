"""Operations as C."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir.expressions import Cell, Const, Data, Expr, Lambda, Op
from interpreter.ir.types import Bool, Opt, Ref, Row, Seq, Set, Type, bare
from interpreter.native.context import Names
from interpreter.native.expressions import (
    PRINTERS,
    as_form,
    as_type,
    bound,
    cell_place,
    condition,
    index_text,
    text,
)
from interpreter.native.forms import SCALAR, NotInC, is_scalar
from interpreter.native.graphs import graph_call
from interpreter.native.packings import SEARCHES

CHECKED = {"add": "add", "sub": "sub", "mul": "mul", "div": "floor_div", "mod": "floor_mod"}
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
JOINED = {"union": "union", "both": "both", "minus": "minus"}
MOST_UNCHECKED = 10**12
"""Bounds of numbers whose sums need no check."""

OF_PIECES = {"distinct": "distinct"}
"""The operations on a set of pieces."""


def operation(names: Names, node: Op) -> str:
    """An operation as a C expression."""
    printer = OPERATIONS.get(node.name)
    if printer is not None:
        return printer(names, node)
    if any(isinstance(arg, Data | Lambda) for arg in node.args):
        return graph_call(names, node)
    raise NotInC(f"the operation {node.name}")


def set_form(names: Names, node: Expr) -> str:
    """The suffix of the functions for the sets of a type."""
    inner = bare(node.type)
    assert isinstance(inner, Set)
    return names.forms.set_form(inner.width)


# ---------------------------------------------------------------- numbers and truth


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


# ---------------------------------------------------------------- sets


def _joined(names: Names, node: Op) -> str:
    form = set_form(names, node)
    one, other = (as_form(names, arg, f"set_{form}") for arg in node.args)
    return f"{JOINED[node.name]}_{form}({one}, {other})"


def _single(names: Names, node: Op) -> str:
    (value,) = node.args
    function = "single" if isinstance(value.type, Opt) else "bit"
    return f"{function}_{set_form(names, node)}({text(names, value)})"


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


def _is_empty(names: Names, node: Op) -> str:
    (those,) = node.args
    if isinstance(bare(those.type), Seq):
        return f"({_length_text(names, those)} == 0)"
    if isinstance(those.type, Opt):
        raise NotInC("whether a set that may be none is empty")
    return f"is_empty_{set_form(names, those)}({text(names, those)})"


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


# ---------------------------------------------------------------- sequences


def listed(names: Names, node: Expr) -> str:
    """A set or sequence as a sequence of numbers."""
    if isinstance(node.type, Set):
        form = set_form(names, node)
        return f"{names.program.used_of(f'members_{form}')}(x, {text(names, node)})"
    return text(names, node)


def _listing(names: Names, node: Op) -> str:
    assert isinstance(node.type, Seq)
    form = names.forms.form_of(node.type.of)
    return written_out(names, form, [as_form(names, arg, form) for arg in node.args])


def written_out(names: Names, form: str, items: list[str]) -> str:
    """A sequence of some values."""
    sequence, name = names.forms.sequence(form), names.new()
    if not items:
        return f"({sequence}){{0, 0}}"
    stores = " ".join(f"{name}[{number}] = {item};" for number, item in enumerate(items))
    return (
        f"({{ {form} *{name} = allot(x, sizeof({form}) * {len(items)}); {stores} "
        f"({sequence}){{{len(items)}, {name}}}; }})"
    )


def _span(names: Names, node: Op) -> str:
    return f"span(x, {text(names, node.args[0])}, {text(names, node.args[1])})"


def _in_list(names: Names, node: Op) -> str:
    value, those = node.args
    if isinstance(those, Op) and those.name == "span":
        name = names.new()
        low, high = (text(names, end) for end in those.args)
        return bound(names, name, SCALAR, text(names, value), f"{name} != NONE && {name} >= {low} && {name} <= {high}")
    if isinstance(those.type, Seq) and isinstance(those.type.of, Set):
        return _among_sets(names, value, those, names.forms.set_form(those.type.of.width))
    if names.forms.form_of(those.type) != "Q":
        raise NotInC(f"whether a value is in {those.type}")
    return f"in_list({text(names, value)}, {text(names, those)})"


def _among_sets(names: Names, value: Expr, those: Expr, form: str) -> str:
    """Whether a sequence of sets has a set."""
    if isinstance(value.type, Opt):
        raise NotInC("whether a set that may be none is in a list")
    sets, one, found, number = names.new(), names.new(), names.new(), names.new()
    head = f"set_{form} {one} = {as_form(names, value, f'set_{form}')}; {names.forms.form_of(those.type)} {sets}"
    test = f"{found} = equal_{form}({sets}.v[{number}], {one});"
    return (
        f"({{ {head} = {text(names, those)}; bool {found} = false; "
        f"for (int32_t {number} = 0; {number} < {sets}.n && !{found}; {number}++) {test} {found}; }})"
    )


def _length_text(names: Names, those: Expr) -> str:
    if isinstance(those, Cell) and names.forms.form_of(those.group.type) == "Q":
        return f"(I){cell_place(names, those)}.n"
    if isinstance(those.type, Set):
        return f"size_{set_form(names, those)}({text(names, those)})"
    return f"(I)({text(names, those)}).n"


def _length(names: Names, node: Op) -> str:
    return _length_text(names, node.args[0])


def _take(names: Names, node: Op) -> str:
    those, count = node.args
    form = names.forms.form_of(node.type)
    if form == "Q":
        return f"take({listed(names, those)}, {text(names, count)})"
    name = names.new()
    fewer = f"{name}.n = (int32_t)greatest(0, least({text(names, count)}, {name}.n)); {name}"
    return bound(names, name, form, text(names, those), fewer)


def _item(names: Names, node: Op) -> str:
    those, position = node.args
    if isinstance(those, Cell) and names.forms.form_of(those.group.type) == "Q":
        name = names.new()
        place = f"&{cell_place(names, those)}"
        return bound(names, name, "const Order *", place, f"(I){name}->v[at(x, {text(names, position)}, {name}->n)]")
    sequence, name = names.forms.form_of(those.type), names.new()
    if isinstance(those.type, Set):
        return f"select_{set_form(names, those)}({text(names, those)}, {text(names, position)})"
    return bound(names, name, sequence, text(names, those), f"{name}.v[at(x, {text(names, position)}, {name}.n)]")


def _nth_of(names: Names, node: Op) -> str:
    number, those = node.args
    sequence, name, position = names.forms.form_of(those.type), names.new(), names.new()
    wanted = names.forms.form_of(node.type)
    assert isinstance(those.type, Seq)
    found = names.forms.converted(f"{name}.v[{position}]", names.forms.form_of(those.type.of), wanted)
    nothing = "NONE" if wanted == SCALAR else f"({wanted}){{0}}"
    return (
        f"({{ {sequence} {name} = {text(names, those)}; I {position} = need(x, {text(names, number)}); "
        f"{position} = {position} == -1 ? {name}.n - 1 : {position} - 1; "
        f"{position} >= 0 && {position} < {name}.n ? {found} : {nothing}; }})"
    )


def _from_end(names: Names, node: Op) -> str:
    those, count = node.args
    back = index_text(names, count)
    if isinstance(those, Cell) and names.forms.form_of(those.group.type) == "Q":
        name = names.new()
        place = f"&{cell_place(names, those)}"
        return bound(names, name, "const Order *", place, f"(I){name}->v[at(x, {name}->n - 1 - {back}, {name}->n)]")
    name = names.new()
    form = names.forms.form_of(those.type)
    return bound(names, name, form, text(names, those), f"{name}.v[at(x, {name}.n - 1 - {back}, {name}.n)]")


def _of_sequence(function: str) -> Callable[[Names, Op], str]:
    """A function of sequences of numbers, and of other arguments."""

    def printed(names: Names, node: Op) -> str:
        if names.forms.form_of(node.type) != "Q":
            raise NotInC(f"{node.name} of {node.args[0].type}")
        args = [listed(names, arg) if isinstance(arg.type, Seq) else text(names, arg) for arg in node.args]
        return f"{function}(x, {', '.join(args)})"

    return printed


def _left_out(names: Names, node: Op) -> str:
    those, gone = node.args
    form = names.program.used_of(f"without_{set_form(names, gone)}")
    return f"{form}(x, {text(names, those)}, {text(names, gone)})"


def _as_set(names: Names, node: Op) -> str:
    (those,) = node.args
    if isinstance(those.type, Set):
        return as_type(names, those, node.type)
    form = set_form(names, node)
    function = names.program.used_of(f"as_set_{form}")
    return f"{function}({text(names, those)})"


def _row(names: Names, node: Op) -> str:
    types = tuple(arg.type for arg in node.args)
    if isinstance(node.type, Row) and len(node.type.of) == len(types):
        types = node.type.of
    parts = [as_type(names, arg, type_) for arg, type_ in zip(node.args, types, strict=True)]
    return f"({names.forms.form_of(Row(types))}){{{', '.join(parts) or 0}}}"


def _part(names: Names, node: Op) -> str:
    row, place = node.args
    assert isinstance(place, Const) and isinstance(row.type, Row)
    found = f"({text(names, row)}).f{place.value}"
    return names.forms.converted(found, names.forms.form_of(row.type.of[place.value]), names.forms.form_of(node.type))


# ---------------------------------------------------------------- pieces


def _of_pieces(names: Names, node: Op) -> str:
    (those,) = node.args
    form = names.program.pieces
    if not isinstance(those.type, Set):
        raise NotInC(f"{node.name} of pieces in order")
    names.program.used.add("pieces")
    found = as_form(names, those, f"set_{form}")
    return f"{OF_PIECES[node.name]}(x, g, {found})"


def _contents(names: Names, node: Op) -> str:
    names.program.used.add("pieces")
    return f"contents(x, g, {text(names, node.args[0])})"


def _nth(names: Names, node: Op) -> str:
    names.program.used.add("pieces")
    return f"nth(x, g, {text(names, node.args[0])}, {text(names, node.args[1])})"


def _before(names: Names, node: Op) -> str:
    names.program.used.add("pieces")
    return f"before(x, g, {text(names, node.args[0])}, {text(names, node.args[1])})"


def _with_kind(names: Names, node: Op) -> str:
    """The filled places of a zone, its first cell being a constant, where one of some pieces lies."""
    first, filled, kind = node.args
    form, pieces = set_form(names, filled), names.program.pieces
    if not isinstance(first, Const):
        raise NotInC("the places of a zone that is not known")
    cells = names.program.cells
    position, field = cells.positions.get(first.value), cells.forms.get(first.value)
    if position is None or field != f"set_{pieces}":
        raise NotInC("the contents of a zone in cells of another kind")
    name, left, place = names.new(), names.new(), names.new()
    sets = f"both_{pieces}(g->{cells.field_of(field)}[{position} + {place}], {as_form(names, kind, field)})"
    return (
        f"({{ set_{form} {name} = bit_{form}(-1), {left} = {text(names, filled)}; while (!is_empty_{form}({left})) "
        f"{{ I {place} = next_{form}(&{left}); if (!is_empty_{pieces}({sets})) "
        f"{name} = union_{form}({name}, bit_{form}({place})); }} {name}; }})"
    )


# ---------------------------------------------------------------- choices of several


def _groups_used(names: Names) -> None:
    names.forms.sequence("Q")
    names.program.used.add("subsets")


def _singles(names: Names, node: Op) -> str:
    _groups_used(names)
    return f"singles(x, {listed(names, node.args[0])})"


def _alike(names: Names, node: Op) -> str:
    _groups_used(names)
    names.program.used |= {"pieces", node.name}
    (those,) = node.args
    if not isinstance(those.type, Set):
        raise NotInC("a choice of several pieces in order")
    return f"{node.name}(x, g, {as_form(names, those, f'set_{names.program.pieces}')})"


def _picks(names: Names, node: Op) -> str:
    _groups_used(names)
    groups, chosen, fewest = node.args
    form = set_form(names, chosen)
    names.program.used.add(f"picks {form}")
    return f"picks_{form}(x, {text(names, groups)}, {text(names, chosen)}, {text(names, fewest)})"


def _handfuls(names: Names, node: Op) -> str:
    _groups_used(names)
    assert isinstance(node.type, Seq) and isinstance(node.type.of, Set)
    form = names.forms.set_form(node.type.of.width)
    names.forms.form_of(node.type)
    names.program.used.add(f"handfuls {form}")
    return f"handfuls_{form}(x, {', '.join(text(names, arg) for arg in node.args)})"


# ---------------------------------------------------------------- positions


def _log_number(names: Names, node: Expr) -> int:
    """The number of the log of a record: there is one for each cell with records."""
    records = names.program.records
    first = node.group.first if isinstance(node, Cell) else names.records.get(getattr(node, "name", ""))
    if first in records:
        return records.index(first)
    if len(records) == 1:
        return 0
    raise NotInC("a recorded position that is not in a cell, in a game with several of them")


def _of_record(names: Names, node: Op) -> str:
    record, key = node.args
    if not isinstance(key.type, Row):
        raise NotInC("a recorded position that is not a row of values")
    number, form, value = _log_number(names, record), names.forms.form_of(key.type), names.new()
    parts = " ".join(_noted(names, f"{value}.f{place}", part) for place, part in enumerate(key.type.of))
    return (
        f"({{ {form} {value} = {text(names, key)}; begin_key(x); {parts} "
        f"{node.name}(x, {number}, {text(names, record)}); }})"
    )


def _noted(names: Names, value: str, type_: Type) -> str:
    """A statement that appends a value to the key of a position."""
    if is_scalar(type_) or isinstance(type_, Set):
        return f"note(x, &{value}, sizeof {value});"
    match type_:
        case Opt(of=inner):
            there = f"note(x, &(I){{{value}.there}}, sizeof(I));"
            return f"{there} if ({value}.there) {{ {_noted(names, f'{value}.v', inner)} }}"
        case Row(of=parts):
            return " ".join(_noted(names, f"{value}.f{place}", part) for place, part in enumerate(parts))
        case Seq(of=of):
            k = names.new("k")
            each = _noted(names, f"{value}.v[{k}]", of)
            return f"note(x, &(I){{{value}.n}}, sizeof(I)); for (int32_t {k} = 0; {k} < {value}.n; {k}++) {{ {each} }}"
        case _:
            raise NotInC(f"recorded values of the type {type_}")


def _lying(names: Names, node: Op) -> str:
    names.program.used |= {"pieces", "lying"}
    names.program.forms.sequence(names.program.forms.row((SCALAR, SCALAR)))
    (those,) = node.args
    return f"lying(x, g, {as_form(names, those, f'set_{names.program.pieces}')})"


OPERATIONS: dict[str, Callable[[Names, Op], str]] = {
    **SEARCHES,
    **dict.fromkeys(CHECKED, _checked), **dict.fromkeys(COMPARED, _compared), **dict.fromkeys(JOINED, _joined),
    **dict.fromkeys(("least", "greatest"), _extreme), **dict.fromkeys(OF_PIECES, _of_pieces),
    **{name: _of_set(name) for name in ("size", "first", "last")}, "lowest": _lowest,
    **{name: _of_sequence(name) for name in ("reversed", "behind", "without_last", "appended")},
    "neg": _of_number("neg"), "abs": _of_number("absolute"),
    "not": lambda names, node: f"(!{condition(names, node.args[0])})",
    "to_int": lambda names, node: f"((I){condition(names, node.args[0])})",
    "eq": _equal, "is_none": _is_none, "single": _single, "or_empty": _or_empty, "has": _has, "is_empty": _is_empty,
    "nth_member": _nth_member, "select": _item, "shift": _shift, "list": _listing, "span": _span, "in_list": _in_list,
    "length": _length, "take": _take, "as_set": _as_set, "item": _item, "nth_of": _nth_of, "row": _row, "part": _part,
    "from_end": _from_end, "left_out": _left_out, "contents": _contents, "nth": _nth, "before": _before,
    "with_kind": _with_kind, "singles": _singles,
    "alike": _alike, "in_turn": _alike, "picks": _picks, "handfuls": _handfuls, "key": _row, "lying": _lying,
    "recorded": _of_record, "times": _of_record,
}  # fmt: skip

PRINTERS[Op] = operation
