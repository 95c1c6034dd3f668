"""Expressions that go through things: `count x in S where P`, `sum E for ...`, `{x in S where P}`.

A condition that only asks for a fixed attribute (`t.colour is red`, `n is not c`) becomes a mask on the set, small
fixed sets are unrolled, the rest is a generator expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl import ast
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, LocalSymbol, TypeSymbol, ValueSymbol, ZoneSymbol
from dsl.types import Contents, Kind, Listed, Maybe, Number, PieceType, Several, Type, bare, element_of, numeric
from interpreter.compile.layout import Layout

Env = dict[LocalSymbol, str]
UNROLL = 6
SMALL = 8


@dataclass
class Domain:
    """What is gone through: `values` if fixed; else `mask`, and the place text of a row or stack."""

    values: list[int] | None
    mask: str
    place: str
    element: Type
    items: str = ""


class Quantifiers:
    """Emission of binders; mixed into `Expressions`, which has the rest."""

    layout: Layout
    model: Model
    tables: dict[str, object]
    fresh: int

    def value(self, node: ast.Expression, env: Env) -> str:
        """See `Expressions.value`."""
        raise NotImplementedError

    def plain(self, node: ast.Expression, env: Env) -> str:
        """See `Expressions.plain`."""
        raise NotImplementedError

    def member_value(self, node: ast.Expression, env: Env) -> str:
        """See `Expressions.member_value`."""
        raise NotImplementedError

    def needed(self, node: ast.Expression, env: Env) -> str:
        """See `Expressions.needed`."""
        raise NotImplementedError

    def mask(self, node: ast.Expression, env: Env) -> str:
        """See `Expressions.mask`."""
        raise NotImplementedError

    def place(self, node: ast.Expression, env: Env) -> str:
        """See `Expressions.place`."""
        raise NotImplementedError

    def kind(self, node: ast.Expression, sorts: frozenset[str], env: Env) -> str:
        """See `Expressions.kind`."""
        raise NotImplementedError

    def has(self, name: str, value: str, sorts: frozenset[str]) -> str:
        """See `Expressions.has`."""
        raise NotImplementedError

    def family(self, node: ast.Expression, env: Env) -> str:
        """See `Graphs.family`."""
        raise NotImplementedError

    def best_packing(self, node: ast.Aggregate | ast.Best, env: Env) -> str | None:
        """See `Graphs.best_packing`."""
        raise NotImplementedError

    # ------------------------------------------------------------ domains

    def variable(self, symbol: LocalSymbol) -> str:
        """A Python name of its own for a local."""
        self.fresh += 1
        return f"{symbol.name}_{self.fresh}"

    def domain(self, node: ast.Expression, env: Env) -> Domain:
        """What an expression after `in` goes through."""
        if isinstance(node, ast.Range):
            element = element_of(self.model.types[node.number])
            assert element is not None
            return Domain(list(range(node.low, node.high + 1)), self.value(node, env), "", element)
        type_ = self.model.types[node.number]
        element = element_of(type_)
        assert element is not None
        symbol = self.model.refers.get(node.number)
        if isinstance(symbol, TypeSymbol) and isinstance(node, ast.Name):
            return Domain(self.layout.members(symbol.type), self.value(node, env), "", element)
        if isinstance(node, ast.ListOf):
            items = ", ".join(self.plain(item, env) for item in node.items)
            return Domain(None, "", "", element, f"[{items}]")
        if isinstance(element, Several):
            return Domain(None, "", "", element, self.family(node, env))
        if isinstance(type_, Contents) and type_.shape in ("row", "stack") and isinstance(symbol, ZoneSymbol):
            return Domain(None, self.value(node, env), self.place(node, env), element)
        return Domain(None, self.mask(node, env), "", element)

    def groups(self, node: ast.Expression, env: Env) -> str:
        """The members of a set in groups of equal ones, as Python text."""
        domain = self.domain(node, env)
        if not isinstance(bare(domain.element), PieceType):
            return f"singles({self.loop(domain)})"
        return f"alike(S, {self.loop(domain)})"

    def loop(self, domain: Domain, narrowed: str | None = None) -> str:
        """Python text of an iterable over the domain; `narrowed` is a mask to use instead of the domain's own."""
        if narrowed is not None:
            return self._members(narrowed, domain.element)
        if domain.items:
            return domain.items
        if domain.values is not None:
            return fixed(domain.values)
        if domain.place:
            return f"contents(S, {domain.place})"
        return self._members(domain.mask, domain.element)

    def _members(self, mask: str, element: Type) -> str:
        core = bare(element)
        if not isinstance(core, PieceType):
            few = core.low >= 0 and core.high < SMALL if isinstance(core, Number) else True
            values = self.layout.members(core) if few else []
            if values and min(values) >= 0 and max(values) < SMALL:
                return f"SMALL_SETS[{mask}]"
        return f"bits({mask})"

    # ------------------------------------------------------------ conditions as masks

    def narrow(
        self, domain: Domain, symbol: LocalSymbol, where: ast.Expression | None, env: Env
    ) -> tuple[str | None, list[ast.Expression]]:
        """The domain's mask cut down by the conditions that are masks, and the conditions left over."""
        conditions = conjuncts(where)
        if (domain.values is not None and not domain.mask) or domain.items:
            return None, conditions
        cuts, rest = [], []
        for condition in conditions:
            cut = self._cut(condition, symbol, env, domain)
            if cut is None:
                rest.append(condition)
            else:
                cuts.append(cut)
        if not cuts:
            return None, conditions
        return "(" + " & ".join([domain.mask, *cuts]) + ")", rest

    def _cut(self, node: ast.Expression, symbol: LocalSymbol, env: Env, domain: Domain) -> str | None:
        if not isinstance(node, ast.Compare) or node.operator not in ("is", "is not", "is in"):
            return None
        if self.mentions(node.right, symbol) or isinstance(node.right, ast.ListOf | ast.Range):
            return None
        builtin = self.model.refers.get(node.right.number)
        if isinstance(builtin, BuiltinSymbol) and builtin.name != "me":
            return None
        type_ = self.model.types.get(node.right.number)
        if type_ is not None and numeric(type_) and node.operator != "is in":
            return None
        own = isinstance(node.left, ast.Name) and self.model.refers.get(node.left.number) is symbol
        pieces = bare(domain.element)
        mask: str | None = None
        if node.operator == "is in":
            mask = self.mask(node.right, env) if own else None
        elif own and isinstance(pieces, PieceType) and self._of_kinds(node.right):
            mask = self.kind(node.right, pieces.sorts, env)
        elif own and type_ is not None and not isinstance(type_, Maybe | Contents | Kind):
            mask = f"(1 << {self.value(node.right, env)})"
        elif (
            isinstance(node.left, ast.Attribute)
            and isinstance(node.left.base, ast.Name)
            and self.model.refers.get(node.left.base.number) is symbol
            and isinstance(pieces, PieceType)
            and len(pieces.sorts) == 1
            and type_ is not None
            and not isinstance(type_, Maybe | Contents | Kind)
            and isinstance(bare(self.model.types[node.left.number]), Listed)
            and not isinstance(self.model.types[node.left.number], Maybe)
            and self._plain(node.right)
        ):
            mask = self.has(node.left.name, self.value(node.right, env), pieces.sorts)
        if mask is None or "need(" in mask or "in_range(" in mask:
            return None  # what may fail is looked at where there is something to look at
        return f"~{mask}" if node.operator == "is not" else mask

    def _of_kinds(self, node: ast.Expression) -> bool:
        """Whether a piece is compared with a kind."""
        return isinstance(self.model.types.get(node.number), Kind) or node.number in self.model.attribute_of

    def _plain(self, node: ast.Expression) -> bool:
        """A seat that may not be in this game has no mask."""
        symbol = self.model.refers.get(node.number)
        return not (isinstance(symbol, ValueSymbol) and self.value(node, {}) == "None")

    def mentions(self, node: ast.Node, symbol: LocalSymbol) -> bool:
        """Whether an expression speaks of a local."""
        return any(self.model.refers.get(inner.number) is symbol for inner in node.walk())

    # ------------------------------------------------------------ the forms

    def quantified(self, node: ast.Quantified, env: Env) -> str:
        """`count`, `some`, `no`, `the`."""
        if len(node.binders) == 1:
            return self._single(node, env)
        loops, condition = self._loops(node.binders, node.where, env)
        match node.quantifier:
            case "count":
                return f"sum(1 {loops}{_if(condition)})"
            case "some":
                return f"any({condition or 'True'} {loops})"
            case _:
                return f"(not any({condition or 'True'} {loops}))"

    def _single(self, node: ast.Quantified, env: Env) -> str:
        binder = node.binders[0]
        symbol = self._local(binder)
        domain = self.domain(binder.domain, env)
        narrowed, rest = self.narrow(domain, symbol, node.where, env)
        if domain.values is not None and len(domain.values) <= UNROLL and node.quantifier != "the" and narrowed is None:
            return self._unrolled(node, symbol, domain.values, env)
        if not rest:
            mask = narrowed if narrowed is not None else domain.mask
            if mask and not domain.items:
                found = {"count": f"({mask}).bit_count()", "some": f"({mask} != 0)", "no": f"({mask} == 0)"}
                if node.quantifier in found:
                    return found[node.quantifier]
                if not domain.place:
                    return f"lowest({mask})"
        if node.quantifier == "the" and domain.place:
            narrowed, rest = None, conjuncts(node.where)
        name = self.variable(symbol)
        inner = {**env, symbol: name}
        condition = self.all_of(rest, inner)
        loop = f"for {name} in {self.loop(domain, narrowed)}"
        match node.quantifier:
            case "count":
                return f"sum(1 {loop}{_if(condition)})"
            case "some":
                return f"any({condition or 'True'} {loop})"
            case "no":
                return f"(not any({condition or 'True'} {loop}))"
            case "the":
                return f"next(({name} {loop}{_if(condition)}), None)"

    def _unrolled(self, node: ast.Quantified, symbol: LocalSymbol, values: list[int], env: Env) -> str:
        tests = [
            self.value(node.where, {**env, symbol: str(value) if value >= 0 else f"({value})"})
            if node.where
            else "True"
            for value in values
        ]
        if node.quantifier == "count":
            return "(" + (" + ".join(f"({test})" for test in tests) or "0") + ")"
        joined = "(" + (" or ".join(tests) or "False") + ")"
        return joined if node.quantifier == "some" else f"(not {joined})"

    def best(self, node: ast.Best, env: Env) -> str:
        """`the x in S with highest E`: of several the first."""
        packed = self.best_packing(node, env)
        if packed is not None:
            return f"{packed}[1]"
        symbol = self._local(node.binder)
        domain = self.domain(node.binder.domain, env)
        narrowed, rest = self.narrow(domain, symbol, node.where, env)
        name = self.variable(symbol)
        inner = {**env, symbol: name}
        condition = self.all_of(rest, inner)
        found = f"{name} for {name} in {self.loop(domain, narrowed)}{_if(condition)}"
        function = {"highest": "max", "lowest": "min"}[node.function]
        return f"{function}(({found}), key=lambda {name}: {self.needed(node.value, inner)}, default=None)"

    def aggregate(self, node: ast.Aggregate, env: Env) -> str:
        """`sum`, `highest`, `lowest`."""
        packed = self.best_packing(node, env)
        if packed is not None:
            return f"{packed}[0]"
        if len(node.binders) == 1:
            binder = node.binders[0]
            symbol = self._local(binder)
            domain = self.domain(binder.domain, env)
            narrowed, rest = self.narrow(domain, symbol, node.where, env)
            if node.function == "sum" and not rest and isinstance(node.value, ast.Number):
                mask = narrowed if narrowed is not None else domain.mask
                if mask:
                    return f"(({mask}).bit_count() * {node.value.value})"
            name = self.variable(symbol)
            inner = {**env, symbol: name}
            value, condition = self.needed(node.value, inner), self.all_of(rest, inner)
            loops = f"for {name} in {self.loop(domain, narrowed)}{_if(condition)}"
        else:
            inner = dict(env)
            text, condition = self._loops(node.binders, node.where, inner)
            value = self.needed(node.value, inner)
            loops = f"{text}{_if(condition)}"
        function = {"sum": "sum", "highest": "highest_of", "lowest": "lowest_of"}[node.function]
        return f"{function}({value} {loops})"

    def filtered(self, node: ast.Filter, env: Env) -> str:
        """`{x in S where P}`."""
        symbol = self._local(node.binder)
        domain = self.domain(node.binder.domain, env)
        narrowed, rest = self.narrow(domain, symbol, node.where, env)
        if not rest and not domain.items:
            return narrowed if narrowed is not None else domain.mask
        name = self.variable(symbol)
        condition = self.all_of(rest, {**env, symbol: name})
        if isinstance(domain.element, Several):
            return f"tuple({name} for {name} in {self.loop(domain)}{_if(condition)})"
        return f"as_set({name} for {name} in {self.loop(domain, narrowed)}{_if(condition)})"

    def built(self, node: ast.Builder, env: Env) -> str:
        """`{E for x in S where P}`."""
        inner = dict(env)
        loops, condition = self._loops(node.binders, node.where, inner)
        if isinstance(bare(self.model.types[node.value.number]), Several):
            return f"tuple(dict.fromkeys({self.mask(node.value, inner)} {loops}{_if(condition)}))"
        return f"as_set({self.member_value(node.value, inner)} {loops}{_if(condition)})"

    def _loops(self, binders: Sequence[ast.Binder], where: ast.Expression | None, env: Env) -> tuple[str, str]:
        """Nested loops over several binders; conditions stand where all they speak of is known. Fills `env`."""
        left = conjuncts(where)
        text = []
        symbols = [self._local(binder) for binder in binders]
        for place, binder in enumerate(binders):
            domain = self.domain(binder.domain, env)
            symbol = symbols[place]
            later = symbols[place + 1 :]
            now = [c for c in left if not any(self.mentions(c, other) for other in later)]
            narrowed, rest = self.narrow(domain, symbol, join_all(now), env)
            name = self.variable(symbol)
            env[symbol] = name
            left = [c for c in left if c not in now]
            condition = self.all_of(rest, env) if later else ""
            if not later:
                left = rest
            text.append(f"for {name} in {self.loop(domain, narrowed)}{_if(condition)}")
        return " ".join(text), self.all_of(left, env)

    def all_of(self, conditions: Sequence[ast.Expression], env: Env) -> str:
        """All of the conditions, empty if there are none."""
        return " and ".join(self.value(condition, env) for condition in conditions)

    def _local(self, node: ast.Node) -> LocalSymbol:
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol


def conjuncts(node: ast.Expression | None) -> list[ast.Expression]:
    """`P and Q and R` as a list."""
    if node is None:
        return []
    if isinstance(node, ast.And):
        return conjuncts(node.left) + conjuncts(node.right)
    return [node]


def join_all(conditions: Sequence[ast.Expression]) -> ast.Expression | None:
    """A list as `P and Q and R`; nodes made here share the number of their first part."""
    result: ast.Expression | None = None
    for condition in conditions:
        if result is None:
            result = condition
        else:
            result = ast.And.model_construct(
                kind="and", span=result.span, number=result.number, left=result, right=condition
            )
    return result


def _if(condition: str) -> str:
    return f" if {condition}" if condition else ""


def fixed(values: list[int]) -> str:
    """Python text of an iterable over fixed values."""
    if len(values) > 2 and values == list(range(values[0], values[0] + len(values))):
        return f"range({values[0]}, {values[-1] + 1})"
    return "(" + ", ".join(map(str, values)) + ("," if len(values) == 1 else "") + ")"
