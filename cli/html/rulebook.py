"""A rulebook as a page that loads nothing and runs nothing, to be read and to be printed."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from cli.html.standalone import digest, filled, head
from dsl.text.visible import visible
from interpreter.authoring.rulebook.book import Rulebook
from interpreter.authoring.rulebook.html import body_of

KIND = "rulebook"


def rulebook_page(book: Rulebook) -> str:
    """The whole page."""
    style = _part("rulebook.css")
    parts = {
        "POLICY": f"default-src 'none'; style-src {digest(style)}",
        "TITLE": escape(visible(book.title)),
        "STYLE": style,
        "BODY": body_of(book),
    }
    return head(KIND, book.language) + filled(_part("rulebook.html"), parts)


def _part(name: str) -> str:
    return files("cli.html").joinpath(name).read_text(encoding="utf-8")
