"""Functions and modules, and how they are written in the binary format.

A module imports nothing but functions and the memory of another module: what it cannot do with memory it cannot do at
all. Its own memory is created with it, of at most `Module.most_pages`, and exported as `memory`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.wasm import instructions as wasm

PAGE_BYTES = 1 << 16
"""Bytes of a page of memory."""

MAX_PAGES = 1 << 16
IMPORTED = "game"
"""The name of the module that functions are imported from."""


@dataclass(eq=False)
class Function:
    """A function: its parameters are the first of its locals."""

    callee: wasm.Callee
    locals: list[wasm.Local] = field(default_factory=list)
    body: tuple[wasm.Code, ...] = ()

    def local(self, type_: wasm.ValueType, name: str = "") -> wasm.Local:
        """A new variable; it is 0 until it is assigned. The name is for readers of the text format."""
        variable = wasm.Local(type_, len(self.locals), name)
        self.locals.append(variable)
        return variable

    def name_locals(self, start: int, end: int, name: str) -> None:
        """Give parameters a name, which they do not have from the beginning."""
        for local in self.locals[start:end]:
            local.name = name


@dataclass(eq=False)
class Module:
    """A module: functions, variables, memory with constant data, and names for what is called from outside.

    `imports` are functions of another module, `IMPORTED`, by the names under which that exports them. A module that has
    some has the memory of that other module instead of its own.
    """

    pages: int = 1
    most_pages: int = 1
    functions: list[Function] = field(default_factory=list)
    globals: list[tuple[wasm.Global, int]] = field(default_factory=list)
    data: list[tuple[int, bytes]] = field(default_factory=list)
    exports: dict[str, Function | wasm.Global] = field(default_factory=dict)
    imports: list[wasm.Callee] = field(default_factory=list)

    def function(self, name: str, params: wasm.Types, results: wasm.Types, exported: bool = False) -> Function:
        """A new function, whose body is set later: functions may call each other."""
        function = Function(wasm.Callee(name, len(self.imports) + len(self.functions), params, results))
        function.locals = [wasm.Local(type_, number) for number, type_ in enumerate(params)]
        self.functions.append(function)
        if exported:
            self.exports[name] = function
        return function

    def imported(self, name: str, params: wasm.Types, results: wasm.Types) -> wasm.Callee:
        """A function of the other module. Functions are numbered after imports, which therefore come first."""
        assert not self.functions, "functions are numbered after imports"
        callee = wasm.Callee(name, len(self.imports), params, results)
        self.imports.append(callee)
        return callee

    def variable(self, name: str, type_: wasm.ValueType, value: int = 0, exported: bool = False) -> wasm.Global:
        """A new variable with its value at the beginning."""
        variable = wasm.Global(name, type_, len(self.globals))
        self.globals.append((variable, value))
        if exported:
            self.exports[name] = variable
        return variable

    def binary(self) -> bytes:
        """The module in the binary format."""
        types: dict[tuple[wasm.Types, wasm.Types], int] = {}
        for callee in (*self.imports, *[function.callee for function in self.functions]):
            types.setdefault((callee.params, callee.results), len(types))
        of_function = [types[function.callee.params, function.callee.results] for function in self.functions]
        return b"".join(
            [
                b"\0asm\x01\0\0\0",
                _section(1, [b"\x60" + _values(params) + _values(results) for params, results in types]),
                _section(2, self._imports(types)),
                _section(3, [unsigned(number) for number in of_function]),
                _section(5, [] if self.imports else [b"\x01" + unsigned(self.pages) + unsigned(self.most_pages)]),
                _section(
                    6, [_type(variable.type) + b"\x01" + _constant(variable.type, to) for variable, to in self.globals]
                ),
                _section(
                    7,
                    [
                        *[_name("memory") + b"\x02\x00"] * (not self.imports),
                        *[_name(name) + _exported(item) for name, item in self.exports.items()],
                    ],
                ),
                _section(10, [_counted(_body(function)) for function in self.functions]),
                _section(
                    11, [b"\x00" + _constant(wasm.I32, place) + _counted(content) for place, content in self.data]
                ),
            ]
        )

    def _imports(self, types: Mapping[tuple[wasm.Types, wasm.Types], int]) -> list[bytes]:
        """The memory, however large it may become, and the functions."""
        if not self.imports:
            return []
        module_name = _name(IMPORTED)
        return [
            module_name + _name("memory") + b"\x02\x01" + unsigned(0) + unsigned(MAX_PAGES),
            *[
                module_name + _name(callee.name) + b"\x00" + unsigned(types[callee.params, callee.results])
                for callee in self.imports
            ],
        ]


# ---------------------------------------------------------------- numbers and lists


_BYTES = [bytes([value]) for value in range(256)]


def unsigned(value: int) -> bytes:
    """A number from 0 in LEB128."""
    if value <= 0x7F:
        return _BYTES[value]
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def signed(value: int) -> bytes:
    """A number in LEB128 with its sign."""
    if -0x40 <= value < 0x40:
        return _BYTES[value & 0x7F]
    encoded = bytearray()
    while not -0x40 <= value < 0x40:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value & 0x7F)
    return bytes(encoded)


def _counted(content: bytes) -> bytes:
    return unsigned(len(content)) + content


def _name(text: str) -> bytes:
    return _counted(text.encode("utf-8"))


def _exported(item: Function | wasm.Global) -> bytes:
    return b"\x00" + unsigned(item.callee.number) if isinstance(item, Function) else b"\x03" + unsigned(item.number)


def _type(type_: wasm.ValueType) -> bytes:
    return bytes([type_.value])


def _values(types: wasm.Types) -> bytes:
    return unsigned(len(types)) + bytes([type_.value for type_ in types])


def _section(number: int, entries: list[bytes]) -> bytes:
    if not entries:
        return b""
    return bytes([number]) + _counted(unsigned(len(entries)) + b"".join(entries))


def number_in_range(type_: wasm.ValueType, value: int) -> int:
    """A number as a signed one of its type: addresses and words are given from 0 on."""
    bits = 32 if type_ is wasm.I32 else 64
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def _constant(type_: wasm.ValueType, value: int) -> bytes:
    return (b"\x41" if type_ is wasm.I32 else b"\x42") + signed(number_in_range(type_, value)) + b"\x0b"


# ---------------------------------------------------------------- instructions


def _body(function: Function) -> bytes:
    """Runs of locals of the same type, and the instructions."""
    runs: list[tuple[int, wasm.ValueType]] = []
    for local in function.locals[len(function.callee.params) :]:
        if runs and runs[-1][1] is local.type:
            runs[-1] = runs[-1][0] + 1, local.type
        else:
            runs.append((1, local.type))
    writer = _Writer()
    writer.all(function.body)
    writer.code.append(0x0B)
    declared = unsigned(len(runs)) + b"".join([unsigned(count) + _type(type_) for count, type_ in runs])
    return declared + bytes(writer.code)


class _Writer:
    """Writes instructions in the order of their execution; `open` are the labels of the blocks around them."""

    def __init__(self) -> None:
        self.code = bytearray()
        self.open: list[wasm.Label | None] = []

    def all(self, nodes: Iterable[wasm.Code]) -> None:
        """Write instructions one after the other."""
        for node in nodes:
            if type(node) is wasm.Read:  # a third of all
                self.read(node)
            else:
                WRITTEN[type(node)](self, node)

    def plain(self, node: wasm.Plain) -> None:
        self.all(node.operands)
        self.code += wasm.OPERATIONS[node.name].code

    def constant(self, node: wasm.Constant) -> None:
        value = node.value
        self.code.append(0x41 if node.type is wasm.I32 else 0x42)
        self.code += _BYTES[value] if 0 <= value < 0x40 else signed(number_in_range(node.type, value))

    def read(self, node: wasm.Read) -> None:
        self.code.append(0x20 if type(node.variable) is wasm.Local else 0x23)
        self.code += unsigned(node.variable.number)

    def write(self, node: wasm.Write) -> None:
        self.all(node.values)
        for variable in reversed(node.variables):  # the last result is on top of the stack
            self.code.append(0x21 if type(variable) is wasm.Local else 0x24)
            self.code += unsigned(variable.number)

    def access(self, node: wasm.Access) -> None:
        self.all(node.operands)
        operation, _, alignment = wasm.LOADS[node.name] if node.name in wasm.LOADS else wasm.STORES[node.name]
        self.code += operation + unsigned(alignment) + unsigned(node.offset)

    def call(self, node: wasm.Call) -> None:
        self.all(node.operands)
        self.code.append(0x10)
        self.code += unsigned(node.callee.number)

    def select(self, node: wasm.Select) -> None:
        self.all((node.first, node.second, node.condition))
        self.code.append(0x1B)

    def block(self, node: wasm.Block) -> None:
        self.code.append(0x03 if node.loop else 0x02)
        self._inside(node.label, node.results, node.body)
        self.code.append(0x0B)

    def if_(self, node: wasm.If) -> None:
        self.all((node.condition,))
        self.code.append(0x04)
        self._inside(None, node.results, node.then)
        if node.otherwise:
            self.code.append(0x05)
            self._nested(None, node.otherwise)
        self.code.append(0x0B)

    def branch(self, node: wasm.Branch) -> None:
        if node.condition is not None:
            self.all((node.condition,))
        self.code.append(0x0C if node.condition is None else 0x0D)
        self.code += self._depth(node.label)

    def switch(self, node: wasm.Switch) -> None:
        self.all((node.number,))
        self.code.append(0x0E)
        self.code += unsigned(len(node.labels) - 1) + b"".join([self._depth(label) for label in node.labels])

    def return_(self, node: wasm.Return) -> None:
        self.all(node.values)
        self.code.append(0x0F)

    def _inside(self, label: wasm.Label | None, results: wasm.Types, body: tuple[wasm.Code, ...]) -> None:
        """The type of a block and what is in it."""
        self.code += _type(*results) if results else b"\x40"
        self._nested(label, body)

    def _nested(self, label: wasm.Label | None, body: tuple[wasm.Code, ...]) -> None:
        self.open.append(label)
        self.all(body)
        self.open.pop()

    def _depth(self, label: wasm.Label) -> bytes:
        for depth, open_label in enumerate(reversed(self.open)):
            if open_label is label:
                return unsigned(depth)
        raise AssertionError("a branch to a block that is not around it")


WRITTEN: Mapping[type, Callable[[_Writer, Any], None]] = {  # each of its class, which a table cannot say
    wasm.Plain: _Writer.plain, wasm.Constant: _Writer.constant, wasm.Read: _Writer.read, wasm.Write: _Writer.write,
    wasm.Access: _Writer.access, wasm.Call: _Writer.call, wasm.Select: _Writer.select, wasm.Block: _Writer.block,
    wasm.If: _Writer.if_, wasm.Branch: _Writer.branch, wasm.Switch: _Writer.switch, wasm.Return: _Writer.return_,
}  # fmt: skip
"""How instructions of each class are written: to try one class after the other took twice as long."""
