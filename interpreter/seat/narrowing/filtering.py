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
    wanted = words_in(text)
    if not wanted:
        return []
    words = {move: _words_of(move) for move in moves}
    found = [move for move in moves if all(_begins(word, words[move]) for word in wanted)]
    whole = {move: sum(word in words[move] for word in wanted) for move in found}
    most = max(whole.values(), default=0)
    return [move for move in found if whole[move] == most]


def whole_matches(moves: Sequence[Move], text: str) -> list[Move]:
    """The moves that have every word of a text as it is; none for a text without words."""
    wanted = words_in(text)
    return [move for move in moves if wanted and _words_of(move).issuperset(wanted)]


def completed(moves: Sequence[Move], text: str) -> str:
    """A text whose last word is completed as far as the matching moves agree on how it goes on."""
    head, last = re.fullmatch(r"(.*?)([^\W_]*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if not last:
        return text
    wanted = last.casefold()
    among = matching(moves, head) if words_in(head) else list(moves)
    options = {word for move in among for word in _words_of(move) if word.startswith(wanted)}
    if not options:
        return text
    least, most = min(options), max(options)
    agreed = next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    return head + last + least[len(wanted) : agreed] + " " * (len(options) == 1)


def _words_of(move: Move) -> frozenset[str]:
    return frozenset(words_in(f"{move.label} {move.notation}"))


def _begins(beginning: str, words: frozenset[str]) -> bool:
    return any(begins(beginning, word) for word in words)
