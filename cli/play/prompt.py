"""Parsing of what a person types: a command or a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.render.moves import words_of
from dsl.text.numbers import is_number, whole_number
from dsl.text.visible import brief

if TYPE_CHECKING:
    from interpreter import Move

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
LONE = frozenset({"help", "view", "names", "rules", "trace", "undo", "back", "quit"})


@dataclass(frozen=True)
class Command:
    """A command of the prompt with its argument."""

    word: str
    rest: str = ""


@dataclass(frozen=True)
class Pick:
    """A legal move."""

    move: Move


@dataclass(frozen=True)
class Unclear:
    """Neither a command nor a move, with the reason."""

    message: str


def read_line(line: str, moves: Sequence[Move]) -> Command | Pick | Unclear:
    """Interpret a line: a command of the prompt, else a number, a move as written, or the beginning of one."""
    text = " ".join(line.split())
    if not text:
        return Command("moves")
    head, _, rest = text.partition(" ")
    word = WORDS.get(head.lower())
    if word and not (rest and word in LONE):
        return Command(word, rest)
    return find_move(text, moves)


def entries_wanted(text: str, there: int) -> int | None:
    """Number of the existing entries that `log` should show; None if the text is neither a number nor `all`."""
    if text in ("", "all"):
        return there if text else DEFAULT_ENTRIES
    if not is_number(text):
        return None
    number = whole_number(text)
    if number is None:  # too many digits
        return None if text.startswith("-") else there
    return number if number > 0 else None


def find_move(text: str, moves: Sequence[Move]) -> Pick | Unclear:
    """Find the move a text names."""
    if text.isdecimal():
        if len(text) <= LONGEST_NUMBER and 1 <= int(text) <= len(moves):
            return Pick(moves[int(text) - 1])
        return Unclear(f"the moves are numbered 1 to {len(moves)}")
    wanted = _plain(text)
    for move in moves:
        if wanted.removesuffix("()") == _plain(move.notation).removesuffix("()"):
            return Pick(move)
    same = [move for move in moves if _plain(words_of(move)) == wanted]
    near = same or [move for move in moves if _begins(move, wanted)]
    if len(near) == 1:
        return Pick(near[0])
    if not near:
        return Unclear(f"there is no move `{brief(text)}`; ? for help")
    some = ", ".join(words_of(move) for move in near[:4])
    return Unclear(f"`{text}` could be {some}{', …' if len(near) > 4 else ''}: type more of it, or its number")


def _begins(move: Move, wanted: str) -> bool:
    return any(_plain(text).startswith(wanted) for text in (words_of(move), move.label, move.notation))


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
