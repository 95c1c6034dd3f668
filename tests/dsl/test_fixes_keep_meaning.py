"""What is written as in another language is corrected to what it means there: both readings have the same value.

Values in the notation of other languages are generated and corrected, by the first replacement of each finding, until
they can be read. Python computes what was written, the language the correction.
"""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.syntax import parse
from dsl.text.span import Source
from regelwerk import load
from tests.support.long_run import one_in

HEADER = """game "Readings" for 2 players red, blue

option a: 1..3 = 1
option b: 1..3 = 1
option c: 1..3 = 1

== components ==

piece Card: 1 in deck
zone deck holds stack of Card"""
PLAY = """== phases ==

phase main, turns from red:
    may pass

action pass:
    end game
"""
END = """== scoring ==

winner me is red
"""
VALUES = [{"a": a, "b": b, "c": c} for a, b, c in ((1, 2, 3), (3, 1, 2), (2, 3, 1), (2, 2, 3), (3, 3, 2))]
MOST_CORRECTIONS = 12
"""How many mistakes one line may have."""


class Generator:
    """Values and conditions in the notation of other languages, paired with what Python makes of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def operand(self) -> tuple[str, str]:
        word = self.random.choice(["a", "b", "c", "2", "3", "5"])
        return word, word

    def term(self) -> tuple[str, str]:
        one, two = self.operand()[0], self.operand()[0]
        three = self.random.choice(["2", "3"])
        signs = [f"{one} // {three}", f"{one} % {three}", f"{one} + {two}", f"{one} - {two}", f"-{one} % {three}"]
        signs += [f"{one} + {two} // {three}", f"{one} - {two} % {three}", f"-{one} // {three}", f"({one} + {two})"]
        signs += [f"{name}({inside})" for name in ("floor", "ceil") for inside in (f"{one} / {three}",)]
        signs += [f"ceil({one} - {two} / {three})", f"floor({one} - {two} / {three})", f"{one} - ({two} + {three})"]
        signs += [f"floor({one} + {two} / {three})", f"{one} * {two}", f"{one} - ceil({two} / {three})"]
        written = self.random.choice([one, one, *signs])
        return written, written

    def condition(self) -> tuple[str, str]:
        one, two, three = (self.operand()[0] for _ in range(3))
        chain = f"{one} {self.random.choice(['<', '<='])} {two} {self.random.choice(['<', '<='])} {three}"
        pairs = [(chain, chain), (f"not {chain}", f"not {chain}"), (f"{one} == {two}", f"{one} == {two}")]
        pairs += [(f"{one} != {two}", f"{one} != {two}"), (f"{one} > 1 or {chain}", f"{one} > 1 or {chain}")]
        pairs += [(f"{one} > 1 && {two} > 1 || {three} > 2", f"{one} > 1 and {two} > 1 or {three} > 2")]
        pairs += [(f"!({one} > {two})", f"not ({one} > {two})"), (f"{one} <> {two}", f"{one} != {two}")]
        pairs += [(f"{one} is at least {two}", f"{one} >= {two}"), (f"{one} equals {two}", f"{one} == {two}")]
        pairs += [(f"not {one} == {two}", f"not {one} == {two}"), (f"{one} ≤ {two}", f"{one} <= {two}")]
        return self.random.choice(pairs)

    def choice(self) -> tuple[str, str]:
        """One to three values, in brackets with other mistakes, or without them and no other mistake."""
        bracketed = self.random.random() < 0.5
        written, read = self.term() if bracketed else self.operand()
        for _ in range(self.random.randrange(1, 3)):
            (value, computed), (condition, tested) = self.term(), self.condition()
            if not bracketed:
                one, two, three = (self.operand()[0] for _ in range(3))
                value = computed = self.random.choice([f"{one} + {two}", f"{one} * {two} - {three}", one])
                condition = tested = self.random.choice([f"{one} > {two}", f"not ({two} >= {one} and {one} > 1)"])
            written, read = f"{value} if {condition} else {written}", f"{computed} if {tested} else {read}"
            if bracketed or self.random.random() < 0.2:
                written, read = f"({written})", f"({read})"
        return written, read


CHANGES = (
    ("{name} = {value}", "{read}"),
    ("set {name} = {value}", "{read}"),
    ("{name} += {value}", "7 + ({read})"),
    ("{name} -= {value}", "7 - ({read})"),
    ("subtract {value} from {name}", "7 - ({read})"),
    ("increase {name} by {value}", "7 + ({read})"),
    ("decrease {name} by {value}", "7 - ({read})"),
    ("if {condition} then set {name} to {value}", "({read}) if {tested} else 7"),
    ("repeat 2: add {value} to {name}", "7 + 2 * ({read})"),
)


def corrected(text: str) -> str | None:
    """A text with one replacement after the other; None if a finding has none."""
    for _ in range(MOST_CORRECTIONS):
        tree, found = parse(Source("readings.rules", text))
        if isinstance(tree, ast.GameFile):
            found = [finding for finding in check(tree)[1] if finding.severity == "error"]
        if not found:
            return text
        if not found[0].replacements:
            return None
        text = found[0].replacements[0].result
    return None


def read_by_python(expression: str, values: dict[str, int]) -> int:
    exact = re.sub(r"\b\d+\b", lambda number: f"Fraction({number.group()})", expression)
    names = {"Fraction": Fraction, "floor": math.floor, "ceil": math.ceil}
    value = eval(exact, names | {name: Fraction(value) for name, value in values.items()})
    assert value == int(value), expression
    return int(value)


def game_of(notes: list[str], setup: list[str], definitions: list[str]) -> str:
    parts = ["\n".join([HEADER, *notes]), "\n".join(["== setup ==\n", *setup]), "\n".join([PLAY, *definitions]), END]
    return "\n\n".join(parts)


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_a_correction_means_what_was_written(tmp_path: Path, seed: int) -> None:
    generator = Generator(seed)
    readings: list[tuple[str, str, str]] = []
    notes, setup, definitions = [], ["shuffle deck"], []
    tried = 0
    for number in range(150):
        name, (value, read), (condition, tested) = f"v{number}", generator.choice(), generator.condition()
        form, meant = generator.random.choice(CHANGES) if number % 2 else ("define {name}: {value}", "{read}")
        line = form.format(name=name, value=value, condition=condition)
        if number % 2:
            right = corrected(game_of([f"note {name}: -9999..9999 = 7"], [line], []))
            part = right and right.split("== setup ==")[1].split("==")[0].strip()
        else:
            right = corrected(game_of([], ["shuffle deck"], [line]))
            part = right and right.split("end game")[1].split("==")[0].strip()
        tried += part != line
        if part is None:
            continue
        if number % 2:
            notes.append(f"note {name}: -9999..9999 = 7")
            setup.append(part)
        else:
            definitions.append(part)
        readings.append((name, line, meant.format(read=read, tested=tested)))
    assert len(readings) > 0.8 * tried > 80
    path = tmp_path / "readings.rules"
    path.write_text(game_of(notes, setup, definitions), encoding="utf-8")
    for values in VALUES:
        state = load(path, options=values).start()
        for name, written, read in readings:
            right = next(part for part in (*setup, *definitions) if re.search(rf"\b{name}\b", part))
            assert state.evaluate(name) == read_by_python(read, values), (written, right, values)
