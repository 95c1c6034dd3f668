"""Moves that combine a place with one of few alternatives, as one set of places per alternative.

    for c in mine:                                            for c in A | B | C:
      for d in {southwest, south, southeast}:                   if c in A: emit (c, southwest)
        if next[c, d] is not none and                  →        if c in B: emit (c, south)
           next[c, d] not in mine: emit (c, d)                  if c in C: emit (c, southeast)

with `A = (mine & {b2..h8}) - shift(mine, 9)` and so on: each direction is a constant in its set, so that the conditions
become shifts of whole sets. What this is for is not the loop: a random game asks how many moves there are, and for the
n-th of them. Both follow from the sizes of the sets, without listing moves.

Each combination is in one of the sets exactly if its conditions hold, and the alternatives keep their order at each
place. Without it two games of simple moves take 2.3 and 5 times the instructions in the machine engine.
"""

from __future__ import annotations

from itertools import product

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Choice, Const, Expr, Local, Logic, Loop, Op, both, conjuncts
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.runs import runs_of
from interpreter.compiler.ir.types import BOOL, Set
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test, needs_guard
from interpreter.compiler.passes.loops.filters import Filter, Members, applied, filter_for
from interpreter.compiler.passes.loops.narrowing import quoted
from interpreter.compiler.passes.places.preimages import among
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import fresh_for, substituted
from interpreter.compiler.passes.simplifying.folding import simplified
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.compiler.passes.simplifying.inlining import Definitions, Inliner
from interpreter.runtime.bitset import bits

NAME = "sets of moves"

MAX_ALTERNATIVES = 12
"""Maximum number of alternatives."""

MAX_INLINED_SIZE = 200
"""Maximum number of nodes of a definition that is inlined into conditions."""


def sets_of_moves(module: Module, record: PassRecords) -> None:
    """Rewrite the loops that list the moves of decisions."""
    has_effect = effect_test(module)
    definitions = Definitions(module, has_effect, most=MAX_INLINED_SIZE)
    for block in module.blocks.values():
        at = MoveSets(module, has_effect, Inliner(definitions, fresh_for(block.body)), record)
        block.body = at.block(block.body)


@dataclass(frozen=True)
class MoveSets:
    """Rewrites the decisions of one block, with inlined definitions, and records what it did."""

    module: Module
    has_effect: HasEffect
    with_inlined: Inliner
    record: PassRecords

    def block(self, block: st.Block) -> st.Block:
        """Statements with the decisions in them rewritten."""
        return tuple([self._statement(node) for node in block])

    def _statement(self, node: st.Statement) -> st.Statement:
        if isinstance(node, st.Decide):
            three = self._moves(node), self.block(node.made), self.block(node.otherwise)
            return st.Decide(node.point, three[0], node.names, *three[1:], node.source)
        return st.rebuilt(node, inside=self.block) if st.blocks(node) else node

    def _moves(self, node: st.Decide) -> st.Block:
        statements = tuple([self._found(statement, node.point) for statement in node.moves])
        return statements if statements != node.moves and runs_of(statements) is not None else node.moves

    def _found(self, node: st.Statement, point: int) -> st.Statement:
        match node:
            case st.If(otherwise=()):
                then = tuple([self._found(statement, point) for statement in node.then])
                return st.If(node.condition, then, (), node.source)
            case st.IfNoMoves():
                return st.IfNoMoves(tuple([self._found(statement, point) for statement in node.body]), node.source)
            case st.For():
                nest = nest_of(node)
                if nest is not None and len(nest.loops) == 1 and not nest.conditions:
                    return node  # it iterates over a set already
                sets_loop = "its moves are not listed by nested loops alone" if nest is None else self._sets(nest)
                if isinstance(sets_loop, str):
                    self.record.refused(NAME, f"decision {point}", node.source, sets_loop)
                    return node
                self.record.applied(NAME, f"decision {point}", node.source)
                return sets_loop
            case _:
                return node

    # INVARIANT: moves keep their order, by place and then by alternative, so that a seed means the same game in either
    # engine. Going through the sets one after the other would be simpler and list all moves south first. This is why
    # the loop runs over the union, and why the alternatives are sorted where a choice of several sets gives them.
    def _sets(self, nest: Nest) -> st.Statement | str:
        """The loop over the sets of a loop nest, or the reason why there is none."""
        outer_loop, *inner_loops = nest.loops
        over = outer_loop.over
        if not isinstance(over.type, Set) or self.has_effect(over):
            return "its outermost loop does not iterate over a set"
        conditions, alternatives = [*nest.conditions], list[list[Expr]]()
        for loop in inner_loops:
            possible = self.with_inlined.of(loop.over)
            values = _values(possible, loop.local)
            if values is None:
                return "the alternatives depend on the outermost loop"
            alternatives.append(values)
            if not isinstance(possible, Const):
                conditions.append(Op(BOOL, "has", (possible, loop.local)))
        combinations = list(product(*alternatives))
        if not 0 < len(combinations) <= MAX_ALTERNATIVES:
            return f"there are none or more than {MAX_ALTERNATIVES} alternatives"
        if any(map(self.has_effect, conditions)):
            return "one of its conditions may end the game in a fault"
        sets: list[tuple[Expr, tuple[Expr, ...]]] = []
        members = Members(outer_loop.local, over, self.module)
        for combination in combinations:
            values_of = {loop.local.name: value for loop, value in zip(inner_loops, combination, strict=True)}
            filters = list[Filter]()
            for condition in conditions:
                matching = filter_for(self._with(condition, values_of), members)
                # Conditions are no longer evaluated one after the other, so none may rely on one before it.
                if matching is None or needs_guard(matching.members):
                    return f"{quoted(condition)} is not known for all places at once"
                filters.append(matching)
            move = tuple([substituted(part, values_of, None, simplified) for part in nest.emit.move])
            sets.append((_filtered(filters, members), move))
        return _through(outer_loop.local, sets, nest.emit)

    def _with(self, condition: Expr, values: dict[str, Expr]) -> Expr:
        """A condition with values in place of locals, and definitions inlined."""
        inlined = substituted(self.with_inlined.of(condition), values, None, simplified)
        match inlined:
            case Op(name="has", args=(subset, Const() as value)):
                return _among(subset, value)
            case _:
                return inlined


def _among(subset: Expr, value: Const) -> Expr:
    """The condition that a value is in a set, or in one of two."""
    if isinstance(subset, Choice):
        then, otherwise = _among(subset.then, value), _among(subset.otherwise, value)
        met = simplified(both([subset.condition, then]))
        unmet = simplified(both([simplified(Op(BOOL, "not", (subset.condition,))), otherwise]))
        return simplified(Logic(BOOL, "or", (met, unmet)))
    return simplified(Op(BOOL, "has", (subset, value)))


def _values(over: Expr, local: Local) -> list[Expr] | None:
    """The possible values of a loop variable, in order: the members of the set, or of any of several sets."""
    match over:
        case Const(type=Set(), value=int() as members):
            return [Const(local.type, value) for value in bits(members)]
        case Const(value=tuple() as items):
            return [Const(local.type, value) for value in items]
        case Choice(then=then, otherwise=otherwise) if isinstance(over.type, Set):
            first, second = _values(then, local), _values(otherwise, local)
            if first is None or second is None:
                return None
            return sorted({*first, *second}, key=lambda value: value.value if isinstance(value, Const) else 0)
        case _:
            return None


def _filtered(filters: list[Filter], members: Members) -> Expr:
    """The members that pass all filters: constant filters first, so that others can ignore excluded members."""
    certain, others = members.every.value, list[Filter]()
    for matching in filters:
        if isinstance(matching.members, Const) and matching.zone is None:
            certain &= ~matching.members.value if matching.others else matching.members.value
        else:
            others.append(matching)
    filtered = members.over
    if certain != members.every.value:
        filtered = operation(Op(members.type, "both", (filtered, members.set(certain))))
    for matching in others:
        filtered = applied(Filter(among(matching.members, certain), matching.others, matching.zone), filtered, members)
    return filtered


@dataclass(frozen=True)
class Nest:
    """A loop nest: its loops, the conditions in it, and the move emitted in its innermost body."""

    loops: tuple[Loop, ...]
    conditions: tuple[Expr, ...]
    emit: st.Emit


def nest_of(node: st.For) -> Nest | None:
    """The loop nest that a statement consists of; None if there is anything else in it."""
    loops, conditions = list[Loop](), list[Expr]()
    block: st.Block = (node,)
    while len(block) == 1:
        match block[0]:
            case st.For(loops=more, body=body):
                loops += more
                conditions += [part for loop in more for part in conjuncts(loop.where)]
                block = body
            case st.If(condition=condition, then=then, otherwise=()):
                conditions += conjuncts(condition)
                block = then
            case st.Emit() as emit:
                return Nest(tuple(loops), tuple(conditions), emit)
            case _:
                return None
    return None


def _through(local: Local, sets: list[tuple[Expr, tuple[Expr, ...]]], emit: st.Emit) -> st.Statement:
    """The loop over the union of all sets that emits a move for each set a place is in."""
    if len(sets) == 1:
        return st.For((Loop(local, sets[0][0]),), (st.Emit(sets[0][1], emit.source),), False, emit.source)
    union = sets[0][0]
    for subset, _ in sets[1:]:
        union = Op(union.type, "union", (union, subset))
    body = tuple([
        st.If(Op(BOOL, "has", (subset, local)), (st.Emit(move, emit.source),), (), emit.source) for subset, move in sets
    ])  # fmt: skip
    return st.For((Loop(local, union),), body, False, emit.source)
