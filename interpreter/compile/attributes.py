"""Attributes of pieces and values, and kinds of pieces, as constant tables of the generated module."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import Cell, PieceSymbol, ValueSymbol
from dsl.types import PLAYER, Contents, Listed, Maybe, PieceType, Several, Truth, Type, bare, numeric
from interpreter.compile.domains import Env
from interpreter.compile.naming import named
from interpreter.compile.quantifiers import Quantifiers
from interpreter.expression_facts import piece_types


class Attributes(Quantifiers):
    """Emission of attributes and kinds; mixed into `Expressions`."""

    def type_of(self, node: ast.Expression) -> Type:
        """Type found by the checker."""
        return self.model.types[node.number]

    def table(self, name: str, content: object) -> str:
        """Keep constant data under a name of the generated module."""
        self.tables[name] = content
        return name

    def attribute_table(self, name: str, piece_types: frozenset[str]) -> str:
        """Table from piece to attribute value."""
        content = tuple(piece.attributes.get(name) for piece in self.layout.pieces)
        return self.table(named("A", name), content)

    def kind_table(self, name: str) -> str:
        """Table from attribute value to the set of pieces that have it."""
        sets: dict[int | None, int] = {}
        for piece in self.layout.pieces:
            if name in piece.attributes:
                value = piece.attributes[name]
                sets[value] = sets.get(value, 0) | 1 << piece.number
        type_ = next(p.attributes[name] for p in self.model.pieces.values() if name in p.attributes)
        members = self.layout.members(type_)
        if isinstance(type_, Listed) and not type_.numeric:  # every value it can be compared with has its place
            members = list(range(self.layout.room(type_)))
        if not numeric(type_) and members == list(range(len(members))):
            return self.table(named("M", name), tuple(sets.get(value, 0) for value in members))
        return self.table(named("M", name), sets)

    def has(self, name: str, value: str, piece_types: frozenset[str]) -> str:
        """The set of pieces whose attribute has the value."""
        if value == "None":  # a seat that does not play
            return "0"
        table = self.kind_table(name)
        if value.isdigit():
            content = self.tables[table]
            if isinstance(content, tuple):
                return str(content[int(value)]) if int(value) < len(content) else "0"
            assert isinstance(content, dict)
            return str(content.get(int(value), 0))
        content = self.tables[table]
        return f"{table}[{value}]" if isinstance(content, tuple) else f"{table}.get({value}, 0)"

    def pieces_of(self, node: ast.Expression) -> frozenset[str]:
        """The types of the pieces an expression is about."""
        return piece_types(self.model, node)

    def kind(self, node: ast.Expression, piece_types: frozenset[str], env: Env) -> str:
        """The set of all pieces of a kind: `king`, `red king`, a value of an attribute."""
        if isinstance(node, ast.Pattern):
            return "(" + " & ".join(self._of_kind(word, piece_types, env) for word in node.words) + ")"
        if node.number in self.model.attribute_of:
            return self._of_kind(node, piece_types, env)
        return self.mask(node, env)

    def _of_kind(self, node: ast.Expression, piece_types: frozenset[str], env: Env) -> str:
        symbol = self.model.refers.get(node.number)
        if isinstance(symbol, PieceSymbol):
            return self.value(node, env)
        if isinstance(symbol, ValueSymbol):
            return self.has(self.model.attribute_of[node.number], self.value(node, env), piece_types)
        return self.has(self.model.attribute_of[node.number], self.needed(node, env), piece_types)

    def _attribute(self, node: ast.Attribute, env: Env) -> str:
        base_type = self.type_of(node.base)
        core = bare(base_type)
        text = self.value(node.base, env)
        optional = isinstance(base_type, Maybe)
        if isinstance(core, Contents):
            text, optional, core = f"lowest({text})", True, core.pieces
        if isinstance(core, PieceType):
            table = self.attribute_table(node.name, core.piece_types)
        else:
            assert isinstance(core, Listed)
            table = self._column(core, node.name)
        if not optional:
            return f"{table}[{text}]"
        several = isinstance(self.type_of(node), Several)
        return f"(attribute({table}, {text}) or 0)" if several else f"attribute({table}, {text})"

    def _column(self, type_: Listed, name: str) -> str:
        if type_.parts:
            return self._joined_column(type_, name)
        table = named("T", type_.name, name)
        if table in self.tables:
            return table
        cells = self.column_values(type_, name)
        if list(cells) == list(range(len(cells))):
            return self.table(table, tuple(cells.values()))
        return self.table(table, cells)

    def column_values(self, type_: Listed, name: str) -> dict[int, int | bool | None]:
        """The values of a column by member."""
        symbol = self.model.type_symbols[type_.name]
        wanted = symbol.attributes[name]
        return {member: self._cell_value(cell, wanted) for member, cell in self.layout.rows(symbol, name).items()}

    def _joined_column(self, type_: Listed, name: str) -> str:
        """Table from a value of one of several types to its attribute, none for those that have no such attribute."""
        cells: dict[int, object] = dict.fromkeys(self.layout.members(type_))
        for part in type_.parts:
            symbol = self.model.type_symbols[part]
            if name in symbol.attributes:
                wanted = symbol.attributes[name]
                there = self.layout.rows(symbol, name)
                cells.update({value: self._cell_value(cell, wanted) for value, cell in there.items()})
        return self.table(named("T", *type_.parts, "or", name), cells)

    def _cell_value(self, cell: Cell, type_: Type) -> int | bool | None:
        core = bare(type_)
        if isinstance(cell, tuple):
            assert isinstance(core, Several)
            members = (self._cell_value(member, core.element) for member in cell)
            return sum(1 << member for member in members if member is not None)
        if cell in ("none", "nobody"):
            return None
        if isinstance(core, Truth):
            return cell == "true"
        if isinstance(cell, int):
            return cell
        if core == PLAYER:
            return self.layout.seats.index(cell) if cell in self.layout.seats else None
        assert isinstance(core, Listed)
        return self.layout.value_of(core, cell)

    def listed(self, item: ast.Expression, piece_types: frozenset[str], env: Env) -> list[str]:
        """The kinds that an item of a list of pieces stands for: `2 king` for two."""
        amount = item.amount if isinstance(item, ast.Pattern) and item.amount is not None else 1
        return [self.kind(item, piece_types, env)] * amount
