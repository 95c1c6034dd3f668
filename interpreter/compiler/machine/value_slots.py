"""Definitions whose values are kept in memory, so that a search is repeated only when what it reads has changed.

A definition has a slot for each combination of its arguments, beside the state:

    1 if a value is kept | the words of the cells that it was computed from | the value | its items, if it is a sequence

INVARIANT: a value is used only while the cells it was computed from hold the same words. So no store needs to
invalidate it, and it is right after moves that are taken back, in hypotheses and in other worlds. A fault leaves the
slot as it was. A sequence is copied out of its slot, which may be overwritten while the rules still go through it.
"""

from __future__ import annotations

from math import prod

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.module import Function as Rule
from interpreter.compiler.ir.types import Bool, Int, Opaque, Opt, Ref, Type, bare
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, read
from interpreter.compiler.machine.forms import (
    NONE,
    NUMBER_ITEMS,
    WORD_BYTES,
    Form,
    Items,
    bytes_of,
    form_of,
    holds_lists,
)
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.scope import allotted, form_of_cell, loaded, stored
from interpreter.compiler.wasm.instructions import Callee, Code, Label, call, load, plain, select, store, write

MAX_KEPT_ITEMS = 64
"""The number of items of the longest sequence that is kept."""

MAX_COMPARED_WORDS = 256
"""The number of words beyond which comparing them may take longer than the search."""

MAX_SLOTS_BYTES = 1 << 18
"""The greatest size of all slots of one definition."""


@dataclass(frozen=True)
class Slots:
    """Where the values of a definition are kept: from the address `first` on.

    `domains` are, for each parameter, the least argument and the number of arguments. `compared` are the addresses of
    the words in the state that a value depends on.
    """

    form: Form
    domains: tuple[tuple[int, int], ...]
    compared: tuple[int, ...]
    first: int = 0

    @property
    def item_bytes(self) -> int:
        """The size of an item of the value; 0 if it is not a sequence."""
        return bytes_of(self.form.of) if isinstance(self.form, Items) else 0

    @property
    def value_at(self) -> int:
        """The offset of the value in a slot."""
        return WORD_BYTES * (1 + len(self.compared))

    @property
    def items_at(self) -> int:
        """The offset of the items in a slot."""
        return self.value_at + bytes_of(self.form)

    @property
    def slot_bytes(self) -> int:
        """The size of a slot."""
        return self.items_at + MAX_KEPT_ITEMS * self.item_bytes

    @property
    def bytes(self) -> int:
        """The size of all slots."""
        return self.slot_bytes * prod(count for _, count in self.domains)


def slots_for(program: Program, rule: Rule) -> Slots | None:
    """Slots for the values of a function of the rules; None if they are not kept. Reserves their memory."""
    if not (rule.constant or rule.kept_for) or rule.result is None:
        return None
    domains = tuple([domain for param in rule.params if (domain := _domain(param.type)) is not None])
    form = form_of(rule.result)
    if len(domains) < len(rule.params) or holds_lists(form.of if isinstance(form, Items) else form):
        return None
    compared: list[int] = []
    for group in rule.kept_for:
        of_cell = form_of_cell(group)
        # Such a cell holds an address. What is there can change while the cell stays the same.
        if group.type == Opaque("record") or (holds_lists(of_cell) and of_cell != NUMBER_ITEMS):
            return None
        for number in range(group.first, group.first + group.count):
            address = program.cells[number]
            compared += range(address, address + program.cell_size(of_cell), WORD_BYTES)
    slots = Slots(form, domains, tuple(compared))
    if len(compared) > MAX_COMPARED_WORDS or slots.bytes > MAX_SLOTS_BYTES:
        return None
    return Slots(form, domains, tuple(compared), program.data.reserve(slots.bytes))


def _domain(type_: Type) -> tuple[int, int] | None:
    """The least argument of a type, with none below it, and how many there are; None if there is no slot for each."""
    none = 1 if isinstance(type_, Opt) else 0
    match bare(type_):
        case Bool():
            return -none, 2 + none
        case Ref(width=width):
            return -none, width + none
        case Int(low=low, high=high):
            return low - none, high - low + 1 + none
        case _:
            return None


def print_lookup(program: Program, body: Body, slots: Slots, compute: Callee) -> None:
    """Print the body of a definition whose values are kept; `compute` is the function that computes them."""
    arguments = read(body.function.locals[: len(compute.params)])
    slot = _slot(body, slots, arguments)

    def use_kept(unknown: Label) -> None:
        body.leave(unknown, plain("i64.eqz", load("i64.load", slot, slots.first)))
        for number, address in enumerate(slots.compared, 1):
            word = load("i64.load", slot, slots.first + WORD_BYTES * number)
            body.leave(unknown, plain("i64.ne", word, load("i64.load", i32(0), address)))
        value = loaded(body, slots.form, slot, slots.first + slots.value_at)
        if slots.item_bytes:
            count = body.held(value[0])
            size = body.held(plain("i32.mul", count, i32(slots.item_bytes)))
            items = allotted(program, body, size)
            body.add(plain("memory.copy", items, _items(slots, slot), size))
            value = count, items
        body.give(value)

    body.block(use_kept)
    variables = body.variables(slots.form)
    body.add(write(variables, call(compute, *arguments)))
    value = read(variables)

    def keep() -> None:
        stored(body, slots.form, slot, slots.first + slots.value_at, value)
        if slots.item_bytes:
            size = plain("i32.mul", value[0], i32(slots.item_bytes))
            body.add(plain("memory.copy", _items(slots, slot), value[1], size))
        for number, address in enumerate(slots.compared, 1):
            word = load("i64.load", i32(0), address)
            body.add(store("i64.store", slot, word, slots.first + WORD_BYTES * number))
        body.add(store("i64.store", slot, i64(1), slots.first))

    if slots.item_bytes:
        body.when(plain("i32.le_u", value[0], i32(MAX_KEPT_ITEMS)), keep)
    else:
        keep()
    body.give(value)


def _slot(body: Body, slots: Slots, arguments: Value) -> Code:
    """The offset of the slot for some arguments, numbered like the digits of a number; a fault outside their types."""
    position: Code = i64(0)
    for argument, (least, count) in zip(arguments, slots.domains, strict=True):
        is_none = plain("i64.eq", argument, i64(NONE))
        number = body.held(plain("i64.sub", select(is_none, i64(least), argument), i64(least)))
        body.fault(plain("i64.ge_u", number, i64(count)))
        position = plain("i64.add", plain("i64.mul", position, i64(count)), number)
    return body.held(plain("i32.mul", narrow(position), i32(slots.slot_bytes))) if slots.domains else i32(0)


def _items(slots: Slots, slot: Code) -> Code:
    """The address of the items in a slot."""
    return plain("i32.add", slot, i32(slots.first + slots.items_at))
