"""Writing a trace as one page: the template, filled in with styles, script and data."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from cli.html.collector import Collector
from cli.html.standalone import digest, embedded, filled, head, mark, replaceable_path, write_shared
from cli.html.stylesheet import sheet
from cli.progress import with_progress
from dsl.text.visible import visible
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.trace import Level, Timeline

KIND = "page"
MARK = mark(KIND)
SCRIPT_PHRASE = re.compile(r'\bphrase\("([^"\\]*)"')
"""A text of the scripts that is translated."""
TEMPLATE_PHRASE = re.compile(r"@@([a-z][^@]*)@@")
"""A text of the template that is translated; names of other parts are in capitals."""
SCRIPTS = ("data.js", "panes.js", "board.js", "outline.js", "asking.js", "timeline.js", "keys.js")


def page_path(text: str) -> Path:
    """Resolve a path to write a page to: a new file, or a page to be replaced. Raises MisuseError, CommandError."""
    return replaceable_path(text, "--html", KIND, Phrase("trace page"))


def write_page(path: Path, timeline: Timeline, level: Level, start: int = 0) -> int:
    """Write the trace to a standalone page, open at decision `start`, and return its size in bytes.

    Raises CommandError if the file cannot be written.
    """
    return write_shared(path, page(timeline, level, start).encode())


def page(timeline: Timeline, level: Level, start: int = 0) -> str:
    """Build the page; its text is identical for the same game, seat, level and start."""
    collector, words = Collector(timeline, level), timeline.game.words
    segments = list(with_progress(collector.segments(), timeline.plies + 1))
    style, script = _part("page.css") + sheet(collector.inks.styles.values), "".join(map(_part, SCRIPTS))
    phrases = {phrase: words.template(phrase) for phrase in SCRIPT_PHRASE.findall(script)}
    data = collector.document(segments, start)
    data["phrases"] = {phrase: said for phrase, said in phrases.items() if said != phrase}
    template = _part("page.html")
    parts = {phrase: escape(words.template(phrase)) for phrase in TEMPLATE_PHRASE.findall(template)} | {
        "HEADING": escape(visible(words.phrase("{title}: what the rules did", title=timeline.game.title))),
        "TITLE": escape(visible(timeline.game.title)),
        "POLICY": f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}",
        "STYLE": style,
        "PLAIN": _plain(timeline),
        "SCRIPT": script,
        "DATA": embedded(data),
    }
    return head(KIND, words.language or "en") + filled(template, parts)


def _plain(timeline: Timeline) -> str:
    """The content for browsers without JavaScript: a list of the decisions, and the result."""
    heads = "".join(f"<li>{escape(visible(timeline.headline(ply)))}</li>" for ply in range(1, timeline.plies + 1))
    end = timeline.event(timeline.last)
    result = f"<p>{escape(visible(end.text))}</p>" if end.kind == "end" else ""
    note = timeline.game.words.phrase(
        "The rules, the table and every event are shown with JavaScript; the page loads nothing from elsewhere."
    )
    return f"<noscript><p>{escape(note)}</p>{result}<ol>{heads}</ol></noscript>"


def _part(name: str) -> str:
    return files("cli.html").joinpath(name).read_text(encoding="utf-8")
