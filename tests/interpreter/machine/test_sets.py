"""Sets in words: what is printed for them gives the same as Python's numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, read
from interpreter.compiler.machine.forms import NONE, WORD_BITS
from interpreter.compiler.wasm.instructions import I64
from interpreter.compiler.wasm.modules import Module
from tests.interpreter.wasm.test_modules import instance

MEANINGS: dict[str, Callable[[int], int]] = {
    "end": int.bit_length,
    "last": lambda those: those.bit_length() - 1 if those else NONE,
    "first": lambda those: (those & -those).bit_length() - 1 if those else NONE,
}


@cache
def printed(name: str, words: int) -> Callable[..., int]:
    """The function of a set of some words."""
    module = Module()
    function = module.function("run", (I64,) * words, (I64,), exported=True)
    body = Body(function)
    body.give((getattr(sets, name)(body, read(function.locals)),))
    function.body = tuple(body.statements)
    store, exports = instance(module)
    return lambda *args: exports["run"](store, *args)


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("name", MEANINGS)
@given(data=st.data())
def test_members_at_the_ends(name: str, words: int, data: st.DataObject) -> None:
    members = data.draw(st.sets(st.integers(0, WORD_BITS * words - 1), max_size=4))
    those = sum(1 << member for member in members)
    signed = [(those >> WORD_BITS * word) % (1 << WORD_BITS) for word in range(words)]
    args = [word - (1 << WORD_BITS) if word >> WORD_BITS - 1 else word for word in signed]
    assert printed(name, words)(*args) == MEANINGS[name](those)
