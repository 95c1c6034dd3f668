"""Memory of a module: constant data first, then the state, then room for values of one step."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import assert_never

from interpreter.compiler.ir.types import Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type, bare
from interpreter.compiler.machine.forms import NONE, WORD_BITS, WORD_BYTES, UnprintableError, form_of, is_scalar
from interpreter.runtime.cells import StoredValue, members_in, number_in

FIRST_ADDRESS = 64
"""Nothing is kept at address 0."""
MASK, LIMIT = (1 << WORD_BITS) - 1, 1 << WORD_BITS - 1


class Data:
    """Constant data with their addresses; equal data are kept once."""

    def __init__(self) -> None:
        self.end = FIRST_ADDRESS
        self.content: list[tuple[int, bytes]] = []
        self.addresses: dict[bytes, int] = {}

    def place(self, content: bytes) -> int:
        """The address of some data."""
        address = self.addresses.get(content)
        if address is None:
            address = self.addresses[content] = self.end
            self.content.append((address, content))
            self.end += (len(content) + WORD_BYTES - 1) // WORD_BYTES * WORD_BYTES
        return address

    def reserve(self, size: int) -> int:
        """The address of room that is empty at the beginning."""
        address = self.end
        self.end += (size + WORD_BYTES - 1) // WORD_BYTES * WORD_BYTES
        return address

    def values(self, values: Sequence[StoredValue], type_: Type) -> int:
        """The address of values of a type, one after the other; absent ones are empty."""
        if is_scalar(type_):
            words = [number_word(None if value is None else number_in(value)) for value in values]
        else:
            words = [word for value in values for word in self.words(value, type_)]
        return self.place(struct.pack(f"<{len(words)}Q", *words))

    def words(self, value: StoredValue, type_: Type) -> list[int]:
        """The words of a constant. Raises UnprintableError for a number that is too large."""
        if is_scalar(type_):
            return [number_word(None if value is None else number_in(value))]
        form = form_of(type_)
        if value is None:
            return [0] * len(form.operands)
        if isinstance(type_, Opt):
            return [1, *self.words(value, bare(type_))]
        match type_:
            case Set():
                return set_words(number_in(value), len(form.operands))
            case Seq(of=of):
                members = members_in(value)
                return [len(members), self.values(members, of)] if members else [0, 0]
            case Bool() | Int() | Ref() | Row() | Opaque():
                raise UnprintableError(f"constant values of the type {type_}")
            case _ as never:
                assert_never(never)


def number_word(value: int | None) -> int:
    """A number, truth value or none as a word. Raises UnprintableError for a number that is too large."""
    if value is None:
        return NONE & MASK
    if not -LIMIT < value < LIMIT:
        raise UnprintableError(f"the number {value}")
    return int(value) & MASK


def set_words(value: int, count: int) -> list[int]:
    """The words of a set. Raises UnprintableError for members beyond it."""
    if value < 0 or value >> WORD_BITS * count:
        raise UnprintableError("a set with members beyond its type")
    return [value >> WORD_BITS * number & MASK for number in range(count)]
