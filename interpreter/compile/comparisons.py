"""Comparisons, sums and sets written out, as Python source."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import BuiltinSymbol, FamilySymbol
from dsl.types import (
    FAR,
    Contents,
    Kind,
    Listed,
    Maybe,
    Nothing,
    Number,
    PieceType,
    Several,
    Type,
    bare,
    element_of,
    settled,
)
from interpreter.compile.domains import Env
from interpreter.compile.inlining import Inlining


class Comparisons(Inlining):
    """Emission of what is the same, in, more or less; mixed into `Expressions`."""

    def is_family(self, node: ast.Expression) -> bool:
        """Whether an expression is a set of sets, which is kept as a tuple."""
        core = bare(self.type_of(node))
        return isinstance(core, Several) and isinstance(core.element, Several)

    def _set_of(self, node: ast.SetOf, env: Env) -> str:
        if not node.items:
            return "()" if self.is_family(node) else "0"
        parts = []
        for item in node.items:
            text = self.member_value(item, env)
            if isinstance(self.type_of(item), Maybe | Nothing | Contents):
                parts.append(f"as_set(({text},))")
            else:
                parts.append(str(1 << int(text)) if text.isdigit() else f"(1 << {text})")
        return "(" + " | ".join(parts) + ")"

    def _compare(self, node: ast.Compare, env: Env) -> str:
        match node.operator:
            case "is":
                return self._same(node, env)
            case "is not":
                return f"(not {self._same(node, env)})"
            case "is in":
                return self.member(node.left, node.right, env)
            case "is not in":
                return f"(not {self.member(node.left, node.right, env)})"
            case "before":
                return f"before(S, {self.plain(node.left, env)}, {self.plain(node.right, env)})"
            case "after":
                return f"before(S, {self.plain(node.right, env)}, {self.plain(node.left, env)})"
            case operator:
                return f"({self.needed(node.left, env)} {operator} {self.needed(node.right, env)})"

    def member(self, left: ast.Expression, right: ast.Expression, env: Env) -> str:
        """Whether a value is in a set, a list or a range."""
        if isinstance(right, ast.Range):
            return f"({right.low} <= {self.needed(left, env)} <= {right.high})"
        value, type_ = self.plain(left, env), self.type_of(left)
        if isinstance(right, ast.ListOf):
            if self.pieces_in_list(right):
                kinds = " | ".join(["0", *(self.kind(item, self.pieces_of(left), env) for item in right.items)])
                return f"contains({kinds}, {value})"
            return f"({value} in [{', '.join(self.plain(item, env) for item in right.items)}])"
        mask = self.mask(right, env)
        if self.is_family(right):
            return f"({self.mask(left, env)} in {mask})"
        below = isinstance(type_, Number) and type_.low < 0
        if below or isinstance(type_, Maybe | Contents):
            return f"contains({mask}, {value})"
        return f"(({mask} >> {value} & 1) == 1)"

    def _same(self, node: ast.Compare, env: Env) -> str:
        left, right = self.type_of(node.left), self.type_of(node.right)
        meant = self.model.refers.get(node.right.number)
        if isinstance(meant, BuiltinSymbol) and meant.name == "somebody":
            return f"(not {is_none(self.value(node.left, env))})"
        if isinstance(meant, BuiltinSymbol) and meant.name == "empty":
            if element_of(left) is not None:
                return f"(not {self.value(node.left, env)})"
            return is_none(self.value(node.left, env))
        if isinstance(meant, BuiltinSymbol) and meant.name in ("none", "nobody"):
            if isinstance(left, Contents):
                return f"({self.value(node.left, env)} == 0)"
            return is_none(self.value(node.left, env))
        if isinstance(meant, FamilySymbol):
            return self.apart(node, meant, env)
        if isinstance(node.right, ast.ListOf):
            return self._same_list(node.left, node.right, env)
        if isinstance(right, Kind):
            return f"(({self.mask(node.left, env)} & {self.kind(node.right, self.pieces_of(node.left), env)}) != 0)"
        if isinstance(bare(settled(left)), Several) or isinstance(bare(settled(right)), Several):
            return f"({self.mask(node.left, env)} == {self.mask(node.right, env)})"
        of_one = self._attribute_of_one(node, right, env)
        return of_one or f"({self.plain(node.left, env)} == {self.plain(node.right, env)})"

    def _attribute_of_one(self, node: ast.Compare, right: Type, env: Env) -> str | None:
        """`house[x].owner is p`: whether the one piece of a place is among those with the attribute."""
        left = node.left
        if not isinstance(left, ast.Attribute) or isinstance(right, Maybe | Contents | Kind):
            return None
        base, type_ = self.type_of(left.base), bare(self.type_of(left))
        if not isinstance(base, Contents) or not isinstance(type_, Listed) or type_.numeric or type_.parts:
            return None
        those = self.has(left.name, self.value(node.right, env), base.pieces.piece_types)
        return f"(({self.value(left.base, env)} & {those}) != 0)"

    def pieces_in_list(self, node: ast.ListOf) -> bool:
        """Whether a list holds kinds of pieces."""
        return isinstance(element_of(self.type_of(node)), PieceType)

    def _same_list(self, left: ast.Expression, right: ast.ListOf, env: Env) -> str:
        type_ = self.type_of(left)
        if isinstance(element_of(type_), PieceType):
            ordered = isinstance(type_, Contents) and type_.shape in ("row", "stack")
            kinds = ", ".join(text for item in right.items for text in self.listed(item, self.pieces_of(left), env))
            pieces = (
                f"contents(S, {self.place(left, env)})"
                if isinstance(type_, Contents)
                else f"bits({self.mask(left, env)})"
            )
            return f"same_pieces({pieces}, [{kinds}], {ordered})"
        values = ", ".join(self.member_value(item, env) for item in right.items)
        return f"({self.mask(left, env)} == as_set([{values}]))"

    def _arithmetic(self, node: ast.Arithmetic, env: Env) -> str:
        type_ = self.type_of(node)
        if isinstance(type_, Number):
            left, right = self.needed(node.left, env), self.needed(node.right, env)
            if node.operator == "*" and (type_.low <= -FAR or type_.high >= FAR):
                return f"product({left}, {right}, {node.number})"
            return f"({left} {node.operator} {right})"
        left, right = self.mask(node.left, env), self.mask(node.right, env)
        match node.operator:
            case "+":
                return f"({left} | {right})"
            case "-":
                return f"({left} & ~{right})"
            case _:
                return f"({left} & {right})"


def is_none(text: str) -> str:
    """Whether a value is none, as Python text; of a constant it is known."""
    if text == "None" or text.strip("(-)").isdigit() or text in ("True", "False"):
        return str(text == "None")
    return f"({text} is None)"
