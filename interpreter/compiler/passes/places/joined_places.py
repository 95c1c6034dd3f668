"""Whether places are connected: a search from some of them replaces finding all connected components.

`some g in groups(places, edges) where g & these is not empty and g & those is not empty` only asks whether one of these
is connected with one of those.

Components are the sets of places that searches from any of their members reach, so both have the same answer. Without
it a game of connections takes 4 times the instructions in the machine engine.
"""

from __future__ import annotations

from interpreter.compiler.ir.expressions import Data, Expr, Fold, Local, Op, Table, conjuncts, mentions
from interpreter.compiler.ir.module import Function, Module, named
from interpreter.compiler.ir.types import BOOL, Opaque, Set
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test, needs_guard
from interpreter.compiler.passes.facts.traversal import LEAVES, changed_block, changed_parts, functions, subject_of
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.runtime.graphs import Joining

NAME = "joined places"
JOINING = Opaque("joining")


def reaching(module: Module, record: PassRecords) -> None:
    """Rewrite the searches in all functions."""
    has_effect = effect_test(module)
    for function in functions(module):
        at = Rewriting(module, has_effect, function, record)
        function.body = changed_block(function.body, at.changed)


class Rewriting:
    """Rewrites the searches of one function."""

    def __init__(self, module: Module, has_effect: HasEffect, function: Function, record: PassRecords) -> None:
        self.module, self.has_effect, self.function, self.record = module, has_effect, function, record

    def changed(self, node: Expr) -> Expr:
        """An expression with the searches in it rewritten."""
        if type(node) in LEAVES:
            return node
        node = changed_parts(node, self.changed)
        match node:
            case Fold(word="any", loops=(loop,)):
                match loop.over:
                    case Op(name="hanging", args=(Data(table=table), places)):
                        conditions = [*conjuncts(loop.where), *conjuncts(node.value)]
                        replacement = self._joined(table, places, loop.local, conditions)
                        self._say(node, replacement)
                        return node if isinstance(replacement, str) else replacement
                    case _:
                        return node
            case _:
                return node

    def _joined(self, table: Table, places: Expr, group: Local, conditions: list[Expr]) -> Expr | str:
        """The condition on a group as one on places, or the reason why that is impossible."""
        ends = [_touched(part, group) for part in conditions]
        touched = [part for part in ends if part is not None]
        if len(touched) < len(ends) or not 1 <= len(ends) <= 2:
            return "it tests more of a group than whether it has members in two sets"
        if any(self.has_effect(part) or needs_guard(part) for part in (places, *touched)):
            return "the sets in which it must have members may have no value"
        if len(touched) == 1:
            empty = Op(BOOL, "is_empty", (operation(Op(places.type, "both", (places, touched[0]))),))
            return operation(Op(BOOL, "not", (empty,)))
        return Op(BOOL, "joined", (self._data(table), places, *touched))

    def _data(self, table: Table) -> Data:
        name = named("joining", table.name)
        joining = self.module.tables.setdefault(name, Table(name, Joining(table.content), JOINING))
        return Data(JOINING, joining)

    def _say(self, node: Fold, replacement: Expr | str) -> None:
        if isinstance(replacement, str):
            self.record.refused(NAME, subject_of(self.function), node.source, replacement)
        else:
            self.record.applied(NAME, subject_of(self.function), node.source)


def _touched(condition: Expr, group: Local) -> Expr | None:
    """The set in which a condition requires a group to have members."""
    match condition:
        case Op(name="not", args=(Op(name="is_empty", args=(Op(name="both", args=(first, second)),)),)):
            if second == group:
                first, second = second, first
            return second if first == group and not mentions(second, group) else None
        case Op(name="has", args=(members, value)) if members == group and isinstance(group.type, Set):
            return None if mentions(value, group) else Op(group.type, "single", (value,))
        case _:
            return None
