"""What expressions go through: fixed values, sets as bit masks, the pieces of a row."""

from __future__ import annotations

from dataclasses import dataclass

from dsl import ast
from dsl.model import Model
from dsl.symbols import LocalSymbol, TypeSymbol, ZoneSymbol
from dsl.types import Contents, Listed, Number, PieceType, Several, Type, bare, element_of
from interpreter.bitset import bits
from interpreter.compile.naming import named
from interpreter.layout.cells import Layout

Env = dict[LocalSymbol, str]
SMALL = 8


@dataclass
class Domain:
    """What is gone through: `values` if fixed; else `mask`, and the place text of a row or stack.

    `members` is the text of a constant tuple with the members of `mask`, if there is one; `items` stands alone.
    """

    values: list[int] | None
    mask: str
    place: str
    element: Type
    items: str = ""
    members: str = ""


class Domains:
    """Emission of what is gone through; mixed into `Expressions`, which has the rest."""

    layout: Layout
    model: Model
    tables: dict[str, object]
    replaced: dict[int, str]
    """The texts that stand for some nodes, by number, while the worth of a set is described."""
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

    def kind(self, node: ast.Expression, piece_types: frozenset[str], env: Env) -> str:
        """See `Expressions.kind`."""
        raise NotImplementedError

    def has(self, name: str, value: str, piece_types: frozenset[str]) -> str:
        """See `Expressions.has`."""
        raise NotImplementedError

    def fitted(
        self, node: ast.Expression, wanted: Type, env: Env, text: str | None = None, actual: Type | None = None
    ) -> str:
        """See `Expressions.fitted`."""
        raise NotImplementedError

    def table(self, name: str, content: object) -> str:
        """See `Attributes.table`."""
        raise NotImplementedError

    def column_values(self, type_: Listed, name: str) -> dict[int, int | bool | None]:
        """See `Attributes.column_values`."""
        raise NotImplementedError

    def family(self, node: ast.Expression, env: Env) -> str:
        """See `Graphs.family`."""
        raise NotImplementedError

    # ------------------------------------------------------------ domains

    def variable(self, symbol: LocalSymbol) -> str:
        """A Python name of its own for a local."""
        self.fresh += 1
        return f"_{symbol.name}_{self.fresh}"

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
        mask = self.mask(node, env)
        return Domain(None, mask, "", element, members=self._listed_members(node, mask))

    def _listed_members(self, node: ast.Expression, mask: str) -> str:
        """For an attribute that is a constant set: the constant tuple of its members."""
        name, bracket, index = mask.partition("[")
        if not isinstance(node, ast.Attribute) or name not in self.tables:
            return ""
        cells = self.tables[name]
        listed = named("B", name)
        if isinstance(cells, tuple):
            self.table(listed, tuple(tuple(bits(cell)) for cell in cells))
        else:
            assert isinstance(cells, dict)
            self.table(listed, {member: tuple(bits(cell)) for member, cell in cells.items()})
        return f"{listed}{bracket}{index}"

    def groups(self, node: ast.Expression, env: Env) -> str:
        """The members of a set in groups of equal ones, as Python text."""
        domain = self.domain(node, env)
        if not isinstance(bare(domain.element), PieceType):
            return f"singles({self.loop(domain)})"
        if node.number in self.model.unsure_choices:
            return f"singles(offered(S, {domain.mask}))"
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
        if domain.members:
            return domain.members
        return self._members(domain.mask, domain.element)

    def _members(self, mask: str, element: Type) -> str:
        core = bare(element)
        if not isinstance(core, PieceType):
            few = core.low >= 0 and core.high < SMALL if isinstance(core, Number) else True
            values = self.layout.members(core) if few else []
            if values and min(values) >= 0 and max(values) < SMALL:
                return f"SMALL_SETS[{mask}]"
        return f"bits({mask})"


def fixed(values: list[int]) -> str:
    """Python text of an iterable over fixed values."""
    if len(values) > 2 and values == list(range(values[0], values[0] + len(values))):
        return f"range({values[0]}, {values[-1] + 1})"
    return "(" + ", ".join(map(str, values)) + ("," if len(values) == 1 else "") + ")"
