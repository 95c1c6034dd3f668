"""Compatibility of types: values in cells, arguments of operations, constants of their types."""

from __future__ import annotations

from typing import TypeGuard

from interpreter.compiler.ir.types import NONE, NUMBER_DOMAIN, Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type, bare

CLASSES: dict[str, tuple[type[Type], ...]] = {
    "Int": (Int, Ref), "Bool": (Bool,), "Ref": (Ref, Int), "Opt": (Opt,), "Set": (Set,), "Seq": (Seq,), "Row": (Row,),
    "Opaque": (Opaque,),
}  # fmt: skip
"""The types that a word in a signature denotes.

Arithmetic treats values of a domain as numbers, and the values of some listed types are stored as numbers.
"""

NO_SET = Set("nothing", 0)
"""The type of the empty set wherever nothing says what it is a set of."""


def fits(actual: Type, required: Type) -> bool:
    """Whether a value of one type can be stored as the other: of the same kind, and none only in an optional type."""
    match actual, required:
        case Opt(), Opt():
            return actual == NONE or required == NONE or fits(actual.of, required.of)
        case _, Opt(of):
            return fits(actual, of)
        case Opaque(name="part"), _:
            return True
        case Ref(), Ref():
            return actual.domain == required.domain
        case Set(), Set():
            return actual.domain == required.domain or actual == NO_SET
        case Seq(of=element), Seq(of=required_element):
            return fits(element, required_element)
        case Row(of=ones), Row(of=others):
            return len(ones) == len(others) and all(map(fits, ones, others))
        case _:
            return type(actual) is type(required)


def narrowed(declared: Type, used: Type) -> bool:
    """Whether a variable declared with one type may be used as the other, also where it is known not to be none."""
    return fits(declared, used) or fits(bare(declared), used)


def comparable(first: Type, second: Type) -> bool:
    """Whether values of the types can be equal; numbers and values of domains can, none and everything that may be."""
    if NONE in (first, second):
        return True
    left, right = bare(first), bare(second)
    if isinstance(left, Int) or isinstance(right, Int):
        return is_number(left) and is_number(right)
    return fits(left, right) or fits(right, left)


def combinable(first: Type, second: Type) -> bool:
    """Whether sets can be combined: those of a domain, all sets of numbers, and every one with the empty set."""
    return isinstance(first, Set) and (first == second or NO_SET in (first, second) or _both_numbers(first, second))


def member_of(value: Type, members: Set) -> bool:
    """Whether a set may have a value as its member; computed numbers may be members of any, truths of 0 and 1."""
    core = bare(value)
    if isinstance(core, Int) or value == NONE or members == NO_SET:
        return True
    if isinstance(core, Bool):
        return members.domain == NUMBER_DOMAIN
    return isinstance(core, Ref) and core.domain == members.domain


def is_number(type_: Type) -> bool:
    """Whether values are numbers, and there always is one."""
    return isinstance(type_, Int | Ref)


def takes(word: str, type_: Type) -> bool:
    """Whether a word in a signature denotes a type."""
    return word == "any" or isinstance(type_, CLASSES[word])


def holds(type_: Type, value: object) -> bool:
    """Whether a constant is a value of a type."""
    match type_:
        case Bool():
            return isinstance(value, bool)
        case Int(low, high):
            return _whole(value) and low <= value <= high
        case Ref(_, width):
            return _whole(value) and 0 <= value < width
        case Set(_, width):
            return _whole(value) and 0 <= value < 1 << width
        case Opt(of):
            return value is None or holds(of, value)
        case Seq(of):
            return isinstance(value, tuple) and all(holds(of, item) for item in value)
        case Row(of):
            return isinstance(value, tuple) and len(of) == len(value) and all(map(holds, of, value))
        case Opaque():
            return False  # its values are not written out


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _both_numbers(first: Type, second: Type) -> bool:
    return all(isinstance(type_, Set) and type_.domain == NUMBER_DOMAIN for type_ in (first, second))
