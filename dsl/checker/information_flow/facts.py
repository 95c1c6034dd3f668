"""Facts about a value: the secrets it depends on, where its pieces lie, which seat it is.

Everything here is immutable and hashable, because facts are the keys under which the traversal remembers what it has
examined. `together` and `Env.joined` know no more than either operand does.

Visibility has three values, as rules may show a piece depending on the state: with `seen by (all if revealed else {p})`
the others *maybe* see it, unless a condition known to hold decides `revealed`.

After `later()`, somebody else may be acting: `me` and `other` are then some seat, and what the acting seat
sees is only maybe seen. It is applied where a fact outlives the turn in which it was found, as in a note, and where
another seat acts, as in `each player`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, reduce
from operator import xor
from typing import Literal

from dsl import ast
from dsl.checker.context import spelt
from dsl.checker.logic.terms import ME, UNKNOWN, Term, Truths, assumed
from dsl.diagnostics import Cause
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import DefineSymbol, LocalSymbol, NoteSymbol, Symbol, ZoneSymbol

Sight = Literal["seen", "maybe", "unseen"]
"""Visibility: certain, possible (it depends on the state or on an option), or certainly not for all seats concerned."""

Seat = Literal["me", "other", "every", "some"]
"""The seat that a value is: the acting one, certainly another, each of several, or one that cannot be determined."""

Hidden = ZoneSymbol | NoteSymbol | LocalSymbol


@dataclass(frozen=True)
class Seen:
    """Visibility of something: to the acting seat (`me`), and to all seats (`all`)."""

    me: Sight = "seen"
    all: Sight = "seen"

    @property
    def open(self) -> bool:
        """True if it is visible to all seats."""
        return self.me == "seen" and self.all == "seen"


@dataclass(frozen=True)
class Fact:
    """A secret that a value depends on: a note, an attribute of what lies in a zone, a secret argument.

    `node` is where it is read.
    """

    hidden: Hidden
    attribute: str | None
    seen: Seen
    node: ast.Node = field(compare=False)

    def later(self) -> Fact:
        """The same fact when somebody else may be acting."""
        # `unseen` stays: what its finder could not see counts as secret for whoever acts next. This may report a
        # secret too many, never one too few.
        return replace(self, seen=Seen("maybe" if self.seen.me == "seen" else self.seen.me, self.seen.all))


@dataclass(frozen=True)
class SecretSource:
    """A zone that pieces lie in, and what is known of its index: the seats it names, and its terms."""

    zone: ZoneSymbol
    index: tuple[Seat, ...] = ()
    terms: tuple[Term, ...] = ()

    def without(self, heads: frozenset[object]) -> SecretSource:
        """The same source after the meaning of these words and symbols has changed."""
        # `hand[leader]` after `set leader to p`: the index no longer means the seat that it meant when the pieces
        # were found there. The zone stays known, its index does not.
        if all(heads.isdisjoint(term.heads) for term in self.terms):
            return self
        return replace(self, terms=tuple(term if heads.isdisjoint(term.heads) else UNKNOWN for term in self.terms))


def kept_secret(hidden: ZoneSymbol | NoteSymbol | LocalSymbol) -> list[Cause]:
    """Cause of a diagnostic that something secret would be revealed: the declaration that keeps it secret."""
    if hidden.node is None:
        return []
    name = f"{hidden.name}@{hidden.node.number}" if isinstance(hidden, LocalSymbol) else hidden.name
    return [Cause("secret", name, spelt(hidden.node, hidden.name))]


@dataclass(frozen=True)
class Known:
    """Static knowledge about a value.

    `facts` are the secrets it depends on. A piece alone is not a secret, since each seat is shown as much of it as
    it may see; what is read from it is. So `sources` are the zones that the pieces of the value lie in, for later
    reads.
    """

    facts: frozenset[Fact] = frozenset()
    sources: frozenset[SecretSource] = frozenset()
    seat: Seat = "some"

    def plain(self) -> Known:
        """The same for a value that holds no pieces."""
        return Known(self.facts)

    def announced(self) -> Known:
        """The same after it was announced to all seats: what a move names is no secret."""
        return Known(seat=self.seat)

    def later(self) -> Known:
        """The same when somebody else may be acting."""
        facts = frozenset(fact.later() for fact in self.facts)
        sources = frozenset(
            replace(source.without(ACTING), index=tuple(map(_later, source.index))) for source in self.sources
        )
        return Known(facts, sources, _later(self.seat))

    def without(self, heads: frozenset[object]) -> Known:
        """The same after the meaning of these keywords and symbols has changed."""
        sources = frozenset(source.without(heads) for source in self.sources)
        return self if sources == self.sources else replace(self, sources=sources)

    def anywhere(self) -> Known:
        """The same without what its indices say."""
        return replace(self, sources=frozenset(replace(source, terms=()) for source in self.sources))


ACTING: frozenset[object] = frozenset({ME.head})


def _later(seat: Seat) -> Seat:
    return "some" if seat in ("me", "other") else seat


NOTHING_SECRET = Known()
MYSELF = Known(seat="me")
EVERY_SEAT = Known(seat="every")


def together(parts: Iterable[Known]) -> Known:
    """Combine what is known of the values that a value depends on, is one of, or is made of."""
    parts = list(parts)
    seats = {part.seat for part in parts}
    # A value that is one of several: if one of them stands for each seat, all seats must be able to see the whole. If
    # they are different single seats, it is only known to be some seat.
    seat: Seat = seats.pop() if len(seats) == 1 else "every" if "every" in seats else "some"
    return Known(
        frozenset().union(*(part.facts for part in parts)), frozenset().union(*(part.sources for part in parts)), seat
    )


@dataclass(frozen=True)
class Env:
    """The facts about the names in scope, and the conditions that hold.

    `terms` are the values of names that do not just stand for themselves: the arguments of definitions.
    """

    names: Mapping[LocalSymbol, Known] = field(default_factory=dict)
    terms: Mapping[LocalSymbol, Term] = field(default_factory=dict)
    truths: Truths = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Facts are keys of what was examined: each is looked up often and made rarely, so its hash is computed once.
        return hash((self._hash_of_names, self.meanings, self.truths))

    @cached_property
    def _hash_of_names(self) -> int:
        # one that does not depend on an order, so that a name more changes it without all others being hashed again
        return reduce(xor, map(hash, self.names.items()), 0)

    @cached_property
    def meanings(self) -> frozenset[tuple[LocalSymbol, Term]]:
        """Everything that a term built here depends on."""
        return frozenset(self.terms.items())

    def term(self, symbol: LocalSymbol) -> Term:
        """Term of a name."""
        return self.terms.get(symbol, Term(symbol))

    def where(self, condition: Term) -> Env:
        """The same with one more condition that holds."""
        env = replace(self, truths=assumed(self.truths, condition))
        # INVARIANT: `_hash_of_names` is the xor of the hashes of the items of `names`, and `replace` kept `names`.
        env.__dict__["_hash_of_names"] = self._hash_of_names
        return env

    def bind(self, symbol: Symbol | None, knowledge: Known, term: Term | None = None) -> Env:
        """The same with one more name; a name already bound gets a new meaning."""
        if not isinstance(symbol, LocalSymbol):
            return self
        # In `let n = 1 … if n < 2: let n = 9`, what the condition said of the first `n` must not be taken for the
        # second: first everything that speaks of the name is dropped, then the new meaning is added.
        env = self.changed(frozenset({symbol})) if symbol in self.names else self
        terms = {name: old for name, old in env.terms.items() if name is not symbol}
        if term is not None:
            terms[symbol] = term
        bound = Env({**env.names, symbol: knowledge}, terms, env.truths)
        if symbol not in env.names:
            # INVARIANT: see `where`. Only for a name that was not there before: a replaced one would have to be taken
            # out.
            bound.__dict__["_hash_of_names"] = env._hash_of_names ^ hash((symbol, knowledge))
        return bound

    def learned(self, symbol: LocalSymbol, knowledge: Known) -> Env:
        """The same with more known of a name that keeps its meaning."""
        return replace(self, names={**self.names, symbol: knowledge})

    def changed(self, heads: frozenset[object]) -> Env:
        """The same after the meaning of these keywords and symbols has changed."""
        if not heads:
            return self
        names = {symbol: knowledge.without(heads) for symbol, knowledge in self.names.items()}
        terms = {symbol: term if heads.isdisjoint(term.heads) else UNKNOWN for symbol, term in self.terms.items()}
        return Env(names, terms, frozenset(truth for truth in self.truths if heads.isdisjoint(truth.heads)))

    def later(self) -> Env:
        """The same when somebody else may be acting."""
        # Conditions and terms that speak of `me` go, and each name forgets what the acting seat alone saw: whose
        # `hand[me]` was read is no longer known when another seat acts.
        env = self.changed(ACTING)
        return replace(env, names={symbol: knowledge.later() for symbol, knowledge in env.names.items()})

    def joined(self, branch: Env) -> Env:
        """Facts that hold after either of two branches was taken; what only one of them names is out of scope."""
        names = {
            symbol: together((knowledge, branch.names[symbol]))
            for symbol, knowledge in self.names.items()
            if symbol in branch.names
        }
        out_of_scope = self.names.keys() ^ branch.names.keys()
        terms = {
            symbol: term if self.term(symbol) == branch.term(symbol) else UNKNOWN
            for symbol, term in {**branch.terms, **self.terms}.items()
            if symbol not in out_of_scope
        }
        # INVARIANT: this knows no more than either branch. A condition that one branch made true may be false after
        # the other, so only common ones are left.
        return Env(names, terms, self.truths & branch.truths)


# ---------------- the facts under which a definition, a step or an action is called


@dataclass(frozen=True)
class CallFacts:
    """The input of a definition or rule: facts about its arguments, their terms, and the conditions that hold."""

    arguments: tuple[Known, ...]
    terms: tuple[Term, ...]
    truths: Truths

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.arguments, self.terms, self.truths))

    def env(self, parameters: Sequence[LocalSymbol]) -> Env:
        """Facts known inside."""
        env = Env(truths=self.truths)
        for parameter, argument, term in zip(parameters, self.arguments, self.terms, strict=False):
            # Inside, a parameter means the argument's term: `points(me)` knows that its `p` is `me`, and so whose
            # hand `hand[p]` is. Other names of the caller are out of scope there.
            env = env.bind(parameter, argument, None if term == Term(parameter) else term)
        return env

    def together(self, second: CallFacts) -> CallFacts:
        """Facts known in both cases."""
        # Indices are dropped: pieces from `hand[p]` of one call and from `hand[q]` of another lie in places that no
        # term names, and the term of either would decide who sees those of the other.
        arguments = tuple(together(pair).anywhere() for pair in zip(self.arguments, second.arguments, strict=True))
        terms = tuple(
            left_term if left_term == right_term else UNKNOWN
            for left_term, right_term in zip(self.terms, second.terms, strict=True)
        )
        return CallFacts(arguments, terms, self.truths & second.truths)


class SelfCalls:
    """Facts about definitions that call themselves, while they are examined: a least fixed point.

    In the first round nothing is assumed about the value of such a call. Each further round examines the definition for
    the calls from outside and inside together, and assumes about the inner ones what the last round found. It ends when
    a round finds nothing new.

    INVARIANT: from round to round facts are only added, and there are finitely many, so the rounds come to an end.
    """

    def __init__(self, forget: Callable[[], None]) -> None:
        """`forget` drops what has been derived from the assumptions of the last round."""
        self._forget = forget
        self._inner_calls: dict[DefineSymbol, CallFacts | None] = {}
        self._assumed: dict[DefineSymbol, Known] = {}

    def __contains__(self, symbol: DefineSymbol) -> bool:
        """True while a definition is being examined, so that a call of it is a recursive one."""
        return symbol in self._inner_calls

    def assumed(self, symbol: DefineSymbol, call: CallFacts) -> Known:
        """What this round assumes about a recursive call. What the call adds counts in the next round."""
        earlier = self._inner_calls[symbol]
        self._inner_calls[symbol] = call if earlier is None else earlier.together(call)
        return self._assumed[symbol]

    def value_of(
        self, symbol: DefineSymbol, call: CallFacts, examine: Callable[[DefineSymbol, CallFacts], Known]
    ) -> Known:
        """Facts about the value of a call from outside; `examine` finds those of one round."""
        assumed = Known()
        while True:
            self._inner_calls[symbol], self._assumed[symbol] = None, assumed
            value = examine(symbol, call)
            inner = self._inner_calls.pop(symbol)
            both = call if inner is None else call.together(inner)
            if inner is None or (value == assumed and both == call):
                return value
            assumed, call = together((value, assumed)), both
            self._forget()
