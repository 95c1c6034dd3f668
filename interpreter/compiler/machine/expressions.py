"""Expressions: the statements that they need, and their values.

A loop, a fault or a branch is a statement in a module, an operation is not. `value` therefore returns the code of a
value and adds to the body whatever must be executed before it:

    x is in marked and 6 / n > 1       v := x in marked
                                       if v: { if n = 0: fault; v := 6 / n > 1 }
                                       v

INVARIANT: code that is returned is evaluated once, after the statements that were added. Code used twice, or across
statements that may change what it reads, is named first (`named`, `held`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.types import Bool, Opt, Ref, Seq, Set, Type, optional
from interpreter.compiler.machine import numbers
from interpreter.compiler.machine.body import Value, i32, i64, narrow, negated, read, wide
from interpreter.compiler.machine.folds import fold
from interpreter.compiler.machine.forms import NONE, SCALAR, Maybe, UnprintableError, bytes_of, form_of, is_scalar
from interpreter.compiler.machine.memory import number_word, set_words
from interpreter.compiler.machine.operations import condition_of, operation
from interpreter.compiler.machine.scope import Scope
from interpreter.compiler.machine.sets import is_empty, minus
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import I32, Code, Constant, If, Read, plain, select
from interpreter.runtime.cells import StoredValue, number_in


class Expressions(Scope):
    """A scope in which expressions are printed."""

    def value(self, node: ex.Expr) -> Value:
        """The value of an expression, in the form of its type. Raises UnprintableError."""
        match node:
            case ex.Const():
                return self._constant(node.value, node.type)
            case ex.Local():
                return self.read(node)
            case ex.Cell():
                return self.cell(node, self.index(node))
            case ex.Slot():
                index = self.number(node.index)
                if isinstance(index, Constant):
                    return (i64(node.zone.first + index.value),)
                return (plain("i64.add", index, i64(node.zone.first)) if node.zone.first else index,)
            case ex.Lookup():
                return self._lookup(node)
            case ex.Logic():
                return (wide(self.condition(node)),)
            case ex.Choice():
                return self._choice(node)
            case ex.Let():
                return self._let(node)
            case ex.Call():
                return self._call(node)
            case ex.Check():
                return self._checked(node)
            case ex.Op():
                condition = condition_of(self, node)
                return operation(self, node) if condition is None else (wide(condition),)
            case ex.Fold():
                return fold(self, node)
            case ex.Counted():
                return self.value(node.value)
            case ex.Data() if isinstance(node.type, Seq):
                return self._constant(node.table.content, node.type)
            case ex.Data() | ex.Lambda():
                raise UnprintableError("a function or a graph as a value")
            case _:
                assert_never(node)

    def condition(self, node: ex.Expr) -> Code:
        """An expression as a condition; none counts as false. Raises UnprintableError."""
        match node:
            case ex.Const():
                return i32(bool(node.value))
            case ex.Counted():
                return self.condition(node.value)
            case ex.Logic():
                return self._logic(node)
            case ex.Op() if (condition := condition_of(self, node)) is not None:
                return condition
            case _:
                value = self.value(node)
        match node.type:
            case Bool():
                return narrow(value[0])
            case Opt(of=Bool()):
                return plain("i64.eq", value[0], i64(1))
            case Set():
                return negated(is_empty(value))
            case _:
                raise UnprintableError(f"a condition of the type {node.type}")

    def index(self, cell: ex.Cell) -> Code | None:
        """The number of a cell within its group, unless it is the only one."""
        return None if cell.group.count == 1 else self.number(cell.index)

    def _constant(self, value: StoredValue, type_: Type) -> Value:
        if is_scalar(type_):
            return (i64(number_word(None if value is None else number_in(value))),)
        form = form_of(type_)
        if value is None:
            return tuple([i32(0) if type_of_word is I32 else i64(0) for type_of_word in form.operands])
        if isinstance(type_, Set):
            assert isinstance(value, int)
            return tuple([i64(word) for word in set_words(value, len(form.operands))])
        words = self.program.data.words(value, type_)
        return tuple(
            [
                i32(word) if type_of_word is I32 else i64(word)
                for type_of_word, word in zip(form.operands, words, strict=True)
            ]
        )

    # ------------------------------------------------------------ branches

    def _logic(self, node: ex.Logic) -> Code:
        """Parts without statements of their own are computed in place, the others only if the value is still open."""
        joined: Code | None = None
        for part in node.parts:
            with self.body.inside() as statements:
                value = self.condition(part)
            if joined is None:
                self.body.add(*statements)
                joined = value
            elif not statements:  # it neither fails nor loops: computing it costs less than a branch
                joined = plain("i32.and" if node.word == "and" else "i32.or", joined, value)
            else:
                joined = self._if_open(node.word, joined, statements, value)
        assert joined is not None
        return joined

    def _if_open(self, word: str, preceding: Code, statements: Sequence[Code], value: Code) -> Code:
        """A conjunction or disjunction whose second part needs statements."""
        result = self.body.variable(I32)
        self.body.assign((result,), (preceding,))
        rest = (*statements, wasm.write((result,), value))
        test = Read(result) if word == "and" else negated(Read(result))
        self.body.add(If(test, rest, (), ()))
        return Read(result)

    def _choice(self, node: ex.Choice) -> Value:
        form = form_of(node.type)
        test = self.condition(node.condition)
        branches = []
        for part in (node.then, node.otherwise):
            with self.body.inside() as statements:
                value = self.as_form(part, form)
            branches.append((statements, value))
        (first, if_true), (second, if_false) = branches
        # Both values are computed for a `select`, which only pays where neither takes an instruction of its own.
        if not first and not second and len(if_true) == 1 and _cheap(if_true[0]) and _cheap(if_false[0]):
            return (select(test, if_true[0], if_false[0]),)
        result = self.body.variables(form)
        then = (*first, wasm.write(result, *if_true))
        self.body.add(If(test, then, (*second, wasm.write(result, *if_false)), ()))
        return read(result)

    # ------------------------------------------------------------ tables, locals, calls

    def _lookup(self, node: ex.Lookup) -> Value:
        last = node.keys[-1]
        maybe = isinstance(last.type, Opt)
        entry_type = node.table.type if maybe else node.type
        required = form_of(node.type)
        keys = [self._key(key) for key in node.keys]
        if not maybe:
            return self.converted(self._entry(node, entry_type, keys), form_of(entry_type), required)
        form = form_of(optional(node.type))
        (key,) = self.body.named((keys[-1],))
        result = self.body.variables(form)
        nothing = (i64(NONE),) if form == SCALAR else self.as_form(ex.Const(node.type, None), form)

        def load_entry() -> None:
            entry = self._entry(node, entry_type, [*keys[:-1], key])
            self.body.assign(result, self.converted(entry, form_of(entry_type), form))

        self.body.when(plain("i64.eq", key, i64(NONE)), lambda: self.body.assign(result, nothing), load_entry)
        return self.converted(read(result), form, required)

    def _key(self, key: ex.Expr) -> Code:
        """A key of a table; a small set is the number formed by its bits."""
        value = self.value(key)
        if len(value) != 1:
            raise UnprintableError("a table whose key is a set of more than 64 values")
        return value[0]

    def _entry(self, node: ex.Lookup, type_: Type, keys: Sequence[Code]) -> Value:
        """An entry of a table; keys out of range are a fault."""
        body, stored = self.body, self.program.table(node.table, len(keys), type_)
        size, place, constant_place = bytes_of(form_of(type_)), None, 0
        for number, (key, (low, count)) in enumerate(zip(keys, stored.ranges, strict=True)):
            for_other_keys = stored.open and number == len(keys) - 1
            if isinstance(key, Constant) and 0 <= key.value - low < count:
                constant_place = constant_place * count + key.value - low
                place = None if place is None else plain("i64.mul", place, i64(count))
                continue
            # Three ways to stay within the table: the last entry answers for all keys that are not in an open one, a
            # reference is within its type by the verifier, and everything else is tested. Unsigned, as negative offsets
            # are then too large.
            (offset,) = body.named((plain("i64.sub", key, i64(low)) if low else key,))
            if for_other_keys:
                offset = select(plain("i64.lt_u", offset, i64(count)), offset, i64(count - 1))
            elif not _within(node.keys[number].type, low, count):
                body.fault(plain("i64.ge_u", offset, i64(count)))
            constant_place *= count
            place = offset if place is None else plain("i64.add", plain("i64.mul", place, i64(count)), offset)
        if place is not None:
            (place,) = body.named((place,))
        if stored.present is not None:
            body.fault(negated(self._byte(stored.present + constant_place, place)))
        address = i32(0) if place is None else plain("i32.mul", narrow(place), i32(size))
        return self.loaded(form_of(type_), address, stored.address + size * constant_place)

    def _byte(self, address: int, place: Code | None) -> Code:
        return wasm.load("i32.load8_u", i32(0) if place is None else narrow(place), address)

    def _let(self, node: ex.Let) -> Value:
        form = form_of(node.local.type)
        value = self.as_form(node.value, form)
        previous = self.locals.get(node.local.name)
        self.body.assign(self.bind(node.local), value)
        self.note_record(node.local, node.value)
        result = self.body.named(self.value(node.body))
        self.restore(node.local, previous)
        return result

    def _call(self, node: ex.Call) -> Value:
        function = self.program.rules.functions[node.function]
        args = [
            part
            for arg, param in zip(node.args, function.params, strict=True)
            for part in self.as_type(arg, param.type)
        ]
        assert function.result is not None
        form = form_of(function.result)
        result = self.body.variables(form)
        self.body.add(wasm.write(result, wasm.call(self.program.functions[node.function].callee, *args)))
        return self.converted(read(result), form, form_of(node.type))

    # ------------------------------------------------------------ checks

    def _checked(self, node: ex.Check) -> Value:
        body, checked = self.body, node.value
        if node.word == "product":
            assert isinstance(checked, ex.Op)
            return (numbers.bounded_product(body, *[self.number(arg) for arg in checked.args]),)
        value = body.named(self.value(checked))
        form = form_of(checked.type)
        none = plain("i64.eq", value[0], i64(NONE)) if form == SCALAR else i32(0)
        match node.word:
            case "need" if isinstance(form, Maybe):
                body.fault(negated(value[0]))
                return self.converted(value[1:], form.of, form_of(node.type))
            case "need":
                if form == SCALAR:
                    body.fault(none)
            case "in_range":
                outside = numbers.outside(value[0], *node.bounds[:2])
                body.fault(plain("i32.and", outside, negated(none)) if isinstance(checked.type, Opt) else outside)
            case "divisor":
                body.fault(plain("i64.eqz", value[0]))
            case "among" | "one_of":
                allowed: Code = none
                for bound in node.bounds:
                    allowed = plain("i32.or", allowed, plain("i64.eq", value[0], i64(number_word(bound))))
                body.fault(negated(allowed))
            case "subset":
                assert isinstance(checked.type, Set)
                every = sum(1 << bound for bound in node.bounds if 0 <= bound < checked.type.width)
                words = tuple([i64(word) for word in set_words(every, len(value))])
                body.fault(negated(is_empty(minus(value, words))))
            case _:
                assert_never(node.word)
        return self.converted(value, form, form_of(node.type))


def _cheap(code: Code) -> bool:
    """Whether a value costs less than a branch that could be foreseen wrongly."""
    match code:
        case Constant() | Read():
            return True
        case wasm.Access(operands=(Constant(),)):  # a cell that is always there
            return True
        case _:
            return False


def _within(type_: Type, low: int, count: int) -> bool:
    """Whether all values of a type are keys from `low` on: references are never beyond their type."""
    return isinstance(type_, Ref) and low == 0 and type_.width <= count
