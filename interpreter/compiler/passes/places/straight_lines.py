"""Places that enclose others on straight lines, found for all places at once.

`some x in ends where between(c, x) is not empty and between(c, x) - over is empty` becomes a flood fill from the ends
along every direction; what lies between one place and all such ends is found on its rays.

The filled places are those from which each step was possible, which is what the condition says of one place. Without
it a game of enclosing takes 11 times the instructions in the machine engine.
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, Opt, Set
from interpreter.compiler.passes.facts.effects import HasEffect, effect_test, needs_guard
from interpreter.compiler.passes.facts.traversal import LEAVES, changed_block, changed_parts, functions, subject_of
from interpreter.compiler.passes.places.ways import Ways, rays_data, ways_between, ways_data
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.folding_operations import operation

NAME = "straight lines"


def enclosing(module: Module, record: PassRecords) -> None:
    """Rewrite the searches in all functions."""
    if not any(map(_is_between, module.tables.values())):
        return
    has_effect, ways_by_table = effect_test(module), dict[str, Ways | None]()
    for function in functions(module):
        at = Rewriting(module, has_effect, ways_by_table, function, record)
        function.body = changed_block(function.body, at.changed)


def _is_between(table: ex.Table) -> bool:
    """Whether a table may hold the places between any two places."""
    content = table.content
    return isinstance(table.type, Set) and table.partial and isinstance(content, tuple)


@dataclass(frozen=True)
class Rewriting:
    """Rewrites the searches of one function; `ways_by_table` are the lines of the tables seen so far."""

    module: Module
    has_effect: HasEffect
    ways_by_table: dict[str, Ways | None]
    function: Function
    record: PassRecords

    def changed(self, node: ex.Expr) -> ex.Expr:
        """An expression with the searches in it rewritten."""
        if type(node) in LEAVES:
            return node
        node = changed_parts(node, self.changed)
        if isinstance(node, ex.Fold) and node.word in ("any", "set"):
            replacement = self._seen(node) if node.word == "any" else self._enclosed(node)
            return node if replacement is None else replacement
        return node

    def _seen(self, node: ex.Fold) -> ex.Expr | None:
        """Whether a straight line leads from a place to one of some ends."""
        *outer_loops, last = node.loops
        line = over_a_line(last, [*ex.conjuncts(last.where), *ex.conjuncts(node.value)], self.has_effect)
        ways = None if line is None else self._ways(line, node)
        if line is None or ways is None:
            return None
        reached = ex.Op(line.ends.type, "seen_over", (ways_data(self.module, line.table, ways), line.ends, line.over))
        seen: ex.Expr = line.named(ex.Op(BOOL, "has", (reached, line.place), node.source))
        if not outer_loops:
            return seen
        *earlier, loop = outer_loops
        where = ex.both([*ex.conjuncts(loop.where), seen])
        return ex.Fold(BOOL, "any", (*earlier, ex.Loop(loop.local, loop.over, where)), ex.TRUE, node.source)

    def _enclosed(self, node: ex.Fold) -> ex.Expr | None:
        """The places enclosed between a place and some ends."""
        if len(node.loops) != 2 or node.value != node.loops[1].local or node.loops[1].where is not None:
            return None
        loop, place_loop = node.loops
        line = over_a_line(loop, ex.conjuncts(loop.where), self.has_effect)
        if line is None or place_loop.over != line.between or node.type != line.between.type:
            return None
        ways = self._ways(line, node)
        if ways is None:
            return None
        args = (rays_data(self.module, line.table, ways), line.place, line.ends, line.over)
        return line.named(ex.Op(node.type, "enclosed", args, node.source))

    def _ways(self, line: Over, node: ex.Fold) -> Ways | None:
        """The straight lines of a table; records whether it consists of such lines."""
        name = line.table.name
        if name not in self.ways_by_table:
            self.ways_by_table[name] = ways_between(line.table) if _is_between(line.table) else None
        ways = self.ways_by_table[name]
        subject = subject_of(self.function)
        if ways is None:
            self.record.refused(NAME, subject, node.source, "lines of this board bend or form loops")
        else:
            self.record.applied(NAME, subject, node.source)
        return ways


@dataclass(frozen=True)
class Over:
    """A search for a straight line from a place to one of some ends, over one or more places, all in `over`.

    `between` are the places between the place and an end, `lets` the names that the other expressions may use.
    """

    table: ex.Table
    place: ex.Expr
    ends: ex.Expr
    over: ex.Expr
    between: ex.Lookup
    lets: tuple[ex.Let, ...]

    def named(self, node: ex.Expr) -> ex.Expr:
        """An expression inside the `let`s of the names that it may use."""
        for let in reversed(self.lets):
            node = ex.Let(node.type, let.local, let.value, node, let.source)
        return node


def over_a_line(loop: ex.Loop, conditions: list[ex.Expr], has_effect: HasEffect) -> Over | None:
    """The line that a loop over ends and its conditions describe; None if they say anything else."""
    end = loop.local
    lets, conditions = _lets_apart(conditions, end)
    between = next((filled for filled in map(_filled, conditions) if filled is not None), None)
    if between is None or not isinstance(loop.over.type, Set) or between.type != loop.over.type:
        return None
    place = _other_end(between, end)
    if place is None:
        return None
    end_conditions, overs = list[ex.Expr](), list[ex.Expr]()
    for condition in conditions:
        over = _all_over(condition, between)
        if over is not None and not ex.mentions(over, end):
            overs.append(over)
        elif _filled(condition) != between:
            end_conditions.append(condition)
    values = [*overs, *end_conditions, *[let.value for let in lets]]
    if len(overs) != 1 or any(has_effect(part) or needs_guard(part) for part in values) or has_effect(loop.over):
        return None
    ends = (
        ex.Fold(loop.over.type, "set", (ex.Loop(end, loop.over, ex.both(end_conditions)),), end)
        if end_conditions
        else loop.over
    )
    if any(ex.mentions(part, local) for part in (ends, *values) for local in _free(place)):
        return None  # it cannot be evaluated for all places at once
    return Over(between.table, place, ends, overs[0], between, tuple(lets))


def _lets_apart(conditions: list[ex.Expr], end: ex.Local) -> tuple[list[ex.Let], list[ex.Expr]]:
    """The names that conditions bind, if they do not depend on the end, and the conditions without them."""
    lets, parts = list[ex.Let](), list[ex.Expr]()
    for condition in conditions:
        while isinstance(condition, ex.Let) and not ex.mentions(condition.value, end):
            lets.append(condition)
            condition = condition.body
        parts += ex.conjuncts(condition)
    return lets, parts


def _filled(condition: ex.Expr) -> ex.Lookup | None:
    """The table entry with two keys that a condition requires not to be empty."""
    match condition:
        case ex.Op(name="not", args=(ex.Op(name="is_empty", args=(ex.Lookup(keys=(_, _)) as entry,)),)):
            return entry
        case ex.Op(name="not", args=(ex.Op(name="eq", args=(ex.Lookup(keys=(_, _)) as entry, ex.Const(value=0))),)):
            return entry
        case _:
            return None


def _other_end(between: ex.Lookup, end: ex.Local) -> ex.Expr | None:
    """The place at the other end of a line."""
    place, last = between.keys
    if place == end:
        place, last = last, place
    fine = (
        last == end
        and not ex.mentions(place, end)
        and not isinstance(place.type, Opt)
        and not isinstance(last.type, Opt)
    )
    return place if fine else None


def _all_over(condition: ex.Expr, between: ex.Lookup) -> ex.Expr | None:
    """The set that a condition requires to contain all places between."""
    match condition:
        case ex.Op(name="is_empty", args=(ex.Op(name="minus", args=(passed, over)),)) if passed == between:
            return over
        case ex.Op(name="is_empty", args=(ex.Op(name="both", args=(first, second)),)) if between in (first, second):
            avoided = second if first == between else first
            assert isinstance(between.type, Set)
            return operation(
                ex.Op(between.type, "minus", (ex.Const(between.type, (1 << between.type.width) - 1), avoided))
            )
        case ex.Op(name="eq", args=(first, second)) if between in (first, second):
            within = second if first == between else first
            match within:
                case ex.Op(name="both", args=(left, right)) if between in (left, right):
                    return right if left == between else left
                case _:
                    return None
        case _:
            return None


def _free(place: ex.Expr) -> list[ex.Local]:
    """The locals that a place depends on."""
    return [node for node in ex.walk(place) if isinstance(node, ex.Local)]
