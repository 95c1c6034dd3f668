"""The legal moves that chosen actions spell, where moves are words and actions their letters.

This is `PartialMove.choose` of `environments/actions.py` for the machine engine. Row i of `words` is the word of move
i: `width` letters, filled up with NO_LETTER.
"""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import Array, Number

NO_LETTER = -1
"""Fills up a word after its last letter."""


def narrow(
    words: Array[Number], width: Number, count: Number, chosen: Array[Number], length: Number, moves: Array[Number]
) -> Number:
    """Write the numbers of the moves whose words go on as chosen to `moves`, and return how many these are.

    They are followed by the position of the next letter to choose: where their words differ next, `width` if they do
    not. The first letter of a word is always chosen; after it, letters that all have in common are skipped.
    """
    remaining = count
    for number in range(count):
        moves[number] = number
    position = 0
    for step in range(length):
        matching = 0
        for candidate in range(remaining):
            if words[moves[candidate] * width + position] == chosen[step]:
                moves[matching] = moves[candidate]
                matching = matching + 1
        remaining = matching
        differs = 0
        while remaining > 1 and differs == 0 and position < width - 1:
            position = position + 1
            for candidate in range(remaining):
                if words[moves[candidate] * width + position] != words[moves[0] * width + position]:
                    differs = 1
        if remaining > 1 and differs == 0:
            position = width
    moves[remaining] = position
    return remaining


def sort(letters: Array[Number], count: Number) -> Number:
    """Sort letters in place, by insertion as there are few; returns their number."""
    for number in range(count):
        letter = letters[number]
        place = number
        while place > 0 and letters[place - 1] > letter:
            letters[place] = letters[place - 1]
            place = place - 1
        letters[place] = letter
    return count
