"""The types of expressions: whether what is said fits together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.names.unknown_names import unknown_word
from dsl.checker.types.bounds import most_members
from dsl.checker.types.constructors import conjuncts
from dsl.checker.types.corrections import function_before
from dsl.checker.types.lookup import as_meant
from dsl.checker.types.piece_kinds import kind_of, pieces_in
from dsl.checker.types.precedence import ended, gone_too_far, said_again
from dsl.checker.types.relations import Relations
from dsl.checker.types.type_declarations import GREATEST, GREATEST_MEMBER
from dsl.diagnostics import Cause, Replacement
from dsl.symbols import LocalSymbol
from dsl.types import (
    FAR,
    NOTHING,
    TEXT,
    TRUTH,
    UNKNOWN,
    Listed,
    ListType,
    Maybe,
    Number,
    Several,
    Type,
    Unknown,
    bare,
    element_of,
    fits,
    join,
    known,
    maybe,
    numeric,
    part_of,
    settled,
    several,
)


class Inference(Relations):
    """Types of expressions."""

    def __init__(self, context: Context, in_example: bool = False) -> None:
        self.context = context
        self.in_example = in_example
        self.takes: set[int] = set()

    # ------------------------------------------------------------ entry points

    def infer(self, node: ast.Expression, scope: Scope, expected: Type | None = None) -> Type:
        """Find the type of an expression and note it; `expected` helps names that several types share."""
        type_ = self._infer(node, scope, expected)
        self.context.model.types[node.number] = type_
        return type_

    def want(self, node: ast.Expression, scope: Scope, wanted: Type, what: str, cause: Cause | None = None) -> Type:
        """Like `infer`, and report it if the value does not fit; `cause` is where it is declared what fits."""
        type_ = self.infer(node, scope, wanted)
        if not fits(type_, wanted) or self.outside(type_, wanted):
            helps = ["let its type be `… or none`, or `Player or nobody`"] if type_ == NOTHING else []
            message = f"{what} is {wanted}, this is {type_}"
            causes = [cause and replace(cause, instead=as_meant(type_)), self.about(node, wanted)]
            self.context.error("E0306", message, node, helps, causes=causes)
        return type_

    def outside(self, actual: Type, wanted: Type) -> bool:
        """Whether a number is sure to be none of those wanted."""
        actual, wanted = bare(actual), bare(wanted)
        if not isinstance(actual, Number):
            return False
        if isinstance(wanted, Number):
            return actual.high < wanted.low or wanted.high < actual.low
        if isinstance(wanted, Listed) and wanted.numeric and actual.low == actual.high:
            return actual.low not in self.context.model.type_symbols[wanted.name].members
        return False

    def truth(self, node: ast.Expression, scope: Scope, what: str, again: str | None = None) -> None:
        """A condition. `again` is the comparison before it, said of this as well."""
        type_ = self.infer(node, scope, TRUTH)
        if not fits(type_, TRUTH):
            said = isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call)
            asked = "is not empty" if element_of(type_) is not None else "is not 0" if numeric(type_) else ""
            new = f"{node.span.text} {asked}" if said and asked else None
            helps = [f"compare it: `{new}`" if new else "compare it: `… is …`, `… > 0`, `… is not empty`"]
            if again is not None and (not asked or isinstance(node, ast.Number)):
                new, helps = again, [f"repeat the comparison: `{again}`"]
            message = f"{what} is something that holds or not, this is {type_}"
            self.context.error("E0307", message, node, helps, new=new, causes=[self.about(node)])

    def taking(self, node: ast.Expression, scope: Scope) -> Scope:
        """The condition of a case or an `if`; gives the scope with the names that take arguments in it."""
        inner = scope.inner()
        self.takes |= {part.number for part in conjuncts(node)}
        self.truth(node, inner, "what stands after `if`")
        return inner

    def text(self, node: ast.Text, scope: Scope) -> None:
        """Words between quotes where they may stand; their braces hold expressions."""
        for part in node.parts:
            if not isinstance(part, str):
                self.infer(part, scope)
        self.context.model.types[node.number] = TEXT

    def binder(self, node: ast.Binder, scope: Scope) -> LocalSymbol:
        """Bind the name of `x in S` in the scope."""
        return scope.bind(node.name, self.domain(node.domain, scope), "binder", node)

    def binders(
        self, binders: Sequence[ast.Binder], where: ast.Expression | None, scope: Scope, whole: ast.Node | None = None
    ) -> Scope:
        """Bind several names, one after the other, and look at the condition. `whole` is a value with these binders."""
        inner = scope.inner()
        last = binders[-1].domain if binders else None
        too_far = gone_too_far(binders, where) if whole is not None else None
        if whole is not None and too_far is not None:
            binders = (*binders[:-1], self._ended(binders[-1], too_far, whole))
        for binder in binders:
            self.binder(binder, inner)
        if last is not None and too_far is not None:
            self.context.model.types[last.number] = self.context.model.types[too_far.left.number]
        if where is not None:
            self.truth(where, inner, "what stands after `where`")
        return inner

    def _ended(self, binder: ast.Binder, too_far: ast.Arithmetic, whole: ast.Node) -> ast.Binder:
        """The binder as it was meant, where a sum extends past what it was meant to iterate over."""
        new = ended(whole, too_far)
        helps = [f"write `{new.text}`"] if new else ["put all up to the sign in brackets"]
        told = f"`{too_far.operator}` is read as part of what is gone through: brackets are needed"
        self.context.error("E0134", told, too_far, helps, new=new)
        return binder.model_copy(update={"domain": too_far.left})

    def domain(self, node: ast.Expression, scope: Scope) -> Type:
        """The element type of what is gone through."""
        type_ = self.list_of(node, scope, None) if isinstance(node, ast.ListOf) else self.infer(node, scope)
        element = element_of(type_)
        if element is None:
            self.context.error(
                "E0308",
                f"there is nothing to go through here: this is {type_}",
                node,
                ["a zone, a type, a set `{…}` or a range `1..3` can be gone through"],
                causes=[self.about(node)],
            )
            return UNKNOWN
        if isinstance(element, Unknown) and not isinstance(type_, Unknown):
            self.untold(node)
        return element

    def untold(self, node: ast.Expression) -> None:
        """Report an empty set that nothing tells the members of."""
        helps = ["a note says it: `note marked: several Section = {}`"]
        self.context.error("E0340", "of what this is a set cannot be told", node, helps)

    # ------------------------------------------------------------ one form after the other

    def _infer(self, node: ast.Expression, scope: Scope, expected: Type | None) -> Type:
        match node:
            case ast.Name():
                return self.name(node, scope, expected)
            case ast.Number():
                if node.value > GREATEST:
                    self.context.error("E0305", f"numbers are written up to {GREATEST}", node)
                    return UNKNOWN
                return Number(node.value, node.value)
            case ast.Range():
                return Several(self.range_of(node))
            case ast.Index():
                return self.index(node, scope)
            case ast.Call():
                return self.call(node, scope, expected)
            case ast.Attribute():
                return self.attribute(node, scope)
            case ast.Pattern() if unknown_word(self.context, node, scope):
                return UNKNOWN
            case ast.Text() | ast.Pattern() | ast.ListOf():
                return self._out_of_place(node)
            case ast.SetOf():
                return self._set_of(node, scope, expected)
            case ast.Filter():
                inner = self.binders((node.binder,), node.where, scope)
                return several(bare(inner.locals[node.binder.name].type))
            case ast.Builder():
                inner = self.binders(node.binders, node.where, scope)
                return self.set_of(settled(self.infer(node.value, inner)), node.value, built=True)
            case ast.Either():
                inner = self.taking(node.condition, scope)
                return self.join_all((node.then, node.otherwise), scope, expected, inner)
            case ast.Quantified():
                return self.quantified(node, scope)
            case ast.Best():
                return self.best(node, scope)
            case ast.Aggregate():
                return self.aggregate(node, scope)
            case ast.Count():
                operand = self.infer(node.operand, scope)
                if element_of(operand) is None:
                    message, cause = f"there is nothing to count: this is {operand}", self.about(node.operand)
                    self.context.error("E0308", message, node.operand, causes=[cause])
                return Number(0, most_members(self.context, operand, node.operand))
            case ast.Of():
                return self.of(node, scope)
            case ast.Compare():
                return self.compare(node, scope)
            case ast.Arithmetic():
                return self.arithmetic(node, scope, expected)
            case ast.Negative():
                operand = self.number(node.operand, scope)
                return Number(-operand.high, -operand.low)
            case ast.Not():
                self.truth(node.operand, scope, "what stands after `not`")
                return TRUTH
            case ast.And() | ast.Or():
                self.truth(node.left, scope, f"what stands before `{node.kind}`")
                again = said_again(node.left, node.right)
                self.truth(node.right, scope, f"what stands after `{node.kind}`", again)
                return TRUTH

    def range_of(self, node: ast.Range | ast.TypeRange) -> Number:
        """The numbers from one end to the other."""
        if node.low > node.high or node.high > GREATEST or node.low < -GREATEST:
            empty = node.low > node.high
            message = f"no number is in {node.low}..{node.high}" if empty else f"numbers are written up to {GREATEST}"
            self.context.error("E0305", message, node)
            return Number(0, 0)
        if isinstance(node, ast.Range) and node.high > GREATEST_MEMBER:
            self.context.error("E0344", f"numbers in a set go up to {GREATEST_MEMBER}", node)
            return Number(0, 0)
        return Number(node.low, node.high)

    def _out_of_place(self, node: ast.Text | ast.Pattern | ast.ListOf) -> Type:
        """Report words, kinds and lists where only a value can stand."""
        way: Replacement | None = None
        match node:
            case ast.Text():
                what, helps = "words between quotes are", "they are labels, reasons, headings and titles"
            case ast.Pattern():
                way = function_before(node)
                what = "a kind of piece is"
                helps = f"write `{way.text}`" if way is not None else "a kind stands after `is` or `of`, and in lists"
            case ast.ListOf():
                what, helps = (
                    "a list is",
                    "a list stands after `is` and `is in`; sets are `{…}`",
                )
        if isinstance(node, ast.ListOf):
            way = Replacement(node.span, f"{{{node.span.text[1:-1]}}}")
        self.context.error("E0311", f"{what} no value", node, [helps], new=way)
        return UNKNOWN

    def list_of(self, node: ast.ListOf, scope: Scope, expected: Type | None) -> Type:
        """The type of a list; a list compared with pieces holds kinds."""
        if isinstance(expected, Unknown):
            return UNKNOWN
        pieces = pieces_in(expected)
        if pieces is not None:
            for item in node.items:
                kind_of(self, item, pieces, scope)
            type_: Type = ListType(pieces)
        else:
            wanted = element_of(expected) if expected else None
            joined = self.join_all(node.items, scope, wanted) if node.items else (wanted or UNKNOWN)
            type_ = ListType(joined)
            if element_of(joined) is not None and not isinstance(joined, Unknown):
                self.context.error("E0339", f"a list holds single values, this is {joined}", node)
                type_ = UNKNOWN
        self.context.model.types[node.number] = type_
        return type_

    def _set_of(self, node: ast.SetOf, scope: Scope, expected: Type | None) -> Type:
        wanted = element_of(expected) if expected else None
        if not node.items:
            return Several(wanted or UNKNOWN)
        if isinstance(expected, Unknown):
            wanted = UNKNOWN
        return self.set_of(self.join_all(node.items, scope, wanted), node)

    def set_of(self, element: Type, node: ast.Expression, built: bool = False) -> Type:
        """The type of a set of these: single values, numbers from 0 up; where it is `built`, of sets as well."""
        core = bare(element)
        if not built and element_of(core) is not None and not isinstance(core, Unknown):
            helps = ["`+` puts sets together"]
            self.context.error("E0339", f"a set holds single values, this is {core}", node, helps)
            return UNKNOWN
        if isinstance(core, Number) and (core.low < 0 or core.high > GREATEST_MEMBER):
            helps = ["if it never leaves a smaller range, say so: `define … -> 0..99: …`"]
            message = f"numbers in a set go from 0 up to {GREATEST_MEMBER}, this is {_with_ends(core)}"
            self.context.error("E0344", message, node, helps)
            core = Number(0, GREATEST_MEMBER)
        return several(core)

    def join_all(
        self, nodes: Sequence[ast.Expression], scope: Scope, expected: Type | None, first: Scope | None = None
    ) -> Type:
        """The type that values share, each of them by itself; `first` is the scope of the first one."""
        result: Type = UNKNOWN
        for place, node in enumerate(nodes):
            hint = expected if isinstance(result, Unknown) else result
            type_ = settled(self.infer(node, scope if place or first is None else first, hint))
            joined = join(result, type_) or self.both(result, type_, expected)
            if joined is None:
                message = f"this is {type_}, what stands before it is {result}"
                self.context.error("E0316", message, node, causes=[self.about(node, result)])
            else:
                result = joined
        return result

    def both(self, a: Type, b: Type, expected: Type | None) -> Type | None:
        """The type expected, if it is one of several listed types and both are of it."""
        wanted = bare(expected) if expected is not None else None
        if wanted is None or not (part_of(bare(a), wanted) and part_of(bare(b), wanted)):
            return None
        return maybe(wanted) if isinstance(a, Maybe) or isinstance(b, Maybe) else wanted

    def value_type(self, node: ast.Expression, scope: Scope, expected: Type | None = None) -> Type:
        """The type of a value that gets a name."""
        type_ = settled(self.infer(node, scope, expected))
        if not known(type_) and not isinstance(bare(type_), Unknown):
            self.untold(node)
            return UNKNOWN
        return type_


def _with_ends(number: Number) -> str:
    """A range of numbers in words, where its ends matter."""
    if number.low == number.high:
        return str(number)
    if number.high < FAR and number.low > -FAR:
        return f"a number {number.low}..{number.high}"
    return f"any number from {number.low} up" if number.low > -FAR else "any number"
