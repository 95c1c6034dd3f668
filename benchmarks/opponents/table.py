"""The results as tables for docs/opponents.md."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.opponents.series import Results, Rotation, Series
from interpreter.analysis.figures import figure

BEGIN, END = "<!-- strength: written by python -m benchmarks.opponents -->", "<!-- end of strength -->"

PARTS = {
    "random": "Against random moves",
    "greedy": "Against `greedy`, in the large games",
    "iterations": "More iterations against fewer",
    "levels": "Each level against the one below",
    "curve": "More time against less",
    "openspiel": "Against OpenSpiel's `MCTSBot`, with equally many simulations and random games to the end",
    "openspiel_time": "Against OpenSpiel's `MCTSBot`, with equally much processor time for each move",
    "equilibrium": "Against equilibrium policies, in chips a hand",
    "values": "Known values",
}
"""The parts, with their titles."""

STEPS = ("levels", "curve")
"""The parts with a table of one row for each game, and one column for each step from less thinking to more."""

ITERATIONS = re.compile(r":\d+")
"""The iterations in the name of a step, which differ by game."""

NOT_RUN = "not run"
HEADINGS = ("game", "measured", "games", "result", "95 % interval", "verdict")


def in_page(page: str, everything: Sequence[Series], results: Results) -> str:
    """A page with the tables between the two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables(everything, results)}\n\n{END}{after}"


def tables(everything: Sequence[Series], results: Results) -> str:
    """All tables, with what was not run."""
    parts = []
    for part, title in PARTS.items():
        own = [each for each in everything if each.part == part]
        lines = steps(own, results) if part in STEPS else [HEADINGS, *(row(each, results) for each in own)]
        lines.insert(1, tuple("---" for _ in lines[0]))
        parts.append("\n".join([f"**{title}**", "", *(f"| {' | '.join(cells)} |" for cells in lines)]))
        if part in STEPS:
            parts += unplayed(own, results)
        if part == "equilibrium":
            parts += [
                line for game in dict.fromkeys(each.game for each in own) for line in _difference(game, own, results)
            ]
    return "\n\n".join(parts)


def steps(own: Sequence[Series], results: Results) -> list[tuple[str, ...]]:
    """The shares of more thinking against less: a row for each game that was played, below the names of the steps."""
    columns = list(dict.fromkeys(ITERATIONS.sub("", one.name.rpartition("/")[2]) for one in own))
    by_game: dict[str, list[str]] = {}
    for one in own:
        by_game.setdefault(one.game, []).append(_step(one, results))
    played = ((game, *cells) for game, cells in by_game.items() if {*cells} != {NOT_RUN})
    return [("game", *columns), *played]


def unplayed(own: Sequence[Series], results: Results) -> list[str]:
    """The games without any result."""
    played = {one.game for one in own if results.of(one)}
    games = [game for game in dict.fromkeys(one.game for one in own) if game not in played]
    return [f"Not run: {', '.join(games)}."] if games else []


def _step(series: Series, results: Results) -> str:
    """A share with its number of games and its interval."""
    played = results.of(series)
    if not played:
        return NOT_RUN
    found, games = series.figure([each.value for each in played]), sum(each.games for each in played)
    return f"{found.mean:.2f} of {games} ({found.low:.2f} to {found.high:.2f})"


def row(series: Series, results: Results) -> tuple[str, ...]:
    """A line of the table: what was measured, and what came of it."""
    played = results.of(series)
    if not played:
        return (series.game, series.claim, "0", NOT_RUN, "", "")
    values = [each.value for each in played]
    found, games = series.figure(values), sum(each.games for each in played)
    if series.part == "values":
        verdict = "equal" if found.mean == 1 else "not equal"
        return (series.game, series.claim, "", f"{100 * found.mean:.0f} % of the positions", "", verdict)
    thinking = _thinking(played)
    bounds = "" if found.low is None or found.high is None else f"{found.low:.3f} to {found.high:.3f}"
    count = f"{games} seeds" if series.part == "equilibrium" else str(games)
    return (series.game, series.claim, count, f"{found.mean:.3f}", bounds, f"{_verdict(series, values)}{thinking}")


def _thinking(played: Sequence[Rotation]) -> str:
    """The mean processor time of a move of our bot and of the other one."""
    times = [(one.ours, one.theirs) for one in played if one.ours is not None and one.theirs is not None]
    if not times:
        return ""
    ours, theirs = (1000 * sum(seconds) / len(times) for seconds in zip(*times, strict=True))
    return f"; {ours:.0f} ms a move against {theirs:.0f} ms"


def _verdict(series: Series, values: Sequence[float]) -> str:
    """What the interval says once no more games are needed."""
    found = series.figure(values)
    if not series.decided(values):
        return "not complete"
    if not series.shares or found.low is None or found.high is None:
        return ""
    if series.part == "openspiel":
        return "weaker" if found.high < series.even else "stronger" if found.low > series.even else "not weaker"
    even = f"{series.even:.2f}"
    words = f"above {even}" if found.low > series.even else f"below {even}" if found.high < series.even else "undecided"
    if series.target is None:
        return words
    return f"{words}; {series.target} {'reached' if found.mean >= series.target else 'missed'}"


def _difference(game: str, own: Sequence[Series], results: Results) -> list[str]:
    """How much more our bot gains than OpenSpiel's, seed by seed."""
    ours, theirs = ([each.value for each in results.of(one)] for one in own if one.game == game)
    both = [mine - other for mine, other in zip(ours, theirs, strict=False)]
    found = figure(both)
    if found.low is None or found.high is None:
        return []
    words = "it loses no more" if found.high >= 0 else "it loses more"
    complete = all(one.decided([each.value for each in results.of(one)]) for one in own if one.game == game)
    verdict = words if complete else f"so far {words}"
    return [
        f"In {game}, `mcts` gains {found.mean:+.4f} chips a hand more than `ISMCTSBot` with the same seeds "
        f"({found.low:+.4f} to {found.high:+.4f}): {verdict}."
    ]
