"""Graph functions of a relation: a definition of two places in place of a set of edges."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import DefineSymbol
from dsl.types import PieceType, Several, Type, maybe
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Call as IrCall
from interpreter.compiler.ir.expressions import Const, Expr, Fold, Lambda, Let, Local, Loop, Op
from interpreter.compiler.ir.module import NEIGHBOURS, Function, named
from interpreter.compiler.ir.statements import Return
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.footprints import declared_reads
from interpreter.compiler.lowering.types import ir_type, piece_set, set_type
from interpreter.compiler.lowering.values import ask, fitted, ir_type_of, needed, strict

RELATION = ir.Opaque("relation")


def relation_at(ctx: Context, node: ast.Expression) -> DefineSymbol | None:
    """The relation that an argument names, unless it is a set of edges."""
    symbol = ctx.model.refers.get(node.number) if isinstance(node, ast.Name) else None
    return symbol if isinstance(symbol, DefineSymbol) and symbol.parameters else None


def related(ctx: Context, name: str, relation: DefineSymbol, node: ast.Call, env: Env) -> Expr:
    """A call of a graph function; the relation is evaluated for pairs of different places."""
    arguments, result, place = node.arguments, ir_type_of(ctx, node), relation.parameters[0].type
    if name in ("groups", "paths"):
        return _inside(ctx, name, relation, node, env)
    ends = [fitted(ctx, end, maybe(place), env) for end in arguments[: 2 if name == "path" else 1]]
    if name == "near":
        return strict(ctx, ends, lambda start: _linked(ctx, relation, start, None, node), node)
    origin = variable(ctx, relation.parameters[0].name, ir_type(ctx, place))
    linked = Lambda(RELATION, (origin,), _linked(ctx, relation, origin, None, node), node)
    form = "reach_by" if name == "reach" else "path_by"
    return strict(ctx, ends, lambda *places: Op(result, form, (*places, linked), node), node)


def _inside(ctx: Context, name: str, relation: DefineSymbol, node: ast.Call, env: Env) -> Expr:
    """`groups` and `paths`: the neighbours of each place of a set, within that set."""
    places = fitted(ctx, node.arguments[0], Several(relation.parameters[0].type), env)
    among = variable(ctx, "among", places.type)
    place = variable(ctx, relation.parameters[0].name, ir_type(ctx, relation.parameters[0].type))
    neighbours = _linked(ctx, relation, place, among, node)
    neighbour_sets = Fold(ir.Seq(neighbours.type), "list", (Loop(place, among),), neighbours, node)
    more = (needed(ctx, node.arguments[2], env),) if name == "paths" else ()
    grouped = Op(
        ir_type_of(ctx, node), "groups_by" if name == "groups" else "paths_by", (among, neighbour_sets, *more), node
    )
    return Let(grouped.type, among, places, grouped, node)


def _linked(ctx: Context, relation: DefineSymbol, place: Expr, among: Local | None, node: ast.Call) -> Expr:
    """The places that one place is linked with; both are in the set `among`, by default all of their type.

    A relation that reads nothing is evaluated for all places, as the results can be kept.
    """
    type_ = relation.parameters[0].type
    if declared_reads(ctx, relation):
        over: Expr = among if among is not None else _every(ctx, type_)
        return _neighbours(ctx, relation, place, over, node)
    name = named(NEIGHBOURS, relation.name)
    if name not in ctx.module.functions:
        parameter = variable(ctx, relation.parameters[0].name, ir_type(ctx, type_))
        neighbours = _neighbours(ctx, relation, parameter, _every(ctx, type_), relation.declaration)
        body = (Return(neighbours, relation.declaration),)
        ctx.module.functions[name] = Function(
            "define", name, (parameter,), body, neighbours.type, 0, (), relation.declaration
        )
    result = set_type(ctx, type_)
    every = IrCall(result, name, (place,), node)
    return every if among is None else Op(result, "both", (every, among), node)


def _neighbours(ctx: Context, relation: DefineSymbol, place: Expr, over: Expr, source: ast.Node) -> Fold:
    second = relation.parameters[1]
    candidate = variable(ctx, second.name, ir_type(ctx, second.type))
    others = Op(over.type, "minus", (over, Op(over.type, "single", (place,))))
    loop = Loop(candidate, others, ask(ctx, relation, (place, candidate), source))
    return Fold(set_type(ctx, second.type), "set", (loop,), candidate, source)


def _every(ctx: Context, type_: Type) -> Const:
    """All places of a type, as a set."""
    if not isinstance(type_, PieceType):
        return Const(set_type(ctx, type_), sum(1 << value for value in ctx.layout.members(type_)))
    ranges = (ctx.layout.piece_range[name] for name in type_.piece_types)
    return Const(piece_set(ctx), sum((1 << high) - (1 << low) for low, high in ranges))
