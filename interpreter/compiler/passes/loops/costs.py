"""A rough cost model of expressions, their free variables, and whether they can be moved.

A value that several places compute is named before the first of them if it costs more than a local does. It may be
moved there only if nothing is different when it is computed without need: `score / n` after `n > 0` may not be moved
before the test, as it would fail, nor may a call that draws, nor a count of coverage.

Costs need not be right, only in the right order: a search or a call costs ten operations.
"""

from __future__ import annotations

from dataclasses import field

from dsl.lazy_dataclasses import dataclass, value_class
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.operations import FAILING
from interpreter.compiler.ir.types import Opaque
from interpreter.compiler.passes.facts.effects import HasEffect, needs_guard_itself
from interpreter.compiler.passes.facts.traversal import LEAVES
from interpreter.compiler.passes.rewriting.substitution import BINDING, bound

COSTLY = 10
"""The cost of a search or call; other operations, and reading anything but a constant, cost 1."""

SEARCHES = frozenset({
    "with_kind", "lines_in", "reach", "near", "groups", "hanging", "path", "all_paths", "all_packings", "best_rows",
    "best_sets", "distinct", "fully_seen", "by_standing", "singles", "alike", "in_turn", "picks", "handfuls",
    "same_pieces", "sees_piece", "sees_place", "sees_note", "replayed", "seen_over", "enclosed", "joined", "reach_by",
    "groups_by", "path_by", "paths_by", "all_trails",
})  # fmt: skip
"""The operations that take time proportional to their arguments or more."""

NOTHING: frozenset[str] = frozenset()


@value_class
class Facts:
    """The free variables of an expression, its cost, its number of nodes, and whether it can be moved."""

    free: frozenset[str]
    cost: int
    size: int
    movable: bool


FIXED = Facts(NOTHING, 0, 1, True)


@dataclass(slots=True)
class Costs:
    """The facts about expressions, each computed once; `reassigned` are locals with several assignments."""

    has_effect: HasEffect
    reassigned: frozenset[str] = NOTHING
    facts: IdentityMap[ex.Expr, Facts] = field(default_factory=IdentityMap)
    locals: dict[str, Facts] = field(default_factory=dict)

    def of(self, node: ex.Expr) -> Facts:
        """The facts about an expression."""
        if isinstance(node, ex.Local):
            name = node.name
            if name not in self.locals:
                self.locals[name] = Facts(frozenset((name,)), 0, 1, name not in self.reassigned)
            return self.locals[name]
        if type(node) in LEAVES:
            return FIXED
        return self.facts.get(node) or self.facts.keep(node, self._computed(node))

    def _computed(self, node: ex.Expr) -> Facts:
        free, cost, size, movable = NOTHING, own_cost(node), 1, True
        for child in ex.children(node):
            facts = self.of(child)
            if facts.free:
                free = free | facts.free if free else facts.free
            cost += facts.cost
            size += facts.size
            movable = movable and facts.movable
        if type(node) in BINDING:
            free -= {local.name for local in bound(node)}
        return Facts(free, cost, size, movable and self._movable_itself(node))

    def _movable_itself(self, node: ex.Expr) -> bool:
        if isinstance(node, (ex.Check, ex.Counted)) or isinstance(node.type, Opaque):
            return False
        if isinstance(node, ex.Op) and node.name in FAILING:
            return False
        if isinstance(node, ex.Call) and self.has_effect(ex.Call(node.type, node.function, ())):
            return False
        return not needs_guard_itself(node)


def own_cost(node: ex.Expr) -> int:
    """The cost of an expression without its parts."""
    return COSTLY if costly(node) else 1


def costly(node: ex.Expr) -> bool:
    """Whether an expression is a search or a call."""
    if isinstance(node, ex.Op):
        return node.name in SEARCHES
    return isinstance(node, (ex.Fold, ex.Call))


Key = tuple[object, ...]


def key_of(node: ex.Expr, names: dict[str, int] | None = None) -> Key:
    """A key that is equal for expressions equal up to the names they bind; `names` are those bound around it."""
    names = names or {}
    if isinstance(node, ex.Local):
        return ("local", names.get(node.name, node.name))
    bound_locals = bound(node)
    if bound_locals:
        # `x in s where x > 1` and `y in s where y > 1` are the same: bound names count only by when they were bound.
        names = {**names, **{local.name: len(names) + place for place, local in enumerate(bound_locals)}}
    return (type(node), what(node), tuple([key_of(child, names) for child in ex.children(node)]))


def what(node: ex.Expr) -> object:
    """The fields that distinguish an expression from others of its class with the same parts."""
    match node:
        case ex.Const():
            # True and 1 are equal in Python, but a truth value is printed differently.
            return isinstance(node.value, bool), node.value
        case ex.Cell():
            return node.group.name
        case ex.Slot():
            return node.zone.name
        case ex.Lookup() | ex.Data():
            return node.table.name
        case ex.Op():
            return node.name
        case ex.Call():
            return node.function
        case ex.Logic():
            return node.word
        case ex.Fold():
            return node.word, *[loop.where is None for loop in node.loops]
        case _:
            return None
