"""Modules in the text format of WebAssembly, as folded instructions: for readers, and to compare with other tools.

Names of functions, variables and labels are kept where they are known; equal ones are told apart by a number. Other
variables are called by their number. The text of a module is the same module as its binary format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.modules import IMPORTED, MAX_PAGES, Function, Module, number_in_range

LINE_WIDTH = 100
"""Instructions are on one line up to this length, without their indentation."""

FIRST_HEXADECIMAL = 1 << 20
"""Numbers from here on are sets and factors rather than counts."""

DATA_BYTES_IN_A_LINE = 32
PLAIN_NAME = re.compile(r"[0-9A-Za-z!#$%&'*+\-./:<=>?@\\^_`|~]+")


def module_text(module: Module) -> Iterator[str]:
    """The lines of a module."""
    names = _names(module)
    yield "(module"
    if module.imports:
        yield f'  (import "{IMPORTED}" "memory" (memory 0 {MAX_PAGES}))'
    for callee in module.imports:
        signature = "".join(
            f" ({kind} {' '.join(map(_type, types))})"
            for kind, types in (("param", callee.params), ("result", callee.results))
            if types
        )
        function = f"(func {_identifier(names[callee.number])}{signature})"
        yield f"  (import {_quoted(IMPORTED)} {_quoted(callee.name)} {function})"
    if not module.imports:
        yield f'  (memory (export "memory") {module.pages} {module.most_pages})'
    for variable, value in module.globals:
        type_ = variable.type
        yield f"  (global {_identifier(variable.name)} (mut {_type(type_)}) {_constant(type_, value)})"
    for name, exported in module.exports.items():
        kind, of = (
            ("func", names[exported.callee.number]) if isinstance(exported, Function) else ("global", exported.name)
        )
        yield f"  (export {_quoted(name)} ({kind} {_identifier(of)}))"
    for item in module.functions:
        yield from _indented(_Writer(names, item).lines())
    for address, content in module.data:
        yield f"  (data {_constant(wasm.I32, address)}"
        for start in range(0, len(content), DATA_BYTES_IN_A_LINE):
            yield f"    {_quoted(content[start : start + DATA_BYTES_IN_A_LINE])}"
        yield "  )"
    yield ")"


def function_text(module: Module, function: Function) -> Iterator[str]:
    """The lines of one of the functions of a module."""
    yield from _Writer(_names(module), function).lines()


# ---------------------------------------------------------------- names, numbers and bytes


def _names(module: Module) -> list[str]:
    """The names of the functions by their numbers."""
    return _unique([*[callee.name for callee in module.imports], *[item.callee.name for item in module.functions]])


def _unique(names: Iterable[str]) -> list[str]:
    """Names that differ; the others get the number of their place."""
    unique: dict[str, None] = {}
    for place, name in enumerate(names):
        free = name if name and name not in unique else f"{name}.{place}" if name else str(place)
        while free in unique:
            free += "'"
        unique[free] = None
    return list(unique)


def _identifier(name: str) -> str:
    return f"${name}" if PLAIN_NAME.fullmatch(name) else f"${_quoted(name)}"


def _quoted(content: str | bytes) -> str:
    """A string of the text format; of bytes, those that are not plain characters are written as numbers."""
    if isinstance(content, str):
        return '"' + re.sub(r'["\\]', lambda match: f"\\{match[0]}", content) + '"'
    return (
        '"'
        + "".join([chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02x}" for byte in content])
        + '"'
    )


def _type(type_: wasm.ValueType) -> str:
    return type_.name.lower()


def _results(types: wasm.Types) -> str:
    return f" (result {' '.join(map(_type, types))})" if types else ""


def _constant(type_: wasm.ValueType, value: int) -> str:
    number = number_in_range(type_, value)
    return f"({_type(type_)}.const {number if abs(number) < FIRST_HEXADECIMAL else f'{number:#x}'})"


# ---------------------------------------------------------------- functions

Lines = list[str]


def _indented(lines: Iterable[str]) -> Lines:
    return [f"  {line}" for line in lines]


def _filled(words: Iterable[str]) -> Lines:
    """Words one after the other, on as few lines as possible."""
    lines: Lines = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < LINE_WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _folded(head: str, parts: Sequence[Lines]) -> Lines:
    """An instruction with its operands: on one line, or each operand on lines of its own."""
    if all(len(part) == 1 for part in parts):
        line = f"({' '.join([head, *[part[0] for part in parts]])})"
        if len(line) <= LINE_WIDTH or not parts:
            return [line]
    lines = [f"({head}", *_indented([line for part in parts for line in part])]
    if ";;" in lines[-1]:  # it would be a part of that comment
        return [*lines, ")"]
    return [*lines[:-1], f"{lines[-1]})"]


class _Writer:
    """Writes a function; `functions` are the names of those of the module."""

    def __init__(self, functions: Sequence[str], function: Function) -> None:
        self.functions, self.function = functions, function
        names = _unique([local.name for local in function.locals])
        self.variables = [_identifier(name) for name in names]
        self.labels: dict[wasm.Label, str] = {}
        self.label_names: set[str] = set()

    def lines(self) -> Lines:
        """The function with its parameters and variables."""
        callee, locals_ = self.function.callee, self.function.locals
        count = len(callee.params)
        declared = [
            f"({'param' if number < count else 'local'} {self.variables[number]} {_type(local.type)})"
            for number, local in enumerate(locals_)
        ]
        if callee.results:
            declared.insert(count, _results(callee.results).strip())
            count += 1
        code = [line for part in self._all(self.function.body) for line in part]
        return [
            f"(func {_identifier(self.functions[callee.number])}",
            *_indented([*_filled(declared[:count]), *_filled(declared[count:]), *code]),
            ")",
        ]

    def _all(self, nodes: Iterable[wasm.Code]) -> list[Lines]:
        return [self._node(node) for node in nodes]

    def _node(self, node: wasm.Code) -> Lines:
        match node:
            case wasm.Plain():
                return _folded(node.name, self._all(node.operands))
            case wasm.Constant():
                return [_constant(node.type, node.value)]
            case wasm.Read(variable=variable):
                return [f"({self._variable('get', variable)})"]
            case wasm.Write():
                return self._assigned(node)
            case wasm.Access():
                return _folded(node.name + (f" offset={node.offset}" if node.offset else ""), self._all(node.operands))
            case wasm.Call():
                return _folded(f"call {_identifier(self.functions[node.callee.number])}", self._all(node.operands))
            case wasm.Select():
                return _folded("select", self._all((node.first, node.second, node.condition)))
            case wasm.Block():
                return self._block(node)
            case wasm.If():
                parts = [self._node(node.condition), _folded("then", self._all(node.then))]
                if node.otherwise:
                    parts.append(_folded("else", self._all(node.otherwise)))
                return _folded("if" + _results(node.results), parts)
            case wasm.Branch():
                condition = node.condition
                word, parts = ("br", []) if condition is None else ("br_if", [self._node(condition)])
                return _folded(f"{word} {self._label(node.label)}", parts)
            case wasm.Switch():
                labels = " ".join([self._label(label) for label in node.labels])
                return _folded(f"br_table {labels}", [self._node(node.number)])
            case wasm.Return():
                return _folded("return", self._all(node.values))

    def _variable(self, word: str, variable: wasm.Local | wasm.Global) -> str:
        if isinstance(variable, wasm.Local):
            return f"local.{word} {self.variables[variable.number]}"
        return f"global.{word} {_identifier(variable.name)}"

    def _assigned(self, node: wasm.Write) -> Lines:
        """The last variable is innermost: the last result is on top of the stack."""
        parts = self._all(node.values)
        for variable in reversed(node.variables):
            parts = [_folded(self._variable("set", variable), parts)]
        return [line for part in parts for line in part]

    def _block(self, node: wasm.Block) -> Lines:
        label = "" if node.label is None else f" {self._named(node.label, node.loop)}"
        first, *rest = self._all(node.body) or [[]]
        # Blocks that begin together are left one after the other, as the blocks of a game are.
        nested = bool(node.body) and isinstance(node.body[0], wasm.Block) and not node.loop
        lines = [
            f"({'loop' if node.loop else 'block'}{label}{_results(node.results)}",
            *(first if nested else _indented(first)),
            *_indented([line for part in rest for line in part]),
        ]
        return [*lines, f") ;;{label}" if label else ")"]

    def _named(self, label: wasm.Label, loop: bool) -> str:
        """A name for a label that no other one of the function has."""
        name = label.name or ("again" if loop else "out")
        unique, number = name, 1
        while unique in self.label_names:
            number += 1
            unique = f"{name}.{number}"
        self.label_names.add(unique)
        self.labels[label] = _identifier(unique)
        return self.labels[label]

    def _label(self, label: wasm.Label) -> str:
        return self.labels[label]
