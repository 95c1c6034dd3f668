"""Legal moves: one function per decision, with nested loops over the free parameters.

Each requirement is tested as soon as its free variables are bound; those at the head of the steps that an action
performs apply to the action as well. Moves are in canonical order: by act, then by the arguments in declared order. Of
equal moves of an action (`offered once`), only the first is emitted; acts of the same action are compared together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from dsl import ast
from dsl.checker.types.sets import is_handfuls
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.statements import Assign, Block, Emit, EmitDone, For, If, IfNoMoves, Once, Statement
from interpreter.compiler.lowering.binders import bound_local, in_order, iterated, offered
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.families import with_captures
from interpreter.compiler.lowering.queries import Substitution
from interpreter.compiler.lowering.types import piece_set
from interpreter.compiler.lowering.values import fitted, local, mask, needed, plain, truth, value
from interpreter.compiler.names import Computed, Names
from interpreter.errors import PlayError

MAX_NODES = 2_000
"""Maximum number of nodes of the value of a `let`, or of an argument of a step."""


@dataclass(frozen=True)
class Requirement:
    """A requirement in terms of the parameters; `needs` are its free variables."""

    condition: ex.Expr
    require: ast.Require
    needs: frozenset[str]


def legal_moves(ctx: Context, node: ast.Question, env: Env) -> Block:
    """Emit the legal moves of a decision, with the declining one if it may be declined."""
    out: list[Statement] = []
    if isinstance(node, ast.Decide):
        for place, act in enumerate(node.acts):
            out += act_moves(ctx, act, place, env)
        if node.otherwise:
            alternatives: list[Statement] = []
            for place, act in enumerate(node.otherwise, len(node.acts)):
                alternatives += act_moves(ctx, act, place, env)
            out.append(IfNoMoves(tuple(alternatives), node))
    else:
        out += _choices(ctx, node, env)
    if node.duty == "may":
        out.append(EmitDone(True, node))
    return tuple(out)


def act_moves(ctx: Context, act: ast.Act, place: int, env: Env) -> list[Statement]:
    """Emit the legal moves of one act of a decision."""
    if isinstance(act, ast.ClauseAct):
        clause_env = with_captures(ctx, act.condition, env)
        return [If(truth(ctx, act.condition, clause_env), tuple(_moves_of(ctx, act, place, clause_env)), (), act)]
    return _moves_of(ctx, act, place, env)


def _moves_of(ctx: Context, act: ast.Act, place: int, env: Env) -> list[Statement]:
    """Emit the legal moves of an act that is offered."""
    rule = ctx.model.rules[act.name]
    arguments_env: dict[LocalSymbol, ex.Expr] = {}
    free: list[tuple[ex.Local, ast.Parameter]] = []
    fixed: list[tuple[ex.Local, ex.Expr, ex.Expr | None]] = []
    for position, (symbol, parameter) in enumerate(zip(rule.parameters, rule.declaration.parameters, strict=True)):
        arguments_env[symbol] = bound = bound_local(ctx, symbol)
        if position < len(act.arguments):
            argument = fitted(ctx, act.arguments[position], symbol.type, env)
            inside = None if parameter.domain is None else _inside(ctx, bound, parameter.domain, arguments_env)
            fixed.append((bound, argument, inside))
        else:
            free.append((bound, parameter))
    emitted: list[Statement] = [Emit((ex.number(place), *arguments_env.values()), act)]
    for once in rule.declaration.once if isinstance(rule.declaration, ast.Action) else ():
        values = tuple([plain(ctx, part, arguments_env) for part in once.values])
        emitted = [Once(_group(ctx, rule), values, tuple(emitted), (), once)]
    levels = _levels(ctx, act, free, requirements(ctx, rule, arguments_env), arguments_env, emitted)
    return _after_given(act, fixed, levels)


def _group(ctx: Context, rule: RuleSymbol) -> int:
    """The number of an action, by which its moves are compared."""
    return list(ctx.model.rules).index(rule.name)


def _after_given(
    act: ast.Act, fixed: Sequence[tuple[ex.Local, ex.Expr, ex.Expr | None]], levels: list[Statement]
) -> list[Statement]:
    """Parameters whose arguments the act gives, each within its domain."""
    for bound, argument, inside in reversed(fixed):
        if inside is not None:
            levels = [If(inside, tuple(levels), (), act)]
        levels = [Assign(bound, argument, act), *levels]
    return levels


def _inside(ctx: Context, bound: ex.Local, domain: ast.Expression, env: Env) -> ex.Expr:
    """Whether a value is in the domain of its parameter."""
    if isinstance(domain, ast.Call) and is_handfuls(domain):
        pieces = mask(ctx, domain.arguments[0], env)
        fewest, most = (needed(ctx, end, env) for end in domain.arguments[1:])
        outside = ex.Op(bound.type, "minus", (bound, pieces))
        size = ex.Op(ir.COUNT, "size", (bound,))
        parts = (
            ex.Op(ir.BOOL, "is_empty", (outside,)), ex.Op(ir.BOOL, "le", (fewest, size)),
            ex.Op(ir.BOOL, "le", (size, most)),
        )  # fmt: skip
        return ex.Logic(ir.BOOL, "and", parts, domain)
    over = iterated(ctx, domain, env)
    return ex.Op(ir.BOOL, "has" if isinstance(over.type, ir.Set) else "in_list", _member_of(over, bound), domain)


def _member_of(over: ex.Expr, bound: ex.Local) -> tuple[ex.Expr, ex.Expr]:
    return (over, bound) if isinstance(over.type, ir.Set) else (bound, over)


def _levels(
    ctx: Context, act: ast.Act, free: Sequence[tuple[ex.Local, ast.Parameter]], pending: list[Requirement], env: Env,
    emitted: list[Statement],
) -> list[Statement]:  # fmt: skip
    """Loops over the free parameters, outermost first, around the statement that emits the move."""
    unknown = {bound.name for bound, _ in free}
    # `require hand[me] has n` before the loop over c, `require fits(n, c)` inside it: with 20 values of each parameter
    # a requirement at the right place is tested 20 times instead of 400, and a failing one skips all that is inside.
    # INVARIANT: requirements that are tested at the same place keep the order of the text, as later ones may rely on
    # earlier ones; one that needs more parameters comes later in any case.
    now = [requirement for requirement in pending if not requirement.needs & unknown]
    later = [requirement for requirement in pending if requirement.needs & unknown]
    if free:
        bound, parameter = free[0]
        body = _levels(ctx, act, free[1:], later, env, emitted)
        over = parameter_values(ctx, bound, parameter, env)
        statements: list[Statement] = [For((ex.Loop(bound, over),), tuple(body), False, parameter)]
    else:
        statements = emitted
    for requirement in reversed(now):
        statements = [If(requirement.condition, tuple(statements), (), requirement.require)]
    return statements


def parameter_values(ctx: Context, bound: ex.Local, parameter: ast.Parameter, env: Env) -> ex.Expr:
    """The values that a parameter iterates over: only one of several indistinguishable pieces."""
    unsure = parameter.number in ctx.model.unsure_choices
    if parameter.domain is not None:
        over = choice_domain(ctx, parameter.domain, env)
        return _offered_once(ctx, over, parameter.domain, unsure, parameter)
    symbol = local(ctx, parameter)
    if not is_piece(ir.bare(bound.type)):
        return in_order(bound.type, ctx.layout.values(symbol.type))
    pieces = in_order(ir.bare(bound.type), ctx.layout.members(symbol.type))
    listed = _listed(ctx, pieces, unsure, parameter)
    return _or_none(ctx, listed, bound.type) if isinstance(bound.type, ir.Opt) else listed


def choice_domain(ctx: Context, node: ast.Expression, env: Env, several: bool = False) -> ex.Expr:
    """The set or sequence that is chosen from: of a list each value once; a set of `several` values has no none."""
    over = iterated(ctx, node, env)
    if not isinstance(over, ex.Op) or not isinstance(node, ast.ListOf):
        return over
    constants = {item.value for item in over.args if isinstance(item, ex.Const) and item.value is not None}
    if len(constants) == len(over.args):
        return over
    item = variable(ctx, "item", ir.element(over.type))
    if not several or not isinstance(item.type, ir.Opt):
        return ex.Fold(over.type, "sets", (ex.Loop(item, over),), item, node)
    present = negated(ex.Op(ir.BOOL, "is_none", (item,)), node)
    value = ex.Check(item.type.of, "need", item, (), node)
    return ex.Fold(ir.Seq(value.type), "sets", (ex.Loop(item, over, present),), value, node)


def _offered_once(ctx: Context, over: ex.Expr, domain: ast.Expression, unsure: bool, node: ast.Node) -> ex.Expr:
    """What is chosen from, with pieces that no rule can tell apart once; none comes last in a list of pieces."""
    type_ = ir.element(over.type)
    if not is_piece(ir.bare(type_)):
        return over
    if isinstance(over.type, ir.Set):
        return _listed(ctx, over, unsure, node)
    if not isinstance(domain, ast.ListOf):
        return over  # a row or stack, whose pieces have positions
    item = variable(ctx, "item", type_)
    if not isinstance(type_, ir.Opt):
        return _listed(ctx, ex.Fold(piece_set(ctx), "set", (ex.Loop(item, over),), item, domain), unsure, node)
    absent = ex.Op(ir.BOOL, "is_none", (item,))
    piece = ex.Check(type_.of, "need", item, (), domain)
    pieces = ex.Fold(piece_set(ctx), "set", (ex.Loop(item, over, negated(absent, domain)),), piece, domain)
    missing = variable(ctx, "item", type_)
    none = ex.Fold(over.type, "sets", (ex.Loop(missing, over, ex.Op(ir.BOOL, "is_none", (missing,))),), missing, domain)
    return ex.Op(over.type, "appended", (_listed(ctx, pieces, unsure, node), none), domain)


def _listed(ctx: Context, pieces: ex.Expr, unsure: bool, node: ast.Node) -> ex.Expr:
    """The members of a set of pieces, equal ones once; `unsure`: the acting seat may not see them all."""
    type_ = ir.Seq(ir.element(pieces.type))
    return offered(ctx, pieces, "distinct", type_, node) if unsure else ex.Op(type_, "distinct", (pieces,), node)


def _or_none(ctx: Context, members: ex.Expr, type_: ir.Opt) -> ex.Expr:
    """The members of a sequence and then none."""
    sequence = ir.Seq(type_)
    last, item = variable(ctx, "last", ir.BOOL), variable(ctx, "item", type_)
    # A sequence of two turns, first the members and then none: there is no operation that appends to what is computed.
    part = ex.Choice(sequence, last, ex.Const(sequence, (None,)), members)
    turns = ex.Loop(last, ex.Const(ir.Seq(ir.BOOL), (False, True)))
    return ex.Fold(sequence, "list", (turns, ex.Loop(item, part)), item)


def is_piece(type_: ir.Type) -> bool:
    """Whether a type is one of pieces."""
    return isinstance(type_, ir.Ref) and type_.domain == ir.PIECE_DOMAIN


# ---------------------------------------------------------------- requirements


def requirements(ctx: Context, rule: RuleSymbol, env: Env) -> list[Requirement]:
    """The requirements of an action with these arguments, in the order of the text."""
    substitution = Substitution(ctx)
    sizes = Sizes()

    def identify(computed: Computed, statement: ast.Statement) -> ex.Expr:
        return sizes.checked(substitution.of(computed), statement)

    # Requirements only pass on what names are bound to: here expressions, which the substitution finds in their scopes.
    names = cast("Names", env)
    result = []
    for bound in ctx.required.of(rule, names, identify):
        condition = truth(ctx, bound.require.condition, substitution.env(bound.names))
        for guard, inside in reversed(bound.guards):
            exempt = negated(value(ctx, guard, substitution.env(inside)), guard)
            condition = ex.Logic(ir.BOOL, "or", (exempt, condition), bound.require)
        result.append(Requirement(condition, bound.require, ex.locals_of(condition)))
    return result


class Sizes:
    """The numbers of nodes of expressions with values substituted; they grow with every value that is used twice."""

    def __init__(self) -> None:
        self._sizes = IdentityMap[ex.Expr, int]()

    def checked(self, node: ex.Expr, statement: ast.Statement) -> ex.Expr:
        """The expression, if it is not too long to be substituted in later requirements. Raises PlayError."""
        if self._size(node) > MAX_NODES:
            message = "the later requirements are too long when this is substituted in them"
            raise PlayError(message, statement.span.location)
        return node

    def _size(self, node: ex.Expr) -> int:
        # the values substituted were measured before, so that only the text of this one is gone through
        size = self._sizes.get(node)
        if size is None:
            size = self._sizes.keep(node, 1 + sum(map(self._size, ex.children(node))))
        return size


# ---------------------------------------------------------------- choices


def _choices(ctx: Context, node: ast.Choose, env: Env) -> list[Statement]:
    """The values that `choose` offers, one at a time."""
    symbol, over = local(ctx, node), choice_domain(ctx, node.domain, env)
    bound = variable(ctx, symbol.name, ir.element(over.type))
    if node.where is not None:
        over = _where(over, ex.Loop(bound, over, truth(ctx, node.where, {**env, symbol: bound})))
        bound = variable(ctx, symbol.name, bound.type)
    over = _offered_once(ctx, over, node.domain, node.number in ctx.model.unsure_choices, node)
    return [For((ex.Loop(bound, over),), (Emit((ex.number(0), bound), node),), False, node)]


def several_moves(ctx: Context, node: ast.Choose, amount: ast.Amount, env: Env, chosen: ex.Expr) -> Block:
    """Emit the values that may be chosen next of several, and the move that ends the choice."""
    candidates = _candidates(ctx, node, env)
    groups = ir.element(candidates.type)
    candidate = variable(ctx, node.name, ir.element(groups))
    fewest = _fewest(ctx, amount, env)
    picks = ex.Op(ir.Seq(candidate.type), "picks", (candidates, chosen, fewest), node)
    out: list[Statement] = [For((ex.Loop(candidate, picks),), (Emit((ex.number(0), candidate), node),), False, node)]
    # others must not see that nothing is left to choose: the decision to end the choice is made all the same
    none_yet = ex.Op(ir.BOOL, "is_empty", (chosen,))
    going_on: tuple[Statement, ...] = () if amount.exactly else (EmitDone(False, node),)
    if amount.fewest is not None:
        enough = ex.Op(ir.BOOL, "ge", (ex.Op(ir.COUNT, "size", (chosen,)), fewest))
        going_on = (If(enough, going_on, (), node),)
    declining: tuple[Statement, ...] = (EmitDone(True, node),) if node.duty == "may" else ()
    if node.duty == "must" and amount.fewest is not None:
        declining = (If(ex.Op(ir.BOOL, "le", (fewest, ex.number(0))), (EmitDone(True, node),), (), node),)
    if declining:
        out.append(If(none_yet, declining, going_on, node))
    elif going_on:
        out.append(If(negated(none_yet, node), going_on, (), node))
    return tuple(out)


def _fewest(ctx: Context, amount: ast.Amount, env: Env) -> ex.Expr:
    """The least number to choose, if there are enough."""
    if amount.fewest is None:
        return needed(ctx, amount.most, env) if amount.exactly else ex.number(1)
    bounds = needed(ctx, amount.fewest, env), needed(ctx, amount.most, env)
    return ex.Op(ir.COUNT, "least", bounds, amount)


def _candidates(ctx: Context, node: ast.Choose, env: Env) -> ex.Expr:
    """The members that can be chosen, in groups of equal ones."""
    symbol = local(ctx, node)
    over = choice_domain(ctx, node.domain, env, several=True)
    element = ir.element(over.type)
    bound = variable(ctx, symbol.name, element)
    if node.where is not None:
        condition = truth(ctx, node.where, {**env, symbol: bound})
        over = _where(over, ex.Loop(bound, over, condition))
    groups = ir.Seq(ir.Seq(element))
    if not isinstance(element, ir.Ref) or element.domain != ir.PIECE_DOMAIN:
        return ex.Op(groups, "singles", (over,), node)
    if node.number in ctx.model.unsure_choices:
        offered_members = (
            over if isinstance(over.type, ir.Set) else ex.Op(ir.Set(element.domain, element.width), "as_set", (over,))
        )
        return offered(ctx, offered_members, "in_turn", groups, node)
    return ex.Op(groups, "in_turn", (over,), node)


def _where(over: ex.Expr, loop: ex.Loop) -> ex.Expr:
    """A set or sequence filtered by a condition."""
    return ex.Fold(over.type, "set" if isinstance(over.type, ir.Set) else "list", (loop,), loop.local)
