"""Small rules with unusual constructs and combinations of them, in both engines: at random, step by step, and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game
from regelwerk import load
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk

STRANGE = sorted((Path(__file__).parent / "strange").glob("*.rules"))


def tables(path: Path) -> Iterator[Game]:
    """The rules with the fewest seats, and with the most and the last value of each option, where that is another."""
    fewest = load(path, players=None)
    yield fewest
    last = {option.name: option.values[-1] for option in fewest.option_info}
    if fewest.most > fewest.fewest or last != fewest.options:
        yield load(path, players=fewest.most, options=last)


@pytest.mark.parametrize("path", STRANGE, ids=lambda path: path.stem)
def test_both_engines_agree(path: Path, long_run: bool) -> None:
    for game in tables(path):
        assert compared(game, 0, 25 if long_run else 4).total()
        for seed in range(3 if long_run else 1):
            Walk(game, seed).go(40)


@pytest.mark.parametrize("name", ["clauses_of_nothing", "last_ones", "named_values"])
def test_their_examples_hold(name: str) -> None:
    results = run_examples(STRANGE[0].with_name(f"{name}.rules"))
    assert [failure for result in results for failure in result.failures] == []
    assert results
