"""The pages of the documentation: in a checkout the folder `docs`, in an installation part of the package.

Two pages are more than a file of that folder: `errors`, all pages of the catalogue of diagnostics, and `reference`, the
contents of a folder with a page for each construct, which are looked up by the words of the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dsl import catalogue
from dsl.lazy_dataclasses import dataclass

REFERENCE = "reference"
"""The name of the page that lists the constructs of the language, and of the folder of their pages."""

_HEADING = re.compile(r"^(?P<level>#+)\s+(?P<title>.+?)\s*$")


@dataclass(frozen=True)
class Topic:
    """A page: its name, which is the stem of its file, in the reference after that of its folder, and its title."""

    name: str
    title: str
    text: Callable[[], str]


def docs_folder() -> Path:
    """The folder of the pages."""
    inside = Path(__file__).parent / "docs"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "docs"


def topics() -> list[Topic]:
    """All pages, by name."""
    pages = [_topic(path.stem, path) for path in docs_folder().glob("*.md")]
    pages.append(Topic("errors", catalogue.title(), catalogue.document))
    pages.append(_topic(REFERENCE, docs_folder() / REFERENCE / "README.md"))
    return sorted(pages, key=lambda topic: topic.name)


def constructs(words: str) -> list[Topic]:
    """The pages of the reference that words name, such as `each player` or `effects/move`.

    A page named exactly so comes alone, as does one with the words of its title; else all whose titles have the words.
    """
    asked, pages = words.casefold().removesuffix(".md").removeprefix(f"{REFERENCE}/"), reference_pages()
    name = asked.replace(" ", "_")
    return (
        [page for page in pages if name in (page.name, page.name.partition("/")[2])]
        or [page for page in pages if asked == page.title.casefold()]
        or [page for page in pages if re.search(rf"\b{re.escape(asked)}\b", page.title.casefold())]
    )


def reference_pages() -> list[Topic]:
    """A page for each construct, by folder and name."""
    folder = docs_folder() / REFERENCE
    return [_topic(path.relative_to(folder).with_suffix("").as_posix(), path) for path in sorted(folder.glob("*/*.md"))]


def _topic(name: str, path: Path) -> Topic:
    return Topic(name, _title(path).replace("`", ""), partial(path.read_text, "utf-8"))


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
