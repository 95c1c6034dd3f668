"""Elimination of common subexpressions: each is computed where it is first sure to be.

    if size(with_kind(…, RED)) = 0: return 0                    once = with_kind(…, RED)
    return 2 * size(with_kind(…, RED))                     →    if size(once) = 0: return 0
                                                                return 2 * size(once)

Bottom-up each expression gets its uses: for every costly expression inside it, how often it is evaluated at most and
whether it is sure to be evaluated at all (`Use`). Top-down, an expression that is sure to be evaluated here, and used
again here or later, gets a local in front of the statement or a `let` around the expression.

Why not in front of the first use, wherever that is? `if A: f(x) …` followed by `if B: f(x) …` would compute f(x) even
if neither holds, which is slower than before where both are rare. So only what is computed anyway is computed earlier:
a search in one branch is shared within that branch, and one in both branches before the condition.

Most functions have nothing to share, and comparing all pairs of expressions is quadratic. `repeated_signatures` first
looks for sizes and costs that occur twice; exact keys are built for these only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import NamedTuple

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.passes.facts.traversal import LEAVES, WITHOUT
from interpreter.compiler.passes.loops.costs import COSTLY, Costs, Key, costly, key_of, what
from interpreter.compiler.passes.rewriting.substitution import Fresh, bound

MAX_SHARED_SIZE = 100
"""Maximum number of nodes of an expression that is compared with others."""


Signature = tuple[object, ...]


def signature_of(node: ex.Expr, costs: Costs) -> Signature | None:
    """A cheap hash that is equal for equal expressions; None for those not worth comparing."""
    if not costly(node) and not isinstance(node, ex.Let):
        return None
    facts = costs.of(node)
    if not facts.movable or facts.size > MAX_SHARED_SIZE or facts.cost < COSTLY:
        return None
    return type(node), what(node), facts.size, facts.cost


def repeated_signatures(parts: Iterable[ex.Expr], costs: Costs) -> frozenset[Signature]:
    """The signatures that occur more than once in expressions."""
    seen: set[Signature] = set()
    repeated: set[Signature] = set()
    waiting = list(parts)
    while waiting:
        node = waiting.pop()
        if type(node) in LEAVES or costs.of(node).cost < COSTLY:
            continue
        signature = signature_of(node, costs)
        if signature is not None:
            (repeated if signature in seen else seen).add(signature)
        waiting += ex.children(node)
    return frozenset(repeated)


class Use(NamedTuple):
    """How often an expression is evaluated at most, whether it is sure to be, and one occurrence of it."""

    times: int
    sure: bool
    node: ex.Expr


Uses = Mapping[Key, Use]

NO_USES: Uses = {}


# Times are those of the text: the body of a loop counts once, and two branches count twice although only one of them is
# evaluated. A search in both branches is therefore computed before the condition, which saves code instead of time.
def merged(parts: Iterable[tuple[Uses, bool]]) -> Uses:
    """The uses in several parts, each with whether it is sure to be evaluated."""
    some = [(uses, sure) for uses, sure in parts if uses]
    if not some:
        return NO_USES
    if len(some) == 1 and some[0][1]:
        return some[0][0]
    total: dict[Key, Use] = {}
    for uses, sure in some:
        for key, use in uses.items():
            earlier = total.get(key)
            if earlier is not None:
                total[key] = Use(earlier.times + use.times, earlier.sure or (sure and use.sure), use.node)
            else:
                total[key] = use if sure or not use.sure else Use(use.times, False, use.node)
    return total


def either(first: Uses, second: Uses) -> Uses:
    """The uses in one of two branches: only those in both are sure."""
    if not first and not second:
        return NO_USES
    joint = dict(merged(((first, False), (second, False))))
    for key in first.keys() & second.keys():
        joint[key] = joint[key]._replace(sure=first[key].sure and second[key].sure)
    return joint


@dataclass(slots=True)
class Sharing:
    """The uses in a function, computed once for each expression and statement.

    `repeated_signatures` are those of possible common subexpressions; `shared` is called with each that is shared.
    """

    costs: Costs
    fresh: Fresh
    repeated_signatures: frozenset[Signature]
    shared: Callable[[ex.Expr], None]
    uses_inside: IdentityMap[object, Uses] = field(default_factory=IdentityMap)

    def keyed(self, node: ex.Expr) -> Key | None:
        """The key of an expression, if there may be another one with the same key."""
        signature = signature_of(node, self.costs)
        return None if signature is None or signature not in self.repeated_signatures else key_of(node)

    def uses(self, node: ex.Expr) -> Uses:
        """The uses in an expression, including its own."""
        if type(node) in LEAVES or self.costs.of(node).cost < COSTLY:
            return NO_USES
        uses = self.uses_inside.get(node)
        if uses is None:
            inside, key = self.inside(node), self.keyed(node)
            uses = self.uses_inside.keep(node, inside if key is None else {**inside, key: Use(1, True, node)})
        return uses

    def inside(self, node: ex.Expr) -> Uses:
        """The uses in the parts of an expression."""
        match node:
            case ex.Logic():
                uses = merged((self.uses(part), place == 0) for place, part in enumerate(node.parts))
            case ex.Choice():
                branches = either(self.uses(node.then), self.uses(node.otherwise))
                uses = merged(((self.uses(node.condition), True), (branches, True)))
            case ex.Fold():
                uses = merged((self.uses(part), place == 0) for place, part in enumerate(ex.children(node)))
            case ex.Lambda():
                uses = merged(((self.uses(node.body), False),))
            case _:
                uses = merged((self.uses(part), True) for part in ex.children(node))
        # INVARIANT: uses that leave a binder do not mention its locals. Otherwise `sum(f(x) for x in A) + sum(f(x) for
        # x in B)` would share f(x) between two different x.
        return self._without(uses, [local.name for local in bound(node)])

    def _without(self, uses: Uses, names: Iterable[str]) -> Uses:
        """The uses of expressions that do not depend on some locals."""
        gone = frozenset(names)
        if not gone or not uses:
            return uses
        return {key: use for key, use in uses.items() if gone.isdisjoint(self.costs.of(use.node).free)}

    # ------------------------------------------------------------ statements

    def of_statement(self, node: st.Statement) -> Uses:
        """The uses in a statement, with those inside it."""
        if type(node) in WITHOUT:
            return NO_USES
        uses = self.uses_inside.get(node)
        return self.uses_inside.keep(node, self._of_statement(node)) if uses is None else uses

    def _of_statement(self, node: st.Statement) -> Uses:
        match node:
            case st.If():
                branches = either(self.of_block(node.then), self.of_block(node.otherwise))
                return merged(((self.uses(node.condition), True), (branches, True)))
            case st.For():
                parts = [(self.uses(part), place == 0) for place, part in enumerate(st.expressions(node))]
                uses = merged((*parts, (self.of_block(node.body), False)))
                return self._without(uses, [loop.local.name for loop in node.loops])
            case st.Repeat() | st.IfNoMoves():
                parts = [(self.uses(part), True) for part in st.expressions(node)]
                return merged((*parts, (self.of_block(node.body), False)))
            case st.Once():
                parts = [(self.uses(part), True) for part in node.values]
                return merged((*parts, (either(self.of_block(node.body), self.of_block(node.otherwise)), False)))
            case st.Assign():
                return self.uses(node.value)
            case _:
                return merged((self.uses(part), True) for part in st.expressions(node))

    def of_block(self, block: st.Block) -> Uses:
        """The uses in statements; only those in the first are sure, as control may not reach the others."""
        # The first statement may return. That a later one is reached is not found out: `shared_block` asks again there.
        uses = merged((self.of_statement(node), place == 0) for place, node in enumerate(block))
        return self._without(uses, [node.local.name for node in block if isinstance(node, st.Assign)])


Held = Mapping[Key, ex.Local]


def choice(own_uses: Uses, total: Uses, held: Held, sharing: Sharing) -> list[tuple[Key, Use]]:
    """The expressions to assign to locals here: sure to be evaluated, and more than once. The smallest first.

    An expression that only occurs inside a larger one of them is evaluated once with it.
    """
    worth = [(key, use) for key, use in own_uses.items() if use.sure and total[key].times > 1 and key not in held]
    if not worth:
        return []
    worth.sort(key=lambda entry: -sharing.costs.of(entry[1].node).size)
    less: dict[Key, int] = {}
    chosen: list[tuple[Key, Use]] = []
    # A value that is held already costs nothing again, with all that it contains.
    for key in total.keys() & held.keys():
        _count_inside(less, total[key].node, total[key].times, sharing)
    for key, use in worth:
        times = total[key].times - less.get(key, 0)
        if times < 2:
            continue
        chosen.append((key, use))
        _count_inside(less, use.node, times - 1, sharing)
    return chosen[::-1]


def _count_inside(less: dict[Key, int], node: ex.Expr, times: int, sharing: Sharing) -> None:
    """Count the evaluations saved inside an expression that is held in a local."""
    for key, use in sharing.inside(node).items():
        less[key] = less.get(key, 0) + times * use.times


# ---------------------------------------------------------------- rewriting


def shared_block(block: st.Block, held: Held, sharing: Sharing) -> st.Block:
    """Statements in which common subexpressions are held in locals."""
    if not any(sharing.of_statement(node) for node in block):
        return block
    out: list[st.Statement] = []
    for place, node in enumerate(block):
        own_uses = sharing.of_statement(node)
        if own_uses:
            total = merged((sharing.of_statement(later), False) for later in block[place:])
            for key, use in choice(own_uses, total, held, sharing):
                local, value = _new(use.node, held, sharing)
                out.append(st.Assign(local, value))
                held = {**held, key: local}
            node = _statement(node, held, sharing)
        out.append(node)
    return tuple(out)


def _new(node: ex.Expr, held: Held, sharing: Sharing) -> tuple[ex.Local, ex.Expr]:
    sharing.shared(node)
    return sharing.fresh.local(ex.Local(node.type, "once")), _parts(node, held, sharing)


def _statement(node: st.Statement, held: Held, sharing: Sharing) -> st.Statement:
    if not isinstance(node, st.For):
        return st.rebuilt(
            node, lambda part: with_held(part, held, sharing), lambda nested: shared_block(nested, held, sharing)
        )  # fmt: skip
    loops = _loops(node.loops, held, sharing)
    return st.For(loops, shared_block(node.body, held, sharing), node.listed, node.source)


def _loops(loops: tuple[ex.Loop, ...], held: Held, sharing: Sharing) -> tuple[ex.Loop, ...]:
    first, *others = loops
    where = None if first.where is None else by_itself(first.where, held, sharing)
    new_loops = [ex.Loop(first.local, with_held(first.over, held, sharing), where)]
    return (*new_loops, *[ex.changed_loop(loop, lambda part: by_itself(part, held, sharing)) for loop in others])


def with_held(node: ex.Expr, held: Held, sharing: Sharing) -> ex.Expr:
    """An expression with locals in place of the expressions they hold."""
    if not sharing.uses(node):
        return node
    # A key says nothing about types: the same search may have the type `Piece?` in one place and `Piece` in another,
    # behind a test for none. A local of one type cannot take the place of an expression of the other.
    key = sharing.keyed(node) if held else None
    local = None if key is None else held.get(key)
    return local if local is not None and local.type == node.type else _parts(node, held, sharing)


def _parts(node: ex.Expr, held: Held, sharing: Sharing) -> ex.Expr:
    """An expression with locals in its parts; a part that is not sure to be evaluated binds those it alone needs."""
    match node:
        case ex.Logic():
            first, *others = node.parts
            parts = (with_held(first, held, sharing), *[by_itself(part, held, sharing) for part in others])
            return ex.Logic(node.type, node.word, parts, node.source)
        case ex.Choice():
            condition = with_held(node.condition, held, sharing)
            two = by_itself(node.then, held, sharing), by_itself(node.otherwise, held, sharing)
            return ex.Choice(node.type, condition, *two, node.source)
        case ex.Fold():
            loops = _loops(node.loops, held, sharing)
            return ex.Fold(node.type, node.word, loops, by_itself(node.value, held, sharing), node.source)
        case ex.Let():
            value = with_held(node.value, held, sharing)
            return ex.Let(node.type, node.local, value, by_itself(node.body, held, sharing), node.source)
        case ex.Lambda():
            return ex.Lambda(node.type, node.params, by_itself(node.body, held, sharing), node.source)
        case _:
            return ex.rebuilt(node, lambda part: with_held(part, held, sharing))


def by_itself(node: ex.Expr, held: Held, sharing: Sharing) -> ex.Expr:
    """A part of an expression that binds its own common subexpressions."""
    own_uses = sharing.uses(node)
    if not own_uses:
        return node
    lets: list[tuple[ex.Local, ex.Expr]] = []
    for key, use in choice(own_uses, own_uses, held, sharing):
        lets.append(_new(use.node, held, sharing))
        held = {**held, key: lets[-1][0]}
    new_node = with_held(node, held, sharing)
    for local, value in reversed(lets):
        new_node = ex.Let(new_node.type, local, value, new_node)
    return new_node
