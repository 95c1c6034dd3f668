"""Objectives of searches for the best row, decomposed by place, so that not every row has to be listed.

    the row from links in cells with highest (sum c in row of height[c]) + (3 if some c in row where goal[c])

A network of places has exponentially many rows. But this value depends on a row only through two things that can be
carried along while rows are built place by place: a sum, and a flag that is set once a goal is in the row. Rows through
the same frontier with the same sum and flag have the same future, so one of them is enough (`runtime/graphs`).

A value can be decomposed if it depends on its row only by the number of its places, or of those in a set, by sums over
its places, and by whether it has a place that satisfies a condition. The first two become sums, the last flags, and the
value a function of these: here `s[0] + (3 if f[0] else 0)`. Nothing in it may end the game in a fault: it is evaluated
for sums that no row has. What depends on two places of a row together, such as the greatest distance between them, is
refused with its reason, and such a search lists all rows.

No shipped game has enough rows for it to be measurably faster, but it is no matter of speed alone: without it games on
wide networks, for which the language promises this search, cannot be played. On a grid of 4 by 4, a search takes 0.01
seconds instead of 0.14, and on one of 5 by 5, 0.06 seconds instead of more than 50.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.types import BOOL, Bool, Opaque, Ref, Row, Seq, Set, Type, bare, element
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test
from interpreter.compiler.passes.facts.traversal import (
    LEAVES,
    changed_block,
    changed_parts,
    functions,
    name_of,
    simple,
    subject_of,
)
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import Fresh, fresh_for, substituted
from interpreter.compiler.passes.simplifying.folding import simplified
from interpreter.compiler.passes.simplifying.inlining import as_expression
from interpreter.runtime.graphs import Adjacency

NAME = "objectives"

MAX_EXAMINED_NODES = 2_000
"""Maximum number of nodes of a value, including those of inlined definitions."""

Told = Callable[[str], None]


class Refused(Exception):
    """The reason why a value cannot be decomposed."""


def describe(module: Module, records: PassRecords) -> None:
    """Decompose the values of rows in the searches of all functions."""
    if not any(isinstance(table.content, Adjacency) for table in module.tables.values()):
        return  # rows lie along the edges of a graph
    has_effect = effect_test(module)
    for function in functions(module):
        reasons: list[str] = []
        searches = Searches(module, has_effect, fresh_for(function.body), reasons.append)
        function.body = changed_block(function.body, searches.described)
        for reason in reasons:
            tell = records.refused if reason else records.applied
            tell(NAME, subject_of(function), function.source, reason)


@dataclass(slots=True)
class Searches:
    """Decomposes the values of rows in the searches of a function, and records each reason why it could not."""

    module: Module
    has_effect: HasEffect
    fresh: Fresh
    tell: Told

    def described(self, node: ex.Expr) -> ex.Expr:
        """An expression with the values in it decomposed."""
        if type(node) in LEAVES:
            return node
        new_node = changed_parts(node, self.described)
        if (
            not isinstance(new_node, ex.Op)
            or new_node.name != "best_rows"
            or not isinstance(new_node.args[-1], ex.Lambda)
        ):
            return new_node
        try:
            search = _search(new_node, self.module, self.has_effect, self.fresh)
        except Refused as refused:
            self.tell(str(refused))
            return new_node
        self.tell("")
        return search


def _search(node: ex.Op, module: Module, has_effect: HasEffect, fresh: Fresh) -> ex.Expr:
    """A search with an objective in place of the value of a row; its places are computed once. Raises Refused."""
    links, places, edges, least, worth = node.args
    assert isinstance(places.type, Set) and isinstance(worth, ex.Lambda)
    places_local = None if simple(places) else fresh.local(ex.Local(places.type, "places"))
    described = Worth(module, has_effect, fresh, worth.params[0].name, places_local or places, places.type).objective(
        worth
    )
    search = ex.Op(node.type, node.name, (links, places_local or places, edges, least, described), node.source)
    return search if places_local is None else ex.Let(node.type, places_local, places, search, node.source)


@dataclass
class Worth:
    """Builds the objective of a row, whose places are among `places`.

    `sums` and `flags` are the parts of it, each by a temporary name.
    """

    module: Module
    has_effect: HasEffect
    fresh: Fresh
    row: str
    places: ex.Expr
    type: Set
    sums: dict[str, ex.Expr] = field(default_factory=dict)
    flags: dict[str, ex.Expr] = field(default_factory=dict)
    examined: int = 0

    def objective(self, worth: ex.Lambda) -> ex.Expr:
        """The objective for the value of a row. Raises Refused."""
        body = self.of(worth.body)
        parts = [*self.sums.values(), *self.flags.values()]
        if any(map(self.has_effect, (body, *parts))):
            raise Refused("the value of a row may end the game in a fault")
        sums = Row(tuple([element(part.type) for part in self.sums.values()]))
        s = self.fresh.local(ex.Local(sums, "sums"))
        f = self.fresh.local(ex.Local(Row((BOOL,) * len(self.flags)), "flags"))
        values: dict[str, ex.Expr] = {}
        for place, (name, type_) in enumerate(zip(self.sums, sums.of, strict=True)):
            values[name] = ex.Op(type_, "part", (s, ex.number(place)))
        for place, name in enumerate(self.flags):
            values[name] = ex.Op(BOOL, "part", (f, ex.number(place)))
        joined = ex.Lambda(worth.type, (s, f), substituted(body, values, None, simplified), worth.source)
        return ex.Op(Opaque("objective"), "objective", (_row(self.sums), _row(self.flags), joined), worth.source)

    # ------------------------------------------------------------ the expression about the row

    def of(self, node: ex.Expr) -> ex.Expr:
        """An expression with sums and flags in place of the row. Raises Refused."""
        self.examined += 1
        if self.examined > MAX_EXAMINED_NODES:
            raise Refused("the value of a row is too large, together with the definitions that it uses")
        if isinstance(node, ex.Local) and node.name == self.row:
            raise Refused("the value of a row depends on the row as a whole")
        if type(node) in LEAVES:
            return node
        if isinstance(node, ex.Call) and any(map(self._about_row, node.args)):
            return self.of(self._in_place(node))
        replacement = self._said(node)
        if replacement is not None:
            return replacement
        replacement = ex.rebuilt(node, self.of)
        return replacement if replacement is node else simplified(replacement)

    def _said(self, node: ex.Expr) -> ex.Expr | None:
        """The sum or flag that an expression computes from the row, if it is one."""
        match node:
            case ex.Op(name="size", args=(members,)):
                among = self._places_of(members)
                return among and self._sum(node.type, self._member(), among, ex.number(1))
            case ex.Op(name="is_empty", args=(members,)):
                among = self._places_of(members)
                return among and simplified(ex.Op(BOOL, "not", (self._flag(among),), node.source))
            case ex.Op(name="has", args=(members, member)) if isinstance(
                bare(member.type), Ref
            ) and not self._about_row(member):
                among = self._places_of(members)
                single = ex.Op(self.type, "single", (member,))
                return among and self._flag(ex.Op(self.type, "both", (among, single)))
            case ex.Fold(word="count" | "sum" | "any", loops=(loop,)):
                among = self._places_of(loop.over)
                return among and self._found(node, loop, among)
            case _:
                return None

    def _found(self, node: ex.Fold, loop: ex.Loop, among: ex.Expr) -> ex.Expr:
        conditions = ex.conjuncts(loop.where)
        if node.word == "any" or (node.word == "count" and isinstance(node.value.type, Bool)):
            conditions += ex.conjuncts(node.value)
        if any(map(self._about_row, (*conditions, node.value))):
            raise Refused("the share of a place depends on the other places of the row")
        if node.word == "any":
            return self._flag(self._those(loop.local, among, conditions))
        added = node.value if node.word == "sum" else ex.number(1)
        if conditions:
            added = simplified(ex.Choice(node.type, ex.both(conditions), added, ex.number(0), node.source))
        return self._sum(node.type, loop.local, among, added)

    # Membership in a filtered row is a matter of the place alone, if the filter is: `row & S` becomes the places in S,
    # each of which counts if it is in the row. A filter that mentions the row itself has no such set.
    def _places_of(self, node: ex.Expr) -> ex.Expr | None:
        """For a subset of the row: the places that are in it if they are in the row."""
        match node:
            case ex.Local(name=name) if name == self.row:
                return self.places
            case ex.Op(name="both", args=(members, others)) if self._about_row(others) and not self._about_row(members):
                among = self._places_of(others)
                return among and ex.Op(node.type, "both", (members, among), node.source)
            case ex.Op(name="both" | "minus" as name, args=(members, others)) if not self._about_row(others):
                among = self._places_of(members)
                return among and ex.Op(node.type, name, (among, others), node.source)
            case ex.Op(name="with_kind", args=(first, filtered, kind)) if not self._about_row(kind):
                among = self._places_of(filtered)
                return among and ex.Op(node.type, "with_kind", (first, among, kind), node.source)
            case ex.Fold(word="set", loops=(loop,), value=ex.Local(name=name)) if name == loop.local.name:
                among = self._places_of(loop.over)
                conditions = ex.conjuncts(loop.where)
                if among is None or any(map(self._about_row, conditions)):
                    return None
                return self._those(loop.local, among, conditions)
            case _:
                return None

    def _about_row(self, node: ex.Expr) -> bool:
        return ex.mentions(node, ex.Local(self.type, self.row))

    def _in_place(self, node: ex.Call) -> ex.Expr:
        """A call with the row as argument, inlined."""
        function = self.module.functions[node.function]
        assert function.result is not None
        value = as_expression(function.body, function.result)
        if value is None:
            raise Refused(f"the value of a row uses `{name_of(function)}`, which cannot be written as one expression")
        if any(map(self.has_effect, node.args)):
            raise Refused("the value of a row may end the game in a fault")
        args = {param.name: arg for param, arg in zip(function.params, node.args, strict=True)}
        return substituted(value, args, self.fresh, simplified)

    # ------------------------------------------------------------ sums and flags

    def _member(self) -> ex.Local:
        return self.fresh.local(ex.Local(element(self.type), "x"))

    def _those(self, member: ex.Local, among: ex.Expr, conditions: list[ex.Expr]) -> ex.Expr:
        """The places that satisfy conditions."""
        if not conditions:
            return among
        return ex.Fold(self.type, "set", (ex.Loop(member, among, ex.both(conditions)),), member)

    def _flag(self, mask: ex.Expr) -> ex.Expr:
        """The flag whether the row has one of these places."""
        return ex.Local(BOOL, self._name(self.flags, mask))

    def _sum(self, type_: Type, member: ex.Local, among: ex.Expr, added: ex.Expr) -> ex.Expr:
        """The sum over the places of the row that are among these."""
        return ex.Local(type_, self._name(self.sums, self._by_place(type_, member, among, added)))

    def _name(self, parts: dict[str, ex.Expr], part: ex.Expr) -> str:
        """The temporary name of a sum or flag; equal ones share it."""
        shared = next((name for name, existing in parts.items() if existing == part), None)
        if shared is None:
            shared = self.fresh.local(ex.Local(part.type, "part")).name
            parts[shared] = part
        return shared

    def _by_place(self, type_: Type, member: ex.Local, among: ex.Expr, added: ex.Expr) -> ex.Expr:
        """The share of each place, computed only for places that can be in a row."""
        listed = Seq(type_)
        if among is self.places and isinstance(added, ex.Const):
            return ex.Const(listed, (added.value,) * self.type.width)
        candidates = among if simple(among) else self.fresh.local(ex.Local(self.type, "among"))
        every = ex.Const(self.type, (1 << self.type.width) - 1)
        is_candidate = ex.Op(BOOL, "has", (candidates, member))
        shares: ex.Expr = ex.Fold(
            listed, "list", (ex.Loop(member, every),), ex.Choice(type_, is_candidate, added, ex.number(0))
        )
        return (
            ex.Let(listed, candidates, among, shares)
            if isinstance(candidates, ex.Local) and candidates is not among
            else shares
        )


def _row(parts: dict[str, ex.Expr]) -> ex.Expr:
    return ex.Op(Row(tuple([part.type for part in parts.values()])), "row", tuple(parts.values()))
