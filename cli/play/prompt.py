"""Parsing a person's input: a command or a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.lazy_dataclasses import dataclass
from dsl.text.numbers import is_number, whole_number
from dsl.text.visible import brief
from interpreter.seat.narrowing import Narrowing, whole_matches
from interpreter.seat.notation.reading import Vocabulary, is_in_brackets, moves_labelled, moves_written
from interpreter.seat.question_words import words_of
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.seat.narrowing import Candidate, NarrowingStep
    from interpreter.seat.notation.moves import Move

WORDS = {
    "?": "help",
    "help": "help",
    "h": "help",
    "view": "view",
    "table": "view",
    "names": "names",
    "log": "log",
    "rules": "rules",
    "why": "why",
    "know": "know",
    "preview": "preview",
    "hint": "hint",
    "thoughts": "thoughts",
    "t": "trace",
    "trace": "trace",
    "undo": "undo",
    "back": "back",
    "save": "save",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
}
MAX_NUMBER_DIGITS = 9
DEFAULT_ENTRIES = 40
NO_NAMES = Vocabulary()
COMMANDS_WITHOUT_TEXT = frozenset(
    {"help", "view", "names", "know", "rules", "trace", "undo", "back", "quit", "thoughts"}
)


@dataclass(frozen=True)
class Command:
    """A command of the prompt with its argument."""

    word: str
    rest: str = ""


@dataclass(frozen=True)
class Unclear:
    """The message about input that is neither a command nor a move."""

    message: str


def command_in(line: str) -> Command | None:
    """The command in a line, None if it is not one; an empty line asks for the moves."""
    text = " ".join(line.split())
    if not text:
        return Command("moves")
    head, _, rest = text.partition(" ")
    word = WORDS.get(head.lower())
    return Command(word, rest) if word and not (rest and word in COMMANDS_WITHOUT_TEXT) else None


def read_answer(
    line: str, moves: Sequence[Move], narrowing: Narrowing, step: NarrowingStep, vocabulary: Vocabulary = NO_NAMES
) -> Command | Narrowing | Unclear:
    """Interpret an answer: a command, the number of a candidate, a move as written, or words that occur in moves.

    `step` is the question as shown, `narrowing` the answers so far, `moves` are all legal moves. A move that the words
    do not name for certain, by the names in `vocabulary`, is asked for even if it is the only one with them.
    """
    command, text = command_in(line), line.strip()
    if command is not None:
        return command
    if text.isdecimal():
        return _numbered(text, narrowing, step)
    every, unknown = Narrowing(tuple(moves)), Unclear(Phrase("there is no move `{text}`; ? for help", text=brief(text)))
    named = moves_named(text, moves)
    if len(named) == 1:
        return Narrowing((named[0],))
    if is_in_brackets(text):
        return every.to(named, text) or unknown
    if text.strip("+-#.:").isdecimal():  # `3.` is not the 3 in the words of a move
        return unknown
    answer = next((narrowed for narrowed in _narrowed(text, named, narrowing, every) if narrowed is not None), None)
    if answer is None:
        return unknown
    if answer.move is None or vocabulary.names(text, answer.move, words_of(answer.move)):
        return answer
    return replace(answer, in_doubt=True)


def _narrowed(text: str, named: Sequence[Move], narrowing: Narrowing, every: Narrowing) -> Iterator[Narrowing | None]:
    """What remains by words: of the moves left or else of all, those with the words as they are before beginnings."""
    # `north` is the whole word in `go north`, and a beginning in `go northeast`. Only if no move has it as a whole word
    # do beginnings count. Of equally good readings the one among the moves left comes first.
    yield narrowing.to([move for move in narrowing.moves if move in named], text)
    yield every.to(named, text)
    yield narrowing.to(whole_matches(narrowing.moves, text), text)
    yield every.to(whole_matches(every.moves, text), text)
    yield narrowing.filtered(text)
    yield every.filtered(text)
    yield every.to([move for move in every.moves if _plain(words_of(move)).startswith(_plain(text))], text)


def _numbered(text: str, narrowing: Narrowing, step: NarrowingStep) -> Narrowing | Unclear:
    candidate = candidate_numbered(text, step)
    if candidate is None:
        last = len(step.candidates)
        if step.asked == "move":
            return Unclear(Phrase("the moves are numbered 1 to {last}", last=last))
        return Unclear(Phrase("the answers are numbered 1 to {last}", last=last))
    return narrowing.answer(candidate)


def candidate_numbered(text: str, step: NarrowingStep) -> Candidate | None:
    """The candidate with a number; None if there is none."""
    exists = len(text) <= MAX_NUMBER_DIGITS and 1 <= int(text) <= len(step.candidates)
    return step.candidates[int(text) - 1] if exists else None


def entries_wanted(text: str, existing: int) -> int | None:
    """How many of the existing entries `log` should show; None if the text is neither a positive number nor `all`."""
    if text in ("", "all"):
        return existing if text else DEFAULT_ENTRIES
    if not is_number(text):
        return None
    number = whole_number(text)
    if number is None:  # too many digits
        return None if text.startswith("-") else existing
    return number if number > 0 else None


def moves_named(text: str, moves: Sequence[Move]) -> list[Move]:
    """The moves that a text is the notation or the whole label of; in brackets only those of the notation, if any."""
    written = moves_written(moves, text, any_case=True)
    if written and is_in_brackets(text):
        return written
    labelled = moves_labelled(moves, text, words_of)
    return [move for move in moves if move in written or move in labelled]


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
