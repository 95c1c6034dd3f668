"""The report of an arena: who is strongest, by how much, and with what certainty."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from cli.arena.playing import Contest
from cli.render.echo import echo
from cli.render.screen import screen
from cli.render.tables import plain_grid
from dsl.text.nouns import counted
from interpreter.laboratory.confidence import EXTRA, Rating
from interpreter.laboratory.pairings import Pairing
from interpreter.laboratory.standings import Standing, Standings
from interpreter.laboratory.statistics import Criterion
from interpreter.opponents.specs import is_timed

NARROWEST_CROSS_TABLE = 3
"""The minimum number of bots for which a cross table is more informative than the list of pairings."""


def report(contest: Contest, standings: Standings, names: Sequence[str], criteria: Sequence[Criterion]) -> None:
    """Print the figures."""
    console, first = screen(), standings.pairings[0]
    options = "".join(f", {name} is {value}" for name, value in contest.game.options.items())
    console.print(Text(f"{contest.game.title}: {', '.join(names)}", style="bold"))
    console.print(Text(f"{_seeds(contest.seed, standings.pairings)}{options}", style="dim"))
    console.print(Text(seating(first), style="dim"))
    if not any(pairing.values for pairing in standings.pairings):
        return
    console.print()
    console.print(_ranking(standings.bots, names, criteria if len(first.sides) == 1 else ()))
    if len(names) >= NARROWEST_CROSS_TABLE:
        console.print()
        console.print(_cross_table(standings, names))
    console.print()
    console.print(_pairings(standings.pairings, names))
    console.print()
    console.print(Text("the intervals of shares are valid at any time, however often you look or stop", style="dim"))
    for pairing, same in zip(standings.pairings, standings.same, strict=True):
        if same:
            pair = f"{names[pairing.first]} and {names[pairing.second]}"
            console.print(
                Text(f"all rotations of {pair} were identical, move by move: more would show nothing new", style="dim")
            )
    timed = [name for name, bot in zip(names, contest.bots, strict=True) if is_timed(bot)]
    if timed:
        words = f"with a time limit, {' and '.join(timed)} may play differently in another run"
        console.print(Text(words, style="dim"))
    if standings.bots[0].rating is None:
        echo(f"note: to get ratings, install the library choix: {EXTRA}", err=True)


def seating(pairing: Pairing) -> str:
    """How bots are assigned to seats, in words."""
    if len(pairing.sides) == 1:
        return "each bot plays separate games; those with the same seed are compared"
    rotation = f"rotations of {counted(len(pairing.seatings), 'game')} with the same seed"
    if len(pairing.sides) == 2:
        return f"{rotation}, in which each of two bots has each {_place(pairing)} once"
    return f"{rotation}: each of two bots sits once alone at each {_place(pairing)}, the other at all others"


def _place(pairing: Pairing) -> str:
    return "side" if any(len(side) > 1 for side in pairing.sides) else "seat"


def _seeds(first: int, pairings: Sequence[Pairing]) -> str:
    last = first + max(pairing.seen for pairing in pairings) - 1
    return f"seed {first}" if last <= first else f"seeds {first} to {last}"


def _ranking(bots: Sequence[Standing], names: Sequence[str], criteria: Sequence[Criterion]) -> object:
    table = plain_grid()
    for heading in ("bot", "rating", "95% interval", "share (%)", "games", *(standing.words for standing in criteria)):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for standing in bots:
        means = [f"{100 * figure.mean:.1f}%" if criterion.condition else f"{figure.mean:.2f}"
                 for criterion, figure in zip(criteria, standing.scores, strict=False)]  # fmt: skip
        table.add_row(
            names[standing.bot], *_rating(standing.rating), f"{100 * standing.share:.1f}", str(standing.games), *means
        )
    return table


def _rating(rating: Rating | None) -> tuple[str, str]:
    return ("", "") if rating is None else (f"{round(rating.rating)}", f"{round(rating.low)} to {round(rating.high)}")


def _cross_table(standings: Standings, names: Sequence[str]) -> object:
    """The share of each row against each column."""
    table = plain_grid()
    table.add_column("share (%) against")
    for column in standings.bots:
        table.add_column(names[column.bot], justify="right")
    shares = {(column.first, column.second): column.share for column in standings.pairings if column.values}
    shares |= {(second, first): 1 - share for (first, second), share in shares.items()}
    for row in standings.bots:
        against = [shares.get((row.bot, column.bot)) for column in standings.bots]
        table.add_row(names[row.bot], *("" if share is None else f"{100 * share:.1f}" for share in against))
    return table


def _pairings(pairings: Sequence[Pairing], names: Sequence[str]) -> object:
    table = plain_grid()
    for heading in ("pairing", "share (%)", "95% interval", "games", ""):
        table.add_column(heading, justify="right" if heading not in ("pairing", "") else "left")
    for pairing in pairings:
        low, high = pairing.interval
        better = pairing.first if pairing.share >= pairing.even else pairing.second
        verdict = f"{names[better]} is stronger" if pairing.decided else "undecided"
        share = f"{100 * pairing.share:.1f}" if pairing.values else ""
        pair = f"{names[pairing.first]} against {names[pairing.second]}"
        table.add_row(pair, share, f"{100 * low:.1f} to {100 * high:.1f}", str(pairing.games), verdict)
    return table
