"""What a value tells whoever learns it: the secrets it depends on, where its pieces lie, which seat it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from dsl import ast
from dsl.symbols import LocalSymbol, NoteSymbol, Symbol, ZoneSymbol

Sight = Literal["seen", "maybe", "unseen"]
"""Whether something is seen: surely, perhaps (it depends on the position or on an option), surely not by all meant."""

Seat = Literal["me", "other", "every", "some"]
"""Which seat a value is: the one that acts, surely another, each of several, or one that cannot be told."""

Hidden = ZoneSymbol | NoteSymbol | LocalSymbol


@dataclass(frozen=True)
class Seen:
    """Who sees something: whether the seat that acts does (`me`), and whether all seats do (`all`)."""

    me: Sight = "seen"
    all: Sight = "seen"

    @property
    def open(self) -> bool:
        """Whether it is no secret at all."""
        return self.me == "seen" and self.all == "seen"


@dataclass(frozen=True)
class Fact:
    """Something not all see that a value depends on: a note, an attribute of what lies in a zone, a secret argument.

    `node` is where it is read.
    """

    hidden: Hidden
    attribute: str | None
    seen: Seen
    node: ast.Node = field(compare=False)

    def later(self) -> Fact:
        """The same when somebody else may be acting."""
        return replace(self, seen=Seen("maybe" if self.seen.me == "seen" else self.seen.me, self.seen.all))


@dataclass(frozen=True)
class Source:
    """A zone that pieces lie in, and what is known of its index: which seats it names."""

    zone: ZoneSymbol
    index: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Known:
    """What is known of a value before play.

    `facts` are the secrets it depends on. A piece is no secret by itself, for it is shown to everybody as far as it may
    be seen; what is asked of it is. So `sources` are the zones that the pieces of the value lie in, for what follows.
    """

    facts: frozenset[Fact] = frozenset()
    sources: frozenset[Source] = frozenset()
    seat: Seat = "some"

    def plain(self) -> Known:
        """The same as a value that holds no pieces."""
        return Known(self.facts)

    def told(self) -> Known:
        """The same once everybody has been told it: what a move names is no secret."""
        return Known(seat=self.seat)

    def later(self) -> Known:
        """The same when somebody else may be acting."""
        facts = frozenset(fact.later() for fact in self.facts)
        sources = frozenset(Source(source.zone, tuple(map(_later, source.index))) for source in self.sources)
        return Known(facts, sources, _later(self.seat))


def _later(seat: Seat) -> Seat:
    return "some" if seat in ("me", "other") else seat


NOTHING_SECRET = Known()
ME = Known(seat="me")
EVERY_SEAT = Known(seat="every")


def together(parts: Iterable[Known]) -> Known:
    """What is known of a value that depends on all of these, and is one of them or made of them."""
    parts = list(parts)
    seats = {part.seat for part in parts}
    seat: Seat = seats.pop() if len(seats) == 1 else "every" if "every" in seats else "some"
    return Known(
        frozenset().union(*(part.facts for part in parts)),
        frozenset().union(*(part.sources for part in parts)),
        seat,
    )


@dataclass(frozen=True)
class Env:
    """What is known of the names in sight.

    `lookers` are what a rule has asked whether it is `me`, or whether `me` is in it, before it looks: notes and
    definitions, and attributes by name.
    """

    names: Mapping[LocalSymbol, Known] = field(default_factory=dict)
    lookers: frozenset[Symbol | str] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((frozenset(self.names.items()), self.lookers))

    def looking(self, looker: Symbol | str | None) -> Env:
        """The same where that has been asked."""
        return self if looker is None else Env(self.names, self.lookers | {looker})

    def bind(self, symbol: Symbol | None, known: Known) -> Env:
        """The same with one name more."""
        return Env({**self.names, symbol: known}, self.lookers) if isinstance(symbol, LocalSymbol) else self

    def later(self) -> Env:
        """The same when somebody else may be acting."""
        return Env({symbol: known.later() for symbol, known in self.names.items()})

    def joined(self, other: Env) -> Env:
        """What is known after one of two ways was taken."""
        names = {
            symbol: together((self.names[symbol], other.names[symbol])) if symbol in other.names else known
            for symbol, known in self.names.items()
            if symbol in self.names
        }
        return Env({**other.names, **names}, self.lookers & other.lookers)
