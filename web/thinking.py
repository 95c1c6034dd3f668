"""What takes long: choices of bots, hints and explanations. A server runs these functions in processes of their own."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from multiprocessing import parent_process
from multiprocessing.connection import wait
from time import process_time

from dsl.lazy_dataclasses import dataclass
from dsl.text.numbers import percent
from interpreter.errors import BotError, UsageError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.driver import Driver
from interpreter.opponents.hints import SECONDS_TO_KNOW, Adviser
from interpreter.opponents.specs import SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game, State
from interpreter.play.trace import Event, Position, Timeline, outline
from interpreter.play.trace.origins import why
from interpreter.play.trace.wording import event_words, sources
from interpreter.seat.explain.answer import Why
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.moves import is_move, why_about, why_move
from interpreter.seat.question_words import words_of
from interpreter.watchdog import watchdog
from interpreter.wording.phrases import Phrase

Lines = tuple[tuple[int, str], ...]
"""An answer in words, line by line; the number indents a line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in words: its title, its lines, and a table above them, by labels of rows and columns.

    `decision` is the number of the one that the answer is about, with how many there are. Of an estimate there is more
    to be found out.
    """

    title: str
    lines: Lines
    table: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    decision: tuple[int, int] | None = None
    is_estimate: bool = False


HINT_BUDGET = Budget.of("1s")
MAX_HINT_MOVES = 5
"""Number of moves that a hint names."""

MAX_EXPLAIN_SECONDS = 4.0
"""Maximum processor time of an explanation, in seconds."""

MAX_KNOW_SECONDS = 5.0
"""Processor time after which no more is found out about what a seat knows, if it is asked thoroughly, in seconds."""

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


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that a bot chose, in notation. `is_at_a_loss`: at random, as it found no state to search."""

    notation: str
    is_at_a_loss: bool


def choose(table: str, state: State, spec: str) -> Choice:
    """The move of the bot that has to decide. Raises BotError.

    `table` tells games apart: a bot observes one of them, so that its decisions cost only what is new.
    """
    seat = state.player
    assert seat is not None
    with watchdog():
        driver = _driver(table, seat, spec)
        return Choice(driver.play(state).notation, driver.is_at_a_loss)


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


def advise(state: State, seat: str) -> Answer:
    """The best moves of the pending decision, found by a search from what the seat knows. Raises SamplingError."""
    from interpreter.opponents.mcts import analyse  # most pages ask for no hint, and searches take long to import

    words, moves = state.program.words, state.legal_moves
    with watchdog():
        situation = Adviser(seat).situation(state)
        analysis = analyse(situation, HINT_BUDGET, lines=False, begun=situation.asked)
    best = analysis.moves[:MAX_HINT_MOVES]
    title = words.phrase("best moves, and how often they win")
    lines = ((1, f"{words_of(moves[judged.move], words)}: {percent(judged.win_share)}") for judged in best)
    return Answer(title, tuple(lines))


def know(state: State, seat: str, *, thorough: bool) -> Answer:
    """What a seat can infer about what it does not see, and what others know of its secrets. Raises SamplingError.

    Unless it is to be `thorough`, what is found out at once.
    """
    from interpreter.opponents.knowledge import presentation  # most pages never ask
    from interpreter.opponents.knowledge.summary import knowledge_of

    words, end = state.program.words, process_time() + (MAX_KNOW_SECONDS if thorough else SECONDS_TO_KNOW)
    with watchdog():
        knowledge = knowledge_of(state, seat, lambda: process_time() > end, words)
    table = presentation.possibilities(knowledge, words)
    lines = [(1, note) for note in presentation.notes_in_words(knowledge, words)]
    if knowledge.places or knowledge.notes:
        lines.append((1, presentation.source(knowledge, words)))
    if knowledge.others:
        lines.append((0, presentation.heading_of_others(knowledge, words)))
    lines += ((1, line) for line in presentation.others_in_words(knowledge, words))
    cells = {label: {column: cell.text for column, cell in row.items()} for label, row in table.items()}
    title, is_estimate = presentation.heading(knowledge, words), not knowledge.tested and not thorough
    return Answer(title, tuple(lines), cells, is_estimate=is_estimate)


def trace(state: State, seat: str | None, ply: int | None) -> Answer:
    """What the rules did at a decision, None for the last one, as far as a seat may know it; None for everything."""
    with watchdog():
        timeline = Timeline(state, seat)
        number = timeline.plies if ply is None else min(ply, timeline.plies)
        events = [(Position(number, index), event) for index, event in enumerate(timeline.events(number))]
        lines = tuple(
            (depth, "   ".join(filter(None, (event_words(event, state.program.words), source(event)))))
            for depth, _, event in outline(events, "everything")
        )
        return Answer(timeline.headline(number), lines, decision=(number, timeline.plies))


def source(event: Event) -> str:
    """Where the rule that caused an event is written; empty for events that no rule causes."""
    return sources(event.location, event.cites) if event.span is not None else ""


def explain(state: State, text: str, seat: str | None, *, about: bool = False) -> Answer:
    """Why a move is legal or not, or how a value came about, as a seat may know it. Raises ExpressionError, PlayError.

    `about`: the text is that of a thing, and asked is why it can be chosen or not. Whoever asks chooses the expression,
    which can take for ever.
    """
    with watchdog(MAX_EXPLAIN_SECONDS):
        if about or is_move(state.program, state.cells, text, state.seat_number(seat)):
            if seat is None or state.player != seat:
                raise UsageError(Phrase("only the seat that decides may ask why a move is legal or not"))
            program, cells = state.program, state.cells
            answer = why_about(program, cells, text) if about else why_move(program, cells, text, {})
        else:
            answer = why(state, text, seat)
    return Answer(answer.headline, tuple(_lines(answer)))


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
