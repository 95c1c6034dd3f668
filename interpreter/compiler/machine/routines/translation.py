"""Routines as functions of a module: the Python of `language.py`, read from its source and printed once per types.

A search such as `reach` is needed for sets of one word, of two, of eight, and each module needs only those that its
game uses. Written as instructions it could be read by nobody and tested only in a module. So routines are plain Python:
tests run them as they are, against brute force, and this module prints the same source for the types of a call:

    def near(first, edges, others, start, used, like):            graphs.near for Edges of one word, Places of two
        found = nothing(like)                                     two locals, set to 0
        for k in range(first[start], first[start + 1]):           a loop over an i64
            if has(used, edges[k]):                               a bit of one word, read at edges + 8 * k
                found |= single(others[k], like)                  one of two words, chosen by others[k] >> 6

A variable has the kind of the first value assigned to it, for good. Whatever the subset lacks raises
UntranslatableError when a module is printed, which the tests of the routines do for each of them.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType

from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, Variables, i32, i64, narrow, negated, read, wide
from interpreter.compiler.machine.forms import SCALAR, WORD_BITS, WORD_BYTES, Form, Items, Members
from interpreter.compiler.machine.numbers import mixed
from interpreter.compiler.machine.program import Helpers, Program
from interpreter.compiler.machine.routines.kinds import (
    TRUTH,
    ArrayOf,
    RecordOf,
    Typed,
    UntranslatableError,
    ValueKind,
    bind,
    bytes_of,
    is_none,
    kind_of,
    source_of,
)
from interpreter.compiler.machine.routines.language import KEY_MASK
from interpreter.compiler.machine.scope import allotted
from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    Callee,
    Code,
    If,
    Label,
    Read,
    call,
    load,
    plain,
    select,
    store,
    write,
)


def routine(
    program: Helpers, module: ModuleType, name: str, kinds: Sequence[ValueKind]
) -> tuple[Callee, ValueKind | None]:
    """The function of a routine for arguments of some kinds, and the kind of its result."""
    node = source_of(module)[0][name]
    bound: dict[str, ValueKind] = {}
    for parameter, kind in zip(node.args.args, kinds, strict=True):
        bind(module, parameter.annotation, kind, bound)
    result = None if node.returns is None or is_none(node.returns) else kind_of(module, node.returns, bound)
    params = tuple([type_ for kind in kinds for type_ in kind.operands])
    results = () if result is None else result.operands

    def fill(body: Body) -> None:
        _Translation(program, module, body, node, kinds, result, bound).whole()

    family = module.__name__.rpartition(".")[2]
    return program.helper(f"{family}.{name}", tuple(kinds), params, results, fill), result


def called(program: Helpers, body: Body, module: ModuleType, name: str, *args: Typed) -> Typed:
    """The result of a routine, called where a function is printed."""
    callee, result = routine(program, module, name, [kind for _, kind in args])
    operands = [part for value, _ in args for part in value]
    if result is None:
        body.add(call(callee, *operands))
        return (), TRUTH
    variables = tuple([body.variable(type_) for type_ in result.operands])
    body.add(write(variables, call(callee, *operands)))
    return read(variables), result


class _Translation:
    """One routine while it is printed; `names` are its variables with their kinds."""

    def __init__(
        self, program: Helpers, module: ModuleType, body: Body, node: ast.FunctionDef, kinds: Sequence[ValueKind],
        result: ValueKind | None, bound: Mapping[str, ValueKind],
    ) -> None:  # fmt: skip
        self.program, self.module, self.body, self.node = program, module, body, node
        self.result, self.bound = result, bound
        self.names: dict[str, tuple[Variables, ValueKind]] = {}
        self.loops: list[tuple[Label, Label]] = []
        start = 0
        for parameter, kind in zip(node.args.args, kinds, strict=True):
            end = start + len(kind.operands)
            self.names[parameter.arg] = tuple(body.function.locals[start:end]), kind
            body.function.name_locals(start, end, parameter.arg)
            start = end

    def whole(self) -> None:
        self.block(self.node.body)
        if self.result is not None:
            self.body.fault()

    # ------------------------------------------------------------ statements

    def block(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        body = self.body
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self.value(value)
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                self.assign(target, ast.BinOp(_as_read(target), op, value))
            case ast.If():
                body.when(self.condition(node.test), lambda: self.block(node.body), lambda: self.block(node.orelse))
            case ast.While():
                self._while(node)
            case ast.For():
                self._for(node)
            case ast.Break():
                body.leave(self.loops[-1][1])
            case ast.Continue():
                body.leave(self.loops[-1][0])
            case ast.Return(value=None):
                body.give(())
            case ast.Return(value=value):
                assert value is not None and self.result is not None
                body.give(self.of_kind(value, self.result))
            case _:
                raise UntranslatableError(ast.unparse(node))

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        body = self.body
        match target:
            case ast.Name(id=name):
                if name in self.names:
                    variables, kind = self.names[name]
                    body.assign(variables, self.of_kind(value, kind))
                else:
                    assigned, kind = self.value(value)
                    variables = tuple([body.variable(type_, name) for type_ in kind.operands])
                    self.names[name] = variables, kind
                    body.assign(variables, assigned)
            case ast.Subscript(value=array, slice=index):
                address, of = self.place(array, index)
                self._store(address, 0, self.of_kind(value, of), of)
            case ast.Attribute(value=record, attr=attribute):
                (address,), kind = self.value(record)
                offset, of = self.field(kind, attribute)
                self._store(address, offset, self.of_kind(value, of), of)
            case _:
                raise UntranslatableError(ast.unparse(target))

    def _store(self, address: Code, offset: int, value: Value, kind: ValueKind) -> None:
        if len(value) > 1:
            value, address = self.body.named(value), self.body.held(address)
        for number, (type_, part) in enumerate(zip(kind.operands, value, strict=True)):
            name = "i32.store" if type_ is I32 else "i64.store"
            self.body.add(store(name, address, part, offset + WORD_BYTES * number))

    def _while(self, node: ast.While) -> None:
        body = self.body

        def whole(out: Label) -> None:
            def once(again: Label) -> None:
                body.leave(out, negated(self.condition(node.test)))
                self._inside(node.body, again, out)
                body.leave(again)

            body.loop(once)

        body.block(whole)

    def _inside(self, nodes: Sequence[ast.stmt], following: Label, out: Label) -> None:
        self.loops.append((following, out))
        self.block(nodes)
        self.loops.pop()

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        body, name = self.body, node.target.id
        match node.iter:
            case ast.Call(func=ast.Name(id="members"), args=[iterated]):
                value, kind = self.value(iterated)
                assert isinstance(kind, Members)

                def member(number: Code, following: Label, out: Label) -> None:
                    self._set_number(name, number)
                    self._inside(node.body, following, out)

                sets.each_member(body, value, member)
            case ast.Call(func=ast.Name(id="range"), args=args):
                low = i64(0) if len(args) == 1 else self.number(args[0])
                high = body.held(self.number(args[-1]))
                self._range(node, name, low, high)
            case _:
                raise UntranslatableError(ast.unparse(node.iter))

    def _range(self, node: ast.For, name: str, low: Code, high: Code) -> None:
        body = self.body
        number = body.variable(I64)
        body.assign((number,), (low,))

        def whole(out: Label) -> None:
            def once(again: Label) -> None:
                body.leave(out, plain("i64.ge_s", Read(number), high))
                self._set_number(name, Read(number))
                body.block(lambda following: self._inside(node.body, following, out))
                body.assign((number,), (plain("i64.add", Read(number), i64(1)),))
                body.leave(again)

            body.loop(once)

        body.block(whole)

    def _set_number(self, name: str, number: Code) -> None:
        if name not in self.names:
            self.names[name] = (self.body.variable(I64, name),), SCALAR
        self.body.assign(self.names[name][0], (number,))

    # ------------------------------------------------------------ values

    def of_kind(self, node: ast.expr, kind: ValueKind) -> Value:
        """A value that must be of a kind."""
        if kind == TRUTH:
            return (self.condition(node),)
        if kind == SCALAR:
            return (self.number(node),)
        value, actual = self.value(node)
        if actual != kind:
            raise UntranslatableError(f"{ast.unparse(node)} is {actual} and not {kind}")
        return value

    def number(self, node: ast.expr) -> Code:
        """A value that must be a number."""
        value, kind = self.value(node)
        if kind == TRUTH:
            return wide(value[0])
        if kind != SCALAR:
            raise UntranslatableError(f"{ast.unparse(node)} is {kind} and no number")
        return value[0]

    def condition(self, node: ast.expr) -> Code:
        """A value as a condition."""
        match node:
            case ast.BoolOp(op=op, values=values):
                return self._logic(isinstance(op, ast.And), values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negated(self.condition(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(op, left, right)
            case ast.Constant(value=bool() as truth):
                return i32(truth)
            case _:
                value, kind = self.value(node)
        if kind == TRUTH:
            return value[0]
        if isinstance(kind, Members):
            return negated(sets.is_empty(value))
        if kind == SCALAR:
            return plain("i64.ne", value[0], i64(0))
        raise UntranslatableError(f"{ast.unparse(node)} as a condition")

    # An operand may add statements to the body, such as a loop of a routine it calls. They must not run if the operands
    # before it decide, so each operand but the first has a branch of its own.
    def _logic(self, conjunction: bool, nodes: Sequence[ast.expr]) -> Code:
        body, result = self.body, self.body.variable(I32)
        body.assign((result,), (self.condition(nodes[0]),))
        for node in nodes[1:]:
            test = Read(result) if conjunction else negated(Read(result))
            with body.inside() as rest:
                body.assign((result,), (self.condition(node),))
            body.add(If(test, tuple(rest), (), ()))
        return Read(result)

    def _compared(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> Code:
        first_parts, kind = self.value(left)
        if isinstance(kind, Members):
            same = sets.equal(self.body.named(first_parts), self.of_kind(right, kind))
            return same if isinstance(op, ast.Eq) else negated(same)
        first = wide(first_parts[0]) if kind == TRUTH else first_parts[0]
        return plain(COMPARED[type(op)], first, self.number(right))

    def value(self, node: ast.expr) -> Typed:
        """The value of an expression, and what it is."""
        match node:
            case ast.Constant(value=bool() as value):
                return (i32(value),), TRUTH
            case ast.Constant(value=int() as value):
                return (i64(value),), SCALAR
            case ast.Name(id=name) if name in self.names:
                variables, kind = self.names[name]
                return read(variables), kind
            case ast.Name(id=name):
                value = getattr(self.module, name)
                assert isinstance(value, int)
                return (i64(value),), SCALAR
            case ast.BinOp():
                return self._operation(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                if isinstance(operand, ast.Constant) and isinstance(operand.value, int):
                    return (i64(-operand.value),), SCALAR
                return (plain("i64.sub", i64(0), self.number(operand)),), SCALAR
            case ast.BoolOp() | ast.Compare() | ast.UnaryOp():
                return (self.condition(node),), TRUTH
            case ast.IfExp():
                return self._choice(node)
            case ast.Subscript(value=array, slice=index):
                address, of = self.place(array, index)
                return self._loaded(address, 0, of), of
            case ast.Attribute(value=record, attr=attribute):
                (address,), kind = self.value(record)
                offset, of = self.field(kind, attribute)
                return self._loaded(address, offset, of), of
            case ast.Call(func=ast.Name(id="bool"), args=[inner]):
                return (self.condition(inner),), TRUTH
            case ast.Call(func=ast.Name(id=name)):
                return self._call(name, node)
            case ast.Call(func=ast.Attribute(attr=name), args=args):
                return self._played(name, args)
            case _:
                raise UntranslatableError(ast.unparse(node))

    # INVARIANT: what is read from memory is read here and now, into locals. As an expression it would be evaluated
    # where it is used, perhaps behind a store to the same place.
    def _loaded(self, address: Code, offset: int, kind: ValueKind) -> Value:
        """A value in memory as it is now."""
        if len(kind.operands) > 1:
            address = self.body.held(address)
        return self.body.named(
            tuple(
                [
                    load("i32.load" if type_ is I32 else "i64.load", address, offset + WORD_BYTES * number)
                    for number, type_ in enumerate(kind.operands)
                ]
            )
        )

    def place(self, array: ast.expr, index: ast.expr) -> tuple[Code, ValueKind]:
        """The address of an item, and what it is."""
        value, kind = self.value(array)
        assert isinstance(kind, ArrayOf | Items)
        size = bytes_of(kind.of)
        number = self.number(index)
        return plain("i32.add", value[-1], plain("i32.mul", narrow(number), i32(size))), kind.of

    def field(self, kind: ValueKind, name: str) -> tuple[int, ValueKind]:
        """The offset of a field of a record, and what it is."""
        assert isinstance(kind, RecordOf)
        offset = 0
        for field, of in kind.fields:
            if field == name:
                return offset, of
            offset += bytes_of(of)
        raise UntranslatableError(f"{kind.name}.{name}")

    def _choice(self, node: ast.IfExp) -> Typed:
        test = self.condition(node.test)
        with self.body.inside() as first:
            then_value, kind = self.value(node.body)
        result = tuple([self.body.variable(type_) for type_ in kind.operands])
        with self.body.inside() as second:
            else_value = self.of_kind(node.orelse, kind)
        self.body.when(
            test,
            lambda: self.body.add(*first, write(result, *then_value)),
            lambda: self.body.add(*second, write(result, *else_value)),
        )
        return read(result), kind

    def _operation(self, node: ast.BinOp) -> Typed:
        left_value, kind = self.value(node.left)
        if not isinstance(kind, Members):
            first = wide(left_value[0]) if kind == TRUTH else left_value[0]
            return (plain(ARITHMETIC[type(node.op)], first, self.number(node.right)),), SCALAR
        if isinstance(node.op, ast.BitAnd) and isinstance(node.right, ast.UnaryOp):
            return sets.minus(left_value, self.of_kind(node.right.operand, kind)), kind
        right_value = self.of_kind(node.right, kind)
        return (sets.union if isinstance(node.op, ast.BitOr) else sets.both)(left_value, right_value), kind

    # ------------------------------------------------------------ calls

    def _call(self, name: str, node: ast.Call) -> Typed:
        functions, records = source_of(self.module)
        if name in INTRINSICS:
            return INTRINSICS[name](self, *node.args)
        if name in records:
            return self._record(records[name], node)
        if name in functions:
            args = [self.value(arg) for arg in node.args]
            args = [(self.body.named(value), kind) for value, kind in args]
            return called(self.program, self.body, self.module, name, *args)
        owner = inspect.getmodule(getattr(self.module, name))
        assert owner is not None
        args = [self.value(arg) for arg in node.args]
        return called(self.program, self.body, owner, name, *args)

    def _played(self, name: str, nodes: Sequence[ast.expr]) -> Typed:
        """What the game does: see `Game` of the language."""
        callee = self.program.play[name]
        result = call(callee, *[part for node in nodes for part in self.body.named(self.value(node)[0])])
        if not callee.results:
            self.body.add(result)
            return (), TRUTH
        return (self.body.held(result),), SCALAR if callee.results == (I64,) else TRUTH

    def _record(self, record: ast.ClassDef, node: ast.Call) -> Typed:
        fields: list[tuple[str, ValueKind]] = []
        values: list[Value] = []
        for keyword in node.keywords:
            assert keyword.arg is not None
            value, kind = self.value(keyword.value)
            fields.append((keyword.arg, kind))
            values.append(self.body.named(value))
        address = self.allot(i32(sum(bytes_of(kind) for _, kind in fields)))
        offset = 0
        for value, (_, kind) in zip(values, fields, strict=True):
            self._store(address, offset, value, kind)
            offset += bytes_of(kind)
        return (address,), RecordOf(record.name, tuple(fields))

    def allot(self, size: Code) -> Code:
        """Memory for one step of a game."""
        assert isinstance(self.program, Program), "a routine outside of the module of a game cannot take memory"
        return allotted(self.program, self.body, size)

    def set_of(self, node: ast.expr) -> tuple[Value, Members]:
        """A value that must be a set."""
        value, kind = self.value(node)
        if not isinstance(kind, Members):
            raise UntranslatableError(f"{ast.unparse(node)} is no set")
        return self.body.named(value), kind


def _as_read(target: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(target), mode="eval").body


COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "i64.eq", ast.NotEq: "i64.ne", ast.Lt: "i64.lt_s", ast.LtE: "i64.le_s", ast.Gt: "i64.gt_s",
    ast.GtE: "i64.ge_s",
}  # fmt: skip

# INVARIANT: routines divide, and take remainders, of numbers from 0 on alone. WebAssembly rounds towards 0 and Python
# down, so that -7 // 2 would be -3 in a module and -4 in the tests.
ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "i64.add", ast.Sub: "i64.sub", ast.Mult: "i64.mul", ast.FloorDiv: "i64.div_s", ast.Mod: "i64.rem_s",
    ast.BitAnd: "i64.and", ast.BitOr: "i64.or", ast.BitXor: "i64.xor", ast.LShift: "i64.shl", ast.RShift: "i64.shr_s",
}  # fmt: skip


# ---------------------------------------------------------------- the functions of the language


def _fault(at: _Translation) -> Typed:
    at.body.fault()
    return (i32(0),), TRUTH


def _lowest(at: _Translation, set_node: ast.expr) -> Typed:
    return (sets.lowest(at.body, at.set_of(set_node)[0]),), SCALAR


def _last(at: _Translation, set_node: ast.expr) -> Typed:
    return (sets.last(at.body, at.set_of(set_node)[0]),), SCALAR


def _size(at: _Translation, set_node: ast.expr) -> Typed:
    return (sets.size(at.set_of(set_node)[0]),), SCALAR


def _has(at: _Translation, set_node: ast.expr, member: ast.expr) -> Typed:
    value, _ = at.set_of(set_node)
    return (sets.has(at.body, value, at.number(member)),), TRUTH


def _single(at: _Translation, member: ast.expr, like: ast.expr) -> Typed:
    _, kind = at.set_of(like)
    return sets.bit(at.body, at.number(member), kind.words), kind


def _nothing(at: _Translation, like: ast.expr) -> Typed:
    _, kind = at.set_of(like)
    return sets.constant_set(0, kind.words), kind


def _until(at: _Translation, member: ast.expr, like: ast.expr) -> Typed:
    _, kind = at.set_of(like)
    return at.body.named(sets.below(at.body, at.number(member), kind.words)), kind


def _numbers(at: _Translation, count: ast.expr) -> Typed:
    size = at.body.held(plain("i32.mul", narrow(at.number(count)), i32(WORD_BYTES)))
    address = at.allot(size)
    at.body.add(plain("memory.fill", address, i32(0), size))
    return (address,), ArrayOf(SCALAR)


def _copies(at: _Translation, count: ast.expr, item: ast.expr) -> Typed:
    value, kind = at.value(item)
    value = at.body.named(value)
    number = at.body.held(narrow(at.number(count)))
    address = at.allot(plain("i32.mul", number, i32(bytes_of(kind))))
    at.body.counted(
        i32(0),
        number,
        lambda k: at._store(plain("i32.add", address, plain("i32.mul", k, i32(bytes_of(kind)))), 0, value, kind),
    )
    return (address,), ArrayOf(kind)


def _unset(at: _Translation, count: ast.expr, like: ast.expr) -> Typed:
    _, kind = at.value(like)
    return (at.allot(plain("i32.mul", narrow(at.number(count)), i32(bytes_of(kind)))),), ArrayOf(kind)


def _longer(at: _Translation, items: ast.expr, count: ast.expr, room: ast.expr) -> Typed:
    (address,), kind = at.value(items)
    assert isinstance(kind, ArrayOf)
    size = i32(bytes_of(kind.of))
    held = at.body.held(plain("i32.mul", narrow(at.number(count)), size))
    new_address = at.allot(plain("i32.mul", narrow(at.number(room)), size))
    at.body.add(plain("memory.copy", new_address, address, held))
    return (new_address,), kind


def _sequence(at: _Translation, items: ast.expr, count: ast.expr) -> Typed:
    (address,), kind = at.value(items)
    assert isinstance(kind, ArrayOf) and isinstance(kind.of, Form)
    return (narrow(at.number(count)), address), Items(kind.of)


def _part(at: _Translation, items: ast.expr, start: ast.expr, count: ast.expr) -> Typed:
    value, kind = at.value(items)
    assert isinstance(kind, Items)
    offset = plain("i32.mul", narrow(at.number(start)), i32(bytes_of(kind.of)))
    return (narrow(at.number(count)), plain("i32.add", value[1], offset)), kind


def _len(at: _Translation, items: ast.expr) -> Typed:
    value, kind = at.value(items)
    assert isinstance(kind, Items)
    return (wide(value[0]),), SCALAR


def _mixed(at: _Translation, word: ast.expr, set_node: ast.expr) -> Typed:
    hash_so_far = at.number(word)
    for part in at.set_of(set_node)[0]:
        hash_so_far = at.body.held(mixed(at.body, plain("i64.xor", hash_so_far, part)))
    return (plain("i64.and", hash_so_far, i64((1 << 62) - 1)),), SCALAR


def _extreme(name: str) -> Callable[..., Typed]:
    def printed(at: _Translation, first_node: ast.expr, second_node: ast.expr) -> Typed:
        first, second = at.body.named((at.number(first_node), at.number(second_node)))
        return (select(plain(name, first, second), first, second),), SCALAR

    return printed


def _scrambled(at: _Translation, word: ast.expr) -> Typed:
    return (plain("i64.and", mixed(at.body, at.number(word)), i64(KEY_MASK)),), SCALAR


def _highest_bit(at: _Translation, number: ast.expr) -> Typed:
    return (plain("i64.sub", i64(WORD_BITS - 1), plain("i64.clz", at.number(number))),), SCALAR


INTRINSICS: Mapping[str, Callable[..., Typed]] = {
    "fault": _fault, "lowest": _lowest, "last": _last, "size": _size, "has": _has, "single": _single,
    "nothing": _nothing, "until": _until, "numbers": _numbers, "copies": _copies, "unset": _unset, "longer": _longer,
    "sequence": _sequence, "part": _part, "len": _len, "mixed": _mixed, "scrambled": _scrambled,
    "highest_bit": _highest_bit,
    "min": _extreme("i64.le_s"), "max": _extreme("i64.ge_s"),
}  # fmt: skip
"""What prints each function of the language."""
