"""Values with arguments: `run(n)` is a sum of small numbers, and destructuring it is a table lookup."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from dsl import ast
from dsl.symbols import FamilySymbol
from dsl.types import Contents, PieceType, bare, element_of
from interpreter.compiler.expression_facts import captured, captures
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Const, Expr, Logic, Lookup, Op, Table, number
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.attributes import attribute_column
from interpreter.compiler.lowering.context import Context, Env, table
from interpreter.compiler.lowering.slots import offset, plus
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import plain, type_of


def _ends(ctx: Context, family: FamilySymbol) -> tuple[int, int]:
    """The number of the first value of a family, and that of the last; in this game it may have none."""
    numbers = ctx.layout.numbers(ctx.model.type_symbols[family.type.name])
    positions = range(family.position, family.position + family.count)
    first = ctx.layout.first_value[family.type.name][0] + sum(position < family.position for position in numbers)
    return first, first + sum(position in positions for position in numbers) - 1


def family_value(ctx: Context, family: FamilySymbol, node: ast.Call, env: Env) -> Expr:
    """`run(2)`."""
    value = plus(offset(ctx, family.parameters, node.arguments, env, as_declared=True), _ends(ctx, family)[0])
    type_ = ir_type(ctx, family.type)
    if isinstance(value, Const):
        return Const(type_, value.value, node)
    return Op(type_, value.name, value.args, node) if isinstance(value, Op) else value


def apart(ctx: Context, node: ast.Compare, family: FamilySymbol, env: Env) -> Expr:
    """The condition that a value belongs to a family, with given arguments."""
    assert isinstance(node.right, ast.Call)
    subject = _subject(ctx, node, env)
    first, last = _ends(ctx, family)
    tests: list[Expr] = []
    if isinstance(subject.type, ir.Opt):
        reference = subject.type.of
        assert isinstance(reference, ir.Ref)
        members = Const(ir.Set(reference.domain, reference.width), (1 << last + 1) - (1 << first))
        tests.append(Op(ir.BOOL, "has", (members, subject), node))
    elif first == last:
        tests.append(Op(ir.BOOL, "eq", (subject, Const(subject.type, first)), node))
    else:
        tests.append(Op(ir.BOOL, "le", (number(first), subject), node))
        tests.append(Op(ir.BOOL, "le", (subject, number(last)), node))
    for place, argument in enumerate(node.right.arguments):
        if captured(ctx.model, argument) is None:
            held = Lookup(*_held(ctx, family, place, subject))
            tests.append(Op(ir.BOOL, "eq", (held, plain(ctx, argument, env)), node))
    return tests[0] if len(tests) == 1 else Logic(ir.BOOL, "and", tuple(tests), node)


def with_captures(ctx: Context, node: ast.Expression, env: Env) -> Env:
    """The names bound to arguments by a condition, read from the destructured value."""
    bound_names = dict(env)
    for symbol, test, position in captures(ctx.model, node):
        bound_names[symbol] = argument_of(ctx, test, position, bound_names)
    return bound_names


def argument_of(ctx: Context, test: ast.Compare, position: int, env: Env) -> Expr:
    """The argument at a position of the value that a condition destructures."""
    family = ctx.model.refers[test.right.number]
    assert isinstance(family, FamilySymbol)
    return Lookup(*_held(ctx, family, position, _subject(ctx, test, env)))


def _subject(ctx: Context, node: ast.Compare, env: Env) -> Expr:
    """The destructured value, which may be the attribute of a piece."""
    type_, subject = type_of(ctx, node.left), plain(ctx, node.left, env)
    pieces = element_of(type_) if isinstance(type_, Contents) else bare(type_)
    if not isinstance(pieces, PieceType):
        return subject
    column = attribute_column(ctx, ctx.model.attribute_of[node.right.number])
    optional = isinstance(subject.type, ir.Opt)
    return Lookup(ir.optional(column.type) if optional else column.type, column, (subject,), node.left)


def _held(ctx: Context, family: FamilySymbol, place: int, subject: Expr) -> tuple[ir.Type, Table, tuple[Expr]]:
    """The argument at a position of a value known to belong to the family, and so not none, by table lookup."""
    first, _ = _ends(ctx, family)
    every = product(*(ctx.layout.members(type_, as_declared=True) for type_ in family.parameters))
    content = (*[None] * first, *(values[place] for values in every))
    type_ = ir_type(ctx, family.parameters[place])
    held = table(ctx, Table(named("G", family.type.name, family.name, place), content, type_))
    return type_, held, (replace(subject, type=ir.bare(subject.type)),)
