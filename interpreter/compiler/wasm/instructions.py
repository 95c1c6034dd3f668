"""Instructions of WebAssembly as trees: an instruction holds those that compute its operands.

`i64("add", local.get(), constant(1))` is `(i64.add (local.get $n) (i64.const 1))`. Each constructor compares the types
of its operands with what the instruction takes, so a printer that confuses them fails where it does so and not when the
module is validated. Branches name the block that they leave; how many blocks lie between is counted when the module is
written, so that a tree can be put anywhere inside that block.

Of the specification (https://webassembly.github.io/spec/core/) this is what the printed games need: numbers of 32 and
64 bits, memory, and structured control flow, with several results of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from dsl.lazy_dataclasses import value_class


class ValueType(Enum):
    """The types of operands, with their bytes in the binary format."""

    I32 = 0x7F
    I64 = 0x7E
    V128 = 0x7B


I32, I64, V128 = ValueType.I32, ValueType.I64, ValueType.V128
Types = tuple[ValueType, ...]


class Signature(NamedTuple):
    """An operation: its bytes, and the types of its operands and of its results."""

    code: bytes
    operands: Types
    results: Types


# ---------------------------------------------------------------- operations without immediates

COMPARISONS = ("eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u")
UNARY = ("clz", "ctz", "popcnt")
BINARY = (
    "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr"
)  # fmt: skip


def _numeric(type_: ValueType, eqz: int, arithmetic: int) -> Mapping[str, Signature]:
    """The operations on numbers of a type; they are numbered in the same order for each."""
    name = type_.name.lower()
    signatures = {f"{name}.eqz": Signature(bytes([eqz]), (type_,), (I32,))}
    for number, word in enumerate(COMPARISONS, start=eqz + 1):
        signatures[f"{name}.{word}"] = Signature(bytes([number]), (type_, type_), (I32,))
    for number, word in enumerate(UNARY, start=arithmetic):
        signatures[f"{name}.{word}"] = Signature(bytes([number]), (type_,), (type_,))
    for number, word in enumerate(BINARY, start=arithmetic + len(UNARY)):
        signatures[f"{name}.{word}"] = Signature(bytes([number]), (type_, type_), (type_,))
    return signatures


OPERATIONS: Mapping[str, Signature] = {
    **_numeric(I32, 0x45, 0x67),
    **_numeric(I64, 0x50, 0x79),
    "i32.wrap_i64": Signature(b"\xa7", (I64,), (I32,)),
    "i64.extend_i32_s": Signature(b"\xac", (I32,), (I64,)),
    "i64.extend_i32_u": Signature(b"\xad", (I32,), (I64,)),
    "unreachable": Signature(b"\x00", (), ()),
    "memory.size": Signature(b"\x3f\x00", (), (I32,)),
    "memory.grow": Signature(b"\x40\x00", (I32,), (I32,)),
    "memory.copy": Signature(b"\xfc\x0a\x00\x00", (I32, I32, I32), ()),
    "memory.fill": Signature(b"\xfc\x0b\x00", (I32, I32, I32), ()),
}
"""Operations by their names in the text format."""

LOADS: Mapping[str, tuple[bytes, ValueType, int]] = {
    "i32.load": (b"\x28", I32, 2), "i64.load": (b"\x29", I64, 3), "i32.load8_u": (b"\x2d", I32, 0),
    "i32.load16_s": (b"\x2e", I32, 1), "i32.load16_u": (b"\x2f", I32, 1), "i64.load8_u": (b"\x31", I64, 0),
    "i64.load16_s": (b"\x32", I64, 1), "i64.load16_u": (b"\x33", I64, 1), "i64.load32_s": (b"\x34", I64, 2),
    "i64.load32_u": (b"\x35", I64, 2), "v128.load": (b"\xfd\x00", V128, 4),
}  # fmt: skip
"""Loads: code, type of the value, and the binary logarithm of the bytes that are read."""

STORES: Mapping[str, tuple[bytes, ValueType, int]] = {
    "i32.store": (b"\x36", I32, 2), "i64.store": (b"\x37", I64, 3), "i32.store8": (b"\x3a", I32, 0),
    "i32.store16": (b"\x3b", I32, 1), "i64.store8": (b"\x3c", I64, 0), "i64.store16": (b"\x3d", I64, 1),
    "i64.store32": (b"\x3e", I64, 2), "v128.store": (b"\xfd\x0b", V128, 4),
}  # fmt: skip
"""Stores: code, type of the value, and the binary logarithm of the bytes that are written."""


# ---------------------------------------------------------------- nodes


class Local:
    """A parameter or variable of a function. Its number is given by the function that it belongs to.

    The name is for readers of the text format; several variables may have the same.
    """

    __slots__ = ("name", "number", "type")

    def __init__(self, type_: ValueType, number: int, name: str = "") -> None:
        self.type, self.number, self.name = type_, number, name


class Global:
    """A variable of a module."""

    __slots__ = ("name", "number", "type")

    def __init__(self, name: str, type_: ValueType, number: int) -> None:
        self.name, self.type, self.number = name, type_, number


class Label:
    """A block that branches can leave, or a loop that they can begin again. The name is for readers."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        self.name = name


class Callee(NamedTuple):
    """What a call needs to know of a function: its number in the module, and its types."""

    name: str
    number: int
    params: Types
    results: Types


@value_class
class Plain:
    """An operation of the table."""

    name: str
    operands: tuple[Code, ...]
    results: Types


@value_class
class Constant:
    """A number."""

    value: int
    type: ValueType

    @property
    def results(self) -> Types:
        """One value."""
        return (self.type,)


@value_class
class Access:
    """A load or store at the address that the first operand gives, plus `offset`."""

    name: str
    operands: tuple[Code, ...]
    offset: int
    results: Types


@value_class
class Read:
    """The value of a local or global."""

    variable: Local | Global

    @property
    def results(self) -> Types:
        """One value."""
        return (self.variable.type,)


@value_class
class Write:
    """Assign a value to each variable, all of which are computed before: as many as the results of the values."""

    variables: tuple[Local | Global, ...]
    values: tuple[Code, ...]
    results: Types = ()


@value_class
class Block:
    """Statements; a branch to `label` ends them, or begins those of a loop again. The last one has the results."""

    label: Label | None
    body: tuple[Code, ...]
    results: Types
    loop: bool = False


@value_class
class If:
    """Statements of which one or the other are executed. The last one of each has the results."""

    condition: Code
    then: tuple[Code, ...]
    otherwise: tuple[Code, ...]
    results: Types


@value_class
class Branch:
    """Leave a block; with a condition, only if that is not 0."""

    label: Label
    condition: Code | None
    results: Types = ()


@value_class
class Switch:
    """Leave the block with this number, or the last one if there is none."""

    labels: tuple[Label, ...]
    number: Code
    results: Types = ()


@value_class
class Return:
    """Leave the function with its results."""

    values: tuple[Code, ...]
    results: Types = ()


@value_class
class Call:
    """Call a function."""

    callee: Callee
    operands: tuple[Code, ...]

    @property
    def results(self) -> Types:
        """Those of the function."""
        return self.callee.results


@value_class
class Select:
    """The first value if the condition is not 0, otherwise the second; both are computed."""

    first: Code
    second: Code
    condition: Code

    @property
    def results(self) -> Types:
        """One value."""
        return self.first.results


Code = Plain | Constant | Access | Read | Write | Block | If | Branch | Switch | Return | Call | Select


class WrongOperandsError(AssertionError):
    """An instruction with operands of other types than it takes: an error in what prints it."""


def _types(operands: Iterable[Code]) -> Types:
    return tuple([type_ for operand in operands for type_ in operand.results])


def plain(name: str, *operands: Code) -> Plain:
    """An operation by its name in the text format. Raises WrongOperandsError."""
    signature = OPERATIONS[name]
    if _types(operands) != signature.operands:
        raise WrongOperandsError(f"{name} of {_types(operands)}")
    return Plain(name, operands, signature.results)


def load(name: str, address: Code, offset: int = 0) -> Access:
    """A load. Raises WrongOperandsError."""
    if address.results != (I32,) or offset < 0:
        raise WrongOperandsError(f"{name} of {address.results} at {offset}")
    return Access(name, (address,), offset, (LOADS[name][1],))


def store(name: str, address: Code, value: Code, offset: int = 0) -> Access:
    """A store. Raises WrongOperandsError."""
    if (*address.results, *value.results) != (I32, STORES[name][1]) or offset < 0:
        raise WrongOperandsError(f"{name} of {address.results} and {value.results} at {offset}")
    return Access(name, (address, value), offset, ())


def write(variables: Sequence[Local | Global], *values: Code) -> Write:
    """Assign the results of instructions to as many variables. Raises WrongOperandsError."""
    if _types(values) != tuple([variable.type for variable in variables]):
        raise WrongOperandsError(f"{_types(values)} for {[variable.type for variable in variables]}")
    return Write(tuple(variables), values)


def call(callee: Callee, *operands: Code) -> Call:
    """A call. Raises WrongOperandsError."""
    if _types(operands) != callee.params:
        raise WrongOperandsError(f"{callee.name} of {_types(operands)}")
    return Call(callee, operands)


def select(condition: Code, first: Code, second: Code) -> Select:
    """One of two values, both of which are computed. Raises WrongOperandsError."""
    if condition.results != (I32,) or first.results != second.results or len(first.results) != 1:
        raise WrongOperandsError(f"select of {first.results} and {second.results} by {condition.results}")
    return Select(first, second, condition)
