"""The phrases in the source: what a catalogue has to translate."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from string import Formatter

import polib

from cli.html.page import SCRIPT_PHRASE, TEMPLATE_PHRASE
from tests.support.project import ROOT
from web.session import phrases_in

PAGES = ("page/*.js", "page/*.html", "playground/src/*.js", "playground/index.html")
"""The pages and their scripts, in `web`."""
PACKAGES = ("dsl", "interpreter", "cli", "web", "editors")
SINGULAR = {"phrase": 0, "Phrase": 0, "phrase_text": 1}
"""The functions that are given a phrase, and which of their arguments it is."""
COUNTED = "counted_phrase"
"""The function that is given a singular and a plural."""


Key = tuple[str, str, str]
"""Context, singular and plural of a phrase; the first and the last are empty if there is none."""


def phrases_in_source() -> dict[Key, list[str]]:
    """Each phrase with the files that have it."""
    files: dict[Key, list[str]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            _add(files, path, _phrases_in(path))
    for path in sorted((ROOT / "cli" / "html").glob("*.js")):
        texts = SCRIPT_PHRASE.findall(path.read_text(encoding="utf-8"))
        _add(files, path, (("", text, "") for text in texts))
    for path in sorted(path for pattern in PAGES for path in (ROOT / "web").glob(pattern)):
        _add(files, path, (("", text, "") for text in phrases_in(path.read_text(encoding="utf-8"))))
    path = ROOT / "cli" / "html" / "page.html"
    _add(files, path, (("", text, "") for text in TEMPLATE_PHRASE.findall(path.read_text(encoding="utf-8"))))
    return files


def _add(files: dict[Key, list[str]], path: Path, phrases: Iterable[Key]) -> None:
    for phrase in dict.fromkeys(phrases):
        files.setdefault(phrase, []).append(path.relative_to(ROOT).as_posix())


def _phrases_in(path: Path) -> Iterator[Key]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if function == COUNTED:
            yield from (("", *texts) for texts in zip(_texts(node.args[0]), _texts(node.args[1]), strict=True))
        elif function in SINGULAR and len(node.args) > SINGULAR[function]:
            context, plural = (
                next((text for one in node.keywords if one.arg == name for text in _texts(one.value)), "")
                for name in ("context", "plural")
            )
            yield from ((context, text, plural) for text in _texts(node.args[SINGULAR[function]]))


def _texts(node: ast.expr) -> Sequence[str]:
    """The texts that an argument may be; none if it is a variable, whose phrase is written elsewhere."""
    if isinstance(node, ast.IfExp):
        return (*_texts(node.body), *_texts(node.orelse))
    assert not isinstance(node, ast.JoinedStr), f"line {node.lineno}: a phrase has placeholders, and is not an f-string"
    return (node.value,) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ()


def placeholders(text: str) -> frozenset[str]:
    """The names of the placeholders of a phrase."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def key_of(entry: polib.POEntry) -> Key:
    """The phrase that an entry translates."""
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural


def updated(catalogue: polib.POFile) -> polib.POFile:
    """A catalogue with exactly the phrases in the source, in alphabetical order; new ones are not translated."""
    known = {key_of(entry): entry for entry in catalogue}
    result = polib.POFile(wrapwidth=120)
    result.header, result.metadata = catalogue.header, catalogue.metadata
    for key, files in sorted(phrases_in_source().items(), key=lambda item: item[0][1:] + item[0][:1]):
        context, singular, plural = key
        entry = known.get(key) or polib.POEntry(msgctxt=context or None, msgid=singular, msgid_plural=plural)
        if plural and not entry.msgstr_plural:
            entry.msgstr_plural = {0: "", 1: ""}
        entry.occurrences, entry.flags = [(file, "") for file in files], []
        result.append(entry)
    return result
