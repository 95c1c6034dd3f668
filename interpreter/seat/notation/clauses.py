"""Moves by the clauses of actions: `play(cellar, [2 copper])` is a move of the clause `play(cellar)`."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.model import Model
from dsl.symbols import RuleSymbol
from dsl.text.arguments import split_arguments

VALUE = "value"
"""The argument that says which clause a move belongs to."""


def action_name(name: str) -> str:
    """The name of an action, that of a clause without its value."""
    return name.partition("(")[0]


def with_value(rule: RuleSymbol, words: Sequence[str]) -> list[str]:
    """The arguments of a move as they are written: the value of the clause, then the others."""
    clause = rule.declaration.clause
    match clause.value if clause is not None else None:
        case None:
            return list(words)
        case ast.Name(name=name):
            return [name, *words]
        case ast.Call(arguments=arguments):
            assert clause is not None
            count = len(arguments)
            return [f"{clause.key}({', '.join(words[:count])})", *words[count:]]


def notation_of(rule: RuleSymbol, words: Sequence[str]) -> str:
    """A move from the words of its arguments."""
    written = with_value(rule, words)
    return f"{action_name(rule.name)}({', '.join(written)})" if written else rule.name


def without_value(rule: RuleSymbol, texts: Sequence[str]) -> list[str]:
    """The arguments of the clause itself, from those of a move as they are written."""
    clause = rule.declaration.clause
    if clause is None or clause.value is None or not texts:
        return list(texts)
    return [*split_arguments(texts[0].partition("(")[2].removesuffix(")")), *texts[1:]]


def clause_meant(model: Model, name: str, texts: Sequence[str]) -> RuleSymbol | None:
    """The rule that a move is about: for an action with clauses, the one for the value of the first argument."""
    key = texts[0].partition("(")[0].strip() if texts else ""
    names = (ast.clause_name(name, key), ast.clause_name(name, "otherwise"), name)
    return next((model.rules[candidate] for candidate in names if candidate in model.rules), None)
