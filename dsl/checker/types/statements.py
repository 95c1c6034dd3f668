"""Statements: effects, control flow and decisions.

The same words mean different things by the types of what they are about:

    add 3 to score[me]               a number grows
    add c to marked                  a set gets a member; with a set, several
    move 2 from pile to box          how many pieces, whichever come first
    move 2 king from pile to box     how many, and of which kind
    move c to box                    which piece, or which pieces, from wherever they are

The target, or the zone after `from`, is typed first, and the rest is checked against its type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Scope, near, spelt
from dsl.checker.names.foreign_keywords import idle_helps
from dsl.checker.names.unknown_names import unknown_word
from dsl.checker.types.arithmetic import (
    all_of_zone,
    computed_number,
    fitting_pieces,
    from_zone,
    names_zone,
    piece_of_kind,
    single_piece,
    without_from,
)
from dsl.checker.types.binders import bind_all, condition_scope, element_type
from dsl.checker.types.expectations import about, check_text, declared, expect, expect_condition, expect_number, refer
from dsl.checker.types.lookup import check_argument, count_error
from dsl.checker.types.piece_kinds import kind_of, narrowed, pieces_in
from dsl.checker.types.positions import position_of
from dsl.checker.types.sets import check_amount, choice_type, value_type
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause, Label, Replacement
from dsl.symbols import DieSymbol, LocalSymbol, NoteSymbol, OptionSymbol, Symbol, ZoneSymbol

MAX_LOOP_DEPTH = 12
"""How many loops may be nested."""


def check_block(typer: Typer, statements: Sequence[ast.Statement], scope: Scope) -> None:
    """Check statements in order; names from `let` and `choose` are in scope to the end of the block."""
    for statement in statements:
        _statement(typer, statement, scope)


def _statement(typer: Typer, node: ast.Statement, scope: Scope) -> None:
    match node:
        case ast.Move():
            _move(typer, node, scope)
        case ast.SetTo():
            expected = _assigned_type(typer, node.target, scope)
            cause = declared(_referent(typer, node.target))
            expect(typer, node.value, scope, expected, f"for `{node.target.span.text}`", cause)
        case ast.Add():
            _add(typer, node, scope)
        case ast.Remove():
            _remove(typer, node, scope)
        case ast.Shuffle():
            _shuffle(typer, node, scope)
        case ast.Pick():
            _pick(typer, node, scope)
        case ast.Roll():
            for die in node.dice:
                type_ = typer.infer(die, scope)
                if not isinstance(_referent(typer, die), DieSymbol) and not isinstance(type_, ty.Unknown):
                    cause = about(typer, die)
                    typer.context.error("E0328", f"`{die.span.text}` is not a die", die, causes=[cause])
        case ast.Record():
            position_of(typer, node.target)
        case ast.Let():
            _let(typer, node, scope)
        case ast.Decide():
            _decide(typer, node, scope)
        case ast.Choose():
            _choose(typer, node, scope)
        case ast.Do():
            check_act(typer, node.act, scope, "call")
        case ast.Tell():
            _tell(typer, node, scope)
        case ast.EndGame():
            pass
        case ast.If():
            check_block(typer, node.then, condition_scope(typer, node.condition, scope))
            check_block(typer, node.otherwise, scope.inner())
        case ast.ForEach():
            _loop(typer, node, node.body, bind_all(typer, node.binders, node.where, scope))
        case ast.EachPlayer():
            for seat in (node.first, node.last):
                if seat is not None:
                    expect(typer, seat, scope, ty.PLAYER, "in `each player from …`")
            check_direction(typer, node.backwards, scope)
            if node.where is not None:
                expect_condition(typer, node.where, scope, "after `where`")
            _loop(typer, node, node.body, scope.inner())
        case ast.Repeat():
            _bound(typer, node.bound, scope)
            _loop(typer, node, node.body, scope.inner())
        case _ as never:
            assert_never(never)


def check_direction(typer: Typer, node: ast.Backwards | None, scope: Scope) -> None:
    """Check the condition under which seats come counterclockwise."""
    if node is not None and node.condition is not None:
        expect_condition(typer, node.condition, scope, "after `backwards if`")


def _tell(typer: Typer, node: ast.Tell, scope: Scope) -> None:
    check_text(typer, node.text, scope)
    if node.seat is None:
        return
    type_ = typer.infer(node.seat, scope, ty.PLAYER)
    if ty.bare(type_) == ty.Several(ty.PLAYER):
        text = node.text.span.text
        helps = [f"write `tell {text}` for all seats", f"or `for each p in {node.seat.span.text}: tell p {text}`"]
        typer.context.error("E0306", "an announcement is for all seats or for one", node.seat, helps)
        return
    expect(typer, node.seat, scope, ty.maybe(ty.PLAYER), "after `tell`")


def _loop(typer: Typer, node: ast.Statement, body: Sequence[ast.Statement], scope: Scope) -> None:
    typer.depth += 1
    if typer.depth == MAX_LOOP_DEPTH + 1:
        helps = ["move the inner loops into a step"]
        typer.context.error("E0338", f"more than {MAX_LOOP_DEPTH} nested loops", node, helps)
    check_block(typer, body, scope)
    typer.depth -= 1


def _referent(typer: Typer, node: ast.Expression) -> Symbol | None:
    return typer.context.model.refers.get(node.number)


def _assigned_type(typer: Typer, node: ast.Target, scope: Scope) -> ty.Type:
    """Type of a note or let that is assigned to."""
    type_ = typer.infer(node, scope)
    symbol = _referent(typer, node)
    if isinstance(symbol, NoteSymbol) or (isinstance(symbol, LocalSymbol) and symbol.role == "let"):
        return type_
    if not isinstance(type_, ty.Unknown):
        helps = ["move the pieces: `move … to …`"] if isinstance(symbol, ZoneSymbol) else []
        helps += ["an option is fixed before the game: declare a note"] if isinstance(symbol, OptionSymbol) else []
        message = f"cannot change `{node.span.text}`: it is not a note"
        typer.context.error("E0329", message, node, helps, causes=[about(typer, node)])
    return type_ if isinstance(symbol, OptionSymbol) else ty.UNKNOWN


def _add(typer: Typer, node: ast.Add, scope: Scope) -> None:
    target = _assigned_type(typer, node.target, scope)
    if node.because is not None:
        check_text(typer, node.because, scope)
    if ty.numeric(target) and not isinstance(target, ty.Unknown):
        expect_number(typer, node.value, scope)
        return
    element = ty.element_of(target)
    if element is None:
        new = f"set {node.target.span.text} to {node.value.span.text}"
        helps = [f"set it instead: `{new}`"]
        fix = Replacement(node.span, new) if node.because is None and _referent(typer, node.target) else None
        message, cause = f"cannot add to {target}", about(typer, node.target)
        typer.context.error("E0330", message, node.target, helps, new=fix, causes=[cause])
    _members(typer, node.value, element, scope, "to add", declared(_referent(typer, node.target)))


def _remove(typer: Typer, node: ast.Remove, scope: Scope) -> None:
    target = _assigned_type(typer, node.target, scope)
    element = ty.element_of(target)
    if element is None:
        new = f"add -{node.value.span.text} to {node.target.span.text}"
        subtracts = isinstance(node.value, ast.Number) and ty.numeric(target)
        helps = [f"to subtract from a number, write `{new}`"] if subtracts else []
        message = f"expected a set to remove from, found {target}"
        fix = Replacement(node.span, new) if subtracts else None
        typer.context.error("E0326", message, node.target, helps, new=fix, causes=[about(typer, node.target)])
    _members(typer, node.value, element, scope, "to remove", declared(_referent(typer, node.target)))


def _members(
    typer: Typer, node: ast.Expression, element: ty.Type | None, scope: Scope, where: str, cause: Cause | None
) -> None:
    """Check one member of a set, or a set of members."""
    if element is None or isinstance(element, ty.Unknown):
        typer.infer(node, scope, ty.UNKNOWN)
        return
    type_ = typer.infer(node, scope, element)
    if isinstance(ty.bare(type_), ty.Several):
        expect(typer, node, scope, ty.Several(element), where, cause)
    else:
        expect(typer, node, scope, ty.maybe(element), where, cause)


def _let(typer: Typer, node: ast.Let, scope: Scope) -> None:
    # `let n = 0` and later `add 1 to n`: the range of the first value says nothing about the later ones.
    type_ = value_type(typer, node.value, scope)
    if node.name in typer.context.assigned and ty.numeric(type_) and not isinstance(type_, ty.Unknown):
        type_ = ty.maybe(ty.ANY_NUMBER) if isinstance(type_, ty.Maybe) else ty.ANY_NUMBER
    scope.bind(node.name, type_, "let", node)


def _shuffle(typer: Typer, node: ast.Shuffle, scope: Scope) -> None:
    type_ = typer.infer(node.target, scope)
    if isinstance(type_, ty.Unknown):
        return
    if not isinstance(_referent(typer, node.target), ZoneSymbol) or not isinstance(type_, ty.Contents):
        message, cause = f"expected a zone to shuffle, found {type_}", about(typer, node.target)
        typer.context.error("E0331", message, node.target, causes=[cause])
    elif type_.shape not in ("row", "stack"):
        helps = [
            f"to take pieces by chance, write `move 1 at random from {node.target.span.text} to …`",
            "or declare the zone with `holds stack of …`",
        ]
        message, cause = "only a row or a stack can be shuffled", about(typer, node.target)
        typer.context.error("E0327", message, node.target, helps, causes=[cause])


def _zone(typer: Typer, node: ast.Expression, scope: Scope, purpose: str) -> ty.Contents | None:
    type_ = typer.infer(node, scope)
    if isinstance(type_, ty.Contents) and isinstance(_referent(typer, node), ZoneSymbol):
        return type_
    if not isinstance(type_, ty.Unknown):
        proposals = near(node.span.text, typer.context.model.zones)
        message, cause = f"expected a zone {purpose}, found {type_}", about(typer, node)
        typer.context.error("E0331", message, node, proposals=proposals, causes=[cause])
    return None


def _move(typer: Typer, node: ast.Move, scope: Scope) -> None:
    target = _zone(typer, node.target, scope, "to move to")
    moved: ty.PieceType | None = None
    if all_of_zone(typer.context, node):
        pass
    elif node.source is not None:
        source = _zone(typer, node.source, scope, "to move from")
        if source is not None and not computed_number(typer, node, scope):
            moved = _amount(typer, node, source, scope)
    elif computed_number(typer, node, scope):
        pass
    elif isinstance(node.what, ast.Number | ast.Pattern) or _is_amount(node.what):
        kind = node.what.part if isinstance(node.what, ast.Of) else node.what
        if isinstance(node.what, ast.Of) and names_zone(typer.context, kind):
            from_zone(typer.context, node, node.what.whole.span.text, kind)
        elif not unknown_word(typer.context, kind, scope):
            helps = ["write `move 2 from pile to …` or `move 2 of king from hand[me] to …`"]
            message = f"expected `from` and a zone after `{node.what.span.text}`"
            typer.context.error("E0332", message, node.what, helps)
    else:
        type_ = typer.infer(node.what, scope)
        moved = pieces_in(type_)
        if moved is None and not isinstance(type_, ty.Unknown):
            message, new = (
                f"expected pieces to move, found {type_}",
                piece_of_kind(typer.context, node, type_, target, scope),
            )
            helps = [f"for a piece of that kind, write `{new}`"] if new else []
            typer.context.error("E0333", message, node.what, helps, new=new or None)
    if target is not None and moved is not None and not moved.piece_types <= target.pieces.piece_types:
        message = f"cannot move {moved} to {target}"
        helps, fix = fitting_pieces(typer.context, node, moved, target, scope)
        typer.context.error("E0334", message, node.target, helps, new=fix)
    if node.position is not None:
        _position(typer, node, node.position, target, scope)


def _position(typer: Typer, node: ast.Move, position: ast.Position, target: ty.Contents | None, scope: Scope) -> None:
    if target is not None and target.shape not in ("row", "stack"):
        helps = ["declare the zone with `holds row of …`"]
        typer.context.error("E0335", "this zone has no order", position, helps)
    if position.anchor is None:
        return
    if node.source is not None:
        fix = single_piece(typer.context, node, None, scope)
        helps = [f"name the piece: `move {fix.text} to {node.target.span.text} …`"] if fix else []
        helps = helps or ["move them one at a time, each by a name: `move c to …`"]
        message = "only a single piece can be placed before or after another"
        typer.context.error("E0333", message, position, helps, new=fix)
    else:
        type_ = typer.context.model.types.get(node.what.number)
        if type_ is not None and pieces_in(type_) is not None and isinstance(ty.settled(ty.bare(type_)), ty.Several):
            fix = single_piece(typer.context, node, type_, scope)
            helps = [f"take one of them: `{fix.text}`"] if fix else []
            message = f"expected a single piece to place before or after another, found {type_}"
            typer.context.error("E0333", message, node.what, helps, new=fix)
    anchor = typer.infer(position.anchor, scope)
    is_one_piece = isinstance(anchor, ty.Contents) and anchor.shape == "one"
    if not is_one_piece and not isinstance(ty.bare(anchor), ty.PieceType | ty.Unknown):
        typer.context.error("E0333", f"expected a piece, found {anchor}", position.anchor)


def _amount(typer: Typer, move: ast.Move, source: ty.Contents, scope: Scope) -> ty.PieceType | None:
    """The pieces that `2`, `2 of king` or `2 king` from a zone can be; None if there is an error in it."""
    node = move.what
    kind: ast.Expression | None = None
    if isinstance(node, ast.Of):
        expect_number(typer, node.whole, scope)
        kind = node.part
    elif isinstance(node, ast.Pattern):
        kind = node
    if kind is None:
        type_ = typer.infer(node, scope)
        if isinstance(type_, ty.Unknown):
            return None
        if not ty.numeric(type_):
            new = Replacement(node.span, f"1 of {node.span.text}") if isinstance(node, ast.Name) else None
            helps, fix = [f"write `{new.text}`"] if new else [], new
            if pieces_in(type_) is not None:
                helps, fix = without_from(typer.context, move)
            message = f"expected a number before `from`, found {type_}"
            helps = helps or ["write how many: `2 from …` or `2 of king from …`"]
            typer.context.error("E0336", message, node, helps, new=fix)
            return None
        return source.pieces
    if not kind_of(typer, kind, source.pieces, scope):
        return None
    typer.context.model.types[node.number] = ty.KIND
    return narrowed(typer.context, kind, source.pieces)


def _bound(typer: Typer, node: ast.Bound, scope: Scope) -> None:
    expect_number(typer, node.times, scope)
    if node.condition is not None:
        expect_condition(typer, node.condition, scope, "after `while`")


def _decide(typer: Typer, node: ast.Decide, scope: Scope) -> None:
    if node.bound is not None:
        _bound(typer, node.bound, scope)
    firsts: dict[ast.Act | ast.ClauseAct, ast.Act | ast.ClauseAct] = {}
    for act in node.offered:
        first = firsts.setdefault(act, act)
        if first is not act:
            labels = [Label(first.span, "first here")]
            typer.context.error("E0418", f"`{act.span.text}` is offered twice", act, ["offer it once"], labels)
        act_scope = condition_scope(typer, act.condition, scope) if isinstance(act, ast.ClauseAct) else scope
        check_act(typer, act, act_scope, "offer else" if act in node.otherwise else "offer")
    if node.instead and node.duty == "may":
        message = "`else:` after `may` could mean declining as well"
        helps = ["offer what happens then as another action: `must play or pass_on`"]
        helps.append("or write `must`: the block is for a seat that has no possible move")
        typer.context.error("E0430", message, node, helps)
    check_block(typer, node.instead, scope.inner())


def _choose(typer: Typer, node: ast.Choose, scope: Scope) -> None:
    if node.amount is not None:
        check_amount(typer, node, node.amount, scope)
    _chosen(typer, node, scope)


def _pick(typer: Typer, node: ast.Pick, scope: Scope) -> None:
    if node.amount is not None:
        expect_number(typer, node.amount, scope)
    _chosen(typer, node, scope)


def _chosen(typer: Typer, node: ast.Choose | ast.Pick, scope: Scope) -> None:
    """Bind the name of what is chosen, by somebody or by chance."""
    element = element_type(typer, node.domain, scope)
    symbol = scope.bind(node.name, element, "choice", node)
    if node.where is not None:
        expect_condition(typer, node.where, scope, "after `where`")
    symbol.type = ty.maybe(element) if node.amount is None else choice_type(typer, node, element)


def _is_amount(node: ast.Expression) -> bool:
    return isinstance(node, ast.Of) and isinstance(node.whole, ast.Number)


def all_statements(statements: Sequence[ast.Statement]) -> list[ast.Statement]:
    """The statements and all nested statements."""
    collected: list[ast.Statement] = []
    for statement in statements:
        collected.append(statement)
        for block in ast.blocks(statement):
            collected += all_statements(block)
    return collected


# ---------------------------------------------------------------- types of the arguments of steps and actions


Use = Literal["call", "offer", "offer else", "hypothesis"]
"""What an act is for: a step is called, an action is offered, or the outcome of a step is supposed.

`offer else`: it is offered if the actions before it are impossible.
"""


def check_act(typer: Typer, node: ast.Act, scope: Scope, use: Use) -> None:
    """Check a step that is called or supposed, or an action that is offered, with its arguments."""
    context, step = typer.context, use in ("call", "hypothesis")
    rule = context.model.rules.get(node.name)
    texts = [argument for argument in node.arguments if isinstance(argument, ast.Text)]
    if rule is None and len(texts) == len(node.arguments) == 1:
        new = f"tell {texts[0].span.text}"
        context.error("E0201", f"there is no step `{node.name}`", node, [f"to announce a text, write `{new}`"], new=new)
        return
    for index, argument in enumerate(node.arguments):
        if rule is not None and index < len(rule.parameters):
            parameter = rule.parameters[index]
            check_argument(typer, argument, parameter.type, scope, f"for `{parameter.name}`", declared(rule))
        else:
            typer.infer(argument, scope, ty.UNKNOWN)
    if rule is None:
        what = "step" if step else "action"
        is_declared = node.name in context.globals
        article = "a" if step else "an"
        message = f"`{node.name}` is not {article} {what}" if is_declared else f"there is no {what} `{node.name}`"
        rule_names = [name for name, symbol in context.model.rules.items() if symbol.is_action is not step]
        rule_names += context.lost
        cause = Cause("declared" if is_declared else "unknown", node.name)
        proposals = near(node.name, rule_names)
        helps = [] if is_declared or proposals else idle_helps(node.name, offered=not step)
        at = spelt(node, node.name)
        context.error("E0201", message, node, helps, proposals=proposals, at=at, causes=[cause])
        return
    refer(typer, node, rule)
    if step and rule.is_action and not typer.in_example:
        helps = [f"write `must {node.name}` or `may {node.name}`, or declare it as a `step`"]
        correction: str | None = f"must {node.span.text}"
        message = f"`{node.name}` is an action: a player must choose it"
        if use == "hypothesis":
            helps, correction = [f"move what `{node.name}` does to a `step`, and suppose that"], None
        elif node.span.is_inside(rule.declaration.span) and not node.arguments:
            helps, correction = [f'for the label of the action, write `"{node.name}"`'], f'"{node.name}"'
        context.error("E0412", message, node, helps, new=correction, causes=[declared(rule)])
        return
    if not step and not rule.is_action:
        helps = [f"write `{node.name}` alone, or declare it as an `action`"]
        if use == "offer else":
            helps = [f"write `else: {node.span.text}` to do it if nothing is possible"]
        message = f"`{node.name}` is a step, not an action"
        context.error("E0413", message, node, helps, causes=[declared(rule)])
    given_count, takes = len(node.arguments), len(rule.parameters)
    if given_count > takes or (step and given_count < takes):
        names = ", ".join(parameter.name for parameter in rule.parameters)
        count_error(typer, rule, takes, given_count, node, names)
