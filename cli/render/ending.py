"""The outcome of a game: places, points, and the origin of every point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.palette import Palette
from cli.render.reasons import sources
from cli.render.tables import plain_grid
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.seat.explain.outcome import Outcome


def standings(outcome: Outcome) -> list[tuple[int, str, tuple[int, ...]]]:
    """Place, seat and scores of everyone, best first."""
    return [(place, seat, tuple(outcome.scores[seat])) for seat, place in outcome.places.items()]


def score_table(outcome: Outcome, look: Palette) -> RenderableType:
    """Place, player, team if there are teams, and one column per criterion."""
    grid = plain_grid()
    grid.add_column(look.words.phrase("Place"), justify="right")
    grid.add_column(look.words.phrase("Player"))
    if outcome.teams:
        grid.add_column(look.words.phrase("Team"))
    for criterion in outcome.criteria:
        grid.add_column(criterion, justify="right", overflow="fold")
    for place, seat, figures in standings(outcome):
        bold = "bold " if seat in outcome.winners else ""
        name = Text(look.words.name(seat), style=f"{bold}{look.style(seat)}")
        conditions = outcome.program.conditions
        words = [_in_words(figure, number in conditions, look.words) for number, figure in enumerate(figures)]
        team = [Text(look.words.name(outcome.teams.get(seat, "")), style=bold.strip())] if outcome.teams else []
        grid.add_row(Text(str(place)), name, *team, *(Text(figure, style=bold.strip()) for figure in words))
    return Padding(grid, (0, 0, 0, 2))


def _in_words(figure: int, is_condition: bool, words: Words) -> str:
    """A number, or whether a condition is met."""
    return words.phrase("yes" if figure else "no") if is_condition else str(figure)


def explanations(outcome: Outcome, look: Palette) -> Iterator[RenderableType]:
    """Every point of every seat, as the tree of its sums."""
    for _, seat, _ in standings(outcome):
        yield Text(f" {look.words.name(seat)}", style=f"bold {look.style(seat)}")
        yield from _trees(outcome.explained.get(seat, ()), 1)


def _trees(trees: Sequence[Explanation], depth: int) -> Iterator[RenderableType]:
    """One line per part; parts that have no parts themselves share a line."""
    for tree in trees:
        if not tree.children and depth > 1:
            continue
        words = Text(tree.text).append(" = ", style="dim").append(tree.value, style="bold" if depth == 1 else "")
        if depth == 1 and tree.location:
            words.append(f"   {sources(tree.location, tree.cites)}", style="dim cyan")
        yield Hanging(Text("  " * (depth + 1)), words)
        leaves = [child for child in tree.children if not child.children]
        if leaves:
            texts = [_leaf(leaf) for leaf in leaves]
            between = "; " if any("," in words for words in texts) else ", "
            yield Hanging(Text("  " * (depth + 2)), Text(between.join(texts), style="dim"))
        yield from _trees(tree.children, depth + 1)


def _leaf(tree: Explanation) -> str:
    return tree.value if tree.text == tree.value else f"{tree.text} = {tree.value}"
