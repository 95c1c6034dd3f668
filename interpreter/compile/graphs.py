"""What hangs together, ways, and the best choice of ways: functions of places and edges, as Python source."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import BuiltinSymbol, LocalSymbol, TypeSymbol
from dsl.types import Type
from interpreter.compile.domains import Env
from interpreter.compile.grids import Straight, listed
from interpreter.compile.naming import named
from interpreter.compile.worth import WorthText
from interpreter.graphs import Adjacency

GRAPH_FUNCTIONS = frozenset({"reach", "near", "groups", "path", "paths", "packings"})


class Graphs(Straight):
    """Emission of graph functions; mixed into `Expressions`."""

    def graph_function(self, name: str, node: ast.Call, env: Env) -> str:
        """A call of a graph function."""
        arguments = node.arguments
        if name == "packings":
            return f"tuple({self._packings(node, env)})"
        links = self._links(self.type_of(arguments[0]), self.type_of(arguments[2 if name == "path" else 1]))
        match name:
            case "reach":
                return f"reach({links}, {self.needed(arguments[0], env)}, {self.mask(arguments[1], env)})"
            case "near" if self._whole(arguments[1]):
                return f"near{links[1:]}[{self.needed(arguments[0], env)}]"
            case "near":
                return f"near({links}, {self.needed(arguments[0], env)}, {self.mask(arguments[1], env)})"
            case "groups" if self._whole(arguments[1]):
                return f"hanging(near{links[1:]}, {self.mask(arguments[0], env)})"
            case "groups":
                return f"groups({links}, {self.mask(arguments[0], env)}, {self.mask(arguments[1], env)})"
            case "path":
                places = f"{self.needed(arguments[0], env)}, {self.needed(arguments[1], env)}"
                return f"path({links}, {places}, {self.mask(arguments[2], env)})"
            case _:
                return f"all_paths({self._ways(node, env)}, {node.number})"

    def family(self, node: ast.Expression, env: Env) -> str:
        """The sets of a set of sets, as an iterable."""
        if isinstance(node, ast.Call) and self._is_call(node, "packings"):
            return self._packings(node, env)
        return self.mask(node, env)

    def _packings(self, node: ast.Call, env: Env) -> str:
        return f"all_packings({self.family(node.arguments[0], env)}, {node.number})"

    def _ways(self, node: ast.Call, env: Env) -> str:
        """What `paths(S, E, n)` is about: links, places, edges, least number of places."""
        places, edges, least = node.arguments
        links = self._links(self.type_of(places), self.type_of(edges))
        return f"{links}, {self.mask(places, env)}, {self.mask(edges, env)}, {self.needed(least, env)}"

    def _links(self, places: Type, edges: Type) -> str:
        """The constant of what each edge of a type joins."""
        to, by = listed(places), listed(edges)
        ends = self.model.links[by.name, to.name][self.layout.choice]
        symbol = self.model.type_symbols[by.name]
        by_value: list[tuple[int, int] | None] = [None] * (1 + max(self.layout.members(by), default=0))
        first = 0 if to.numeric else self.layout.first_value[to.name][0]
        for position, pair in enumerate(ends):
            if pair is not None:
                by_value[self.layout.member(symbol, position)] = pair[0] + first, pair[1] + first
        count = 1 + max(self.layout.members(to), default=0)
        links = Adjacency(count, tuple(by_value))
        self.table(named("near", by.name, to.name), tuple(links.neighbours((1 << count) - 1, (1 << len(by_value)) - 1)))
        return self.table(named("K", by.name, to.name), links)

    def _whole(self, edges: ast.Expression) -> bool:
        """Whether the edges are all of their type."""
        return isinstance(edges, ast.Name) and isinstance(self.model.refers.get(edges.number), TypeSymbol)

    def _is_call(self, node: ast.Expression, name: str) -> bool:
        symbol = self.model.refers.get(node.number)
        return isinstance(node, ast.Call) and isinstance(symbol, BuiltinSymbol) and symbol.name == name

    # ------------------------------------------------------------ the best choice of ways

    def best_packing(self, node: ast.Aggregate | ast.Best, env: Env) -> str | None:
        """`highest (sum E for r in rows) for rows in packings(paths(...))` as one exact search.

        Gives the text of a pair: the total, and the sets that give it; None if the expression is no such thing.
        """
        binder = node.binders[0] if isinstance(node, ast.Aggregate) else node.binder
        rows = self.model.refers.get(binder.number)
        packings, total = binder.domain, node.value
        if node.function != "highest" or node.where is not None or not self._is_call(packings, "packings"):
            return None
        if not isinstance(packings, ast.Call) or not isinstance(total, ast.Aggregate) or total.function != "sum":
            return None
        if total.where is not None or len(total.binders) != 1 or self._through(total.binders[0]) is not rows:
            return None
        row = self.model.refers[total.binders[0].number]
        assert isinstance(row, LocalSymbol)
        sets = packings.arguments[0]
        ways = isinstance(sets, ast.Call) and self._is_call(sets, "paths")
        worth: str | None = None
        if ways:
            worth = WorthText(self, row, self.layout.members(listed(row.type))).text(total.value, env)
        if worth is None:
            name = self.variable(row)
            worth = f"lambda {name}: {self.needed(total.value, {**env, row: name})}"
        if isinstance(sets, ast.Call) and ways:
            return f"best_rows({self._ways(sets, env)}, {worth}, {node.number})"
        return f"best_sets({self.family(sets, env)}, {worth}, {node.number})"

    def _through(self, binder: ast.Binder) -> object:
        """The local a binder goes through."""
        return self.model.refers.get(binder.domain.number) if isinstance(binder.domain, ast.Name) else None
