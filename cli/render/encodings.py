"""Output in encodings that lack characters: the most similar ASCII character instead of `?`, always one for one."""

from __future__ import annotations

import codecs
import unicodedata

HANDLER = "regelwerk.nearest"
"""The name of the error handler, as the `errors` of a stream."""

_LIKE = {
    "-": "─╌╴╶╼╾–—−¯",  # noqa: RUF001
    "=": "═",
    "|": "│╵╷╽╿",
    "H": "║",
    "*": "━┃╸╺╹╻▚▞▀▄●•",
    ".": "┄ˑ…",
    ":": "┆",
    "/": "╱",  # noqa: RUF001
    "\\": "╲",
    "X": "╳╫╪",  # noqa: RUF001
    "+": "·",
    "v": "✓↓",
    ">": "→►",
    "<": "←",
    "^": "↑",
    "x": "×",  # noqa: RUF001
    '"': "“”„",
    "'": "‘’",  # noqa: RUF001
}
"""Dotted, light, heavy and double lines of boards remain distinct."""
_NEAREST = {character: plain for plain, characters in _LIKE.items() for character in characters}
_BOX = range(0x2500, 0x2580)


def nearest(character: str) -> str:
    """The ASCII character that resembles a character most; `?` if there is none."""
    similar = _NEAREST.get(character)
    if similar is not None:
        return similar
    if ord(character) in _BOX:
        return "+"
    letter = unicodedata.normalize("NFKD", character)[:1]
    return letter if letter.isascii() else "?"


def _replaced(fault: UnicodeError) -> tuple[str | bytes, int]:
    if isinstance(fault, UnicodeEncodeError):
        return "".join(map(nearest, fault.object[fault.start : fault.end])), fault.end
    return codecs.replace_errors(fault)


codecs.register_error(HANDLER, _replaced)
