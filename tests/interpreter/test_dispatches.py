"""Every dispatch by class or by name knows all the kinds that there are, or falls back to something that is stated."""

from __future__ import annotations

import ast as python_ast
import inspect
import re
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from dsl import ast
from dsl.lazy_dataclasses import value_class
from interpreter.compiler.ir import expressions, parts, statements
from interpreter.compiler.ir.expressions import NOTHING, Expr, FoldKind, Op
from interpreter.compiler.ir.module import FunctionKind
from interpreter.compiler.ir.operations import FAILING, READING, SIGNATURES
from interpreter.compiler.ir.types import BOOL
from interpreter.compiler.ir.verifying.fitting import CLASSES
from interpreter.compiler.lowering.binders import AGGREGATES
from interpreter.compiler.lowering.program import FORMS
from interpreter.compiler.machine import course, folds, functions, listing, operations, polls
from interpreter.compiler.machine import expressions as machine_expressions
from interpreter.compiler.machine import statements as machine_statements
from interpreter.compiler.machine.forms import UnprintableError
from interpreter.compiler.passes.simplifying import evaluating, folding, folding_operations
from interpreter.compiler.python import operations as python_operations
from interpreter.compiler.python import printing as python
from interpreter.compiler.python import text as python_text
from interpreter.compiler.wasm import instructions, modules
from interpreter.seat.explain.reading_aloud import KEYWORDS

ROOT = Path(__file__).parents[2]


def shown(kinds: Collection[object]) -> list[str]:
    return sorted(kind.__name__ if isinstance(kind, type) else str(kind) for kind in kinds)


def cases(module: ModuleType) -> set[str]:
    """The names of classes and operations that a module distinguishes with `match`."""
    patterns = [
        part
        for case in python_ast.walk(python_ast.parse(inspect.getsource(module)))
        if isinstance(case, python_ast.match_case)
        for part in python_ast.walk(case.pattern)
    ]
    classes = [part.cls for part in patterns if isinstance(part, python_ast.MatchClass)]
    values = [part.value for part in patterns if isinstance(part, python_ast.MatchValue)]
    return {
        *(cls.attr if isinstance(cls, python_ast.Attribute) else python_ast.unparse(cls) for cls in classes),
        *(value.value for value in values if isinstance(value, python_ast.Constant)),
    }


EXPRESSIONS = get_args(expressions.Expr)
STATEMENTS = get_args(statements.Statement)
REDUCTIONS = get_args(FoldKind)
IN_PYTHON = {
    *python_operations.INFIX, *python_operations.TESTS, *python_operations.FORMS, *python_operations.FUNCTIONS,
}  # fmt: skip

NO_VALUES = (ast.Text, ast.Pattern, ast.ListOf)
"""Expressions that the checker allows only where they are taken apart: in messages, comparisons and iterations."""

COMPLETE: dict[str, tuple[Collection[object], Collection[object]]] = {
    "parts of nodes": (parts.REWRITING, (*EXPRESSIONS, expressions.Loop, *STATEMENTS)),
    "expressions in Python": (python_text.PRINTERS, EXPRESSIONS),
    "values of reductions over nothing": (expressions.NOTHING_FOUND, REDUCTIONS),
    "reductions in the machine engine": (cases(folds) & {*REDUCTIONS}, REDUCTIONS),
    "expressions in the machine engine": (cases(machine_expressions) & {*shown(EXPRESSIONS)}, EXPRESSIONS),
    "instructions of WebAssembly in the binary format": (modules.WRITTEN, get_args(instructions.Code)),
    "instructions in an instruction": (polls.PARTS, get_args(instructions.Code)),
    "operations in Python": (IN_PYTHON, SIGNATURES),
    "parameters of functions": (python.PARAMETERS, get_args(FunctionKind)),
    "expressions of the language": ({*FORMS, *NO_VALUES}, get_args(ast.Expression)),
}
"""Tables without a fallback: what each of them knows, and all that it may be asked for."""

PARTIAL: dict[str, tuple[Collection[object], Collection[object]]] = {
    "evaluated expressions": (evaluating.PREPARED, EXPRESSIONS),
    "evaluated reductions": (evaluating.FOLDS, REDUCTIONS),
    "folded expressions": (folding.RULES, EXPRESSIONS),
    "folded statements": (folding.STATEMENTS, STATEMENTS),
    "folded operations": (folding_operations.RULES, SIGNATURES),
    "operations worked out": (folding_operations.WORKED_OUT, SIGNATURES),
    "operations in the machine engine": (operations.PRINTERS, SIGNATURES),
    "failing operations": (FAILING, SIGNATURES),
    "reading operations": (READING, SIGNATURES),
    "aggregates": (AGGREGATES, get_args(ast.AggregateFunction)),
}
"""Tables with a fallback for what they do not know: they must not know what there is not."""


@pytest.mark.parametrize("table", COMPLETE)
def test_a_table_without_a_fallback_has_all_kinds(table: str) -> None:
    has, kinds = COMPLETE[table]
    assert len(kinds) > 3
    assert shown(has) == shown(kinds)


@pytest.mark.parametrize("table", PARTIAL)
def test_a_table_with_a_fallback_has_no_kind_that_is_gone(table: str) -> None:
    has, kinds = PARTIAL[table]
    assert set(shown(has)) <= set(shown(kinds))


def test_a_field_that_holds_expressions_in_a_new_form_is_refused() -> None:
    """It would be skipped by every visitor."""

    @value_class
    class Pairs:
        pairs: dict[str, Expr]
        source: ast.Node | None = None

    with pytest.raises(TypeError, match=re.escape("Pairs.pairs: dict[str, Expr]")):
        parts.derive([Pairs])
    assert Pairs not in parts.REWRITING


def test_the_types_of_operations_are_those_that_the_verifier_knows() -> None:
    words = {word.lstrip("*") for arguments, result in SIGNATURES.values() for word in (*arguments, result)}
    assert words - {"any"} == set(CLASSES)


def test_every_keyword_of_expressions_is_read_aloud() -> None:
    """A keyword without a phrase stays English in the requirements of a game that is played in another language."""
    grammar = (ROOT / "dsl/grammar.lark").read_text("utf-8")
    expressions_section = re.search(r"-- expressions\n(.*?)\n// -+ words\n", grammar, re.DOTALL)
    assert expressions_section is not None
    names = set(re.findall(r"\b_?[A-Z_]{2,}\b", expressions_section[1])) - {"NAME", "INT", "STRING", "ADDOP", "MULOP"}
    patterns = {name: re.search(rf"^{name}(?:\.\d)?: /(.*)\\b/$", grammar, re.MULTILINE) for name in names}
    words = {re.sub(r"\[ \\t\]\+|\\s\+", " ", pattern[1]) for pattern in patterns.values() if pattern is not None}
    assert None not in patterns.values()
    assert words == set(KEYWORDS)


LEFT_TO_PYTHON = {
    "objective", "same_pieces", "replayed", "sees_piece", "sees_place", "sees_note", "over", "player", "moves",
    "winners",
}  # fmt: skip
"""Operations that only questions of seats contain, and `objective`, which is printed with the search it is for."""


def test_every_other_operation_is_printed_for_the_machine_engine() -> None:
    known = {*operations.PRINTERS, *cases(operations)}
    assert SIGNATURES.keys() - known <= LEFT_TO_PYTHON <= SIGNATURES.keys()


def test_every_statement_is_printed_for_the_machine_engine() -> None:
    """But what only other functions than those of the machine engine have."""
    known = cases(machine_statements) | cases(course) | cases(functions) | cases(listing)
    assert {kind.__name__ for kind in STATEMENTS} - known == {"Suspend"}


def test_an_operation_that_the_machine_engine_does_not_know_falls_back_to_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`UnprintableError` is the stated fallback: the game is played in Python, and the reason is given."""
    with pytest.raises(UnprintableError, match="the operation winners"):
        operations.operation(object(), Op(BOOL, "winners", (NOTHING,)))  # type: ignore[arg-type]
