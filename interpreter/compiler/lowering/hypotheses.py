"""Hypotheses: the value of an expression in the position after a step, which runs on a copy of the state."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import LocalSymbol
from interpreter.compiler.ir.expressions import Call, Expr, Local
from interpreter.compiler.ir.module import Function, named
from interpreter.compiler.ir.statements import Perform, Return
from interpreter.compiler.lowering.context import Context, Env
from interpreter.compiler.lowering.effects import arguments, rule_function
from interpreter.compiler.lowering.values import value


def hypothesis(ctx: Context, node: ast.Hypothesis, env: Env) -> Expr:
    """The value of an expression after a step.

    A function runs the step on a copy of the state and calls another one for the value there, so that everything
    computed in one function is computed in one position.
    """
    # Of the names in scope the functions take those that the hypothesis mentions, as parameters: they are made once for
    # a node, and called with whatever these names are bound to where the node is lowered again.
    used = {symbol: bound for symbol, bound in env.items() if symbol in _mentioned(ctx, node)}
    parameters = {
        symbol: Local(bound.type, f"{symbol.name}_{place}") for place, (symbol, bound) in enumerate(used.items())
    }
    own_env: dict[LocalSymbol, Expr] = dict(parameters)
    name, result = named("after", node.number, *_shape(used)), named("value", node.number, *_shape(used))
    if name not in ctx.module.functions:
        conclusion = value(ctx, node.value, own_env)
        params = tuple(parameters.values())
        call = Call(conclusion.type, result, params, node.value)
        rule = ctx.model.rules[node.step.name]
        performed = Perform(rule_function(ctx, rule, False), arguments(ctx, node.step, rule, own_env), node.step)
        # INVARIANT: a function of its own computes the value, never the one that runs the step. Passes let a function
        # keep what it has read from the state; across a step that would be the value of another position.
        functions = ctx.module.functions
        functions[result] = Function(
            "define", result, params, (Return(conclusion, node.value),), conclusion.type, 0, (), node
        )
        functions[name] = Function(
            "hypothesis", name, params, (performed, Return(call, node)), conclusion.type, 0, (), node
        )  # fmt: skip
    result_type = ctx.module.functions[name].result
    assert result_type is not None
    return Call(result_type, name, tuple(used.values()), node)


def _mentioned(ctx: Context, node: ast.Node) -> frozenset[LocalSymbol]:
    """The free variables of an expression, and the names that it binds."""
    symbols = (ctx.model.refers.get(part.number) for part in node.walk())
    return frozenset(symbol for symbol in symbols if isinstance(symbol, LocalSymbol))


def _shape(used: Env) -> list[int]:
    """The free variables that distinguish the functions of one expression."""
    return [symbol.node.number if symbol.node is not None else 0 for symbol in used]
