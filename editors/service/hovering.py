"""What is known about the words under the cursor, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from dsl import ast
from dsl.checker.names.functions import FUNCTIONS
from dsl.model import Model
from dsl.symbols import (
    ConstantSymbol,
    DefineSymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    PieceSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from dsl.text.nouns import counted
from dsl.text.span import Source, Span, comment_above
from dsl.text.visible import visible
from dsl.types import Type, Unknown, bare
from editors.service.analysis import Analysis
from editors.service.names import Entity, Names, Occurrence
from editors.service.results import Hover, Place

CITATION = re.compile(r"\[[A-Z]{1,4}-[A-Z]{0,2}-?[0-9]+[a-z]?(?:[ \t]+[A-Z]{1,4}-[A-Z]{0,2}-?[0-9]+[a-z]?)*\]")
ITEM = re.compile(r"[A-Z]{1,4}-[A-Z]{0,2}-?[0-9]+[a-z]?")
MAX_MEMBERS = 12
"""How many values of a type are listed."""

MAX_DECLARATION_LINES = 6
"""How many lines of a declaration are quoted."""

_BUILTINS = {
    "me": "the seat whose turn it is, or who answers", "nobody": "no seat", "none": "no value",
    "all": "every seat of the game", "empty": "a place without pieces, or a set without members",
    "somebody": "any seat at all: the opposite of `nobody`", "random": "drawn by lot before the game begins",
    "over": "true once the game has ended", "winners": "the seats that have won",
    "player": "the seat that decides now", "moves": "how many moves there are", "true": "holds",
    "false": "does not hold", "it": "the piece whose attribute is meant",
}  # fmt: skip


def hover(names: Names, path: Path, offset: int) -> Hover | None:
    """What is known about the name, the citation or the value at an offset; None if nothing is."""
    analysis = names.analysis
    source = analysis.source(path)
    if source is None:
        return None
    item = cited_item(source, offset)
    if item is not None:
        start, end = item
        text = item_text(analysis.model, source.text[start:end])
        return Hover(Place(path, start, end), text) if text else None
    name = names.at(path, offset)
    if name is not None:
        return Hover(name.place, "\n\n".join(filter(None, _about(names, name))))
    return _value(analysis, path, offset)


def cited_item(source: Source, offset: int) -> tuple[int, int] | None:
    """The start and end of the id of a rulebook item that is cited at an offset."""
    line = source.line_of(offset)
    start = source.line_starts[line - 1]
    for citation in CITATION.finditer(source.line(line)):
        for item in ITEM.finditer(citation.group()):
            first, last = (start + citation.start() + end for end in item.span())
            if first <= offset <= last:
                return first, last
    return None


def item_text(model: Model | None, item: str) -> str:
    """An item of the rulebook as Markdown; empty if the game has no items, or not this one."""
    text = (model.items or {}).get(item, "") if model is not None else ""
    return f"**{item}**: {escaped(text)}" if text else ""


def escaped(text: str) -> str:
    """A text of the author in Markdown: no sign of it means anything."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", visible(text))


# ---------------- names


def _about(names: Names, name: Occurrence) -> Iterator[str]:
    """The parts of the description of a name."""
    model = names.analysis.model
    assert model is not None
    declared = next(iter(names.declarations(name.entity)), None)
    symbol = name.symbol or (declared.symbol if declared is not None else None)
    node = declaration_of(name, declared)
    if node is not None:
        yield f"```regelwerk\n{declaration_text(node.span)}\n```"
    else:
        yield f"`{name.entity.name}`"
    yield _description(model, name, symbol)
    if node is not None:
        yield escaped(comment_above(node.span))
        cites = getattr(node, "cites", ())
        yield "\n\n".join(filter(None, (item_text(model, item) for item in cites)))
    if declared is not None and declared.place.path != name.place.path:
        yield f"declared in {escaped(declared.place.path.name)}"


def declaration_of(name: Occurrence, declared: Occurrence | None) -> ast.Node | None:
    """The node that declares what a name means, if it is in a file."""
    if declared is not None and declared.node is not None:
        return declared.node
    return name.symbol.node if name.symbol is not None else None


def declaration_text(span: Span) -> str:
    """The first lines of a declaration: those of its heading and of what it is made of, without citations."""
    source, lines = span.source, []
    last = source.line_of(max(span.start, span.end - 1))
    for number in range(span.line, min(last, span.line + MAX_DECLARATION_LINES - 1) + 1):
        lines.append(re.sub(r"\s+\[[A-Z][A-Z0-9 -]*\w\]\s*$", "", source.line(number)).rstrip())
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    more = ["…"] if last >= span.line + MAX_DECLARATION_LINES else []
    return "\n".join([*(visible(line[indent:].replace("```", "'''")) for line in lines), *more])


def _description(model: Model, name: Occurrence, symbol: Symbol | None) -> str:
    """What kind of thing a name is, with its type, and what else the checker knows."""
    entity = name.entity
    match symbol:
        case _ if entity.kind == "function":
            return FUNCTIONS[entity.name][0]
        case _ if entity.kind == "builtin":
            return _BUILTINS.get(entity.name, "a name of the language")
        case _ if entity.kind == "attribute":
            return _attribute(model, entity)
        case PieceSymbol():
            return _piece(model, symbol)
        case ZoneSymbol():
            return _zone(symbol)
        case NoteSymbol():
            seen = _seen_by(symbol.declaration.sights)
            return f"a note: {_type(symbol.type)}{', seen by ' + seen if seen else ''}"
        case OptionSymbol():
            values = ", ".join(f"`{value}`" for value in symbol.values)
            sentence = f": {escaped(symbol.declaration.sentence)}" if symbol.declaration.sentence else ""
            return f"an option{sentence}\n\nvalues: {values}; default: `{symbol.default}`"
        case TypeSymbol():
            return _listed(model, symbol)
        case ValueSymbol():
            return f"{symbol.type}{_cells(model, symbol)}"
        case ConstantSymbol():
            by_count = ", ".join(f"{count} players: `{value}`" for count, value in sorted(symbol.by_count.items()))
            return f"a constant by the number of players: {_type(symbol.type)} ({by_count})"
        case LocalSymbol():
            return f"a {symbol.role}: {_type(symbol.type)}"
        case DefineSymbol():
            return f"a definition: {_type(symbol.type)}" if symbol.type is not None else "a definition"
        case _:
            return {"action": "an action", "value": "a value"}.get(entity.kind, f"a {entity.kind}")


def _type(type_: Type | None) -> str:
    return str(type_) if type_ is not None and not isinstance(type_, Unknown) else "of a type that is not known yet"


def _attribute(model: Model, entity: Entity) -> str:
    owners: list[tuple[str, Mapping[str, Type]]] = [(name, piece.attributes) for name, piece in model.pieces.items()]
    owners += [(name, type_.attributes) for name, type_ in model.type_symbols.items()]
    of = [f"`{name}`: {attributes[entity.name]}" for name, attributes in owners if entity.name in attributes]
    return "an attribute of " + ", ".join(of) if of else "an attribute"


def _piece(model: Model, symbol: PieceSymbol) -> str:
    amount = symbol.declaration.amount
    kinds, per_kind = number_of_kinds(model, symbol), visible(" ".join(amount.span.text.split()))
    of_each = f"`{per_kind}`" if not isinstance(amount, ast.Number) else str(amount.value)
    if kinds is None:
        return f"a piece, {of_each} of each kind"
    if isinstance(amount, ast.Number):
        total = f"{counted(amount.value * kinds, 'piece')} in all"
        return f"a piece: {total}" + (f", {of_each} of each of {kinds} kinds" if kinds > 1 else "")
    return f"a piece: {of_each} of " + (f"each of {kinds} kinds" if kinds > 1 else "them")


def number_of_kinds(model: Model, symbol: PieceSymbol) -> int | None:
    """How many kinds of a piece there are; None if that depends on the board or is not known."""
    kinds = 1
    for attribute in symbol.attributes.values():
        core = bare(attribute)
        owner = model.type_symbols.get(getattr(core, "name", ""))
        if owner is None or owner.rows or not owner.members:
            return None
        kinds *= len(owner.members)
    return kinds


def _zone(symbol: ZoneSymbol) -> str:
    declaration = symbol.declaration
    pieces = " or ".join(f"`{held.name}`" for held in declaration.holds)
    shape = {"heap": "a zone of", "one": "a place for one", "row": "a row of", "stack": "a stack of"}
    seen = _seen_by(declaration.sights) or "everybody"
    return f"{shape[declaration.shape]} {pieces}, seen by {seen}"


def _seen_by(sights: tuple[ast.Sight, ...]) -> str:
    """Who sees a zone or a note, as it is written; empty if nothing is said."""
    return ", ".join(
        f"{f'{sight.attribute} by ' if sight.attribute else ''}`{visible(sight.viewers.span.text)}`" for sight in sights
    )


def _listed(model: Model, symbol: TypeSymbol) -> str:
    if not symbol.members:
        return "a type"
    first = ", ".join(f"`{member}`" for member in symbol.members[:MAX_MEMBERS])
    more = f" … ({len(symbol.members)} in all)" if len(symbol.members) > MAX_MEMBERS else ""
    return f"a type: {first}{more}"


def _cells(model: Model, symbol: ValueSymbol) -> str:
    owner = model.type_symbols.get(getattr(symbol.type, "name", ""))
    if owner is None or not owner.cells:
        return ""
    cells = {name: values[symbol.position] for name, values in owner.cells.items() if symbol.position < len(values)}
    return ": " + ", ".join(f"{name} `{value}`" for name, value in cells.items())


# ---------------- values


def _value(analysis: Analysis, path: Path, offset: int) -> Hover | None:
    """The type of the smallest expression at an offset."""
    model = analysis.model
    if model is None:
        return None
    smallest: tuple[Place, Type] | None = None
    for node in node_path(analysis, path, offset):
        type_ = model.types.get(node.number)
        place = analysis.place(node.span)
        if type_ is not None and place is not None and not isinstance(type_, Unknown):
            smallest = place, type_
    return Hover(smallest[0], str(smallest[1])) if smallest is not None else None


def node_path(analysis: Analysis, path: Path, offset: int) -> list[ast.Node]:
    """The nodes of a file around an offset, outer ones first."""
    model = analysis.model
    if model is None:
        return []
    around: list[ast.Node] = []
    waiting: list[ast.Node] = [*model.examples, *model.languages]
    waiting += [node for part in model.file.parts for node in (*part.declarations, *part.statements)]
    waiting += [model.file.header, *model.file.options]
    while waiting:
        node = waiting.pop()
        place = analysis.place(node.span)
        if place is not None and place.path == path and place.holds(offset) and node.number not in model.unwritten:
            around.append(node)
            waiting = node.children()
    return around


def expression_type(analysis: Analysis, path: Path, offset: int) -> Type | None:
    """The type of the largest expression that ends right at an offset."""
    model = analysis.model
    for node in node_path(analysis, path, offset) if model is not None else ():
        place = analysis.place(node.span)
        if place is not None and place.end == offset and model is not None and node.number in model.types:
            return model.types[node.number]
    return None
