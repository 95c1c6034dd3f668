"""The arguments of a notation as text."""

from __future__ import annotations


def split_arguments(text: str) -> list[str]:
    """Split the arguments of a notation at its commas, except those inside brackets."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()] if current.strip() or parts else []
