"""Zones, notes and dice with their index as places and cells of the state, as Python source."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dsl import ast
from dsl.symbols import DieSymbol, NoteSymbol, ZoneSymbol
from dsl.types import Contents, Type
from interpreter.compile.attributes import Attributes
from interpreter.compile.domains import Env
from interpreter.compile.naming import named

NAMES = re.compile(r"[A-Za-z_]\w*")


class Held:
    """What is worked out at most once in a function during which nothing changes, and only if it is asked for.

    `known` is what stands for the parameters of the function: a text that speaks of nothing else can be held.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = names_in(known)
        self.names: dict[str, str] = {}

    def kept(self, text: str, env: Env) -> str:
        """The text, or the list that holds its value."""
        if names_in([text]) & (names_in(env.values()) - self.known):
            return text
        name = self.names.setdefault(text, f"held_{len(self.names)}")
        return f"({name} or {name}.append({text}) or {name})[0]"

    def lines(self) -> list[str]:
        """The lines with which the function begins."""
        return [f"{name} = []" for name in self.names.values()]


def names_in(texts: Iterable[str]) -> set[str]:
    """The Python names in some texts."""
    return {name for text in texts for name in NAMES.findall(text)} - {"S"}


class Places(Attributes):
    """Emission of places and cells; mixed into `Expressions`."""

    held: Held | None
    """Of the function that is being written, if nothing changes during it."""

    def _filled(self, symbol: ZoneSymbol) -> str:
        return f"S[{self.layout.filled[symbol.name]}]"

    def _of_places(self, node: ast.Of) -> bool:
        """Whether what stands before `of` is a zone without its index."""
        zone = self.model.refers.get(node.whole.number)
        return isinstance(zone, ZoneSymbol) and bool(zone.index) and isinstance(node.whole, ast.Name)

    def _filled_with(self, node: ast.Of, env: Env) -> str:
        """The places of a zone where a piece of a kind lies."""
        zone = self.model.refers[node.whole.number]
        assert isinstance(zone, ZoneSymbol)
        assert isinstance(zone.contents, Contents)
        kind = self.kind(node.part, zone.contents.pieces.piece_types, env)
        first, members = self.layout.first_mask[zone.name], self.layout.members(zone.index[0])
        if members == list(range(len(members))):
            text = f"places_with(S, {self._filled(zone)}, {first}, {kind})"
        else:
            cells = self.table(named("Z", zone.name), {value: first + offset for offset, value in enumerate(members)})
            text = f"as_set(v for v in bits({self._filled(zone)}) if S[{cells}[v]] & {kind})"
        return text if self.held is None else self.held.kept(text, env)

    def place(self, node: ast.Expression, env: Env) -> str:
        """The number of the place that a zone expression names."""
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, ZoneSymbol)
        first = self.layout.first_place[symbol.name]
        arguments = node.arguments if isinstance(node, ast.Index) else ()
        return self.offset(first, symbol.index, arguments, env)

    def cell(self, node: ast.Expression, env: Env) -> str:
        """The number of the cell that a note or die expression names."""
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, NoteSymbol | DieSymbol)
        first = self.layout.first_note[symbol.name]
        arguments = node.arguments if isinstance(node, ast.Index) else ()
        return self.offset(first, symbol.index, arguments, env)

    def _index(self, node: ast.Index, env: Env) -> str:
        symbol = self.model.refers[node.number]
        if isinstance(symbol, ZoneSymbol):
            return f"S[{self.offset(self.layout.first_mask[symbol.name], symbol.index, node.arguments, env)}]"
        return f"S[{self.cell(node, env)}]"

    def order(self, node: ast.Expression, env: Env) -> str:
        """The tuple of pieces of a row or stack as it is kept."""
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, ZoneSymbol)
        arguments = node.arguments if isinstance(node, ast.Index) else ()
        return f"S[{self.offset(self.layout.first_order[symbol.name], symbol.index, arguments, env)}]"

    def offset(
        self,
        first: int,
        index: tuple[Type, ...],
        arguments: tuple[ast.Expression, ...],
        env: Env,
        absent: bool = False,
    ) -> str:
        """The number of a combination of index values; `absent`: those not there in this game are counted as well."""
        constant, terms = first, []
        stride = 1
        for type_, argument in reversed(list(zip(index, arguments, strict=True))):
            members = self.layout.members(type_, absent)
            text = self.fitted(argument, type_, env)
            if not members or members == list(range(members[0], members[0] + len(members))):
                members = members or [0]
                if text.isdigit():
                    constant += (int(text) - members[0]) * stride
                else:
                    constant -= members[0] * stride
                    terms.append(text if stride == 1 else f"{text} * {stride}")
            else:
                where = self._positions({value: position for position, value in enumerate(members)})
                terms.append(f"{where}[{text}] * {stride}")
            stride *= len(members)
        if not terms:
            return str(constant)
        return " + ".join([str(constant), *terms]) if constant >= 0 else " + ".join([*terms, f"({constant})"])

    def _positions(self, content: dict[int, int]) -> str:
        """Table from a value to its position among those of an index; one for all indexes that are alike."""
        for name, other in self.tables.items():
            if name.startswith("P") and other == content:
                return name
        return self.table(named("P", len(self.tables)), content)
