"""Fragments of HTML. Texts are escaped here; `picture`, `inner` and `more` are markup already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from cli.laboratory.charts.plot import Grid, Plot
from cli.laboratory.inks import Inks, mark_class
from dsl.text.visible import visible

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
