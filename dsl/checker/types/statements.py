"""Statements: what happens, and who must or may do what."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Scope, near, spelt
from dsl.checker.names.unknown_names import unknown_word
from dsl.checker.types.infer import Inference
from dsl.checker.types.lookup import declared
from dsl.checker.types.move_corrections import one_of_several, only_those_that_fit, piece_of_kind, without_from
from dsl.checker.types.piece_kinds import kind_of, narrowed, pieces_in
from dsl.checker.types.subsets import chosen
from dsl.diagnostics import Cause, Label, Replacement
from dsl.symbols import DieSymbol, LocalSymbol, NoteSymbol, OptionSymbol, Symbol, ZoneSymbol
from dsl.types import (
    ANY_NUMBER,
    KIND,
    PLAYER,
    UNKNOWN,
    Contents,
    Maybe,
    PieceType,
    Several,
    Type,
    Unknown,
    bare,
    element_of,
    maybe,
    numeric,
    settled,
)

DEEPEST = 12
"""How many loops may stand in one another."""


class Doing(Inference):
    """Looks at statements."""

    depth = 0

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
                cause = declared(self._meant(node.target))
                self.want(node.value, scope, wanted, f"`{node.target.span.text}`", cause)
            case ast.Add():
                self._add(node, scope)
            case ast.Remove():
                self._remove(node, scope)
            case ast.Shuffle():
                self._shuffle(node, scope)
            case ast.Roll():
                for die in node.dice:
                    type_ = self.infer(die, scope)
                    if not isinstance(self._meant(die), DieSymbol) and not isinstance(type_, Unknown):
                        cause = self.about(die)
                        self.context.error("E0328", f"`{die.span.text}` is no die", die, causes=[cause])
            case ast.Let():
                self._let(node, scope)
            case ast.Decide():
                self._decide(node, scope)
            case ast.Choose():
                self._choose(node, scope)
            case ast.Do():
                self.act(node.act, scope, step=True)
            case ast.EndGame():
                pass
            case ast.If():
                self.block(node.then, self.taking(node.condition, scope))
                self.block(node.otherwise, scope.inner())
            case ast.ForEach():
                self._loop(node, node.body, self.binders(node.binders, node.where, scope))
            case ast.EachPlayer():
                for seat in (node.first, node.last):
                    if seat is not None:
                        self.want(seat, scope, PLAYER, "who begins or ends")
                if node.where is not None:
                    self.truth(node.where, scope, "what stands after `where`")
                self._loop(node, node.body, scope.inner())
            case ast.Repeat():
                self._bound(node.bound, scope)
                self._loop(node, node.body, scope.inner())

    def _loop(self, node: ast.Statement, body: Sequence[ast.Statement], scope: Scope) -> None:
        self.depth += 1
        if self.depth == DEEPEST + 1:
            helps = ["put the inner part into a step"]
            self.context.error("E0338", f"more than {DEEPEST} loops stand in one another", node, helps)
        self.block(body, scope)
        self.depth -= 1

    def _meant(self, node: ast.Expression) -> Symbol | None:
        return self.context.model.refers.get(node.number)

    # ------------------------------------------------------------ notes

    def _cell(self, node: ast.Target, scope: Scope) -> Type:
        """The type of a note or let that is written to."""
        type_ = self.infer(node, scope)
        meant = self._meant(node)
        if isinstance(meant, NoteSymbol) or (isinstance(meant, LocalSymbol) and meant.role == "let"):
            return type_
        if not isinstance(type_, Unknown):
            helps = ["pieces are moved: `move … to …`"] if isinstance(meant, ZoneSymbol) else []
            helps += ["an option is chosen before the game"] if isinstance(meant, OptionSymbol) else []
            message = f"`{node.span.text}` is no note that could be changed"
            self.context.error("E0329", message, node, helps, causes=[self.about(node)])
        return type_ if isinstance(meant, OptionSymbol) else UNKNOWN

    def _add(self, node: ast.Add, scope: Scope) -> None:
        target = self._cell(node.target, scope)
        if node.because is not None:
            self.text(node.because, scope)
        if numeric(target) and not isinstance(target, Unknown):
            self.number(node.value, scope)
            return
        element = element_of(target)
        if element is None:
            new = f"set {node.target.span.text} to {node.value.span.text}"
            helps = [f"a note is set: `{new}`"]
            way = Replacement(node.span, new) if node.because is None and self._meant(node.target) else None
            message, cause = f"nothing can be added to {target}", self.about(node.target)
            self.context.error("E0330", message, node.target, helps, new=way, causes=[cause])
        self._members(node.value, element, scope, "what is added", declared(self._meant(node.target)))

    def _remove(self, node: ast.Remove, scope: Scope) -> None:
        target = self._cell(node.target, scope)
        element = element_of(target)
        if element is None:
            new = f"add -{node.value.span.text} to {node.target.span.text}"
            taken = isinstance(node.value, ast.Number) and numeric(target)
            helps = [f"of a number: `{new}`"] if taken else []
            message = f"something is removed from a set, this is {target}"
            way = Replacement(node.span, new) if taken else None
            self.context.error("E0326", message, node.target, helps, new=way, causes=[self.about(node.target)])
        self._members(node.value, element, scope, "what is removed", declared(self._meant(node.target)))

    def _members(
        self, node: ast.Expression, element: Type | None, scope: Scope, what: str, cause: Cause | None
    ) -> None:
        """One member of a set, or a set of them."""
        if element is None or isinstance(element, Unknown):
            self.infer(node, scope, UNKNOWN)
            return
        type_ = self.infer(node, scope, element)
        if isinstance(bare(type_), Several):
            self.want(node, scope, Several(element), what, cause)
        else:
            self.want(node, scope, maybe(element), what, cause)

    def _let(self, node: ast.Let, scope: Scope) -> None:
        type_ = self.value_type(node.value, scope)
        if node.name in self.context.assigned and numeric(type_) and not isinstance(type_, Unknown):
            type_ = maybe(ANY_NUMBER) if isinstance(type_, Maybe) else ANY_NUMBER
        scope.bind(node.name, type_, "let", node)

    # ------------------------------------------------------------ pieces

    def _shuffle(self, node: ast.Shuffle, scope: Scope) -> None:
        type_ = self.infer(node.target, scope)
        if isinstance(type_, Unknown):
            return
        if not isinstance(self._meant(node.target), ZoneSymbol) or not isinstance(type_, Contents):
            message, cause = f"what is shuffled is a zone, this is {type_}", self.about(node.target)
            self.context.error("E0331", message, node.target, causes=[cause])
        elif type_.shape not in ("row", "stack"):
            helps = ["say `holds stack of …` where the zone is declared"]
            message, cause = "only a row or a stack has an order to shuffle", self.about(node.target)
            self.context.error("E0327", message, node.target, helps, causes=[cause])

    def _zone(self, node: ast.Expression, scope: Scope, what: str) -> Contents | None:
        type_ = self.infer(node, scope)
        if isinstance(type_, Contents) and isinstance(self._meant(node), ZoneSymbol):
            return type_
        if not isinstance(type_, Unknown):
            meant = near(node.span.text, self.context.model.zones)
            message, cause = f"{what} is a zone, this is {type_}", self.about(node)
            self.context.error("E0331", message, node, meant=meant, causes=[cause])
        return None

    def _move(self, node: ast.Move, scope: Scope) -> None:
        target = self._zone(node.target, scope, "the place to move to")
        moved: PieceType | None = None
        if node.source is not None:
            source = self._zone(node.source, scope, "the place to move from")
            moved = self._amount(node, source, scope) if source is not None else None
        elif isinstance(node.what, ast.Number | ast.Pattern) or _says_amount(node.what):
            kind = node.what.part if isinstance(node.what, ast.Of) else node.what
            if not unknown_word(self.context, kind, scope):
                helps = ["write `move 2 from pile to …` or `move 2 of king from hand[me] to …`"]
                self.context.error("E0332", "where from?", node.what, helps)
        else:
            type_ = self.infer(node.what, scope)
            moved = pieces_in(type_)
            if moved is None and not isinstance(type_, Unknown):
                message, new = (
                    f"only pieces move, this is {type_}",
                    piece_of_kind(self.context, node, type_, target, scope),
                )
                helps = [f"the piece of that kind is `{new}`"] if new else []
                self.context.error("E0333", message, node.what, helps, new=new or None)
        if target is not None and moved is not None and not moved.sorts <= target.pieces.sorts:
            message = f"this zone holds {target.pieces}, what moves is {moved}"
            helps, way = only_those_that_fit(self.context, node, moved, target, scope)
            self.context.error("E0334", message, node.target, helps, new=way)
        if node.position is not None:
            self._position(node, node.position, target, scope)

    def _position(self, node: ast.Move, position: ast.Position, target: Contents | None, scope: Scope) -> None:
        if target is not None and target.shape not in ("row", "stack"):
            helps = ["say `holds row of …` where the zone is declared"]
            self.context.error("E0335", "this zone has no order", position, helps)
        if position.anchor is None:
            return
        if node.source is not None:
            way = one_of_several(self.context, node, None, scope)
            helps = [f"say which piece: `move {way.text} to {node.target.span.text} …`"] if way else []
            helps = helps or ["lay them one by one, each by a name: `move c to …`"]
            message = "one piece is laid before or after another"
            self.context.error("E0333", message, position, helps, new=way)
        else:
            type_ = self.context.model.types.get(node.what.number)
            if type_ is not None and pieces_in(type_) is not None and isinstance(settled(bare(type_)), Several):
                way = one_of_several(self.context, node, type_, scope)
                helps = [f"say which of them: `{way.text}`"] if way else []
                message = f"one piece is laid before or after another, this is {type_}"
                self.context.error("E0333", message, node.what, helps, new=way)
        anchor = self.infer(position.anchor, scope)
        one = isinstance(anchor, Contents) and anchor.shape == "one"
        if not one and not isinstance(bare(anchor), PieceType | Unknown):
            self.context.error("E0333", f"a piece is needed here, this is {anchor}", position.anchor)

    def _amount(self, move: ast.Move, source: Contents, scope: Scope) -> PieceType | None:
        """The pieces that `2`, `2 of king` or `2 king` from a zone can be; None if something is wrong with it."""
        node = move.what
        kind: ast.Expression | None = None
        if isinstance(node, ast.Of):
            self.number(node.whole, scope)
            kind = node.part
        elif isinstance(node, ast.Pattern):
            kind = node
        if kind is None:
            type_ = self.infer(node, scope)
            if isinstance(type_, Unknown):
                return None
            if not numeric(type_):
                new = Replacement(node.span, f"1 of {node.span.text}") if isinstance(node, ast.Name) else None
                helps, way = [f"write `{new.text}`"] if new else [], new
                if pieces_in(type_) is not None:
                    helps, way = without_from(self.context, move)
                message = f"before `from` stands how many, `2` or `2 of king`, this is {type_}"
                self.context.error("E0336", message, node, helps, new=way)
                return None
            return source.pieces
        if not kind_of(self, kind, source.pieces, scope):
            return None
        self.context.model.types[node.number] = KIND
        return narrowed(self.context, kind, source.pieces)

    # ------------------------------------------------------------ questions and steps

    def _bound(self, node: ast.Bound, scope: Scope) -> None:
        self.number(node.times, scope)
        if node.condition is not None:
            self.truth(node.condition, scope, "what stands after `while`")

    def _decide(self, node: ast.Decide, scope: Scope) -> None:
        if node.bound is not None:
            self._bound(node.bound, scope)
        offered: list[ast.Act] = []
        for act in (*node.acts, *node.otherwise):
            if act in offered:
                labels = [Label(offered[offered.index(act)].span, "first here")]
                self.context.error("E0418", f"`{act.span.text}` is offered twice", act, ["name it once"], labels)
            offered.append(act)
            self.act(act, scope, step=False)

    def act(self, node: ast.Act, scope: Scope, step: bool) -> None:
        """A step that is done, or an action that is offered, with its arguments."""
        context = self.context
        rule = context.model.rules.get(node.name)
        for place, argument in enumerate(node.arguments):
            if rule is not None and place < len(rule.parameters):
                parameter = rule.parameters[place]
                self.argument(argument, parameter.type, scope, f"`{parameter.name}`", declared(rule))
            else:
                self.infer(argument, scope, UNKNOWN)
        if rule is None:
            what = "step" if step else "action"
            other = node.name in context.globals
            message = f"`{node.name}` is no {what}" if other else f"there is no {what} `{node.name}`"
            known = [name for name, symbol in context.model.rules.items() if symbol.is_action is not step]
            cause = Cause("declared" if other else "unknown", node.name)
            context.error(
                "E0201", message, node, meant=near(node.name, known), at=spelt(node, node.name), causes=[cause]
            )
            return
        self.refer(node, rule)
        if step and rule.is_action and not self.in_example:
            helps = [f"write `must {node.name}` or `may {node.name}`; what simply happens is a `step`"]
            new = f"must {node.span.text}"
            message = f"`{node.name}` is an action: a player does it"
            context.error("E0412", message, node, helps, new=new, causes=[declared(rule)])
            return
        if not step and not rule.is_action:
            helps = [f"write `{node.name}` alone, or declare it as `action`"]
            message = f"`{node.name}` is a step: nobody chooses it"
            context.error("E0413", message, node, helps, causes=[declared(rule)])
        given, takes = len(node.arguments), len(rule.parameters)
        if given > takes or (step and given < takes):
            names = ", ".join(parameter.name for parameter in rule.parameters)
            self.count_error(rule, takes, given, node, names)

    def _choose(self, node: ast.Choose, scope: Scope) -> None:
        element = self.domain(node.domain, scope)
        symbol = scope.bind(node.name, element, "choice", node)
        if node.where is not None:
            self.truth(node.where, scope, "what stands after `where`")
        symbol.type = maybe(element) if node.amount is None else chosen(self, node, element)


def _says_amount(node: ast.Expression) -> bool:
    return isinstance(node, ast.Of) and isinstance(node.whole, ast.Number)


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
