"""Operations on pieces and positions as C: what lies where, choices of several, what has been recorded."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir.expressions import Cell, Expr, Op
from interpreter.ir.types import Opt, Row, Seq, Set, Type
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, text
from interpreter.native.forms import SCALAR, NotInC, is_scalar
from interpreter.native.kinds import with_kind
from interpreter.native.sequences import listed
from interpreter.native.sets import set_form

# ---------------------------------------------------------------- pieces


def _distinct(names: Names, node: Op) -> str:
    (those,) = node.args
    form = names.program.pieces
    if not isinstance(those.type, Set):
        raise NotInC(f"{node.name} of pieces in order")
    names.program.used.add("pieces")
    found = as_form(names, those, f"set_{form}")
    return f"{node.name}(x, g, {found})"


def _contents(names: Names, node: Op) -> str:
    names.program.used.add("pieces")
    return f"contents(x, g, {text(names, node.args[0])})"


def _nth(names: Names, node: Op) -> str:
    names.program.used.add("pieces")
    return f"nth(x, g, {text(names, node.args[0])}, {text(names, node.args[1])})"


def _before(names: Names, node: Op) -> str:
    names.program.used.add("pieces")
    return f"before(x, g, {text(names, node.args[0])}, {text(names, node.args[1])})"


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
    """The number of the log of a record, one for each cell with records."""
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
    _note_type(names, names.program.records[number], key.type)
    parts = " ".join(_noted(names, f"{value}.f{place}", part) for place, part in enumerate(key.type.of))
    return (
        f"({{ {form} {value} = {text(names, key)}; begin_key(x); {parts} "
        f"{node.name}(x, {number}, {text(names, record)}); }})"
    )


def _note_type(names: Names, cell: int, type_: Row) -> None:
    """Remember the type of the positions recorded in a cell; the same everywhere, as their bytes are compared."""
    known = names.program.record_types.setdefault(cell, type_)
    if names.forms.form_of(known) != names.forms.form_of(type_):
        raise NotInC("a recorded position with values of several types")


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


POSITIONS: dict[str, Callable[[Names, Op], str]] = {
    "distinct": _distinct, "contents": _contents, "nth": _nth, "before": _before, "with_kind": with_kind,
    "singles": _singles, "alike": _alike, "in_turn": _alike, "picks": _picks, "handfuls": _handfuls, "lying": _lying,
    "recorded": _of_record, "times": _of_record,
}  # fmt: skip
"""The functions that print operations on positions, by their names."""
