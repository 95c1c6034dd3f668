"""A function while it is printed: its body, what its locals and cells are, and values of one form as those of another.

`Scope.value` and `Scope.condition` print expressions; `expressions.py` provides them. What prints operations, folds and
statements gets a scope, so that it can print their parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import assert_never

from interpreter.compiler.ir.expressions import Cell, Const, Expr, Group, Local
from interpreter.compiler.ir.types import Opaque, Type
from interpreter.compiler.machine.body import Body, Value, Variables, i32, i64, narrow, read, wide
from interpreter.compiler.machine.forms import (
    NUMBER_ITEMS,
    SCALAR,
    WORD_BYTES,
    Form,
    Items,
    Maybe,
    Members,
    Parts,
    Scalar,
    UnprintableError,
    bytes_of,
    form_of,
    holds_lists,
)
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.sets import resized
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import I32, Callee, Code, plain


class Scope(ABC):
    """A function while it is printed.

    `locals` are the variables of locals by name.
    `parts` are the locals with the parts of moves, each with variables by form: moves differ in the types of their
    parts. `records` are the cells that locals with recorded positions were read from.
    """

    def __init__(self, program: Program, body: Body) -> None:
        self.program, self.body = program, body
        self.locals: dict[str, tuple[Variables, Form]] = {}
        self.parts: dict[str, Mapping[Form, Variables]] = {}
        self.records: dict[str, int] = {}

    # ------------------------------------------------------------ expressions

    @abstractmethod
    def value(self, node: Expr) -> Value:
        """The value of an expression, in the form of its type."""

    @abstractmethod
    def condition(self, node: Expr) -> Code:
        """An expression as a condition, of 32 bits; none counts as false."""

    def number(self, node: Expr) -> Code:
        """The value of an expression that is a single number."""
        (operand,) = self.value(node)
        return operand

    def as_form(self, node: Expr, form: Form) -> Value:
        """An expression as a value of a form. Raises UnprintableError."""
        if isinstance(node, Const) and node.value is None and form != SCALAR:
            return tuple([i32(0) if type_ is I32 else i64(0) for type_ in form.operands])
        return self.converted(self.value(node), form_of(node.type), form)

    def as_type(self, node: Expr, type_: Type) -> Value:
        """An expression as a value of a type. Raises UnprintableError."""
        return self.as_form(node, form_of(type_))

    # ------------------------------------------------------------ locals

    def bind(self, local: Local, form: Form | None = None) -> Variables:
        """New variables for a local."""
        form = form or form_of(local.type)
        variables = self.body.variables(form, local.name)
        self.locals[local.name] = variables, form
        return variables

    def bound(self, local: Local, value: Value, form: Form, inside: Callable[[], None]) -> None:
        """Statements in which a local has a value."""
        previous = self.locals.get(local.name)
        self.body.assign(self.bind(local, form), value)
        inside()
        self.restore(local, previous)

    def restore(self, local: Local, previous: tuple[Variables, Form] | None) -> None:
        """Restore the previous meaning of a name."""
        if previous is None:
            self.locals.pop(local.name, None)
        else:
            self.locals[local.name] = previous

    def read(self, local: Local) -> Value:
        """A local as a value of its type."""
        required = form_of(local.type)
        kinds = self.parts.get(local.name)
        if kinds is not None:
            form = required if required in kinds else next(iter(kinds))
            if form != required and len(kinds) > 1:  # another variable may be the one that was assigned
                raise UnprintableError(f"moves of several types, one of them {local.type}")
            return self.converted(read(kinds[form]), form, required)
        if local.name not in self.locals:
            self.bind(local)
        variables, form = self.locals[local.name]
        return self.converted(read(variables), form, required)

    def converted(self, value: Value, form: Form, required: Form) -> Value:
        """A value of one form as one of another. Raises UnprintableError."""
        if form == required:
            return value
        match form, required:
            case Members(), Members(words=words):
                return resized(self.body, value, words)
            case Members(), Maybe(of=Members() as value_form):
                return (i32(1), *self.converted(value, form, value_form))
            case Maybe(of=Members() as value_form), Maybe(of=Members() as required_members):
                return (value[0], *self.converted(value[1:], value_form, required_members))
            case Maybe(of=Members() as value_form), Members():
                return self.converted(value[1:], value_form, required)
            case _, Maybe(of=value_form) if value_form == form:
                return (i32(1), *value)
            case Maybe(of=value_form), _ if value_form == required:
                return value[1:]
            case _:
                raise UnprintableError(f"a value of the form {form} where one of the form {required} is needed")

    def note_record(self, local: Local, value: Expr) -> None:
        """Remember which cell a local with recorded positions was read from."""
        if isinstance(value, Cell) and isinstance(value.type, Opaque):
            self.records[local.name] = value.group.first

    # ------------------------------------------------------------ cells

    def cell(self, cell: Cell, index: Code | None) -> Value:
        """The value of a cell, whose number within its group is `index` if it varies."""
        group, form = cell.group, form_of_cell(cell.group)
        if form == NUMBER_ITEMS:
            content = order_items(self, self.address_of(cell, index))
        else:
            content = self.loaded(form, *self._address(group, form, index))
        return self.converted(content, form, form_of(cell.type))

    def store(self, cell: Cell, index: Code | None, value: Value) -> None:
        """Store a value of the form of the cell."""
        group, form = cell.group, form_of_cell(cell.group)
        if form == NUMBER_ITEMS:
            store_order(self, self.address_of(cell, index), value)
        else:
            self.stored(form, *self._address(group, form, index), keep_lists(self, form, value))

    def _address(self, group: Group, form: Form, index: Code | None) -> tuple[Code, int]:
        base = self.program.cells[group.first]
        if index is None:
            return i32(0), base
        size = self.program.cell_size(form)
        if isinstance(index, wasm.Constant) and 0 <= index.value < group.count:
            return i32(0), base + size * index.value
        return self.scaled(index, group.count, size), base

    def address_of(self, cell: Cell, index: Code | None) -> Code:
        """The address of a cell in memory."""
        address, base = self._address(cell.group, form_of_cell(cell.group), index)
        if isinstance(address, wasm.Constant):
            return i32(address.value + base)
        return self.body.held(plain("i32.add", address, i32(base)))

    def scaled(self, index: Code, count: int, size: int) -> Code:
        """The offset of one of several values; a fault for an index beyond them."""
        (number,) = self.body.named((index,))
        self.body.fault(plain("i64.ge_u", number, i64(count)))
        return plain("i32.mul", narrow(number), i32(size)) if size > 1 else narrow(number)

    def loaded(self, form: Form, address: Code, offset: int) -> Value:
        """A value in memory."""
        return loaded(self.body, form, address, offset)

    def stored(self, form: Form, address: Code, offset: int, value: Value) -> None:
        """Store a value in memory; it is computed before any of it is stored."""
        stored(self.body, form, address, offset, value)


def loaded(body: Body, form: Form, address: Code, offset: int = 0) -> Value:
    """A value in memory."""
    if len(form.operands) > 1:
        (address,) = body.named((address,))
    return tuple(
        [
            wasm.load("i32.load" if type_ is I32 else "i64.load", address, offset + WORD_BYTES * number)
            for number, type_ in enumerate(form.operands)
        ]
    )


def stored(body: Body, form: Form, address: Code, offset: int, value: Value) -> None:
    """Store a value in memory as whole words, which can be read as such; it is computed before any of it is stored."""
    if len(value) > 1:  # a part may be read from where another one is stored
        (address,) = body.named((address,))
        value = body.named(value)
    for number, (type_, part) in enumerate(zip(form.operands, value, strict=True)):
        word = wide(part) if type_ is I32 else part
        body.add(wasm.store("i64.store", address, word, offset + WORD_BYTES * number))


def form_of_cell(group: Group) -> Form:
    """The form of a cell. Raises UnprintableError."""
    return form_of(group.type)


# ---------------------------------------------------------------- sequences in cells

ITEM_BYTES = 2


def order_items(scope: Scope, address: Code) -> Value:
    """The sequence that a cell holds, as items of 64 bits."""
    body = scope.body
    count = body.held(wasm.load("i32.load", address))
    items = allot(scope, plain("i32.mul", count, i32(WORD_BYTES)))

    def copy(number: Code) -> None:
        source = plain("i32.add", address, plain("i32.mul", number, i32(ITEM_BYTES)))
        target = plain("i32.add", items, plain("i32.mul", number, i32(WORD_BYTES)))
        body.add(wasm.store("i64.store", target, wasm.load("i64.load16_s", source, WORD_BYTES)))

    body.counted(i32(0), count, copy)
    return count, items


def store_order(scope: Scope, address: Code, value: Value) -> None:
    """Store a sequence of numbers in a cell; a fault if there is no room."""
    body = scope.body
    count, items = body.named(value)
    body.fault(plain("i32.gt_s", count, i32(scope.program.room)))

    def copy(number: Code) -> None:
        source = plain("i32.add", items, plain("i32.mul", number, i32(WORD_BYTES)))
        target = plain("i32.add", address, plain("i32.mul", number, i32(ITEM_BYTES)))
        body.add(wasm.store("i64.store16", target, wasm.load("i64.load", source), WORD_BYTES))

    body.counted(i32(0), count, copy)
    body.add(wasm.store("i32.store", address, count))


def keep_lists(scope: Scope, form: Form, value: Value) -> Value:
    """A value of which nothing lies in memory for values of one step."""
    match form:
        case Items():
            return keep_items(scope, form, value)
        case Maybe(of=value_form) if holds_lists(value_form):
            present, *rest = scope.body.named(value)
            contained = scope.body.variables(value_form)
            scope.body.assign(contained, tuple(rest))
            scope.body.when(
                present, lambda: scope.body.assign(contained, keep_lists(scope, value_form, read(contained)))
            )
            return present, *read(contained)
        case Parts(of=parts) if holds_lists(form):
            value, copied, start = scope.body.named(value), list[Code](), 0
            for part in parts:
                end = start + len(part.operands)
                copied += keep_lists(scope, part, value[start:end])
                start = end
            return tuple(copied)
        case Scalar() | Members() | Parts() | Maybe():
            return value
        case _ as never:
            assert_never(never)


def keep_items(scope: Scope, form: Items, value: Value) -> Value:
    """The sequence in memory that is kept until the game is over; a fault if there is no room."""
    body, bounds = scope.body, scope.program.bounds
    scope.program.keeps_lists = True
    count, items = body.named(value)
    size = body.held(plain("i32.mul", count, i32(WORD_BYTES * len(form.of.operands))))
    address = body.held(wasm.load("i32.load", i32(0), scope.program.kept_end))
    end = body.held(plain("i32.add", address, size))
    body.fault(plain("i32.gt_u", end, wasm.Read(bounds.scratch)))
    body.add(plain("memory.copy", address, items, size))
    body.add(wasm.store("i32.store", i32(0), end, scope.program.kept_end))

    def keep_inner(number: Code) -> None:
        item = body.held(plain("i32.add", address, plain("i32.mul", number, i32(bytes_of(form.of)))))
        stored(body, form.of, item, 0, keep_lists(scope, form.of, loaded(body, form.of, item)))

    if holds_lists(form.of):
        body.counted(i32(0), count, keep_inner)
    return count, address


def allot(scope: Scope, size: Code) -> Code:
    """The address of memory for values of one step; a fault if there is none left."""
    return allotted(scope.program, scope.body, size)


INITIAL_LIST_ROOM = 16
"""The number of items for which there is room in a list at first."""


def grown(program: Program) -> Callee:
    """The function that makes twice as much room for a full list: (address, room, bytes of an item) to the first two.

    A list at the end of memory grows where it is.
    """

    def fill(body: Body) -> None:
        items, room, size = (wasm.Read(local) for local in body.function.locals)
        held = body.held(plain("i32.mul", room, size))
        wider = body.held(plain("i32.mul", room, i32(2)))
        last = plain("i32.eq", plain("i32.add", items, held), wasm.Read(program.top))

        def further() -> None:
            allotted(program, body, held)
            body.give((items, wider))

        body.when(last, further)
        address = allotted(program, body, plain("i32.mul", wider, size))
        body.add(plain("memory.copy", address, items, held))
        body.give((address, wider))

    return program.helper("grown", (), (I32, I32, I32), (I32, I32), fill)


class GrowingList:
    """A list to which values of a form are added, in memory for values of one step."""

    def __init__(self, program: Program, body: Body, form: Form) -> None:
        self.program, self.body, self.form = program, body, form
        self.count, self.room, self.items = (body.variable(I32) for _ in range(3))
        body.assign((self.count, self.room, self.items), (i32(0), i32(0), i32(0)))

    @property
    def value(self) -> Value:
        """The list as a sequence."""
        return wasm.Read(self.count), wasm.Read(self.items)

    def address(self, number: Code) -> Code:
        """The address of an item."""
        return plain("i32.add", wasm.Read(self.items), plain("i32.mul", number, i32(bytes_of(self.form))))

    def add(self, value: Value) -> None:
        """Add an item."""
        body, size = self.body, bytes_of(self.form)
        count, room = wasm.Read(self.count), wasm.Read(self.room)

        def longer() -> None:
            more = wasm.call(grown(self.program), wasm.Read(self.items), room, i32(size))
            body.add(wasm.write((self.items, self.room), more))

        def begin() -> None:
            first = allotted(self.program, body, i32(INITIAL_LIST_ROOM * size))
            body.assign((self.items, self.room), (first, i32(INITIAL_LIST_ROOM)))

        body.when(plain("i32.eq", count, room), lambda: body.when(room, longer, begin))
        stored(body, self.form, self.address(count), 0, value)
        body.assign((self.count,), (plain("i32.add", count, i32(1)),))


def allotted(program: Program, body: Body, size: Code) -> Code:
    """The same without a scope."""
    address = body.held(wasm.Read(program.top))
    rounded = plain("i32.and", plain("i32.add", size, i32(WORD_BYTES - 1)), i32(-WORD_BYTES))
    end = body.held(plain("i32.add", address, rounded))
    body.fault(plain("i32.gt_u", end, wasm.Read(program.bounds.end)))
    body.add(wasm.write((program.top,), end))
    return address
