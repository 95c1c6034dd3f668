"""Type inference for expressions, one node type after another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope
from dsl.checker.names.functions import FUNCTIONS, spanning
from dsl.checker.names.unknown_names import unknown_word
from dsl.checker.types.arithmetic import arithmetic_type, division_type
from dsl.checker.types.binders import bind_all, condition_scope
from dsl.checker.types.comparisons import comparison_type
from dsl.checker.types.component_types import combinations, size
from dsl.checker.types.corrections import (
    compares_condition,
    function_before,
    kind_in_words,
    numbered_kind,
    one_kind_of,
    operation_of,
    repeated_comparison,
)
from dsl.checker.types.expectations import about, expect_condition, expect_number
from dsl.checker.types.lookup import attribute_type, call_type, index_type, name_type
from dsl.checker.types.piece_kinds import narrowed, pieces_in
from dsl.checker.types.positions import MAX_TIMES, position_of
from dsl.checker.types.sets import join_all, range_type, report_unknown_element, set_of_items, set_type
from dsl.checker.types.statements import check_act
from dsl.checker.types.type_declarations import MAX_MEMBER
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.symbols import BuiltinSymbol, ConstantSymbol, NoteSymbol, OptionSymbol, PieceSymbol, ZoneSymbol
from dsl.text.numbers import MAX_NUMBER


def infer_form(typer: Typer, node: ast.Expression, scope: Scope, expected: ty.Type | None) -> ty.Type:
    """Infer the type of an expression; `expected` resolves names that several types share."""
    match node:
        case ast.Name():
            return name_type(typer, node, scope, expected)
        case ast.Number():
            if node.value > MAX_NUMBER:
                typer.context.error("E0305", f"the largest number is {MAX_NUMBER}", node)
                return ty.UNKNOWN
            return ty.Number(node.value, node.value)
        case ast.Range():
            return range_type(typer, node, scope)
        case ast.Index():
            return index_type(typer, node, scope)
        case ast.Call():
            return call_type(typer, node, scope, expected)
        case ast.Attribute():
            return attribute_type(typer, node, scope)
        # First unknown words, then what kind of thing this is: `2 kings` with a misspelt `king` is a misspelling, and
        # not "a kind is not a value". `n mod k` is neither, and has its own correction.
        case ast.Pattern() if operation_of(node) is None and unknown_word(typer.context, node, scope):
            return ty.UNKNOWN
        case ast.Text() | ast.Pattern() | ast.ListOf():
            return _not_a_value(typer, node)
        case ast.SetOf():
            return set_of_items(typer, node, scope, expected)
        case ast.Filter():
            bound_scope = bind_all(typer, (node.binder,), node.where, scope)
            return ty.several(ty.bare(bound_scope.locals[node.binder.name].type))
        case ast.Builder():
            bound_scope = bind_all(typer, node.binders, node.where, scope)
            return set_type(typer, ty.settled(typer.infer(node.value, bound_scope)), node.value, built=True)
        case ast.Either():
            # The condition is checked before both values, since names that it binds, as in `t is fields(n)`, are
            # known in the first one.
            bound_scope = condition_scope(typer, node.condition, scope)
            return join_all(typer, (node.then, node.otherwise), scope, expected, bound_scope)
        case ast.Quantified():
            return quantified_type(typer, node, scope)
        case ast.Best():
            return best_type(typer, node, scope)
        case ast.Aggregate():
            return aggregate_type(typer, node, scope)
        case ast.Count():
            operand = typer.infer(node.operand, scope)
            if ty.element_of(operand) is None:
                message, cause = f"expected a set after `count`, found {operand}", about(typer, node.operand)
                typer.context.error("E0308", message, node.operand, causes=[cause])
            return ty.Number(0, most_members(typer.context, operand, node.operand))
        case ast.Of():
            return of_type(typer, node, scope)
        case ast.Compare():
            return comparison_type(typer, node, scope)
        case ast.Arithmetic():
            return arithmetic_type(typer, node, scope, expected)
        case ast.Division():
            return division_type(typer, node, scope)
        case ast.Negative(operand=ast.Range()):
            typer.context.error("E0344", f"numbers in a set go from 0 to {MAX_MEMBER}, found `{node.span.text}`", node)
            return ty.UNKNOWN
        case ast.Negative():
            operand = expect_number(typer, node.operand, scope)
            # Ranges are exact at their ends, so they turn round: of `1..3` the negatives are `-3..-1`.
            return ty.Number(-operand.high, -operand.low)
        case ast.Not():
            expect_condition(typer, node.operand, scope, "after `not`")
            return ty.TRUTH
        case ast.Hypothesis():
            check_act(typer, node.step, scope, "hypothesis")
            # What a step does changes no types: the value has the type it would have without `given`.
            return typer.infer(node.value, scope, expected)
        case ast.Times():
            position_of(typer, node.position)
            return ty.Number(0, MAX_TIMES)
        case ast.And() | ast.Or():
            expect_condition(typer, node.left, scope, f"before `{node.kind}`")
            # Asked between the two sides: `c is a or b` fails on the right, and only with the left at hand can it be
            # corrected.
            repetition = repeated_comparison(node.left, node.right)
            expect_condition(typer, node.right, scope, f"after `{node.kind}`", repetition)
            return ty.TRUTH
        case _ as never:
            assert_never(never)


def _not_a_value(typer: Typer, node: ast.Text | ast.Pattern | ast.ListOf) -> ty.Type:
    """Report texts, kinds and lists where only a value is allowed."""
    fix: Replacement | None = None
    match node:
        case ast.Text():
            what, helps = "a quoted text", "texts are only for labels, reasons, headings and titles"
        case ast.Pattern():
            fix = function_before(node) or operation_of(node)
            what = "a kind of piece"
            helps = f"write `{fix.text}`" if fix is not None else "use a kind after `is` or `of`, or in a list"
        case ast.ListOf():
            what, helps = ("a list", "write a set as `{…}`; lists are only for `is` and `is in`")
    if isinstance(node, ast.ListOf):
        fix = Replacement(node.span, f"{{{node.span.text[1:-1]}}}")
    typer.context.error("E0311", f"{what} is not a value", node, [helps], new=fix)
    return ty.UNKNOWN


# ---- Quantifiers, aggregates, the best of a set, and `of` with a kind of piece


def quantified_type(typer: Typer, node: ast.Quantified, scope: Scope) -> ty.Type:
    """Type of `count`, `some`, `no`, `the`."""
    bound_scope = bind_all(typer, node.binders, node.where, scope, node)
    # INVARIANT: the range of a number bounds every value it can have in play. Bounds of counts are products of sizes
    # of types, large but never too small; a cell that holds a number relies on its range.
    if node.quantifier == "count":
        if compares_condition(typer.context, node):
            return ty.UNKNOWN  # it is reported already, and what it was meant to be compared with is another error
        return ty.Number(0, _times(typer, node.binders))
    if node.quantifier == "the":
        if len(node.binders) != 1:
            helps = ["test for the other with `some` after `where`"]
            typer.context.error("E0317", "`the` takes only one name", node, helps)
            return ty.UNKNOWN
        symbol = bound_scope.locals.get(node.binders[0].name)
        return ty.maybe(symbol.type) if symbol else ty.UNKNOWN
    return ty.TRUTH


def aggregate_type(typer: Typer, node: ast.Aggregate, scope: Scope) -> ty.Type:
    """Type of `sum`, `highest`, `lowest`; over an empty set they are 0."""
    bound_scope = bind_all(typer, node.binders, node.where, scope, node)
    value = expect_number(typer, node.value, bound_scope)
    if compares_condition(typer.context, node):
        return ty.UNKNOWN
    match node.function:
        case "sum":
            times = _times(typer, node.binders)
            return spanning((0, value.low * times, value.high * times))
        case "highest" | "lowest":
            # Over an empty set they are 0, and no set is known to have members.
            return ty.Number(min(0, value.low), max(0, value.high))
        case _ as never:
            assert_never(never)


def _times(typer: Typer, binders: Sequence[ast.Binder]) -> int:
    """Maximum number of iterations of the binders."""
    types = typer.context.model.types
    return min(ty.FAR, prod(most_members(typer.context, types[b.domain.number], b.domain) for b in binders))


def best_type(typer: Typer, node: ast.Best, scope: Scope) -> ty.Type:
    """Type of `the x in S with highest E`; of an empty set it is none."""
    bound_scope = bind_all(typer, (node.binder,), node.where, scope)
    expect_number(typer, node.value, bound_scope)
    return ty.maybe(bound_scope.locals[node.binder.name].type)


def of_type(typer: Typer, node: ast.Of, scope: Scope) -> ty.Type:
    """Type of `hand[me] of king`; of a zone without its index the places where such a piece lies."""
    # Before the operand is inferred: `top of deck` would otherwise be reported for the function without arguments.
    if isinstance(node.whole, ast.Name) and _as_in_english(typer, node, node.whole, scope):
        return ty.UNKNOWN
    whole_type = typer.infer(node.whole, scope)
    zone = typer.context.model.refers.get(node.whole.number)
    if isinstance(zone, ZoneSymbol) and zone.index and isinstance(node.whole, ast.Name):
        pieces = pieces_in(zone.contents)
        if pieces is not None and isinstance(whole_type, ty.Several):
            one_kind_of(typer, node.part, pieces, scope)
        return whole_type
    pieces = pieces_in(whole_type)
    if pieces is None:
        if not isinstance(whole_type, ty.Unknown):
            helps = ["write `hand[me] of king` for pieces of that kind, `top(pile)` for an end"]
            new = kind_in_words(typer.context, node, whole_type)
            condition = pieces_text = ""
            if isinstance(node.whole, ast.Number):
                condition, pieces_text = numbered_kind(typer.context, node.whole.value, node.part)
            if new is not None:
                helps = [f"write the values of a piece side by side: `{new.text}`"]
            elif condition:
                helps = [f"compare the values of a piece: `{condition}`", f"all such pieces are a set: `{pieces_text}`"]
                if typer.in_example:
                    helps.append(f"in a move, write them side by side: `{node.whole.span.text} {node.part.span.text}`")
            elif ty.numeric(whole_type):
                helps = ["write `count hand[me] of king` for how many there are; `2 of king` is only for moves"]
            typer.context.error(
                "E0318",
                f"expected pieces before `of`, found {whole_type}",
                node.whole,
                helps,
                new=new,
                causes=[] if new is not None or condition else [about(typer, node.whole)],
            )
        return ty.UNKNOWN
    one_kind_of(typer, node.part, pieces, scope)
    return ty.Several(narrowed(typer.context, node.part, pieces))


def _as_in_english(typer: Typer, node: ast.Of, whole_name: ast.Name, scope: Scope) -> bool:
    """Report `top of deck` and `hand of me`, where the language uses brackets instead of `of`."""
    # A local name hides the zone of that name, and then nothing is meant as in English.
    symbol = None if scope.find(whole_name.name) else typer.context.globals.get(whole_name.name)
    part = node.part.span.text
    if isinstance(symbol, BuiltinSymbol) and whole_name.name in FUNCTIONS:
        new = f"{whole_name.name}({part})"
        typer.infer(node.part, scope)
        message = f"`{whole_name.name}` is a function"
        typer.context.error("E0318", message, whole_name, [f"write `{new}`"], new=new, at=node.span)
        return True
    if not isinstance(symbol, ZoneSymbol | NoteSymbol) or symbol.index != (ty.PLAYER,):
        return False
    if isinstance(symbol, ZoneSymbol) and symbol.declaration.shape == "one":
        return False
    new = f"{whole_name.name}[{part}]"
    typer.context.error(
        "E0309", f"`{whole_name.name}` needs an index", whole_name, [f"write `{new}`"], new=new, at=node.span
    )
    return True


# ---------------- upper bounds on what can be counted: the values of a type, the pieces of a game


MAX_PIECES = 10_000
MAX_OF_EACH = 999
"""Maximum number of pieces of a game, and of each kind; both are checked elsewhere."""


def most_members(context: Context, type_: ty.Type, node: ast.Expression | None = None) -> int:
    """Maximum size of a set of this type; FAR if unknown."""
    if isinstance(type_, ty.ListType):
        return len(node.items) if isinstance(node, ast.ListOf) else ty.FAR
    element = ty.element_of(type_)
    return ty.FAR if element is None else most_values(context, element)


def most_values(context: Context, type_: ty.Type) -> int:
    """Maximum number of values of a type; FAR if unknown."""
    match ty.bare(type_):
        case ty.PieceType(piece_types):
            pieces = context.model.pieces
            return min(MAX_PIECES, sum(_pieces(context, pieces[piece_type]) for piece_type in piece_types))
        case ty.Number() | ty.Listed() | ty.Truth() as core:
            return size(context, core)
        case _:
            return ty.FAR


def _pieces(context: Context, piece: PieceSymbol) -> int:
    """Maximum number of pieces of a type."""
    kinds = combinations(context, tuple(piece.attributes.values()))
    # A negative number of pieces is reported elsewhere; here it must not make the bound of others smaller.
    return kinds * min(MAX_OF_EACH, max(0, _amount(context, piece, piece.declaration.amount)))


def _amount(context: Context, piece: PieceSymbol, node: ast.Expression) -> int:
    """Maximum number of pieces of each kind, as far as it can be determined before types are known."""
    model = context.model
    match node:
        case ast.Number():
            return node.value
        case ast.Attribute(base=ast.Name(name=name)) if isinstance(type_ := piece.attributes.get(name), ty.Listed):
            column = model.type_symbols[type_.name].attributes.get(node.name)
            return column.high if isinstance(column, ty.Number) else MAX_OF_EACH
        case ast.Name() if isinstance(symbol := model.globals.get(node.name), OptionSymbol | ConstantSymbol):
            return symbol.type.high if isinstance(symbol.type, ty.Number) else MAX_OF_EACH
        case ast.Arithmetic(operator="+" | "*"):
            left, right = _amount(context, piece, node.left), _amount(context, piece, node.right)
            return left + right if node.operator == "+" else left * right
        case _:
            return MAX_OF_EACH


# ---------------- expressions whose type nothing determines: `first({})`, `{} + {}`, `{none}`


def undetermined_types(context: Context, nodes: Iterable[ast.Node] | None = None) -> None:
    """Report each expression of undetermined type, where no error has been reported; by default in the whole file.

    An empty set alone is none of them: what it is compared or joined with determines its type.
    """
    types = context.model.types
    open_nodes = {
        node.number: node
        for node in (context.model.nodes if nodes is None else nodes)
        if node.number in types and not _is_determined(types[node.number]) and not _is_empty(node)
    }
    for node in open_nodes.values():
        # `first({} + {})` is undetermined three times over. The innermost expression is where a type can be given, so
        # that one alone is reported.
        parts = [part for part in node.walk() if part is not node]
        if not any(part.number in open_nodes for part in parts):
            report_unknown_element(context, next(filter(_is_empty, parts), node))


def _is_empty(node: ast.Node) -> bool:
    return isinstance(node, ast.SetOf | ast.ListOf) and not node.items


def _is_determined(type_: ty.Type) -> bool:
    match type_:
        case ty.Unknown():
            return False
        case ty.Several(element) | ty.ListType(element):
            return not isinstance(element, ty.Nothing) and _is_determined(element)
        case ty.Maybe(of):
            return _is_determined(of)
        case ty.Contents(pieces):
            return _is_determined(pieces)
        case ty.Truth() | ty.Number() | ty.Listed() | ty.PieceType() | ty.Nothing() | ty.Kind() | ty.TextType():
            return True
        case _ as never:
            assert_never(never)
