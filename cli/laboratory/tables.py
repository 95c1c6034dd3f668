"""The report of a run as tables in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.laboratory.measures import Measure
from cli.laboratory.report import Curve, Measured, Report
from cli.laboratory.setting import Setting
from cli.laboratory.skill import Step
from cli.render.palette import Palette, palette
from cli.render.screen import screen
from cli.render.tables import plain_grid
from cli.statistics import Figure
from dsl.text.nouns import counted

BAR, FIGURES = 20, 44
"""Characters of a bar that stands for 100 %, and of the figures beside it: bars are drawn only where they fit."""

BLOCKS = " ▏▎▍▌▋▊▉█"
HEIGHTS = "▁▂▃▄▅▆▇█"

MOST_ROWS = 12
"""The most rules that give points, and kinds of pieces, that are listed."""


def print_report(report: Report, even: float | None, shared: int) -> None:
    """Print the figures; `even` is an even share of the wins, if there is one, `shared` the number of shared wins."""
    console, setting = screen(), report.setting
    look = palette(setting.game.seats, setting.game.words)
    console.print(Text(heading(setting, len(report.records) + len(report.failed)), style="bold"))
    console.print(Text(subheading(setting, len(report.records) + len(report.failed)), style="dim"))
    if not report.records:
        return
    console.print()
    console.print(_figures([each for each in report.measures if not each.measure.of_course], look, console.width))
    if even is not None:
        words = f"{counted(shared, 'win')} {'was' if shared == 1 else 'were'} shared"
        console.print()
        console.print(Text(f"an even share is {100 * even:.1f}% of the games; {words}", style="dim"))
    if report.looked_at:
        _print_courses(console, report, look)
    if report.skill:
        console.print()
        console.print(Text("skill: each bot against the one before it", style="bold"))
        console.print(_skill(report.skill))


def heading(setting: Setting, games: int) -> str:
    """What was played: `The game: 100 games of 4 random bots`."""
    return f"{setting.game.title}: {counted(games, 'game')} of {who_plays(setting)}"


def who_plays(setting: Setting) -> str:
    """The bots: `4 random bots`, or `mcts:200 as red, greedy as blue`."""
    bots = Counter(bot.text for bot in setting.bots)
    if len(bots) == 1:
        return counted(len(setting.bots), f"{next(iter(bots))} bot")
    return ", ".join(f"{bot.text} as {seat}" for seat, bot in zip(setting.game.seats, setting.bots, strict=True))


def subheading(setting: Setting, games: int) -> str:
    """With what it was played: seeds, options, a custom board."""
    last = setting.seed + games - 1
    seeds = f"seed {last}" if games == 1 else f"seeds {setting.seed} to {last}"
    return f"{seeds}{particulars(setting)}"


def particulars(setting: Setting) -> str:
    """The options and a custom board, to be added to something: `, goal is 100`."""
    game = setting.game
    options = "".join(f", {name} is {value}" for name, value in game.options.items())
    own = f", board {game.board.name}" if game.board and game.rules.board else ""
    return options + own


def _figures(measured: Sequence[Measured], look: Palette, width: int) -> Table:
    """The figures with intervals and extremes; shares are in per cent, and have bars."""
    table = plain_grid()
    labels = [measure_label(each.measure, look) for each in measured]
    bars = [bar(each.figure.mean) if each.measure.share else "" for each in measured]
    fits = max(map(len, labels)) + FIGURES + max(map(len, bars)) <= width
    for name in ("", "mean", "95% interval", "min", "max", *([""] if fits else [])):
        table.add_column(name, justify="left" if not name else "right")
    for label, each, drawn in zip(labels, measured, bars, strict=True):
        found, scale = each.figure, 100 if each.measure.share else 1
        figures = (f"{scale * found.mean:.2f}", _interval(found, scale), *_ends(each))
        table.add_row(label, *figures, *([drawn] if fits else []))
    return table


def measure_label(measure: Measure, look: Palette) -> Text:
    """What a measure is called: `games won (%), red`."""
    label = Text(f"{measure.words} (%)" if measure.share else measure.words)
    return label if measure.subject is None else label.append(", ").append(measure.subject, look.style(measure.subject))


def _interval(found: Figure, scale: float) -> str:
    return "" if found.low is None or found.high is None else f"{scale * found.low:.2f} to {scale * found.high:.2f}"


def _ends(each: Measured) -> tuple[str, str]:
    if each.measure.share:
        return "", ""
    least, most = (f"{value:.1f}".removesuffix(".0") for value in (each.figure.least, each.figure.most))
    return least, most


def bar(share: float, width: int = BAR) -> str:
    """A bar for a share, in eighths of a character; one of 100 % has the width."""
    eighths = round(8 * width * min(1.0, max(0.0, share)))
    return (BLOCKS[8] * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def _print_courses(console: Console, report: Report, look: Palette) -> None:
    """Print what is known of the games that were looked at closely."""
    console.print()
    console.print(Text(f"of {counted(report.looked_at, 'game')} looked at closely", style="bold"))
    console.print(_figures([each for each in report.measures if each.measure.of_course], look, console.width))
    console.print()
    console.print(_curves(report, look))
    for title, table in (
        ("points by rule, on average in a game", _points(report, look)),
        ("pieces, how often they were chosen where they could be", _picks(report)),
    ):
        if table.row_count:
            console.print()
            console.print(Text(title, style="bold"))
            console.print(table)
    unused = report.usage.unused_rules
    if unused:
        console.print()
        console.print(Text("rules that none of these games used", style="bold"))
        table = plain_grid()
        for rule in unused[:MOST_ROWS]:
            table.add_row(" ".join(filter(None, (rule.kind, rule.name, rule.text))), rule.location)
        console.print(table)
        if len(unused) > MOST_ROWS:
            console.print(Text(f"and {counted(len(unused) - MOST_ROWS, 'other')}", style="dim"))


def _curves(report: Report, look: Palette) -> Table:
    """How values develop from the first decision to the last, as rows of small columns."""
    table = plain_grid()
    for name in ("over the game", "first", "", "last"):
        table.add_column(name, justify="right" if name in ("first", "last") else "left")
    if report.branching:
        means = [each.mean for each in report.branching]
        table.add_row("legal moves", f"{means[0]:.1f}", _columns(means, 0, max(means)), f"{means[-1]:.1f}")
    for words, curves in (("expected wins (%)", report.shares), ("score", report.scores)):
        low, high = _range(curves)
        for curve in curves:
            scale = 100 if words.startswith("expected") else 1
            label = Text(f"{words}, ").append(curve.seat, style=look.style(curve.seat))
            means = [each.mean for each in curve.moments]
            table.add_row(label, f"{scale * means[0]:.1f}", _columns(means, low, high), f"{scale * means[-1]:.1f}")
    return table


def _range(curves: Sequence[Curve]) -> tuple[float, float]:
    means = [each.mean for curve in curves for each in curve.moments]
    return min(means, default=0.0), max(means, default=0.0)


def _columns(values: Sequence[float], low: float, high: float) -> str:
    """One small column a value."""
    width = (high - low) or 1
    return "".join(HEIGHTS[min(len(HEIGHTS) - 1, int(len(HEIGHTS) * (value - low) / width))] for value in values)


def _points(report: Report, look: Palette) -> Table:
    table = plain_grid()
    table.add_column("rule")
    for seat in report.setting.game.seats:
        table.add_column(Text(seat, style=look.style(seat)), justify="right")
    for name in ("games (%)", "of all (%)", ""):
        table.add_column(name, justify="left" if not name else "right")
    for source in report.points[:MOST_ROWS]:
        means = [f"{mean:.2f}" for _, mean in source.seats]
        table.add_row(
            source.text, *means, f"{100 * source.games.mean:.0f}", f"{100 * source.part:.1f}", bar(source.part)
        )
    return table


def _skill(steps: Sequence[Step]) -> Table:
    table = plain_grid()
    for name in ("bot", "against", "share (%)", "95% interval", "even", "games", ""):
        table.add_column(name, justify="left" if name in ("bot", "against", "") else "right")
    for step in steps:
        interval = f"{100 * step.low:.1f} to {100 * step.high:.1f}"
        even = f"{100 * step.even:.0f}"
        table.add_row(
            step.better, step.weaker, f"{100 * step.share:.1f}", interval, even, str(step.games), bar(step.share)
        )
    return table


def _picks(report: Report) -> Table:
    table = plain_grid()
    for name in ("piece", "offered", "chosen", "chosen (%)", ""):
        table.add_column(name, justify="left" if name in ("piece", "") else "right")
    shown = report.picks
    if len(shown) > MOST_ROWS:
        shown = (*shown[: MOST_ROWS // 2], *shown[-MOST_ROWS // 2 :])
    for each in shown:
        part = each.chosen / each.offered if each.offered else 0.0
        table.add_row(each.kind, str(each.offered), str(each.chosen), f"{100 * part:.1f}", bar(part))
    return table
