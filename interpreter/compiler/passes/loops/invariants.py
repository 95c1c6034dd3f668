"""Loop-invariant code motion: expressions that do not depend on a loop are computed once, in its preheader."""

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

LEAST = 3
"""The minimum cost of an expression that is moved out of a loop."""


@dataclass(slots=True)
class HoistingContext:
    """The context of one function; `moved` and `kept` are called with expressions moved, and costly ones not moved."""

    costs: Costs
    fresh: Fresh
    moved: Callable[[Expr], None]
    kept: Callable[[Expr], None]


Known = Mapping[Key, Local]
"""The locals that hold expressions computed before."""


@dataclass(slots=True)
class Preheader:
    """The expressions computed before a loop, with their locals; `inside` are the locals assigned in the loop."""

    context: HoistingContext
    inside: frozenset[str]
    known: Known
    found: dict[Key, tuple[Local, Expr]] = field(default_factory=dict)

    @property
    def held(self) -> Known:
        """The locals that are available in the loop."""
        return {**self.known, **{key: local for key, (local, _) in self.found.items()}}

    def without(self, node: Expr) -> Expr:
        """An expression of the loop with its invariant parts replaced by locals."""
        facts = self.context.costs.of(node)
        if facts.cost < LEAST:
            return node
        if self.inside.isdisjoint(facts.free):
            if facts.movable:
                return self._held(node)
            if facts.cost >= COSTLY:
                self.context.kept(node)
        if isinstance(node, Logic):
            node = self._grouped(node)
        if isinstance(node, Check) and node.word == "product":  # the check takes both factors
            return rebuilt(node, lambda product: rebuilt(product, self.without))
        own = bound(node)
        if not own:
            return rebuilt(node, self.without)
        inner = Preheader(self.context, self.inside | {local.name for local in own}, self.known, self.found)
        return rebuilt(node, inner.without)

    def _held(self, node: Expr) -> Local:
        key = key_of(node)
        known = self.known.get(key)
        if known is not None and known.type == node.type:
            return known
        found = self.found.get(key)
        if found is None or found[0].type != node.type:
            found = self.found[key] = self.context.fresh.local(Local(node.type, "held")), node
            self.context.moved(node)
        return found[0]

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


def expression(node: Expr, known: Known, context: HoistingContext) -> Expr:
    """An expression with the invariants of its folds moved out of them."""
    if type(node) in LEAVES or context.costs.of(node).cost < COSTLY + LEAST:
        return node
    if not isinstance(node, Fold):
        return rebuilt(node, lambda part: expression(part, known, context))
    preheader = Preheader(context, frozenset([loop.local.name for loop in node.loops]), known)
    loops = (_without(node.loops[0], preheader, True), *[_without(loop, preheader, False) for loop in node.loops[1:]])
    value = preheader.without(node.value)
    if preheader.found:
        node = Fold(node.type, node.word, loops, value, node.source)
    held = preheader.held
    found = rebuilt(node, lambda part: expression(part, held, context))
    for local, computed in reversed(preheader.found.values()):
        found = Let(found.type, local, expression(computed, known, context), found)
    return found


def _without(loop: Loop, preheader: Preheader, first: bool) -> Loop:
    over = loop.over if first else preheader.without(loop.over)
    return Loop(loop.local, over, None if loop.where is None else preheader.without(loop.where))


# ---------------------------------------------------------------- statements


def block(statements: st.Block, known: Known, context: HoistingContext) -> st.Block:
    """Statements with the invariants of their loops moved out of them."""
    found: list[st.Statement] = []
    for node in statements:
        if isinstance(node, st.For):
            preheader = Preheader(
                context, frozenset([loop.local.name for loop in node.loops]) | given(node.body), known
            )
            node = _loop(node, preheader)
            for local, value in preheader.found.values():
                found.append(st.Assign(local, expression(value, known, context)))
            known = preheader.held
        found.append(_inside(node, known, context))
    return statements if all(map(is_, found, statements)) else tuple(found)


def _inside(node: st.Statement, known: Known, context: HoistingContext) -> st.Statement:
    """A statement with the invariants of the loops inside it moved out of them."""
    return changed(node, lambda part: expression(part, known, context), lambda inner: block(inner, known, context))


def _loop(node: st.For, preheader: Preheader) -> st.For:
    """A loop with its invariants replaced by locals."""
    loops = (_without(node.loops[0], preheader, True), *[_without(loop, preheader, False) for loop in node.loops[1:]])
    body = _body(node.body, preheader)
    return st.For(loops, body, node.listed, node.source)


def _body(statements: st.Block, preheader: Preheader) -> st.Block:
    return tuple([changed(node, preheader.without, lambda inner: _body(inner, preheader)) for node in statements])


def given(statements: st.Block) -> frozenset[str]:
    """The locals that statements assign."""
    found: set[str] = set()
    for node in st.walk(statements):
        if isinstance(node, st.Assign):
            found.add(node.local.name)
        elif isinstance(node, st.For):
            found.update([loop.local.name for loop in node.loops])
    return frozenset(found)
