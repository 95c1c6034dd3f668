r"""Text from outside, safe to show: characters that are hidden, or control the terminal, are spelled out.

Rules, boards, saves, file names and whatever people type may hold any character. `visible` is applied wherever such
text reaches a person, `json_text` wherever it reaches a program, so that an escape sequence is read as `\x1b[2J` and
never executed, and no direction mark reorders the words around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks that change the direction of the surrounding text, as a character class."""

INVISIBLE = (
    rf"\xad\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb{BIDI}"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Format characters, and separators of lines and paragraphs."""

HIDDEN = rf"\x00-\x1f\x7f-\x9f\ud800-\udfff{INVISIBLE}"
"""Characters that are not displayed as they are, as a character class: C0 and C1 controls, surrogates, invisible."""

_HIDDEN = re.compile(f"[{HIDDEN}]")
_HIDDEN_IN_LAYOUT = re.compile(f"(?![\n\t])[{HIDDEN}]")


def visible(text: str, *, layout: bool = False) -> str:
    r"""Spell out the hidden characters of a text: `\n`, `\x1b`, `\u202e`.

    `layout` keeps line feeds and tabs: for text of several lines whose parts are visible already.
    """
    return (_HIDDEN_IN_LAYOUT if layout else _HIDDEN).sub(lambda found: spelled_out(found.group()), text)


def brief(value: object, most: int = 120, form: Callable[[object], str] = str) -> str:
    """Format a value from outside as one short line of visible text, by `form`."""
    if isinstance(value, int) and abs(value) >= 10**most:
        return "a number too large"
    text = text_of(value, form)[: most + 1]
    return visible(text if len(text) <= most else f"{text[:most]}…")


def text_of(value: object, form: Callable[[object], str] = str) -> str:
    """The text of a value of any class, by `form`; a class may have a `__str__` or `__repr__` that fails."""
    try:
        return form(value)
    except Exception as fault:  # such as ValueError for a list that holds a number of more than 4,300 digits
        return without_text(value, fault)


def without_text(value: object, fault: BaseException) -> str:
    """The words for a value whose text cannot be shown because of a failure."""
    return f"an object of class {type(value).__name__} whose text cannot be shown ({type(fault).__name__})"


def spelled_out(character: str) -> str:
    r"""Spell out a character by its number, as `\x1b`; common ones by their letter, as `\n`."""
    return character.encode("unicode_escape").decode("ascii")


def json_text(document: object, indent: int | None = None) -> str:
    r"""Serialize a document as JSON with all hidden characters escaped, as `\u202e`; the content stays the same."""
    compact = (",", ":") if indent is None else None
    text = json.dumps(document, indent=indent, separators=compact, ensure_ascii=False)
    return _HIDDEN_IN_LAYOUT.sub(lambda found: json.dumps(found.group())[1:-1], text)
