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
    not; and by how many of the chosen letters have led there, as what follows does not belong to these words. The first
    letter of a word is always chosen; after it, letters that all have in common are skipped.
    """
    remaining = count
    for number in range(count):
        moves[number] = number
    position = 0
    step = 0
    while step < length and position < width:
        matching = 0
        for candidate in range(remaining):
            if words[moves[candidate] * width + position] == chosen[step]:
                moves[matching] = moves[candidate]
                matching = matching + 1
        remaining = matching
        step = step + 1
        differs = 0
        while remaining > 1 and differs == 0 and position < width - 1:
            position = position + 1
            for candidate in range(remaining):
                if words[moves[candidate] * width + position] != words[moves[0] * width + position]:
                    differs = 1
        if remaining > 1 and differs == 0:
            position = width
    moves[remaining] = position
    moves[remaining + 1] = step
    return remaining


def spell_ranks(count: Number, first_digit: Number, letters: Array[Number]) -> Number:
    """Write the numbers from 0 up to a count as words of digits, all of the same width, which is returned.

    Each is a row of `letters`, in which the letter of 0 is `first_digit`.
    """
    width = 1
    limit = 10
    while limit < count:
        width = width + 1
        limit = limit * 10
    for rank in range(count):
        rest = rank
        for place in range(width):
            letters[rank * width + width - 1 - place] = first_digit + rest % 10
            rest = rest // 10
    return width


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
