"""`explain CODE`: explain a code of `check`, with a wrong and a corrected example."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import typer

from cli.errors import MisuseError, suggestion
from cli.render.catalogue_page import explained, listed
from cli.render.screen import screen
from dsl.catalogue import codes, page


def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A code such as E0207; e207 and 207 work too.")
    ] = None,
) -> None:
    """Explain an error code, with a wrong and a corrected example.

    Without CODE: list all codes.
    """
    console = screen()
    if code is None:
        for line in listed(page(known_code) for known_code in codes()):
            console.print(line)
        return
    for part in explained(page(_meant(code, codes()))):
        console.print(part.content, soft_wrap=part.verbatim)


def _meant(text: str, known_codes: Sequence[str]) -> str:
    """Normalise `E0207`, `e207` or `207` to the code it refers to."""
    parts = re.fullmatch(r"([a-z]?)(\d{1,4})", text.strip(), re.IGNORECASE)
    if parts is None:
        raise MisuseError(f"there is no code {text}{suggestion(text.upper(), known_codes)}")
    letter, number = parts.group(1).upper(), int(parts.group(2))
    for code in (f"{letter or first}{number:04}" for first in "EW"):
        if code in known_codes:
            return code
    near = sorted(sorted(known_codes, key=lambda code: abs(int(code[1:]) - number))[:3])
    raise MisuseError(f"there is no code {text}; the nearest are {', '.join(near)}")
