"""The charts of a run: what they show, in which colours, and the words and figures beside them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

pytest.importorskip("altair", reason="not installed: pip install 'regelwerk[lab]'")

from cli.laboratory.charts.catalogue import comparison_plots, plots
from cli.laboratory.charts.developments import Swept, sweep, sweep_plots
from cli.laboratory.charts.outcomes import counts, histogram, is_counted, nice, quantile, smoothed
from cli.laboratory.charts.plot import Plot, finished
from cli.laboratory.inks import ROLES, SHADES, light_inks, mark_class, page_inks, style_sheet, styles_of
from cli.laboratory.wording import in_words, interval_of, number, percent
from cli.render.palette import COLOUR_WORDS, OTHERS
from dsl.text.nouns import listed
from interpreter.analysis.figures import Figure
from interpreter.laboratory.arena import Match
from interpreter.laboratory.comparing import compare
from interpreter.laboratory.report import Report
from tests.cli.runs import HOSTILE, MARKET, game_of, made_up, run_of, sweep_of

CONDITION = MARKET.replace("winner highest points[me] then lowest count shelf[me]", "winner points[me] > 9")
TOGETHER = MARKET.replace("highest points[me] then lowest count shelf[me]", "highest (sum points[p] for p in Player)")
ALONE = MARKET.replace("for 2 to 3", "for 1 to 3")


def drawn(report: Report, on_page: bool = False, validate: bool = False) -> dict[str, Plot]:
    inks = (page_inks if on_page else light_inks)(report.sides, report.setting.game.seats)
    found = {plot.key: plot for each in plots(report, inks).values() for plot in each}
    for plot in found.values():
        json.dumps(finished(plot, inks, validate), allow_nan=False)
    return found


@pytest.fixture(scope="module")
def market() -> dict[str, Plot]:
    """The charts of an ordinary run."""
    return drawn(run_of(), validate=True)


# ---- what is shown


def rows_with(plot: Plot, field: str) -> list[dict[str, Any]]:
    """The rows of the first layer whose rows have a field."""
    inks = light_inks((), ())
    sets = finished(plot, inks)["datasets"].values()
    return next([*rows] for rows in sets if rows and field in rows[0])


def test_shares_of_wins_have_intervals_and_an_even_share(market):
    report = run_of()
    plot = market["win_shares"]
    rows = {row["side"]: row for row in rows_with(plot, "low")}
    wins = [each for each in report.measures if each.measure.key.startswith("win:")]
    assert len(rows) == len(wins) == 3
    for each in wins:
        row = rows[each.measure.subject]
        assert (row["share"], row["low"], row["high"]) == (each.figure.mean, each.figure.low, each.figure.high)
    assert "an even share, 33.3%" in plot.note
    assert [{"share": pytest.approx(1 / 3)}] in finished(plot, light_inks((), ()))["datasets"].values()
    assert plot.words.startswith("red wins ")


def test_nobody_and_everyone_may_win():
    assert {row[0] for row in drawn(run_of(CONDITION, 20, 5))["win_shares"].grid.rows} == {
        "red",
        "green",
        "ann",
        "nobody",
    }
    together = drawn(run_of(TOGETHER, 20, 5))["win_shares"]
    assert [row[0] for row in together.grid.rows] == ["everyone"]
    assert "even share" not in together.note


def test_scores_are_those_of_the_rules(market):
    """Where less is better, records have negated scores."""
    for key, place in (("scores", 0), ("scores2", 1)):
        sign = 1 if place == 0 else -1
        values = sorted(sign * record.scores[1][place] for record in run_of().records)
        (row,) = [row for row in market[key].grid.rows if row[0] == "green"]
        assert (row[3], row[5], row[7]) == (number(values[0]), number(quantile(values, 0.5)), number(values[-1]))
    assert not {"scores", "margin"} & {*drawn(run_of(CONDITION, 20, 5))}, "a condition has no scores"


def test_lengths_are_counted():
    report = made_up(game_of(MARKET), 200, 0)
    rows = rows_with(drawn(report)["decisions"], "range")
    assert sum(float(row["games"]) for row in rows) == 200
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_points_add_up_for_every_reason(market):
    report = run_of()
    plot = market["points"]
    rows = rows_with(plot, "points")
    for place, source in enumerate(report.points):
        assert {row["side"]: row["points"] for row in rows if row["row"] == place} == dict(source.seats)
    assert {row[0] for row in plot.grid.rows} == {source.text for source in report.points}
    assert plot.legend == report.setting.game.seats


def test_what_is_never_used_is_named(market):
    report = run_of(MARKET, 1, 1)
    plot = drawn(report)["usage"]
    never = [rule.name for rule in report.usage.unused_rules]
    assert all(name in plot.words for name in never)
    assert len(plot.grid.rows) == len([rule for rule in report.usage.rules if rule.kind != "value"])
    for row in rows_with(market["usage"], "part"):
        assert row["part"] < 1, "what all games use is in the table only"


def test_picks_are_shares_of_what_was_offered(market):
    report = run_of()
    rows = {row["text"]: row for row in rows_with(market["picks"], "offered")}
    for kind in report.picks:
        assert rows[kind.kind]["part"] == kind.chosen / kind.offered


def test_lines_over_the_game_have_a_value_for_every_moment(market):
    report = run_of()
    for key, curves in (("expected_wins", report.shares), ("score_courses", report.scores)):
        plot = market[key]
        rows = rows_with(plot, "mean")
        for curve in curves:
            means = [row["mean"] for row in rows if row["side"] == curve.seat]
            assert means == [moment.mean for moment in curve.moments]
        assert len(plot.grid.rows) == 21
    assert len(rows_with(market["branching"], "mean")) == 20


@pytest.mark.parametrize(
    "make",
    [
        lambda: made_up(game_of(MARKET), 0, 0),
        lambda: made_up(game_of(MARKET), 0, 0, failed=2),
        lambda: made_up(game_of(MARKET), 1, 0),
        lambda: made_up(game_of(MARKET), 1, 1),
        lambda: made_up(game_of(MARKET.replace("winner highest", "winner lowest")), 12, 4),
        lambda: run_of(ALONE, 5, 2, 1),
        lambda: run_of(TOGETHER, 20, 5),
        lambda: run_of(CONDITION, 20, 5),
        lambda: run_of(HOSTILE, 20, 5),
    ],
)
def test_every_run_can_be_drawn(make):
    report = make()
    found = drawn(report, on_page=True)
    assert bool(found) == bool(report.records)
    for plot in found.values():
        assert {len(row) for row in plot.grid.rows} == {len(plot.grid.headings)}


def test_bots_are_compared_with_equal_ones():
    steps = (
        Match("greedy", "random", 120, 60, 0.8, 0.7, 0.88, 0.5, True, True, False),
        Match("mcts:30", "greedy", 120, 60, 0.52, 0.4, 0.64, 0.5, False, True, False),
    )
    found = drawn(replace(made_up(game_of(MARKET), 5, 0), skill=steps), validate=True)["skill"]
    assert found.words == "1 of 2 bots are shown to be stronger than the one below them."
    assert found.grid.rows[0] == ("greedy against random", "80.0%", "70.0% to 88.0%", "50.0%", "120")
    assert [row["share"] for row in rows_with(found, "share")] == [0.8, 0.52]


# ---- along a setting


def swept(points: list[tuple[str | float, dict[str, Figure]]]) -> tuple[Plot, dict[str, Any]]:
    inks = light_inks(("red", "green"), ("red", "green"))
    plot = sweep(Swept("swept", "goal", "games won", True, tuple(points)), inks)
    return plot, finished(plot, inks)


def figure_of(mean: float) -> Figure:
    return Figure(mean, mean - 0.1, mean + 0.1, 0, 1)


def test_numbers_are_joined_by_a_line_and_names_are_not():
    def each(mean: float) -> dict[str, Figure]:
        return {"red": figure_of(mean), "green": figure_of(1 - mean)}

    plot, spec = swept([(20, each(0.3)), (40, each(0.4)), (80, each(0.6))])
    assert {layer["mark"]["type"] for layer in spec["layer"]} == {"area", "line"}
    assert plot.grid.headings == ("goal", "red", "red, interval", "green", "green, interval")
    assert plot.grid.rows[0] == ("20", "30.0%", "20.0% to 40.0%", "70.0%", "60.0% to 80.0%")
    assert plot.legend == ("red", "green")
    assert "red from 30.0% to 60.0%" in plot.words
    plot, spec = swept([("plain", each(0.3)), ("even_cards", each(0.4))])
    assert {layer["mark"]["type"] for layer in spec["layer"]} == {"bar", "circle"}
    plot, spec = swept([(20, {"": figure_of(0.3)}), (40, {"": figure_of(0.2)})])
    assert plot.legend == ()


def test_every_measure_of_a_sweep_has_a_chart():
    found = sweep_of(6, 8)
    inks = light_inks(("red", "green", "ann"), ("red", "green", "ann"))
    charts = {plot.key: plot for plot in sweep_plots(found, inks)}
    assert [*charts] == ["sweep_win", "sweep_decisions", "sweep_moves"]
    assert charts["sweep_win"].legend == ("red", "green", "ann")
    assert charts["sweep_decisions"].grid.rows == (("6", "6", "6 to 6"), ("8", "8", "8 to 8"))
    for plot in charts.values():
        finished(plot, inks, validate=True)


def test_a_comparison_is_drawn_as_its_verdicts():
    pytest.importorskip("scipy", reason="not installed: pip install 'regelwerk[lab]'")
    found = compare(run_of(goal=8), run_of(goal=12))
    inks = light_inks((), ())
    charts = {plot.key: plot for plot in comparison_plots(found, inks)}
    assert [*charts] == ["differences_of_shares", "relative_differences"]
    rows = {row[0]: row for plot in charts.values() for row in plot.grid.rows}
    assert rows["decisions per game"][1:] == ("8", "12", "+4", "+4 to +4", "more in B")
    for each in found.differences:
        name = f"{each.measure.words}, {each.measure.subject}" if each.measure.subject else each.measure.words
        assert (name in rows) == (each.measure.share or each.mean_a != 0)
    for plot in charts.values():
        for row in rows_with(plot, "sure"):
            assert row["low"] <= row["mean"] <= row["high"]
            assert row["sure"] == (row["verdict"] in ("more in B", "less in B"))
    same = [plot.words for plot in comparison_plots(compare(run_of(), run_of()), inks)]
    assert same == ["No difference is shown."] * 2


# ---- distributions


def test_counts_and_densities_have_the_games_under_them():
    values = [1, 2, 2, 3, 3, 3, 9]
    assert sum(share for _, share in counts(values, 1, 9)) == pytest.approx(1)
    many = [float(value % 97) for value in range(0, 5000, 7)]
    found = smoothed(many, -100, 200)
    assert sum(share for _, share in found) * (found[1][0] - found[0][0]) == pytest.approx(1, abs=0.02)
    assert smoothed([5.0, 5.0], 5, 5)[0][1] > 0


def test_whether_values_are_counted_depends_on_their_range():
    assert is_counted([0, 3, 12], 3)
    assert not is_counted([0, 3, 13], 3)
    assert is_counted([0, 3, 13], 600)
    assert not is_counted([0, 41], 10_000)
    assert not is_counted([0.5, 1], 10)


@pytest.mark.parametrize("values", [[7], [0, 1], [-40, 900, 3, 3, 5], [0.25, 0.5, 1.75], [*range(31)], [10**6, 0]])
def test_every_value_lies_in_one_bar(values):
    bars = histogram(values)
    assert sum(bar.games for bar in bars) == len(values)
    assert len(bars) <= 62
    for value in values:
        assert any(bar.first <= value <= bar.last and bar.games for bar in bars), value
    assert [nice(width) for width in (0, 0.03, 1, 1.2, 3, 70)] == [1, 0.05, 1, 2, 5, 100]


# ---- words


def test_figures_in_words():
    assert [percent(value) for value in (0, 0.0004, 0.412, 0.9999, 1)] == ["0.0%", "<0.1%", "41.2%", ">99.9%", "100.0%"]
    assert [number(value) for value in (7.4109, 12, 1234.5, -3.5)] == ["7.41", "12", "1,234", "\N{MINUS SIGN}3.50"]
    assert in_words(Figure(0.5, 0.4, 0.6, 0, 1), True) == "50.0% (40.0% to 60.0%)"
    assert in_words(Figure(3, None, None, 3, 3), False) == "3"
    assert interval_of(Figure(3, None, None, 3, 3), False) == "\N{EN DASH}"
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


# ---- colours


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How people see linear colours who lack one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1)."""


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    """A colour in OKLab, as somebody sees it."""
    rgb = [sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in SIGHTS[sight]]
    red, green, blue = (min(1.0, max(0.0, part)) for part in rgb)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: str, other: str, sight: str) -> float:
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def test_every_colour_is_seen_on_its_ground():
    """Three to one, as guidelines ask of the parts of pictures; four and a half for letters."""
    for mode in (0, 1):
        ground, page = ROLES["ground"][mode], ROLES["page"][mode]
        for style in {*COLOUR_WORDS.values(), *OTHERS}:
            assert contrast(SHADES[style][mode], ground) >= 3, (style, mode)
        for role in ("letters", "quiet", "accent", "warning"):
            assert min(contrast(ROLES[role][mode], each) for each in (ground, page)) >= 4.5, (role, mode)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(
    "seats",
    [
        ("p1", "p2", "p3", "p4", "p5"),
        ("red", "green", "blue", "yellow"),
        ("white", "black"),
        ("green", "red", "violet"),
        ("red", "blue", "green", "ann", "ben"),
    ],
)
def test_seats_are_distinguishable_by_colour_blind_people(seats, sight):
    styles = styles_of(seats, seats)
    for one, other in combinations(seats, 2):
        for mode in (0, 1):
            found = distance(SHADES[styles[one]][mode], SHADES[styles[other]][mode], sight)
            assert found > 0.055, (one, other, mode, found)


def test_teams_have_colours_that_no_seat_has():
    seats, sides = ("red", "ann"), ("red", "ann", "attackers", "defenders")
    styles = styles_of(sides, seats)
    assert len(set(styles.values())) == 4
    inks = page_inks(sides, seats)
    assert [inks.marks[side] for side in sides] == [f"var(--mark{number})" for number in range(4)]
    assert len(set(inks.dashes.values())) == 4
    assert (mark_class(inks, "attackers"), mark_class(inks, "points")) == ("mark2", "")
    sheet = style_sheet(sides, seats)
    assert all(sheet.count(f"--mark{number}:") == 2 for number in range(4)), "light and dark"
    assert ".mark2{--mark:var(--mark2)}" in sheet
