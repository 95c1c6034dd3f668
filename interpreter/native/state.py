"""The state of a game in C: the layout of its cells, and their initial contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.ir import statements as st
from interpreter.ir.expressions import Group
from interpreter.ir.module import Module
from interpreter.ir.types import PIECE_DOMAIN, PLACE_DOMAIN, Ref, Seq, Set
from interpreter.layout.cells import IDLE, MOVES, POINT, RANDOM, Layout
from interpreter.native.constants import scalar
from interpreter.native.context import Program
from interpreter.native.forms import SCALAR, WORD, NotInC
from interpreter.native.rules import Rules, functions_of

MOST_BYTES = 1 << 18
"""Maximum size of a state: hypotheses copy it, some of them on the stack."""


def state(program: Program, more: str = "") -> Iterator[str]:
    """The declaration of the state, with `more` fields."""
    cells = program.cells
    yield "typedef struct {"
    yield f"    uint64_t chance;{more}"
    for form, numbers in cells.by_form.items():
        yield f"    {stored(form)} {cells.field_of(form)}[{len(numbers)}];"
    yield from () if "Q" in cells.by_form else ("    Order q[1];",)
    yield "} G;"


def opening(program: Program, rules: Rules) -> Iterator[str]:
    """The state in which every game begins."""
    cells = program.cells
    yield "static const G OPENING = {"
    for form, numbers in cells.by_form.items():
        values = ", ".join(opening_value(program, rules, form, number) for number in numbers)
        yield f"    .{cells.field_of(form)} = {{{values}}},"
    yield "};"


def check_size(program: Program, own: Iterable[Group], room: int) -> None:
    """Raise NotInC if the state is too large; `own` are cells beside it, `room` is that of lists in cells."""
    shared = sum(_bytes(program, form, room) * len(numbers) for form, numbers in program.cells.by_form.items())
    beside = sum(_bytes(program, program.forms.form_of(group.type), room) * group.count for group in own)
    if shared + beside > MOST_BYTES:
        raise NotInC(f"a state of more than {MOST_BYTES // 1024} KB")


def _bytes(program: Program, form: str, room: int) -> int:
    """The approximate size of a cell."""
    if form == "Q":
        return 4 * room
    return WORD // 8 * program.forms.sets.get(form.partition("_")[2], 1)


def stored(form: str) -> str:
    """The C type of a cell with values of a C type."""
    return "Order" if form == "Q" else form


def opening_value(program: Program, rules: Rules, form: str, number: int) -> str:
    """The initial contents of a cell, as an initialiser."""
    value: Any = rules.prepared.opening[number]
    if form == SCALAR:  # nothing has been recorded, and dice not been rolled
        return scalar(value) if value is None or isinstance(value, int) else "0"
    if form == "Q":
        return f"{{{len(value or ())}, {{{', '.join(map(str, value or ())) or 0}}}}}"
    if form.startswith("set_"):
        return program.constants.value(value or 0, Set("", program.forms.sets[form[4:]] * WORD))
    if form.startswith("opt_") and value is not None:
        return f"{{{program.constants.value(value, Set('', program.forms.sets[form[4:]] * WORD))}, true}}"
    if value:
        raise NotInC("a game that begins with a list in a note")
    return "{0}"


def variable(program: Program, rules: Rules, group: Group) -> tuple[str, str]:
    """The declaration and opening value of cells that are local variables of the game."""
    form = program.forms.form_of(group.type)
    numbers = range(group.first, group.first + group.count)
    values = [opening_value(program, rules, form, number) for number in numbers]
    name = f"{stored(form)} c{group.first}"
    return (name, values[0]) if group.count == 1 else (f"{name}[{group.count}]", f"{{{', '.join(values)}}}")


# ---------------------------------------------------------------- cells


def groups_of(module: Module) -> Iterator[Group]:
    """The groups of all cells that functions read or change."""
    found: dict[tuple[int, int, bool], Group] = {}
    for each in functions_of(module):
        for node in st.walk(each.body):
            for part in st.cells(node):
                found[part.group.first, part.group.count, part.group.own] = part.group
    yield from found.values()


def piece_groups(layout: Layout) -> Iterator[Group]:
    """The cells that moves of pieces change."""
    pieces = len(layout.pieces)
    for place in layout.places:
        yield Group("contents", place.mask, 1, Set(PIECE_DOMAIN, max(1, pieces)))
        if place.order:
            yield Group("order", place.order, 1, Seq(Ref(PIECE_DOMAIN, pieces)))
    if pieces:
        yield Group("places", layout.place_cells, pieces, Ref(PLACE_DOMAIN, len(layout.places)))


def shared_cells(module: Module, own: dict[int, Group]) -> Module:
    """The module without groups of cells that are local variables, or that random games do not have."""
    apart = {number for group in own.values() for number in range(group.first, group.first + group.count)}
    apart |= {POINT, RANDOM, IDLE, MOVES}
    kept = {
        name: group for name, group in module.cells.items()
        if not apart & set(range(group.first, group.first + group.count))
    }  # fmt: skip
    return Module(module.functions, module.tables, kept, module.zones, module.blocks, module.by_kind)
