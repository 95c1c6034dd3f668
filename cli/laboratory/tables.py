"""The report of a run as tables in a terminal.

A terminal is 60 to 200 columns wide, and a game may have ten seats with long names. Each table therefore comes in
several forms, the widest first: with bars, without, with one column for all seats. `first_fitting` measures them and
takes the first that leaves room for the words of the first column, which are wrapped; the last form is taken if none
fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import floor, log10

from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.laboratory.inks import shown_styles
from cli.laboratory.sweeping import Sweep, varied_words
from cli.laboratory.wording import at_a_loss, rule_words, value_of
from cli.render.palette import Palette, palette
from cli.render.screen import screen, show
from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width
from dsl.text.nouns import counted
from interpreter.analysis.figures import Figure
from interpreter.laboratory.arena import Match
from interpreter.laboratory.comparing import VERDICTS, Comparison, MeasuredDifference, Verdict
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.report import Curve, Measured, PointSource, Report, UnusualGame, unusual_games
from interpreter.laboratory.setting import Setting

# ---- Bars, and tables that fit on the screen


BAR = 20
"""The width of a bar for 100 %, in characters."""

BLOCKS = " ▏▎▍▌▋▊▉█"

MIN_WORD_COLUMNS = 24
"""The characters of the first column that must fit beside the figures; longer texts are wrapped."""


def bar(share: float, width: int = BAR) -> str:
    """A bar for a share, in eighths of a character; 100 % fills the width."""
    eighths = round(8 * width * min(1.0, max(0.0, share)))
    return (BLOCKS[8] * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def table_of(headings: Sequence[str | Text], rows: Iterable[Sequence[str | Text]], bars: Sequence[str] = ()) -> Table:
    """A table of texts, which are wrapped if necessary, with figures and, if any are given, bars beside them."""
    table = plain_grid()
    table.add_column(headings[0])
    for heading in headings[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    if bars:
        table.add_column(no_wrap=True)
    for row, drawn in zip_longest(rows, bars):
        table.add_row(*row, *([drawn] if bars else []))
    return table


def first_fitting(console: Console, tables: Iterable[Table]) -> Table | None:
    """The first table that fits with a first column of `MIN_WORD_COLUMNS`, else the last; None if there are none."""
    table, unlimited = None, console.options.update(max_width=10_000)
    for table in tables:
        words = table.columns[0]
        words.max_width = MIN_WORD_COLUMNS
        width = Measurement.get(console, unlimited, table).maximum
        words.max_width = None
        if width <= console.width:
            break
    return table


WINS = ("win", "nobody")
"""The measures of who wins, by the beginning of their keys."""


def print_report(report: Report) -> None:
    """Print the figures."""
    console = screen()
    show(console, *_parts(console, report))


def _parts(console: Console, report: Report) -> Iterator[RenderableType]:
    """The parts of the report, the most important first: who wins, how long games take, how they go."""
    setting, games = report.setting, len(report.records) + len(report.failed)
    look = look_of([setting])
    yield Text(heading(setting, games), style="bold")
    yield Text(subheading(setting, games), style="dim")
    if not report.records:
        return
    wins = [measured for measured in report.measures if measured.measure.key.partition(":")[0] in WINS]
    others = [measured for measured in report.measures if measured not in wins]
    yield from _section(figures(console, wins, look))
    if report.even_share is not None:
        shared = report.shared_wins
        words = f"{counted(shared, 'win')} {'was' if shared == 1 else 'were'} shared"
        yield Text(f"an even share is {100 * report.even_share:.1f}% of the games; {words}", style="dim")
    yield from _section(figures(console, [measured for measured in others if not measured.measure.needs_course], look))
    if report.detailed:
        title = f"of {counted(report.detailed, 'game')} analysed in detail"
        yield from _section(
            figures(console, [measured for measured in others if measured.measure.needs_course], look), title
        )
        for part in course_tables(console, report, look):
            yield from _section(part.table, part.title)
            if part.rest:
                yield Text(part.rest, style="dim")
    if report.skill:
        yield from _section(_skill(console, report.skill), "skill: each bot against the one before it")
    unusual = list(unusual_games(report))
    if unusual:
        yield from _section(_unusual(unusual), "games worth a look")
        yield Text("the same command with --game and a number saves that game for trace", style="dim")
    yield from _at_a_loss([report])


def _at_a_loss(reports: Iterable[Report]) -> Iterator[RenderableType]:
    """A line about moves of bots that found no state to search, if there are any."""
    moves = sum(report.at_a_loss for report in reports)
    if moves:
        yield Text()
        yield Text(at_a_loss(moves), style="dim")


def _section(table: Table | None, title: str = "") -> Iterator[RenderableType]:
    if table is not None:
        yield Text()
        if title:
            yield Text(title, style="bold")
        yield table


def look_of(settings: Sequence[Setting]) -> Palette:
    """The colours of the seats of several settings, by display name."""
    seats = dict.fromkeys(seat for setting in settings for seat in setting.game.seats)
    names = {seat: name for setting in settings for seat, name in setting.names.items()}
    return replace(palette([*seats], settings[0].words), styles=shown_styles(seats, names))


def heading(setting: Setting, games: int) -> str:
    """The games that were played: `The game: 100 games of 4 random bots`."""
    return f"{setting.game.title}: {counted(games, 'game')} of {who_plays(setting)}"


def who_plays(setting: Setting) -> str:
    """The bots: `4 random bots`, or `mcts:200 as red, greedy as blue`."""
    bots = Counter(bot.text for bot in setting.bots)
    if len(bots) == 1:
        return counted(len(setting.bots), f"{next(iter(bots))} bot")
    return ", ".join(f"{bot.text} as {seat}" for seat, bot in zip(setting.seats, setting.bots, strict=True))


def subheading(setting: Setting, games: int) -> str:
    """The seeds, the options and a custom board."""
    last = setting.seed + games - 1
    seeds = f"seed {last}" if games == 1 else f"seeds {setting.seed} to {last}"
    return f"{seeds}{particulars(setting)}"


def particulars(setting: Setting) -> str:
    """The options and a custom board as a suffix: `, goal is 100`."""
    game = setting.game
    options = "".join(f", {setting.option_words(*option)}" for option in game.options.items())
    board = f", board {game.board.name}" if game.board and game.rules.board else ""
    return options + board


def figures(console: Console, measured: Sequence[Measured], look: Palette) -> Table | None:
    """Figures with intervals and extremes; shares are in per cent, and have bars where these fit."""
    if not measured:
        return None
    shares = [measured_figure.measure.share for measured_figure in measured]
    headings = ("", "mean", "95% interval", *(() if all(shares) else ("min", "max")))
    rows = [_figure(measured_figure, look)[: len(headings)] for measured_figure in measured]
    bars = [bar(measured_figure.figure.mean) if measured_figure.measure.share else "" for measured_figure in measured]
    return first_fitting(console, (table_of(headings, rows, bars if with_bars else ()) for with_bars in (True, False)))


def _figure(measured: Measured, look: Palette) -> tuple[str | Text, ...]:
    figure, scale = measured.figure, 100 if measured.measure.share else 1
    return (
        measure_label(measured.measure, look),
        f"{scale * figure.mean:.2f}",
        _interval(figure, scale),
        *_ends(measured),
    )


def measure_label(measure: Measure, look: Palette) -> Text:
    """The label of a measure: `games won (%), red`."""
    label = Text(f"{measure.words} (%)" if measure.share else measure.words)
    return label if measure.subject is None else label.append(", ").append(measure.subject, look.style(measure.subject))


def _interval(figure: Figure, scale: float) -> str:
    return "" if figure.low is None or figure.high is None else f"{scale * figure.low:.2f} to {scale * figure.high:.2f}"


def _ends(measured: Measured) -> tuple[str, str]:
    if measured.measure.share:
        return "", ""
    # Extremes are values of single games, mostly whole numbers; means are not, and always have decimals.
    least, most = (f"{value:.1f}".removesuffix(".0") for value in (measured.figure.least, measured.figure.most))
    return least, most


def _skill(console: Console, steps: Sequence[Match]) -> Table | None:
    headings = ("bots", "share (%)", "95% interval", "even", "games")
    rows = [
        (
            f"{step.bot} against {step.opponent}", f"{100 * step.share:.1f}",
            f"{100 * step.low:.1f} to {100 * step.high:.1f}", f"{100 * step.even:.0f}", str(step.games),
        )
        for step in steps
    ]  # fmt: skip
    bars = [bar(step.share) for step in steps]
    return first_fitting(console, (table_of(headings, rows, some) for some in (bars, ())))


def _unusual(games: Sequence[UnusualGame]) -> Table:
    rows = [(game.words, value_of(game.value, game.measure.share), str(game.number), str(game.seed)) for game in games]
    return table_of(("", "value", "game", "seed"), rows)


# ---- The figures of games analysed in detail, as tables in a terminal


HEIGHTS = "▁▂▃▄▅▆▇█"

MAX_ROWS = 12
"""The most point sources, kinds of pieces and unused rules that a table lists."""


@dataclass(frozen=True)
class Titled:
    """A table with its title, and a line below it if rows were omitted."""

    title: str
    table: Table
    rest: str = ""


def course_tables(console: Console, report: Report, look: Palette) -> Iterator[Titled]:
    """Curves over the game, then tables of point sources, picks and unused rules, where there are any."""
    yield Titled("", _curves(report, look))
    points = first_fitting(console, _points(report, look))
    if points is not None:
        yield Titled("points by rule, on average in a game", points, _rest(len(report.points)))
    picks = first_fitting(console, _picks(report))
    if picks is not None:
        yield Titled("pieces, how often they were chosen where they could be", picks)
    unused = report.usage.unused_rules
    if unused:
        rows = [(rule_words(rule), rule.location) for rule in unused[:MAX_ROWS]]
        yield Titled("rules that none of these games used", table_of(("rule", "place"), rows), _rest(len(unused)))


def _rest(rows: int) -> str:
    return f"and {counted(rows - MAX_ROWS, 'other')}" if rows > MAX_ROWS else ""


def _curves(report: Report, look: Palette) -> Table:
    """The course of values from the first decision to the last, as sparklines."""
    table = plain_grid()
    for name in ("over the game", "first", "", "last"):
        table.add_column(
            name, justify="right" if name in ("first", "last") else "left", no_wrap=name != "over the game"
        )
    if report.branching:
        means = [figure.mean for figure in report.branching]
        table.add_row("legal moves", f"{means[0]:.1f}", _sparkline(means, 0, max(means)), f"{means[-1]:.1f}")
    for words, curves in (("expected wins (%)", report.shares), ("score", report.scores)):
        low, high = _range(curves)
        for curve in curves:
            scale = 100 if words.startswith("expected") else 1
            label = Text(f"{words}, ").append(curve.seat, style=look.style(curve.seat))
            means = [figure.mean for figure in curve.moments]
            table.add_row(label, f"{scale * means[0]:.1f}", _sparkline(means, low, high), f"{scale * means[-1]:.1f}")
    return table


def _range(curves: Sequence[Curve]) -> tuple[float, float]:
    means = [figure.mean for curve in curves for figure in curve.moments]
    return min(means, default=0.0), max(means, default=0.0)


def _sparkline(values: Sequence[float], low: float, high: float) -> str:
    """A sparkline: one character per value, scaled from `low` to `high`."""
    width = (high - low) or 1
    return "".join(HEIGHTS[min(len(HEIGHTS) - 1, int(len(HEIGHTS) * (value - low) / width))] for value in values)


def _points(report: Report, look: Palette) -> Iterator[Table]:
    """Tables of the points that each rule gives, the widest first: with a column for each seat, or one for all."""
    point_sources = report.points[:MAX_ROWS]
    if not point_sources:
        return
    bars = [bar(source.part) for source in point_sources]
    seats = [Text(seat, style=look.style(seat)) for seat in report.setting.seats]
    by_seat = [[f"{mean:.2f}" for _, mean in source.seats] for source in point_sources]
    together = [[f"{sum(mean for _, mean in source.seats):.2f}"] for source in point_sources]
    for columns, amounts in ((seats, by_seat), ([Text("all seats")], together)):
        headings: tuple[str | Text, ...] = ("rule", *columns, "games (%)", "of all (%)")
        rows = [_source(source, means) for source, means in zip(point_sources, amounts, strict=True)]
        yield table_of(headings, rows, bars)
        yield table_of(headings, rows)


def _source(source: PointSource, amounts: Sequence[str]) -> tuple[str, ...]:
    return (source.text, *amounts, f"{100 * source.games.mean:.0f}", f"{100 * source.part:.1f}")


def _picks(report: Report) -> Iterator[Table]:
    """Tables of picks, the widest first; of many kinds of pieces, only the most and the least readily chosen."""
    picks = [pick for pick in report.picks if pick.offered]
    if not picks:
        return
    if len(picks) > MAX_ROWS:
        picks = [*picks[: MAX_ROWS // 2], *picks[-MAX_ROWS // 2 :]]
    parts = [pick.chosen / pick.offered for pick in picks]
    headings = ("piece", "offered", "chosen", "chosen (%)")
    rows = [
        (pick.kind, str(pick.offered), str(pick.chosen), f"{100 * part:.1f}")
        for pick, part in zip(picks, parts, strict=True)
    ]
    yield table_of(headings, rows, [bar(part) for part in parts])
    yield table_of(headings, rows)


# ---- A comparison as a table in a terminal: what is more in B, what is less, and where no difference is shown


MIN_DIGITS, MAX_DIGITS = 2, 5
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
    table = first_fitting(console, (_comparison_table(comparison, look, both) for both in (True, False)))
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
    show(console, *_at_a_loss([comparison.report_a, comparison.report_b]))


def _options(setting: Setting, is_included: Callable[[tuple[str, str]], bool]) -> str:
    """The wanted options as a suffix: `, goal is 100`."""
    return "".join(f", {setting.option_words(*option)}" for option in filter(is_included, setting.game.options.items()))


def _plain(measure: Measure) -> str:
    return measure.words if measure.subject is None else f"{measure.words}, {measure.subject}"


def _comparison_table(comparison: Comparison, look: Palette, both: bool) -> Table:
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
    # `at_most` bounds the difference: with ±0.0004, two decimals would show 0.00 for everything that is compared.
    size = (100 if row.measure.share else 1) * (row.at_most or 1)
    return max(MIN_DIGITS, min(MAX_DIGITS, 1 - floor(log10(size))))


# ---- A sweep as tables in a terminal: a row for each setting, with small bars


SETTING_BAR = 8
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
        show(console, _sweep_table(names, settings, group))
    console.print()
    console.print(Text("±: the wider side of the 95 % interval; bars begin at 0", style="dim"))
    show(console, *_at_a_loss(sweep.reports))


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
        bars = ["" if figure is None or most <= 0 else bar(figure.mean / most, SETTING_BAR) for figure in figures]
        self.cells = [
            f"{mean:>{broadest}} {width:<{half}} {length}"
            for mean, width, length in zip(means, widths, bars, strict=True)
        ]
        self.width = max(broadest + half + SETTING_BAR + 2, label.cell_len) + GAP


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


def _sweep_table(names: Sequence[str], settings: Sequence[Sequence[str]], columns: Sequence[_Column]) -> Table:
    table = plain_grid()
    for name in names:
        table.add_column(name)
    for column in columns:
        table.add_column(column.label)
    for number, setting in enumerate(settings):
        table.add_row(*setting, *(column.cells[number] for column in columns))
    return table
