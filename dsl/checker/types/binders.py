"""Names bound by `x in S`, by conditions and by choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.types.corrections import Computation, bracketed, overlong_domain
from dsl.checker.types.expectations import about, expect_condition
from dsl.checker.types.sets import list_type, report_unknown_element
from dsl.checker.types.typer import Typer
from dsl.symbols import LocalSymbol
from dsl.types import UNKNOWN, Type, Unknown, element_of


def condition_scope(typer: Typer, node: ast.Expression, scope: Scope) -> Scope:
    """Check the condition of a case or an `if`; return the scope with the names that take arguments in it."""
    bound_scope = scope.inner()
    typer.binding_comparisons |= {part.number for part in ast.conjuncts(node)}
    expect_condition(typer, node, bound_scope, "after `if`")
    return bound_scope


def bind(typer: Typer, node: ast.Binder, scope: Scope) -> LocalSymbol:
    """Bind the name of `x in S` in the scope."""
    return scope.bind(node.name, element_type(typer, node.domain, scope), "binder", node)


def bind_all(
    typer: Typer,
    binders: Sequence[ast.Binder],
    where: ast.Expression | None,
    scope: Scope,
    value: ast.Node | None = None,
) -> Scope:
    """Bind several names in order, and check the condition. `value` is an expression with these binders."""
    bound_scope = scope.inner()
    last = binders[-1].domain if binders else None
    excess = overlong_domain(binders, where) if value is not None else None
    if value is not None and excess is not None:
        binders = (*binders[:-1], _bracketed_domain(typer, binders[-1], excess, value))
    for binder in binders:
        bind(typer, binder, bound_scope)
    if last is not None and excess is not None:
        typer.context.model.types[last.number] = typer.context.model.types[excess.left.number]
    if where is not None:
        if isinstance(value, ast.Aggregate) or (isinstance(value, ast.Quantified) and value.quantifier == "count"):
            typer.counted_conditions[ast.conjuncts(where)[-1].number] = value
        expect_condition(typer, where, bound_scope, "after `where`")
    return bound_scope


def _bracketed_domain(typer: Typer, binder: ast.Binder, excess: Computation, value: ast.Node) -> ast.Binder:
    """The binder with its intended domain, where a sum reaches beyond it."""
    new = bracketed(value, excess)
    sign = excess.operator if isinstance(excess, ast.Arithmetic) else "/"
    helps = [f"write `{new.text}`"] if new else [f"put everything before `{sign}` in brackets"]
    message = f"`{sign}` is read as part of the set after `in`: add brackets"
    typer.context.error("E0134", message, excess, helps, new=new)
    return replace(binder, domain=excess.left)


def element_type(typer: Typer, node: ast.Expression, scope: Scope) -> Type:
    """Type of the members of a set that is iterated over or chosen from."""
    type_ = list_type(typer, node, scope, None) if isinstance(node, ast.ListOf) else typer.infer(node, scope)
    element = element_of(type_)
    if element is None:
        typer.context.error(
            "E0308",
            f"expected a set, found {type_}",
            node,
            ["write a zone, a type, a set `{…}` or a range `1..3`"],
            causes=[about(typer, node)],
        )
        return UNKNOWN
    if isinstance(element, Unknown) and not isinstance(type_, Unknown):
        report_unknown_element(typer.context, node)
    return element
