"""Finding moves by words from them: `b4`, `green f10`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.seat.notation.moves import Move
from interpreter.seat.notation.reading import begins, words_in


def matching(moves: Sequence[Move], text: str) -> list[Move]:
    """The moves in whose label or notation every word of a text begins some word.

    Of these only the moves that have most of the words as they are: `f1` is not `f10`, and `lay a` is about the place
    A and not about what is laid `at` another one. A text without words matches nothing.
    """
    typed = words_in(text)
    if not typed:
        return []
    words = {move: _words_of(move) for move in moves}
    matches = [move for move in moves if all(_begins(word, words[move]) for word in typed)]
    exact_words = {move: sum(word in words[move] for word in typed) for move in matches}
    most = max(exact_words.values(), default=0)
    return [move for move in matches if exact_words[move] == most]


def whole_matches(moves: Sequence[Move], text: str) -> list[Move]:
    """The moves that have every word of a text as it is; none for a text without words."""
    typed = words_in(text)
    return [move for move in moves if typed and _words_of(move).issuperset(typed)]


def completed(moves: Sequence[Move], text: str) -> str:
    """A text whose last word is completed as far as the matching moves agree on how it goes on."""
    head, last = re.fullmatch(r"(.*?)([^\W_]*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if not last:
        return text
    beginning = last.casefold()
    among = matching(moves, head) if words_in(head) else list(moves)
    options = {word for move in among for word in _words_of(move) if word.startswith(beginning)}
    if not options:
        return text
    least, most = min(options), max(options)
    agreed = next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    return head + last + least[len(beginning) : agreed] + " " * (len(options) == 1)


def _words_of(move: Move) -> frozenset[str]:
    return frozenset(words_in(f"{move.label} {move.notation}"))


def _begins(beginning: str, words: frozenset[str]) -> bool:
    return any(begins(beginning, word) for word in words)
