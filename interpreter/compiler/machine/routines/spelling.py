"""The legal moves that chosen actions spell: those of `environments/actions.py`, where moves are words of actions."""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import Array, Number

NO_LETTER = -1
"""What follows the end of a word."""


def narrow(
    words: Array[Number], width: Number, count: Number, chosen: Array[Number], length: Number, kept: Array[Number]
) -> Number:
    """Write the numbers of the moves that some actions spell to `kept`; how many these are.

    The place where their words differ next follows them in `kept`, `width` if they do not differ. The first action of a
    move is always chosen; after it, what all have in common is left out.
    """
    left = count
    for number in range(count):
        kept[number] = number
    place = 0
    for step in range(length):
        now = 0
        for candidate in range(left):
            if words[kept[candidate] * width + place] == chosen[step]:
                kept[now] = kept[candidate]
                now = now + 1
        left = now
        differs = 0
        while left > 1 and differs == 0 and place < width - 1:
            place = place + 1
            for candidate in range(left):
                if words[kept[candidate] * width + place] != words[kept[0] * width + place]:
                    differs = 1
        if left > 1 and differs == 0:
            place = width
    kept[left] = place
    return left


def sort(letters: Array[Number], count: Number) -> Number:
    """Sort some actions; how many they are."""
    for number in range(count):
        letter = letters[number]
        place = number
        while place > 0 and letters[place - 1] > letter:
            letters[place] = letters[place - 1]
            place = place - 1
        letters[place] = letter
    return count
