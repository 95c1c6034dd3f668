"""The outcome of a game: places, points, and the origin of every point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from cli.render.palette import Palette, palette
from cli.render.pieces import Hanging
from cli.render.reasons import reasons
from cli.render.tables import draw_tables, plain_grid
from dsl.text.cells import cell_width, padded
from interpreter.play.trace.wording import sources
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.play.game import State
    from interpreter.play.saves.replay import Divergence
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.seat.explain.outcome import Outcome
    from interpreter.seat.views.model import View


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
        words = Text(tree.text_shown or tree.text).append(" = ", style="dim")
        words.append(tree.shown or tree.value, style="bold" if depth == 1 else "")
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
    text, value = tree.text_shown or tree.text, tree.shown or tree.value
    return value if text == value else f"{text} = {value}"


# ---------------- A decision that is no longer legal under the current rules: both sides, with the table at that
# decision


DUTIES = {"must": Phrase("must {choice}"), "may": Phrase("may {choice}")}


def divergence(state: State, parting: Divergence, people: Sequence[str], width: int) -> Iterator[RenderableType]:
    """The table at that point, the decision in the save, and why it is not legal under the current rules.

    A single person sees what that seat may see; with several people no table is shown, and with none everything is.
    """
    look, words = palette(state.game.seats, state.game.words), state.game.words
    if len(people) < 2:
        viewer = people[0] if people else None
        title = words.phrase("before decision {number}", number=parting.number)
        yield Rule(Text(f" {title}", style="bold"), style="dim", align="left")
        yield draw_tables(state.view(viewer), look, width)
    if not parting.move:
        yield Hanging(Text(" "), Text(parting.reason))
        return
    then, now = words.phrase("then"), words.phrase("now")
    margin = max(cell_width(then), cell_width(now)) + 2
    decision = words.phrase("{seat} made the move {move}", seat=words.name(parting.player), move=parting.move)
    yield Hanging(Text(f" {padded(then, margin)}", style="bold"), Text(decision))
    if parting.why is not None and (not people or parting.player in people):
        yield Text(f" {now}", style="bold")
        yield from reasons(parting.why, parting.player if list(people) != [parting.player] else None, words=words)
        return
    question = state.question
    text = words.phrase("the game is over there")
    if question:
        seat, choice = words.name(question.player), words.either([words.name(name) for name in question.names])
        text = f"{seat} {words.phrase(DUTIES[question.duty], choice=choice)}"
    yield Hanging(Text(f" {padded(now, margin)}", style="bold"), Text(text))


# ---------------------------------------------------------------- the current phase in words


def phase_words(view: View, words: Words) -> str:
    """The current phase with the rounds in progress, such as `hand, round 3, bidding`; empty when the game is over."""
    parts = [
        words.phrase("{name}, round {number}", name=words.heading(phase), number=number)
        for phase, number in view.rounds.items()
    ]
    if view.phase is not None and view.phase not in view.rounds:
        parts.append(words.heading(view.phase))
    return ", ".join(parts)


def turn_words(view: View, words: Words) -> str:
    """Whose turn it is; empty if it is nobody's."""
    return words.phrase("turn of {seat}", seat=words.name(view.turn)) if view.turn else ""


def head_words(view: View, words: Words) -> str:
    """The current phase, whose turn it is, and whether the game is over."""
    over = words.phrase("the game is over") if view.over else ""
    return ", ".join(part for part in (phase_words(view, words), turn_words(view, words), over) if part)
