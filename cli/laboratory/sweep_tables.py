"""A sweep as tables in a terminal: a row for each setting, with small bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from cli.laboratory.layout import bar
from cli.laboratory.sweeping import Sweep, varied_words
from cli.laboratory.tables import look_of, measure_label, who_plays
from cli.render.screen import screen, show
from cli.render.tables import plain_grid
from dsl.text.cells import cell_width
from dsl.text.nouns import counted
from interpreter.analysis.figures import Figure
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.report import Measured

BAR = 8
"""The width of the longest bar of a column, in characters."""

GAP = 2
NOTHING = "-"


def print_sweep(sweep: Sweep) -> None:
    """Print the figures, in as many tables as necessary."""
    console, first = screen(), sweep.reports[0].setting
    look = look_of([report.setting for report in sweep.reports])
    games = counted(sweep.reports[0].requested, "game")
    console.print(
        Text(f"{first.game.title}: {games} of each of {counted(len(sweep.choices), 'setting')}", style="bold")
    )
    bots = {who_plays(report.setting) for report in sweep.reports}
    fixed = "".join(
        f", {first.option_words(*option)}"
        for option in first.game.options.items()
        if option[0] not in sweep.choices[0].varied
    )
    who = f"{bots.pop()}, " if len(bots) == 1 else ""
    seeds = f"seeds from {first.seed} in every setting"
    show(console, Text(f"{who}{seeds}{fixed}", style="dim"))
    rows = list(sweep.rows())
    columns = [
        _Column(measure, measure_label(measure, look), [row[place] for *_, row in rows])
        for place, measure in enumerate(sweep.measures)
    ]
    varied = varied_words(sweep)
    settings, names = [list(chosen.values()) for chosen in varied], list(varied[0])
    used_width = sum(
        max(cell_width(name), *(cell_width(setting[place]) for setting in settings)) + GAP
        for place, name in enumerate(names)
    )
    for group in _fitting(columns, console.width - used_width):
        console.print()
        show(console, _table(names, settings, group))
    console.print()
    console.print(Text("±: the wider side of the 95 % interval; bars begin at 0", style="dim"))


class _Column:
    """The cells of one measure, all of the same width."""

    def __init__(self, measure: Measure, label: Text, cells: Sequence[Measured | None]) -> None:
        self.label = label
        scale = 100 if measure.share else 1
        figures = [None if measured is None else measured.figure for measured in cells]
        means = [NOTHING if figure is None else f"{scale * figure.mean:.2f}" for figure in figures]
        widths = ["" if figure is None else _half(figure, scale) for figure in figures]
        most = max((figure.mean for figure in figures if figure is not None), default=0.0)
        broadest, half = max(map(len, means)), max(map(len, widths))
        bars = ["" if figure is None or most <= 0 else bar(figure.mean / most, BAR) for figure in figures]
        self.cells = [
            f"{mean:>{broadest}} {width:<{half}} {length}"
            for mean, width, length in zip(means, widths, bars, strict=True)
        ]
        self.width = max(broadest + half + BAR + 2, label.cell_len) + GAP


def _half(figure: Figure, scale: float) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"±{scale * max(figure.mean - figure.low, figure.high - figure.mean):.2f}"


def _fitting(columns: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    """The columns in groups, each with as many columns as fit."""
    group: list[_Column] = []
    for column in columns:
        if group and sum(member.width for member in group) + column.width > width:
            yield group
            group = []
        group.append(column)
    if group:
        yield group


def _table(names: Sequence[str], settings: Sequence[Sequence[str]], columns: Sequence[_Column]) -> Table:
    table = plain_grid()
    for name in names:
        table.add_column(name)
    for column in columns:
        table.add_column(column.label)
    for number, setting in enumerate(settings):
        table.add_row(*setting, *(column.cells[number] for column in columns))
    return table
