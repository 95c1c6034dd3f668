"""A program while it is printed: the module, its constant data, and where the cells of the state are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import product
from math import prod

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.expressions import Table, TableContent
from interpreter.compiler.ir.module import Module as Rules
from interpreter.compiler.ir.types import Seq, Set, Type
from interpreter.compiler.machine.body import Body
from interpreter.compiler.machine.forms import NUMBER_ITEMS, WORD_BYTES, Form, UnprintableError, bytes_of, form_of
from interpreter.compiler.machine.memory import Data
from interpreter.compiler.wasm.instructions import Callee, Global, Types
from interpreter.compiler.wasm.modules import Function, Module
from interpreter.runtime.cells import StoredValue
from interpreter.runtime.layout import Layout

MAX_TABLE_ENTRIES = 1 << 20


@dataclass(frozen=True)
class StoredTable:
    """A table in memory: its address, the ranges of its keys, and where a byte says which entries there are, if any."""

    address: int
    ranges: tuple[tuple[int, int], ...]
    present: int | None
    open: bool


@dataclass(frozen=True)
class Bounds:
    """Variables with the ends of the parts of memory that are known when everything else is printed.

    `scratch` to `end` is for values of one step, `lists` to `scratch` for lists in cells, and the past begins at `end`.
    """

    scratch: Global
    end: Global
    lists: Global


class Helpers:
    """Functions of a module that are printed on their first use, and those that routines play the game with."""

    module: Module
    helpers: dict[tuple[object, ...], Function]
    play: dict[str, Callee]

    def helper(
        self, name: str, key: tuple[object, ...], params: Types, results: Types, fill: Callable[[Body], None]
    ) -> Callee:
        """A function that the program uses, printed by `fill` on its first use; `key` tells those of a name apart."""
        function = self.helpers.get((name, *key))
        if function is None:
            function = self.helpers[name, *key] = self.module.function(name, params, results)
            body = Body(function)
            fill(body)
            function.body = tuple(body.statements)
        return function.callee


@dataclass
class Program(Helpers):
    """A program that is being printed.

    The state begins at `chance` with the state of chance, followed by the place of the block where the game waits, the
    number of legal moves there, the end of what lists in cells take, and the cells; `cells` are the addresses of these
    by number.

    Values of a step lie from `base` to `top`. `listed` is the address of two words: where the rows of the pending
    decision are that were listed when it was reached, 0 if they are not there any more, and the end of what they need.
    """

    module: Module
    rules: Rules
    layout: Layout
    data: Data
    top: Global
    base: Global
    bounds: Bounds
    chance: int = 0
    block: int = 0
    count: int = 0
    kept_end: int = 0
    listed: int = 0
    room: int = 64
    functions: dict[str, Function] = field(default_factory=dict)
    cells: dict[int, int] = field(default_factory=dict)
    tables: dict[tuple[str, int, Form], StoredTable] = field(default_factory=dict)
    forms: dict[int, Form] = field(default_factory=dict)
    state_bytes: int = 0
    keeps_lists: bool = False
    logs: dict[int, int] = field(default_factory=dict)
    log_arrays: dict[int, list[int]] = field(default_factory=dict)
    record_types: dict[int, Type] = field(default_factory=dict)
    leaving: set[str] = field(default_factory=set)
    attached: Sequence[Sequence[int]] = ()
    choice_key: Callable[[str, int], tuple[int, ...]] = lambda zone, piece: ()
    helpers: dict[tuple[object, ...], Function] = field(default_factory=dict)
    play: dict[str, Callee] = field(default_factory=dict)
    """The functions that routines play the game with, by their names in `routines/language.py`."""

    def cell_size(self, form: Form) -> int:
        """The memory of a cell: sequences of numbers have room for as many items as may be stored."""
        if form == NUMBER_ITEMS:
            return WORD_BYTES + (2 * self.room + WORD_BYTES - 1) // WORD_BYTES * WORD_BYTES
        return bytes_of(form)

    def table(self, table: Table, depth: int, type_: Type) -> StoredTable:
        """A table with a number of keys and entries of a type. Raises UnprintableError if it is too large."""
        key = table.name, depth, form_of(type_)
        if key not in self.tables:
            self.tables[key] = self._stored(table, depth, type_)
        return self.tables[key]

    def _stored(self, table: Table, depth: int, type_: Type) -> StoredTable:
        ranges: list[tuple[int, int]] = []
        for low, count in _ranges([table.content], depth):
            for_other_keys = table.partial and len(ranges) == depth - 1  # an entry for any other last key
            ranges.append((low, count + for_other_keys))
            if prod(count for _, count in ranges) > MAX_TABLE_ENTRIES:  # the next level can take all memory
                raise UnprintableError(f"a table of more than {MAX_TABLE_ENTRIES} entries")
        empty: StoredValue = 0 if isinstance(type_, Set) else () if isinstance(type_, Seq) else None
        values, present = [], bytearray()
        for keys in product(*[range(low, low + count) for low, count in ranges]):
            value, exists = _entry(table.content, keys)
            if not exists and table.partial:
                value, exists = table.missing, True
            values.append(value if exists else empty)
            present.append(exists)
        gaps = None if all(present) else self.data.place(bytes(present))
        return StoredTable(self.data.values(values, type_), tuple(ranges), gaps, table.partial)


def _ranges(contents: list[TableContent], depth: int) -> list[tuple[int, int]]:
    """The first key and the number of keys of each level of nested tuples or mappings."""
    ranges = []
    for _ in range(depth):
        low, high = 0, -1
        contents = [content for content in contents if content is not None]
        keys = [key for content in contents for key in (content if isinstance(content, dict) else range(len(content)))]
        if keys:
            low, high = min(keys), max(keys)
        ranges.append((low, max(1, high - low + 1)))
        contents = [entry for level in contents for entry in (level.values() if isinstance(level, dict) else level)]
    return ranges


def _entry(content: TableContent, keys: tuple[int, ...]) -> tuple[StoredValue, bool]:
    """The entry for some keys, and whether there is one."""
    for key in keys:
        if content is None:
            return None, False
        if isinstance(content, dict):
            if key not in content:
                return None, False
        elif not 0 <= key < len(content):
            return None, False
        content = content[key]
    return content, True
