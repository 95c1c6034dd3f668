"""The side effects of statements: the zones, notes, dice and names they may change."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.types.piece_kinds import pieces_in
from dsl.symbols import Symbol, ZoneSymbol


class Changes:
    """Computes what statements may change; each statement and each rule is read once."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.rules: dict[str, frozenset[Symbol]] = {}
        self.changed_by: dict[int, frozenset[Symbol]] = {}
        self.reactions = self._within(when.declaration.body for when in context.model.whens)

    def by(self, statements: Iterable[ast.Statement]) -> frozenset[object]:
        """Everything that may have changed after these statements, including through reactions."""
        changed = self._within([statements])
        return changed | self.reactions if changed else changed

    def _within(self, blocks: Iterable[Iterable[ast.Statement]]) -> frozenset[Symbol]:
        return frozenset().union(*(self._statement(statement) for block in blocks for statement in block))

    def _statement(self, statement: ast.Statement) -> frozenset[Symbol]:
        if statement.number not in self.changed_by:
            self.changed_by[statement.number] = frozenset().union(*map(self._at, statement.walk()))
        return self.changed_by[statement.number]

    def _at(self, node: ast.Node) -> frozenset[Symbol]:
        refers = self.context.model.refers
        match node:
            case ast.Move():
                return self._moved(node)
            case ast.Act():
                return self._rule(node.name)
            case _ if isinstance(node, ast.Statement):
                return frozenset(filter(None, [refers.get(target.number) for target in ast.targets(node)]))
            case _:
                return frozenset()

    def _rule(self, name: str) -> frozenset[Symbol]:
        if name not in self.rules:
            self.rules[name] = frozenset()
            self.rules[name] = self._within([self.context.model.rules[name].declaration.body])
        return self.rules[name]

    def _moved(self, node: ast.Move) -> frozenset[Symbol]:
        """The zone that pieces move to, and those they can come from."""
        model = self.context.model
        source = node.source if node.source is not None else node.what
        zone = model.refers.get(source.number)
        zones = set(filter(None, [model.refers.get(node.target.number)]))
        if isinstance(zone, ZoneSymbol) and not isinstance(source, ast.Name | ast.Index):
            zone = None
        if isinstance(zone, ZoneSymbol):
            return frozenset({*zones, zone})
        type_ = model.types.get(source.number)
        pieces = pieces_in(type_) if type_ is not None else None
        for candidate in model.zones.values():
            if pieces is None or not pieces.piece_types.isdisjoint(held.name for held in candidate.declaration.holds):
                zones.add(candidate)
        return frozenset(zones)
