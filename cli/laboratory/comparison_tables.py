"""A comparison as a table in a terminal: what is more in B, what is less, and where no difference is shown."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from cli.laboratory.comparing import VERDICTS, Comparison, Difference, Verdict
from cli.laboratory.measures import Measure
from cli.laboratory.report import Report
from cli.laboratory.tables import measure_label, particulars, who_plays
from cli.render.palette import Palette, palette
from cli.render.screen import screen
from cli.render.tables import plain_grid
from dsl.text.nouns import counted


def print_comparison(found: Comparison) -> None:
    """Print what differs, with the games behind it."""
    console, setting = screen(), found.one.setting
    look = palette(setting.game.seats, setting.game.words)
    for name, report in (("A", found.one), ("B", found.other)):
        console.print(Text(f"{name}: {_what(report)}", style="bold"))
    numbers = [record.number for record in found.one.records]
    seeds = f", {setting.seed} to {setting.seed + max(numbers)}" if len(numbers) > 1 else ""
    pairs = counted(found.pairs, "pair")
    console.print(Text(f"{pairs} of games of {who_plays(setting)}, with the same seeds{seeds}", style="dim"))
    if not found.differences:
        return
    console.print()
    console.print(_table(found, look))
    console.print()
    words = (
        f"All verdicts of {counted(found.tests, 'comparison')} are right at the same time in 95 % of such runs (Holm's "
        "correction); each interval is for its row alone."
    )
    console.print(Text(words, style="dim"))
    for name, only in (("A", found.only_one), ("B", found.only_other)):
        if only:
            console.print(Text(f"only of {name}: {', '.join(map(_plain, only))}", style="dim"))


def _what(report: Report) -> str:
    """A side: the game with its variants, options and board."""
    game = report.setting.game
    variants = f" with {' and '.join(game.variants)}" if game.variants else ""
    return f"{game.title}{variants}{particulars(report.setting)}"


def _plain(measure: Measure) -> str:
    return measure.words if measure.subject is None else f"{measure.words}, {measure.subject}"


def _table(found: Comparison, look: Palette) -> Table:
    table = plain_grid()
    for name in ("", "A", "B", "B - A", "95% interval", "at most"):
        table.add_column(name, justify="right" if name else "left", no_wrap=bool(name))
    for verdict, words in VERDICTS.items():
        rows = [each for each in found.differences if each.verdict == verdict]
        if rows:
            table.add_row(Text(words, style="bold"))
            for row in rows:
                table.add_row(Text("  ").append_text(measure_label(row.measure, look)), *_cells(row, verdict, found))
    return table


def _cells(row: Difference, verdict: Verdict, found: Comparison) -> Sequence[str]:
    scale = 100 if row.measure.share else 1
    cells = [f"{scale * row.one:.2f}", f"{scale * row.other:.2f}"]
    if verdict == "same":
        return cells
    cells.append(f"{scale * row.found.mean:+.2f}")
    if row.found.low is None or row.found.high is None:
        return [*cells, f"{row.found.differing} of {row.found.pairs}"]
    cells.append(f"{scale * row.found.low:+.2f} to {scale * row.found.high:+.2f}")
    if verdict != "not shown" or row.at_most is None:
        return cells
    return [*cells, f"±{scale * row.at_most:.2f}"]
