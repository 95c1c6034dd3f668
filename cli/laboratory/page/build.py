"""Building the page: the template filled with styles, scripts, charts and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any

import vl_convert

from cli.html.standalone import digest, embedded, filled, mark
from cli.laboratory.charts.catalogue import plots
from cli.laboratory.charts.pictures import picture
from cli.laboratory.charts.plot import WIDTH, finished
from cli.laboratory.inks import Inks, page_inks, style_sheet
from cli.laboratory.page import KIND
from cli.laboratory.page.markup import figure, scale, section, side, table, text, tiles
from cli.laboratory.page.reading import BOTS, COURSES, EXPECTED, INTERVALS, MEANINGS
from cli.laboratory.page.trouble import games_to_look_at, trouble
from cli.laboratory.report import Measured, Report
from cli.laboratory.tables import heading, subheading
from cli.laboratory.wording import interval_of, number, value_of
from cli.version import version
from dsl.text.nouns import counted
from dsl.text.visible import visible

TILES = ("decisions", "moves", "forced", "lead_changes", "settled", "drama")
"""The measures that are shown at a glance, by their keys, as far as there are any."""
SNIPPET = "window.vegaEmbed = vegaEmbed;"
"""What the page calls of the libraries that are bundled for it."""
REPLAY = "The same command with <code>--game</code> and the number of a game plays it again and saves it for a look."
WORDS = ' class="words"'
"""Marks cells of words among cells of numbers."""


def page(report: Report) -> str:
    """Build the page as text: identical for the same report."""
    seats = report.setting.game.seats
    sides = report.sides
    inks = page_inks(sides, seats)
    charts = plots(report, inks)
    specs = {plot.key: finished(plot, inks) for found in charts.values() for plot in found}
    pictures = {key: picture(key, {**spec, "width": WIDTH}) for key, spec in specs.items()}
    sections = {"At a glance": tiles(_tiles(report))}
    if report.failed:
        sections["Trouble"] = trouble(report)
    for title, found in charts.items():
        sections[title] = (
            f'<div class="plots">{"".join(figure(each, inks, pictures[each.key]) for each in found)}</div>'
        )
    sections["All figures"] = _figures(report, inks)
    unusual = games_to_look_at(report)
    if unusual.rows:
        looked = table(unusual, inks, "unusual games")
        sections["Games worth a look"] = f'<div class="card">{looked}<p class="note">{REPLAY}</p></div>'
    sections["How to read this"] = _reading(report)
    return _filled(report, {_key(title): (title, inner) for title, inner in sections.items()}, specs, sides)


def _filled(
    report: Report, sections: Mapping[str, tuple[str, str]], specs: Mapping[str, Any], sides: Sequence[str]
) -> str:  # fmt: skip
    setting = report.setting
    style = style_sheet(sides, setting.game.seats) + _part("report.css")
    library, script = vl_convert.javascript_bundle(SNIPPET), _part("report.js")
    games = len(report.records) + len(report.failed)
    head = (
        f'<p class="kind">Report of the laboratory</p><h1>{text(setting.game.title)}</h1>'
        f'<p class="what">{text(heading(setting, games).removeprefix(f"{setting.game.title}: "))}</p>'
        f'<p class="with">{text(subheading(setting, games))}{_variants(report)}</p>'
    )
    parts = {
        "TITLE": text(setting.game.title),
        "POLICY": f"default-src 'none'; style-src {digest(style)}; script-src {digest(library)} {digest(script)}",
        "STYLE": style,
        "HEAD": head,
        "NAV": "".join(f'<li><a href="#{key}">{text(title)}</a></li>' for key, (title, _) in sections.items()),
        "BODY": "".join(section(key, title, inner) for key, (title, inner) in sections.items()),
        "FOOT": f"Made by Regelwerk {text(version())}. This page loads nothing from elsewhere.",
        "DATA": embedded(specs),
        "LIBRARY": library,
        "SCRIPT": script,
    }
    return mark(KIND) + filled(_part("report.html"), parts)


def _key(title: str) -> str:
    return title.lower().replace(" ", "-")


def _variants(report: Report) -> str:
    names = report.setting.game.variants
    return f"; with {text(', '.join(names))}" if names else ""


def _part(name: str) -> str:
    return files("cli.laboratory.page").joinpath(name).read_text(encoding="utf-8")


# ---- tables


def _tiles(report: Report) -> Iterator[tuple[str, str, str]]:
    played = len(report.records)
    yield "games", number(played), "" if played == report.wanted else f"of {number(report.wanted)}"
    wins = [each for each in report.measures if each.measure.key.startswith("win:") and each.measure.subject]
    if len(wins) > 1:
        best = max(wins, key=lambda each: each.figure.mean)
        yield f"won most: {best.measure.subject}", value_of(best.figure.mean, True), interval_of(best.figure, True)
    known = {each.measure.key: each for each in report.measures}
    for key in TILES:
        if key in known:
            yield _tile(known[key])


def _tile(each: Measured) -> tuple[str, str, str]:
    share = each.measure.share
    return each.measure.words, value_of(each.figure.mean, share), interval_of(each.figure, share)


def _figures(report: Report, inks: Inks) -> str:
    headings = ("what", "who", "mean", "95% interval", "", "least", "most", "games")
    head = "".join(f'<th scope="col"{WORDS if at < 2 else ""}>{name}</th>' for at, name in enumerate(headings))
    head = head.replace('<th scope="col"></th>', "<td></td>")
    groups = groupby(report.measures, key=lambda each: (each.measure.words, each.measure.key.partition(":")[0]))
    rows = "".join(_group(words, [*found], inks) for (words, _), found in groups)
    return (
        '<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="table of all figures"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def _group(words: str, found: list[Measured], inks: Inks) -> str:
    """The rows of one measure, one for each seat or team; its words are beside all of them."""
    head = f'<th scope="rowgroup" rowspan="{len(found)}">{text(words)}</th>'
    rows = [
        f'<td class="words">{side(visible(each.measure.subject or ""), inks)}</td>{_cells(each, inks)}'
        for each in found
    ]  # fmt: skip
    return "".join(f"<tr>{head if not at else ''}{row}</tr>" for at, row in enumerate(rows))


def _cells(each: Measured, inks: Inks) -> str:
    found, share = each.figure, each.measure.share
    colour = inks.marks.get(each.measure.subject or "", inks.accent)
    small = scale(found.mean, found.low, found.high, colour) if share else ""
    ends = ("", "") if share else (number(found.least), number(found.most))
    return "".join(
        f"<td>{cell}</td>"
        for cell in (
            text(value_of(found.mean, share)), text(interval_of(found, share)), small, *ends, number(each.games),
        )
    )  # fmt: skip


# ---- words


def _reading(report: Report) -> str:
    known = [each.measure for each in report.measures if each.measure.key in MEANINGS]
    meanings = "".join(f"<dt>{text(each.words)}</dt><dd>{text(MEANINGS[each.key])}</dd>" for each in known)
    closely = f"{number(report.looked_at)} of {counted(len(report.records), 'game')} were looked at closely. {COURSES}"
    shown = [INTERVALS, *([closely] if report.looked_at else []), *([EXPECTED] if report.shares else []), BOTS]
    paragraphs = "".join(f"<p>{text(each)}</p>" for each in shown)
    return f'<div class="card prose">{paragraphs}{f"<dl>{meanings}</dl>" if meanings else ""}</div>'
