"""`explain CODE`: explain a code of `check`, with a wrong and a corrected example."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import typer
from rich.text import Text

from cli.errors import MisuseError, suggestion
from cli.render.pieces import Hanging
from cli.render.screen import screen
from dsl.catalogue import CARETS, Page, codes, page
from dsl.lazy_dataclasses import dataclass


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


# ---------------- pages of the catalogue in a terminal: paragraphs wrapped to its width, examples verbatim, carets
# in red


_LINK = re.compile(r"\[([^\]`]+)\]\([^)]*\)")
_CODE = re.compile(r"`([^`]+)`")
_CELLS = re.compile(r"\|((?:\\.|[^|\\])+)")
_HEADINGS = {"Wrong:": "bold bright_red", "Right:": "bold green3"}


@dataclass(frozen=True)
class Part:
    """A part of a page; `verbatim` turns off wrapping."""

    content: Text
    verbatim: bool = False


def listed(pages: Iterable[Page]) -> Iterator[Hanging]:
    """One line per page."""
    for listed_page in pages:
        yield Hanging(Text.assemble((listed_page.code, "bold"), "  "), _inline(listed_page.title))


def explained(page: Page) -> Iterator[Part]:
    """A whole page."""
    yield Part(Text.assemble((page.code, "bold"), ": ", _inline(page.title, "bold")))
    for block in page.text.split("\n\n"):
        yield Part(Text())
        yield from _block(block)


def _block(block: str) -> Iterator[Part]:
    lines = block.split("\n")
    if block in _HEADINGS:
        yield Part(Text(block, style=_HEADINGS[block]))
    elif block.startswith("|"):
        yield from _table(lines)
    elif block.startswith("    "):
        for line in lines:
            yield Part(_coloured(line), verbatim=True)
    elif block.startswith("- "):
        for line in "\n".join(lines).replace("\n  ", " ").split("\n"):
            yield Part(_inline(line))
    else:
        yield Part(_inline(" ".join(lines)))


def _table(lines: list[str]) -> Iterator[Part]:
    rows = [[_inline(cell.strip()) for cell in _CELLS.findall(line)] for line in lines]
    del rows[1]  # the line under the heading
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            Text("  ") + cell + Text(" " * (width - cell.cell_len)) for cell, width in zip(row, widths, strict=True)
        ]
        line = Text().join(cells)
        line.rstrip()
        yield Part(line, verbatim=True)


def _coloured(line: str) -> Text:
    carets = CARETS.match(line)
    if carets is None:
        return Text(line)
    return Text.assemble(carets[1], (f"{carets[2]} {carets[3]}", "bright_red"))


def _inline(text: str, style: str = "") -> Text:
    """A paragraph: links are reduced to their text, code is coloured."""
    paragraph = Text(style=style)
    for index, piece in enumerate(_CODE.split(_LINK.sub(r"\1", text).replace("\\|", "|"))):
        paragraph.append(f"`{piece}`" if index % 2 else piece, style="cyan" if index % 2 else "")
    return paragraph
