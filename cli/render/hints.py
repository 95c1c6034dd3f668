"""Hints: the best moves of a decision with their figures and expected continuations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.moves import words_of
from cli.render.palette import Palette
from cli.render.tables import plain_grid
from dsl.text.nouns import counted

if TYPE_CHECKING:
    from interpreter import Move, State
    from interpreter.opponents.mcts import Analysis, MoveAnalysis

MOST_MOVES = 5
"""The number of moves that a hint shows."""


def best_moves(analysis: Analysis) -> list[MoveAnalysis]:
    """The moves of a hint: the best of those tried."""
    return [found for found in analysis.moves if found.visits or found.proven][:MOST_MOVES]


def has_scores(state: State) -> bool:
    """True if the first criterion of the winner is a number rather than a condition."""
    return 0 not in state.program.conditions


def hint_parts(
    analysis: Analysis, moves: Sequence[Move], numbers: Mapping[str, int], look: Palette, with_scores: bool
) -> Iterator[RenderableType]:
    """The best moves with their figures and expected continuations; `with_scores` adds the expected scores.

    `numbers` are the numbers of moves in the question, by their notation.
    """
    seat = Text(look.words.name(analysis.seat), style=f"bold {look.style(analysis.seat)}")
    best = best_moves(analysis)
    tried = f"{counted(analysis.iterations, 'iteration')} of a search"
    yield Hanging(Text(" "), Text.assemble("a hint for ", seat, f", from what this seat knows ({tried}):"))
    if not best:
        yield Hanging(Text(" "), Text("no move could be tried in that time: allow more time"))
        return
    yield Padding(_table(best, moves, numbers, look, with_scores), (0, 0, 0, 2))
    others = len(moves) - len(best)
    if others:
        yield Text(f"  {counted(others, 'other move')}", style="dim")


def no_hint(fault: Exception) -> RenderableType:
    """The reason why there is no hint."""
    return Hanging(Text(" "), Text(f"there is no hint: {fault}"))


def _table(
    best: Sequence[MoveAnalysis], moves: Sequence[Move], numbers: Mapping[str, int], look: Palette, with_scores: bool
) -> RenderableType:
    grid = plain_grid()
    if numbers:
        grid.add_column("", justify="right", no_wrap=True)
    for heading in ("wins", "95 %", *(["score"] if with_scores else [])):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column("move, and the expected continuation", overflow="fold")
    for found in best:
        move = moves[found.move]
        figures = [percent(found.win_share), interval_words(found)]
        if with_scores:
            figures.append("" if found.score is None else f"{found.score:.1f}")
        if numbers:
            figures.insert(0, str(numbers.get(move.notation, "")))
        grid.add_row(*figures, _words(words_of(move, look.words), found.line[1:]))
    return grid


def _words(label: str, line: Sequence[str]) -> RenderableType:
    following = [Text("; ".join(line), style="dim")] if line else []
    return Group(Text(label, style="bold"), *following)


def percent(share: float) -> str:
    """A share of the win: `62 %`."""
    return f"{round(100 * share)} %"


def interval_words(found: MoveAnalysis) -> str:
    """The interval of a share of the win, if it is not certain."""
    return "certain" if found.proven else f"{round(100 * found.low)} to {round(100 * found.high)} %"
