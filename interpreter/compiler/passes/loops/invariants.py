"""Loop-invariant code motion: expressions that do not depend on a loop are computed once, in its preheader.

    for c in pieces:                                  held = {north, east} if me = red else {south, west}
      for d in ({north, east} if me = red …):    →    for c in pieces:
        …                                               for d in held:
                                                          …

An expression moves only if that cannot be noticed even where the loop has no members: it is `movable` (`costs.py`),
that is, it cannot fail and needs no condition before it. What may fail is computed again for each member, which the
records say, as an author may want to write the rule differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from operator import is_

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Check, Expr, Fold, Let, Local, Logic, Loop, rebuilt
from interpreter.compiler.passes.facts.traversal import LEAVES, changed
from interpreter.compiler.passes.loops.costs import COSTLY, Costs, Key, key_of
from interpreter.compiler.passes.rewriting.substitution import Fresh, bound

MIN_HOISTED_COST = 3
"""The minimum cost of an expression that is moved out of a loop."""


@dataclass(slots=True)
class HoistingContext:
    """The context of one function; `moved` and `repeated` are called with expressions moved, and costly ones not."""

    costs: Costs
    fresh: Fresh
    moved: Callable[[Expr], None]
    repeated: Callable[[Expr], None]


Known = Mapping[Key, Local]
"""The locals that hold expressions computed before."""


@dataclass(slots=True)
class Preheader:
    """The expressions computed before a loop, with their locals; `inside` are the locals assigned in the loop."""

    context: HoistingContext
    inside: frozenset[str]
    available: Known
    hoisted: dict[Key, tuple[Local, Expr]] = field(default_factory=dict)

    @property
    def held(self) -> Known:
        """The locals that are available in the loop."""
        return {**self.available, **{key: local for key, (local, _) in self.hoisted.items()}}

    def without(self, node: Expr) -> Expr:
        """An expression of the loop with its invariant parts replaced by locals."""
        facts = self.context.costs.of(node)
        if facts.cost < MIN_HOISTED_COST:
            return node
        if self.inside.isdisjoint(facts.free):
            if facts.movable:
                return self._held(node)
            if facts.cost >= COSTLY:
                self.context.repeated(node)
        if isinstance(node, Logic):
            node = self._grouped(node)
        # Moved out of its check, the product would be computed before it is known to be small enough for a number of
        # the engine.
        if isinstance(node, Check) and node.word == "product":  # the check takes both factors
            return rebuilt(node, lambda product: rebuilt(product, self.without))
        bound_locals = bound(node)
        if not bound_locals:
            return rebuilt(node, self.without)
        nested = Preheader(
            self.context, self.inside | {local.name for local in bound_locals}, self.available, self.hoisted
        )
        return rebuilt(node, nested.without)

    def _held(self, node: Expr) -> Local:
        key = key_of(node)
        local = self.available.get(key)
        if local is not None and local.type == node.type:
            return local
        entry = self.hoisted.get(key)
        if entry is None or entry[0].type != node.type:
            entry = self.hoisted[key] = self.context.fresh.local(Local(node.type, "held")), node
            self.context.moved(node)
        return entry[0]

    # `a and b and p(x)` with invariant a and b: moved one by one, b would be computed where a does not hold. As one
    # part, `(a and b)` is moved whole and b is still skipped. Only neighbours: with p(x) between them, b may never be
    # reached.
    def _grouped(self, node: Logic) -> Logic:
        """A condition with adjacent invariant parts grouped: they are moved together and still short-circuit."""
        groups: list[list[Expr]] = []
        apart = False
        for part in node.parts:
            facts = self.context.costs.of(part)
            previous, apart = apart, facts.movable and self.inside.isdisjoint(facts.free)
            if apart and previous:
                groups[-1].append(part)
            else:
                groups.append([part])
        if len(groups) == len(node.parts):
            return node
        parts = [group[0] if len(group) == 1 else Logic(node.type, node.word, tuple(group)) for group in groups]
        return Logic(node.type, node.word, tuple(parts), node.source)


# ---------------------------------------------------------------- expressions


def expression(node: Expr, available: Known, context: HoistingContext) -> Expr:
    """An expression with the invariants of its folds moved out of them."""
    if type(node) in LEAVES or context.costs.of(node).cost < COSTLY + MIN_HOISTED_COST:
        return node
    if not isinstance(node, Fold):
        return rebuilt(node, lambda part: expression(part, available, context))
    # The first set of a fold is evaluated once as it is. Those of the inner loops, all conditions and the value are
    # not.
    preheader = Preheader(context, frozenset([loop.local.name for loop in node.loops]), available)
    loops = (_without(node.loops[0], preheader, True), *[_without(loop, preheader, False) for loop in node.loops[1:]])
    value = preheader.without(node.value)
    if preheader.hoisted:
        node = Fold(node.type, node.word, loops, value, node.source)
    held = preheader.held
    hoisted = rebuilt(node, lambda part: expression(part, held, context))
    for local, computed in reversed(preheader.hoisted.values()):
        hoisted = Let(hoisted.type, local, expression(computed, available, context), hoisted)
    return hoisted


def _without(loop: Loop, preheader: Preheader, first: bool) -> Loop:
    over = loop.over if first else preheader.without(loop.over)
    return Loop(loop.local, over, None if loop.where is None else preheader.without(loop.where))


# ---------------------------------------------------------------- statements


def block(statements: st.Block, available: Known, context: HoistingContext) -> st.Block:
    """Statements with the invariants of their loops moved out of them."""
    out: list[st.Statement] = []
    for node in statements:
        if isinstance(node, st.For):
            preheader = Preheader(
                context, frozenset([loop.local.name for loop in node.loops]) | st.assigned_names(node.body), available
            )
            node = _loop(node, preheader)
            for local, value in preheader.hoisted.values():
                out.append(st.Assign(local, expression(value, available, context)))
            available = preheader.held
        out.append(_inside(node, available, context))
    return statements if all(map(is_, out, statements)) else tuple(out)


def _inside(node: st.Statement, available: Known, context: HoistingContext) -> st.Statement:
    """A statement with the invariants of the loops inside it moved out of them."""
    return changed(
        node, lambda part: expression(part, available, context), lambda nested: block(nested, available, context)
    )


def _loop(node: st.For, preheader: Preheader) -> st.For:
    """A loop with its invariants replaced by locals."""
    loops = (_without(node.loops[0], preheader, True), *[_without(loop, preheader, False) for loop in node.loops[1:]])
    body = _body(node.body, preheader)
    return st.For(loops, body, node.listed, node.source)


def _body(statements: st.Block, preheader: Preheader) -> st.Block:
    return tuple([changed(node, preheader.without, lambda nested: _body(nested, preheader)) for node in statements])
