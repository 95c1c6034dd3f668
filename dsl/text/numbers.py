"""Whole numbers in text from users or files."""

from __future__ import annotations

import re

MAX_NUMBER = 999_999
"""The greatest number a rules file may contain."""

_WHOLE = re.compile(r"([+-]?)0*([0-9]{1,18})", re.ASCII)


def whole_number(text: str) -> int | None:
    """Parse a number, with or without spaces around it; None for anything else, and for more than 18 digits."""
    match = _WHOLE.fullmatch(text.strip())
    return int(match[1] + match[2]) if match else None


def is_number(text: str) -> bool:
    """True if a text is written like a whole number, however large."""
    return re.fullmatch(r"[+-]?[0-9]+", text.strip(), re.ASCII) is not None


def percent(share: float) -> str:
    """A share, such as of the games won: `62 %`."""
    return f"{round(100 * share)} %"
