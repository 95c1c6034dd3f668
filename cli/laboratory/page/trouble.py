"""Games that ended in an error, and games that are unusual: each with the number and the seed to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from cli.failed_games import moment_of
from cli.laboratory.charts.plot import Grid
from cli.laboratory.page.markup import text
from cli.laboratory.report import Report
from cli.laboratory.wording import value_of
from dsl.text.nouns import counted
from interpreter.laboratory.records import FailedRecord

MOST_LISTED = 8
"""The most games that are named for one place of the rules."""

EXTREMES: tuple[tuple[str, str, Callable[..., float]], ...] = (
    ("decisions", "longest", max),
    ("decisions", "shortest", min),
    ("widest", "most legal moves at a decision", max),
    ("margin", "clearest win", max),
    ("margin", "closest", min),
    ("lead_changes", "most changes of the lead", max),
    ("settled", "settled last", max),
    ("drama", "greatest comeback", max),
    ("returns", "most returns to one position", max),
    ("repeats", "most occurrences of a position", max),
)
"""The games worth a look: by which measure, in words, and whether by the greatest value or the least."""


def games_to_look_at(report: Report) -> Grid:
    """The first game with the greatest or the least value of some measures."""
    known = {each.measure.key: each for each in report.measures}
    rows = []
    for key, words, chosen in EXTREMES:
        if key not in known or known[key].figure.least == known[key].figure.most:
            continue
        measure, wanted = known[key].measure, chosen(known[key].figure.least, known[key].figure.most)
        game = next(record for record in report.records if measure.value(record) == wanted)
        seed = report.setting.seed + game.number
        rows.append((words, measure.words, value_of(wanted, measure.share), str(game.number), str(seed)))
    return Grid(("which game", "by", "value", "game", "seed"), tuple(rows))


def trouble(report: Report) -> str:
    """The games that ended in an error, by the place of the rules that failed."""
    number, all_games = len(report.failed), len(report.failed) + len(report.records)
    title = f"{number} of {counted(all_games, 'game')} ended in an error; the figures cover the others"
    return f'<div class="card failed"><h3>{text(title)}</h3><ul>{"".join(_faults(report))}</ul></div>'


def _faults(report: Report) -> Iterator[str]:
    ordered = sorted(report.failed, key=lambda record: (record.failed.location, record.number))
    for _, group in groupby(ordered, key=lambda record: record.failed.location):
        found = [*group]
        first = found[0].failed
        yield (
            f"<li><code>{text(first.location)}</code>: {text(first.message)}<br>{text(_named(found))}; "
            f"in the first, {text(moment_of(first))}</li>"
        )


def _named(found: list[FailedRecord]) -> str:
    """`games 3, 17 and 20`, by their numbers in the run."""
    numbers = ", ".join(str(record.number) for record in found[:MOST_LISTED])
    more = ", …" if len(found) > MOST_LISTED else ""
    return f"in {counted(len(found), 'game')}, by number: {numbers}{more}"
