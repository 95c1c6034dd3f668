"""Bodies of declarations: parameters, definitions, phases, tables.

Rules use each other in any order, and a definition may say what it is without saying its type:

    define best(p: Player): highest worth(c) for c in hand[p]       what type is worth(c)?
    define worth(c: Card): 10 if c is trump; c.rank otherwise       declared later

All parameters therefore come first (`check_rules`), as their types are written down or follow from a domain. The type
of a definition is inferred when it is first asked for, in the middle of another one if need be (`definition_type`),
with a scope of its own; `typer.open` lists the definitions that are being inferred, which finds cycles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope, near, spelt
from dsl.checker.logic.reachability import missing
from dsl.checker.names.declarations import declarations
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.types.binders import bind_all, condition_scope, element_type
from dsl.checker.types.component_types import combinations
from dsl.checker.types.expectations import (
    about,
    check_text,
    declared,
    expect,
    expect_condition,
    expect_number,
    number_range,
)
from dsl.checker.types.infer import infer_form
from dsl.checker.types.lookup import count_error
from dsl.checker.types.piece_kinds import pieces_in
from dsl.checker.types.positions import anew, check_position, rounds
from dsl.checker.types.sets import common_type, report_unknown_element
from dsl.checker.types.statements import check_block, check_direction
from dsl.checker.types.type_declarations import type_of_union
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause, Label, Replacement
from dsl.symbols import DefineSymbol, LocalSymbol, RuleSymbol, WhenSymbol

MAX_PARAMETERS = 8


MAX_MOVES = 100_000


def typer_of(context: Context, in_example: bool = False) -> Typer:
    """Create the typer for a model."""
    return Typer(context, infer_form, definition_type, in_example)


def check_rules(typer: Typer) -> None:
    """Check the parameters of all definitions, actions, steps and reactions, then every body."""
    model = typer.context.model
    scopes: dict[int, Scope] = {}
    owners: list[DefineSymbol | RuleSymbol | WhenSymbol] = [*model.defines.values(), *model.whens]
    rules = sorted(model.rules.values(), key=lambda rule: rule.is_action)  # domains of actions may suppose steps
    for owner in [*owners, *rules]:
        scope = scopes[owner.declaration.number] = Scope(typer.context)
        action = isinstance(owner, RuleSymbol) and owner.is_action
        owner.parameters = tuple(_parameter(typer, p, scope, action) for p in owner.declaration.parameters)
        if not isinstance(owner, DefineSymbol):
            _check_move_count(typer, owner)
    for declaration in declarations(model.file):
        _declaration(typer, declaration, scopes.get(declaration.number) or Scope(typer.context))
    setup = Scope(typer.context)
    typer.before_play = True
    for part in model.file.parts:
        check_block(typer, part.statements, setup)
    typer.before_play = False


def _parameter(typer: Typer, node: ast.Parameter, scope: Scope, action: bool) -> LocalSymbol:
    if node.type is not None:
        type_ = type_of_union(typer.context, node.type)
        if action and isinstance(ty.bare(type_), ty.Several):
            helps = ["let the action choose: `must choose x from …`"]
            typer.context.error("E0337", f"a parameter of an action cannot be {type_}", node, helps)
            type_ = ty.UNKNOWN
    else:
        assert node.domain is not None
        type_ = element_type(typer, node.domain, scope)
        if not action:
            message = f"`{node.name}` needs a type: only parameters of actions are written with `in`"
            typer.context.error("E0323", message, node, [f"write `{node.name}: …`"])
    if node.secret and not action:
        typer.context.error("E0604", "only a parameter of an action can be `secret`", node)
    return scope.bind(node.name, type_, "parameter", node)


def _check_move_count(typer: Typer, owner: RuleSymbol | WhenSymbol) -> None:
    """Report an action with too many moves, or a reaction with too many cases, to enumerate."""
    parameters, node = owner.parameters, owner.declaration
    if len(parameters) > MAX_PARAMETERS:
        typer.context.error("E0338", f"`{owner.name}` has more than {MAX_PARAMETERS} parameters", node)
    typed = [p.type for p, written in zip(parameters, node.parameters, strict=True) if written.type is not None]
    enumerated = isinstance(owner, WhenSymbol) or owner.is_action
    if enumerated and combinations(typer.context, typed) > MAX_MOVES:
        message = f"`{owner.name}` has more than {MAX_MOVES} combinations of arguments"
        typer.context.error("E0338", message, node, ["choose them one at a time: `must choose x from …`"])
    if isinstance(owner, WhenSymbol) and any(isinstance(ty.bare(p.type), ty.Several) for p in parameters):
        helps = ["declare it for single values, and use `for each` in the body"]
        typer.context.error("E0337", "a parameter of a `when` cannot be a set", node, helps)


def _declaration(typer: Typer, node: ast.Declaration, scope: Scope) -> None:
    model = typer.context.model
    match node:
        case ast.Piece():
            _piece(typer, node, scope)
        case ast.Zone() if node is model.zones[node.name].node:
            for parameter, type_ in zip(node.index, model.zones[node.name].index, strict=True):
                scope.bind(parameter.name, type_, "parameter", parameter)
            _sights(typer, node.sights, scope, model.zones[node.name].contents)
        case ast.Note() if node is model.notes[node.name].node:
            for parameter, type_ in zip(node.index, model.notes[node.name].index, strict=True):
                scope.bind(parameter.name, type_, "parameter", parameter)
            note = model.notes[node.name]
            expect(typer, node.first, scope, note.type or ty.UNKNOWN, f"for `{node.name}`", declared(note))
            _sights(typer, node.sights, scope, None)
            anew(typer.context, note)
        case ast.Die() if node is model.dice[node.name].node:
            for parameter, type_ in zip(node.index, model.dice[node.name].index, strict=True):
                scope.bind(parameter.name, type_, "parameter", parameter)
        case ast.PositionDeclaration() if node is model.positions[node.name].node:
            check_position(typer, node, scope)
        case ast.Option():
            symbol = model.options[node.name]
            if symbol.default in symbol.values and symbol.default != "random":
                typer.infer(node.default, scope, symbol.type)
        case ast.Define() if node is model.defines[node.name].node:
            _define(typer, model.defines[node.name])
        case ast.Winner():
            for rank_criterion in node.criteria:
                criterion(typer, rank_criterion, scope)
        case ast.Teams():
            teams(typer, node, scope)
        case ast.Action() | ast.Step() if node is model.rules[node.name].node:
            if isinstance(node, ast.Action) and node.label is not None:
                check_text(typer, node.label, scope)
            if isinstance(node, ast.Action):
                offered_once(typer, node, scope)
            _rule(typer, node, scope.inner())
        case ast.When() if any(node is when.node for when in model.whens):
            _when(typer, node, scope)
        case ast.Phase():
            _phase(typer, node, scope)
        case ast.Table():
            _table(typer, node, scope)
        case (
            ast.TypeList() | ast.TypeTable() | ast.TypeBoard() | ast.ByPlayers() | ast.Board() | ast.Zone()
            | ast.Note() | ast.Die() | ast.PositionDeclaration() | ast.Names() | ast.Define() | ast.Action()
            | ast.Step() | ast.When() | ast.Example()
        ):  # fmt: skip
            pass
        case _ as never:
            assert_never(never)


def _rule(typer: Typer, node: ast.Action | ast.Step, scope: Scope) -> None:
    """Check requirements and statements; a requirement can use the names of the `let`s above it.

    One that a variant adds stands in another file, and can use all of them.
    """
    lets = list(ast.lets_at_head(node))
    done = len(lets)
    for require in node.requires:
        while lets and (lets[0].span.source is not require.span.source or lets[0].span.start < require.span.start):
            check_block(typer, [lets.pop(0)], scope)
        bound = {part.name for part in require.walk() if isinstance(part, ast.Binder)}
        later = {let.name: let for let in lets if let.name not in bound}
        early = next((part for part in require.walk() if isinstance(part, ast.Name) and part.name in later), None)
        if early is not None:
            helps = [f"move `{later[early.name].span.text}` above this requirement"]
            typer.context.error("E0201", f"`{early.name}` has no value yet", early, helps)
            check_block(typer, lets, scope)
            lets = []
        expect_condition(typer, require.condition, scope, "after `require`")
        check_text(typer, require.reason, scope)
    check_block(typer, [*lets, *node.body[done:]], scope)


def _piece(typer: Typer, node: ast.Piece, scope: Scope) -> None:
    if node is not typer.context.model.pieces[node.name].node:
        return
    attributes = typer.context.model.pieces[node.name].attributes
    for attribute in node.attributes:
        if attribute.type is None:  # reported already
            continue
        type_of_attribute = attributes.get(attribute.name, ty.UNKNOWN)
        scope.bind(attribute.name, type_of_attribute, "binder", attribute, beside=frozenset(FUNCTIONS))
    amount = expect_number(typer, node.amount, scope)
    if amount.high < 0 or amount.low > 999:
        typer.context.error("E0338", f"expected 0 to 999 of each piece, found {amount}", node.amount)
    if node.home is None:
        return
    type_ = typer.infer(node.home, scope)
    if not isinstance(type_, ty.Contents | ty.Unknown):
        typer.context.error("E0324", f"expected a zone for the pieces, found {type_}", node.home)
    elif isinstance(type_, ty.Contents) and node.name not in type_.pieces.piece_types:
        helps = [f"name a zone that `holds {node.name}`"]
        typer.context.error("E0324", f"this zone does not hold `{node.name}`", node.home, helps)


def _sights(typer: Typer, sights: Sequence[ast.Sight], scope: Scope, contents: ty.Type | None) -> None:
    """Check the observers of a note, or of the contents of a zone, where `it` is each piece."""
    first_of: dict[str | None, ast.Sight] = {}
    if sights and isinstance(contents, ty.Contents):
        scope.bind("it", contents.pieces, "parameter", sights[0])
    for sight in sights:
        type_ = typer.infer(
            sight.viewers, scope, ty.PLAYER if isinstance(sight.viewers, ast.Name) else ty.Several(ty.PLAYER)
        )
        if not (ty.fits(type_, ty.PLAYER) or ty.fits(type_, ty.Several(ty.PLAYER)) or isinstance(type_, ty.Nothing)):
            helps = ["write `all`, `nobody`, a seat or a set of seats"]
            typer.context.error("E0325", f"expected seats after `seen by`, found {type_}", sight.viewers, helps)
        if first_of.setdefault(sight.attribute, sight) is not sight:
            labels = [Label(first_of[sight.attribute].span, "first here")]
            typer.context.error("E0202", "visibility is declared twice", sight, labels=labels)
        if sight.attribute is not None and not isinstance(contents, ty.Unknown):
            pieces = pieces_in(contents)
            types = pieces.piece_types if pieces else ()
            attributes = {name for piece_type in types for name in typer.context.model.pieces[piece_type].attributes}
            if sight.attribute not in attributes:
                message, at = f"no piece here has an attribute `{sight.attribute}`", spelt(sight, sight.attribute)
                typer.context.error("E0207", message, at, proposals=near(sight.attribute, attributes))


def _define(typer: Typer, symbol: DefineSymbol) -> ty.Type:
    if symbol.type is not None:
        return symbol.type
    node = symbol.declaration
    scope = Scope(typer.context)
    scope.locals = {parameter.name: parameter for parameter in symbol.parameters}
    stated = type_of_union(typer.context, node.result) if node.result else None
    result: ty.Type = ty.UNKNOWN
    typer.open.append(node.name)
    # An example may be what asks first, but the names that only examples have mean nothing in the definition.
    in_example, typer.in_example = typer.in_example, False
    errors_before = len(typer.context.diagnostics)
    for case in node.cases:
        case_scope = scope if case.condition is None else condition_scope(typer, case.condition, scope)
        # The cases before decide what an ambiguous word means: `red if …; blue otherwise` of a card, not of a seat.
        hint = stated or (None if isinstance(result, ty.Unknown) else result)
        type_ = ty.settled(typer.infer(case.value, case_scope, hint))
        joined = ty.join(result, type_) or common_type(result, type_, stated)
        if joined is None:
            message = f"expected {result} as in the cases before, found {type_}"
            cause = declared(symbol, type_)
            typer.context.error("E0316", message, case.value, causes=[cause])
        else:
            result = joined
    typer.open.pop()
    typer.in_example = in_example
    if stated is None:
        suggest_result_type(typer.context, node, errors_before)
    _check_cases(typer, node)
    if stated is not None and not ty.fits(result, stated):
        typer.context.error("E0306", f"expected {stated} as the value of `{node.name}`, found {result}", node)
    if stated is None and not ty.known(result) and not isinstance(ty.bare(result), ty.Unknown):
        report_unknown_element(typer.context, node.cases[0].value)
        result = ty.UNKNOWN
    symbol.type = stated or result
    return symbol.type


def _check_cases(typer: Typer, node: ast.Define) -> None:
    """Report a definition without an `otherwise` case, and cases after it."""
    if all(case.condition is not None for case in node.cases):
        message = f"`{node.name}` has no `otherwise` case"
        typer.context.error("E0405", message, node, ["end it with `… otherwise`", *missing(typer.context, node)])
    for previous, following in zip(node.cases, node.cases[1:], strict=False):
        if previous.condition is None:
            message = "this case is never reached: `otherwise` comes before it"
            typer.context.error("E0405", message, following, ["put `otherwise` last"])
            break


def definition_type(typer: Typer, symbol: DefineSymbol, node: ast.Node) -> ty.Type:
    """Result type of a definition, inferred when first needed; cycles are reported, but not calls of itself."""
    if symbol.type is None and symbol.name in typer.open:
        symbol.type = _type_of_cycle(typer, symbol, node)
    return _define(typer, symbol)


def _type_of_cycle(typer: Typer, symbol: DefineSymbol, node: ast.Node) -> ty.Type:
    """Result type of a definition whose value is needed for its own; `self_calls` sees to it that it has one."""
    if typer.open[-1] != symbol.name:
        cycle = " → ".join(f"`{name}`" for name in [*typer.open[typer.open.index(symbol.name) :], symbol.name])
        helps = ["use `sum`, or keep the value in a note", "or write it as one definition that calls itself"]
        typer.context.error("E0406", f"`{symbol.name}` is defined in terms of itself: {cycle}", node, helps)
        return ty.UNKNOWN
    result = symbol.declaration.result
    if result is None:
        takes = ", ".join(parameter.span.text for parameter in symbol.declaration.parameters)
        message = f"`{symbol.name}` calls itself, so the type of its value must be declared"
        helps = [f"write it after `->`, such as `define {symbol.name}({takes}) -> 0..20:`"]
        typer.context.error("E0406", message, node, helps)
        return ty.UNKNOWN
    return type_of_union(typer.context, result)


def _when(typer: Typer, node: ast.When, scope: Scope) -> None:
    define = typer.context.model.defines.get(node.name)
    if define is None:
        proposals = near(node.name, typer.context.model.defines)
        helps = [] if proposals else [f"add `define {node.name}: …`"]
        if node.name in typer.context.values:
            helps = [f"what a value does is a clause of a step: `step use({node.name}): …`"]
        elif node.name in typer.context.model.rules:
            helps = [f"what happens with every `{node.name}` is a step: `step NAME, after {node.name}: …`"]
            proposals = []
        message, at = f"there is no definition `{node.name}` for this `when`", spelt(node, node.name)
        typer.context.error("E0407", message, at, helps, proposals=proposals, causes=[Cause("unknown", node.name)])
    else:
        typer.context.used.add(define.declaration.number)
        names = ", ".join(f"{parameter.name}: …" for parameter in define.declaration.parameters)
        if len(define.parameters) != len(node.parameters):
            count_error(typer, define, len(define.parameters), len(node.parameters), node, names)
        for symbol, parameter in zip(define.parameters, node.parameters, strict=False):
            local = scope.find(parameter.name)
            if local is not None and not ty.fits(local.type, symbol.type):
                message = f"expected {symbol.type} as `{symbol.name}` of `{node.name}`, found {local.type}"
                typer.context.error("E0306", message, parameter)
        if not ty.fits(_define(typer, define), ty.TRUTH):
            message = f"expected a condition after `when`, but `{node.name}` is {define.type}"
            typer.context.error("E0307", message, node)
    check_block(typer, node.body, scope.inner())


def _phase(typer: Typer, node: ast.Phase, scope: Scope) -> None:
    for seat in (node.first, node.last):
        if seat is not None:
            expect(typer, seat, scope, ty.PLAYER, "in `turns from …`")
    check_direction(typer, node.backwards, scope)
    for words, condition in node.ends:
        expect_condition(typer, condition, scope, f"after `{words}`")
    if node.over_when is not None and node.first is None:
        helps = ["write `turns from …` before it, or use `over as soon as …`"]
        message = "`over when` is checked between turns, but this phase has none"
        typer.context.error("E0409", message, node.over_when, helps)
    if node.first is not None and node.phases:
        helps = ["put the turns into an inner phase"]
        typer.context.error("E0410", "a phase with turns holds statements, not phases", node, helps)
    rounds(typer.context, node)
    check_block(typer, node.body, scope.inner())


def _on_board(typer: Typer, node: ast.Table) -> None:
    """Report `on board` unless the rows are for places of the board, or of a copy of it for each of other values."""
    symbols = [typer.context.model.refers.get(binder.number) for binder in node.binders]
    *copies, core = [ty.bare(symbol.type) if isinstance(symbol, LocalSymbol) else None for symbol in symbols or [None]]
    types = typer.context.model.type_symbols

    def is_place(type_: ty.Type | None) -> bool:
        return (
            isinstance(type_, ty.Listed) and type_.name in types and isinstance(types[type_.name].node, ast.TypeBoard)
        )

    if any(isinstance(type_, ty.Unknown) for type_ in (core, *copies)):
        return
    if (
        is_place(core)
        and len(copies) <= 1
        and all(isinstance(copy, ty.Listed) and not is_place(copy) for copy in copies)
    ):
        return
    helps = ["use a type from the board: `for each x in Space`", "or remove `on board`"]
    what = f"each row is for {core}" if core is not None else "it has no rows"
    if copies:
        what = "each row is for several values"
        helps.insert(0, "for a board for each player: `for each p in Player with x in Space`")
    typer.context.error("E0757", f"this table cannot be drawn on the board: {what}", node.title, helps)


def _table(typer: Typer, node: ast.Table, scope: Scope) -> None:
    check_text(typer, node.title, scope)
    scope = bind_all(typer, node.binders, node.where, scope)
    if node.on_board:
        _on_board(typer, node)
    for column in node.columns:
        column_scope = scope.inner()
        check_text(typer, column.heading, column_scope)
        if column.name is not None and column.domain is not None:
            column_scope.bind(column.name, element_type(typer, column.domain, column_scope), "binder", column)
            if column.where is not None:
                expect_condition(typer, column.where, column_scope, "after `where`")
        typer.infer(column.value, column_scope)


# ---- Ambiguous values that a definition returns: the type of its result, written after its name, decides


def suggest_result_type(context: Context, node: ast.Define, first: int) -> None:
    """Say in the diagnostics from number `first` on how to declare the type, where an ambiguous value is the result."""
    returned = {value.span: form for case in node.cases for value, form in _returned(case.value, "")}
    for place, diagnostic in enumerate(context.diagnostics[first:], first):
        form = returned.get(diagnostic.span)
        if diagnostic.code != "E0205" or form is None:
            continue
        name = diagnostic.span.text.partition("(")[0]
        symbols = (*context.values.get(name, ()), *context.families.get(name, ()))
        owners = dict.fromkeys(getattr(symbol.type, "name", "") for symbol in symbols)
        types = " or ".join(f"`-> {form}{owner}`" for owner in owners if " " not in owner)
        helps = (f"declare the type of the result, after `{_head(node)}`: {types}", *diagnostic.helps)
        context.diagnostics[place] = replace(diagnostic, helps=helps[:4])


def _head(node: ast.Define) -> str:
    """The name of a definition, with brackets if it has parameters."""
    return f"{node.name}(…)" if node.parameters else node.name


def _returned(node: ast.Expression, form: str) -> Iterator[tuple[ast.Expression, str]]:
    """The words that are the result of an expression, or members of it, with what is before their type."""
    match node:
        case ast.Name() | ast.Call():
            yield node, form
        case ast.Either():
            yield from _returned(node.then, form)
            yield from _returned(node.otherwise, form)
        case ast.SetOf() if not form:
            for item in node.items:
                yield from _returned(item, "several ")
        case _:
            pass


# ---- Types of `offered once for`: the values by which the moves of an action are the same


def offered_once(typer: Typer, node: ast.Action, scope: Scope) -> None:
    """Check which moves of an action are the same."""
    for once in node.once[1:]:
        labels = [Label(node.once[0].span, "first here")]
        helps = ["join the two lines: `offered once for …, …`"]
        typer.context.error("E0350", f"`{node.name}` is `offered once` twice", once, helps, labels)
    for once in node.once:
        for value in once.values:
            type_ = typer.infer(value, scope)
            if isinstance(type_, ty.Kind | ty.ListType | ty.TextType):
                helps = [f"name a value that depends on {_parameters(node)}"] * bool(node.parameters)
                typer.context.error("E0311", f"{type_} is not a value to compare moves by", value, helps)
                typer.context.model.types[value.number] = ty.Unknown()
    if not node.parameters and node.once:
        message = f"`{node.name}` takes no arguments, so it is a single move"
        typer.context.error("E0350", message, node.once[0], ["leave the line out"])
    elif node.once:
        _values(typer, node, node.once[0])


def _values(typer: Typer, node: ast.Action, once: ast.OfferedOnce) -> None:
    """Report a value that is the same for all moves, and values that are the same for no two of them."""
    model = typer.context.model
    parameters = {parameter.number for parameter in node.parameters}
    named: set[int] = set()
    for value in once.values:
        read = [model.refers.get(part.number) for part in value.walk() if isinstance(part, ast.Name)]
        read_parameters = {
            symbol.node.number for symbol in read if isinstance(symbol, LocalSymbol) and symbol.node is not None
        }
        if isinstance(value, ast.Name):
            named |= read_parameters
        if not read_parameters & parameters and not isinstance(model.types[value.number], ty.Unknown):
            helps = [f"name what distinguishes the moves: values that depend on {_parameters(node)}"]
            typer.context.error("E0350", "this is the same for all moves of the action", value, helps)
    if named >= parameters:
        message = "no two moves have the same values here, so none is omitted"
        last = node.parameters[-1].name
        helps = [f"replace a parameter by what counts about it: `what_counts({last})`", "or leave the line out"]
        typer.context.error("E0350", message, once, helps, severity="warning")


def _parameters(node: ast.Action) -> str:
    *others, last = [f"`{parameter.name}`" for parameter in node.parameters]
    return f"{', '.join(others)} or {last}" if others else last


# ---- Types of what decides who wins: numbers to compare, conditions, teams


def criterion(typer: Typer, node: ast.Criterion, scope: Scope) -> None:
    """Check a criterion of `winner`: a condition, or a number after `highest` and `lowest`."""
    if node.direction is None:
        _condition(typer, node.value, scope)
        return
    type_ = typer.infer(node.value, scope)
    if ty.bare(type_) == ty.TRUTH:
        helps = [f"leave out `{node.direction}`: seats that do not meet a condition cannot win"]
        new = node.value.span.text if node.direction == "highest" else f"not ({node.value.span.text})"
        fix = Replacement(node.span, new)
        message = f"expected a number after `{node.direction}`, found {type_}"
        typer.context.error("E0321", message, node.value, helps, new=fix, causes=[about(typer, node.value)])
    else:
        # Reports what is no number; the range itself does not matter here.
        number_range(typer, type_, node.value)


def _condition(typer: Typer, node: ast.Expression, scope: Scope) -> None:
    type_ = typer.infer(node, scope, ty.TRUTH)
    if ty.fits(type_, ty.TRUTH):
        return
    new, helps = _meant(node, type_, typer.context.model.seats)
    helps = [f"write `{new}`", *helps] if new else helps
    message = f"expected a condition, or `highest` and a number, found {type_}"
    fix = Replacement(node.span, new) if new else None
    typer.context.error("E0307", message, node, helps, new=fix, causes=[about(typer, node)])


def teams(typer: Typer, node: ast.Teams, scope: Scope) -> None:
    """Check that teams have names: they are values of a listed type, seats or numbers."""
    type_ = typer.infer(node.value, scope)
    core = ty.bare(type_)
    if isinstance(core, ty.Listed | ty.Number | ty.Unknown):
        return
    helps = ["name the teams in a type, and define which one a seat belongs to"]
    if core == ty.TRUTH:
        helps = [f"name the teams: `type Side is …`, `define side(p: Player): (… if {node.value.span.text} else …)`"]
    message = f"expected the team of a seat after `teams by`, found {type_}"
    typer.context.error("E0306", message, node.value, helps, causes=[about(typer, node.value)])


def _meant(node: ast.Expression, type_: ty.Type, seats: Sequence[str]) -> tuple[str | None, list[str]]:
    """What a criterion that is no condition is meant to say, if that is clear, and what else helps."""
    text, core, element = node.span.text, ty.bare(type_), ty.element_of(type_)
    brief = isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call)
    if type_ == ty.NOTHING:
        return None, ["say when a seat wins: seats that do not meet the condition cannot win"]
    if core == ty.PLAYER and brief:
        return f"me is {text}" if text in seats else f"{text} is me", []
    if element is not None and ty.bare(element) == ty.PLAYER and brief:
        return f"me is in {text}", []
    if isinstance(node, ast.Best | ast.Filter) and ty.PLAYER in (core, element and ty.bare(element)):
        return _of_the_seat(node), []
    if isinstance(node, ast.Aggregate):
        return None, [f"write the number of one seat: `{node.function} …[me]`"]
    if ty.numeric(core):
        return f"highest {text}", ["or compare it, for a condition: `… >= 10`"]
    return None, ["compare it, for a condition: `… is …`, `… is not empty`"]


def _of_the_seat(node: ast.Best | ast.Filter) -> str | None:
    """What is said of the seats that are selected, with `me` for the name of the seat."""
    if isinstance(node, ast.Best):
        property_text = None if node.where else f"{node.function} {node.value.span.text}"
    else:
        property_text = node.where.span.text if node.where else None
    return re.sub(rf"\b{node.binder.name}\b", "me", property_text) if property_text else None
