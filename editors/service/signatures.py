"""What calls expect: signature help, and the names of parameters before arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from dsl import ast
from dsl.checker.names.functions import FUNCTIONS
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import LocalSymbol
from dsl.types import Type, Unknown
from editors.service.analysis import Analysis
from editors.service.names import Names
from editors.service.outline import tree_of
from editors.service.results import InlayHint, Parameter, Signature

MAX_TYPE_LENGTH = 40
"""Types that are longer in words are not shown within a line."""


@dataclass
class Callee:
    """What can be called or indexed: its parameters, each with its type if that is known."""

    name: str
    parameters: tuple[tuple[str, Type | None], ...]
    written: tuple[str, ...]
    is_index: bool = False

    @cached_property
    def label(self) -> str:
        """It with its parameters, as they are declared."""
        opening, closing = ("[", "]") if self.is_index else ("(", ")")
        return f"{self.name}{opening}{', '.join(self.written)}{closing}"


def callee_of(model: Model, name: str) -> Callee | None:
    """What a name calls or indexes; None for what has no arguments."""
    rule = model.rules.get(name) or next((r for key, r in model.rules.items() if key.partition("(")[0] == name), None)
    if rule is not None:
        return _callee(name, rule.declaration.parameters, rule.parameters)
    if name in model.defines:
        return _callee(name, model.defines[name].declaration.parameters, model.defines[name].parameters)
    indexed = model.zones.get(name) or model.notes.get(name) or model.dice.get(name)
    if indexed is not None:
        nodes = indexed.declaration.index
        types = tuple(zip([node.name for node in nodes], indexed.index, strict=False))
        return Callee(name, types, tuple(_written(node) for node in nodes), is_index=True)
    families = model.families.get(name)
    if families:
        parameters = tuple(("value", type_) for type_ in families[0].parameters)
        return Callee(name, parameters, tuple(str(type_) for type_ in families[0].parameters))
    return None


def _callee(name: str, nodes: tuple[ast.Parameter, ...], symbols: tuple[LocalSymbol, ...]) -> Callee:
    types = {symbol.name: symbol.type for symbol in symbols}
    return Callee(name, tuple((node.name, types.get(node.name)) for node in nodes), tuple(map(_written, nodes)))


def _written(node: ast.Parameter) -> str:
    return " ".join(node.span.text.split())


def enclosing_call(line_to_cursor: str) -> tuple[str, int] | None:
    """The name of the call whose arguments a line ends in, and how many arguments come before."""
    depth = arguments = 0
    in_text = line_to_cursor.count('"') % 2 == 1
    begin = line_to_cursor.rfind('"') + 1 if in_text else 0
    for at in range(len(line_to_cursor) - 1, begin - 1, -1):
        character = line_to_cursor[at]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0:
                name = re.search(r"([A-Za-z_]\w*)$", line_to_cursor[:at])
                return (name[1], arguments) if name is not None and character != "{" else None
            depth -= 1
        elif character == "," and depth == 0:
            arguments += 1
    return None


def signature(names: Names, text: str, offset: int) -> Signature | None:
    """What the call around an offset expects; None outside of calls."""
    model = names.analysis.model
    call = enclosing_call(text[text.rfind("\n", 0, offset) + 1 : offset])
    if model is None or call is None:
        return None
    name, active = call
    callee = callee_of(model, name)
    if callee is None:
        if name not in FUNCTIONS:
            return None
        described = FUNCTIONS[name][0]
        written = re.match(r"`(\w+\(([^)]*)\))`", described)
        parts = written[2].split(", ") if written is not None else []
        return _signature(written[1] if written is not None else name, parts, active, described)
    return _signature(callee.label, callee.written, active, "")


def _signature(label: str, parts: tuple[str, ...] | list[str], active: int, documentation: str) -> Signature:
    parameters: list[Parameter] = []
    at = next((number + 1 for number, character in enumerate(label) if character in "(["), len(label))
    for part in parts:
        parameters.append(Parameter(at, at + len(part)))
        at += len(part) + len(", ")
    return Signature(label, tuple(parameters), min(active, max(len(parameters) - 1, 0)), documentation)


# ---------------- inlay hints


def inlay_hints(names: Names, path: Path) -> tuple[InlayHint, ...]:
    """The types of definitions and local names that do not say theirs, and parameters before arguments in examples."""
    analysis, model = names.analysis, names.analysis.model
    if model is None or tree_of(analysis, path) is None:
        return ()
    hints = [*_types(names, path), *_arguments(analysis, model, path)]
    return tuple(sorted(hints, key=lambda hint: hint.offset))


def _types(names: Names, path: Path) -> Iterator[InlayHint]:
    for name in names.by_path.get(path, ()):
        type_: Type | None = None
        if (
            name.is_declaration
            and isinstance(name.node, ast.Let | ast.Choose | ast.Pick)
            and isinstance(name.symbol, LocalSymbol)
        ):
            type_ = name.symbol.type
        words = str(type_) if type_ is not None and not isinstance(type_, Unknown) else ""
        if words and len(words) <= MAX_TYPE_LENGTH:
            yield InlayHint(name.place.end, f": {words.replace('`', '')}")


def _arguments(analysis: Analysis, model: Model, path: Path) -> Iterator[InlayHint]:
    """`put(card: ace, 2)`: the parameters of what examples do."""
    for example in model.examples:
        if analysis.paths.get(example.span.source.name) != path:
            continue
        for act in example.walk():
            callee = callee_of(model, act.name.partition("(")[0]) if isinstance(act, ast.Act) else None
            if callee is None or not isinstance(act, ast.Act):
                continue
            for (name, _), argument in zip(callee.parameters, act.arguments, strict=False):
                if argument.span.text != name and (place := analysis.place(argument.span)) is not None:
                    yield InlayHint(place.start, f"{name}:", is_parameter=True)
