"""The operations of the intermediate form, by their names: as conditions, and as values.

Truth values are conditions of 32 bits for instructions of the module, and numbers of 64 bits in cells. An operation
whose value is one is printed as a condition first, so that `not (x < y)` needs no conversion in between.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from interpreter.compiler.ir.expressions import Const, Data, Expr, Op
from interpreter.compiler.ir.types import Bool, Int, Opt, Ref, Set, bare
from interpreter.compiler.machine import choices, graphs, lines, numbers, pieces, positions, sequences, sets
from interpreter.compiler.machine.body import Value, i32, i64, narrow, negated, read, wide
from interpreter.compiler.machine.forms import (
    NONE,
    NUMBER_ITEMS,
    SCALAR,
    WORD_BITS,
    Maybe,
    Members,
    Scalar,
    UnprintableError,
    bytes_of,
    form_of,
)
from interpreter.compiler.machine.scope import Scope
from interpreter.compiler.wasm.instructions import I64, Code, Label, Read, call, load, plain, select, write

MAX_UNCHECKED = 10**18
"""Up to this number results need no check: 64 bits hold them, and none is beyond."""

COMPARED = {"lt": "i64.lt_s", "le": "i64.le_s", "gt": "i64.gt_s", "ge": "i64.ge_s"}


def condition_of(scope: Scope, node: Op) -> Code | None:
    """An operation whose value is a truth value, as a condition; None for another operation."""
    match node.name:
        case "lt" | "le" | "gt" | "ge":
            left, right = node.args
            return plain(COMPARED[node.name], scope.number(left), scope.number(right))
        case "eq":
            return _equal(scope, node)
        case "not":
            return negated(scope.condition(node.args[0]))
        case "is_none":
            value = scope.value(node.args[0])
            form = form_of(node.args[0].type)
            if form == SCALAR:
                return plain("i64.eq", value[0], i64(NONE))
            return negated(value[0]) if isinstance(form, Maybe) else i32(0)
        case "has":
            members, member = node.args
            value = scope.as_form(members, form_of(bare(members.type)))
            return sets.has(scope.body, value, scope.number(member), _fits(member, len(value)))
        case "is_empty" if isinstance(form_of(node.args[0].type), Members):
            return sets.is_empty(scope.value(node.args[0]))
        case "is_empty" if not isinstance(node.args[0].type, Opt):
            return plain("i64.eqz", sequences.length(scope, node.args[0]))
        case "before":
            return call(pieces.lies_before(scope.program), scope.number(node.args[0]), scope.number(node.args[1]))
        case "joined":
            return graphs.joined(scope, node)
        case "in_list":
            return sequences.contains(scope, node)
        case _:
            return None


def operation(scope: Scope, node: Op) -> Value:
    """The value of any other operation. Raises UnprintableError."""
    printer = PRINTERS.get(node.name)
    if printer is None:
        raise UnprintableError(f"the operation {node.name}")
    return printer(scope, node)


def _equal(scope: Scope, node: Op) -> Code:
    left, right = node.args
    form = sequences.common(form_of(left.type), form_of(right.type))
    first, second = scope.as_form(left, form), scope.as_form(right, form)
    if isinstance(form, Scalar | Members):
        return sequences.same(scope, form, first, second)
    return sequences.same(scope, form, scope.body.named(first), scope.body.named(second))


# ---------------------------------------------------------------- numbers


def _sum(scope: Scope, node: Op) -> Value:
    left, right = node.args
    first, second = scope.number(left), scope.number(right)
    if bounds_of(node) is not None:
        return (plain(f"i64.{node.name}", first, second),)
    match node.name:
        case "add":
            return (numbers.checked_sum(scope.body, first, second),)
        case "sub":
            return (numbers.checked_difference(scope.body, first, second),)
        case _:
            return (numbers.checked_product(scope.body, first, second),)


def bounds_of(node: Expr) -> tuple[int, int] | None:
    """Bounds of a number that is not none, by its type and by what it is computed from; None if it may be large.

    Most sums and products are indices such as `(place + me * 26) * 2`: a check costs more than the sum.
    """
    match node:
        case Const(value=int() as value):
            low = high = int(value)
        case Op(name="add" | "sub" | "mul", args=(left, right)):
            first, second = bounds_of(left), bounds_of(right)
            if first is None or second is None:
                return None
            ends = [ARITHMETIC[node.name](x, y) for x in first for y in second]
            low, high = min(ends), max(ends)
        case _:
            match node.type:
                case Bool():
                    low, high = 0, 1
                case Ref(width=width):
                    low, high = 0, width
                case Int(low=low, high=high):
                    pass
                case _:
                    return None
    return (low, high) if -MAX_UNCHECKED <= low <= high <= MAX_UNCHECKED else None


ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


def _divided(scope: Scope, node: Op) -> Value:
    first, second = (scope.number(arg) for arg in node.args)
    divide = numbers.quotient if node.name == "div" else numbers.remainder
    return (divide(scope.body, first, second),)


def _negative(scope: Scope, node: Op) -> Value:
    (number,) = scope.body.named((scope.number(node.args[0]),))
    scope.body.fault(plain("i64.eq", number, i64(NONE)))
    opposite = plain("i64.sub", i64(0), number)
    return (opposite if node.name == "neg" else select(plain("i64.lt_s", number, i64(0)), opposite, number),)


def _extreme(scope: Scope, node: Op) -> Value:
    name = "i64.le_s" if node.name == "least" else "i64.ge_s"
    extreme = scope.number(node.args[0])
    for arg in node.args[1:]:
        left, right = scope.body.named((extreme, scope.number(arg)))
        extreme = select(plain(name, left, right), left, right)
    return (extreme,)


def _to_int(scope: Scope, node: Op) -> Value:
    return (wide(scope.condition(node.args[0])),)


# ---------------------------------------------------------------- sets

JOINED: Mapping[str, Callable[[Value, Value], Value]] = {"union": sets.union, "both": sets.both, "minus": sets.minus}


def _joined(scope: Scope, node: Op) -> Value:
    left, right = (scope.as_type(arg, node.type) for arg in node.args)
    return JOINED[node.name](left, right)


def single(scope: Scope, words: int, node: Expr) -> Value:
    """The set with one member, or with none if that is none; numbers may be beyond the set, which is a fault."""
    (number,) = scope.body.named((scope.number(node),))
    if not isinstance(node.type, Ref):
        within = plain("i64.lt_u", number, i64(64 * words))
        scope.body.fault(negated(plain("i32.or", within, plain("i64.eq", number, i64(NONE)))))
    return sets.bit(scope.body, number, words, _fits(node, words))


def _fits(node: Expr, words: int) -> bool:
    """Whether all values of an expression are numbers of members of a set with some words."""
    return isinstance(node.type, Ref) and node.type.width <= WORD_BITS * words


def _single(scope: Scope, node: Op) -> Value:
    return single(scope, len(form_of(node.type).operands), node.args[0])


def _size(scope: Scope, node: Op) -> Value:
    return (sets.size(scope.value(node.args[0])),)


def _first(scope: Scope, node: Op) -> Value:
    return (sets.first(scope.body, scope.value(node.args[0])),)


def _last(scope: Scope, node: Op) -> Value:
    return (sets.last(scope.body, scope.value(node.args[0])),)


def _end(scope: Scope, node: Op) -> Value:
    return (sets.end(scope.body, scope.value(node.args[0])),)


def _lowest(scope: Scope, node: Op) -> Value:
    members = scope.body.named(scope.value(node.args[0]))
    scope.body.fault(sets.is_empty(members))
    return (sets.lowest(scope.body, members),)


def _shift(scope: Scope, node: Op) -> Value:
    members, step = node.args
    assert isinstance(step, Const) and isinstance(node.type, Set) and isinstance(members.type, Set)
    words = len(form_of(node.type).operands)
    shifted = sets.shifted(scope.value(members), int(step.value), words)
    if members.type.width + max(0, step.value) > node.type.width:
        shifted = sets.both(shifted, sets.constant_set((1 << node.type.width) - 1, words))
    return shifted


def _or_empty(scope: Scope, node: Op) -> Value:
    (value,) = node.args
    if not isinstance(value.type, Opt):
        return scope.as_type(value, node.type)
    form = form_of(value.type)
    present, *parts = scope.body.named(scope.value(value))
    empty = [select(present, part, i64(0) if part.results[0].name == "I64" else i32(0)) for part in parts]
    assert isinstance(form, Maybe)
    return scope.converted(tuple(empty), form_of(bare(value.type)), form_of(node.type))


def _nth_member(scope: Scope, node: Op) -> Value:
    number, members = node.args
    assert isinstance(members.type, Set)
    body, width = scope.body, members.type.width
    value = body.named(scope.value(members))
    (place,) = body.named((scope.number(number),))
    member = body.variable(I64)
    body.assign((member,), (i64(NONE),))
    exists = plain("i64.le_u", plain("i64.sub", place, i64(1)), plain("i64.sub", sets.size(value), i64(1)))
    exists = plain("i32.and", exists, negated(sets.is_empty(value)))

    def select_it() -> None:
        position = plain("i64.sub", place, i64(1))
        body.assign((member,), (sets.select_member(body, value, position, width),))

    body.when(exists, select_it)
    return (Read(member),)


def _contents(scope: Scope, node: Op) -> Value:
    pieces_there = scope.body.variables(NUMBER_ITEMS)
    scope.body.add(write(pieces_there, call(pieces.contents(scope.program), scope.number(node.args[0]))))
    return read(pieces_there)


def _nth(scope: Scope, node: Op) -> Value:
    number, place = node.args
    pieces_there = scope.body.variables(NUMBER_ITEMS)
    (position,) = scope.body.named((plain("i64.sub", scope.number(number), i64(1)),))
    scope.body.add(write(pieces_there, call(pieces.contents(scope.program), scope.number(place))))
    result = scope.body.variable(I64)
    scope.body.assign((result,), (i64(NONE),))

    def load_item() -> None:
        item = load("i64.load", sequences.address(Read(pieces_there[1]), narrow(position), SCALAR))
        scope.body.assign((result,), (item,))

    scope.body.when(plain("i64.lt_u", position, wide(Read(pieces_there[0]))), load_item)
    return (Read(result),)


def _with_kind(scope: Scope, node: Op) -> Value:
    """The filled places of a zone that hold one of some pieces."""
    first, filled, kind = node.args
    if not isinstance(first, Const):
        raise UnprintableError("the places of a zone that is not known")
    zones = [zone for zone in scope.program.rules.zones.values() if zone.contents.first >= first.value]
    zone = min(zones, key=lambda zone: zone.contents.first, default=None)  # value 0 may have no place
    form_of_set = pieces.form_of_pieces(scope.program.layout)
    if zone is None or scope.program.forms.get(zone.contents.first) != form_of_set:
        raise UnprintableError("the contents of a zone in cells of another kind")
    form, below = form_of(node.type), zone.contents.first - int(first.value)
    assert isinstance(form, Members)
    body, address, count = scope.body, scope.program.cells[zone.contents.first], zone.contents.count
    kinds = body.named(scope.as_form(kind, form_of_set))
    occupied = scope.as_form(filled, form)
    matching = body.variables(form)
    body.assign(matching, sets.constant_set(0, form.words))

    def member(place: Code, following: Label, out: Label) -> None:
        index = plain("i64.sub", place, i64(below)) if below else place
        offset = scope.scaled(index, count, bytes_of(form_of_set))
        occupants = scope.loaded(form_of_set, offset, address)
        extended = sets.union(read(matching), sets.bit(body, place, form.words, fits=True))
        body.when(negated(sets.is_empty(sets.both(occupants, kinds))), lambda: body.assign(matching, extended))

    sets.each_member(body, occupied, member)
    return read(matching)


def _lines(scope: Scope, node: Op) -> Value:
    data, *args = node.args
    if not isinstance(data, Data):
        raise UnprintableError("a graph that is not known before the game")
    return lines.PRINTERS[node.name](scope, data.table, [scope.value(arg) for arg in args], node.type)


PRINTERS: Mapping[str, Callable[[Scope, Op], Value]] = {
    "add": _sum, "sub": _sum, "mul": _sum, "div": _divided, "mod": _divided, "neg": _negative, "abs": _negative,
    "least": _extreme, "greatest": _extreme, "to_int": _to_int, "union": _joined, "both": _joined, "minus": _joined,
    "single": _single, "size": _size, "first": _first, "last": _last, "end": _end, "lowest": _lowest, "shift": _shift,
    "or_empty": _or_empty, "seen_over": _lines, "enclosed": _lines, "nth_member": _nth_member,
    "contents": _contents, "nth": _nth,
    "with_kind": _with_kind, "lying": positions.places_with_kinds, "times": positions.of_record,
    "recorded": positions.of_record, **sequences.PRINTERS, **graphs.PRINTERS, **choices.PRINTERS,
}  # fmt: skip
"""The functions that print operations, by their names."""
