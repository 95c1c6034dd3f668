"""The names that a declaration introduces, as far as that can be seen in its text when it cannot be parsed."""

from __future__ import annotations

import re

from dsl.syntax import terminals

_WORD = re.compile(r"[A-Za-z_]\w*")
_ATTRIBUTE = re.compile(r"\b([a-z_]\w*)[ \t]*:")
_VALUES = ("type", "by", "option", "die", "board")
"""Declarations that introduce more than their name: the values of a type, constants."""


def lost_names(text: str) -> set[str]:
    """The words of a declaration that may be names it introduces: its own, and those of its values and attributes."""
    words = _WORD.findall(text)
    if words[:1] and words[0] in _VALUES:
        return set(words) - set(terminals.keywords()) - {"Player"}
    return {*words[1:2], *(_ATTRIBUTE.findall(text) if words[:1] == ["piece"] else ())}
