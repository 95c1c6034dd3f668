"""The page and the pictures of a run, a sweep or a comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cli.laboratory.charts.catalogue import comparison_plots, plots
from cli.laboratory.charts.developments import sweep_plots
from cli.laboratory.charts.plot import pictures
from cli.laboratory.inks import light_inks
from cli.laboratory.page.document import Document, paragraphs
from cli.laboratory.page.run import BOTS, CORRECTED, INTERVALS, PAIRS, SWEEPS, run_page
from cli.laboratory.sweeping import Sweep, varied_words
from cli.laboratory.tables import who_plays
from cli.laboratory.wording import number
from dsl.text.nouns import counted
from interpreter.laboratory.comparing import Comparison
from interpreter.laboratory.report import Report
from interpreter.laboratory.setting import Setting


def page_of(result: Report | Sweep | Comparison) -> str:
    """The page of a result."""
    match result:
        case Report():
            return run_page(result)
        case Sweep():
            return sweep_page(result)
        case Comparison():
            return comparison_page(result)


def pictures_of(result: Report | Sweep | Comparison) -> dict[str, str]:
    """All charts of a result as SVG, by name."""
    match result:
        case Report():
            inks = light_inks(result.sides, result.setting.game.seats, result.setting.names)
            return pictures([plot for group in plots(result, inks).values() for plot in group], inks)
        case Sweep():
            inks = light_inks(sides_of(result.reports), seats_of(result.reports), names_of(result.reports))
            return pictures(sweep_plots(result, inks), inks)
        case Comparison():
            reports = (result.report_a, result.report_b)
            inks = light_inks(sides_of(reports), seats_of(reports), names_of(reports))
            return pictures(comparison_plots(result, inks), inks)


# ------------------------------------------------------------ the pages of a sweep and of a comparison


def seats_of(reports: Sequence[Report]) -> tuple[str, ...]:
    """The seats of several runs, each once."""
    return tuple(dict.fromkeys(seat for report in reports for seat in report.setting.game.seats))


def names_of(reports: Sequence[Report]) -> dict[str, str]:
    """The display name of each of these seats."""
    return {seat: name for report in reports for seat, name in report.setting.names.items()}


def sides_of(reports: Sequence[Report]) -> tuple[str, ...]:
    """The seats and teams of several runs, each once, by display name."""
    return tuple(dict.fromkeys([*names_of(reports).values(), *(side for report in reports for side in report.sides)]))


def sweep_page(sweep: Sweep) -> str:
    """The page of a sweep."""
    first = sweep.reports[0]
    title, games = first.setting.game.title, counted(first.requested, "game")
    settings = f"{counted(len(sweep.choices), 'setting')}{_bots(sweep.reports)}"
    document = Document(
        "Sweep of the laboratory", title, f"{games} of each of {settings}",
        f"varied: {', '.join(varied_words(sweep)[0])}; {_fixed(first.setting, sweep.choices[0].varied)}",
        seats_of(sweep.reports), sides_of(sweep.reports), names_of(sweep.reports),
    )  # fmt: skip
    document.add_plots("Figures", [*sweep_plots(sweep, document.inks)])
    document.sections["How to read this"] = paragraphs([SWEEPS, INTERVALS, BOTS])
    return document.markup()


def comparison_page(comparison: Comparison) -> str:
    """The page of a comparison."""
    setting_a, setting_b = comparison.report_a.setting, comparison.report_b.setting
    same = setting_a.game.title == setting_b.game.title
    reports = (comparison.report_a, comparison.report_b)
    document = Document(
        "Comparison of the laboratory",
        setting_a.game.title if same else f"{setting_a.game.title} and {setting_b.game.title}",
        f"{number(comparison.pairs)} pairs of games of {who_plays(setting_a)}",
        f"A: {setting_a.game.title}; {_fixed(setting_a, ())}. B: {setting_b.game.title}; {_fixed(setting_b, ())}.",
        seats_of(reports), sides_of(reports), names_of(reports),
    )  # fmt: skip
    if sentences := comparison.conclusions:
        document.sections["In words"] = paragraphs(sentences)
    document.add_plots("Differences", [*comparison_plots(comparison, document.inks)])
    document.sections["How to read this"] = paragraphs([PAIRS, CORRECTED, BOTS])
    return document.markup()


def _bots(reports: Sequence[Report]) -> str:
    """Who plays, if that is the same in all settings."""
    bots = {who_plays(report.setting) for report in reports}
    return f" of {bots.pop()}" if len(bots) == 1 else ""


def _fixed(setting: Setting, varied: Collection[str]) -> str:
    """Seeds and options that were the same in all games."""
    options = "".join(
        f", {setting.option_words(*option)}" for option in setting.game.options.items() if option[0] not in varied
    )
    return f"seeds from {setting.seed}{options}"
