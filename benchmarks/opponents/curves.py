"""`python -m benchmarks.opponents.curves`: draw how strength grows with thinking, from the results that there are.

For each part in steps, a picture with a chart for each game: the rating of more thinking above that of the least, on
the Elo scale (400 points are odds of ten to one). Ratings are sums over the steps. A side that won all games counts as
if it had won half a game less, as no number of wins shows that the odds are infinite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import log10
from typing import Any

import altair as alt

from benchmarks.opponents import strength
from benchmarks.opponents.__main__ import RESULTS
from benchmarks.opponents.series import ROOT, Results, Series
from cli.laboratory.charts.plot import FONT, picture
from cli.laboratory.inks import light_inks

FOLDER = ROOT / "docs" / "pictures"
PICTURES = {"levels": "Strength by level", "curve": "Strength by thinking time"}
"""The parts that are drawn, with the titles of their pictures."""

COLUMNS, WIDTH, HEIGHT = 4, 150, 110
SIDE = re.compile(r"(.+):(\d+) against (.+):(\d+)")
"""The name of a step: more and less thinking, each with its iterations."""

Point = dict[str, Any]


def points(part: str, everything: Iterable[Series], results: Results) -> Iterator[Point]:
    """The ratings of each game, from the least thinking on, as far as its steps were played without a gap."""
    reached: dict[str, tuple[str, float]] = {}
    for one in everything:
        played = results.of(one)
        named = SIDE.fullmatch(one.name.rpartition("/")[2])
        if one.part != part or named is None or not played:
            continue
        more, iterations, less, fewer = named.groups()
        if one.game not in reached:
            reached[one.game] = less, 0.0
            yield {"game": one.game, "thinking": thinking(less, fewer), "rating": 0.0, "low": 0.0, "high": 0.0}
        before, rating = reached[one.game]
        if before != less:
            continue
        values, games = [each.value for each in played], sum(each.games for each in played)
        found = one.figure(values)
        assert found.low is not None and found.high is not None
        low, mean, high = (rating + above(share, games) for share in (found.low, found.mean, found.high))
        reached[one.game] = more, mean
        yield {"game": one.game, "thinking": thinking(more, iterations), "rating": mean, "low": low, "high": high}


def thinking(name: str, iterations: str) -> float:
    """The place on the axis: seconds for a time, iterations for a level."""
    seconds = name.removesuffix(" s")
    return float(iterations) if seconds == name else float(seconds)


def above(share: float, games: int) -> float:
    """The difference of ratings that a share means."""
    least = 0.5 / games
    inside = min(1 - least, max(least, share))
    return 400 * log10(inside / (1 - inside))


def specification(title: str, axis: str, found: Sequence[Point]) -> dict[str, Any]:
    """A chart for each game, in Vega-Lite."""
    inks = light_inks((), ())
    x = alt.X("thinking:Q", title=axis, scale=alt.Scale(type="log"), axis=alt.Axis(format="~s", tickCount=4))
    base = alt.Chart().encode(x=x)
    marks = [
        base.mark_rule(color=inks.quiet).encode(y=alt.Y("low:Q", title="Elo"), y2="high:Q"),
        base.mark_line(color=inks.accent, point=alt.OverlayMarkDef(color=inks.accent)).encode(y="rating:Q"),
    ]
    layers = alt.LayerChart(layer=marks, width=WIDTH, height=HEIGHT)
    of_games = layers.facet(
        facet=alt.Facet("game:N", title=None), columns=COLUMNS, data=alt.InlineData(values=[*found])
    )  # fmt: skip
    spec: dict[str, Any] = of_games.properties(title=title, background="white").configure(font=FONT).to_dict()
    return spec


def main() -> None:
    """Draw a picture for each part of which something was played."""
    results, everything = Results(RESULTS), list(strength.series())
    for part, title in PICTURES.items():
        found = list(points(part, everything, results))
        if found:
            axis = "seconds a decision" if part == "curve" else "iterations a decision"
            svg = picture(part, specification(title, axis, found))
            (FOLDER / f"strength_{part}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
