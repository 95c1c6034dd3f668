"""Constant folding.

A part that may end the game in a fault is kept wherever it would be evaluated.

Without it four games take 1.1 to 5 times the instructions in the machine engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

from dsl import ast
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.statements import Block, Statement
from interpreter.compiler.ir.types import BOOL, COUNT, Opt, Set, optional
from interpreter.compiler.passes.facts.traversal import (
    LEAVES,
    changed,
    changed_parts,
    functions,
    may_have_effect,
    subject_of,
)
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import substituted
from interpreter.compiler.passes.simplifying.folding_operations import constant, ends, negation, operation
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import StoredValue

NAME = "folding"

MAX_LISTED = 8
"""Maximum number of items of a sequence in a table that replaces the lookup."""


def fold(module: Module, records: PassRecords) -> None:
    """Fold the constants in all functions."""
    for function in functions(module):
        body = block(function.body)
        if body is not function.body:
            function.body = body
            records.applied(NAME, subject_of(function), function.source)


def folded(node: ex.Expr) -> ex.Expr:
    """An expression with its constants folded."""
    if type(node) in LEAVES:
        return node
    return simplified(changed_parts(node, folded))


def simplified(node: ex.Expr) -> ex.Expr:
    """An expression whose parts have been folded."""
    rule = RULES.get(type(node))
    return node if rule is None else rule(node)


# ---------------------------------------------------------------- looking up


def _lookup(node: ex.Lookup) -> ex.Expr:
    content = node.table.content
    for key in node.keys:
        if not isinstance(key, ex.Const):
            return _never_none(node)
        if key.value is None:
            return ex.Const(optional(node.type), None, node.source)
        if isinstance(content, dict):
            if key.value not in content and not node.table.partial:
                return node
            content = content.get(key.value, node.table.missing)
        elif isinstance(content, tuple) and key.value in range(len(content)):
            content = content[key.value]
        else:
            return node
    if isinstance(content, tuple) and len(content) > MAX_LISTED:
        return node
    return constant(node.type, content, node)


def _never_none(node: ex.Lookup) -> ex.Expr:
    """A lookup with a type that excludes none, where neither the table nor a key can be none."""
    table = node.table
    if not isinstance(node.type, Opt) or isinstance(table.type, Opt) or (table.partial and table.missing is None):
        return node
    return node if any(isinstance(key.type, Opt) for key in node.keys) else replace(node, type=node.type.of)


# ---------------------------------------------------------------- logic and choices


def _logic(node: ex.Logic) -> ex.Expr:
    stops = node.word == "or"
    for part in node.parts:
        if type(part) is ex.Const or (type(part) is ex.Logic and part.word == node.word):
            break
    else:
        return node
    parts: list[ex.Expr] = []
    for part in _flat(node):
        if not isinstance(part, ex.Const):
            parts.append(part)
        elif part.value is stops:
            return _stopped(node, parts, part)
    if len(parts) < 2:
        return parts[0] if parts else ex.Const(BOOL, not stops, node.source)
    return ex.Logic(BOOL, node.word, tuple(parts), node.source)


def _flat(node: ex.Logic) -> list[ex.Expr]:
    parts: list[ex.Expr] = []
    for part in node.parts:
        parts += _flat(part) if isinstance(part, ex.Logic) and part.word == node.word else [part]
    return parts


# `need(x) = 3 and false` is false, but fails if x is none. Parts without an effect go, from the end on; what stands
# before the last part with an effect decides whether that one is evaluated, and stays.
def _stopped(node: ex.Logic, parts: list[ex.Expr], end: ex.Const) -> ex.Expr:
    """The parts to keep before one that decides the result: those up to the last with an effect."""
    while parts and not may_have_effect(parts[-1]):
        parts.pop()
    return ex.Logic(BOOL, node.word, (*parts, end), node.source) if parts else end


def _choice(node: ex.Choice) -> ex.Expr:
    condition, then, otherwise = node.condition, node.then, node.otherwise
    if isinstance(condition, ex.Const):
        return then if condition.value else otherwise
    if isinstance(condition, ex.Op) and condition.name == "not":
        return _choice(ex.Choice(node.type, condition.args[0], otherwise, then, node.source))
    if isinstance(then, ex.Const) and then == otherwise and not may_have_effect(condition):
        return then
    return _truth(node, condition, then, otherwise) if node.type == BOOL else node


def _truth(node: ex.Choice, condition: ex.Expr, then: ex.Expr, otherwise: ex.Expr) -> ex.Expr:
    """A choice between truth values as `and`, `or` and `not`."""
    if then == ex.TRUE:
        return condition if otherwise == ex.FALSE else _logic(ex.Logic(BOOL, "or", (condition, otherwise), node.source))
    if otherwise == ex.FALSE:
        return _logic(ex.Logic(BOOL, "and", (condition, then), node.source))
    opposite = negation(ex.Op(BOOL, "not", (condition,), node.source))
    if then == ex.FALSE:
        return opposite if otherwise == ex.TRUE else _logic(ex.Logic(BOOL, "and", (opposite, otherwise), node.source))
    return _logic(ex.Logic(BOOL, "or", (opposite, then), node.source)) if otherwise == ex.TRUE else node


# ---------------------------------------------------------------- checks


def _check(node: ex.Check) -> ex.Expr:
    value = node.value
    if isinstance(value, ex.Const):
        return constant(node.type, value.value, value) if satisfied(node, value.value) else node
    if node.word == "need" and not isinstance(value.type, Opt):
        return value
    if node.word == "in_range":
        limits = ends(value)
        if isinstance(value, ex.Check) and value.word == "in_range":
            limits = (value.bounds[0], value.bounds[1])
        if limits is not None and node.bounds[0] <= limits[0] and limits[1] <= node.bounds[1]:
            return value
    if node.word == "divisor":
        limits = ends(value)
        if limits is not None and (limits[0] > 0 or limits[1] < 0):
            return value
    return node


def satisfied(node: ex.Check, value: StoredValue) -> bool:
    """Whether a value is sure to pass a check."""
    match node.word:
        case "need":
            return value is not None
        case "in_range":
            return value is None or (isinstance(value, int) and node.bounds[0] <= value <= node.bounds[1])
        case "among" | "one_of":
            return value is None or value in node.bounds
        case "subset":
            return not value or (isinstance(value, int) and set(bits(value)) <= set(node.bounds))
        case "divisor":
            return value is None or value != 0
        case "product":
            return True  # a product that is too large remains a fault


# ---------------------------------------------------------------- loops


def _fold(node: ex.Fold) -> ex.Expr:
    first = node.loops[0]
    if _never(first):
        return constant(node.type, ex.NOTHING_FOUND[node.word], node)
    if node.value == ex.FALSE and node.word in ("any", "count") and not may_have_effect(node):
        return constant(node.type, ex.NOTHING_FOUND[node.word], node)
    loops = tuple([_loop(loop) for loop in node.loops])
    if any(new is not old for new, old in zip(loops, node.loops, strict=True)):
        node, first = ex.Fold(node.type, node.word, loops, node.value, node.source), loops[0]
    if len(node.loops) > 1 or first.where is not None or not isinstance(first.over.type, Set):
        return node
    return over_whole_set(node)


def _loop(loop: ex.Loop) -> ex.Loop:
    return ex.Loop(loop.local, loop.over) if loop.where == ex.TRUE else loop


def _never(loop: ex.Loop) -> bool:
    """Whether a loop has no iterations."""
    nothing = isinstance(loop.over, ex.Const) and not loop.over.value
    return nothing or (loop.where == ex.FALSE and not may_have_effect(loop.over))


def over_whole_set(node: ex.Fold) -> ex.Expr:
    """A fold over a set without conditions, as an operation on the set; the fold itself if there is none."""
    member, over = node.loops[0].local, node.loops[0].over
    match node.word, node.value:
        case "count", ex.Const():
            return operation(ex.Op(node.type, "size", (over,), node.source)) if node.value == ex.TRUE else node
        case "sum", ex.Const(value=value):
            size = operation(ex.Op(COUNT, "size", (over,), node.source))
            return size if value == 1 else operation(ex.Op(node.type, "mul", (size, node.value), node.source))
        case "any", ex.Const():
            return has_members(over, node.source) if node.value == ex.TRUE else node
        case "set", ex.Local(name=name) if name == member.name:
            return over
        case "first" | "lowest", ex.Local(name=name) if name == member.name:
            return operation(ex.Op(node.type, "first", (over,), node.source))
        case "highest", ex.Local(name=name) if name == member.name:
            return operation(ex.Op(node.type, "last", (over,), node.source))
        case _:
            return node


def has_members(members: ex.Expr, source: ast.Node | None) -> ex.Expr:
    """Whether a set has members, folded."""
    empty = operation(ex.Op(BOOL, "is_empty", (members,), source))
    return operation(ex.Op(BOOL, "not", (empty,), source))


def _let(node: ex.Let) -> ex.Expr:
    if isinstance(node.value, ex.Const | ex.Local):
        return substituted(node.body, {node.local.name: node.value}, None, simplified)
    if isinstance(node.body, ex.Local) and node.body.name == node.local.name:
        return node.value
    return node if ex.mentions(node.body, node.local) or may_have_effect(node.value) else node.body


RULES: dict[type, Callable[[Any], ex.Expr]] = {  # each of nodes of its class, which a table cannot say
    ex.Op: operation, ex.Lookup: _lookup, ex.Logic: _logic, ex.Choice: _choice, ex.Check: _check, ex.Fold: _fold,
    ex.Let: _let,
}  # fmt: skip
"""How expressions of each class are folded."""

# ---------------------------------------------------------------- statements

LAST = frozenset(get_args(st.Last))
"""The statements after which control never continues."""


def block(body: Block) -> Block:
    """Statements with their constants folded and without unreachable ones; the same block if nothing changes."""
    statements: list[Statement] = []
    same = True
    for node in body:
        rule = STATEMENTS.get(type(node))
        folded_nodes = (changed(node, folded, block),) if rule is None else rule(node)
        same = same and len(folded_nodes) == 1 and folded_nodes[0] is node
        statements += folded_nodes
        if statements and type(statements[-1]) in LAST:
            break
    return body if same and len(statements) == len(body) else tuple(statements)


def _repeat(node: st.Repeat) -> Block:
    nothing = isinstance(node.times, ex.Const) and node.times.value <= 0
    return () if nothing else (changed(node, folded, block),)


def _if(node: st.If) -> Block:
    condition = folded(node.condition)
    if isinstance(condition, ex.Const):
        return block(node.then if condition.value else node.otherwise)
    then, otherwise = block(node.then), block(node.otherwise)
    if not then and not otherwise and not may_have_effect(condition):
        return ()
    if otherwise and not then:
        condition, then, otherwise = negation(ex.Op(BOOL, "not", (condition,), node.source)), otherwise, then
    if condition is node.condition and then is node.then and otherwise is node.otherwise:
        return (node,)
    return (st.If(condition, then, otherwise, node.source),)


def _for(node: st.For) -> Block:
    loops = tuple([_loop(ex.changed_loop(loop, folded)) for loop in node.loops])
    if _never(loops[0]) and not node.listed:
        return ()
    body = block(node.body)
    if body is node.body and all(new is old for new, old in zip(loops, node.loops, strict=True)):
        return (node,)
    return (st.For(loops, body, node.listed, node.source),)


STATEMENTS: dict[type, Callable[[Any], Block]] = {st.If: _if, st.For: _for, st.Repeat: _repeat}  # `Any` as in `RULES`
"""How statements of each class are folded; others are kept."""
