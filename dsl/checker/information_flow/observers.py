"""Observers of a zone or a note, as far as they can be determined statically.

`seen by` is an expression that yields a seat or a set of seats. Two questions are asked of it, for a place whose index
is known in part: does the acting seat see it, and do all seats? `hand[left(me)]` with `seen by p` has p = left(me),
another seat, so neither; `hand[q]` for an unknown q has *maybe* for the acting seat and "unseen" for all, as a single
seat is never all of several.

INVARIANT: "seen" and "unseen" are claims for every state in which the facts hold; whatever cannot be shown is "maybe".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from dsl import ast
from dsl.checker.information_flow.conditions import Conditions
from dsl.checker.information_flow.facts import NOTHING_SECRET, Env, Known, Seat, Seen, Sight
from dsl.checker.logic.terms import ELEMENT, ME, UNKNOWN, Term, decided, negated, same
from dsl.symbols import (
    BuiltinSymbol,
    DefineSymbol,
    FamilySymbol,
    LocalSymbol,
    NoteSymbol,
    Symbol,
    TypeSymbol,
    ZoneSymbol,
)
from dsl.types import PLAYER, bare

HIDDEN_FROM_ALL = Seen("unseen", "unseen")
PERHAPS = Seen("maybe", "maybe")
BEST: tuple[Sight, ...] = ("seen", "maybe", "unseen")


ValueFunction = Callable[[ast.Expression, Env], Known]
"""The facts about the value of an expression: `Taint.value`."""

NarrowingFunction = Callable[[ast.Expression, Env, bool], Env]
"""The facts where a condition holds, or where it does not: `Taint.where`."""


class Observers:
    """Evaluates `seen by`. Its expressions have values and conditions like all others, so it needs those of `Taint`."""

    def __init__(self, conditions: Conditions, value: ValueFunction, where: NarrowingFunction) -> None:
        self.context = conditions.context
        self.term, self.holds, self.member = conditions.term, conditions.holds, conditions.member
        self.value, self.where = value, where
        self.open_definitions: set[DefineSymbol] = set()

    def seen(
        self,
        symbol: ZoneSymbol | NoteSymbol,
        index: Sequence[Seat],
        terms: Sequence[Term],
        attribute: str | None,
        env: Env,
        piece: Term = ELEMENT,
    ) -> Seen:
        """Visibility of a note, or of an attribute of a piece in a zone, at an index with these facts."""
        declaration, refers = symbol.declaration, self.context.model.refers
        sights = {sight.attribute: sight.viewers for sight in declaration.sights}
        viewers = sights.get(attribute, sights.get(None))
        if viewers is None:
            return Seen()
        sight_env = Env(truths=env.truths)
        for position, parameter in enumerate(declaration.index):
            knowledge = Known(seat=index[position]) if position < len(index) else NOTHING_SECRET
            sight_env = sight_env.bind(
                refers.get(parameter.number), knowledge, terms[position] if position < len(terms) else UNKNOWN
            )
        sight_env = sight_env.bind(refers.get(declaration.sights[0].number), NOTHING_SECRET, piece)
        return self._seats(viewers, sight_env)

    def _seats(self, node: ast.Expression, env: Env) -> Seen:
        """Visibility for the seats that an expression yields."""
        seen = self._among(node, env)
        if seen.me == "seen" or bare(self.context.model.types.get(node.number, PLAYER)) == PLAYER:
            return seen
        to_me = decided(self.member(ME, node, env), env.truths)
        return seen if to_me is None else Seen("seen" if to_me else "unseen", seen.all if to_me else "unseen")

    def _among(self, node: ast.Expression, env: Env) -> Seen:
        symbol = self.context.model.refers.get(node.number)
        match node:
            case ast.Name() if isinstance(symbol, BuiltinSymbol):
                return self._builtin(symbol.name)
            case ast.Name() if isinstance(symbol, TypeSymbol):
                return Seen()
            case ast.Name() | ast.Call() if isinstance(symbol, DefineSymbol):
                return self._defined(symbol, node, env)
            case ast.SetOf():
                return self._union(node.items, env)
            case ast.Either():
                cases = [(node.condition, node.then), (None, node.otherwise)]
                return self._cases(cases, env)
            case ast.Arithmetic(operator="+"):
                return self._union([node.left, node.right], env)
            case ast.Arithmetic(operator="-") if isinstance(node.right, ast.SetOf):
                return self._without(node.left, node.right, env)
            case ast.Filter():
                return Seen("seen" if self._keeps_me(node, env) else "maybe", "maybe")
            case _ if bare(self.context.model.types.get(node.number, PLAYER)) == PLAYER:
                return self._one_seat(node, env)
            case _:
                return PERHAPS

    def _builtin(self, word: str) -> Seen:
        """Visibility for `all`, `nobody`, `none`, and for `me` reached indirectly."""
        return {"all": Seen(), "me": Seen("seen", self._others)}.get(word, HIDDEN_FROM_ALL)

    @property
    def _others(self) -> Sight:
        """Visibility to all of what a single seat sees."""
        return "unseen" if self.context.model.file.header.fewest > 1 else "maybe"

    def _one_seat(self, node: ast.Expression, env: Env) -> Seen:
        # First by what is known of the seat, then by the conditions that hold: `p is me` may follow from both.
        seat = self.value(node, env).seat
        to_me: Sight = "seen" if seat == "me" else "maybe" if seat == "some" else "unseen"
        if seat != "me":
            is_me = decided(same(self.term(node, env), ME), env.truths)
            to_me = to_me if is_me is None else "seen" if is_me else "unseen"
        return Seen(to_me, self._others)

    def _union(self, nodes: Sequence[ast.Expression], env: Env) -> Seen:
        sights = [self._seats(node, env) for node in nodes if not self._is_nobody(node)]
        if not sights:
            return HIDDEN_FROM_ALL
        # Whoever is in any part sees it; and `{p, left(p)}` may be all seats together although neither part is, unless
        # there are fewer parts than seats in the smallest game.
        to_me, to_all = _best(part.me for part in sights), _best(part.all for part in sights)
        few = len(sights) < self.context.model.file.header.fewest
        return Seen(to_me, "maybe" if to_all == "unseen" and to_me != "unseen" and not few else to_all)

    def _without(self, node: ast.Expression, subtrahend: ast.SetOf, env: Env) -> Seen:
        minuend, subtracted = self._seats(node, env), self._union(subtrahend.items, env)
        opposite: dict[Sight, Sight] = {"seen": "unseen", "unseen": "seen", "maybe": "maybe"}
        to_me: Sight = (
            opposite[subtracted.me] if minuend.me == "seen" else "unseen" if minuend.me == "unseen" else "maybe"
        )
        types = self.context.model.types
        items = [item for item in subtrahend.items if not self._is_nobody(item)]
        if any(self._each_in_turn(item, env) for item in items):
            to_me = "unseen"
        somebody = any(types.get(item.number, PLAYER) == PLAYER for item in items)
        return Seen(to_me, "unseen" if somebody else "maybe" if items and minuend.all != "unseen" else minuend.all)

    def _each_in_turn(self, node: ast.Expression, env: Env) -> bool:
        """True of a value that is each of several seats in turn, the acting one among them."""
        return self.value(node, env).seat == "every" and decided(same(self.term(node, env), ME), env.truths) is None

    def _is_nobody(self, node: ast.Expression) -> bool:
        symbol = self.context.model.refers.get(node.number)
        return isinstance(symbol, BuiltinSymbol) and symbol.name in ("nobody", "none")

    def _defined(self, symbol: DefineSymbol, node: ast.Expression, env: Env) -> Seen:
        if symbol in self.open_definitions:
            # A call of itself is not followed: whichever seats it gives may be among those that see.
            return Seen("maybe", self._others) if symbol.type is not None and bare(symbol.type) == PLAYER else PERHAPS
        arguments = node.arguments if isinstance(node, ast.Call) else ()
        definition_env = Env(truths=env.truths)
        for parameter, argument in zip(symbol.parameters, arguments, strict=True):
            definition_env = definition_env.bind(parameter, self.value(argument, env), self.term(argument, env))
        self.open_definitions.add(symbol)
        seen = self._cases([(case.condition, case.value) for case in symbol.declaration.cases], definition_env)
        self.open_definitions.discard(symbol)
        return seen

    def _cases(self, cases: Sequence[tuple[ast.Expression | None, ast.Expression]], env: Env) -> Seen:
        """Visibility for the seats of the case that applies, as far as the facts decide which."""
        sights = []
        for condition, value in cases:
            holds = True if condition is None else self.holds(condition, env)
            if holds is not False:
                sights.append(self._seats(value, env if condition is None else self.where(condition, env, True)))
            # INVARIANT: `sights` has every case that may apply; one that certainly applies is the last.
            if holds is True or condition is None:
                break
            env = self.where(condition, env, False)
        return _either(sights)

    def _keeps_me(self, node: ast.Filter, env: Env) -> bool:
        """True if `{q in Player where side(q) is side(p)}` certainly holds `me`: both sides are the same for q is p."""
        refers, where = self.context.model.refers, node.where
        if where is None:
            return True
        my_names = {symbol for symbol, knowledge in env.names.items() if knowledge.seat == "me"}
        my_names |= {symbol for symbol in [refers.get(node.binder.number)] if isinstance(symbol, LocalSymbol)}

        def same(a: ast.Node, b: ast.Node) -> bool:
            if isinstance(a, ast.Name) and isinstance(b, ast.Name):
                left_symbol, right_symbol = refers.get(a.number), refers.get(b.number)
                return a.name == b.name or (left_symbol in my_names and right_symbol in my_names)
            both_children = a.children(), b.children()
            alike = type(a) is type(b) and _words(a) == _words(b) and len(both_children[0]) == len(both_children[1])
            return alike and all(same(x, y) for x, y in zip(*both_children, strict=True))

        return isinstance(where, ast.Compare) and where.operator == "is" and same(where.left, where.right)


def _words(node: ast.Node) -> list[object]:
    """The field values of a node other than its child nodes."""
    return [value for value in node.content().values() if not isinstance(value, ast.Node | tuple)]


def _best(sights: Iterable[Sight]) -> Sight:
    return min(sights, key=BEST.index)


def _either(parts: Sequence[Seen]) -> Seen:
    """Combined visibility if any of these may apply."""
    to_me, to_all = {part.me for part in parts}, {part.all for part in parts}
    return Seen(to_me.pop() if len(to_me) == 1 else "maybe", to_all.pop() if len(to_all) == 1 else "maybe")


# ---------------- narrowing: facts known where a condition holds, namely which seats are `me`, and the condition
# itself


Refers = Mapping[int, Symbol]
"""What each name refers to, by the number of its node."""


def narrowed(conditions: Conditions, value: ValueFunction, node: ast.Expression, env: Env, holds: bool) -> Env:
    """Narrow the facts to where a condition holds, or to where it does not."""
    term, refers = conditions.term(node, env), conditions.context.model.refers
    return conditions.assume(_seats(refers, value, node, env, holds), term if holds else negated(term))


def _seats(refers: Refers, value: ValueFunction, node: ast.Expression, env: Env, holds: bool) -> Env:
    """Narrow the facts about the names in scope."""
    match node:
        case ast.Not():
            return _seats(refers, value, node.operand, env, not holds)
        # `P and Q` tells of both sides only where it holds, `P or Q` only where it does not. What remains, such as one
        # side of a disjunction that holds, is left to the terms (`logic/terms.py`).
        case ast.And() if holds:
            return _seats(refers, value, node.right, _seats(refers, value, node.left, env, True), True)
        case ast.Or() if not holds:
            return _seats(refers, value, node.right, _seats(refers, value, node.left, env, False), False)
        case ast.Compare(operator="is" | "is not"):
            return _compared(refers, value, node, env, holds is (node.operator == "is"))
        case _:
            return env


def _compared(refers: Refers, value: ValueFunction, node: ast.Compare, env: Env, same: bool) -> Env:
    """Narrow by a comparison: a name that is a seat, or is not; and names that take the arguments of a value."""
    if same and isinstance(node.right, ast.Call) and isinstance(refers.get(node.right.number), FamilySymbol):
        facts = value(node, env).facts
        for argument in node.right.arguments:
            symbol = refers.get(argument.number)
            if isinstance(symbol, LocalSymbol) and symbol.role == "taken" and symbol.node is argument:
                env = env.bind(symbol, Known(facts))
        return env
    for name, compared in ((node.left, node.right), (node.right, node.left)):
        symbol = refers.get(name.number)
        seat = value(compared, env).seat
        narrowed_seat: Seat | None = "me" if same and seat == "me" else "other" if same and seat == "other" else None
        # `p is not me` makes p another seat; `p is not left(me)` tells nothing, as p may be me.
        if not same and seat == "me":
            narrowed_seat = "other"
        if narrowed_seat is not None and isinstance(symbol, LocalSymbol) and symbol in env.names:
            env = env.learned(symbol, replace(env.names[symbol], seat=narrowed_seat))
    return env
