"""What takes long: choices of bots, hints and explanations. A server runs these functions in processes of their own."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import lru_cache
from multiprocessing import parent_process
from multiprocessing.connection import wait

from interpreter.errors import BotError, UsageError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.driver import Driver
from interpreter.opponents.hints import Adviser
from interpreter.opponents.specs import SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game, State
from interpreter.play.trace.origins import why
from interpreter.seat.explain.answer import Why
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.moves import is_move, why_move
from interpreter.seat.question_words import words_of
from interpreter.watchdog import watchdog
from interpreter.wording.phrases import Phrase

Lines = tuple[tuple[int, str], ...]
"""An answer in words, line by line; the number indents a line."""

HINT_BUDGET = Budget.of("1s")
MAX_HINT_MOVES = 5
"""Number of moves that a hint names."""

MAX_EXPLAIN_SECONDS = 4.0
"""Maximum processor time of an explanation, in seconds."""

MAX_DRIVERS = 64
"""Number of bots that a process remembers, with what their seats have observed of their games."""


def end_with_parent() -> None:
    """In a process of its own, end when the server ends, however it does.

    The process has both ends of the queue that it waits at, so that it would not notice, and wait for ever.
    """
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def choose(table: str, state: State, spec: str) -> str:
    """The move of the bot that has to decide, in notation. Raises BotError.

    `table` tells games apart: a bot observes one of them, so that its decisions cost only what is new.
    """
    seat = state.player
    assert seat is not None
    with watchdog():
        return _driver(table, seat, spec).play(state).notation


@lru_cache(maxsize=MAX_DRIVERS)
def _driver(table: str, seat: str, spec: str) -> Driver:
    read = spec_of(spec)
    if isinstance(read, SpecProblem):
        raise BotError(read.message)
    return Driver(read, seat)


def problem_of(spec: str, game: Game) -> str:
    """Why a bot cannot play a game; empty if it can."""
    read = spec_of(spec)
    return str(read.message) if isinstance(read, SpecProblem) else str(why_unfit(read, game) or "")


def advise(state: State, seat: str) -> tuple[str, Lines]:
    """The best moves of the pending decision, found by a search from what the seat knows. Raises SamplingError."""
    from interpreter.opponents.mcts import analyse  # most pages ask for no hint, and searches take long to import

    words, moves = state.program.words, state.legal_moves
    with watchdog():
        situation = Adviser(seat).situation(state)
        analysis = analyse(situation, HINT_BUDGET, lines=False, begun=situation.asked)
    best = analysis.moves[:MAX_HINT_MOVES]
    title = words.phrase("best moves, and how often they win")
    return title, tuple((1, f"{words_of(moves[judged.move], words)}: {judged.win_share:.0%}") for judged in best)


def explain(state: State, text: str, seat: str | None) -> tuple[str, Lines]:
    """Why a move is legal or not, or how a value came about, as a seat may know it. Raises ExpressionError, PlayError.

    Whoever asks chooses the expression, which can take for ever.
    """
    with watchdog(MAX_EXPLAIN_SECONDS):
        if is_move(state.program, state.cells, text):
            if seat is None or state.player != seat:
                raise UsageError(Phrase("only the seat that decides may ask why a move is legal or not"))
            answer = why_move(state.program, state.cells, text, {})
        else:
            answer = why(state, text, seat)
    return answer.headline, tuple(_lines(answer))


def _lines(answer: Why) -> Iterator[tuple[int, str]]:
    yield from ((1, line) for line in answer.signature)
    for reason in answer.reasons:
        yield 1, f"{'✓' if reason.holds else '✗'} {reason.text}"
        yield from ((2, f"{name} = {value}") for name, value in reason.values)
    yield from ((1, move.label) for move in answer.nearest)
    if answer.explained is not None:
        yield from _explained(answer.explained, 1)
    yield from ((1, f"{origin.ply} {origin.decision}: {origin.change}") for origin in answer.origins)


def _explained(explanation: Explanation, depth: int) -> Iterator[tuple[int, str]]:
    yield depth, f"{explanation.text} = {explanation.value}"
    for part in explanation.children:
        yield from _explained(part, depth + 1)
