"""The words of a text by what they are, so that an editor can colour a zone and an action differently."""

from __future__ import annotations

import re
from pathlib import Path

from dsl.syntax.terminals import keyword_pattern
from editors.service.hovering import CITATION
from editors.service.names import EntityKind, Names
from editors.service.results import Colour, Coloured

_PART = re.compile(
    r"(?P<comment>#[^\n]*)|(?P<string>\"[^\"\n]*\"?)|(?P<heading>^==[^\n]*==)|(?P<number>\b\d+\b)"
    rf"|(?P<keyword>{keyword_pattern()})|(?P<word>[A-Za-z_]\w*)|(?P<citation>{CITATION.pattern})",
    re.MULTILINE,
)
_COLOURS: dict[EntityKind, Colour] = {
    "type": "type", "value": "value", "piece": "piece", "zone": "zone", "note": "note", "die": "note",
    "position": "note", "option": "constant", "constant": "constant", "definition": "definition", "action": "action",
    "step": "action", "phase": "phase", "parameter": "parameter", "local": "local", "attribute": "attribute",
    "function": "function", "builtin": "constant",
}  # fmt: skip
_WORD = re.compile(rf"(?P<keyword>{keyword_pattern()})|[A-Za-z_]\w*")
_HOLE = re.compile(r"\{[^{}]*\}")


def coloured(names: Names, path: Path) -> tuple[Coloured, ...]:
    """What the words of a file are, in order, none of them overlapping another."""
    source = names.analysis.source(path)
    if source is None:
        return ()
    by_start = {name.place.start: name for name in names.by_path.get(path, ())}
    parts: list[Coloured] = []

    def add_words(begin: int, text: str) -> None:
        for word in _WORD.finditer(text):
            name = by_start.get(begin + word.start())
            if name is not None and name.place.end == begin + word.end():
                colour = _COLOURS[name.entity.kind]
                parts.append(Coloured(name.place.start, name.place.end, colour, name.is_declaration))
            elif word.lastgroup == "keyword":
                parts.append(Coloured(begin + word.start(), begin + word.end(), "keyword"))

    for part in _PART.finditer(source.text):
        kind, start, text = part.lastgroup, part.start(), part.group()
        match kind:
            case "keyword" | "word":
                add_words(start, text)
            case "string":
                end = start
                for hole in _HOLE.finditer(text):
                    if start + hole.start() > end:
                        parts.append(Coloured(end, start + hole.start(), "string"))
                    add_words(start + hole.start(), hole.group())
                    end = start + hole.end()
                if start + len(text) > end:
                    parts.append(Coloured(end, start + len(text), "string"))
            case "comment" | "heading" | "number" | "citation":
                parts.append(Coloured(start, part.end(), kind))
            case _:
                pass
    return tuple(parts)
