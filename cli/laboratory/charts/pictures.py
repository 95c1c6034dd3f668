"""Charts as pictures: SVG that any program can show, on white."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import vl_convert

from cli.laboratory.charts.catalogue import plots
from cli.laboratory.charts.plot import finished
from cli.laboratory.inks import light_inks
from cli.laboratory.report import Report

CLIP = re.compile(r'(<clipPath id="|clip-path="url\(#)(clip\d+)')
"""The names of areas in pictures. The library counts them over all pictures that it draws."""


def picture(key: str, spec: Mapping[str, Any]) -> str:
    """A chart by its specification; `key` makes its names differ from those of other pictures on the same page."""
    text = str(vl_convert.vegalite_to_svg(dict(spec)))
    known = dict.fromkeys(found[2] for found in CLIP.finditer(text))
    names = {name: f"{key}-{number}" for number, name in enumerate(known)}
    return CLIP.sub(lambda found: found[1] + names[found[2]], text)


def pictures(report: Report) -> dict[str, str]:
    """All charts of a report by their names."""
    inks = light_inks(report.sides, report.setting.game.seats)
    return {
        plot.key: picture(plot.key, finished(plot, inks)) for found in plots(report, inks).values() for plot in found
    }
