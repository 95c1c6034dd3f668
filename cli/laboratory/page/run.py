"""The page of a run: charts, tables, games worth a look, and how to read it all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from cli.failed_games import moment_of
from cli.laboratory.charts.catalogue import plots
from cli.laboratory.charts.plot import Grid
from cli.laboratory.inks import Inks
from cli.laboratory.page.document import Document, paragraphs, scale, side, table, text, tiles
from cli.laboratory.tables import subheading, who_plays
from cli.laboratory.wording import at_a_loss, interval_of, number, value_of
from dsl.text.nouns import counted
from dsl.text.visible import visible
from interpreter.laboratory.courses import FailedRecord
from interpreter.laboratory.report import Measured, Report, unusual_games

# ---- The meaning of the figures of a report, in words for people who do not know the measures


MEANINGS: Mapping[str, str] = {
    "forced": "The share of the decisions in which there was only one legal move.",
    "returns": "How often the most frequent position recurred.",
    "lead_changes": "How often the lead passed from one seat to another, judged by the expected shares.",
    "settled": "The part of the game after which the eventual winner was ahead until the end.",
    "uncertainty": "How open the game was on average: 100% if all could always expect the same share.",
    "drama": "How far behind the eventual winner was when it was behind; 0% if it never was.",
    "decisiveness": "How soon the game ended once it was decided: 100% if at once.",
    "margin": "How far the winners were ahead of the best of the others.",
}
"""The meaning of each measure that does not explain itself, by its key."""

INTERVALS = (
    "If the same games were played again and again with other seeds, intervals made in this way would contain the true "
    "value 95 times out of 100. The shares of games are given with Wilson's score interval. More games make intervals "
    "narrower: four times as many for half the width."
)
COURSES = (
    "What happened in the course of a game, such as who was ahead when, is known only for these, so the intervals of "
    "such figures are wider."
)
EXPECTED = (
    "The expected share of the win at a moment is the share that a seat gets in random games from there. It says how "
    "good a position is if nobody plays with a plan."
)
SWEEPS = (
    "All settings have the same seeds, so neighbouring values differ less by chance than their intervals suggest. To "
    "know whether two settings differ, compare them."
)
PAIRS = (
    "The games of a pair have the same number, seed and bots, so luck they have in common does not count. No "
    "difference shown does not mean that there is none: the interval says how large it may be."
)
CORRECTED = (
    "More and less are corrected for all comparisons together: in 95 of 100 such runs none of them is wrong. The "
    "intervals are for each row alone, so one may exclude 0 where no difference is shown."
)
BOTS = (
    "These are games of bots. They show what the rules allow, what never happens, and which differences are too small "
    "to matter. They do not show what people enjoy, and not how people play: a seat that is worse for bots may be "
    "better for people, and a card that no bot chooses may be the best one in the hands of somebody with a plan."
)


TILES = ("decisions", "moves", "forced", "lead_changes", "settled", "drama")
"""The keys of the measures that are shown at a glance, if a report has them."""
REPLAY = "The same command with <code>--game</code> and the number of a game plays it again and saves it for a look."
WORDS = ' class="words"'
"""Marks cells with text among cells with numbers."""


def run_page(report: Report) -> str:
    """The page of a run: identical for the same report."""
    setting, games = report.setting, len(report.records) + len(report.failed)
    names = setting.game.variants
    document = Document(
        "Report of the laboratory", setting.game.title, f"{counted(games, 'game')} of {who_plays(setting)}",
        subheading(setting, games) + (f"; with {', '.join(names)}" if names else ""),
        setting.game.seats, report.sides, setting.names,
    )  # fmt: skip
    inks = document.inks
    document.sections["At a glance"] = tiles(_tiles(report))
    if report.failed:
        document.sections["Trouble"] = trouble(report)
    if report.at_a_loss:
        document.sections["Moves at random"] = f'<div class="card"><p>{text(at_a_loss(report.at_a_loss))}</p></div>'
    for title, charts in plots(report, inks).items():
        document.add_plots(title, charts)
    document.sections["All figures"] = _figures(report, inks)
    unusual = _unusual(report)
    if unusual.rows:
        markup = table(unusual, inks, "unusual games")
        document.sections["Games worth a look"] = f'<div class="card">{markup}<p class="note">{REPLAY}</p></div>'
    document.sections["How to read this"] = _reading(report)
    return document.markup()


# ---- tables


def _tiles(report: Report) -> Iterator[tuple[str, str, str]]:
    played = len(report.records)
    yield "games", number(played), "" if played == report.requested else f"of {number(report.requested)}"
    wins = [measured for measured in report.measures if measured.measure.of_wins and measured.measure.subject]
    if len(wins) > 1:
        best = max(wins, key=lambda measured: measured.figure.mean)
        yield f"won most: {best.measure.subject}", value_of(best.figure.mean, True), interval_of(best.figure, True)
    measured_by_key = {measured.measure.key: measured for measured in report.measures}
    for key in TILES:
        if key in measured_by_key:
            yield _tile(measured_by_key[key])


def _tile(measured: Measured) -> tuple[str, str, str]:
    share = measured.measure.share
    return measured.measure.words, value_of(measured.figure.mean, share), interval_of(measured.figure, share)


def _unusual(report: Report) -> Grid:
    rows = (
        (game.words, game.measure.words, value_of(game.value, game.measure.share), str(game.number), str(game.seed))
        for game in unusual_games(report)
    )
    return Grid(("which game", "by", "value", "game", "seed"), tuple(rows))


def _figures(report: Report, inks: Inks) -> str:
    headings = ("what", "who", "mean", "95% interval", "", "least", "most", "games")
    head = "".join(f'<th scope="col"{WORDS if at < 2 else ""}>{name}</th>' for at, name in enumerate(headings))
    head = head.replace('<th scope="col"></th>', "<td></td>")
    groups = groupby(
        report.measures, key=lambda measured: (measured.measure.words, measured.measure.key.partition(":")[0])
    )
    rows = "".join(_group(words, [*group], inks) for (words, _), group in groups)
    return (
        '<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="table of all figures"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def _group(words: str, measured: list[Measured], inks: Inks) -> str:
    """The rows of one measure, one for each seat or team, with a common header cell."""
    head = f'<th scope="rowgroup" rowspan="{len(measured)}">{text(words)}</th>'
    rows = [
        f'<td class="words">{side(visible(seat_figure.measure.subject or ""), inks)}</td>{_cells(seat_figure, inks)}'
        for seat_figure in measured
    ]  # fmt: skip
    return "".join(f"<tr>{head if not at else ''}{row}</tr>" for at, row in enumerate(rows))


def _cells(measured: Measured, inks: Inks) -> str:
    figure, share = measured.figure, measured.measure.share
    colour = inks.marks.get(measured.measure.subject or "", inks.accent)
    small = scale(figure.mean, figure.low, figure.high, colour) if share else ""
    ends = ("", "") if share else (number(figure.least), number(figure.most))
    return "".join(
        f"<td>{cell}</td>"
        for cell in (
            text(value_of(figure.mean, share)), text(interval_of(figure, share)), small, *ends, number(measured.games),
        )
    )  # fmt: skip


# ---- words


def _reading(report: Report) -> str:
    measures = [measured.measure for measured in report.measures if measured.measure.key in MEANINGS]
    meanings = "".join(f"<dt>{text(measure.words)}</dt><dd>{text(MEANINGS[measure.key])}</dd>" for measure in measures)
    detailed = f"{number(report.detailed)} of {counted(len(report.records), 'game')} were analysed in detail. {COURSES}"
    texts = [INTERVALS, *([detailed] if report.detailed else []), *([EXPECTED] if report.shares else []), BOTS]
    return paragraphs(texts, f"<dl>{meanings}</dl>" if meanings else "")


# ---- Games that ended in an error, grouped by the place in the rules that failed


MAX_LISTED = 8
"""The maximum number of games listed for one place in the rules."""


def trouble(report: Report) -> str:
    """The games that ended in an error, grouped by the place in the rules that failed."""
    number, all_games = len(report.failed), len(report.failed) + len(report.records)
    title = f"{number} of {counted(all_games, 'game')} ended in an error; the figures cover the others"
    return f'<div class="card failed"><h3>{text(title)}</h3><ul>{"".join(_faults(report))}</ul></div>'


def _faults(report: Report) -> Iterator[str]:
    ordered = sorted(report.failed, key=lambda record: (record.failed.location, record.number))
    for _, group in groupby(ordered, key=lambda record: record.failed.location):
        records = [*group]
        first = records[0].failed
        yield (
            f"<li><code>{text(first.location)}</code>: {text(first.message)}<br>{text(_named(records))}; "
            f"in the first, {text(moment_of(first))}</li>"
        )


def _named(records: list[FailedRecord]) -> str:
    """`games 3, 17 and 20`, by their numbers in the run."""
    numbers = ", ".join(str(record.number) for record in records[:MAX_LISTED])
    more = ", …" if len(records) > MAX_LISTED else ""
    return f"in {counted(len(records), 'game')}, by number: {numbers}{more}"
