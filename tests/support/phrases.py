"""The phrases in the source: what a catalogue has to translate."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter

import polib

from tests.support.project import ROOT

PACKAGES = ("dsl", "interpreter", "cli")
SINGULAR = {"phrase": 0, "Phrase": 0, "phrase_text": 1}
"""The functions that are given a phrase, and which of their arguments it is."""
COUNTED = "counted_phrase"
"""The function that is given a singular and a plural."""


def phrases_in_source() -> dict[tuple[str, str], list[str]]:
    """Each phrase, as singular and plural, which is empty if nothing is counted; with the files that have it."""
    files: dict[tuple[str, str], list[str]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for phrase in dict.fromkeys(_phrases_in(path)):
                files.setdefault(phrase, []).append(path.relative_to(ROOT).as_posix())
    return files


def _phrases_in(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if function == COUNTED:
            singular, plural = _texts(node.args[0]), _texts(node.args[1])
            assert singular and plural, f"{path}:{node.lineno}: singular and plural must be written here"
            yield singular[0], plural[0]
        elif function in SINGULAR and len(node.args) > SINGULAR[function]:
            plural = next((text for one in node.keywords if one.arg == "plural" for text in _texts(one.value)), "")
            yield from ((text, plural) for text in _texts(node.args[SINGULAR[function]]))


def _texts(node: ast.expr) -> Sequence[str]:
    """The texts that an argument may be; none if it is a variable, whose phrase is written elsewhere."""
    if isinstance(node, ast.IfExp):
        return (*_texts(node.body), *_texts(node.orelse))
    assert not isinstance(node, ast.JoinedStr), f"line {node.lineno}: a phrase has placeholders, and is not an f-string"
    return (node.value,) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ()


def placeholders(text: str) -> frozenset[str]:
    """The names of the placeholders of a phrase."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def updated(catalogue: polib.POFile) -> polib.POFile:
    """A catalogue with exactly the phrases in the source, in alphabetical order; new ones are not translated."""
    known = {(entry.msgid, entry.msgid_plural): entry for entry in catalogue}
    result = polib.POFile(wrapwidth=120)
    result.header, result.metadata = catalogue.header, catalogue.metadata
    for (singular, plural), files in sorted(phrases_in_source().items()):
        entry = known.get((singular, plural)) or polib.POEntry(msgid=singular, msgid_plural=plural)
        if plural and not entry.msgstr_plural:
            entry.msgstr_plural = {0: "", 1: ""}
        entry.occurrences, entry.flags = [(file, "") for file in files], []
        result.append(entry)
    return result
