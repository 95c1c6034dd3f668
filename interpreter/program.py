"""The program of a game with its seats and options: layout, generated Python, and the loop that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from dsl import ast
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, LocalSymbol
from dsl.types import PieceType
from interpreter.compile.domains import Env
from interpreter.compile.naming import named
from interpreter.compile.points import Decision, Points
from interpreter.compile.running import too_deep
from interpreter.layout.cells import ME, MOVES, POINT, Layout
from interpreter.runtime.primitives import LEFT, LOOP, Cells, Journal, Leave

Move = tuple[int, ...]
MOST_COMPILED = 4096  # compiled expressions; recurring ones are soon compiled again


@dataclass
class Program:
    """Generated code and its data. `source` is the Python text, for people who want to read it.

    `shown` keeps the parts of views that depend on no state.
    """

    model: Model
    layout: Layout
    points: Points
    source: str
    names: dict[str, Any]
    initial: list[Any]
    blocks: list[Callable[[Cells, Journal | None], int]]
    moves: dict[int, Callable[[Cells], list[Move]]]
    apply: dict[int, Callable[[Cells, Journal | None, Move], int]]
    nodes: dict[int, ast.Node]
    solo: dict[str, int] = field(default_factory=dict)
    compiled: dict[tuple[str, ...], Any] = field(default_factory=dict)
    emitted: dict[tuple[Any, ...], str] = field(default_factory=dict)
    queries: dict[tuple[Any, ...], ast.Expression] = field(default_factory=dict)
    shown: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    # ------------------------------------------------------------ running

    def run(self, S: Cells, J: Journal | None, block: int) -> None:
        """Run from a block until a decision is pending or the game is over. Raises PlayError if a rule fails."""
        blocks = self.blocks
        while True:
            try:
                while block >= 0:
                    block = blocks[block](S, J)
                return
            except Leave as leave:
                block = self._leave(J, leave)
            except RecursionError as fault:
                raise too_deep(self.model, self.points, fault) from None

    def _leave(self, J: Journal | None, leave: Leave) -> int:
        """The block to continue with when a running rule is left."""
        if J is not None:
            J.append((LOOP, LEFT))
        return leave.point

    def do(self, S: Cells, J: Journal | None, move: Move) -> None:
        """Make a move of the pending decision and run on. Raises PlayError if a rule fails."""
        try:
            block = self.apply[S[POINT]](S, J, move)
        except Leave as leave:
            block = self._leave(J, leave)
        except RecursionError as fault:
            raise too_deep(self.model, self.points, fault) from None
        self.run(S, J, block)

    def call(self, rule: str, S: Cells, J: Journal | None, values: Sequence[Any]) -> None:
        """Run a step without decisions on its own. Raises PlayError if a rule fails."""
        try:
            self.names[rule](S, J, *values)
        except Leave as leave:
            self.run(S, J, self._leave(J, leave))
        except RecursionError as fault:
            raise too_deep(self.model, self.points, fault) from None

    def legal(self, S: Cells) -> list[Move]:
        """The moves of the pending decision; none when nothing is pending. Raises PlayError if a rule fails.

        They are kept in `MOVES` from when the decision is reached; whoever changes cells afterwards must reset it.
        """
        found: list[Move] | None = S[MOVES]
        if found is None:
            try:
                found = self.moves[S[POINT]](S) if S[POINT] >= 0 else []
            except RecursionError as fault:
                raise too_deep(self.model, self.points, fault) from None
            S[MOVES] = found
        return found

    # ------------------------------------------------------------ single expressions

    def evaluate(self, text: str, S: Cells, **known: Any) -> Any:
        """Evaluate emitted Python text in a state, with values for the names it uses. Raises PlayError."""
        key = (text, *known)
        function = self.compiled.get(key)
        if function is None:
            for name, content in self.points.tables.items():
                self.names.setdefault(name, content)
            if len(self.compiled) > MOST_COMPILED:
                self.compiled.clear()
            parameters = ", ".join(["S", *known])
            function = self.compiled[key] = eval(f"lambda {parameters}: {text}", self.names)  # our own generated text
        try:
            return function(S, **known)
        except RecursionError as fault:
            raise too_deep(self.model, self.points, fault) from None

    def text(self, form: Literal["value", "place", "loop"], node: ast.Expression, env: Env) -> str:
        """Python text for an expression, emitted once: its value, its place, or the values it iterates over."""
        key = (form, node.number, *env.items())
        if key not in self.emitted:
            points = self.points
            match form:
                case "value":
                    self.emitted[key] = points.value(node, env)
                case "place":
                    self.emitted[key] = points.place(node, env)
                case "loop":
                    self.emitted[key] = f"tuple({points.loop(points.domain(node, env))})"
        return self.emitted[key]

    def mentions_me(self, node: ast.Node) -> bool:
        """True if a node mentions `me`."""
        key = ("me", node.number)
        if key not in self.emitted:
            symbols = (self.model.refers.get(inner.number) for inner in node.walk())
            mentioned = any(isinstance(symbol, BuiltinSymbol) and symbol.name == "me" for symbol in symbols)
            self.emitted[key] = "me" if mentioned else ""
        return bool(self.emitted[key])

    def value_of(self, node: ast.Expression, S: Cells, env: Env | None = None) -> Any:
        """Evaluate an expression of the language in a state. Raises PlayError."""
        return self.evaluate(self.text("value", node, env or {}), S)

    def seen_by(self, zone: str, attribute: str, S: Cells, index: Sequence[int], piece: int) -> int:
        """The set of seats that see an attribute of a piece at a place of a zone. Raises PlayError."""
        try:
            return int(self.names[named("see", zone, attribute)](S, *index, piece))
        except RecursionError as fault:
            raise too_deep(self.model, self.points, fault) from None

    @cached_property
    def _zones_seen_by_piece(self) -> frozenset[str]:
        """The zones in which the visibility of a piece depends on the piece."""
        found = set()
        for zone in self.model.zones.values():
            read = (node for sight in zone.declaration.sights for node in sight.viewers.walk())
            symbols = (self.model.refers.get(node.number) for node in read)
            if any(isinstance(symbol, LocalSymbol) and symbol.name == "it" for symbol in symbols):
                found.add(zone.name)
        return frozenset(found)

    @cached_property
    def parents(self) -> dict[int, ast.Node]:
        """The parent of each node of the rules, by number."""
        return {child.number: node for node in self.model.file.walk() for child in node.children()}

    def visibility_depends_on_piece(self, zone: str) -> bool:
        """True if the visibility of a piece in a zone depends on the piece."""
        return zone in self._zones_seen_by_piece

    @property
    def attached(self) -> list[tuple[tuple[int, int, Any], ...]]:
        """For each piece the places on it: cell, number, and the value of the cell while nothing lies there."""
        found: list[tuple[tuple[int, int, Any], ...]] = self.names["distinct"].__self__.attached
        return found

    @cached_property
    def notes_about(self) -> list[tuple[tuple[str, int, tuple[int, ...]], ...]]:
        """For each piece the notes about it: name, cell, and index."""
        found: list[list[tuple[str, int, tuple[int, ...]]]] = [[] for _ in self.layout.pieces]
        for cell, (name, slot) in self.layout.notes_of_cell.items():
            symbol = self.model.notes.get(name)
            for type_, value in zip(symbol.index if symbol else (), slot, strict=False):
                if isinstance(type_, PieceType):
                    found[value].append((name, cell, slot))
        return [tuple(entry) for entry in found]

    def decision(self, S: Cells) -> Decision | None:
        """The pending decision."""
        return self.points.decisions.get(S[POINT])

    def criteria(self, S: Cells, seat: int) -> tuple[int, ...]:
        """The numbers that decide who wins, for a seat, in order of precedence. Raises PlayError."""
        assert self.model.winner is not None
        alone = list(S)
        alone[ME] = seat
        try:
            return tuple(int(self.names[f"criterion_{n}"](alone)) for n in range(len(self.model.winner.criteria)))
        except RecursionError as fault:
            raise too_deep(self.model, self.points, fault) from None
