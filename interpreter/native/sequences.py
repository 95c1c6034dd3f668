"""Operations on sequences, rows and lists as C."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir.expressions import Cell, Const, Expr, Op
from interpreter.ir.types import Opt, Row, Seq, Set, bare
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, as_type, bound, cell_place, index_text, text
from interpreter.native.forms import SCALAR, NotInC
from interpreter.native.sets import set_form


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
    """True if a sequence of sets contains a set."""
    if isinstance(value.type, Opt):
        raise NotInC("whether a set that may be none is in a list")
    sets, one, found, number = names.new(), names.new(), names.new(), names.new()
    head = f"set_{form} {one} = {as_form(names, value, f'set_{form}')}; {names.forms.form_of(those.type)} {sets}"
    test = f"{found} = equal_{form}({sets}.v[{number}], {one});"
    return (
        f"({{ {head} = {text(names, those)}; bool {found} = false; "
        f"for (int32_t {number} = 0; {number} < {sets}.n && !{found}; {number}++) {test} {found}; }})"
    )


def _is_empty(names: Names, node: Op) -> str:
    (those,) = node.args
    if isinstance(bare(those.type), Seq):
        return f"({_length_text(names, those)} == 0)"
    if isinstance(those.type, Opt):
        raise NotInC("whether a set that may be none is empty")
    return f"is_empty_{set_form(names, those)}({text(names, those)})"


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
    return f"{function}(x, {text(names, those)})"


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


SEQUENCES: dict[str, Callable[[Names, Op], str]] = {
    **{name: _of_sequence(name) for name in ("reversed", "behind", "without_last", "appended")},
    "is_empty": _is_empty, "select": _item, "list": _listing, "span": _span, "in_list": _in_list, "length": _length,
    "take": _take, "as_set": _as_set, "item": _item, "nth_of": _nth_of, "row": _row, "key": _row, "part": _part,
    "from_end": _from_end, "left_out": _left_out,
}  # fmt: skip
"""The functions that print operations on sequences, by their names."""
