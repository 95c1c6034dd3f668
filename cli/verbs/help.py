"""`help TOPIC`: a page of the documentation, or one of its sections."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.text import Text

from cli.errors import MisuseError, suggestion
from cli.render.cells import Hanging
from cli.render.screen import screen, show
from cli.topics import sections, topics
from cli.verbs import VERBS


def help(
    topic: Annotated[str | None, typer.Argument(metavar="TOPIC", help="A page, such as play or variants.")] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS…", help="Show only the sections with these words in their heading."),
    ] = None,
) -> None:
    """Show a page of the documentation, or list the pages.

    Without TOPIC: list all pages.
    """
    console, pages = screen(), {one.name: one for one in topics()}
    if topic is None:
        margin = max(map(len, pages), default=0) + 3
        show(console, *(Hanging(Text(f" {one.name}".ljust(margin)), Text(one.title)) for one in pages.values()))
        show(console, "", "regelwerk help TOPIC shows a page, regelwerk VERB --help the flags of a verb")
        return
    page = pages.get(topic.lower().removesuffix(".md"))
    if page is None:
        raise MisuseError(f"there is no page `{topic}`{_instead(topic, pages)}")
    text = page.path.read_text(encoding="utf-8")
    if words:
        found = sections(text, " ".join(words))
        if not found:
            raise MisuseError(f"no heading of `{page.name}` contains `{' '.join(words)}`")
        text = "\n".join(found)
    show(console, Markdown(text, hyperlinks=False))


def _instead(topic: str, pages: object) -> str:
    """A suggestion: a verb, an error code, or a page with a similar name."""
    if topic in VERBS:
        return f"; `regelwerk {topic} --help` describes the verb"
    if topic.lstrip("eE").isdigit():
        return f"; `regelwerk explain {topic}` explains an error code"
    return suggestion(topic, [one.name for one in topics()]) or "; `regelwerk help` lists the pages"
