"""Every name in the files of a game, and what it means there: declarations, uses, and the fields that name something.

Most of it is in the tables of the checker. Names that are not expressions (a type, a seat in an example, a row of a
table) are found by the fields of the nodes that hold them. A file with clauses is checked in another form than it is
written in, so both forms are gone through, and each place counts once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

from dsl import ast
from dsl.checker.names.functions import FUNCTIONS
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model, texts_of
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    FamilySymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    PhaseSymbol,
    PieceSymbol,
    PositionSymbol,
    RuleSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    WhenSymbol,
    ZoneSymbol,
)
from dsl.text.span import Span
from dsl.types import Listed, PieceType, Several, Type, bare, element_of
from editors.service.analysis import Analysis
from editors.service.results import Place

EntityKind = Literal[
    "type", "value", "piece", "zone", "note", "die", "position", "option", "constant", "definition", "action", "step",
    "phase", "parameter", "local", "attribute", "function", "builtin",
]  # fmt: skip


@dataclass(frozen=True)
class Entity:
    """What a name means. `owner` tells apart those of the same kind and name: the type of a value, where a local is.

    An attribute has no owner: pieces and types that have attributes of one name are compared by it.
    """

    kind: EntityKind
    name: str
    owner: str = ""


@dataclass(frozen=True)
class Occurrence:
    """A name at a place of a file.

    `is_declaration`: it is introduced there. `symbol` is what the checker knows about it, `node` what it is part of.
    """

    place: Place
    entity: Entity
    is_declaration: bool = False
    symbol: Symbol | None = None
    node: ast.Node | None = None


class Names:
    """The names in the files of an analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    @cached_property
    def by_path(self) -> Mapping[Path, list[Occurrence]]:
        """The occurrences in each file, in order."""
        if self.analysis.model is None:
            return {}
        return _Collector(self.analysis, self.analysis.model).collected()

    def at(self, path: Path, offset: int) -> Occurrence | None:
        """The name at an offset, or right before it."""
        touching = [name for name in self.by_path.get(path, ()) if name.place.holds(offset)]
        return max(touching, key=lambda name: name.place.start, default=None)

    def of(self, entity: Entity) -> list[Occurrence]:
        """Every occurrence of what a name means, in the order of files and places."""
        return [name for names in self.by_path.values() for name in names if name.entity == entity]

    def declarations(self, entity: Entity) -> list[Occurrence]:
        """Every occurrence that declares an entity, in the same order."""
        return [name for name in self.of(entity) if name.is_declaration]

    def of_name(self, word: str) -> list[Occurrence]:
        """Every occurrence of a word as a name, whatever it means."""
        return [name for names in self.by_path.values() for name in names if name.entity.name == word]


_KINDS: dict[type[Symbol], EntityKind] = {
    TypeSymbol: "type", PieceSymbol: "piece", ZoneSymbol: "zone", NoteSymbol: "note", DieSymbol: "die",
    PositionSymbol: "position", OptionSymbol: "option", ConstantSymbol: "constant", DefineSymbol: "definition",
    PhaseSymbol: "phase", WhenSymbol: "definition",
}  # fmt: skip
_FIRST_WORD = re.compile(r"\w+")
_HOLE = re.compile(r"\{[^{}]*\}")


class _Collector:
    """Goes through the trees and collects names; `by_span` has them by source, start and end."""

    def __init__(self, analysis: Analysis, model: Model) -> None:
        self.analysis, self.model = analysis, model
        self.by_span: dict[tuple[str, int, int], Occurrence] = {}
        self.attributes = {
            node for piece in model.pieces.values() for node in map(_identity, piece.declaration.attributes)
        }

    def collected(self) -> dict[Path, list[Occurrence]]:
        model, reading = self.model, self.analysis.reading
        roots: list[ast.Node] = [model.file, *model.examples, *model.languages]
        if model.as_written is not model.file:
            roots.append(model.as_written)
        for tree in reading.trees if reading is not None else ():
            if isinstance(tree, ast.VariantFile) or (tree is not model.file and model.as_written is not model.file):
                roots.append(tree)
        for root in roots:
            for node in root.walk():
                if node.number not in model.unwritten:
                    self._node(node)
        self._translations()
        by_path: dict[Path, list[Occurrence]] = {}
        for _, name in sorted(self.by_span.items()):
            by_path.setdefault(name.place.path, []).append(name)
        return by_path

    # ---------------- one node

    def _node(self, node: ast.Node) -> None:
        """Collect the names of a node itself; those of its children follow."""
        match node:
            case ast.Name():
                self._use(node, node.name, self.model.refers.get(node.number))
            case ast.Index(base=ast.Name() as base) | ast.Call(base=ast.Name() as base):
                self._use(base, base.name, self.model.refers.get(base.number) or self.model.refers.get(node.number))
            case ast.Act():
                self._act(node)
            case ast.CuedRule():
                self._named(node, node.name, "action", "step")
            case ast.Attribute():
                self._attribute(node)
            case ast.Binder() | ast.Let() | ast.Choose() | ast.Pick():
                self._local(node, node.name)
            case ast.Column():
                if node.name is not None:
                    self._local(node, node.name)
            case ast.Parameter():
                self._parameter(node)
            case ast.TypeName():
                self._named(node, node.name, "type", "piece", "value")
            case ast.Change() | ast.Inside():
                if isinstance(node, ast.Inside) or node.declaration is None:
                    self._named(node, node.name or "")
            case ast.Sight():
                if node.attribute is not None and (span := spelt_in(node.span, node.attribute)) is not None:
                    self._add(span, Entity("attribute", node.attribute), node=node)
            case ast.Played() | ast.ThenMay() | ast.ThenMayNot():
                self._named(node, node.seat, "value")
            case ast.Begun():
                self._named(node, node.phase, "phase")
                if node.seat is not None:
                    self._named(node, node.seat, "value")
            case ast.GivenSeats():
                for seat in node.seats:
                    self._named(node, seat, "value")
            case ast.NameEntry():
                self._named(node, node.name)
            case ast.When():
                self._named(node, node.name, "definition")
            case _:
                self._declaration(node)

    def _declaration(self, node: ast.Node) -> None:
        match node:
            case ast.Header():
                for seat in node.seats:
                    self._declare(node, seat, Entity("value", seat, "Player"), start=node.title.span.end)
            case ast.TypeList() | ast.TypeTable() | ast.TypeBoard():
                self._declare(node, node.name, Entity("type", node.name))
                for row in node.rows if isinstance(node, ast.TypeTable) else ():
                    self._declare(row, str(row.key), Entity("value", str(row.key), node.name))
                    self._cells(row)
                for shape in node.shapes if isinstance(node, ast.TypeList) else ():
                    if shape.name is not None:
                        self._declare(shape, shape.name, Entity("value", shape.name, node.name))
            case ast.ByPlayers():
                for row in node.rows:
                    self._declare(row, str(row.key), Entity("constant", str(row.key)))
                    self._cells(row)
            case ast.Piece():
                self._declare(node, node.name, Entity("piece", node.name))
            case ast.Zone():
                self._declare(node, node.name, Entity("zone", node.name))
            case ast.Note():
                self._declare(node, node.name, Entity("note", node.name))
                if node.anew_in is not None:
                    self._named(node, node.anew_in, "phase", last=True)
            case ast.Option():
                self._option(node)
            case ast.Die():
                self._declare(node, node.name, Entity("die", node.name))
                symbol = self.model.dice.get(node.name)
                owner = _owner(bare(symbol.type)) if symbol is not None and symbol.type is not None else ""
                for face in dict.fromkeys(node.faces):
                    self._word(node.span, face, owner, start=_name_start(node) + 1)
            case ast.PositionDeclaration():
                self._declare(node, node.name, Entity("position", node.name))
            case ast.Define():
                self._declare(node, node.name, Entity("definition", node.name))
            case ast.Action():
                name = _plain(node.name)
                self._declare(node, name, Entity("action", name))
            case ast.Step():
                name = _plain(node.name)
                self._declare(node, name, Entity("step", name))
            case ast.Phase():
                self._declare(node, node.name, Entity("phase", node.name))
            case _:
                pass

    def _option(self, node: ast.Option) -> None:
        self._declare(node, node.name, Entity("option", node.name))
        symbol = self.model.options.get(node.name)
        owner = _owner(symbol.type) if symbol is not None else ""
        for member in node.type.members:
            if isinstance(member, ast.TypeName) and member.name not in self.model.globals:
                self._word(member.span, member.name, owner, is_declaration=True)
        for text in node.texts:
            self._word(text.span, text.value, owner)

    def _cells(self, row: ast.Row) -> None:
        """The values in a row of a table, which are words."""
        start = row.span.start + len(str(row.key))
        for cell in row.cells:
            span = spelt_in(row.span, str(cell), start)
            if span is None:
                return
            start = span.end
            symbol = self._global(cell) if isinstance(cell, str) else None
            entity = self._entity(symbol) if symbol is not None else None
            if entity is not None:
                self._add(span, entity, symbol=symbol, node=row)

    def _word(self, within: Span, word: str, owner: str, start: int = 0, is_declaration: bool = False) -> None:
        """A word that is a value of an option or a die."""
        span = spelt_in(within, word, start)
        if span is not None and re.match(r"[^\W\d]", word):
            self._add(span, Entity("value", word, owner), is_declaration=is_declaration)

    def _act(self, node: ast.Act) -> None:
        name = _plain(node.name)
        symbol = self.model.refers.get(node.number) or self.model.rules.get(node.name) or self._rule(name)
        entity = self._entity(symbol) if symbol is not None else None
        span = spelt_in(node.span, name)
        if entity is not None and span is not None:
            self._add(span, entity, symbol=symbol, node=node)

    def _rule(self, name: str) -> RuleSymbol | None:
        """An action or step, or the first of its clauses."""
        return next((rule for rule in self.model.rules.values() if _plain(rule.name) == name), None)

    def _attribute(self, node: ast.Attribute) -> None:
        end = node.span.end
        if node.span.text.endswith(node.name):
            self._add(Span(node.span.source, end - len(node.name), end), Entity("attribute", node.name), node=node)

    def _parameter(self, node: ast.Parameter) -> None:
        symbol = self.model.refers.get(node.number)
        if isinstance(symbol, LocalSymbol) and _identity(node) not in self.attributes:
            self._local(node, node.name)
        elif (span := spelt_in(node.span, node.name)) is not None:
            # an attribute of a piece, or a column of a type
            self._add(span, Entity("attribute", node.name), is_declaration=True, symbol=symbol, node=node)

    def _local(
        self, node: ast.Binder | ast.Let | ast.Choose | ast.Pick | ast.Column | ast.Parameter, name: str
    ) -> None:
        span = self._span_of_local(node, name)
        if span is not None:
            symbol = self.model.refers.get(node.number)
            kind: EntityKind = "parameter" if isinstance(node, ast.Parameter) else "local"
            entity = Entity(kind, name, f"{span.source.name}:{span.start}")
            self._add(span, entity, is_declaration=True, symbol=symbol, node=node)

    def _span_of_local(self, node: ast.Node, name: str) -> Span | None:
        match node:
            case ast.Let():
                return spelt_in(node.span, name, start=node.span.start + len("let"))
            case ast.Choose() | ast.Pick():
                return spelt_in(_until(node.span, node.domain.span.start), name, last=True)
            case ast.Column():
                return spelt_in(node.span, name, start=node.heading.span.end)
            case ast.Parameter(secret=True):
                return spelt_in(node.span, name, start=node.span.start + len("secret"))
            case _:
                return spelt_in(node.span, name)

    # ---------------- translated texts, which repeat the expressions in the braces of the game's own

    def _translations(self) -> None:
        holed = {text: node for text, node in texts_of(self.model.file, self.model.variants) if "{" in text}
        every = sorted(self.by_span.items())
        places = [place for place, _ in every]
        for names in (node for root in (*self.model.languages, self.model.file) for node in root.walk()):
            for entry in names.entries if isinstance(names, ast.Names) else ():
                original = holed.get(entry.original) if isinstance(entry, ast.TextEntry) else None
                if isinstance(original, ast.Text) and isinstance(entry, ast.TextEntry):
                    source, start, end = original.span.source.name, original.span.start, original.span.end
                    first, last = bisect_left(places, (source, start, 0)), bisect_left(places, (source, end, 0))
                    self._translated(entry, original, [name for _, name in every[first:last]])

    def _translated(self, entry: ast.TextEntry, original: ast.Text, inside: list[Occurrence]) -> None:
        """The names in the braces of a text of a language: those in the same braces of the game's text."""
        place = self.analysis.place(original.span)
        if place is None:
            return
        source, begin = entry.span.source, entry.span.start + 1
        second = source.text.find('"', begin + len(entry.original) + 1, entry.span.end) + 1
        for text, start in ((entry.original, begin), (entry.text, second)):
            for hole in _HOLE.finditer(text):
                same = entry.original.find(hole.group())
                for name in inside if same >= 0 and start else ():
                    offset = name.place.start - place.start - 1 - same
                    if 0 <= offset < len(hole.group()):
                        at = start + hole.start() + offset
                        self._add(Span(source, at, at + name.place.end - name.place.start), name.entity,
                                  symbol=name.symbol, node=name.node)  # fmt: skip

    # ---------------- what a name means

    def _use(self, node: ast.Name, name: str, symbol: Symbol | None) -> None:
        symbol = symbol or self._global(name)
        entity = self._entity(symbol) if symbol is not None else None
        if entity is not None and entity.name == name:
            self._add(node.span, entity, symbol=symbol, node=node)

    def _entity(self, symbol: Symbol) -> Entity | None:
        match symbol:
            case LocalSymbol(node=ast.Parameter() as node) if _identity(node) in self.attributes:
                return Entity("attribute", symbol.name)
            case LocalSymbol():
                if not isinstance(
                    symbol.node, ast.Binder | ast.Let | ast.Choose | ast.Pick | ast.Column | ast.Parameter
                ):
                    return self._elsewhere(symbol)
                span = self._span_of_local(symbol.node, symbol.name)
                kind: EntityKind = "parameter" if isinstance(symbol.node, ast.Parameter) else "local"
                return Entity(kind, symbol.name, f"{span.source.name}:{span.start}") if span is not None else None
            case ValueSymbol():
                return Entity("value", symbol.name, _owner(symbol.type))
            case FamilySymbol():
                return Entity("value", symbol.name, symbol.type.name)
            case BuiltinSymbol():
                return Entity("function" if symbol.name in FUNCTIONS else "builtin", symbol.name)
            case RuleSymbol():
                return Entity("action" if symbol.is_action else "step", _plain(symbol.name))
            case _:
                return Entity(_KINDS[type(symbol)], symbol.name) if type(symbol) in _KINDS else None

    def _elsewhere(self, symbol: LocalSymbol) -> Entity | None:
        """A local that a value with arguments binds, `hit(n)`: its name is its place. `it` of a zone has none."""
        if symbol.node is None or symbol.node.span.text != symbol.name:
            return Entity("builtin", symbol.name)
        return Entity("local", symbol.name, f"{symbol.node.span.source.name}:{symbol.node.span.start}")

    def _global(self, name: str) -> Symbol | None:
        """What a name means where no expression says so; of values with the same name the first."""
        values = self.model.values.get(name) or self.model.families.get(name)
        return self.model.globals.get(name) or (values[0] if values else None) or self._rule(name)

    def _named(self, node: ast.Node, name: str, *kinds: EntityKind, last: bool = False) -> None:
        """A name in a field of a node that is no expression; of these kinds, if any are given."""
        span = spelt_in(node.span, name, last=last)
        candidates = [
            self.model.globals.get(name),
            *self.model.values.get(name, ()),
            *self.model.families.get(name, ()),
        ]
        candidates.append(self._rule(name))
        for symbol in candidates:
            entity = self._entity(symbol) if symbol is not None else None
            if span is not None and entity is not None and (not kinds or entity.kind in kinds):
                self._add(span, entity, symbol=symbol, node=node)
                return

    def _declare(self, node: ast.Node, name: str, entity: Entity, start: int = 0) -> None:
        span = spelt_in(node.span, name, start or _name_start(node))
        if span is not None and re.match(r"[^\W\d]", name):
            self._add(span, entity, is_declaration=True, symbol=self._declared(entity), node=node)

    def _declared(self, entity: Entity) -> Symbol | None:
        if entity.kind == "value":
            values = [*self.model.values.get(entity.name, ()), *self.model.families.get(entity.name, ())]
            return next((value for value in values if _owner(value.type) == entity.owner), None)
        return self.model.globals.get(entity.name) or self._rule(entity.name)

    def _add(
        self, span: Span, entity: Entity, *, is_declaration: bool = False, symbol: Symbol | None = None,
        node: ast.Node | None = None,
    ) -> None:  # fmt: skip
        key = span.source.name, span.start, span.end
        if (is_declaration or key not in self.by_span) and (place := self.analysis.place(span)) is not None:
            self.by_span[key] = Occurrence(place, entity, is_declaration, symbol, node)


def _identity(node: ast.Node) -> tuple[str, int]:
    """What tells a node from others, and is the same in a copy of it."""
    return node.span.source.name, node.span.start


def _until(span: Span, end: int) -> Span:
    return Span(span.source, span.start, end)


def _plain(name: str) -> str:
    """The name of a rule without the value of its clause."""
    return name.partition("(")[0]


def _owner(type_: Type) -> str:
    return type_.name if isinstance(type_, Listed) else ""


def _name_start(node: ast.Node) -> int:
    """Where the name of a declaration can begin: after its keyword, if it begins with one."""
    keyword = isinstance(node, ast.Row | ast.Shape)
    match = _FIRST_WORD.match(node.span.source.text, node.span.start)
    return node.span.start if keyword or match is None else match.end()


def spelt_in(span: Span, name: str, start: int = 0, last: bool = False) -> Span | None:
    """Where a name stands in a span as a word of its own: the first time from `start` on, or the last time."""
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    matches = pattern.finditer(span.source.text, max(span.start, start), span.end)
    match = next(iter(reversed(list(matches))) if last else matches, None)
    return Span(span.source, match.start(), match.end()) if match else None


def attribute_types(model: Model, type_: Type | None) -> dict[str, Type]:
    """The attributes of a value of a type, with their types."""
    core = bare(type_) if type_ is not None else None
    if isinstance(core, Several):
        core = element_of(core)
    match core:
        case PieceType(piece_types=names):
            owners: Iterable[Mapping[str, Type]] = [
                model.pieces[name].attributes for name in sorted(names) if name in model.pieces
            ]
        case Listed():
            owners = [model.type_symbols[name].attributes for name in sorted(core.owners) if name in model.type_symbols]
        case _:
            owners = []
    return {name: type_ for attributes in owners for name, type_ in attributes.items()}
