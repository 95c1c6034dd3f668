"""The routines that find moves by the actions chosen, printed and in Python."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interpreter.compiler.machine.forms import SCALAR
from interpreter.compiler.machine.routines import spelling
from interpreter.compiler.machine.routines.kinds import ArrayOf
from tests.interpreter.machine.routines_run import run_routine

NUMBERS = ArrayOf(SCALAR)
WIDTH = 3


@settings(max_examples=25)
@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * WIDTH), min_size=1, max_size=12), st.lists(st.integers(0, 2), max_size=3)
)
def test_moves_are_narrowed_as_by_partial_moves(words: list[tuple[int, ...]], chosen: list[int]) -> None:
    candidates, place = list(range(len(words))), 0
    for letter in chosen:
        assume(place < WIDTH)  # then nothing is left to choose
        candidates = [number for number in candidates if words[number][place] == letter]
        if len(candidates) > 1:
            place = next((at for at in range(place + 1, WIDTH) if len({words[n][at] for n in candidates}) > 1), WIDTH)
    letters = [letter for word in words for letter in word]
    kept = [0] * (len(words) + 2)
    left = spelling.narrow(letters, WIDTH, len(words), chosen, len(chosen), kept)
    assert kept[:left] == candidates
    assert kept[left] == place or left < 2
    assert kept[left + 1] == len(chosen)
    arguments = [(letters, NUMBERS), (WIDTH, SCALAR), (len(words), SCALAR), ([*chosen, 0], NUMBERS)]
    printed = run_routine(spelling, "narrow", *arguments, (len(chosen), SCALAR), ([0] * (len(words) + 2), NUMBERS))
    assert printed == left


def test_letters_beyond_the_end_of_words_are_left_over() -> None:
    kept = [0] * 4
    assert spelling.narrow([1, 2, 3, 1, 2, 3], WIDTH, 2, [1, 12, 13], 3, kept) == 2
    assert kept == [0, 1, WIDTH, 1]


@pytest.mark.parametrize("count", [2, 10, 11, 101])
def test_ranks_are_spelled_by_digits(count: int) -> None:
    letters = [0] * 3 * count
    width = spelling.spell_ranks(count, 5, letters)
    words = ["".join(str(letter - 5) for letter in letters[rank * width :][:width]) for rank in range(count)]
    assert words == [f"{rank:0{width}}" for rank in range(count)] and width == len(str(count - 1))
    arguments = (count, SCALAR), (5, SCALAR), ([0] * 3 * count, NUMBERS)
    assert run_routine(spelling, "spell_ranks", *arguments) == width


@settings(max_examples=10)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=8))
def test_letters_are_sorted(letters: list[int]) -> None:
    assert run_routine(spelling, "sort", (list(letters), NUMBERS), (len(letters), SCALAR)) == len(letters)
    spelling.sort(letters, len(letters))
    assert letters == sorted(letters)
