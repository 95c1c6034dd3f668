"""The types of expressions: what each name means, and whether what is said fits together."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.check.context import Scope, suggest
from dsl.check.declare import EXAMPLE_NAMES, PREDECLARED, later
from dsl.check.kinds import kind_of, pieces_in
from dsl.check.functions import FUNCTIONS
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)  # fmt: skip
from dsl.types import (
    KIND,
    NOTHING,
    TEXT,
    TRUTH,
    UNKNOWN,
    Contents,
    Kind,
    Listed,
    ListType,
    Maybe,
    Nothing,
    Number,
    PieceType,
    Several,
    Type,
    Unknown,
    bare,
    element_of,
    fits,
    join,
    maybe,
)  # fmt: skip


class Inference:
    """Types of expressions; `definition_type` is asked for the result of a definition not looked at yet."""

    def __init__(self, in_example: bool = False) -> None:
        self.in_example = in_example

    def definition_type(self, scope: Scope, symbol: DefineSymbol, node: ast.Node) -> Type:
        """Result type of a definition; the stage of the bodies overrides it."""
        return symbol.type or UNKNOWN

    # ------------------------------------------------------------ entry points

    def infer(self, node: ast.Expression, scope: Scope, expected: Type | None = None) -> Type:
        """Find the type of an expression and note it; `expected` helps names that several types share."""
        type_ = self._infer(node, scope, expected)
        scope.context.model.types[node.number] = type_
        return type_

    def want(self, node: ast.Expression, scope: Scope, wanted: Type, what: str) -> Type:
        """Like `infer`, and report it if the value does not fit."""
        type_ = self.infer(node, scope, wanted)
        if not fits(type_, wanted):
            scope.context.error("E0306", f"{what} is {wanted}, this is {type_}", node)
        return type_

    def truth(self, node: ast.Expression, scope: Scope, what: str) -> None:
        """A condition."""
        type_ = self.infer(node, scope, TRUTH)
        if not fits(type_, TRUTH):
            scope.context.error(
                "E0307", f"{what} is something that holds or not, this is {type_}", node,
                ["compare it: `… is …`, `… > 0`, `… is not empty`"],
            )  # fmt: skip

    def binder(self, node: ast.Binder, scope: Scope, role: str = "binder") -> LocalSymbol:
        """Bind the name of `x in S` in the scope."""
        element = self.domain(node.domain, scope)
        return scope.bind(node.name, element, role, node)

    def domain(self, node: ast.Expression, scope: Scope) -> Type:
        """The element type of what is gone through."""
        type_ = self.infer(node, scope)
        if isinstance(node, ast.Range):
            return Number(node.low, node.high)
        element = element_of(type_)
        if element is None:
            scope.context.error(
                "E0308", f"there is nothing to go through here: this is {type_}", node,
                ["a zone, a type, a set `{…}` or a range `1..3` can be gone through"],
            )  # fmt: skip
            return UNKNOWN
        return element

    # ------------------------------------------------------------ one form after the other

    def _infer(self, node: ast.Expression, scope: Scope, expected: Type | None) -> Type:
        match node:
            case ast.Name():
                return self._name(node, scope, expected)
            case ast.Number():
                return Number(node.value, node.value)
            case ast.Text():
                for part in node.parts:
                    if not isinstance(part, str):
                        self.infer(part, scope)
                return TEXT
            case ast.Range():
                return Several(Number(node.low, node.high))
            case ast.Index():
                return self._index(node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Pattern():
                return KIND
            case ast.ListOf():
                return self._list(node, scope, expected)
            case ast.SetOf():
                wanted = element_of(bare(expected)) if expected else None
                return Several(self._join_all(node.items, scope, wanted)) if node.items else Several(wanted or UNKNOWN)
            case ast.Filter():
                inner = scope.inner()
                symbol = self.binder(node.binder, inner)
                if node.where is not None:
                    self.truth(node.where, inner, "what stands after `where`")
                return Several(symbol.type)
            case ast.Builder():
                inner = self._binders(node.binders, node.where, scope)
                return Several(bare(self.infer(node.value, inner)))
            case ast.Either():
                self.truth(node.condition, scope, "what stands after `if`")
                return self._join_all((node.then, node.otherwise), scope, expected)
            case ast.Quantified():
                return self._quantified(node, scope)
            case ast.Aggregate():
                return self._aggregate(node, scope)
            case ast.Count():
                operand = self.infer(node.operand, scope)
                if element_of(operand) is None:
                    scope.context.error("E0308", f"there is nothing to count: this is {operand}", node.operand)
                return Number(0, 999)
            case ast.Of():
                return self._of(node, scope)
            case ast.Compare():
                return self._compare(node, scope)
            case ast.Arithmetic():
                return self._arithmetic(node, scope, expected)
            case ast.Negative():
                operand = self._number(node.operand, scope)
                return Number(-operand.high, -operand.low)
            case ast.Not():
                self.truth(node.operand, scope, "what stands after `not`")
                return TRUTH
            case ast.And() | ast.Or():
                self.truth(node.left, scope, f"what stands before `{node.kind}`")
                self.truth(node.right, scope, f"what stands after `{node.kind}`")
                return TRUTH

    def _name(self, node: ast.Name, scope: Scope, expected: Type | None) -> Type:
        context = scope.context
        symbol = self.symbol_of(node, scope, expected)
        if symbol is None:
            return UNKNOWN
        context.model.refers[node.number] = symbol
        if symbol.node is not None:
            context.used.add(symbol.node.number)
        match symbol:
            case LocalSymbol() | ValueSymbol() | ConstantSymbol() | OptionSymbol():
                return symbol.type
            case TypeSymbol():
                return Several(symbol.type)
            case ZoneSymbol():
                if symbol.index:
                    return self._filled(node, symbol, scope)
                return symbol.contents or UNKNOWN
            case NoteSymbol() | DieSymbol():
                if symbol.index:
                    context.error("E0309", f"`{symbol.name}` needs an index", node, [f"write `{symbol.name}[…]`"])
                    return UNKNOWN
                return symbol.type or UNKNOWN
            case DefineSymbol():
                if symbol.declaration.parameters:
                    context.error("E0310", f"`{symbol.name}` needs arguments", node, [f"write `{symbol.name}(…)`"])
                    return UNKNOWN
                return self.definition_type(scope, symbol, node)
            case BuiltinSymbol():
                if symbol.type is None:
                    context.error("E0311", f"`{symbol.name}` cannot stand here by itself", node)
                    return UNKNOWN
                return symbol.type
            case _:
                if symbol.name in context.model.pieces:
                    return Several(PieceType(frozenset({symbol.name})))
                context.error("E0311", f"`{symbol.name}` is no value", node)
                return UNKNOWN

    def _filled(self, node: ast.Name, symbol: ZoneSymbol, scope: Scope) -> Type:
        if len(symbol.index) != 1:
            scope.context.error("E0309", f"`{symbol.name}` needs an index", node, [f"write `{symbol.name}[…]`"])
            return UNKNOWN
        return Several(symbol.index[0])

    def symbol_of(self, node: ast.Name, scope: Scope, expected: Type | None) -> Symbol | None:
        """What a name stands for: a local, a value of the expected type, a declaration, a value."""
        context = scope.context
        local = scope.find(node.name)
        if local is not None:
            return local
        values = context.values.get(node.name, [])
        wanted = bare(expected) if expected else None
        for value in values:
            if value.type == wanted:
                return value
        if isinstance(wanted, Listed) and wanted.name.startswith(("option ", "die ")):
            listed = context.model.type_symbols[wanted.name]
            if node.name in listed.members:
                return ValueSymbol(node.name, None, wanted, listed.members.index(node.name))
        if self.in_example and node.name in EXAMPLE_NAMES:
            return BuiltinSymbol(node.name, None, PREDECLARED[node.name])
        if node.name in context.globals:
            return context.globals[node.name]
        if len(values) == 1:
            return values[0]
        if values:
            owners = " and ".join(str(value.type) for value in values)
            context.error(
                "E0205", f"`{node.name}` could be a value of {owners}", node, ["compare it with a value of one of them"]
            )
            return None
        candidates = [*scope.visible(), *context.names()]
        if isinstance(wanted, Listed):
            candidates += [str(member) for member in context.model.type_symbols[wanted.name].members]
        context.error("E0201", f"there is no `{node.name}`", node, suggest(node.name, candidates))
        return None

    def _index(self, node: ast.Index, scope: Scope) -> Type:
        context = scope.context
        base = context.globals.get(node.base.name) if isinstance(node.base, ast.Name) else None
        if isinstance(node.base, ast.Name) and scope.find(node.base.name):
            base = None
        if not isinstance(base, ZoneSymbol | NoteSymbol | DieSymbol):
            name = node.base.span.text
            known = [*context.model.zones, *context.model.notes, *context.model.dice]
            context.error("E0312", f"`{name}` has no index", node.base, suggest(name, known))
            for argument in node.arguments:
                self.infer(argument, scope)
            return UNKNOWN
        context.model.refers[node.number] = base
        if base.node is not None:
            context.used.add(base.node.number)
        if len(node.arguments) != len(base.index):
            context.error("E0309", f"`{base.name}` has {len(base.index)} indices, not {len(node.arguments)}", node)
        for argument, wanted in zip(node.arguments, base.index, strict=False):
            self.want(argument, scope, wanted, f"the index of `{base.name}`")
        if isinstance(base, ZoneSymbol):
            return base.contents or UNKNOWN
        return base.type or UNKNOWN

    def _call(self, node: ast.Call, scope: Scope) -> Type:
        context = scope.context
        if not isinstance(node.base, ast.Name):
            context.error("E0313", "only a definition or a function can be called", node.base)
            return UNKNOWN
        name = node.base.name
        symbol = context.globals.get(name)
        if isinstance(symbol, DefineSymbol):
            context.model.refers[node.number] = symbol
            context.used.add(symbol.declaration.number)
            self.arguments(node.arguments, symbol.declaration.parameters, symbol.parameters, scope, node, name)
            return self.definition_type(scope, symbol, node)
        if isinstance(symbol, BuiltinSymbol) and name in FUNCTIONS:
            context.model.refers[node.number] = symbol
            types = [self.infer(argument, scope) for argument in node.arguments]
            written, signature = FUNCTIONS[name]
            result = UNKNOWN if any(isinstance(type_, Unknown) for type_ in types) else signature(types)
            if result is None:
                found = ", ".join(map(str, types))
                context.error("E0314", f"`{name}` does not take {found}", node, [f"it is written {written}"])
                return UNKNOWN
            return result
        for argument in node.arguments:
            self.infer(argument, scope)
        known = [*context.model.defines, *FUNCTIONS]
        context.error("E0201", f"there is no definition `{name}`", node.base, suggest(name, known))
        return UNKNOWN

    def arguments(
        self,
        given: Sequence[ast.Expression],
        declared: Sequence[ast.Parameter],
        symbols: Sequence[LocalSymbol],
        scope: Scope,
        node: ast.Node,
        name: str,
    ) -> None:
        """Arguments against parameters: as many, each fitting."""
        if len(given) != len(declared):
            scope.context.error(
                "E0315", f"`{name}` takes {len(declared)} arguments, not {len(given)}", node,
                [f"{name}({', '.join(parameter.name for parameter in declared)})"] if declared else [],
            )  # fmt: skip
        for argument, symbol in zip(given, symbols, strict=False):
            self.argument(argument, symbol.type, scope, f"`{symbol.name}`")
        for argument in given[len(symbols) :]:
            self.infer(argument, scope)

    def argument(self, node: ast.Expression, wanted: Type, scope: Scope, what: str) -> None:
        """One argument; a piece may be said by its kind in an example."""
        core = bare(wanted)
        if self.in_example and isinstance(core, PieceType) and kind_of(self, node, core, scope, quiet=True):
            scope.context.model.types[node.number] = KIND
            return
        self.want(node, scope, wanted, what)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Type:
        context = scope.context
        base = self.infer(node.base, scope)
        core = bare(base)
        optional = isinstance(base, Maybe)
        if isinstance(core, Contents) and core.shape == "one":
            core, optional = core.pieces, True
        if isinstance(core, Unknown):
            return UNKNOWN
        found: dict[str, Type] = {}
        lacking = False
        if isinstance(core, PieceType):
            for sort in core.sorts:
                attributes = context.model.pieces[sort].attributes
                found.update({name: type_ for name, type_ in attributes.items() if name not in found})
                lacking |= node.name not in attributes
        elif isinstance(core, Listed):
            found = context.model.type_symbols[core.name].attributes
        if node.name not in found:
            what = f"{base}" if not isinstance(core, Listed) else f"`{core.name}`"
            helps = suggest(node.name, found) or ([f"attributes: {', '.join(found)}"] if found else [])
            context.error("E0207", f"{what} has no attribute `{node.name}`", node, helps)
            return UNKNOWN
        type_ = found[node.name]
        return maybe(type_) if optional or lacking else type_

    def _list(self, node: ast.ListOf, scope: Scope, expected: Type | None) -> Type:
        pieces = pieces_in(expected)
        if pieces is not None:
            for item in node.items:
                kind_of(self, item, pieces, scope)
            return ListType(pieces)
        wanted = element_of(bare(expected)) if expected else None
        return ListType(self._join_all(node.items, scope, wanted)) if node.items else ListType(wanted or UNKNOWN)

    def _join_all(self, nodes: Sequence[ast.Expression], scope: Scope, expected: Type | None) -> Type:
        result: Type = UNKNOWN
        for node in nodes:
            type_ = self.infer(node, scope, expected if isinstance(result, Unknown) else result)
            joined = join(result, type_)
            if joined is None:
                scope.context.error("E0316", f"this is {type_}, what stands before it is {result}", node)
            else:
                result = joined
        return result

    def _binders(self, binders: Sequence[ast.Binder], where: ast.Expression | None, scope: Scope) -> Scope:
        inner = scope.inner()
        for binder in binders:
            self.binder(binder, inner)
        if where is not None:
            self.truth(where, inner, "what stands after `where`")
        return inner

    def _quantified(self, node: ast.Quantified, scope: Scope) -> Type:
        inner = self._binders(node.binders, node.where, scope)
        if node.quantifier == "count":
            return Number(0, 999)
        if node.quantifier == "the":
            if len(node.binders) != 1:
                scope.context.error("E0317", "`the` looks for one thing only", node, ["leave out `with …`"])
            symbol = inner.locals.get(node.binders[0].name)
            return maybe(symbol.type) if symbol else UNKNOWN
        return TRUTH

    def _aggregate(self, node: ast.Aggregate, scope: Scope) -> Type:
        inner = self._binders(node.binders, node.where, scope)
        value = self._number(node.value, inner)
        if node.function == "sum":
            return Number(min(0, value.low * 99), max(0, value.high * 99))
        return Number(min(0, value.low), max(0, value.high))

    def _of(self, node: ast.Of, scope: Scope) -> Type:
        whole = self.infer(node.whole, scope)
        pieces = pieces_in(whole)
        if pieces is None:
            if not isinstance(whole, Unknown):
                scope.context.error(
                    "E0318", f"before `of` stand pieces, this is {whole}", node.whole,
                    ["`hand[me] of king`: the pieces of a zone of that kind"],
                )  # fmt: skip
            self.infer(node.part, scope)
            return UNKNOWN
        kind_of(self, node.part, pieces, scope)
        return Several(pieces)

    def _compare(self, node: ast.Compare, scope: Scope) -> Type:
        match node.operator:
            case "is" | "is not":
                self._same(node, scope)
            case "is in" | "is not in":
                self._member(node, scope)
            case "before" | "after":
                for side in (node.left, node.right):
                    type_ = self.infer(side, scope)
                    if not isinstance(bare(type_), PieceType | Unknown):
                        scope.context.error(
                            "E0319", f"`{node.operator}` compares places of pieces, this is {type_}", side
                        )
            case _:
                self._number(node.left, scope)
                self._number(node.right, scope)
        return TRUTH

    def _member(self, node: ast.Compare, scope: Scope) -> None:
        right = self.infer(node.right, scope)
        element = element_of(right)
        if element is None:
            scope.context.error("E0308", f"nothing can be in {right}", node.right)
        left = self.infer(node.left, scope, element)
        if element is not None and not fits(left, element):
            scope.context.error("E0316", f"this is {left}, what it is looked for in holds {element}", node.left)

    def _same(self, node: ast.Compare, scope: Scope) -> None:
        context = scope.context
        shared = isinstance(node.left, ast.Name) and not scope.find(node.left.name)
        if shared and isinstance(node.left, ast.Name) and len(context.values.get(node.left.name, [])) > 1:
            right_first = self.infer(node.right, scope)
            self.infer(node.left, scope, right_first)
            return
        left = self.infer(node.left, scope)
        if isinstance(node.right, ast.Name) and not scope.find(node.right.name):
            word = node.right.name
            if word in ("empty", "somebody"):
                context.model.refers[node.right.number] = context.globals[word]
                context.model.types[node.right.number] = NOTHING
                good = element_of(left) is not None or isinstance(left, Maybe)
                if word == "somebody":
                    good = isinstance(left, Maybe)
                if not good and not isinstance(left, Unknown):
                    context.error("E0316", f"{left} is never `{word}`", node.left)
                return
        pieces = pieces_in(left)
        if pieces is not None and not isinstance(node.right, ast.ListOf):
            single = isinstance(left, Contents) and left.shape == "one"
            alone = isinstance(bare(left), PieceType)
            if (alone or single) and kind_of(self, node.right, pieces, scope, quiet=True):
                context.model.types[node.right.number] = KIND
                return
        right = self.infer(node.right, scope, left)
        if isinstance(right, ListType | Nothing | Kind) and (pieces is not None or isinstance(left, Maybe)):
            return
        if isinstance(right, ListType) and isinstance(left, Several):
            return
        if join(left, right) is None and not (fits(left, right) or fits(right, left)):
            context.error("E0316", f"this is {right}, what it is compared with is {left}", node.right)

    def _arithmetic(self, node: ast.Arithmetic, scope: Scope, expected: Type | None) -> Type:
        left = self.infer(node.left, scope, expected)
        if element_of(left) is not None:
            right = self.infer(node.right, scope, left)
            if node.operator == "*" or element_of(right) is None:
                scope.context.error("E0320", f"`{node.operator}` does not join {left} and {right}", node)
                return UNKNOWN
            joined = join(Several(element_of(left) or UNKNOWN), Several(element_of(right) or UNKNOWN))
            if joined is None:
                scope.context.error("E0316", f"this is {right}, what stands before it is {left}", node.right)
                return UNKNOWN
            return joined
        if node.operator == "&":
            scope.context.error("E0320", "`&` is for sets: what is in both", node, ["between conditions write `and`"])
            return UNKNOWN
        low, high = self._number_type(left, node.left, scope), self._number(node.right, scope)
        match node.operator:
            case "+":
                return Number(low.low + high.low, low.high + high.high)
            case "-":
                return Number(low.low - high.high, low.high - high.low)
            case _:
                corners = [a * b for a in (low.low, low.high) for b in (high.low, high.high)]
                return Number(min(corners), max(corners))

    def _number(self, node: ast.Expression, scope: Scope) -> Number:
        return self._number_type(self.infer(node, scope), node, scope)

    def _number_type(self, type_: Type, node: ast.Expression, scope: Scope) -> Number:
        core = bare(type_)
        if isinstance(core, Number):
            return core
        if isinstance(core, Listed) and core.numeric:
            members = [m for m in scope.context.model.type_symbols[core.name].members if isinstance(m, int)]
            return Number(min(members), max(members))
        if not isinstance(core, Unknown):
            helps = ["`count …` says how many there are"] if element_of(core) is not None else []
            scope.context.error("E0321", f"a number is needed here, this is {type_}", node, helps)
        return Number(-9999, 9999)


__all__ = ["Inference", "later"]
