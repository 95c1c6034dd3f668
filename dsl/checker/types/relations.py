"""Comparisons, sums, counts and kinds: what is said about several values at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.types.bounds import most_members
from dsl.checker.types.constructors import take_apart
from dsl.checker.types.corrections import kind_among, number_of
from dsl.checker.types.lookup import Lookup
from dsl.checker.types.piece_kinds import kind_of, narrowed, pieces_in
from dsl.checker.types.precedence import all_counted, count_before, joined
from dsl.diagnostics import Replacement
from dsl.symbols import BuiltinSymbol, NoteSymbol, ZoneSymbol
from dsl.types import (
    ANY_NUMBER,
    FAR,
    KIND,
    NOTHING,
    PLAYER,
    TRUTH,
    UNKNOWN,
    Contents,
    Listed,
    ListType,
    Maybe,
    Number,
    PieceType,
    Several,
    Type,
    Unknown,
    bare,
    comparable,
    element_of,
    join,
    maybe,
    numeric,
)


class Relations(Lookup):
    """Types of comparisons and of what goes through things; mixed into `Inference`.

    `takes` are the comparisons in which names not known yet may take the arguments of a value.
    """

    takes: set[int]

    def truth(self, node: ast.Expression, scope: Scope, what: str) -> None:
        """See `Inference.truth`."""
        raise NotImplementedError

    def binders(
        self, binders: tuple[ast.Binder, ...], where: ast.Expression | None, scope: Scope, whole: ast.Node | None = None
    ) -> Scope:
        """See `Inference.binders`."""
        raise NotImplementedError

    def outside(self, actual: Type, wanted: Type) -> bool:
        """See `Inference.outside`."""
        raise NotImplementedError

    def set_of(self, element: Type, node: ast.Expression, built: bool = False) -> Type:
        """See `Inference.set_of`."""
        raise NotImplementedError

    # ------------------------------------------------------------ going through

    def quantified(self, node: ast.Quantified, scope: Scope) -> Type:
        """`count`, `some`, `no`, `the`."""
        inner = self.binders(node.binders, node.where, scope, node)
        if node.quantifier == "count":
            return Number(0, self._times(node.binders))
        if node.quantifier == "the":
            if len(node.binders) != 1:
                self.context.error("E0317", "`the` looks for one thing only", node, ["leave out `with …`"])
                return UNKNOWN
            symbol = inner.locals.get(node.binders[0].name)
            return maybe(symbol.type) if symbol else UNKNOWN
        return TRUTH

    def aggregate(self, node: ast.Aggregate, scope: Scope) -> Type:
        """`sum`, `highest`, `lowest`; of nothing it is 0."""
        inner = self.binders(node.binders, node.where, scope, node)
        value = self.number(node.value, inner)
        if node.function == "sum":
            times = self._times(node.binders)
            return _range(min(0, value.low * times), max(0, value.high * times))
        return Number(min(0, value.low), max(0, value.high))

    def _times(self, binders: Sequence[ast.Binder]) -> int:
        """How often binders can go round at most."""
        types = self.context.model.types
        return min(FAR, prod(most_members(self.context, types[b.domain.number], b.domain) for b in binders))

    def best(self, node: ast.Best, scope: Scope) -> Type:
        """`the x in S with highest E`; of an empty set it is none."""
        inner = self.binders((node.binder,), node.where, scope)
        self.number(node.value, inner)
        return maybe(inner.locals[node.binder.name].type)

    def of(self, node: ast.Of, scope: Scope) -> Type:
        """`hand[me] of king`; of a zone without its index the places where such a piece lies."""
        if isinstance(node.whole, ast.Name) and self._as_in_english(node, node.whole, scope):
            return UNKNOWN
        whole = self.infer(node.whole, scope)
        zone = self.context.model.refers.get(node.whole.number)
        if isinstance(zone, ZoneSymbol) and zone.index and isinstance(node.whole, ast.Name):
            pieces = pieces_in(zone.contents)
            if pieces is not None and isinstance(whole, Several):
                kind_of(self, node.part, pieces, scope)
            return whole
        pieces = pieces_in(whole)
        if pieces is None:
            if not isinstance(whole, Unknown):
                said = "`hand[me] of king` is the pieces of a zone of that kind; ends are functions: `top(pile)`"
                if numeric(whole):
                    said = "only a move says how many of a kind; how many there are is `count hand[me] of king`"
                self.context.error(
                    "E0318",
                    f"before `of` stand pieces, this is {whole}",
                    node.whole,
                    [said],
                    causes=[self.about(node.whole)],
                )
            return UNKNOWN
        kind_of(self, node.part, pieces, scope)
        return Several(narrowed(self.context, node.part, pieces))

    def _as_in_english(self, node: ast.Of, whole: ast.Name, scope: Scope) -> bool:
        """Report `top of deck` and `hand of me`, where other signs stand for `of`."""
        symbol = None if scope.find(whole.name) else self.context.globals.get(whole.name)
        part = node.part.span.text
        if isinstance(symbol, BuiltinSymbol) and whole.name in FUNCTIONS:
            new, helps = f"{whole.name}({part})", [f"it is written {FUNCTIONS[whole.name][0]}"]
            self.infer(node.part, scope)
            self.context.error("E0318", f"`{whole.name}` is a function", whole, helps, new=new, at=node.span)
            return True
        if not isinstance(symbol, ZoneSymbol | NoteSymbol) or symbol.index != (PLAYER,):
            return False
        if isinstance(symbol, ZoneSymbol) and symbol.declaration.shape == "one":
            return False
        new = f"{whole.name}[{part}]"
        self.context.error("E0309", f"`{whole.name}` needs an index", whole, [f"write `{new}`"], new=new, at=node.span)
        return True

    # ------------------------------------------------------------ comparisons

    def compare(self, node: ast.Compare, scope: Scope) -> Type:
        """A comparison holds or not."""
        match node.operator:
            case "is" | "is not":
                self._same(node, scope)
            case "is in" | "is not in":
                self._member(node, scope)
            case "before" | "after":
                for side in (node.left, node.right):
                    type_ = self.infer(side, scope)
                    if not isinstance(bare(type_), PieceType | Unknown):
                        message = f"`{node.operator}` compares the places of two pieces, this is {type_}"
                        self.context.error("E0319", message, side, causes=[self.about(side)])
            case _:
                self.number(node.left, scope)
                self.number(node.right, scope)
        return TRUTH

    def _member(self, node: ast.Compare, scope: Scope) -> None:
        if isinstance(node.right, ast.ListOf):
            left = self.infer(node.left, scope)
            right = self.list_of(node.right, scope, ListType(bare(left)))
        else:
            right = self.infer(node.right, scope)
            left = self.infer(node.left, scope, element_of(right))
        element = element_of(right)
        if element is None:
            message, cause = f"nothing is in {right}: it is no set", self.about(node.right)
            self.context.error("E0308", message, node.right, ["compare it with `is`"], causes=[cause])
        elif not comparable(left, element):
            message, way = f"this is {left}, it is looked for in {right}", kind_among(self.context, node, left, right)
            helps = [f"ask for pieces of that kind: `{way.text}`"] if way is not None else []
            causes = [self.about(node.left, right), self.about(node.right, left)]
            self.context.error("E0316", message, node.left, helps, new=way, causes=causes)

    def _same(self, node: ast.Compare, scope: Scope) -> None:
        if self._word(node, scope) or take_apart(
            self, node, scope, node.operator == "is" and node.number in self.takes
        ):
            return
        shared = isinstance(node.left, ast.Name) and not scope.find(node.left.name)
        if shared and isinstance(node.left, ast.Name) and len(self.context.values.get(node.left.name, [])) > 1:
            right = self.infer(node.right, scope)
            left = self.infer(node.left, scope, right)
        else:
            left = self.infer(node.left, scope)
            right = self._right_side(node.right, left, scope)
        if isinstance(right, ListType):
            self._same_list(node, left, right)
        elif right != KIND and not comparable(left, right):
            counted = isinstance(right, Number) and element_of(left) is not None and _short(node.left)
            new = f"count {node.left.span.text}" if counted and not self.in_example else None
            message = f"this is {right}, what it is compared with is {left}"
            helps = [f"how many there are is `{new}`"] if new else []
            sides = [self.about(node.left, right), self.about(node.right, left)]
            self.context.error("E0316", message, node.right, helps, new=new, at=node.left.span, causes=sides)
        elif right == NOTHING and not isinstance(left, Maybe | Unknown) and not _one(left) and left != NOTHING:
            self.context.error("E0343", f"this is never none: it is {left}", node.left, severity="warning")

    def _right_side(self, node: ast.Expression, left: Type, scope: Scope) -> Type:
        """The type of what stands after `is`, where a piece may be compared with a kind."""
        pieces = pieces_in(left)
        if isinstance(node, ast.ListOf):
            return self.list_of(node, scope, left)
        if isinstance(left, Unknown) and isinstance(node, ast.Pattern):
            return UNKNOWN
        if pieces is not None and (_one(left) or isinstance(bare(left), PieceType)):
            if kind_of(self, node, pieces, scope, quiet=True):
                self.context.model.types[node.number] = KIND
                return KIND
            if isinstance(node, ast.Pattern):
                kind_of(self, node, pieces, scope)
                return KIND
        elif isinstance(node, ast.Pattern) and pieces is not None:
            if not kind_of(self, node, pieces, scope):
                return KIND
            message = f"a kind is compared with a piece, this is {left}"
            self.context.error("E0316", message, node, ["several pieces are a list: `[2 king]`"])
            return KIND
        return self.infer(node, scope, left)

    def _word(self, node: ast.Compare, scope: Scope) -> bool:
        """Whether the comparison ends in `empty` or `somebody`."""
        right = node.right
        if not isinstance(right, ast.Name) or right.name not in ("empty", "somebody") or scope.find(right.name):
            return False
        left = self.infer(node.left, scope)
        self.context.model.refers[right.number] = self.context.globals[right.name]
        self.context.model.types[right.number] = NOTHING
        good = isinstance(left, Maybe | Unknown)
        if right.name == "empty":
            good |= element_of(left) is not None
        if not good:
            self.context.error("E0316", f"{left} is never `{right.name}`", node.left, causes=[self.about(node.left)])
        return True

    def _same_list(self, node: ast.Compare, left: Type, right: ListType) -> None:
        element = element_of(left)
        if isinstance(left, Unknown) or (element is not None and comparable(element, right.element)):
            if numeric(right.element):
                self.set_of(right.element, node.right)
            return
        helps = ["write it without brackets"] if element is None else []
        message, cause = f"this is {right}, what it is compared with is {left}", self.about(node.left)
        self.context.error("E0316", message, node.right, helps, causes=[cause])

    # ------------------------------------------------------------ numbers and sets

    def arithmetic(self, node: ast.Arithmetic, scope: Scope, expected: Type | None) -> Type:
        """`+`, `-`, `*` of numbers, `+`, `-`, `&` of sets."""
        count = count_before(node)
        if count is not None and node.operator == "&":
            return self._counted(node, count, scope)
        left = self.infer(node.left, scope, expected)
        if element_of(left) is not None and not isinstance(left, Unknown):
            return self._sets(node, left, scope)
        if node.operator == "&":
            self.infer(node.right, scope)
            if not isinstance(left, Unknown):
                helps = ["between conditions write `and`"] if left == TRUTH else []
                self.context.error("E0320", "`&` is for sets: what is in both", node, helps)
            return UNKNOWN
        if isinstance(left, Unknown):
            right = self.infer(node.right, scope)
            return ANY_NUMBER if numeric(right) and not isinstance(right, Unknown) else UNKNOWN
        right = self.infer(node.right, scope)
        both = all_counted(node, count) if count is not None and element_of(right) is not None else None
        helps = [f"or count both together: `{both.text}`"] if both and node.operator != "*" else []
        a, b = self.number_type(left, node.left), self.number_type(right, node.right, helps)
        match node.operator:
            case "+":
                return _range(a.low + b.low, a.high + b.high)
            case "-":
                return _range(a.low - b.high, a.high - b.low)
            case _:
                corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return _range(*corners)

    def _counted(self, node: ast.Arithmetic, count: ast.Count, scope: Scope) -> Type:
        """`count a & b`, where only `a` is counted."""
        types = [self.infer(one, scope) for one in joined(node, count)]
        if any(isinstance(type_, Unknown) for type_ in types):
            return UNKNOWN
        if any(element_of(type_) is None for type_ in types):
            self.context.error("E0320", "`&` is for sets: what is in both", node, ["between conditions write `and`"])
            return UNKNOWN
        new = all_counted(node, count)
        helps = [f"write `{new.text}`"] if new else ["write `count (… & …)`"]
        told = f"`count` applies only to `{count.operand.span.text}` here: brackets are needed"
        self.context.error("E0134", told, new.span if new else node, helps, new=new)
        return ANY_NUMBER

    def _sets(self, node: ast.Arithmetic, left: Type, scope: Scope) -> Type:
        right = self.infer(node.right, scope, left)
        if isinstance(right, Unknown):
            return Several(element_of(left) or UNKNOWN)
        one = element_of(left), element_of(right)
        if node.operator == "*" or one[1] is None:
            single = one[1] is None and node.operator != "*" and comparable(right, one[0] or UNKNOWN)
            new = Replacement(node.right.span, f"{{{node.right.span.text}}}") if single else None
            helps = [f"a set of one is written `{new.text}`"] if new else []
            self.context.error("E0320", f"`{node.operator}` does not join {left} and {right}", node, helps, new=new)
            return UNKNOWN
        if isinstance(one[0], Several):
            helps = ["go through it: `{f for g in … with f in g}`"]
            self.context.error("E0320", f"`{node.operator}` does not join {left}", node, helps)
            return UNKNOWN
        joined = join(Several(one[0] or UNKNOWN), Several(one[1]))
        if joined is None:
            message = f"this is {right}, what stands before it is {left}"
            causes = [self.about(node.left, right), self.about(node.right, left)]
            self.context.error("E0316", message, node.right, causes=causes)
            return UNKNOWN
        return joined

    def number(self, node: ast.Expression, scope: Scope) -> Number:
        """A number, with the range it can have."""
        return self.number_type(self.infer(node, scope), node)

    def number_type(self, type_: Type, node: ast.Expression, others: Sequence[str] = ()) -> Number:
        """The range of a type that must be a number."""
        core = bare(type_)
        if isinstance(core, Number):
            return core
        if isinstance(core, Listed) and core.numeric:
            members = [m for m in self.context.model.type_symbols[core.name].members if isinstance(m, int)]
            return Number(min(members, default=0), max(members, default=0))
        if not isinstance(core, Unknown):
            new = f"count {node.span.text}" if element_of(core) is not None and _short(node) else None
            helps = [f"`{new or 'count …'}` says how many there are"] if element_of(core) is not None else []
            way = Replacement(node.span, new) if new else number_of(self.context, node, type_)
            if way is not None and new is None:
                helps = [f"its number is `{way.text}`"]
            helps += others
            message = f"a number is needed here, this is {type_}"
            self.context.error("E0321", message, node, helps, new=way, causes=[self.about(node, ANY_NUMBER)])
        return ANY_NUMBER


def _short(node: ast.Expression) -> bool:
    """Whether a word before it is sure to mean all of it."""
    return isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call | ast.Of)


def _one(type_: Type) -> bool:
    return isinstance(type_, Contents) and type_.shape == "one"


def _range(*ends: int) -> Number:
    """The range between the least and the greatest of the ends; what is far is not known."""
    return Number(min(FAR, max(-FAR, min(ends))), max(-FAR, min(FAR, max(ends))))
