"""The insides of declarations: parameters, definitions, phases, tables."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Context, Scope, near, spelt
from dsl.checker.logic.reachability import missing
from dsl.checker.names.declarations import declarations
from dsl.checker.types.component_types import goes_through
from dsl.checker.types.lookup import declared
from dsl.checker.types.piece_kinds import pieces_in
from dsl.checker.types.statements import Doing, all_statements
from dsl.checker.types.type_declarations import type_of_union
from dsl.diagnostics import Cause, Label
from dsl.symbols import DefineSymbol, LocalSymbol, RuleSymbol, WhenSymbol
from dsl.types import (
    PLAYER,
    TRUTH,
    UNKNOWN,
    Contents,
    Listed,
    Nothing,
    Several,
    Type,
    Unknown,
    bare,
    fits,
    join,
    known,
    settled,
)

MOST_PARAMETERS = 8
MOST_MOVES = 100_000


class Bodies(Doing):
    """Looks into every declaration; definitions are typed when first asked for."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.open: list[str] = []

    def rules(self) -> None:
        """Parameters of all definitions, actions, steps and reactions, then every body."""
        model = self.context.model
        scopes: dict[int, Scope] = {}
        owners: list[DefineSymbol | RuleSymbol | WhenSymbol] = [*model.defines.values(), *model.whens]
        for owner in [*owners, *model.rules.values()]:
            scope = scopes[owner.declaration.number] = Scope(self.context)
            action = isinstance(owner, RuleSymbol) and owner.is_action
            owner.parameters = tuple(self._parameter(p, scope, action) for p in owner.declaration.parameters)
            if not isinstance(owner, DefineSymbol):
                self._not_too_many(owner)
        for declaration in declarations(model.file):
            self._declaration(declaration, scopes.get(declaration.number) or Scope(self.context))
        setup = Scope(self.context)
        self.before_play = True
        for part in model.file.parts:
            self.block(part.statements, setup)
        self.before_play = False

    def _parameter(self, node: ast.Parameter, scope: Scope, action: bool) -> LocalSymbol:
        if node.type is not None:
            type_ = type_of_union(self.context, node.type)
            if action and isinstance(bare(type_), Several):
                helps = ["let the action choose: `must choose x from …`"]
                self.context.error("E0337", f"a move has single values, this is {type_}", node, helps)
                type_ = UNKNOWN
        else:
            assert node.domain is not None
            type_ = self.domain(node.domain, scope)
            if not action:
                message = f"`{node.name}` needs a type: only an action goes through what is there"
                self.context.error("E0323", message, node, [f"write `{node.name}: …`"])
        if node.secret and not action:
            self.context.error("E0604", "only the argument of an action can be `secret`", node)
        return scope.bind(node.name, type_, "parameter", node)

    def _not_too_many(self, owner: RuleSymbol | WhenSymbol) -> None:
        """Whether all moves of an action, or all cases of a reaction, can be gone through."""
        parameters, node = owner.parameters, owner.declaration
        if len(parameters) > MOST_PARAMETERS:
            self.context.error("E0338", f"`{owner.name}` has more than {MOST_PARAMETERS} parameters", node)
        typed = [p.type for p, written in zip(parameters, node.parameters, strict=True) if written.type is not None]
        gone_through = isinstance(owner, WhenSymbol) or owner.is_action
        if gone_through and goes_through(self.context, typed) > MOST_MOVES:
            message = f"`{owner.name}` has more than {MOST_MOVES} combinations of arguments"
            self.context.error("E0338", message, node, ["ask for one after the other: `must choose x from …`"])
        if isinstance(owner, WhenSymbol) and any(isinstance(bare(p.type), Several) for p in parameters):
            self.context.error("E0337", "a `when` goes through single values", node)

    def _declaration(self, node: ast.Declaration, scope: Scope) -> None:
        model = self.context.model
        match node:
            case ast.Piece():
                self._piece(node, scope)
            case ast.Zone() if node is model.zones[node.name].node:
                for parameter, type_ in zip(node.index, model.zones[node.name].index, strict=True):
                    scope.bind(parameter.name, type_, "parameter", parameter)
                self._sights(node.sights, scope, model.zones[node.name].contents, node)
            case ast.Note() if node is model.notes[node.name].node:
                for parameter, type_ in zip(node.index, model.notes[node.name].index, strict=True):
                    scope.bind(parameter.name, type_, "parameter", parameter)
                note = model.notes[node.name]
                self.want(node.first, scope, note.type or UNKNOWN, f"`{node.name}`", declared(note))
                self._sights(node.sights, scope, None, node)
            case ast.Die() if node is model.dice[node.name].node:
                for parameter, type_ in zip(node.index, model.dice[node.name].index, strict=True):
                    scope.bind(parameter.name, type_, "parameter", parameter)
            case ast.Option():
                symbol = model.options[node.name]
                if symbol.default in symbol.values and symbol.default != "random":
                    self.infer(node.default, scope, symbol.type)
            case ast.Define() if node is model.defines[node.name].node:
                self._define(model.defines[node.name])
            case ast.Winner():
                for criterion in node.criteria:
                    self.number(criterion.value, scope)
            case ast.Action() | ast.Step() if node is model.rules[node.name].node:
                if isinstance(node, ast.Action) and node.label is not None:
                    self.text(node.label, scope)
                for require in node.requires:
                    self.truth(require.condition, scope, "a requirement")
                    self.text(require.reason, scope)
                self.block(node.body, scope.inner())
            case ast.When() if any(node is when.node for when in model.whens):
                self._when(node, scope)
            case ast.Phase():
                self._phase(node, scope)
            case ast.Table():
                self._table(node, scope)
            case _:
                pass

    # ------------------------------------------------------------ what there is

    def _piece(self, node: ast.Piece, scope: Scope) -> None:
        if node is not self.context.model.pieces[node.name].node:
            return
        attributes = self.context.model.pieces[node.name].attributes
        for attribute in node.attributes:
            if attribute.type is None:  # said already
                continue
            scope.bind(attribute.name, attributes.get(attribute.name, UNKNOWN), "binder", attribute)
        amount = self.number(node.amount, scope)
        if amount.high < 0 or amount.low > 999:
            self.context.error("E0338", f"there are 0 to 999 of each piece, this is {amount}", node.amount)
        if node.home is None:
            return
        type_ = self.infer(node.home, scope)
        if not isinstance(type_, Contents | Unknown):
            self.context.error("E0324", f"pieces begin in a zone, this is {type_}", node.home)
        elif isinstance(type_, Contents) and node.name not in type_.pieces.sorts:
            self.context.error("E0324", f"this zone does not hold `{node.name}`", node.home)

    def _sights(self, sights: Sequence[ast.Sight], scope: Scope, contents: Type | None, node: ast.Node) -> None:
        """Who sees what lies in a zone, each piece of which is called `it`, or a note."""
        told: dict[str | None, ast.Sight] = {}
        if sights and isinstance(contents, Contents):
            scope.bind("it", contents.pieces, "parameter", sights[0])
        for sight in sights:
            type_ = self.infer(sight.viewers, scope, PLAYER if isinstance(sight.viewers, ast.Name) else Several(PLAYER))
            if not (fits(type_, PLAYER) or fits(type_, Several(PLAYER)) or isinstance(type_, Nothing)):
                helps = ["`all`, `nobody`, a seat, a set of seats"]
                self.context.error("E0325", f"who sees it is a seat or seats, this is {type_}", sight.viewers, helps)
            if told.setdefault(sight.attribute, sight) is not sight:
                labels = [Label(told[sight.attribute].span, "first here")]
                self.context.error("E0202", "who sees it is said twice", sight, labels=labels)
            if sight.attribute is not None and not isinstance(contents, Unknown):
                pieces = pieces_in(contents)
                known = {n for s in (pieces.sorts if pieces else ()) for n in self.context.model.pieces[s].attributes}
                if sight.attribute not in known:
                    message, at = f"nothing here has an attribute `{sight.attribute}`", spelt(sight, sight.attribute)
                    self.context.error("E0207", message, at, meant=near(sight.attribute, known))

    # ------------------------------------------------------------ definitions

    def _define(self, symbol: DefineSymbol) -> Type:
        if symbol.type is not None:
            return symbol.type
        node = symbol.declaration
        scope = Scope(self.context)
        scope.locals = {parameter.name: parameter for parameter in symbol.parameters}
        stated = type_of_union(self.context, node.result) if node.result else None
        result: Type = UNKNOWN
        self.open.append(node.name)
        in_example, self.in_example = self.in_example, False
        for case in node.cases:
            inner = scope if case.condition is None else self.taking(case.condition, scope)
            hint = stated or (None if isinstance(result, Unknown) else result)
            type_ = settled(self.infer(case.value, inner, hint))
            joined = join(result, type_) or self.both(result, type_, stated)
            if joined is None:
                message, cause = f"this is {type_}, the cases before are {result}", declared(symbol, type_)
                self.context.error("E0316", message, case.value, causes=[cause])
            else:
                result = joined
        self.open.pop()
        self.in_example = in_example
        self._complete(node)
        if stated is not None and not fits(result, stated):
            self.context.error("E0306", f"`{node.name}` is {stated}, its cases are {result}", node)
        if stated is None and not known(result) and not isinstance(bare(result), Unknown):
            self.untold(node.cases[0].value)
            result = UNKNOWN
        symbol.type = stated or result
        return symbol.type

    def _complete(self, node: ast.Define) -> None:
        """Whether there is a case for everything, and none for nothing."""
        if all(case.condition is not None for case in node.cases):
            message = f"`{node.name}` has no case for all the rest"
            self.context.error("E0405", message, node, ["end it with `… otherwise`", *missing(self.context, node)])
        for before, after in zip(node.cases, node.cases[1:], strict=False):
            if before.condition is None:
                message = "this case is never looked at: `otherwise` stands before it"
                self.context.error("E0405", message, after, ["put `otherwise` last"])
                break

    def definition_type(self, symbol: DefineSymbol, node: ast.Node) -> Type:
        """The result of a definition, looked at when first asked for; circles are reported."""
        if symbol.type is None and symbol.name in self.open:
            circle = " → ".join(f"`{name}`" for name in [*self.open[self.open.index(symbol.name) :], symbol.name])
            helps = ["use a sum, or a note that remembers"]
            self.context.error("E0406", f"`{symbol.name}` is defined by itself: {circle}", node, helps)
            symbol.type = UNKNOWN
        return self._define(symbol)

    # ------------------------------------------------------------ play

    def _when(self, node: ast.When, scope: Scope) -> None:
        define = self.context.model.defines.get(node.name)
        if define is None:
            meant = near(node.name, self.context.model.defines)
            helps = [] if meant else [f"add `define {node.name}: …`"]
            message, at = f"`when {node.name}` waits for a definition that is not there", spelt(node, node.name)
            self.context.error("E0407", message, at, helps, meant=meant, causes=[Cause("unknown", node.name)])
        else:
            self.context.used.add(define.declaration.number)
            names = ", ".join(f"{parameter.name}: …" for parameter in define.declaration.parameters)
            if len(define.parameters) != len(node.parameters):
                self.count_error(define, len(define.parameters), len(node.parameters), node, names)
            for symbol, parameter in zip(define.parameters, node.parameters, strict=False):
                local = scope.find(parameter.name)
                if local is not None and not fits(local.type, symbol.type):
                    message = f"`{symbol.name}` of `{node.name}` is {symbol.type}, this is {local.type}"
                    self.context.error("E0306", message, parameter)
            if not fits(self._define(define), TRUTH):
                message = f"what a `when` waits for holds or not, `{node.name}` is {define.type}"
                self.context.error("E0307", message, node)
        for statement in all_statements(node.body):
            if isinstance(statement, ast.Decide | ast.Choose):
                helps = ["put the question into a step of the turn"]
                self.context.error("E0408", "a `when` asks nobody anything", statement, helps)
        self.block(node.body, scope.inner())

    def _phase(self, node: ast.Phase, scope: Scope) -> None:
        for seat in (node.first, node.last):
            if seat is not None:
                self.want(seat, scope, PLAYER, "who plays")
        for condition in (node.over_when, node.over_at_once):
            if condition is not None:
                self.truth(condition, scope, "when a phase is over")
        if node.over_when is not None and node.first is None:
            helps = ["say `turns from …` first, or `over as soon as …`"]
            self.context.error(
                "E0409", "`over when` is asked between turns: this phase has none", node.over_when, helps
            )
        if node.first is not None and node.phases:
            helps = ["put the turns into a phase inside"]
            self.context.error("E0410", "a phase with turns holds statements, not phases", node, helps)
        self.block(node.body, scope.inner())

    def _on_board(self, node: ast.Table) -> None:
        """Only places can be drawn on the board: the rows of the table are values of a type from it."""
        symbols = [self.context.model.refers.get(binder.number) for binder in node.binders]
        symbol = symbols[0] if len(symbols) == 1 else None
        core = bare(symbol.type) if isinstance(symbol, LocalSymbol) else None
        type_ = self.context.model.type_symbols.get(core.name) if isinstance(core, Listed) else None
        if isinstance(core, Unknown) or (type_ is not None and isinstance(type_.node, ast.TypeBoard)):
            return
        helps = ["a type from the board: `for each x in Space`", "without `on board` it is a table as others are"]
        what = f"the rows are {core}" if core is not None else "it has no rows"
        if len(symbols) > 1:
            what = "a row is about several things at once"
        self.context.error("E0757", f"this table cannot be drawn on the board: {what}", node.title, helps)

    def _table(self, node: ast.Table, scope: Scope) -> None:
        self.text(node.title, scope)
        scope = self.binders(node.binders, node.where, scope)
        if node.on_board:
            self._on_board(node)
        for column in node.columns:
            inner = scope.inner()
            self.text(column.heading, inner)
            if column.name is not None and column.domain is not None:
                inner.bind(column.name, self.domain(column.domain, inner), "binder", column)
                if column.where is not None:
                    self.truth(column.where, inner, "what stands after `where`")
            self.infer(column.value, inner)
