"""Memory of a module: constant data first, then the state, then room for values of one step."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import assert_never

from interpreter.compiler.ir.types import Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type, bare
from interpreter.compiler.machine.forms import NONE, WORD_BITS, WORD_BYTES, UnprintableError, form_of, is_scalar
from interpreter.runtime.cells import StoredValue, members_in, number_in

FIRST_ADDRESS = 64
"""Nothing is kept at address 0."""
WordsOf = Callable[[StoredValue], list[int]]
"""What gives the words of a value."""
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
        return self._place_all(values, self._words_of(type_))

    def words(self, value: StoredValue, type_: Type) -> list[int]:
        """The words of a constant. Raises UnprintableError for a number that is too large."""
        return self._words_of(type_)(value)

    def _place_all(self, values: Sequence[StoredValue], words_of: WordsOf) -> int:
        words = [word for value in values for word in words_of(value)]
        return self.place(struct.pack(f"<{len(words)}Q", *words))

    def _words_of(self, type_: Type) -> WordsOf:
        """What gives the words of values of a type: it is looked at once for all entries of a table."""
        if is_scalar(type_):
            return lambda value: [number_word(None if value is None else number_in(value))]
        count = len(form_of(type_).operands)
        nothing = [0] * count
        if isinstance(type_, Opt):
            of_present = self._words_of(bare(type_))
            return lambda value: nothing if value is None else [1, *of_present(value)]
        match type_:
            case Set():
                return lambda value: nothing if value is None else set_words(number_in(value), count)
            case Seq(of=of):
                of_item = self._words_of(of)
                return lambda value: self._sequence(members_in(value), of_item) if value else nothing
            case Bool() | Int() | Ref() | Row() | Opaque():
                return lambda value: nothing if value is None else _no_words(type_)
            case _ as never:
                assert_never(never)

    def _sequence(self, members: Sequence[StoredValue], of_item: WordsOf) -> list[int]:
        return [len(members), self._place_all(members, of_item)]


def _no_words(type_: Type) -> list[int]:
    raise UnprintableError(f"constant values of the type {type_}")


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
