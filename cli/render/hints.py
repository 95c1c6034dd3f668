"""Hints: the best moves of a decision with their figures and expected continuations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging, phrase_text
from cli.render.tables import plain_grid
from dsl.text.numbers import percent
from interpreter.seat.question_words import words_of
from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.opponents.mcts import Analysis, MoveAnalysis
    from interpreter.play.game import State
    from interpreter.seat.notation.moves import Move

MAX_MOVES = 5
"""The number of moves that a hint shows."""


def best_moves(analysis: Analysis) -> list[MoveAnalysis]:
    """The moves of a hint: the best of those tried."""
    return [move for move in analysis.moves if move.visits or move.proven][:MAX_MOVES]


def has_scores(state: State) -> bool:
    """True if a criterion of the winner is a number that counts as the score, rather than a condition."""
    from interpreter.opponents.evaluation import (
        place_of_score,
        sides_of,
        win_together,
    )  # start-up of play without hints

    together = win_together(state.program, sides_of(state.program, state))
    return place_of_score(state.program, together) is not None


def hint_parts(
    analysis: Analysis,
    moves: Sequence[Move],
    numbers: Mapping[str, int],
    look: Palette,
    with_scores: bool,
    agrees: bool,
) -> Iterator[RenderableType]:
    """The best moves with their figures and expected continuations; `with_scores` adds the expected scores.

    `numbers` are the numbers of moves in the question, by their notation. `agrees`: the states searched agree with
    everything that the seat has observed.
    """
    seat = Text(look.words.name(analysis.seat), style=f"bold {look.style(analysis.seat)}")
    best = best_moves(analysis)
    words = look.words
    tried = words.counted_phrase(
        "{number} iteration of a search", "{number} iterations of a search", analysis.iterations
    )
    yield Hanging(
        Text(" "),
        phrase_text(words, "a hint for {seat}, from what this seat knows ({iterations}):", seat=seat, iterations=tried),
    )
    if not agrees:
        text = words.phrase(
            "the states searched agree with all pieces seen, but perhaps not with all earlier decisions of the others"
        )
        yield Hanging(Text(" "), Text(text, style="dim"))
    if not best:
        yield Hanging(Text(" "), Text(words.phrase("no move could be tried in that time: allow more time")))
        return
    yield Padding(_table(best, moves, numbers, look, with_scores), (0, 0, 0, 2))
    others = len(moves) - len(best)
    if others:
        text = words.counted_phrase("{number} other move", "{number} other moves", others)
        yield Text(f"  {text}", style="dim")


def no_hint(fault: Exception, words: Words) -> RenderableType:
    """The reason why there is no hint."""
    return Hanging(Text(" "), Text(words.phrase("there is no hint: {reason}", reason=words.fault(fault))))


def _table(
    best: Sequence[MoveAnalysis], moves: Sequence[Move], numbers: Mapping[str, int], look: Palette, with_scores: bool
) -> RenderableType:
    grid = plain_grid()
    if numbers:
        grid.add_column("", justify="right", no_wrap=True)
    phrase = look.words.phrase
    for heading in (phrase("wins"), "95 %", *([phrase("score")] if with_scores else [])):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column(phrase("move, and the expected continuation"), overflow="fold")
    for candidate in best:
        move = moves[candidate.move]
        figures = [percent(candidate.win_share), interval_words(candidate, look.words)]
        if with_scores:
            figures.append("" if candidate.score is None else f"{candidate.score:.1f}")
        if numbers:
            figures.insert(0, str(numbers.get(move.notation, "")))
        grid.add_row(*figures, _words(words_of(move, look.words), candidate.line[1:]))
    return grid


def _words(label: str, line: Sequence[str]) -> RenderableType:
    following = [Text("; ".join(line), style="dim")] if line else []
    return Group(Text(label, style="bold"), *following)


def interval_words(move: MoveAnalysis, words: Words = PLAIN) -> str:
    """The interval of a share of the win, if it is not certain."""
    if move.proven:
        return words.phrase("certain")
    return words.phrase("{low} to {high} %", low=round(100 * move.low), high=round(100 * move.high))
