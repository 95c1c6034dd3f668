"""The words of the language: how each terminal of the grammar is called in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

OPENERS = (
    "game", "examples of", "variant", "board", "type", "piece", "zone", "note", "option", "die", "table", "names",
    "define", "action", "step", "phase", "when", "winner", "example", "by players",
)  # fmt: skip
"""Words a declaration begins with."""

VERBS = (
    "move", "set", "add", "remove", "shuffle", "roll", "let", "must", "may", "if", "else", "for each", "each player",
    "up to", "end game", "require", "given", "when", "then", "and", "replace",
)  # fmt: skip
"""Words a line of a block begins with."""

_NAMED = {
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a quoted text",
    "HEADING": "a heading such as `== setup ==`",
    "CITE": "a citation",
    "ADDOP": "`+` or `-`",
    "MULOP": "`*` or `&`",
}
_VALUE = frozenset({"NAME", "INT", "STRING", "LPAR", "LSQB", "LBRACE"})
_QUANTIFIERS = frozenset({"_COUNT", "SUM", "HIGHEST", "LOWEST", "_SOME", "_NO", "_THE", "_NOT", "MINUS"})
_OPERATORS = frozenset({"ADDOP", "MULOP", "_IS", "BEFORE", "AFTER", "_AND", "_OR", "_OF", "<", "<=", ">", ">="})
_LINE_ENDS = frozenset({"_NL", "CITE"})
_UNTOLD = frozenset({"_DEDENT", "CITE"})


@cache
def spellings() -> dict[str, str]:
    """Map the names of terminals to what they are called; keywords and signs in backticks."""
    from dsl.syntax.parser_cache import machine

    words = dict(_NAMED)
    for terminal in machine().terminals:
        words.setdefault(terminal.name, f"`{_plain(terminal.pattern.value)}`")
    return words


def _plain(pattern: str) -> str:
    for blanks in (r"[ \t]+", "[ \t]+"):
        pattern = pattern.replace(blanks, " ")
    return pattern.removesuffix(r"\b").replace("\\", "")


def sign(terminal: str) -> str:
    """The keyword or sign a terminal stands for, or an empty string."""
    return "" if terminal in _NAMED else spellings().get(terminal, "").strip("`")


def keyword(terminal: str | None) -> str:
    """The keyword a terminal stands for, or an empty string."""
    word = sign(terminal) if terminal else ""
    return word if word[:1].isalpha() else ""


@cache
def keywords() -> frozenset[str]:
    """All keywords that are a single word: no name can be one of them."""
    return frozenset(word for name in spellings() if (word := keyword(name)) and " " not in word)


def expected_words(terminals: Iterable[str], most: int = 4) -> list[str]:
    """Up to `most` descriptions of what is possible at a place, most informative first."""
    left = {sign(name) if sign(name) and name not in _OPERATORS | _QUANTIFIERS | _VALUE else name for name in terminals}
    groups: list[str] = []
    if left >= {"NAME", "INT", "LPAR"}:
        groups.append("a value")
        left -= _VALUE | _QUANTIFIERS
    operator = len(left & _OPERATORS) > 3
    if operator:
        left -= _OPERATORS | {"LPAR", "LSQB", "."}
    openers = left & {"_ZONE", "zone", "define", "step"}
    if len(openers) > 1:
        groups.append("a declaration")
        left -= {*OPENERS}
    if len(left & {"move", "shuffle", "must"}) > 1:
        groups.append("a statement")
        left -= {*(verb for verb in VERBS if verb != "require"), "up", "end", "for"} | {"NAME"}
    ends = left & _LINE_ENDS
    rest = sorted(left - ends - _UNTOLD - {"$END"}, key=lambda name: (name not in (":", ","), name))
    found = groups + [spellings().get(name, f"`{name}`") for name in rest]
    found += (
        ["an operator"] * operator + ["the end of the line"] * bool(ends) + ["the end of the file"] * ("$END" in left)
    )
    return found[:most]


def listed(words: list[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def looks_like_keyword(word: str) -> bool:
    """True if a word is a keyword except for its capital letters."""
    return word.lower() != word and word.lower() in keywords()


def is_name(word: str) -> bool:
    """True if a word can be a name, because it is no keyword."""
    return bool(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word)) and word not in keywords()
