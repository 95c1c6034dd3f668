"""What a set is worth, described place by place, so that the best choice of sets can be searched for without listing.

An expression is described if it looks at the set in these ways only: `count r`, `count|sum ... for x in r`, `some|no x
in r where ...`. The first give sums over the places, the last flags; the rest of the expression joins them.
"""

from __future__ import annotations

from dsl import ast
from dsl.symbols import DefineSymbol, LocalSymbol
from interpreter.compile.domains import Domains, Env

MOST_LOOKED = 2_000
"""How many nodes an expression may have, with those of the definitions that are put in place."""


class WorthText:
    """Describes one expression about the set `row`, whose members are `places` in all."""

    def __init__(self, emitter: Domains, row: LocalSymbol, places: list[int]) -> None:
        self.emitter, self.places = emitter, places
        self.rows = {row}
        self.sums: list[str] = []
        self.flags: list[str] = []
        self.looked = 0

    def text(self, node: ast.Expression, env: Env) -> str | None:
        """Python text of the `Objective`, or None if the expression looks at the set in another way."""
        if not self._describe(node, env):
            self.emitter.replaced.clear()
            return None
        value = self.emitter.needed(node, env)
        self.emitter.replaced.clear()
        return f"Objective(({_items(self.sums)}), ({_items(self.flags)}), lambda s, f: {value})"

    def _describe(self, node: ast.Node, env: Env) -> bool:
        self.looked += 1
        if self.looked > MOST_LOOKED:
            return False
        match node:
            case ast.Count(operand=operand) if self._is_row(operand):
                return self._sum(node, None, env)
            case ast.Quantified(binders=(binder,), quantifier="count") if self._is_row(binder.domain):
                return self._sum(node, binder, env, node.where)
            case ast.Aggregate(binders=(binder,), function="sum") if self._is_row(binder.domain):
                return self._sum(node, binder, env, node.where, node.value)
            case ast.Quantified(binders=(binder,), quantifier="some" | "no" as word) if self._is_row(binder.domain):
                return self._flag(node, binder, word, env)
            case ast.Call() if any(self._is_row(argument) for argument in node.arguments):
                return self._inline(node, env)
            case ast.Name() if self._is_row(node):
                return False
            case _:
                return all(self._describe(child, env) for child in node.children())

    def _is_row(self, node: ast.Node) -> bool:
        return isinstance(node, ast.Name) and self.emitter.model.refers.get(node.number) in self.rows

    def _says_row(self, *nodes: ast.Node | None) -> bool:
        return any(self._is_row(inner) for node in nodes if node is not None for inner in node.walk())

    def _sum(
        self, node: ast.Node, binder: ast.Binder | None, env: Env, where: ast.Expression | None = None,
        value: ast.Expression | None = None,
    ) -> bool:  # fmt: skip
        """A sum over the places of the set: what each of them adds, as a tuple by place."""
        if self._says_row(where, value):
            return False
        name, inner = self._bound(binder, env)
        added = "1" if value is None else self.emitter.needed(value, inner)
        if where is not None:
            added = f"({added} if {self.emitter.value(where, inner)} else 0)"
        everything = "range(" + str(1 + max(self.places, default=0)) + ")"
        known = f" if {name} in {set(self.places)} else 0" if self.places != list(range(len(self.places))) else ""
        self.emitter.replaced[node.number] = f"s[{len(self.sums)}]"
        self.sums.append(f"tuple([{added}{known} for {name} in {everything}])")
        return True

    def _flag(self, node: ast.Quantified, binder: ast.Binder, word: str, env: Env) -> bool:
        """Whether some place of the set is one of a set of places."""
        if self._says_row(node.where):
            return False
        name, inner = self._bound(binder, env)
        condition = f" if {self.emitter.value(node.where, inner)}" if node.where is not None else ""
        flag = f"f[{len(self.flags)}]"
        self.emitter.replaced[node.number] = flag if word == "some" else f"(not {flag})"
        self.flags.append(f"as_set({name} for {name} in {tuple(self.places)}{condition})")
        return True

    def _bound(self, binder: ast.Binder | None, env: Env) -> tuple[str, Env]:
        if binder is None:
            return "_", env
        symbol = self.emitter.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        name = self.emitter.variable(symbol)
        return name, {**env, symbol: name}

    def _inline(self, node: ast.Call, env: Env) -> bool:
        """A definition asked about the set: its cases, one after the other."""
        symbol = self.emitter.model.refers.get(node.number)
        if not isinstance(symbol, DefineSymbol):
            return False
        inner: Env = {}
        for parameter, argument in zip(symbol.parameters, node.arguments, strict=True):
            if self._is_row(argument):
                self.rows.add(parameter)
            elif not self._describe(argument, env):
                return False
            else:
                inner[parameter] = self.emitter.fitted(argument, parameter.type, env)
        text = ""
        closing = 0
        for case in symbol.declaration.cases:
            if not self._describe(case.value, inner):
                return False
            if case.condition is not None and not self._describe(case.condition, inner):
                return False
            value = self.emitter.needed(case.value, inner)
            if case.condition is None:
                text += value
            else:
                text += f"({value} if {self.emitter.value(case.condition, inner)} else "
                closing += 1
        self.emitter.replaced[node.number] = f"({text}{')' * closing})"
        return True


def _items(texts: list[str]) -> str:
    return "".join(f"{text}, " for text in texts)
