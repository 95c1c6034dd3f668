"""`help TOPIC`: show a page of the documentation, or some of its sections."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, ClassVar

import typer
from rich.console import Console, ConsoleOptions
from rich.markdown import CodeBlock, Markdown, MarkdownElement
from rich.text import Text

from cli.errors import MisuseError, suggestion
from cli.render.pieces import Hanging
from cli.render.screen import screen, show
from cli.topics import REFERENCE, Topic, constructs, reference_pages, sections, topics
from cli.verbs import VERBS
from dsl.text.cells import cell_width, padded

_FURTHER = 4
"""The columns by which the continuation of a line of code is indented."""


def help(
    topic: Annotated[
        str | None, typer.Argument(metavar="TOPIC", help="A page, such as play, or a construct, such as move.")
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS…", help="Show only the sections with these words in their heading."),
    ] = None,
) -> None:
    """Show a page of the documentation, or list the pages.

    Without TOPIC: list all pages.
    """
    console, pages = screen(), {entry.name: entry for entry in topics()}
    if topic is None:
        _list(console, pages.values())
        show(console, "", "regelwerk help TOPIC shows a page, regelwerk VERB --help the flags of a verb")
        return
    page = pages.get(topic.lower().removesuffix(".md"))
    if page is None or (page.name == REFERENCE and words):
        asked = " ".join((words or []) if page else [topic, *(words or [])])
        named = constructs(asked)
        if not named:
            raise MisuseError(f"there is no page `{asked}`{_instead(asked)}")
        if len(named) > 1:
            _list(console, named)
            show(console, "", f"regelwerk help {named[0].name} shows the first of these pages")
            return
        page, words = named[0], None
    text = page.text()
    if words:
        chosen = sections(text, " ".join(words))
        if not chosen:
            raise MisuseError(f"no heading of `{page.name}` contains `{' '.join(words)}`")
        text = "\n".join(chosen)
    show(console, _Page(text, hyperlinks=False))


def _list(console: Console, pages: Collection[Topic]) -> None:
    margin = max((cell_width(page.name) for page in pages), default=0) + 3
    show(console, *(Hanging(Text(padded(f" {page.name}", margin)), Text(page.title)) for page in pages))


class _Code(CodeBlock):
    """A block of code; the continuation of a line that is too long is indented further."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Hanging]:
        lines = self.text.plain.rstrip().splitlines()
        margin = " " if max(map(cell_width, lines), default=0) < options.max_width else ""
        for line in lines:
            begin = len(line) - len(line.lstrip()) + _FURTHER
            yield Hanging(Text(margin + line[:begin]), Text(line[begin:]))


class _Page(Markdown):
    """A page of the documentation."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "fence": _Code, "code_block": _Code}


def _instead(topic: str) -> str:
    """A suggestion: a verb, an error code, or a page with a similar name."""
    if topic in VERBS:
        return f"; `regelwerk {topic} --help` describes the verb"
    if topic.lstrip("eE").isdigit():
        return f"; `regelwerk explain {topic}` explains an error code"
    names = [page.name for page in topics()] + [page.name.partition("/")[2] for page in reference_pages()]
    return suggestion(topic, names) or "; `regelwerk help` lists the pages"
