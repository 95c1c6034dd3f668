"""Signs for words that have one in Unicode: suits of cards and the men of a board, such as `♚` for `king`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

TEXT_STYLE = "\ufe0e"
"""Follows a sign so that it is drawn as a letter, in the colour of the text, and not as a picture."""

SUITS, MEN = "♠♣♥♦", "♚♛♜♝♞♟"
"""The signs; the name of a suit is the last word but one of its name in Unicode, that of a man the last."""

_SIGNS = {unicodedata.name(sign).split()[-2].lower() + "s": sign for sign in SUITS} | {
    unicodedata.name(sign).split()[-1].lower(): sign for sign in MEN
}


def sign_of(words: Iterable[str]) -> str:
    """The sign of several words, such as the rank and suit of a card: that of a suit first; empty if none has one."""
    signs = sorted((_SIGNS[word] for word in words if word in _SIGNS), key=(SUITS + MEN).index)
    return signs[0] + TEXT_STYLE if signs else ""
