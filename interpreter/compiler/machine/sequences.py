"""Operations on sequences, rows and written-out lists."""

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
    found = scope.body.variables(NUMBER_ITEMS)
    scope.body.add(write(found, call(members_listed(scope.program, len(value)), *value)))
    return read(found)


def address(items: Code, number: Code, form: Form) -> Code:
    """The address of an item."""
    return plain("i32.add", items, plain("i32.mul", number, i32(bytes_of(form))))


def item(scope: Scope, those: Value, number: Code, form: Form) -> Value:
    """An item; a fault if there is none with this number, of 64 bits."""
    count, items = scope.body.named(those)
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
    count = body.one(narrow(length))
    items = allot(scope, plain("i32.mul", count, i32(WORD_BYTES)))
    body.counted(
        i32(0),
        count,
        lambda number: body.add(
            store("i64.store", address(items, number, SCALAR), plain("i64.add", low, wide(number)))
        ),
    )
    return count, items


def common(one: Form, other: Form) -> Form:
    """The form in which values of two forms are compared."""
    match one, other:
        case Maybe(of=inner), Maybe(of=other_inner):
            return Maybe(common(inner, other_inner))
        case (Maybe(of=inner), single) | (single, Maybe(of=inner)):
            return Maybe(common(inner, single))
        case Members(words=words), Members(words=other_words) if words < other_words:
            return other
        case _:
            return one


def same(scope: Scope, form: Form, one: Value, other: Value) -> Code:
    """Whether two values of a form are the same, as a condition; each operand is a constant or a variable."""
    body = scope.body
    match form:
        case Scalar():
            return plain("i64.eq", one[0], other[0])
        case Members():
            return sets.equal(one, other)
        case Maybe(of=inner):
            found = body.variable(I32)
            body.assign((found,), (plain("i32.eq", one[0], other[0]),))
            both = plain("i32.and", one[0], other[0])
            body.when(both, lambda: body.assign((found,), (same(scope, inner, one[1:], other[1:]),)))
            return Read(found)
        case Parts(of=parts):
            found, start = body.variable(I32), 0
            body.assign((found,), (i32(1),))
            for part in parts:
                end = start + len(part.operands)
                here = same(scope, part, one[start:end], other[start:end])
                body.assign((found,), (plain("i32.and", Read(found), here),))
                start = end
            return Read(found)
        case Items(of=inner):
            found = body.variable(I32)
            body.assign((found,), (plain("i32.eq", one[0], other[0]),))

            def compare(number: Code) -> None:
                first, second = (
                    body.named(scope.loaded(inner, address(items, number, inner), 0)) for items in (one[1], other[1])
                )
                body.assign((found,), (plain("i32.and", Read(found), same(scope, inner, first, second)),))

            body.when(Read(found), lambda: body.counted(i32(0), one[0], compare))
            return Read(found)
        case _:
            assert_never(form)


def contains(scope: Scope, node: Op) -> Code:
    """Whether a value is in a list, as a condition."""
    value, those = node.args
    body = scope.body
    if isinstance(those, Op) and those.name == "span":
        number, low, high = body.named((scope.number(value), *[scope.number(end) for end in those.args]))
        within = plain("i32.and", plain("i64.ge_s", number, low), plain("i64.le_s", number, high))
        return plain("i32.and", within, plain("i64.ne", number, i64(NONE)))
    form = _of(those)
    either = common(form, form_of(value.type))
    wanted = body.named(scope.as_form(value, either))
    count, items = body.named(scope.value(those))
    found = body.variable(I32)
    body.assign((found,), (i32(0),))

    def each(number: Code) -> None:
        here = scope.converted(scope.loaded(form, address(items, number, form), 0), form, either)
        body.assign((found,), (plain("i32.or", Read(found), same(scope, either, body.named(here), wanted)),))

    body.counted(i32(0), count, each)
    return Read(found)


def length(scope: Scope, those: Expr) -> Code:
    """The number of members or items, of 64 bits."""
    if isinstance(those, Cell) and form_of_cell(those.group) == NUMBER_ITEMS:
        return wide(load("i32.load", scope.address_of(those, _index(scope, those))))
    value = scope.value(those)
    return sets.size(value) if isinstance(those.type, Set) else wide(value[0])


def _index(scope: Scope, cell: Cell) -> Code | None:
    return None if cell.group.count == 1 else scope.number(cell.index)


def _length(scope: Scope, node: Op) -> Value:
    return (length(scope, node.args[0]),)


def _clamped(body: Body, count: Code, most: Code) -> Code:
    """A number of 64 bits as one from 0 to `most`, of 32."""
    (wanted,) = body.named((count,))
    (upper,) = body.named((wide(most),))
    (least,) = body.named((select(plain("i64.lt_s", wanted, upper), wanted, upper),))
    return narrow(select(plain("i64.gt_s", least, i64(0)), least, i64(0)))


def _take(scope: Scope, node: Op) -> Value:
    those, count = node.args
    there, items = scope.body.named(listed(scope, those))
    return scope.body.one(_clamped(scope.body, scope.number(count), there)), items


def _behind(scope: Scope, node: Op) -> Value:
    those, count = node.args
    there, items = scope.body.named(listed(scope, those))
    (number,) = scope.body.named((scope.number(count),))
    scope.body.fault(plain("i64.lt_s", number, i64(0)))
    gone = scope.body.one(_clamped(scope.body, number, there))
    return plain("i32.sub", there, gone), address(items, gone, _of(node))


def _without_last(scope: Scope, node: Op) -> Value:
    those, count = node.args
    there, items = scope.body.named(listed(scope, those))
    (number,) = scope.body.named((scope.number(count),))
    scope.body.fault(plain("i64.lt_s", number, i64(1)))
    return plain("i32.sub", there, scope.body.one(_clamped(scope.body, number, there))), items


def _appended(scope: Scope, node: Op) -> Value:
    form = _of(node)
    size = i32(bytes_of(form))
    one, first, other, second = scope.body.named((*listed(scope, node.args[0]), *listed(scope, node.args[1])))
    count = scope.body.one(plain("i32.add", one, other))
    items = allot(scope, plain("i32.mul", count, size))
    scope.body.add(plain("memory.copy", items, first, plain("i32.mul", one, size)))
    scope.body.add(plain("memory.copy", address(items, one, form), second, plain("i32.mul", other, size)))
    return count, items


def _reversed(scope: Scope, node: Op) -> Value:
    form, body = _of(node), scope.body
    count, items = body.named(listed(scope, node.args[0]))
    found = allot(scope, plain("i32.mul", count, i32(bytes_of(form))))

    def each(number: Code) -> None:
        backwards = plain("i32.sub", plain("i32.sub", count, i32(1)), number)
        scope.stored(form, address(found, number, form), 0, scope.loaded(form, address(items, backwards, form), 0))

    body.counted(i32(0), count, each)
    return count, found


def _item(scope: Scope, node: Op) -> Value:
    those, number = node.args
    if isinstance(those.type, Set):
        value = scope.value(those)
        return (sets.select_member(scope.body, value, scope.number(number), those.type.width),)
    if isinstance(those, Cell) and form_of_cell(those.group) == NUMBER_ITEMS:
        return _item_of_cell(scope, those, scope.number(number))
    return item(scope, scope.value(those), scope.number(number), _of(those))


def _item_of_cell(scope: Scope, cell: Cell, number: Code) -> Value:
    order = scope.address_of(cell, _index(scope, cell))
    (place,) = scope.body.named((number,))
    scope.body.fault(plain("i64.ge_u", place, wide(load("i32.load", order))))
    source = plain("i32.add", order, plain("i32.mul", narrow(place), i32(ITEM_BYTES)))
    return (load("i64.load16_s", source, WORD_BYTES),)


def _from_end(scope: Scope, node: Op) -> Value:
    those, back = node.args
    if isinstance(those, Cell) and form_of_cell(those.group) == NUMBER_ITEMS:
        count = length(scope, those)
        number = plain("i64.sub", plain("i64.sub", count, i64(1)), scope.number(back))
        return _item_of_cell(scope, those, number)
    value = scope.body.named(scope.value(those))
    number = plain("i64.sub", plain("i64.sub", wide(value[0]), i64(1)), scope.number(back))
    return item(scope, value, number, _of(those))


def _nth_of(scope: Scope, node: Op) -> Value:
    number, those = node.args
    body, form, wanted = scope.body, _of(those), form_of(node.type)
    count, items = body.named(scope.value(those))
    (place,) = body.named((scope.number(number),))
    body.fault(plain("i64.eq", place, i64(NONE)))
    last = plain("i64.sub", wide(count), i64(1))
    place = body.one(select(plain("i64.eq", place, i64(-1)), last, plain("i64.sub", place, i64(1))))
    found = body.variables(wanted)
    body.assign(found, scope.as_form(Const(node.type, None), wanted))

    def there() -> None:
        value = scope.loaded(form, address(items, narrow(place), form), 0)
        body.assign(found, scope.converted(value, form, wanted))

    body.when(plain("i64.lt_u", place, wide(count)), there)
    return read(found)


def _as_set(scope: Scope, node: Op) -> Value:
    (those,) = node.args
    if isinstance(those.type, Set):
        return scope.as_type(those, node.type)
    form, body = form_of(node.type), scope.body
    assert isinstance(form, Members)
    count, items = body.named(scope.value(those))
    found = body.variables(form)
    body.assign(found, sets.constant_set(0, form.words))

    def each(number: Code) -> None:
        (value,) = body.named((load("i64.load", address(items, number, SCALAR)),))
        within = plain("i64.lt_u", value, i64(64 * form.words))
        body.fault(negated(plain("i32.or", within, plain("i64.eq", value, i64(NONE)))))
        body.assign(found, sets.union(read(found), sets.bit(body, value, form.words)))

    body.counted(i32(0), count, each)
    return read(found)


def _left_out(scope: Scope, node: Op) -> Value:
    those, gone = node.args
    body = scope.body
    count, items = body.named(listed(scope, those))
    absent = body.named(scope.value(gone))
    found = allot(scope, plain("i32.mul", count, i32(WORD_BYTES)))
    end = body.variable(I32)
    body.assign((end,), (i32(0),))

    def each(number: Code) -> None:
        value = body.one(load("i64.load", address(items, number, SCALAR)))

        def keep() -> None:
            body.add(store("i64.store", address(found, Read(end), SCALAR), value))
            body.assign((end,), (plain("i32.add", Read(end), i32(1)),))

        body.when(negated(sets.has(body, absent, value)), keep)

    body.counted(i32(0), count, each)
    return Read(end), found


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
        case Op(name="without_last", args=(those, Const(value=int() as gone))) if those == cell and gone > 0:
            order = scope.address_of(cell, _index(scope, cell))
            left = body.one(plain("i32.sub", load("i32.load", order), i32(gone)))
            body.add(store("i32.store", order, select(plain("i32.gt_s", left, i32(0)), left, i32(0))))
            return True
        case Op(name="appended", args=(those, Op(name="list", args=items))) if those == cell:
            numbers = body.named(tuple([scope.number(item) for item in items]))
            order = scope.address_of(cell, _index(scope, cell))
            count = body.one(load("i32.load", order))
            body.fault(plain("i32.gt_s", count, i32(scope.program.room - len(items))))
            end = body.one(plain("i32.add", order, plain("i32.mul", count, i32(ITEM_BYTES))))
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
