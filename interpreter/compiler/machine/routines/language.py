"""What routines are written in: plain Python with these functions, which `translation.py` prints as WebAssembly.

A routine can also be called as it is, with sets as the bits of numbers and arrays as lists; tests compare the two.

- `Number` is a number of 64 bits, `Truth` a condition, `Array[...]` values one after the other without a length,
  `Sequence[...]` a number of items that do not change. With any other name, the routine takes the type of its
  argument: `def near(start: Number, used: Edges, like: Places) -> Places` works for sets of any widths.
- Sets are combined by `|`, `&` and `& ~`; a set is true if it has members. `for place in members(those)` and
  `for k in range(low, high)` are the loops beside `while`.
- A class with annotated fields is a record, made by calling it with all fields by name.
- A routine that plays, such as a search, gets the game as an argument: `game.make(number)`. See `Game`.
- Memory is that of one step of a game: it is given back when the step is over, or by `release`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Sequence
from typing import NoReturn, Protocol, TypeVar, cast

Number = int
Truth = bool
Array = list
Members = int
Places = int
Edges = int
Route = int
Item = TypeVar("Item")

NONE = -(1 << 63)
WORD_MASK = (1 << 64) - 1
KEY_MASK = (1 << 62) - 1


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


def unset(count: int, like: Item) -> list[Item]:
    """An array for such items, each of which is set before it is read: nobody knows what is in it."""
    return [cast(Item, None)] * count


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


def scrambled(word: int) -> int:
    """A number from 0 to 2^62 - 1 that depends on all bits of another one: the generator of chance (SplitMix64)."""
    word &= WORD_MASK
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD_MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD_MASK
    return (word ^ word >> 31) & KEY_MASK


def highest_bit(number: int) -> int:
    """The place of the highest bit of a number above 0."""
    return number.bit_length() - 1


class Game(Protocol):
    """A game that a routine plays on from several worlds; in a module, it is the state of the module.

    A call that makes moves ends in a fault if a rule fails.
    """

    def load_world(self, number: int) -> None:
        """Begin from a world."""

    def draw_chance(self, seed: int) -> None:
        """Let future chance follow from a seed."""

    def make(self, number: int) -> None:
        """Make a legal move."""

    def push(self, number: int) -> None:
        """Make a legal move that `pop` takes back."""

    def pop(self) -> None:
        """Take the last move back."""

    def hash(self) -> None:
        """Compute the two hashes of the position."""

    def first_hash(self) -> int:
        """The first of them."""

    def second_hash(self) -> int:
        """The second of them."""

    def score_now(self) -> None:
        """Compute the criteria as if the game was over, and who is ahead. Ends in a fault if one has no value."""

    def is_over(self) -> bool:
        """Whether the game is over."""

    def move_count(self) -> int:
        """The number of legal moves."""

    def acting(self) -> int:
        """The seat that decides."""

    def is_at_once(self) -> bool:
        """Whether others learn of the pending choice only when all have chosen."""

    def is_several(self) -> bool:
        """Whether the pending choice is one of several successive ones."""

    def offer(self, own: list[int], public: list[int]) -> int:
        """List keys of the legal moves, for the deciding seat and the others (see `UNNOTICED`); how many there are."""

    def play_on(self, seed: int, horizon: int) -> None:
        """Play at random to the end, or at most some decisions."""

    def is_scored(self) -> bool:
        """Whether the criteria have values after `play_on`."""

    def winners(self) -> int:
        """The winners, or who is ahead, as bits."""

    def score(self, place: int) -> int:
        """One of the criteria of all seats in a row."""
