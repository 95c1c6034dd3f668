"""The page and the pictures of a run, a sweep or a comparison."""

from __future__ import annotations

from cli.laboratory.charts.catalogue import plots
from cli.laboratory.charts.comparisons import comparison_plots
from cli.laboratory.charts.pictures import pictures
from cli.laboratory.charts.sweeps import sweep_plots
from cli.laboratory.comparing import Comparison
from cli.laboratory.inks import light_inks
from cli.laboratory.page.run import run_page
from cli.laboratory.page.several import comparison_page, names_of, seats_of, sides_of, sweep_page
from cli.laboratory.report import Report
from cli.laboratory.sweeping import Sweep


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
