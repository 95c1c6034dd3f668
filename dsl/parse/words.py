"""The words of the language: what people call each terminal of the grammar."""

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

_SIGNS = {
    "LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]", "LBRACE": "{", "RBRACE": "}", "COLON": ":", "COMMA": ",",
    "DOT": ".", "__ANON_0": "..", "EQUAL": "=", "MINUS": "-", "LESSTHAN": "<", "MORETHAN": ">", "_ARROW": "->",
}  # fmt: skip
_NAMED = {
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "NAME": "a name",
    "INT": "a number",
    "STRING": "words between quotes",
    "HEADING": "a heading such as `== setup ==`",
    "CITE": "a citation",
    "ADDOP": "`+` or `-`",
    "MULOP": "`*` or `&`",
}
_VALUE = frozenset({"NAME", "INT", "STRING", "LPAR", "LSQB", "LBRACE", "_COUNT", "SUM", "HIGHEST", "LOWEST"})
_QUANTIFIERS = frozenset({"_SOME", "_NO", "_THE", "_NOT", "MINUS"})
_OPERATORS = frozenset({"ADDOP", "MULOP", "_IS", "BEFORE", "AFTER", "LESSTHAN", "MORETHAN", "_AND", "_OF"})
_LAST = ("CITE", "_NL", "_DEDENT", "$END")


@cache
def spellings() -> dict[str, str]:
    """Terminal name to what it is called; keywords and signs in backticks."""
    from dsl.parse.machine import machine

    words = dict(_NAMED)
    for terminal in machine().terminals:
        if terminal.name not in words:
            words[terminal.name] = f"`{_plain(terminal.name, terminal.pattern.value)}`"
    return words


def _plain(name: str, pattern: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    return re.sub(r"\\(.)", r"\1", pattern.removesuffix(r"\b").replace(r"[ \t]+", " "))


def keyword(terminal: str) -> str | None:
    """The keyword this terminal stands for, or None."""
    word = spellings().get(terminal, "").strip("`")
    return word if word and word[0].isalpha() and terminal not in _NAMED else None


@cache
def keywords() -> frozenset[str]:
    """All keywords that are one word: no name can be one of them."""
    return frozenset(word for name in spellings() if (word := keyword(name)) and " " not in word)


def expected_words(terminals: Iterable[str], most: int = 4) -> list[str]:
    """What can stand at a place, in words, the most telling first, at most so many."""
    left = set(terminals)
    found: list[str] = []
    if left >= {"NAME", "INT", "LPAR"}:
        found.append("a value")
        left -= _VALUE | _QUANTIFIERS
    operators = left & _OPERATORS
    if {"ADDOP", "_IS"} <= left or {"ADDOP", "MULOP"} <= left:
        left -= operators | {
            name for name in left if name in ("_OR", "LPAR", "LSQB", "DOT") or _is_sign(name, "<=", ">=")
        }
    else:
        operators = set()
    names = spellings()
    middle = sorted(left - set(_LAST), key=lambda name: (name not in ("COLON", "COMMA"), names.get(name, name)))
    found += [names.get(name, name) for name in middle]
    if operators:
        found.append("an operator")
    found += [names[name] for name in _LAST if name in left]
    return found[:most]


def _is_sign(name: str, *signs: str) -> bool:
    return spellings().get(name, "").strip("`") in signs


def listed(words: list[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
