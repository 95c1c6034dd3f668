"""Operations on sequences, rows and written-out lists.

A sequence is two operands, the number of its items and the address of the first, so `take` and `behind` copy nothing:

    reversed([4, 5, 6])           (3, a)   a: 6 5 4, in memory for values of one step
    take([4, 5, 6], 2)            (2, b)   b: 4 5 6, the same items
    behind([4, 5, 6], 2)          (1, b + 16)

INVARIANT: items are never changed after their sequence has been made, as others may share them. The exception is a cell
with a sequence of numbers, a deck for example, whose items of 16 bits are kept in the state itself; it is changed in
place (`changed_in_place`), and whatever reads it as a value copies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from interpreter.compiler.ir.expressions import Cell, Const, Expr, Op
from interpreter.compiler.ir.types import Row, Seq, Set
from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, negated, read, wide
from interpreter.compiler.machine.forms import (
    NONE,
    NUMBER_ITEMS,
    SCALAR,
    WORD_BYTES,
    Form,
    Items,
    Maybe,
    Members,
    Parts,
    Scalar,
    bytes_of,
    form_of,
)
from interpreter.compiler.machine.pieces import members_listed
from interpreter.compiler.machine.scope import ITEM_BYTES, Scope, allot, form_of_cell
from interpreter.compiler.wasm.instructions import I32, Code, Read, call, load, plain, select, store, write


def listed(scope: Scope, node: Expr) -> Value:
    """A set or sequence as a sequence."""
    value = scope.value(node)
    if not isinstance(node.type, Set):
        return value
    items = scope.body.variables(NUMBER_ITEMS)
    scope.body.add(write(items, call(members_listed(scope.program, len(value)), *value)))
    return read(items)


def address(items: Code, number: Code, form: Form) -> Code:
    """The address of an item."""
    return plain("i32.add", items, plain("i32.mul", number, i32(bytes_of(form))))


def item(scope: Scope, sequence: Value, number: Code, form: Form) -> Value:
    """An item; a fault if there is none with this number, of 64 bits."""
    count, items = scope.body.named(sequence)
    (place,) = scope.body.named((number,))
    scope.body.fault(plain("i64.ge_u", place, wide(count)))
    return scope.loaded(form, address(items, narrow(place), form), 0)


def _of(node: Expr) -> Form:
    assert isinstance(node.type, Seq)
    return form_of(node.type.of)


def _list(scope: Scope, node: Op) -> Value:
    form = _of(node)
    values = [scope.as_form(arg, form) for arg in node.args]
    if not values:
        return i32(0), i32(0)
    values = [scope.body.named(value) for value in values]
    items = allot(scope, i32(bytes_of(form) * len(values)))
    for number, value in enumerate(values):
        scope.stored(form, items, bytes_of(form) * number, value)
    return i32(len(values)), items


def _span(scope: Scope, node: Op) -> Value:
    body = scope.body
    low, high = body.named(tuple([scope.number(arg) for arg in node.args]))
    between = plain("i64.add", plain("i64.sub", high, low), i64(1))
    (length,) = body.named((select(plain("i64.lt_s", high, low), i64(0), between),))
    body.fault(plain("i64.gt_u", length, i64(scope.program.room * 1024)))
    count = body.held(narrow(length))
    items = allot(scope, plain("i32.mul", count, i32(WORD_BYTES)))
    body.counted(
        i32(0),
        count,
        lambda number: body.add(
            store("i64.store", address(items, number, SCALAR), plain("i64.add", low, wide(number)))
        ),
    )
    return count, items


def common(left: Form, right: Form) -> Form:
    """The form in which values of two forms are compared."""
    match left, right:
        case Maybe(of=inner), Maybe(of=other_inner):
            return Maybe(common(inner, other_inner))
        case (Maybe(of=inner), single) | (single, Maybe(of=inner)):
            return Maybe(common(inner, single))
        case Members(words=words), Members(words=other_words) if words < other_words:
            return right
        case _:
            return left


def same(scope: Scope, form: Form, left: Value, right: Value) -> Code:
    """Whether two values of a form are the same, as a condition; each operand is a constant or a variable."""
    body = scope.body
    match form:
        case Scalar():
            return plain("i64.eq", left[0], right[0])
        case Members():
            return sets.equal(left, right)
        case Maybe(of=item_form):
            equal = body.variable(I32)
            body.assign((equal,), (plain("i32.eq", left[0], right[0]),))
            both = plain("i32.and", left[0], right[0])
            body.when(both, lambda: body.assign((equal,), (same(scope, item_form, left[1:], right[1:]),)))
            return Read(equal)
        case Parts(of=parts):
            equal, start = body.variable(I32), 0
            body.assign((equal,), (i32(1),))
            for part in parts:
                end = start + len(part.operands)
                equal_part = same(scope, part, left[start:end], right[start:end])
                body.assign((equal,), (plain("i32.and", Read(equal), equal_part),))
                start = end
            return Read(equal)
        case Items(of=item_form):
            equal = body.variable(I32)
            body.assign((equal,), (plain("i32.eq", left[0], right[0]),))

            def compare(number: Code) -> None:
                first, second = (
                    body.named(scope.loaded(item_form, address(items, number, item_form), 0))
                    for items in (left[1], right[1])
                )
                body.assign((equal,), (plain("i32.and", Read(equal), same(scope, item_form, first, second)),))

            body.when(Read(equal), lambda: body.counted(i32(0), left[0], compare))
            return Read(equal)
        case _:
            assert_never(form)


def contains(scope: Scope, node: Op) -> Code:
    """Whether a value is in a list, as a condition."""
    value, sequence = node.args
    body = scope.body
    if isinstance(sequence, Op) and sequence.name == "span":
        number, low, high = body.named((scope.number(value), *[scope.number(end) for end in sequence.args]))
        within = plain("i32.and", plain("i64.ge_s", number, low), plain("i64.le_s", number, high))
        return plain("i32.and", within, plain("i64.ne", number, i64(NONE)))
    form = _of(sequence)
    either = common(form, form_of(value.type))
    searched = body.named(scope.as_form(value, either))
    count, items = body.named(scope.value(sequence))
    contained = body.variable(I32)
    body.assign((contained,), (i32(0),))

    def compare(number: Code) -> None:
        listed_value = scope.converted(scope.loaded(form, address(items, number, form), 0), form, either)
        body.assign(
            (contained,), (plain("i32.or", Read(contained), same(scope, either, body.named(listed_value), searched)),)
        )

    body.counted(i32(0), count, compare)
    return Read(contained)


def length(scope: Scope, members: Expr) -> Code:
    """The number of members or items, of 64 bits."""
    if isinstance(members, Cell) and form_of_cell(members.group) == NUMBER_ITEMS:
        return wide(load("i32.load", scope.address_of(members, _index(scope, members))))
    value = scope.value(members)
    return sets.size(value) if isinstance(members.type, Set) else wide(value[0])


def _index(scope: Scope, cell: Cell) -> Code | None:
    return None if cell.group.count == 1 else scope.number(cell.index)


def _length(scope: Scope, node: Op) -> Value:
    return (length(scope, node.args[0]),)


def _clamped(body: Body, count: Code, most: Code) -> Code:
    """A number of 64 bits as one from 0 to `most`, of 32."""
    (number,) = body.named((count,))
    (upper,) = body.named((wide(most),))
    (least,) = body.named((select(plain("i64.lt_s", number, upper), number, upper),))
    return narrow(select(plain("i64.gt_s", least, i64(0)), least, i64(0)))


def _take(scope: Scope, node: Op) -> Value:
    sequence, count = node.args
    length, items = scope.body.named(listed(scope, sequence))
    return scope.body.held(_clamped(scope.body, scope.number(count), length)), items


def _behind(scope: Scope, node: Op) -> Value:
    sequence, count = node.args
    length, items = scope.body.named(listed(scope, sequence))
    (number,) = scope.body.named((scope.number(count),))
    scope.body.fault(plain("i64.lt_s", number, i64(0)))
    gone = scope.body.held(_clamped(scope.body, number, length))
    return plain("i32.sub", length, gone), address(items, gone, _of(node))


def _without_last(scope: Scope, node: Op) -> Value:
    sequence, count = node.args
    length, items = scope.body.named(listed(scope, sequence))
    (number,) = scope.body.named((scope.number(count),))
    scope.body.fault(plain("i64.lt_s", number, i64(1)))
    return plain("i32.sub", length, scope.body.held(_clamped(scope.body, number, length))), items


def _appended(scope: Scope, node: Op) -> Value:
    form = _of(node)
    size = i32(bytes_of(form))
    first_count, first_items, second_count, second_items = scope.body.named(
        (*listed(scope, node.args[0]), *listed(scope, node.args[1]))
    )
    count = scope.body.held(plain("i32.add", first_count, second_count))
    items = allot(scope, plain("i32.mul", count, size))
    scope.body.add(plain("memory.copy", items, first_items, plain("i32.mul", first_count, size)))
    scope.body.add(
        plain("memory.copy", address(items, first_count, form), second_items, plain("i32.mul", second_count, size))
    )
    return count, items


def _reversed(scope: Scope, node: Op) -> Value:
    form, body = _of(node), scope.body
    count, items = body.named(listed(scope, node.args[0]))
    reversed_items = allot(scope, plain("i32.mul", count, i32(bytes_of(form))))

    def copy(number: Code) -> None:
        backwards = plain("i32.sub", plain("i32.sub", count, i32(1)), number)
        scope.stored(
            form, address(reversed_items, number, form), 0, scope.loaded(form, address(items, backwards, form), 0)
        )

    body.counted(i32(0), count, copy)
    return count, reversed_items


def _item(scope: Scope, node: Op) -> Value:
    sequence, number = node.args
    if isinstance(sequence.type, Set):
        value = scope.value(sequence)
        return (sets.select_member(scope.body, value, scope.number(number), sequence.type.width),)
    if isinstance(sequence, Cell) and form_of_cell(sequence.group) == NUMBER_ITEMS:
        return _item_of_cell(scope, sequence, scope.number(number))
    return item(scope, scope.value(sequence), scope.number(number), _of(sequence))


def _item_of_cell(scope: Scope, cell: Cell, number: Code) -> Value:
    order = scope.address_of(cell, _index(scope, cell))
    (place,) = scope.body.named((number,))
    scope.body.fault(plain("i64.ge_u", place, wide(load("i32.load", order))))
    source = plain("i32.add", order, plain("i32.mul", narrow(place), i32(ITEM_BYTES)))
    return (load("i64.load16_s", source, WORD_BYTES),)


def _from_end(scope: Scope, node: Op) -> Value:
    sequence, back = node.args
    if isinstance(sequence, Cell) and form_of_cell(sequence.group) == NUMBER_ITEMS:
        count = length(scope, sequence)
        number = plain("i64.sub", plain("i64.sub", count, i64(1)), scope.number(back))
        return _item_of_cell(scope, sequence, number)
    value = scope.body.named(scope.value(sequence))
    number = plain("i64.sub", plain("i64.sub", wide(value[0]), i64(1)), scope.number(back))
    return item(scope, value, number, _of(sequence))


def _nth_of(scope: Scope, node: Op) -> Value:
    number, sequence = node.args
    body, form, result_form = scope.body, _of(sequence), form_of(node.type)
    count, items = body.named(scope.value(sequence))
    (place,) = body.named((scope.number(number),))
    body.fault(plain("i64.eq", place, i64(NONE)))
    last = plain("i64.sub", wide(count), i64(1))
    place = body.held(select(plain("i64.eq", place, i64(-1)), last, plain("i64.sub", place, i64(1))))
    result = body.variables(result_form)
    body.assign(result, scope.as_form(Const(node.type, None), result_form))

    def load_item() -> None:
        value = scope.loaded(form, address(items, narrow(place), form), 0)
        body.assign(result, scope.converted(value, form, result_form))

    body.when(plain("i64.lt_u", place, wide(count)), load_item)
    return read(result)


def _as_set(scope: Scope, node: Op) -> Value:
    (sequence,) = node.args
    if isinstance(sequence.type, Set):
        return scope.as_type(sequence, node.type)
    form, body = form_of(node.type), scope.body
    assert isinstance(form, Members)
    count, items = body.named(scope.value(sequence))
    members = body.variables(form)
    body.assign(members, sets.constant_set(0, form.words))

    def add(number: Code) -> None:
        (value,) = body.named((load("i64.load", address(items, number, SCALAR)),))
        within = plain("i64.lt_u", value, i64(64 * form.words))
        body.fault(negated(plain("i32.or", within, plain("i64.eq", value, i64(NONE)))))
        body.assign(members, sets.union(read(members), sets.bit(body, value, form.words)))

    body.counted(i32(0), count, add)
    return read(members)


def _left_out(scope: Scope, node: Op) -> Value:
    sequence, gone = node.args
    body = scope.body
    count, items = body.named(listed(scope, sequence))
    absent = body.named(scope.value(gone))
    remaining = allot(scope, plain("i32.mul", count, i32(WORD_BYTES)))
    end = body.variable(I32)
    body.assign((end,), (i32(0),))

    def copy(number: Code) -> None:
        value = body.held(load("i64.load", address(items, number, SCALAR)))

        def keep() -> None:
            body.add(store("i64.store", address(remaining, Read(end), SCALAR), value))
            body.assign((end,), (plain("i32.add", Read(end), i32(1)),))

        body.when(negated(sets.has(body, absent, value)), keep)

    body.counted(i32(0), count, copy)
    return Read(end), remaining


def _row(scope: Scope, node: Op) -> Value:
    types = tuple([arg.type for arg in node.args])
    if isinstance(node.type, Row) and len(node.type.of) == len(types):
        types = node.type.of
    return tuple([part for arg, type_ in zip(node.args, types, strict=True) for part in scope.as_type(arg, type_)])


def _part(scope: Scope, node: Op) -> Value:
    row, place = node.args
    assert isinstance(place, Const) and isinstance(row.type, Row)
    forms = [form_of(part) for part in row.type.of]
    start = sum(len(form.operands) for form in forms[: place.value])
    form = forms[place.value]
    value = scope.value(row)[start : start + len(form.operands)]
    return scope.converted(value, form, form_of(node.type))


def changed_in_place(scope: Scope, cell: Cell, value: Expr) -> bool:
    """Print the change of the sequence in a cell by its last items, and say whether it is one.

    Otherwise a card drawn from a deck would copy the whole deck twice.
    """
    body = scope.body
    match value:
        case Op(name="without_last", args=(changed, Const(value=int() as gone))) if changed == cell and gone > 0:
            order = scope.address_of(cell, _index(scope, cell))
            shorter = body.held(plain("i32.sub", load("i32.load", order), i32(gone)))
            body.add(store("i32.store", order, select(plain("i32.gt_s", shorter, i32(0)), shorter, i32(0))))
            return True
        case Op(name="appended", args=(changed, Op(name="list", args=items))) if changed == cell:
            numbers = body.named(tuple([scope.number(item) for item in items]))
            order = scope.address_of(cell, _index(scope, cell))
            count = body.held(load("i32.load", order))
            body.fault(plain("i32.gt_s", count, i32(scope.program.room - len(items))))
            end = body.held(plain("i32.add", order, plain("i32.mul", count, i32(ITEM_BYTES))))
            for place, number in enumerate(numbers):
                body.add(store("i64.store16", end, number, WORD_BYTES + ITEM_BYTES * place))
            body.add(store("i32.store", order, plain("i32.add", count, i32(len(items)))))
            return True
        case _:
            return False


PRINTERS: Mapping[str, Callable[[Scope, Op], Value]] = {
    "list": _list, "span": _span, "length": _length, "take": _take, "behind": _behind, "without_last": _without_last,
    "appended": _appended, "reversed": _reversed, "item": _item, "select": _item, "from_end": _from_end,
    "nth_of": _nth_of, "as_set": _as_set, "left_out": _left_out, "row": _row, "key": _row, "part": _part,
}  # fmt: skip
"""The functions that print operations on sequences and rows, by their names."""
