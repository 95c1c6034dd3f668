"""Calls: definitions, values with arguments, and the functions of the language.

An expression that looks like a call may be one of five things: a definition (`worth(c)`), a note with an index in round
brackets (`round(hand)`), a value with arguments (`run(2)`), a function that is given a definition itself (`groups(S,
linked)`), and a function of values. What the name refers to decides, in that order.

Functions of none are none, the empty set or false, without an `if` in the rules: `next(next(c, north), east)` is none
beyond the edge. This is not a property of each function but of the call (`strict`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dsl import ast
from dsl.checker.types.comparisons import NEIGHBOURS
from dsl.symbols import DefineSymbol, FamilySymbol, NoteSymbol
from dsl.types import Contents, Listed, Truth, bare, element_of
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Choice, Data, Expr, Fold, Let, Lookup, Loop, Op, Table, number
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.arithmetic import divisor
from interpreter.compiler.lowering.binders import groups_of, truths
from interpreter.compiler.lowering.context import Context, Env, table, variable
from interpreter.compiler.lowering.families import family_value
from interpreter.compiler.lowering.lines import GRID_FUNCTIONS, JOINED, all_edges, grid_function, links, neighbours
from interpreter.compiler.lowering.packings import path_arguments
from interpreter.compiler.lowering.relations import related, relation_at
from interpreter.compiler.lowering.slots import contents, note_cell, place
from interpreter.compiler.lowering.types import domain_of, player_type
from interpreter.compiler.lowering.values import (
    ask,
    fitted,
    ir_type_of,
    is_family,
    mask,
    needed,
    plain,
    strict,
    type_of,
)

GRAPH_FUNCTIONS = frozenset({"reach", "near", "groups", "path", "paths", "trails", "packings"})


def call(ctx: Context, node: ast.Call, env: Env) -> Expr:
    """The value of a call."""
    symbol = ctx.model.refers[node.number]
    if isinstance(symbol, DefineSymbol):
        pairs = zip(node.arguments, symbol.parameters, strict=True)
        return ask(ctx, symbol, tuple(fitted(ctx, argument, p.type, env) for argument, p in pairs), node)
    if isinstance(symbol, NoteSymbol):
        return note_cell(ctx, node, env)
    if isinstance(symbol, FamilySymbol):
        return family_value(ctx, symbol, node, env)
    if symbol.name in GRAPH_FUNCTIONS:
        return _graph_function(ctx, symbol.name, node, env)
    if symbol.name in NEIGHBOURS and len(node.arguments) == 1:
        return beside(ctx, symbol.name, node, env)
    if symbol.name in GRID_FUNCTIONS:
        return grid_function(ctx, symbol.name, node, env)
    if symbol.name in ("first", "last", "nth") and is_family(ctx, node.arguments[-1]):
        return _of_sequence(ctx, symbol.name, node, mask(ctx, node.arguments[-1], env), env)
    return _function(ctx, symbol.name, node, env)


def _function(ctx: Context, name: str, node: ast.Call, env: Env) -> Expr:
    arguments, result = node.arguments, ir_type_of(ctx, node)
    match name:
        case "handfuls":
            ends = (needed(ctx, end, env) for end in arguments[1:])
            return Op(result, "handfuls", (groups_of(ctx, arguments[0], env), *ends), node)
        case "left" | "right":
            seats = [plain(ctx, arguments[0], env), *(mask(ctx, among, env) for among in arguments[1:])]
            return strict(ctx, seats, lambda seat, *among: _neighbour(ctx, name, seat, among, node), node)
        case "first" | "last" | "nth" | "top" | "bottom":
            return _of_one(ctx, name, node, env)
        case "magnitude":
            return Op(result, "abs", (needed(ctx, arguments[0], env),), node)
        case "larger" | "smaller":
            both = needed(ctx, arguments[0], env), needed(ctx, arguments[1], env)
            return Op(result, "greatest" if name == "larger" else "least", both, node)
        case "remainder":
            return Op(result, "mod", (needed(ctx, arguments[0], env), divisor(ctx, arguments[1], env)), node)
        case "sees":
            form, what = _seen(ctx, arguments[1], env)
            seat = plain(ctx, arguments[0], env)
            return strict(ctx, (seat, what), lambda *present: Op(ir.BOOL, form, present, node), node)
        case _:
            raise AssertionError(name)


def _seen(ctx: Context, node: ast.Expression, env: Env) -> tuple[str, Expr]:
    """The operation for what a seat may see, and the number of the cell, place or piece."""
    if isinstance(ctx.model.refers.get(node.number), NoteSymbol):
        cell = note_cell(ctx, node, env)
        return "sees_note", Op(ir.COUNT, "add", (cell.index, number(cell.group.first)))
    if isinstance(type_of(ctx, node), Contents):
        return "sees_place", place(ctx, node, env)
    return "sees_piece", plain(ctx, node, env)


def _neighbour(ctx: Context, name: str, seat: Expr, among: Sequence[Expr], node: ast.Call) -> Expr:
    """The next seat clockwise, or the previous one; of a set of seats that before which the circle closes, if any."""
    if not among:
        moved = Op(ir.Int(-1, len(ctx.layout.seats)), "add", (seat, number(1 if name == "left" else -1)))
        return Op(player_type(ctx), "mod", (moved, number(len(ctx.layout.seats))), node)
    (members,) = among
    result, whole = ir.optional(player_type(ctx)), variable(ctx, "seats", members.type)
    other, part = variable(ctx, "other", player_type(ctx)), variable(ctx, "beyond", members.type)
    beyond = Op(ir.BOOL, "lt", (seat, other) if name == "left" else (other, seat))
    circle = Choice(members.type, Op(ir.BOOL, "is_empty", (part,)), whole, part)
    nearest = Op(result, "first" if name == "left" else "last", (circle,), node)
    seats_beyond = Fold(members.type, "set", (Loop(other, whole, beyond),), other, node)
    return Let(result, whole, members, Let(result, part, seats_beyond, nearest, node), node)


def _of_one(ctx: Context, name: str, node: ast.Call, env: Env) -> Expr:
    """`first`, `last`, `nth`, `top` and `bottom` of pieces or of a set."""
    arguments, result = node.arguments, ir_type_of(ctx, node)
    several = name in ("first", "last") and len(arguments) == 2
    members_node = arguments[-1]
    is_place = isinstance(type_of(ctx, members_node), Contents)
    if several:
        amount = needed(ctx, arguments[0], env)
        pieces = contents(ctx, members_node, env) if is_place else mask(ctx, members_node, env)
        if name == "first":
            return Op(ir.bare(result), "as_set", (_taken(pieces, amount, node),), node)
        if isinstance(pieces.type, ir.Seq):
            return Op(ir.bare(result), "as_set", (_last_of(pieces, amount, node),), node)
        others = _taken(pieces, _left_over(Op(ir.COUNT, "size", (pieces,), node), amount, node), node)
        return Op(ir.bare(result), "minus", (pieces, Op(ir.bare(result), "as_set", (others,), node)), node)
    if not is_place:
        members = mask(ctx, members_node, env)
        if isinstance(element_of(type_of(ctx, members_node)), Truth):
            return _of_sequence(ctx, name, node, truths(ctx, members), env)
        if name == "nth":
            return Op(result, "nth_member", (needed(ctx, arguments[0], env), members), node)
        return Op(result, name, (members,), node)
    pieces_place = place(ctx, members_node, env)
    if name == "nth":
        return Op(result, "nth", (needed(ctx, arguments[0], env), pieces_place), node)
    last = name in ("last", "bottom")
    ordinal: Expr = Op(ir.COUNT, "length", (contents(ctx, members_node, env),), node) if last else number(1)
    return Op(result, "nth", (ordinal, pieces_place), node)


def _taken(pieces: Expr, amount: Expr, node: ast.Call) -> Expr:
    return Op(ir.Seq(ir.element(pieces.type)), "take", (pieces, amount), node)


def _left_over(size: Expr, amount: Expr, node: ast.Call) -> Expr:
    """How many members come before the last ones."""
    return Op(ir.COUNT, "greatest", (Op(ir.COUNT, "sub", (size, amount), node), number(0)), node)


def _last_of(members: Expr, amount: Expr, node: ast.Call) -> Expr:
    """The last members of a sequence."""
    others = _left_over(Op(ir.COUNT, "length", (members,), node), amount, node)
    return Op(members.type, "behind", (members, others), node)


def _of_sequence(ctx: Context, name: str, node: ast.Call, members: Expr, env: Env) -> Expr:
    """`first`, `last` and `nth` of members in a sequence: sets, truth values."""
    arguments, result = node.arguments, ir_type_of(ctx, node)
    if name == "first" and len(arguments) == 2:
        return Op(result, "take", (members, needed(ctx, arguments[0], env)), node)
    if name == "last" and len(arguments) == 2:
        return _last_of(members, needed(ctx, arguments[0], env), node)
    ordinal: Expr
    if name == "nth":  # -1 means the last one, but no member has this number
        ordinal = Op(ir.COUNT, "greatest", (needed(ctx, arguments[0], env), number(0)), node)
    else:
        ordinal = number(1 if name == "first" else -1)
    return Op(result, "nth_of", (ordinal, members), node)


def _graph_function(ctx: Context, name: str, node: ast.Call, env: Env) -> Expr:
    arguments, result = node.arguments, ir_type_of(ctx, node)
    if name == "packings":
        return Op(result, "all_packings", (mask(ctx, arguments[0], env),), node)
    relation = relation_at(ctx, arguments[2 if name == "path" else 1])
    if relation is not None:
        return related(ctx, name, relation, node, env)
    if name in ("paths", "trails"):
        return Op(result, f"all_{name}", path_arguments(ctx, node, env), node)
    edges = arguments[2 if name == "path" else 1]
    joined: Data = links(ctx, arguments[0], edges)
    ends = [plain(ctx, end, env) for end in arguments[: 2 if name == "path" else 1]] if name != "groups" else []
    match name:
        case "near" if all_edges(ctx, edges):
            near = neighbours(ctx, arguments[0], edges)
            return strict(ctx, ends, lambda place: Lookup(result, near, (place,), node), node)
        case "reach" | "near":
            return strict(ctx, ends, lambda place: Op(result, name, (joined, place, mask(ctx, edges, env)), node), node)
        case "groups" if all_edges(ctx, edges):
            near = neighbours(ctx, arguments[0], edges)
            return Op(result, "hanging", (Data(JOINED, near), mask(ctx, arguments[0], env)), node)
        case "groups":
            return Op(result, "groups", (joined, mask(ctx, arguments[0], env), mask(ctx, edges, env)), node)
        case _:
            return strict(
                ctx, ends, lambda *places: Op(result, "path", (joined, *places, mask(ctx, edges, env)), node), node
            )  # fmt: skip


# ------------------------------------------------------------ the next or previous value of a type, as a constant table


def beside(ctx: Context, name: str, node: ast.Call, env: Env) -> Expr:
    """`next(v)`, `previous(v)`: none beyond the ends, and of none."""
    type_ = bare(type_of(ctx, node.arguments[0]))
    assert isinstance(type_, Listed)
    neighbours = _table(ctx, type_, name)
    return Lookup(neighbours.type, neighbours, (plain(ctx, node.arguments[0], env),), node)


def _table(ctx: Context, type_: Listed, name: str) -> Table:
    key = named("order", type_.name, name)
    if key in ctx.module.tables:
        return ctx.module.tables[key]
    members = ctx.layout.members(type_)
    later = dict(pairwise(members))
    pairs = later if name == "next" else {value: earlier for earlier, value in later.items()}
    content = tuple([pairs.get(value) for value in range(ctx.layout.room(type_))])
    return table(ctx, Table(key, content, ir.Opt(domain_of(ctx, type_))))
