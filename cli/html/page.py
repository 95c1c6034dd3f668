"""Writing a trace as one page: the template filled with styles, script and data."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.arguments import output_file
from cli.errors import CommandError, MisuseError
from cli.html.collector import Collector
from cli.html.stylesheet import sheet
from cli.progress import with_progress
from dsl.text.files import Unreadable, is_there, read_file
from dsl.text.replacing import replace_text
from dsl.text.visible import json_text, visible

if TYPE_CHECKING:
    from interpreter import Timeline
    from interpreter.trace import Level

MARK = '<!doctype html>\n<html lang="en" data-format="regelwerk page 1">\n'
"""Beginning of every page; a file that begins differently is not overwritten."""
SCRIPTS = ("data.js", "panes.js", "board.js", "outline.js", "asking.js", "timeline.js", "keys.js")


def page_path(text: str) -> Path:
    """Resolve a path to write a page to: a new file, or a page to be replaced. Raises MisuseError, CommandError."""
    path = output_file(text, "--html")
    if is_there(path) and not _is_page(path):
        raise MisuseError(f"--html {text} already exists and is not a trace page; choose another name")
    if not path.parent.is_dir():
        raise CommandError(f"{path.parent}: no such folder; --html needs an existing one")
    return path


def _is_page(path: Path) -> bool:
    try:
        return read_file(path, len(MARK)).startswith(MARK.encode())
    except Unreadable as fault:
        raise CommandError(f"{path} {fault.why}") from None


def write_page(path: Path, timeline: Timeline, level: Level, start: int = 0) -> int:
    """Write the trace to a standalone page, open at decision `start`, and return its size in bytes.

    A page is made for sending, so others may read a new one, as far as the user's files are readable by others.
    Raises CommandError if the file cannot be written.
    """
    text = page(timeline, level, start)
    try:
        replace_text(path, text, private=False)
    except OSError as fault:
        raise CommandError(f"cannot write {path}: {(fault.strerror or str(fault)).lower()}") from None
    return len(text.encode())


def page(timeline: Timeline, level: Level, start: int = 0) -> str:
    """Build the page as text: identical for the same game, seat and level."""
    collector = Collector(timeline, level)
    segments = list(with_progress(collector.segments(), timeline.plies + 1))
    data = collector.document(segments, start)
    style, script = _part("page.css") + sheet(collector.inks.styles.values), "".join(map(_part, SCRIPTS))
    parts = {
        "TITLE": escape(visible(timeline.game.title)),
        "POLICY": f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}",
        "STYLE": style,
        "PLAIN": _plain(timeline),
        "SCRIPT": script,
        "DATA": _embedded(data),
    }
    pieces = _part("page.html").split("@@")
    return MARK + "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def _plain(timeline: Timeline) -> str:
    """What a browser without scripts shows: the decisions as a list, and the result."""
    heads = "".join(f"<li>{escape(visible(timeline.headline(ply)))}</li>" for ply in range(1, timeline.plies + 1))
    end = timeline.event(timeline.last)
    result = f"<p>{escape(visible(end.text))}</p>" if end.kind == "end" else ""
    words = "The rules, the table and every event are shown with JavaScript; the page loads nothing from elsewhere."
    return f"<noscript><p>{words}</p>{result}<ol>{heads}</ol></noscript>"


def _part(name: str) -> str:
    return files("cli.html").joinpath(name).read_text(encoding="utf-8")


def _embedded(data: Mapping[str, Any]) -> str:
    """Encode as JSON that cannot close the element it is embedded in, whatever texts a rules file contains."""
    return json_text(data).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _digest(text: str) -> str:
    """Digest that makes a browser run or apply exactly this text, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
