"""Charts as pictures: SVG that any program can show, on white."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import vl_convert

from cli.laboratory.charts.plot import Plot, finished
from cli.laboratory.inks import Inks

CLIP = re.compile(r'(<clipPath id="|clip-path="url\(#)(clip\d+)')
"""The names of clip paths in a picture, which the library numbers across all pictures that it draws."""


def picture(key: str, spec: Mapping[str, Any]) -> str:
    """Draw a chart from its specification; `key` makes its names differ from those of other pictures on a page."""
    text = str(vl_convert.vegalite_to_svg(dict(spec)))
    clip_names = dict.fromkeys(match[2] for match in CLIP.finditer(text))
    names = {name: f"{key}-{number}" for number, name in enumerate(clip_names)}
    return CLIP.sub(lambda match: match[1] + names[match[2]], text)


def pictures(plots: Iterable[Plot], inks: Inks) -> dict[str, str]:
    """Charts by key, each with its title."""
    return {plot.key: picture(plot.key, finished(plot, inks)) for plot in plots}
