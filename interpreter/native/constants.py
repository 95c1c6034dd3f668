"""Constant data as C: tables with one key or more, sets and lists of numbers. Only numbers reach the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from interpreter.ir.expressions import Table
from interpreter.ir.types import Seq, Set, Type, bare
from interpreter.native.forms import WORD, Forms, NotInC, has_flag, is_scalar

LARGEST_TABLE = 1 << 20
"""Maximum number of entries of a table, with those that are missing."""


def scalar(value: Any) -> str:
    """A number, truth value or none."""
    if value is None:
        return "NONE"
    number = int(value)
    if abs(number) >= 1 << 63:
        raise NotInC(f"the number {number}")
    return f"INT64_C({number})" if number >= 0 else f"(-INT64_C({-number}))"


def words_of(value: int, count: int) -> list[str]:
    """The words of a set."""
    if value < 0 or value >> WORD * count:
        raise NotInC("a set with members beyond its type")
    return [f"UINT64_C({value >> WORD * number & (1 << WORD) - 1:#x})" for number in range(count)]


def set_value(form: str, value: int, words: int) -> str:
    """A set, as an initialiser that is also an expression."""
    found = words_of(value, words)
    if words == 1:
        return found[0]
    if words == 2:
        return f"((set_u2){found[1]} << 64 | {found[0]})"
    return f"(set_{form}){{{{{', '.join(found)}}}}}"


@dataclass(frozen=True)
class StoredTable:
    """A table in C: its name, the ranges of its keys, and whether entries are missing.

    `open`: for any other last key there is an entry after the others.
    """

    name: str
    ranges: tuple[tuple[int, int], ...]
    gaps: bool
    open: bool

    def place(self, keys: Sequence[str]) -> str:
        """The place of an entry; keys out of range are a fault."""
        found = ""
        for number, (key, (low, count)) in enumerate(zip(keys, self.ranges, strict=True)):
            function = "within(" if self.open and number == len(keys) - 1 else "at(x, "
            offset = f"{function}{key} - {low}, {count})" if low else f"{function}{key}, {count})"
            found = f"({found}) * {count} + {offset}" if found else offset
        return f"there(x, {self.name}_there, {found})" if self.gaps else found


class Constants:
    """The tables and lists of a program; `lines` declare them."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self.lines: list[str] = []
        self.tables: dict[tuple[str, int, str], StoredTable] = {}
        self.lists: dict[tuple[str, ...], str] = {}

    def table(self, table: Table, depth: int, type_: Type) -> StoredTable:
        """A table with a number of keys and entries of a type."""
        form = self.forms.form_of(type_)
        key = table.name, depth, form
        if key not in self.tables:
            self.tables[key] = self._stored(table, depth, type_, form)
        return self.tables[key]

    def _stored(self, table: Table, depth: int, type_: Type, form: str) -> StoredTable:
        ranges: list[tuple[int, int]] = []
        for low, count in _ranges([table.content], depth):
            other = table.partial and len(ranges) == depth - 1  # an entry for any other last key
            ranges.append((low, count + other))
            if prod(count for _, count in ranges) > LARGEST_TABLE:  # the next level can take all memory
                raise NotInC(f"a table of more than {LARGEST_TABLE} entries")
        values, present = [], []
        for keys in product(*[range(low, low + count) for low, count in ranges]):
            found, there = _entry(table.content, keys)
            if not there and table.partial:
                found, there = table.missing, True
            values.append(self.value(found, type_) if there else self.zero(type_))
            present.append(there)
        name, gaps = f"K{len(self.tables)}", not all(present)
        self.array(form, name, values)
        if gaps:
            self.array("uint8_t", f"{name}_there", ["1" if there else "0" for there in present])
        return StoredTable(name, tuple(ranges), gaps, table.partial)

    def array(self, form: str, name: str, values: Sequence[str]) -> None:
        """Declare an array."""
        inside = ", ".join(value.removeprefix(f"({form})") if form.startswith("set_w") else value for value in values)
        self.lines.append(f"static const {form} {name}[{max(1, len(values))}] = {{{inside or 0}}};")

    def list_of(self, form: str, values: Sequence[str]) -> str:
        """A list, as an initialiser."""
        if not values:
            return "{0, 0}"
        key = (form, *values)
        if key not in self.lists:
            self.lists[key] = name = f"L{len(self.lists)}"
            self.array(form, name, values)
        return f"{{{len(values)}, {self.lists[key]}}}"

    def zero(self, type_: Type) -> str:
        """A value that is never read."""
        return self.value(None, type_) if has_flag(type_) else "0" if is_scalar(type_) else self.value(_EMPTY, type_)

    def value(self, value: Any, type_: Type) -> str:
        """A value, as an initialiser."""
        if is_scalar(type_):
            return scalar(value)
        if has_flag(type_):
            inner = bare(type_)
            return f"{{{self.zero(inner)}, false}}" if value is None else f"{{{self.value(value, inner)}, true}}"
        match type_:
            case Set(width=width):
                form = self.forms.set_form(width)
                return set_value(form, 0 if value is _EMPTY else value, self.forms.sets[form])
            case Seq(of=of):
                items = () if value is _EMPTY else value
                return self.list_of(self.forms.form_of(of), [self.value(item, of) for item in items])
            case _:
                raise NotInC(f"constant values of the type {type_}")


_EMPTY = object()


def _ranges(contents: list[Any], depth: int) -> Iterator[tuple[int, int]]:
    """The first key and the number of keys of each level of nested tuples or mappings."""
    for _ in range(depth):
        low, high = 0, -1
        contents = [content for content in contents if content is not None]
        keys = [key for content in contents for key in (content if isinstance(content, dict) else range(len(content)))]
        if keys:
            low, high = min(keys), max(keys)
        yield low, max(1, high - low + 1)
        contents = [inner for each in contents for inner in (each.values() if isinstance(each, dict) else each)]


def _entry(content: Any, keys: Sequence[int]) -> tuple[Any, bool]:
    """The entry for some keys, and whether there is one."""
    for key in keys:
        if content is None:
            return None, False
        if isinstance(content, dict):
            if key not in content:
                return None, False
            content = content[key]
        else:
            if not 0 <= key < len(content):
                return None, False
            content = content[key]
    return content, True
