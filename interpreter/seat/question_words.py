"""The question to the seat that decides, and its moves, in words: `red, you must lay, cover or draw:`."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.seat.notation.moves import Move
from interpreter.seat.views.history import Question
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words

DECLINE, CHOOSE, CHOOSING = "done", "choose", "choose "
QUESTIONS = {
    ("must", False): Phrase("{seat}, you must {choice}:"),
    ("must", True): Phrase("{seat}, you must {choice}, or go on:"),
    ("may", False): Phrase("{seat}, you may {choice}:"),
    ("may", True): Phrase("{seat}, you may {choice}, or go on:"),
}
"""The question by its duty, and whether it may be declined."""


def words_of(move: Move, words: Words = PLAIN) -> str:
    """A move for display; a chosen number is shown with its meaning, as it is not the number of the move."""
    if move.name == DECLINE:
        return words.phrase("go on")
    if move.name == CHOOSE and move.label[:1].isdigit():
        return f"{' '.join(map(words.heading, move.arguments))} {move.label}"
    return move.label


def question_phrase(question: Question, moves: Sequence[Move]) -> Phrase:
    """The question by its duty, with the `{seat}` and the `{choice}` left open."""
    declining = any(move.name == DECLINE for move in moves) or (question.duty == "may" and not question.so_far)
    return QUESTIONS[question.duty, declining]


def choice_words(question: Question, moves: Sequence[Move], words: Words, back: bool = False) -> str:
    """What is to be chosen, limited to what is possible now; `back`: the last of several picks can be taken back."""
    possible = {move.name for move in moves}
    names = [_named(name, words) for name in question.names if name in possible or name.startswith(CHOOSING)]
    so_far = f" ({_progress(question.so_far, words)}{words.phrase('; `back` takes one back') if back else ''})"
    return words.either(names) + so_far * bool(question.so_far)


def _named(name: str, words: Words) -> str:
    """What people read for something that a question offers."""
    thing = name.removeprefix(CHOOSING)
    return words.heading(name) if thing == name else words.phrase("choose {value}", value=words.heading(thing))


def _progress(so_far: str, words: Words) -> str:
    """How many have been chosen: `1 of 2 so far`; where the number is not fixed, `1 so far, 2 to 3 in all`."""
    chosen, _, total = so_far.partition(" of ")
    if total.isdigit():
        return words.phrase("{chosen} of {total} so far", chosen=chosen, total=total)
    fewest, _, most = total.rpartition(" to ")
    if fewest.isdigit():
        return words.phrase("{chosen} so far, {fewest} to {most} in all", chosen=chosen, fewest=fewest, most=most)
    return words.phrase("{chosen} so far, up to {most} in all", chosen=chosen, most=most)
