"""Expressions that go through things: `count x in S where P`, `sum E for ...`, `{x in S where P}`.

Conditions become masks where they can, small fixed sets are unrolled, the rest is a generator expression.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import Several, bare
from interpreter.compile.cuts import Cuts, join_all
from interpreter.compile.domains import Env

UNROLL = 6

COPIES = 216
"""How many copies unrolled loops in one another may make of what is inside."""


class Quantifiers(Cuts):
    """Emission of binders; mixed into `Expressions`, which has the rest. `copies`: of what is being emitted now."""

    copies = 1

    def best_packing(self, node: ast.Aggregate | ast.Best, env: Env) -> str | None:
        """See `Graphs.best_packing`."""
        raise NotImplementedError

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
        symbol = self.local(binder)
        domain = self.domain(binder.domain, env)
        narrowed, rest = self.narrow(domain, symbol, node.where, env)
        few = domain.values is not None and len(domain.values) <= min(UNROLL, COPIES // self.copies)
        if domain.values is not None and few and node.quantifier != "the" and narrowed is None:
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
            narrowed, rest = None, ast.conjuncts(node.where)
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
        self.copies *= len(values) or 1
        tests = [self.value(node.where, {**env, symbol: constant(value)}) if node.where else "True" for value in values]
        self.copies //= len(values) or 1
        if node.quantifier == "count":
            return "(" + (" + ".join(f"({test})" for test in tests) or "0") + ")"
        joined = "(" + (" or ".join(tests) or "False") + ")"
        return joined if node.quantifier == "some" else f"(not {joined})"

    def best(self, node: ast.Best, env: Env) -> str:
        """`the x in S with highest E`: of several the first."""
        packed = self.best_packing(node, env)
        if packed is not None:
            return f"{packed}[1]"
        symbol = self.local(node.binder)
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
            symbol = self.local(binder)
            domain = self.domain(binder.domain, env)
            narrowed, rest = self.narrow(domain, symbol, node.where, env)
            if node.function == "sum" and not rest and isinstance(node.value, ast.Number):
                mask = narrowed if narrowed is not None else domain.mask
                if mask:
                    return f"(({mask}).bit_count() * {node.value.value})"
            if domain.values and len(domain.values) <= UNROLL and narrowed is None and not rest:
                return self._joined(node, symbol, domain.values, env)
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

    def _joined(self, node: ast.Aggregate, symbol: LocalSymbol, values: list[int], env: Env) -> str:
        """A sum or an extreme of a few fixed members, without a loop."""
        terms = [self.needed(node.value, {**env, symbol: constant(value)}) for value in values]
        if node.function == "sum":
            return f"({' + '.join(terms)})"
        function = {"highest": "max", "lowest": "min"}[node.function]
        return f"{function}({', '.join(terms)})" if len(terms) > 1 else terms[0]

    def terms(self, node: ast.Aggregate, env: Env) -> str:
        """The parts of a sum, or of the highest or lowest of something: the values of its binders and of each term.

        Of a search for the best choice of sets it is this choice only.
        """
        packed = self.best_packing(node, env)
        if packed is not None:
            return f"[((found[1],), found[0]) for found in ({packed},) if found[1]]"
        inner = dict(env)
        loops, condition = self._loops(node.binders, node.where, inner)
        names = "".join(f"{inner[self.local(binder)]}, " for binder in node.binders)
        return f"[(({names}), {self.needed(node.value, inner)}) {loops}{_if(condition)}]"

    def filtered(self, node: ast.Filter, env: Env) -> str:
        """`{x in S where P}`."""
        symbol = self.local(node.binder)
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

    def combinations(self, binders: Sequence[ast.Binder], env: Env) -> tuple[str, list[str]]:
        """Nested loops over all that several binders go through, as Python text, and the name of each. Fills `env`."""
        loops, _ = self._loops(binders, None, env)
        return loops, [env[self.local(binder)] for binder in binders]

    def _loops(self, binders: Sequence[ast.Binder], where: ast.Expression | None, env: Env) -> tuple[str, str]:
        """Nested loops over several binders; conditions stand where all they speak of is known. Fills `env`."""
        left = ast.conjuncts(where)
        text = []
        symbols = [self.local(binder) for binder in binders]
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

    def local(self, node: ast.Node) -> LocalSymbol:
        """The name that a binder binds."""
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol


def _if(condition: str) -> str:
    return f" if {condition}" if condition else ""


def constant(value: int) -> str:
    """A number as Python text that can stand inside any other."""
    return str(value) if value >= 0 else f"({value})"
