"""The TextMate grammar of the language, which colours rules in editors without a language server.

It is made from the keywords of the grammar: `python -m editors.textmate` writes it, and a test compares it. It knows
words, not names: which name is a zone and which an action only the language server can tell.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from dsl.checker.names.declarations import PREDECLARED
from dsl.syntax.parser import tables
from dsl.syntax.terminals import keyword_pattern

TARGET = Path(__file__).parent / "vscode" / "syntaxes" / "regelwerk.tmLanguage.json"

NAMED_BY = {
    "entity.name.type": ("type", "piece"),
    "entity.name.function": ("action", "step", "when", "phase", "define"),
    "variable.other.definition": ("zone", "note", "die", "position", "option"),
}
"""The keywords that a declared name follows, by what editors call such a name."""

Pattern = dict[str, object]


def _words(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(words))})\b"


def _matching(scope: str, pattern: str) -> Pattern:
    return {"name": f"{scope}.regelwerk", "match": pattern}


def textmate_grammar() -> Pattern:
    """The grammar as JSON holds it."""
    citation = tables().terminals["CITE"]
    declared: list[Pattern] = [
        {
            "match": rf"\b({'|'.join(words)})\s+([A-Za-z_]\w*)",
            "captures": {"1": {"name": "keyword.other.regelwerk"}, "2": {"name": f"{scope}.regelwerk"}},
        }
        for scope, words in NAMED_BY.items()
    ]
    text: Pattern = {
        "name": "string.quoted.double.regelwerk",
        "begin": '"',
        "end": '"|$',
        "patterns": [
            {
                "name": "meta.embedded.regelwerk",
                "begin": r"\{",
                "end": r"\}|(?=\")|$",
                "patterns": [{"include": "#words"}],
            }
        ],
    }
    words = [
        *declared,
        _matching("keyword.control", keyword_pattern()),  # `over when` before `over`
        _matching("constant.language", _words(PREDECLARED)),
        _matching("constant.numeric", r"\b\d+\b"),
        _matching("keyword.operator", r"\.\.|<=|>=|[-+*&<>=]"),
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Regelwerk",
        "scopeName": "source.regelwerk",
        "fileTypes": ["rules"],
        "patterns": [
            _matching("comment.line.number-sign", r"#.*$"),
            _matching("markup.heading", r"^==+[ \t]*\w+[ \t]*==+"),
            _matching("markup.underline.link", citation),
            text,
            {"include": "#words"},
        ],
        "repository": {"words": {"patterns": words}},
    }


def as_text() -> str:
    """The grammar as it is in the file."""
    return json.dumps(textmate_grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(as_text(), encoding="utf-8")
