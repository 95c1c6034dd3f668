"""What routines are written in: plain Python with these functions, which `translation.py` prints as WebAssembly.

A routine can also be called as it is, with sets as the bits of numbers and arrays as lists; tests compare the two.

- `Number` is a number of 64 bits, `Truth` a condition, `Array[...]` values one after the other without a length,
  `Sequence[...]` a number of items that do not change. With any other name, the routine takes the type of its
  argument: `def near(start: Number, used: Edges, like: Places) -> Places` works for sets of any widths.
- Sets are combined by `|`, `&` and `& ~`; a set is true if it has members. `for place in members(those)` and
  `for k in range(low, high)` are the loops beside `while`.
- A class with annotated fields is a record, made by calling it with all fields by name.
- Memory is that of one step of a game: it is given back when the step is over, or by `release`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Sequence
from typing import NoReturn, TypeVar

Number = int
Truth = bool
Array = list
Members = int
Places = int
Edges = int
Route = int
Item = TypeVar("Item")

NONE = -(1 << 63)


class FaultError(Exception):
    """The game ends in a fault."""


def fault() -> NoReturn:
    """End the game in a fault."""
    raise FaultError


def members(those: int) -> Iterator[int]:
    """The members of a set in ascending order; the set is that of the beginning of the loop."""
    while those:
        yield (those & -those).bit_length() - 1
        those &= those - 1


def lowest(those: int) -> int:
    """The first member of a set that is not empty."""
    return (those & -those).bit_length() - 1


def last(those: int) -> int:
    """The last member of a set that is not empty."""
    return those.bit_length() - 1


def size(those: int) -> int:
    """The number of members."""
    return those.bit_count()


def has(those: int, member: int) -> bool:
    """Whether a number from 0 is a member."""
    return bool(those >> member & 1)


def single(member: int, like: int) -> int:
    """The set of one member, of the width of another set."""
    return 1 << member


def nothing(like: int) -> int:
    """The empty set, of the width of another set."""
    return 0


def until(member: int, like: int) -> int:
    """The set of all numbers below one, of the width of another set."""
    return (1 << member) - 1


def numbers(count: int) -> list[int]:
    """An array of zeros."""
    return [0] * count


def copies(count: int, item: Item) -> list[Item]:
    """An array with the same item everywhere."""
    return [item] * count


def longer(items: list[Item], count: int, room: int) -> list[Item]:
    """The first items of an array in a new one that has room for more."""
    return items[:count] + items[:1] * (room - count)


def sequence(items: list[Item], count: int) -> Sequence[Item]:
    """The first items of an array as a sequence."""
    return tuple(items[:count])


def part(items: Sequence[Item], start: int, count: int) -> Sequence[Item]:
    """Some items of a sequence."""
    return items[start : start + count]


def mixed(word: int, those: int) -> int:
    """A number from 0 to 2^62 - 1 that depends on a number and on the members of a set."""
    return hash((word, those)) & (1 << 62) - 1
