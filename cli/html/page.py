"""Writing a trace as one page: the template, filled in with styles, script and data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from rich.color import Color
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

from cli.html.collector import Collector
from cli.html.standalone import digest, embedded, filled, head, mark, replaceable_path
from cli.output_files import write_shared
from cli.progress import with_progress
from dsl.text.files import JsonObject
from dsl.text.visible import visible
from interpreter.play.trace import Timeline
from interpreter.watchdog import watchdog
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.game import State
    from interpreter.play.trace import Level

Announced = Callable[[Iterator[JsonObject], int], Iterable[JsonObject]]

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
    return write_shared(path, page(timeline, level, start, with_progress).encode())


def page_of_game(state: State, as_seat: str | None) -> str:
    """The page of a game that may go on, open at its last decision, as far as a seat may know it; None for everything.

    It is made in a process of its own, which shows nothing on a terminal.
    """
    with watchdog():
        timeline = Timeline(state, as_seat, then=True)
        return page(timeline, "everything", timeline.plies)


def page(timeline: Timeline, level: Level, start: int = 0, announced: Announced | None = None) -> str:
    """Build the page; its text is identical for the same game, seat, level and start.

    `announced` says on a terminal how far this is: it is given what is iterated over, and how long that is.
    """
    collector, words = Collector(timeline, level), timeline.game.words
    segments = list(announced(collector.segments(), timeline.plies + 1) if announced else collector.segments())
    style, script = _part("page.css") + sheet(collector.inks.styles.values), "".join(map(_part, SCRIPTS))
    phrases = {phrase: words.template(phrase) for phrase in SCRIPT_PHRASE.findall(script)}
    data = collector.document(segments, start)
    data["phrases"] = {phrase: translation for phrase, translation in phrases.items() if translation != phrase}
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


# ---------------- rich styles as classes of a page, each readable on a light and on a dark background


Ground = tuple[int, int, int]
LIGHT: tuple[Ground, ...] = ((255, 255, 255), (255, 241, 194))
DARK: tuple[Ground, ...] = ((22, 24, 30), (66, 57, 26))
"""The backgrounds of text in light and in dark mode: the page itself, and the row of the current event."""
CONTRAST = 4.5
"""Minimum contrast ratio between text and background, as required by the accessibility guidelines."""
STEPS = 20


def sheet(styles: list[Style]) -> str:
    """The classes `s0`, `s1`, … of numbered styles."""
    light, dark, rules = [], [], []
    for number, style in enumerate(styles):
        declarations = list(_font(style))
        for name, colour in (("c", style.color), ("b", style.bgcolor)):
            if colour is not None and not colour.is_default:
                light.append(f"--{name}{number}:{_on(LIGHT, colour, name == 'c')}")
                dark.append(f"--{name}{number}:{_on(DARK, colour, name == 'c')}")
                declarations.append(f"{'color' if name == 'c' else 'background'}:var(--{name}{number})")
        if declarations:
            rules.append(f".s{number}{{{';'.join(declarations)}}}")
    grounds = f":root{{{';'.join(light)}}}\n@media (prefers-color-scheme:dark){{:root{{{';'.join(dark)}}}}}\n"
    return grounds + "\n".join(rules)


def _font(style: Style) -> Iterator[str]:
    if style.bold:
        yield "font-weight:bold"
    if style.italic:
        yield "font-style:italic"
    if style.underline:
        yield "text-decoration:underline"
    if style.reverse:
        yield "outline:1px solid currentColor"
    if style.dim and (style.color is None or style.color.is_default):
        yield "color:var(--quiet)"


def _on(grounds: tuple[Ground, ...], colour: Color, readable: bool) -> str:
    """Shift a colour towards black or white until text in it is readable on all these backgrounds."""
    red, green, blue = colour.get_truecolor(DEFAULT_TERMINAL_THEME)
    goal = 0 if _brightness(grounds[0]) > 0.5 else 255
    for step in range(STEPS + 1):
        mixed = tuple(round(part + (goal - part) * step / STEPS) for part in (red, green, blue))
        tried = (mixed[0], mixed[1], mixed[2])
        if not readable or all(_contrast(tried, ground) >= CONTRAST for ground in grounds):
            break
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _contrast(ground: Ground, letters: Ground) -> float:
    dark, bright = sorted((_brightness(ground), _brightness(letters)))
    return (bright + 0.05) / (dark + 0.05)


def _brightness(colour: Ground) -> float:
    """Relative luminance."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
