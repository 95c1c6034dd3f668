"""A comparison as a table in a terminal: what is more in B, what is less, and where no difference is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, log10

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.laboratory.layout import first_fitting
from cli.laboratory.tables import look_of, measure_label, who_plays
from cli.render.palette import Palette
from cli.render.screen import screen, show
from cli.render.tables import plain_grid
from dsl.text.nouns import counted
from interpreter.laboratory.comparing import VERDICTS, Comparison, MeasuredDifference, Verdict
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.setting import Setting

FEWEST_DIGITS, MOST_DIGITS = 2, 5
"""Decimal places."""


def print_comparison(comparison: Comparison) -> None:
    """Print the differences, below a description of the games."""
    console, setting = screen(), comparison.report_a.setting
    look = look_of([comparison.report_a.setting, comparison.report_b.setting])
    shared = setting.game.options.items() & comparison.report_b.setting.game.options.items()
    for name, report in (("A", comparison.report_a), ("B", comparison.report_b)):
        game, suffix = report.setting.game, _options(report.setting, lambda option: option not in shared)
        board = f", board {game.board.name}" if game.board and game.rules.board else ""
        console.print(Text(f"{name}: {game.title}{suffix}{board}", style="bold"))
    numbers = [record.number for record in comparison.report_a.records]
    seeds = f", {setting.seed} to {setting.seed + max(numbers)}" if len(numbers) > 1 else ""
    games = f"{counted(comparison.pairs, 'pair')} of games of {who_plays(setting)}, with the same seeds{seeds}"
    show(console, Text(f"{games}{_options(setting, shared.__contains__)}", style="dim"))
    if not comparison.differences:
        return
    console.print()
    table = first_fitting(console, (_table(comparison, look, both) for both in (True, False)))
    assert table is not None
    show(console, table)
    console.print()
    same = comparison.same_winners
    if same.low is not None and same.high is not None:
        share = f"{100 * same.mean:.1f}% of the pairs ({100 * same.low:.1f}% to {100 * same.high:.1f}%)"
        show(console, Text(f"the same seats have won in {share}"))
        console.print()
    if comparison.tests:
        comparisons = counted(comparison.tests, "comparison")
        words = (
            f"more and less are corrected for {comparisons} (Holm): in 95 of 100 such runs none of them is wrong; the "
            "intervals are for each row alone"
        )
        show(console, Text(words, style="dim"))
    for name, only in (("A", comparison.only_a), ("B", comparison.only_b)):
        if only:
            show(console, Text(f"only of {name}: {'; '.join(map(_plain, only))}", style="dim"))
    console.print()
    for sentence in comparison.conclusions:
        show(console, Text(sentence))


def _options(setting: Setting, is_included: Callable[[tuple[str, str]], bool]) -> str:
    """The wanted options as a suffix: `, goal is 100`."""
    return "".join(f", {setting.option_words(*option)}" for option in filter(is_included, setting.game.options.items()))


def _plain(measure: Measure) -> str:
    return measure.words if measure.subject is None else f"{measure.words}, {measure.subject}"


def _table(comparison: Comparison, look: Palette, both: bool) -> Table:
    """The differences by verdict, with the means of both sides where there is room."""
    table = plain_grid()
    for name in ("", *(("A", "B") if both else ()), "B - A", "95% interval", "at most"):
        table.add_column(name, justify="right" if name else "left", no_wrap=bool(name))
    for verdict, words in VERDICTS.items():
        rows = [difference for difference in comparison.differences if difference.verdict == verdict]
        if rows:
            table.add_row(Text(words, style="bold"))
            for row in rows:
                cells = _cells(row, verdict)
                label = Padding(measure_label(row.measure, look), (0, 0, 0, 2))
                table.add_row(label, *(cells if both else cells[2:]))
    return table


def _cells(row: MeasuredDifference, verdict: Verdict) -> Sequence[str]:
    scale, digits = 100 if row.measure.share else 1, _digits(row)
    cells = [f"{scale * value:.{digits}f}" for value in (row.mean_a, row.mean_b)]
    if verdict == "same":
        return cells
    cells.append(f"{scale * row.estimate.mean:+.{digits}f}")
    if row.estimate.low is None or row.estimate.high is None:
        return [*cells, f"{row.estimate.differing} of {row.estimate.pairs}"]
    cells.append(f"{scale * row.estimate.low:+.{digits}f} to {scale * row.estimate.high:+.{digits}f}")
    if verdict != "not shown" or row.at_most is None:
        return cells
    return [*cells, f"±{scale * row.at_most:.{digits}f}"]


def _digits(row: MeasuredDifference) -> int:
    """The decimal places of a row: two, or as many as a small difference needs."""
    size = (100 if row.measure.share else 1) * (row.at_most or 1)
    return max(FEWEST_DIGITS, min(MOST_DIGITS, 1 - floor(log10(size))))
