"""Charts as pictures: SVG that any program can show, on white."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import vl_convert

from cli.laboratory.charts.catalogue import plots
from cli.laboratory.charts.plot import Plot, finished
from cli.laboratory.inks import Inks, light_inks
from cli.laboratory.report import Report


def picture(spec: Mapping[str, Any]) -> str:
    """A chart by its specification."""
    return str(vl_convert.vegalite_to_svg(dict(spec)))


def drawn(plot: Plot, inks: Inks) -> str:
    """A plot with its title."""
    return picture(finished(plot, inks))


def pictures(report: Report) -> dict[str, str]:
    """All charts of a report by their names."""
    inks = light_inks(report.sides, report.setting.game.seats)
    return {plot.key: drawn(plot, inks) for found in plots(report, inks).values() for plot in found}
