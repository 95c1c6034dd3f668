"""Who sees a zone or a note, as far as it can be told before play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl import ast
from dsl.check.context import Context
from dsl.check.knowledge import NOTHING_SECRET, Env, Known, Seat, Seen, Sight
from dsl.symbols import BuiltinSymbol, DefineSymbol, LocalSymbol, NoteSymbol, Symbol, TypeSymbol, ZoneSymbol
from dsl.types import PLAYER, bare

HIDDEN_FROM_ALL = Seen("unseen", "unseen")
PERHAPS = Seen("maybe", "maybe")
BEST: tuple[Sight, ...] = ("seen", "maybe", "unseen")


class Viewers:
    """Reads `seen by`; mixed into `Knowing`, which has the rest."""

    context: Context

    def value(self, node: ast.Expression, env: Env) -> Known:
        """See `Knowing.value`."""
        raise NotImplementedError

    def case_envs(self, cases: Sequence[ast.Case], env: Env) -> list[Env]:
        """See `Knowing.case_envs`."""
        raise NotImplementedError

    def seen(
        self,
        symbol: ZoneSymbol | NoteSymbol,
        index: Sequence[Seat],
        attribute: str | None,
        lookers: frozenset[Symbol | str],
    ) -> Seen:
        """Who sees a note, or an attribute of what lies in a zone, at an index of which this is known."""
        declaration, refers = symbol.declaration, self.context.model.refers
        sights = {sight.attribute: sight.viewers for sight in declaration.sights}
        viewers = sights.get(attribute, sights.get(None))
        if viewers is None:
            return Seen()
        env = Env(lookers=lookers)
        for place, parameter in enumerate(declaration.index):
            known = Known(seat=index[place]) if place < len(index) else NOTHING_SECRET
            env = env.bind(refers.get(parameter.number), known)
        return self._seats(viewers, env)

    def _seats(self, node: ast.Expression, env: Env) -> Seen:
        """Who is among the seats that an expression gives."""
        symbol = self.context.model.refers.get(node.number)
        if symbol in env.lookers or (isinstance(node, ast.Attribute) and node.name in env.lookers):
            return Seen("seen", "maybe")
        match node:
            case ast.Name() if isinstance(symbol, BuiltinSymbol):
                return self._word(symbol.name)
            case ast.Name() if isinstance(symbol, TypeSymbol):
                return Seen()
            case ast.Name() | ast.Call() if isinstance(symbol, DefineSymbol):
                return self._defined(symbol, node, env)
            case ast.SetOf():
                return self._union([self._seats(item, env) for item in node.items])
            case ast.Either():
                return _either((self._seats(node.then, env), self._seats(node.otherwise, env)))
            case ast.Arithmetic(operator="+"):
                return self._union([self._seats(node.left, env), self._seats(node.right, env)])
            case ast.Arithmetic(operator="-") if isinstance(node.right, ast.SetOf):
                return self._without(self._seats(node.left, env), self._seats(node.right, env))
            case ast.Filter():
                return Seen("seen" if self._keeps_me(node, env) else "maybe", "maybe")
        if bare(self.context.model.types.get(node.number, PLAYER)) != PLAYER:
            return PERHAPS
        return self._one_seat(self.value(node, env))

    def _word(self, word: str) -> Seen:
        """`all`, `nobody`, `none`, and `me` where it is known by a detour."""
        return {"all": Seen(), "me": Seen("seen", self._others)}.get(word, HIDDEN_FROM_ALL)

    @property
    def _others(self) -> Sight:
        """Whether what a single seat sees is seen by all."""
        return "unseen" if self.context.model.file.header.fewest > 1 else "maybe"

    def _one_seat(self, known: Known) -> Seen:
        mine: Sight = "seen" if known.seat == "me" else "maybe" if known.seat == "some" else "unseen"
        return Seen(mine, self._others)

    def _union(self, parts: Sequence[Seen]) -> Seen:
        parts = [part for part in parts if part != HIDDEN_FROM_ALL]
        if not parts:
            return HIDDEN_FROM_ALL
        every = _best(part.all for part in parts)
        few = len(parts) < self.context.model.file.header.fewest
        return Seen(_best(part.me for part in parts), "maybe" if every == "unseen" and not few else every)

    def _without(self, left: Seen, right: Seen) -> Seen:
        opposite: dict[Sight, Sight] = {"seen": "unseen", "unseen": "seen", "maybe": "maybe"}
        mine: Sight = opposite[right.me] if left.me == "seen" else "unseen" if left.me == "unseen" else "maybe"
        return Seen(mine, "unseen" if right != HIDDEN_FROM_ALL else left.all)

    def _defined(self, symbol: DefineSymbol, node: ast.Expression, env: Env) -> Seen:
        arguments = node.arguments if isinstance(node, ast.Call) else ()
        inner = Env(lookers=env.lookers)
        for parameter, argument in zip(symbol.parameters, arguments, strict=True):
            inner = inner.bind(parameter, self.value(argument, env))
        cases = symbol.declaration.cases
        envs = self.case_envs(cases, inner)
        return _either([self._seats(case.value, at) for case, at in zip(cases, envs, strict=True)])

    def _keeps_me(self, node: ast.Filter, env: Env) -> bool:
        """Whether `{q in Player where side(q) is side(p)}` surely holds `me`: both sides are the same for q is p."""
        refers, where = self.context.model.refers, node.where
        if where is None:
            return True
        own = {symbol for symbol, known in env.names.items() if known.seat == "me"}
        own |= {symbol for symbol in [refers.get(node.binder.number)] if isinstance(symbol, LocalSymbol)}

        def same(a: ast.Node, b: ast.Node) -> bool:
            if isinstance(a, ast.Name) and isinstance(b, ast.Name):
                one, other = refers.get(a.number), refers.get(b.number)
                return a.name == b.name or (one in own and other in own)
            inner = list(a.children()), list(b.children())
            alike = type(a) is type(b) and _words(a) == _words(b) and len(inner[0]) == len(inner[1])
            return alike and all(same(x, y) for x, y in zip(*inner, strict=True))

        return isinstance(where, ast.Compare) and where.operator == "is" and same(where.left, where.right)


def _words(node: ast.Node) -> list[object]:
    """What a node says besides the nodes below it."""
    return [value for value in node.said().values() if not isinstance(value, ast.Node | tuple)]


def _best(sights: Iterable[Sight]) -> Sight:
    return min(sights, key=BEST.index)


def _either(parts: Sequence[Seen]) -> Seen:
    """Who sees what is seen by one or the other, nobody knows which."""
    mine, every = {part.me for part in parts}, {part.all for part in parts}
    return Seen(mine.pop() if len(mine) == 1 else "maybe", every.pop() if len(every) == 1 else "maybe")
