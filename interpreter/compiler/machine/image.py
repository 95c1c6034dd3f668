"""The cells of a state in Python as memory of a module.

A module is given the state of a game that Python has played so far, and plays on. Every cell has its address and its
form (`forms`), and before the cells there are the state of chance, the block that the game waits at, and the end of the
lists that are kept in cells. Lists and recorded positions lie outside of the state, which then holds their addresses or
their number.

A state for which a module has no room raises UnprintableError; only Python can play it on.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import assert_never

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.types import Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type
from interpreter.compiler.machine.forms import (
    NONE,
    NUMBER_ITEMS,
    SCALAR,
    WORD_BITS,
    WORD_BYTES,
    Form,
    Items,
    Maybe,
    Members,
    Parts,
    Scalar,
    UnprintableError,
    bytes_of,
    form_of,
)
from interpreter.compiler.machine.memory import MASK, number_word, set_words
from interpreter.compiler.machine.numbers import GOLDEN, mixed_word
from interpreter.compiler.machine.positions import FIRST_OFFSET, SECOND_OFFSET
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines.records import HEADS, MAX_RECORDED
from interpreter.runtime.cells import Content, StoredValue, members_in, number_in
from interpreter.runtime.layout import RANDOM
from interpreter.runtime.recorded import Recorded

Piece = tuple[int, bytes]
"""An address and what is there."""


@dataclass(frozen=True)
class Image:
    """A state as memory: that of its cells, of lists in them, and of the positions that it has recorded."""

    state: bytes
    lists: list[Piece] = field(default_factory=list)
    records: list[Piece] = field(default_factory=list)


@dataclass(frozen=True)
class StateLayout:
    """Where the state of a module is: see `Program`; `lists` is where lists in cells begin."""

    program: Program
    lists: int


def encoded(layout: StateLayout, cells: Sequence[Content], block: int) -> Image:
    """A state that waits at the place of a block. Raises UnprintableError for one that there is no room for."""
    program = layout.program
    writer = _Writer(layout)
    for number in program.cells:
        writer.cell(number, cells[number])
    lists_end = writer.lists_end
    struct.pack_into("<QqQQ", writer.state, 0, number_in(cells[RANDOM]) & MASK, block, 0, lists_end)
    return Image(bytes(writer.state), writer.lists, writer.records)


class _Writer:
    """Writes the cells of a state."""

    def __init__(self, layout: StateLayout) -> None:
        self.layout, self.program = layout, layout.program
        self.state = bytearray(self.program.state_bytes)
        self.lists: list[Piece] = []
        self.records: list[Piece] = []
        self.lists_end = layout.lists

    def cell(self, number: int, content: Content) -> None:
        """Write a cell."""
        program = self.program
        form, at = program.forms[number], program.cells[number] - program.chance
        # What is no value is a number in the module: how many positions are recorded. Legal moves are not part of it.
        value = self._record(number, content) if number in program.logs else content
        if isinstance(value, Recorded | list):
            value = 0
        if form == NUMBER_ITEMS:
            items = members_in(value or ())
            if len(items) > program.room:
                raise UnprintableError(f"a list of more than {program.room} items")
            struct.pack_into(f"<i4x{len(items)}h", self.state, at, len(items), *items)
            return
        words = list(self._words(form, value))
        struct.pack_into(f"<{len(words)}Q", self.state, at, *words)

    def _words(self, form: Form, value: StoredValue) -> Iterator[int]:
        match form:
            case Members(words=count):
                yield from set_words(number_in(value or 0), count)
            case Maybe(of=value_form):
                yield int(value is not None)
                yield from [0] * len(value_form.operands) if value is None else self._words(value_form, value)
            case Parts(of=parts) if isinstance(value, tuple):
                for part, form_of_part in zip(value, parts, strict=True):
                    yield from self._words(form_of_part, part)
            case Parts():  # no value has been stored yet
                yield from [0] * len(form.operands)
            case Items(of=value_form):
                yield from self._list(value_form, members_in(value or ()))
            case Scalar():
                yield number_word(value if value is None or isinstance(value, int) else 0)
            case _ as never:
                assert_never(never)

    def _list(self, form: Form, items: Sequence[StoredValue]) -> tuple[int, int]:
        if not items:
            return 0, 0
        words = [word for item in items for word in self._words(form, item)]
        address = self.lists_end
        self.lists.append((address, struct.pack(f"<{len(words)}Q", *words)))
        self.lists_end += WORD_BYTES * len(words)
        return len(items), address

    def _record(self, number: int, value: Content) -> int:
        """Write the positions that a cell has recorded; how many there are."""
        if not isinstance(value, Recorded):
            return 0
        type_ = self.program.record_types.get(number)
        hashes = [hashes_of(type_, key) for key, times in value.items() for _ in range(times)]
        if len(hashes) > MAX_RECORDED or (hashes and type_ is None):
            raise UnprintableError("too many recorded positions")
        log, following, heads = self.program.logs[number], [], Counter[int]()
        for place, (first_hash, _) in enumerate(hashes, 1):
            following.append(heads[first_hash & HEADS - 1])
            heads[first_hash & HEADS - 1] = place
        arrays = self.program.log_arrays[number]
        columns = (
            [heads[n] for n in range(HEADS)],
            following,
            [first_hash for first_hash, _ in hashes],
            [two for _, two in hashes],
        )
        for address, column in zip(arrays, columns, strict=True):
            self.records.append((address, struct.pack(f"<{len(column)}Q", *column)))
        self.records.append((log, struct.pack("<5Q", *arrays, len(hashes))))
        return len(hashes)


# ---------------------------------------------------------------- hashes, as `positions.absorb` prints them


def hashes_of(type_: Type | None, value: StoredValue) -> tuple[int, int]:
    """The two hashes of a recorded position."""
    first, second = FIRST_OFFSET, SECOND_OFFSET
    for word in [] if type_ is None else _hashed(type_, value):
        first = mixed_word(first ^ word)
        turned = (second * GOLDEN + word) & MASK
        second = (turned << 23 | turned >> WORD_BITS - 23) & MASK
    return first, second


def _hashed(type_: Type, value: StoredValue) -> Iterator[int]:
    """The words of a value that the hashes depend on."""
    form = form_of(type_)
    match type_:
        case Row(of=parts):
            for part, part_type in zip(members_in(value), parts, strict=True):
                yield from _hashed(part_type, part)
        case Seq(of=part_type):
            items = members_in(value)
            yield len(items)
            for item in items:
                yield from _hashed(part_type, item)
        case Opt(of=part_type) if form != SCALAR:
            yield int(value is not None)
            if value is not None:
                yield from _hashed(part_type, value)
        case Set():
            assert isinstance(form, Members)
            yield from set_words(number_in(value or 0), form.words)
        case Bool() | Int() | Ref() | Opt() | Opaque():
            yield number_word(None if value is None else number_in(value))
        case _ as never:
            assert_never(never)


# ---------------------------------------------------------------- moves


def read_words(form: Form, words: Iterator[int], memory: Callable[[int, int], bytes]) -> StoredValue:
    """A value from its words, which are signed; `memory` gives some bytes at an address, for lists."""
    match form:
        case Members(words=count):
            return sum((next(words) & MASK) << WORD_BITS * number for number in range(count))
        case Maybe(of=value_form):
            present = next(words)
            value = read_words(value_form, words, memory)
            return value if present else None
        case Parts(of=parts):
            return tuple([read_words(part, words, memory) for part in parts])
        case Items(of=value_form):
            count, address = next(words), next(words)
            items = iter(memoryview(memory(address, count * bytes_of(value_form))).cast("q").tolist())
            return tuple([read_words(value_form, items, memory) for _ in range(count)])
        case Scalar():
            number = next(words)
            return None if number == NONE else number
        case _ as never:
            assert_never(never)
