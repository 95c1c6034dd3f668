"""A comparison of two sets of rules: the rules that differ, and the position where play first diverges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from cli.render.ending import score_table
from cli.render.palette import palette
from cli.render.pieces import Hanging
from cli.render.screen import screen, show
from cli.render.tables import draw_tables
from dsl.text.nouns import counted
from dsl.variants.comparison import written
from interpreter.play.trace.wording import sources

if TYPE_CHECKING:
    from dsl.variants.comparison import RuleDifference
    from interpreter.analysis.divergence import FirstDifference, PlayedPairs
    from interpreter.play.game import State
    from interpreter.seat.notation.moves import Move

COLOURS = {"-": "red", "+": "green"}
MAX_MOVES = 12

WORDS = {
    "player": "another seat decides",
    "moves": "the legal moves differ",
    "score": "the scores differ",
    "end": "one game is over, the other continues",
    "result": "the outcomes differ",
}


def report(
    first: str, second: str, differences: Sequence[RuleDifference], played: Sequence[PlayedPairs], faults: Iterable[str]
) -> None:
    """Write the whole comparison to the screen; `faults` are lines about games that ended in an error."""
    console = screen()
    diverging = [played_pairs for played_pairs in played if played_pairs.divergences]
    show(console, Text(f" from {first} to {second}", style="bold"), Text())
    for part in _rules(differences):
        console.print(part, soft_wrap=True)  # do not wrap rules: broken lines could not be parsed again
    show(console, *_figures(bool(differences), played))
    for line in faults:
        console.print(Text(f" {line}"), soft_wrap=True)
    if diverging:
        show(
            console,
            Text(),
            *_position(first, second, diverging[0].players, diverging[0].divergences[0][1], console.width),
        )


def _rules(differences: Sequence[RuleDifference]) -> Iterator[Text]:
    if not differences:
        yield Text(" the rules are the same\n")
    for difference in differences:
        yield Text(f" {difference.change} {difference.what}", style="bold")
        for sign, node in difference.said:
            for line in written(node).splitlines():
                yield Text(f"   {sign} {line}".rstrip(), style=COLOURS[sign])
            yield Text(f"     {sources(node.span.location, ())}", style="dim cyan")
        yield Text()


def _figures(differs: bool, played: Sequence[PlayedPairs]) -> Iterator[RenderableType]:
    """The number of pairs that diverge, for each number of players."""
    for played_pairs in played:
        if not played_pairs.pairs:
            continue
        diverged = sorted(pair.decisions for pair, _ in played_pairs.divergences)
        verb = "diverges" if len(diverged) == 1 else "diverge"
        words = f"{len(diverged)} of {counted(len(played_pairs.pairs), 'pair')} of random games {verb}"
        if diverged:
            words += _when(diverged)
        if played_pairs.failures:
            words += f"; {played_pairs.failures} {'ends' if played_pairs.failures == 1 else 'end'} in an error"
        yield Hanging(Text(f" {counted(played_pairs.players, 'player')}: "), Text(words))
    if (
        differs
        and any(played_pairs.pairs for played_pairs in played)
        and not any(played_pairs.divergences or played_pairs.failures for played_pairs in played)
    ):
        yield Hanging(Text(" "), Text("the difference did not matter in any of them; --games N plays more"))


def _when(diverged: Sequence[int]) -> str:
    """When pairs diverge, given the sorted numbers of decisions after which they do."""
    half = diverged[len(diverged) // 2]
    if not half:
        return ", at once" if not diverged[-1] else ", half of them at once"
    first = f"after {diverged[0]}" if diverged[0] else "at once"
    return f", half of them within {counted(half, 'decision')}, the first {first}"


def _position(
    first: str, second: str, players: int, divergence: FirstDifference, width: int
) -> Iterator[RenderableType]:
    """The position of a divergence, with one table if both sides have the same, and what differs in it."""
    state_a, state_b = divergence.state_a, divergence.state_b
    look = palette(state_a.game.seats, state_a.game.words)
    decisions = counted(state_a.ply, "decision")
    head = f" first divergence: {counted(players, 'player')}, seed {divergence.seed}, after {decisions}"
    yield Rule(Text(head, style="bold"), style="dim", align="left")
    if state_a.history:
        yield Hanging(Text(" last  "), Text(f"{state_a.history[-1].player}: {state_a.history[-1].label}"))
    view_here, view_there = state_a.view(None), state_b.view(None)
    yield draw_tables(view_here, look, width)
    if view_here.tables != view_there.tables:
        yield Text(f" the table with {second}", style="bold")
        yield draw_tables(view_there, look, width)
    yield Text(f" {WORDS[divergence.differs]}", style="bold")
    for words, state, only in ((first, state_a, divergence.only_a), (second, state_b, divergence.only_b)):
        yield Hanging(Text(f"   {words}: ", style="bold"), Text(_side(state, only, divergence.differs)))
        if divergence.differs in ("result", "end") and state.outcome is not None:
            yield score_table(state.outcome, look)


def _side(state: State, only: Sequence[Move], differs: str) -> str:
    """One side of the difference."""
    if differs == "moves":
        more = f" and {len(only) - MAX_MOVES} more" if len(only) > MAX_MOVES else ""
        return f"only here {', '.join(move.notation for move in only[:MAX_MOVES])}{more}" if only else "no other moves"
    if differs == "player":
        return f"{state.player} decides"
    if state.outcome is not None:
        return state.outcome.reason
    if differs == "end":
        return f"{state.player} decides"
    seats, program = state.game.seats, state.program
    scores = (program.criteria(state.cells, place) for place in range(len(seats)))
    return ", ".join(f"{seat} {' '.join(map(str, score))}" for seat, score in zip(seats, scores, strict=True))
