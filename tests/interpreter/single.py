"""A single expression as a pass leaves it: as the value of a definition of its module."""

from __future__ import annotations

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.pipeline import Pass
from interpreter.compiler.passes.record import PassRecords

NAME = "the expression"


def passed(run_pass: Pass, node: Expr, module: Module | None = None) -> Expr:
    """What a pass makes of an expression; the module keeps the tables that the pass adds."""
    module = Module() if module is None else module
    others = module.functions
    module.functions = {**others, NAME: Function("define", NAME, (), (st.Return(node),), node.type, 0)}
    run_pass(module, PassRecords())
    (returned,) = module.functions[NAME].body
    module.functions = others
    assert isinstance(returned, st.Return)
    return returned.value
