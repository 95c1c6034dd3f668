"""The pages of the documentation: in a checkout the folder `docs`, in an installation part of the package.

One page has no file: `errors`, all pages of the catalogue of diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dsl import catalogue
from dsl.lazy_dataclasses import dataclass

_HEADING = re.compile(r"^(?P<level>#+)\s+(?P<title>.+?)\s*$")


@dataclass(frozen=True)
class Topic:
    """A page: its name, which is the stem of its file, and its title."""

    name: str
    title: str
    text: Callable[[], str]


def docs_folder() -> Path:
    """The folder of the pages."""
    inside = Path(__file__).parent / "docs"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "docs"


def topics() -> list[Topic]:
    """All pages, by name."""
    pages = [Topic(path.stem, _title(path), partial(path.read_text, "utf-8")) for path in docs_folder().glob("*.md")]
    return sorted([*pages, Topic("errors", catalogue.title(), catalogue.document)], key=lambda topic: topic.name)


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return next((heading["title"] for line in lines if (heading := _HEADING.match(line))), path.stem)


def sections(text: str, words: str) -> list[str]:
    """The sections of a page whose heading contains these words, each up to the next heading of its level."""
    lines, chosen, inside = text.splitlines(keepends=True), list[str](), False
    level, code = 0, False
    for line in lines:
        code ^= line.startswith("```")
        heading = None if code else _HEADING.match(line)
        if heading is not None and (not inside or len(heading["level"]) <= level):
            inside = words.casefold() in heading["title"].casefold()
            level = len(heading["level"])
            chosen += [""] if inside else []
        if inside:
            chosen[-1] += line
    return chosen
