"""Typed text as moves: the moves that a notation or a label means, and the words that name one or only begin so.

Text in brackets, `lay(wall, 2, A)`, is a notation: it means that move or none. Other text is a whole label, or some
words of one, each of which may be the beginning of a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TypeAlias, TypeVar

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program, once_for_program
from interpreter.seat.notation.moves import Move
from interpreter.seat.notation.words import action_name

TOKEN = re.compile(r"[()\[\]{},]|[^\s()\[\]{},]+")
WORD = re.compile(r"(?<!\w)-?\d+(?:[.,]\d+)+|(?<!\w)-\d+|[^\W_]+")
"""A word of a label: `-3` and `2.5` are one, which `3` is not, and `e2-e4` are two."""

CLOSING = {"(": ")", "[": "]", "{": "}"}
MAX_NESTING = 8
"""Maximum depth of brackets in a notation; a text with more is none."""


def is_in_brackets(text: str) -> bool:
    """True if a text is meant as a notation and not as words."""
    return not set("()[]{}").isdisjoint(text)


@lru_cache(maxsize=1 << 14)  # one answer is compared with all legal moves, in several ways
def tokens_of(text: str, any_case: bool = False) -> tuple[str, ...]:
    """The words, brackets and commas of a text; `()` at its end is omitted, as in `draw()`."""
    tokens = tuple(TOKEN.findall(unicodedata.normalize("NFC", text.casefold() if any_case else text)))
    return tokens[:-2] if tokens[-2:] == ("(", ")") else tokens


@lru_cache(maxsize=1 << 14)
def words_in(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case and without punctuation."""
    return tuple(WORD.findall(unicodedata.normalize("NFC", text).casefold()))


# ---------------------------------------------------------------- notation


Named = TypeVar("Named")


def named_by(text: str, names: Sequence[tuple[Named, str]], any_case: bool = True) -> list[Named]:
    """The things that a text names, by their names; several only if they have one name or the text fits several.

    Blanks around brackets and commas, the order of the words of a piece, and that of the members of a set do not
    matter. A name that is the same is meant before one with another order, and with `any_case` before one in another
    case.
    """
    for arrange in (tuple, _arranged):
        for in_any_case in (False, True)[: 1 + any_case]:
            written = arrange(tokens_of(text, in_any_case))
            named = [thing for thing, name in names if written == arrange(tokens_of(name, in_any_case))]
            if named and written:
                return named
    return []


def moves_written(moves: Sequence[Move], text: str, any_case: bool = False) -> list[Move]:
    """The moves whose notation a text is; several only if it does not say which of them: see `named_by`."""
    exactly = [move for move in moves if move.notation == text]
    return exactly or named_by(text, [(move, move.notation) for move in moves], any_case)


Group: TypeAlias = tuple[str, "Arrangement"]
"""A bracket, and what is inside it."""

Arrangement: TypeAlias = tuple[tuple[tuple[str, ...], tuple[Group, ...]], ...]
"""For each argument its words, sorted, and its groups."""


def _arranged(tokens: Sequence[str]) -> Arrangement | None:
    """Tokens with the words of each argument, and the members of each set, sorted; None if brackets do not fit."""
    rest = list(reversed(tokens))
    arranged = _arguments(rest, "", 0)
    return None if rest else arranged


def _arguments(rest: list[str], closing: str, depth: int) -> Arrangement | None:
    arguments: list[tuple[tuple[str, ...], tuple[Group, ...]]] = []
    words: list[str] = []
    groups: list[Group] = []
    while rest and rest[-1] not in CLOSING.values():
        token = rest.pop()
        if token == ",":
            arguments.append((tuple(sorted(words)), tuple(groups)))
            words, groups = [], []
        elif token in CLOSING:
            nested = _arguments(rest, CLOSING[token], depth + 1) if depth < MAX_NESTING else None
            if nested is None:
                return None
            is_set = token != "(" and not words and not groups
            groups.append((token, tuple(sorted(nested)) if is_set else nested))
        else:
            words.append(token)
    if closing and (not rest or rest.pop() != closing):
        return None
    return (*arguments, (tuple(sorted(words)), tuple(groups)))


# ---------------------------------------------------------------- labels


def moves_labelled(moves: Sequence[Move], text: str, label: Callable[[Move], str]) -> list[Move]:
    """The moves with this label as a whole, in this case or else in any, with or without the notation after it."""
    for any_case in (False, True):
        written = tokens_of(text, any_case)
        same = [move for move in moves if written in (tokens_of(words, any_case) for words in _wholes(move, label))]
        if same and written:
            return same
    return []


def _wholes(move: Move, label: Callable[[Move], str]) -> Iterator[str]:
    yield from (label(move), move.label, f"{label(move)} ({move.notation})")


@dataclass(frozen=True)
class Vocabulary:
    """The names of a game, in lower case: those of values, such as places, and of actions, by their words.

    `values` are the names of one word, `long_values` those of several, such as `north_east`.
    """

    values: frozenset[str] = frozenset()
    long_values: frozenset[tuple[str, ...]] = frozenset()
    actions: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    @staticmethod
    @once_for_program
    def of(program: Program) -> Vocabulary:
        """The names of a game in the rules, and as people read them."""
        words, types = program.words, program.model.type_symbols.values()
        members = [member for symbol in types for member in symbol.members if isinstance(member, str)]
        names = [*members, *program.layout.seats]
        name_words = {words_in(text) for name in names for text in (name, words.name(name))}
        actions: dict[tuple[str, ...], frozenset[str]] = {}
        for rule in program.model.rules.values():
            if rule.is_action:
                name = action_name(rule.name)
                for text in (name, words.heading(name)):
                    key = words_in(text)
                    actions[key] = actions.get(key, frozenset()) | {name}
        single = frozenset(name[0] for name in name_words if len(name) == 1)
        return Vocabulary(single, frozenset(name for name in name_words if len(name) > 1), actions)

    def names(self, text: str, move: Move, label: str) -> bool:
        """True if words say that a move is meant, in the order of its label or notation, and nothing else by its name.

        `f1` does not name the move `f10`, nor the word `a` the `at` of its label if there is a place `a`; if there is a
        `north`, it does not name `north_east`; `raise 20` may be the action `raise` and does not name `raise to 20`.
        """
        words = words_in(text)
        begun = [action for action in self.actions if action and words[: len(action)] == action]
        if begun and move.name not in self.actions[max(begun, key=len)]:
            return False
        return any(self._in_order(words, words_in(written)) for written in (label, move.notation))

    def _in_order(self, words: Sequence[str], written: Sequence[str]) -> bool:
        return bool(words) and fit(words, written, self._names_word) and not self.shortens(words, written)

    def shortens(self, words: Sequence[str], written: Sequence[str | None]) -> bool:
        """True if words name a value and not the one written, whose name is longer: `north`, not `north_east`."""
        runs = {tuple(written[a:b]) for a in range(len(written)) for b in range(a + 2, len(written) + 1)}
        return any(self._names_other_value(words, value) for value in self.long_values if value in runs)

    def _names_other_value(self, words: Sequence[str], value: tuple[str, ...]) -> bool:
        """True if the words that may be those of a value of several words are the whole name of another value."""
        part = tuple(word for word in words if any(begins(word, full_word) for full_word in value))
        return part != value and (part in self.long_values or (len(part) == 1 and part[0] in self.values))

    def _names_word(self, word: str, written: str) -> bool:
        return word == written or (word not in self.values and begins(word, written))


def begins(word: str, written: str) -> bool:
    """True if a word may stand for one that it begins; a number is never part of a longer one: `f1` is not `f10`."""
    cut = word[-1:].isdigit() and written[len(word) : len(word) + 1].isdigit()
    return written.startswith(word) and not cut


def fit(words: Sequence[str], written: Sequence[str | None], fits: Callable[[str, str], bool]) -> bool:
    """True if each of some words fits one that is written, in this order; None is written where anything may be."""
    at = 0
    for word in words:
        later = range(at, len(written))
        place = next((i for i in later if fits(word, written[i] or "")), None)
        if place is None:
            place = next((i for i in later if written[i] is None), None)
        if place is None:
            return False
        at = place + 1
    return True
