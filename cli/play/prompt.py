"""Parsing a person's input: a command or a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.render.moves import words_of
from dsl.text.numbers import is_number, whole_number
from dsl.text.visible import brief
from interpreter.narrowing import Narrowing

if TYPE_CHECKING:
    from interpreter import Move
    from interpreter.narrowing import Candidate, Step

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
    "t": "trace",
    "trace": "trace",
    "undo": "undo",
    "back": "back",
    "save": "save",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
}
LONGEST_NUMBER = 9
DEFAULT_ENTRIES = 40
LONE = frozenset({"help", "view", "names", "know", "rules", "trace", "undo", "back", "quit"})


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
    return Command(word, rest) if word and not (rest and word in LONE) else None


def read_answer(line: str, moves: Sequence[Move], narrowing: Narrowing, step: Step) -> Command | Narrowing | Unclear:
    """Interpret an answer: a command, the number of a candidate, a move as written, or words that occur in moves.

    `step` is the question as shown, `narrowing` the answers so far, `moves` are all legal moves.
    """
    command, text = command_in(line), line.strip()
    if command is not None:
        return command
    if text.isdecimal():
        return _numbered(text, narrowing, step)
    named = moves_named(text, moves)
    if len(named) == 1:
        return Narrowing((named[0],))
    every = Narrowing(tuple(moves))
    found = narrowing.filtered(text) or every.filtered(text) or every.to(named, text)
    return found or Unclear(f"there is no move `{brief(text)}`; ? for help")


def _numbered(text: str, narrowing: Narrowing, step: Step) -> Narrowing | Unclear:
    candidate = candidate_numbered(text, step)
    if candidate is None:
        what = "moves" if step.asked == "move" else "answers"
        return Unclear(f"the {what} are numbered 1 to {len(step.candidates)}")
    return narrowing.answer(candidate)


def candidate_numbered(text: str, step: Step) -> Candidate | None:
    """The candidate with a number; None if there is none."""
    exists = len(text) <= LONGEST_NUMBER and 1 <= int(text) <= len(step.candidates)
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
    """The moves whose notation matches a text; if none does, those whose label does, else those that begin with it."""
    wanted = _plain(text)
    written = [move for move in moves if wanted.removesuffix("()") == _plain(move.notation).removesuffix("()")]
    same = written[:1] or [move for move in moves if _plain(words_of(move)) == wanted]
    return same or [move for move in moves if _begins(move, wanted)]


def _begins(move: Move, wanted: str) -> bool:
    return any(_plain(text).startswith(wanted) for text in (words_of(move), move.label, move.notation))


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
