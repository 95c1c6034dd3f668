"""What rules look at and what they change: where reactions must be looked for, and which rules wait for somebody."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.flow.calls import called
from dsl.symbols import BuiltinSymbol, DefineSymbol, DieSymbol, NoteSymbol, ZoneSymbol
from interpreter.compile.expressions import Expressions
from interpreter.layout.cells import Layout

ME_NAME = "me"
SIMPLE = (ast.Move, ast.SetTo, ast.Add, ast.Remove, ast.Shuffle, ast.Roll)


class Footprints(Expressions):
    """Analysis of what statements read and write, by the names of zones, notes and dice."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._reads: dict[str, frozenset[str]] = {}
        self._written: dict[str, frozenset[str]] = {}
        self.suspending = self._suspending()

    def _suspending(self) -> frozenset[str]:
        """The rules that ask somebody something, themselves or through a step."""
        rules = self.model.rules
        found = {
            name for name, rule in rules.items()
            if any(isinstance(node, ast.Decide | ast.Choose) for node in rule.declaration.walk())
        }  # fmt: skip
        while True:
            more = {
                name for name, rule in rules.items()
                if name not in found and any(act.name in found for act in called(rule.declaration.body))
            }  # fmt: skip
            if not more:
                return frozenset(found)
            found |= more

    def suspends(self, statements: Sequence[ast.Statement]) -> bool:
        """Whether statements may have to wait for a decision."""
        for statement in statements:
            for node in statement.walk():
                if isinstance(node, ast.Decide | ast.Choose):
                    return True
                if isinstance(node, ast.Do) and node.act.name in self.suspending:
                    return True
        return False

    def reads(self, node: ast.Node) -> frozenset[str]:
        """The zones, notes and dice an expression looks at, and `me`."""
        found: set[str] = set()
        for inner in node.walk():
            symbol = self.model.refers.get(inner.number)
            match symbol:
                case ZoneSymbol() | NoteSymbol() | DieSymbol():
                    found.add(symbol.name)
                case BuiltinSymbol(name="me"):
                    found.add(ME_NAME)
                case DefineSymbol():
                    found |= self.define_reads(symbol)
                case _:
                    pass
            if isinstance(inner, ast.Compare) and inner.operator in ("before", "after"):
                found |= set(self.model.zones)
        return frozenset(found)

    def define_reads(self, symbol: DefineSymbol) -> frozenset[str]:
        """What a definition looks at."""
        if symbol.name not in self._reads:
            self._reads[symbol.name] = self.reads(symbol.declaration)
        return self._reads[symbol.name]

    def writes(self, node: ast.Statement) -> frozenset[str]:
        """The zones and notes a simple statement may change."""
        match node:
            case ast.Move():
                return frozenset(self._moved(node))
            case _:
                symbols = (self.model.refers.get(target.number) for target in ast.targets(node))
                return frozenset(s.name for s in symbols if isinstance(s, NoteSymbol | ZoneSymbol | DieSymbol))

    def _moved(self, node: ast.Move) -> set[str]:
        found = {self.model.refers[node.target.number].name}
        source = node.source if node.source is not None else node.what
        symbol = self.model.refers.get(source.number)
        if isinstance(symbol, ZoneSymbol):
            found.add(symbol.name)
        else:
            piece_types = self.pieces_of(source)
            for zone in self.model.zones.values():
                if piece_types & {held.name for held in zone.declaration.holds}:
                    found.add(zone.name)
        return found

    def written_by(self, name: str) -> frozenset[str]:
        """All a step may change."""
        if name not in self._written:
            found: frozenset[str] = frozenset()
            for inner in self.model.rules[name].declaration.walk():
                if isinstance(inner, SIMPLE):
                    found |= self.writes(inner)
                elif isinstance(inner, ast.Act) and inner.name in self.model.rules and inner.name != name:
                    found |= self.written_by(inner.name)
            self._written[name] = found
        return self._written[name]
