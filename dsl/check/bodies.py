"""The insides of declarations: parameters, definitions, statements, phases, tables, examples."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.check.context import Context, Scope, suggest
from dsl.check.declare import cells, declarations, later, type_of_union
from dsl.check.infer import Inference
from dsl.check.kinds import kind_of, pieces_in
from dsl.symbols import DefineSymbol, DieSymbol, LocalSymbol, NoteSymbol, RuleSymbol, WhenSymbol, ZoneSymbol
from dsl.types import (
    KIND,
    PLAYER,
    TRUTH,
    UNKNOWN,
    Contents,
    Maybe,
    Nothing,
    PieceType,
    Several,
    Type,
    Unknown,
    bare,
    element_of,
    fits,
    join,
    numeric,
)  # fmt: skip


class Bodies(Inference):
    """Looks into every declaration; definitions are typed when first asked for."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.open: list[str] = []

    # ------------------------------------------------------------ declarations

    def shapes(self) -> None:
        """Types of table columns, pieces, zones and notes: all that bodies speak of."""
        model, context = self.context.model, self.context
        for type_symbol in model.type_symbols.values():
            if isinstance(type_symbol.node, ast.TypeTable):
                for column in type_symbol.node.columns:
                    if column.type is not None:
                        type_symbol.attributes[column.name] = type_of_union(context, column.type)
                cells(context, type_symbol.node, list(type_symbol.attributes.values()))
        for piece in model.pieces.values():
            for attribute in piece.declaration.attributes:
                if attribute.type is None:
                    context.error("E0323", "an attribute of a piece has a type: `for each rank: Rank`", attribute)
                else:
                    piece.attributes[attribute.name] = type_of_union(context, attribute.type)
        for zone in model.zones.values():
            zone.index = self._index_types(zone.declaration.index)
            sorts = set()
            for held in zone.declaration.holds:
                if held.name in model.pieces:
                    sorts.add(held.name)
                else:
                    context.error("E0206", f"there is no piece `{held.name}`", held, suggest(held.name, model.pieces))
            zone.contents = Contents(PieceType(frozenset(sorts)), zone.declaration.shape) if sorts else UNKNOWN
        for note in model.notes.values():
            note.index = self._index_types(note.declaration.index)
            note.type = type_of_union(context, note.declaration.type)

    def _index_types(self, parameters: Sequence[ast.Parameter]) -> tuple[Type, ...]:
        types: list[Type] = []
        for parameter in parameters:
            if parameter.type is None:
                self.context.error("E0323", "an index has a type: `[p: Player]`", parameter)
                types.append(UNKNOWN)
            else:
                types.append(type_of_union(self.context, parameter.type))
        return tuple(types)

    def rules(self) -> None:
        """Parameters of all definitions, actions, steps and reactions, then every body."""
        model = self.context.model
        scopes: dict[int, Scope] = {}
        owners: list[DefineSymbol | RuleSymbol | WhenSymbol]
        owners = [*model.defines.values(), *model.rules.values(), *model.whens]
        for owner in owners:
            scope = Scope(self.context)
            scopes[owner.declaration.number] = scope
            if not isinstance(owner, RuleSymbol):
                owner.parameters = tuple(self._parameter(p, scope) for p in owner.declaration.parameters)
        for rule in model.rules.values():
            scope = scopes[rule.declaration.number]
            rule.parameters = tuple(self._parameter(p, scope) for p in rule.declaration.parameters)
        for declaration in declarations(model.file):
            self._declaration(declaration, scopes.get(declaration.number) or Scope(self.context))
        setup = Scope(self.context)
        for part in model.file.parts:
            self.block(part.statements, setup)

    def _parameter(self, node: ast.Parameter, scope: Scope) -> LocalSymbol:
        if node.type is not None:
            type_ = type_of_union(self.context, node.type)
        else:
            assert node.domain is not None
            type_ = self.domain(node.domain, scope)
        return scope.bind(node.name, type_, "parameter", node)

    def _declaration(self, node: ast.Declaration, scope: Scope) -> None:
        model = self.context.model
        match node:
            case ast.Piece():
                for attribute in node.attributes:
                    scope.bind(
                        attribute.name,
                        model.pieces[node.name].attributes.get(attribute.name, UNKNOWN),
                        "binder",
                        attribute,
                    )
                if not numeric(self.infer(node.amount, scope)):
                    self.context.error("E0321", "how many there are is a number", node.amount)
                self._home(node, scope)
            case ast.Zone():
                for parameter, type_ in zip(node.index, model.zones[node.name].index, strict=False):
                    scope.bind(parameter.name, type_, "parameter", parameter)
                self._sights(node.sights, scope, model.zones[node.name].contents)
            case ast.Note():
                for parameter, type_ in zip(node.index, model.notes[node.name].index, strict=False):
                    scope.bind(parameter.name, type_, "parameter", parameter)
                self.want(node.first, scope, model.notes[node.name].type or UNKNOWN, f"`{node.name}`")
                self._sights(node.sights, scope, None)
            case ast.Option():
                self._option_default(node, scope)
            case ast.Define():
                self._define(model.defines[node.name])
            case ast.Winner():
                for criterion in node.criteria:
                    self._number(criterion.value, scope)
            case ast.Action():
                if node.label is not None:
                    self.infer(node.label, scope)
                self._requires(node.requires, scope)
                self.block(node.body, scope.inner())
            case ast.Step():
                self._requires(node.requires, scope)
                self.block(node.body, scope.inner())
            case ast.When():
                self._when(node, scope)
            case ast.Phase():
                self._phase(node, scope)
            case ast.Table():
                self._table(node, scope)
            case _:
                pass

    def _home(self, node: ast.Piece, scope: Scope) -> None:
        if node.home is None:
            return
        type_ = self.infer(node.home, scope)
        if not isinstance(type_, Contents | Unknown):
            self.context.error("E0324", "pieces begin in a zone", node.home)
        elif isinstance(type_, Contents) and node.name not in type_.pieces.sorts:
            self.context.error("E0324", f"this zone does not hold `{node.name}`", node.home)

    def _sights(self, sights: Sequence[ast.Sight], scope: Scope, contents: Type | None) -> None:
        for sight in sights:
            type_ = self.infer(sight.viewers, scope, Several(PLAYER))
            if not (fits(type_, PLAYER) or fits(type_, Several(PLAYER)) or isinstance(type_, Nothing)):
                self.context.error("E0325", f"who sees it is a seat or several seats, this is {type_}", sight.viewers)
            if sight.attribute is not None:
                pieces = pieces_in(contents)
                known = {n for s in (pieces.sorts if pieces else ()) for n in self.context.model.pieces[s].attributes}
                if sight.attribute not in known:
                    self.context.error(
                        "E0207", f"no attribute `{sight.attribute}` here", sight, suggest(sight.attribute, known)
                    )

    def _option_default(self, node: ast.Option, scope: Scope) -> None:
        symbol = self.context.model.options.get(node.name)
        if symbol is not None and not (symbol.by_chance and symbol.default == "random"):
            self.infer(node.default, scope, symbol.type)

    def _define(self, symbol: DefineSymbol) -> Type:
        if symbol.type is not None:
            return symbol.type
        node = symbol.declaration
        scope = Scope(self.context)
        scope.locals = {parameter.name: parameter for parameter in symbol.parameters}
        declared = type_of_union(self.context, node.result) if node.result else None
        result: Type = UNKNOWN
        self.open.append(node.name)
        for case in node.cases:
            if case.condition is not None:
                self.truth(case.condition, scope, "what stands after `if`")
            type_ = self.infer(case.value, scope, declared or (None if isinstance(result, Unknown) else result))
            joined = join(result, type_)
            if joined is None:
                self.context.error("E0316", f"this is {type_}, the cases before are {result}", case.value)
            else:
                result = joined
        self.open.pop()
        if node.cases and node.cases[-1].condition is not None:
            self.context.error(
                "E0405", f"`{node.name}` has no case for all the rest", node, ["end it with `… otherwise`"]
            )
        if declared is not None and not fits(result, declared):
            self.context.error("E0306", f"`{node.name}` is {declared}, its cases are {result}", node)
        symbol.type = declared or result
        return symbol.type

    def definition_type(self, scope: Scope, symbol: DefineSymbol, node: ast.Node) -> Type:
        """The result of a definition, looked at when first asked for; circles are reported."""
        if symbol.type is None and symbol.name in self.open:
            circle = " → ".join(f"`{name}`" for name in [*self.open[self.open.index(symbol.name) :], symbol.name])
            self.context.error("E0406", f"`{symbol.name}` is defined by itself: {circle}", node)
            symbol.type = UNKNOWN
        return self._define(symbol)

    def _requires(self, requires: Sequence[ast.Require], scope: Scope) -> None:
        for require in requires:
            self.truth(require.condition, scope, "a requirement")
            self.infer(require.reason, scope)

    def _when(self, node: ast.When, scope: Scope) -> None:
        define = self.context.model.defines.get(node.name)
        if define is None:
            self.context.error(
                "E0407", f"`when {node.name}` waits for a definition that is not there", node,
                suggest(node.name, self.context.model.defines) or [f"add `define {node.name}: …`"],
            )  # fmt: skip
        else:
            self.context.used.add(define.declaration.number)
            if len(define.declaration.parameters) != len(node.parameters):
                self.context.error(
                    "E0315", f"`{node.name}` takes {len(define.declaration.parameters)} parameters", node
                )
            if not fits(self._define(define), TRUTH):
                self.context.error("E0307", f"`{node.name}` is something that holds or not", node)
        for statement in all_statements(node.body):
            if isinstance(statement, ast.Decide | ast.Choose):
                self.context.error(
                    "E0408", "a `when` asks nobody anything", statement, ["put the question into a step of the turn"]
                )
        self.block(node.body, scope.inner())

    def _phase(self, node: ast.Phase, scope: Scope) -> None:
        for seat in (node.first, node.last):
            if seat is not None:
                self.want(seat, scope, PLAYER, "whose turn it is")
        for condition in (node.over_when, node.over_at_once):
            if condition is not None:
                self.truth(condition, scope, "when a phase is over")
        if node.over_when is not None and node.first is None:
            self.context.error(
                "E0409",
                "`over when` is asked between turns: this phase has none",
                node.over_when,
                ["say `turns from …` first"],
            )
        if node.first is not None and node.phases:
            self.context.error("E0410", "a phase with turns holds statements, not phases", node)
        if node.first is not None and node.last is None and node.over_when is None:
            self.context.error(
                "E0411", f"nothing ends the turns of `{node.name}`", node,
                ["say `over when …` or `turns from … to …`"], severity="warning",
            )  # fmt: skip
        self.block(node.body, scope.inner())

    def _table(self, node: ast.Table, scope: Scope) -> None:
        self.infer(node.title, scope)
        if node.name is not None and node.domain is not None:
            scope.bind(node.name, self.domain(node.domain, scope), "binder", node)
            if node.where is not None:
                self.truth(node.where, scope, "what stands after `where`")
        for column in node.columns:
            inner = scope.inner()
            if column.name is not None and column.domain is not None:
                inner.bind(column.name, self.domain(column.domain, inner), "binder", column)
                if column.where is not None:
                    self.truth(column.where, inner, "what stands after `where`")
            self.infer(column.value, inner)

    # ------------------------------------------------------------ statements

    def block(self, statements: Sequence[ast.Statement], scope: Scope) -> None:
        """Statements one after the other; names by `let` and `choose` live to the end of the block."""
        for statement in statements:
            self._statement(statement, scope)

    def _statement(self, node: ast.Statement, scope: Scope) -> None:
        match node:
            case ast.Move():
                self._move(node, scope)
            case ast.SetTo():
                wanted = self._cell(node.target, scope)
                self.want(node.value, scope, wanted, f"`{node.target.span.text}`")
            case ast.Add():
                self._add(node, scope)
            case ast.Remove():
                target = self._cell(node.target, scope)
                element = element_of(target)
                if element is None and not isinstance(target, Unknown):
                    self.context.error(
                        "E0326", f"only from a set can something be removed, this is {target}", node.target
                    )
                self.want(node.value, scope, element or UNKNOWN, "what is removed")
            case ast.Shuffle():
                type_ = self.infer(node.target, scope)
                if not (isinstance(type_, Contents) and type_.shape in ("row", "stack")) and not isinstance(
                    type_, Unknown
                ):
                    self.context.error("E0327", "only a row or a stack has an order to shuffle", node.target)
            case ast.Roll():
                for die in node.dice:
                    self.infer(die, scope)
                    if not isinstance(self._meant(die), DieSymbol):
                        self.context.error("E0328", f"`{die.span.text}` is no die", die)
            case ast.Let():
                scope.bind(node.name, self.infer(node.value, scope), "let", node)
            case ast.Decide():
                self._decide(node, scope)
            case ast.Choose():
                self._choose(node, scope)
            case ast.Do():
                self._act(node.act, scope, step=True)
            case ast.EndGame():
                pass
            case ast.If():
                self.truth(node.condition, scope, "what stands after `if`")
                self.block(node.then, scope.inner())
                self.block(node.otherwise, scope.inner())
            case ast.ForEach():
                element = self.domain(node.domain, scope)
                inner = scope.inner()
                inner.bind(node.name, element, "binder", node)
                if node.where is not None:
                    self.truth(node.where, inner, "what stands after `where`")
                self.block(node.body, inner)
            case ast.EachPlayer():
                for seat in (node.first, node.last):
                    if seat is not None:
                        self.want(seat, scope, PLAYER, "a seat to begin or end with")
                if node.where is not None:
                    self.truth(node.where, scope, "what stands after `where`")
                self.block(node.body, scope.inner())
            case ast.Repeat():
                self._bound(node.bound, scope)
                self.block(node.body, scope.inner())

    def _meant(self, node: ast.Target) -> object:
        return self.context.model.refers.get(node.number)

    def _cell(self, node: ast.Target, scope: Scope) -> Type:
        """The type of a note or let that is written to."""
        type_ = self.infer(node, scope)
        meant = self._meant(node)
        if isinstance(meant, NoteSymbol) or (isinstance(meant, LocalSymbol) and meant.role == "let"):
            return type_
        if not isinstance(type_, Unknown):
            helps = ["pieces are moved: `move … to …`"] if isinstance(meant, ZoneSymbol) else []
            self.context.error("E0329", f"`{node.span.text}` is no note that could be changed", node, helps)
        return UNKNOWN

    def _add(self, node: ast.Add, scope: Scope) -> None:
        target = self._cell(node.target, scope)
        if node.because is not None:
            self.infer(node.because, scope)
        if numeric(target):
            self._number(node.value, scope)
            return
        element = element_of(target)
        if element is None:
            self.context.error("E0330", f"nothing can be added to {target}", node.target)
        self.want(node.value, scope, element or UNKNOWN, "what is added")

    def _zone(self, node: ast.Expression, scope: Scope, what: str) -> Contents | None:
        type_ = self.infer(node, scope)
        if isinstance(type_, Contents) and isinstance(self.context.model.refers.get(node.number), ZoneSymbol):
            return type_
        if not isinstance(type_, Unknown):
            self.context.error(
                "E0331", f"{what} is a zone, this is {type_}", node, suggest(node.span.text, self.context.model.zones)
            )
        return None

    def _move(self, node: ast.Move, scope: Scope) -> None:
        target = self._zone(node.target, scope, "the place to move to")
        moved: PieceType | None = None
        if node.source is not None:
            source = self._zone(node.source, scope, "the place to move from")
            if source is not None:
                moved = source.pieces
                self._amount(node.what, source, scope)
        elif isinstance(node.what, ast.Number | ast.Of) and self._says_amount(node.what):
            self.context.error(
                "E0332",
                "where from?",
                node.what,
                ["write `move 2 from pile to …` or `move 2 of king from hand[me] to …`"],
            )
        else:
            type_ = self.infer(node.what, scope)
            moved = pieces_in(type_)
            if moved is None and not isinstance(type_, Unknown):
                self.context.error("E0333", f"only pieces move, this is {type_}", node.what)
        if target is not None and moved is not None and not moved.sorts & target.pieces.sorts:
            self.context.error("E0334", f"this zone does not hold {moved}", node.target)
        if node.position is not None:
            if target is not None and target.shape not in ("row", "stack"):
                self.context.error("E0335", "this zone has no order", node.position)
            if node.position.anchor is not None:
                anchor = self.infer(node.position.anchor, scope)
                if not isinstance(bare(anchor), PieceType | Unknown):
                    self.context.error("E0333", f"a piece is needed here, this is {anchor}", node.position.anchor)

    def _says_amount(self, node: ast.Expression) -> bool:
        if isinstance(node, ast.Number):
            return True
        return isinstance(node, ast.Of) and isinstance(node.whole, ast.Number)

    def _amount(self, node: ast.Expression, source: Contents, scope: Scope) -> None:
        if isinstance(node, ast.Of):
            self._number(node.whole, scope)
            kind_of(self, node.part, source.pieces, scope)
            self.context.model.types[node.number] = KIND
            return
        if isinstance(node, ast.Pattern) and node.amount is not None:
            kind_of(self, node, source.pieces, scope)
            return
        type_ = self.infer(node, scope)
        if not numeric(type_):
            self.context.error("E0336", "before `from` stands how many: `2` or `2 of king`", node)

    def _bound(self, node: ast.Bound, scope: Scope) -> None:
        self._number(node.times, scope)
        if node.condition is not None:
            self.truth(node.condition, scope, "what stands after `while`")

    def _decide(self, node: ast.Decide, scope: Scope) -> None:
        if node.bound is not None:
            self._bound(node.bound, scope)
        for act in (*node.acts, *node.otherwise):
            self._act(act, scope, step=False)

    def _act(self, node: ast.Act, scope: Scope, step: bool) -> None:
        context = self.context
        rule = context.model.rules.get(node.name)
        for place, argument in enumerate(node.arguments):
            if rule is not None and place < len(rule.parameters):
                self.argument(argument, rule.parameters[place].type, scope, f"`{rule.parameters[place].name}`")
            else:
                self.infer(argument, scope)
        if rule is None:
            what = "step" if step else "action"
            known = [name for name, symbol in context.model.rules.items() if symbol.is_action is not step]
            context.error("E0201", f"there is no {what} `{node.name}`", node, suggest(node.name, known))
            return
        context.model.refers[node.number] = rule
        context.used.add(rule.declaration.number)
        if step and rule.is_action:
            context.error(
                "E0412", f"`{node.name}` is an action: a player does it", node,
                [f"write `must {node.name}` or `may {node.name}`; what simply happens is a `step`"],
            )  # fmt: skip
        if not step and not rule.is_action:
            context.error(
                "E0413",
                f"`{node.name}` is a step: nobody chooses it",
                node,
                [f"write `{node.name}` alone, or declare it as `action`"],
            )
        if len(node.arguments) > len(rule.parameters) or (step and len(node.arguments) < len(rule.parameters)):
            context.error(
                "E0315", f"`{node.name}` takes {len(rule.parameters)} arguments, not {len(node.arguments)}", node
            )

    def _choose(self, node: ast.Choose, scope: Scope) -> None:
        if node.amount is not None:
            later(self.context, node, "choices of several at once")
        element = self.domain(node.domain, scope)
        symbol = scope.bind(node.name, element, "choice", node)
        if node.where is not None:
            self.truth(node.where, scope, "what stands after `where`")
        if node.duty == "may" and not isinstance(element, Unknown | Maybe):
            symbol.type = Maybe(element)


def all_statements(statements: Sequence[ast.Statement]) -> list[ast.Statement]:
    """The statements and all statements inside them."""
    found: list[ast.Statement] = []
    for statement in statements:
        found.append(statement)
        match statement:
            case ast.If():
                found += all_statements(statement.then) + all_statements(statement.otherwise)
            case ast.ForEach() | ast.EachPlayer() | ast.Repeat():
                found += all_statements(statement.body)
            case _:
                pass
    return found
