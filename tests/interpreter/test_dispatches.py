"""Every dispatch by class or by name knows all the kinds that there are, or falls back to something that is stated."""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

import pytest
from interpreter.native.forms import NotInC

from dsl import ast
from interpreter.backends import python, python_operations, python_text
from interpreter.ir import expressions, statements
from interpreter.ir.expressions import NOTHING, TRUE, Const, Fold, FoldKind, Local, Loop, Op
from interpreter.ir.module import FunctionKind
from interpreter.ir.operations import FAILING, READING, SIGNATURES
from interpreter.ir.types import BOOL, Seq
from interpreter.ir.verifying.fitting import CLASSES
from interpreter.lowering.binders import AGGREGATES
from interpreter.lowering.forms import FORMS
from interpreter.native import folds, operations
from interpreter.passes.simplifying import evaluating, folding, folding_operations

EXPRESSIONS = get_args(expressions.Expr)
STATEMENTS = get_args(statements.Statement)
REDUCTIONS = get_args(FoldKind)
IN_PYTHON = {
    *python_operations.INFIX, *python_operations.TESTS, *python_operations.FORMS, *python_operations.FUNCTIONS,
}  # fmt: skip

NO_VALUES = (ast.Text, ast.Pattern, ast.ListOf)
"""Expressions that the checker allows only where they are taken apart: in messages, comparisons and iterations."""

COMPLETE: dict[str, tuple[Collection[object], Collection[object]]] = {
    "parts of expressions": (expressions.CHILDREN, EXPRESSIONS),
    "expressions with other parts": (expressions.REBUILDING, EXPRESSIONS),
    "expressions in Python": (python_text.PRINTERS, EXPRESSIONS),
    "expressions of statements": (statements.EXPRESSIONS, STATEMENTS),
    "values of reductions over nothing": (expressions.NOTHING_FOUND, REDUCTIONS),
    "reductions in C": (folds.FOLDS, REDUCTIONS),
    "operations in Python": (IN_PYTHON, SIGNATURES),
    "parameters of functions": (python.PARAMETERS, get_args(FunctionKind)),
    "expressions of the language": ({*FORMS, *NO_VALUES}, get_args(ast.Expression)),
}
"""Tables without a fallback: what each of them knows, and all that it may be asked for."""

PARTIAL: dict[str, tuple[Collection[object], Collection[object]]] = {
    "blocks of statements": (statements.BLOCKS, STATEMENTS),
    "evaluated expressions": (evaluating.EVALUATED, EXPRESSIONS),
    "evaluated reductions": (evaluating.FOLDS, REDUCTIONS),
    "folded expressions": (folding.RULES, EXPRESSIONS),
    "folded statements": (folding.STATEMENTS, STATEMENTS),
    "folded operations": (folding_operations.RULES, SIGNATURES),
    "operations worked out": (folding_operations.WORKED_OUT, SIGNATURES),
    "operations in C": (operations.OPERATIONS, SIGNATURES),
    "failing operations": (FAILING, SIGNATURES),
    "reading operations": (READING, SIGNATURES),
    "aggregates": (AGGREGATES, get_args(ast.AggregateFunction)),
}
"""Tables with a fallback for what they do not know: they must not know what there is not."""


def shown(kinds: Collection[object]) -> list[str]:
    return sorted(kind.__name__ if isinstance(kind, type) else str(kind) for kind in kinds)


@pytest.mark.parametrize("table", COMPLETE)
def test_a_table_without_a_fallback_has_all_kinds(table: str) -> None:
    has, kinds = COMPLETE[table]
    assert len(kinds) > 3
    assert shown(has) == shown(kinds)


@pytest.mark.parametrize("table", PARTIAL)
def test_a_table_with_a_fallback_has_no_kind_that_is_gone(table: str) -> None:
    has, kinds = PARTIAL[table]
    assert set(shown(has)) <= set(shown(kinds))


def test_the_types_of_operations_are_those_that_the_verifier_knows() -> None:
    words = {word.lstrip("*") for arguments, result in SIGNATURES.values() for word in (*arguments, result)}
    assert words - {"any"} == set(CLASSES)


def test_a_reduction_or_operation_that_c_does_not_know_falls_back_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """`NotInC` is the stated fallback: the game is played in Python, and the reason is given."""
    monkeypatch.delitem(folds.FOLDS, "sum")
    monkeypatch.delitem(operations.OPERATIONS, "not")
    names, loop = object(), Loop(Local(BOOL, "x"), Const(Seq(BOOL), ()))
    with pytest.raises(NotInC, match="the reduction sum"):
        folds.fold(names, Fold(BOOL, "sum", (loop,), TRUE))  # type: ignore[arg-type]
    with pytest.raises(NotInC, match="the operation not"):
        operations.operation(names, Op(BOOL, "not", (NOTHING,)))  # type: ignore[arg-type]
