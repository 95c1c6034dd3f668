"""Conditions as masks: what only asks for a fixed attribute, or for what is filled, cuts a set at once."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import BuiltinSymbol, LocalSymbol, ValueSymbol, ZoneSymbol
from dsl.types import Contents, Kind, Listed, Maybe, PieceType, Several, Truth, bare, numeric
from interpreter.compile.domains import Domain, Domains, Env
from interpreter.compile.naming import named
from interpreter.expression_facts import mentions

FAILING = ("need(", "in_range(", "among(", "subset(")


class Cuts(Domains):
    """Emission of conditions on what is gone through; mixed into `Expressions`."""

    def narrow(
        self, domain: Domain, symbol: LocalSymbol, where: ast.Expression | None, env: Env
    ) -> tuple[str | None, list[ast.Expression]]:
        """The domain's mask cut down by the conditions that are masks, and the conditions left over."""
        conditions = ast.conjuncts(where)
        if (domain.values is not None and not domain.mask) or domain.items:
            return None, conditions
        cuts, rest = [], []
        for condition in conditions:
            cut = self.cut(condition, symbol, env, domain)
            if cut is None:
                rest.append(condition)
            else:
                cuts.append(cut)
        if not cuts:
            return None, conditions
        return all_in([domain.mask, *cuts]), rest

    def cut(self, node: ast.Expression, symbol: LocalSymbol, env: Env, domain: Domain) -> str | None:
        """The members of a domain, named by a local, for which a condition holds, if it can be said as a mask."""
        mask = self._mask_of(node, symbol, env, domain)
        if mask is None or any(word in mask for word in FAILING):
            return None  # what may fail is looked at where there is something to look at
        return mask

    def _mask_of(self, node: ast.Expression, symbol: LocalSymbol, env: Env, domain: Domain) -> str | None:
        match node:
            case ast.Not():
                inner = self._mask_of(node.operand, symbol, env, domain)
                return None if inner is None else f"~{inner}"
            case ast.And() | ast.Or():
                left = self._mask_of(node.left, symbol, env, domain)
                right = self._mask_of(node.right, symbol, env, domain) if left is not None else None
                sign = "&" if isinstance(node, ast.And) else "|"
                return None if right is None else f"({left} {sign} {right})"
            case ast.Attribute() if self._is(node.base, symbol):
                values = self._by_attribute(node, domain) if isinstance(self.model.types[node.number], Truth) else None
                return None if values is None else str(values.get(True, 0))
            case ast.Compare(operator="is" | "is not" | "is in" | "is not in"):
                mask = self._compared(node, symbol, env, domain)
                return f"~{mask}" if mask is not None and "not" in node.operator else mask
            case _:
                return None

    def _compared(self, node: ast.Compare, symbol: LocalSymbol, env: Env, domain: Domain) -> str | None:
        """The members that are the same as, or in, what stands on the right."""
        if self.mentions(node.right, symbol) or isinstance(node.right, ast.ListOf | ast.Range):
            return None
        own = self._is(node.left, symbol)
        if "in" in node.operator.split():
            return self.mask(node.right, env) if own else None
        builtin = self.model.refers.get(node.right.number)
        if isinstance(builtin, BuiltinSymbol) and builtin.name != "me":
            return self._filled_places(node.left, builtin.name, symbol, domain)
        type_, pieces = self.model.types.get(node.right.number), bare(domain.element)
        if own and isinstance(pieces, PieceType) and self._of_kinds(node.right):
            return self.kind(node.right, pieces.piece_types, env)
        if type_ is None or isinstance(type_, Maybe | Contents | Kind) or not self._plain(node.right):
            return None
        if own:
            return None if numeric(type_) else f"(1 << {self.value(node.right, env)})"
        if isinstance(node.left, ast.Attribute) and self._is(node.left.base, symbol):
            return self._with_attribute(node.left, node.right, env, domain)
        return None

    def _is(self, node: ast.Node, symbol: LocalSymbol) -> bool:
        return isinstance(node, ast.Name) and self.model.refers.get(node.number) is symbol

    def _with_attribute(self, left: ast.Attribute, right: ast.Expression, env: Env, domain: Domain) -> str | None:
        """The members whose attribute has a value."""
        value = self.value(right, env)
        pieces, type_ = bare(domain.element), self.model.types[left.number]
        if isinstance(pieces, PieceType):
            single = len(pieces.piece_types) == 1 and isinstance(type_, Listed) and not type_.numeric
            return self.has(left.name, value, pieces.piece_types) if single else None
        values = self._by_attribute(left, domain)
        if values is None or isinstance(bare(type_), Several):
            return None
        if value.isdigit():
            return str(values.get(int(value), 0))
        assert isinstance(pieces, Listed)
        return f"{self.table(named('H', pieces.name, left.name), values)}.get({value}, 0)"

    def _by_attribute(self, node: ast.Attribute, domain: Domain) -> dict[int | bool | None, int] | None:
        """The members of a listed type by the value of an attribute, as masks."""
        core = bare(domain.element)
        if not isinstance(core, Listed) or isinstance(domain.element, Maybe) or core.parts:
            return None
        found: dict[int | bool | None, int] = {}
        for member, value in self.column_values(core, node.name).items():
            found[value] = found.get(value, 0) | 1 << member
        return found

    def _filled_places(self, left: ast.Expression, word: str, symbol: LocalSymbol, domain: Domain) -> str | None:
        """`zone[x] is empty`: the members whose place is not filled."""
        zone = self.model.refers.get(left.number)
        if not isinstance(zone, ZoneSymbol) or zone.name not in self.layout.filled or not isinstance(left, ast.Index):
            return None
        same = bare(domain.element) == zone.index[0]
        if word not in ("empty", "none") or not self._is(left.arguments[0], symbol) or not same:
            return None
        return f"~S[{self.layout.filled[zone.name]}]"

    def _of_kinds(self, node: ast.Expression) -> bool:
        """Whether a piece is compared with a kind."""
        return isinstance(self.model.types.get(node.number), Kind) or node.number in self.model.attribute_of

    def _plain(self, node: ast.Expression) -> bool:
        """A seat that may not be in this game has no mask."""
        symbol = self.model.refers.get(node.number)
        return not (isinstance(symbol, ValueSymbol) and self.value(node, {}) == "None")

    def mentions(self, node: ast.Node, symbol: LocalSymbol) -> bool:
        """Whether an expression speaks of a local."""
        return mentions(self.model, node, symbol)


def join_all(conditions: Sequence[ast.Expression]) -> ast.Expression | None:
    """A list as `P and Q and R`; nodes made here share the number of their first part."""
    result: ast.Expression | None = None
    for condition in conditions:
        if result is None:
            result = condition
        else:
            result = ast.And(span=result.span, number=result.number, left=result, right=condition)
    return result


def all_in(masks: Sequence[str]) -> str:
    """What is in all of the sets; constants are put together."""
    constant, texts = -1, []
    for mask in masks:
        bare_mask = mask.lstrip("~")
        if bare_mask.isdigit() and len(mask) - len(bare_mask) < 2:
            constant &= int(mask) if mask == bare_mask else ~int(bare_mask)
        else:
            texts.append(mask)
    parts = texts if constant == -1 else [str(constant), *texts]
    return parts[0] if len(parts) == 1 and parts[0].isdigit() else "(" + " & ".join(parts) + ")"
