"""A page with charts: the template filled with styles, scripts, headings and sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from importlib.resources import files
from typing import Any

import vl_convert

from cli.html.standalone import digest, embedded, filled, head
from cli.laboratory.charts.pictures import picture
from cli.laboratory.charts.plot import WIDTH, Plot, finished
from cli.laboratory.inks import Inks, page_inks, style_sheet
from cli.laboratory.page import KIND
from cli.laboratory.page.markup import figure, section, text
from dsl.lazy_dataclasses import dataclass
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
    specs: dict[str, Mapping[str, Any]] = field(default_factory=dict)

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
