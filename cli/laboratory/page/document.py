"""A page with charts: the template filled with styles, scripts, headings and sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from html import escape
from importlib.resources import files

import vl_convert

from cli.html.standalone import digest, embedded, filled, head
from cli.laboratory.charts.plot import WIDTH, Grid, Plot, finished, picture
from cli.laboratory.inks import Inks, mark_class, page_inks, style_sheet
from cli.laboratory.page import KIND
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.visible import visible
from interpreter.version import __version__

SNIPPET = "window.vegaEmbed = vegaEmbed;"
"""The part of the bundled libraries that the page calls."""


@dataclass
class Document:
    """A page under construction: its headings, and its sections, as markup by title.

    `kind` is the kind of report, `what` says what was played, `how` with which settings. `seats` and `sides` are those
    that have colours, `names` the display names of the seats.
    """

    kind: str
    title: str
    what: str
    how: str
    seats: Sequence[str]
    sides: Sequence[str]
    names: Mapping[str, str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)
    specs: dict[str, JsonObject] = field(default_factory=dict)

    @property
    def inks(self) -> Inks:
        """The colours of the page."""
        return page_inks(self.sides, self.seats, self.names)

    def add_plots(self, title: str, plots: Sequence[Plot]) -> None:
        """Add a section of charts."""
        inks = self.inks
        figures = []
        for plot in plots:
            self.specs[plot.key] = spec = finished(plot, inks)
            figures.append(figure(plot, inks, picture(plot.key, {**spec, "width": WIDTH})))
        self.sections[title] = f'<div class="plots">{"".join(figures)}</div>'

    def markup(self) -> str:
        """The page as HTML; identical for the same content."""
        style = style_sheet(self.sides, self.seats, self.names) + _part("report.css")
        library, script = _library(), _part("report.js")
        named = {title.lower().replace(" ", "-"): (title, content) for title, content in self.sections.items()}
        parts = {
            "TITLE": text(self.title),
            "POLICY": f"default-src 'none'; style-src {digest(style)}; script-src {digest(library)} {digest(script)}",
            "STYLE": style,
            "HEAD": "".join(
                (
                    f'<p class="kind">{text(self.kind)}</p><h1>{text(self.title)}</h1>',
                    f'<p class="what">{text(self.what)}</p><p class="with">{text(self.how)}</p>',
                )
            ),
            "NAV": "".join(f'<li><a href="#{key}">{text(title)}</a></li>' for key, (title, _) in named.items()),
            "BODY": "".join(section(key, title, content) for key, (title, content) in named.items()),
            "FOOT": f"Made by Regelwerk {text(__version__)}. This page loads nothing from elsewhere.",
            "DATA": embedded(self.specs),
            "LIBRARY": library,
            "SCRIPT": script,
        }
        return head(KIND) + filled(_part("report.html"), parts)


@cache
def _library() -> str:
    """The bundle of the libraries that draw charts: it takes seconds to make, and is the same for every page."""
    return vl_convert.javascript_bundle(SNIPPET)


def _part(name: str) -> str:
    return files("cli.laboratory.page").joinpath(name).read_text(encoding="utf-8")


# ---- Fragments of HTML. Texts are escaped here; `picture`, `inner` and `more` are markup already


WIDE = 110
"""The width of a scale, in the units of its picture."""


def text(words: str) -> str:
    """Escape a text for an element or an attribute; hidden characters are spelled out."""
    return escape(visible(words))


def side(words: str, inks: Inks) -> str:
    """The name of a seat or a team, in its colour; any other text without one."""
    css = mark_class(inks, words)
    return f'<span class="side {css}">{text(words)}</span>' if css else text(words)


def table(grid: Grid, inks: Inks, label: str) -> str:
    """A table that scrolls sideways if it is too wide; `label` says what it shows."""
    head = "".join(f'<th scope="col">{side(heading, inks)}</th>' for heading in grid.headings)
    rows = "".join(_row(row, inks) for row in grid.rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(label)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(row: Sequence[str], inks: Inks) -> str:
    cells = "".join(f"<td>{text(cell)}</td>" for cell in row[1:])
    return f'<tr><th scope="row">{side(row[0], inks)}</th>{cells}</tr>'


def figure(plot: Plot, inks: Inks, picture: str) -> str:
    """A chart with its heading, its legend and its figures; `picture` is shown where scripts do not run."""
    wide = " wide" if plot.wide else ""
    figures = table(plot.grid, inks, f"figures: {plot.title}")
    label = text(f"{plot.title}: {plot.words}")
    return (
        f'<figure class="plot{wide}" id="{plot.key}"><figcaption><h3>{text(plot.title)}</h3>'
        f"<p>{text(plot.words)}</p></figcaption>{legend(plot, inks)}"
        f'<div class="chart" id="chart-{plot.key}" role="img" aria-label="{label}"></div>'
        f'<noscript>{picture}</noscript><p class="note">{text(plot.note)}</p>'
        f"<details><summary>figures</summary>{figures}</details></figure>"
    )


def legend(plot: Plot, inks: Inks) -> str:
    """The sides of a chart with their colours and, for lines, their dashes."""
    if not plot.legend:
        return ""
    items = "".join(f"<li>{_symbol(name, plot.lines, inks)}{text(name)}</li>" for name in plot.legend)
    return f'<ul class="legend">{items}</ul>'


def _symbol(name: str, line: bool, inks: Inks) -> str:
    colour = inks.marks.get(name, inks.quiet)
    if not line:
        return _picture(f'<rect width="12" height="12" rx="2" fill="{colour}"/>', 12, "square")
    dashes = " ".join(map(str, inks.dashes.get(name, ())))
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return _picture(f'<path d="M0 6H26" stroke="{colour}" stroke-width="3"{dashed}/>', 26)


def _picture(shapes: str, width: int, css: str = "") -> str:
    named = f' class="{css}"' if css else ""
    return f'<svg{named} viewBox="0 0 {width} 12" aria-hidden="true">{shapes}</svg>'


def scale(mean: float, low: float | None, high: float | None, colour: str) -> str:
    """A share from 0 to 1 as a dot on a scale, with its interval."""
    first, last = (WIDE * (mean if bound is None else bound) for bound in (low, high))
    across = f'x="{first:.1f}" width="{max(2.0, last - first):.1f}"'
    return _picture(
        f'<rect class="track" y="4" width="{WIDE}" height="4" rx="2"/>'
        f'<rect class="range" {across} y="1" height="10" rx="3" fill="{colour}"/>'
        f'<circle cx="{WIDE * mean:.1f}" cy="6" r="3.5" fill="{colour}"/>',
        WIDE, "mini",
    )  # fmt: skip


def section(key: str, title: str, content: str) -> str:
    """A section of the page, to which the navigation links."""
    return (
        f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{text(title)}</h2>{content}</section>'
    )


def tiles(figures: Iterable[tuple[str, str, str]]) -> str:
    """Figures at a glance, each with its name, its value and a note."""
    items = "".join(
        f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd><dd>{text(note)}</dd></div>" for name, value, note in figures
    )
    return f'<dl class="tiles">{items}</dl>'


def paragraphs(texts: Iterable[str], more: str = "") -> str:
    """Paragraphs of text; `more` is markup that follows them."""
    return f'<div class="card prose">{"".join(f"<p>{text(paragraph)}</p>" for paragraph in texts)}{more}</div>'
