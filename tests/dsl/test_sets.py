"""Sets of numbers hold 0 to 4095: what could lead outside is refused, and what is accepted never fails in play."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.play.game import load
from tests.dsl.test_limits import game

MORE = (
    "type Rank with worth: 1..9:\n    small  1\n    large  9\n"
    "piece C: 3 for each rank: Rank in z\nzone z holds C\nzone y[p: Player] holds row of C\n"
    "note few: several 0..9 = {}\nnote depth: -9..9 = 0\n"
)
OUTSIDE = [
    "set few to {n - 5}",
    "set few to few + {n - 5}",
    "if {n * 50} is {7}: end game",
    "if {0 - n} is {7}: end game",
    "if {depth} is {7}: end game",
    "if {n, depth} is {7}: end game",
    "if {-n} is {7}: end game",
    "if {n - c.rank.worth for c in z} is {7}: end game",
    "if {p for p in {depth}} is {7}: end game",
    "if {(n - 3 if n > 3 else 2)} is {7}: end game",
    "if {(lowest depth for p in Player)} is {7}: end game",
    "if {(sum n for a in 1..9)} is {7}: end game",
    "if {count z * 2000} is {7}: end game",
    "if {below(n)} is {7}: end game",
    "if taking({n - 5}) > 9: end game",
    "if few is [n - 5]: end game",
    "if n is in {n - 5}: end game",
    "for each a in {n - 5}: end game",
    "must choose k from {n - 5, n}",
    "let those = {depth}",
]
INSIDE = [
    "set few to {few_of(n)}",
    "add few_of(n) to few",
    "remove few_of(n) from few",
    "if {n + 5} is {7}: end game",
    "if {magnitude(depth) * magnitude(depth)} is {7}: end game",
    "if {magnitude(depth)} is {7}: end game",
    "if {count y[p] for p in Player} is {7}: end game",
    "if {(count c in y[p] where c.rank is small) + n for p in Player} is {7}: end game",
    "if {(sum c.rank.worth for c in z)} is {7}: end game",
    "if {(highest n for p in Player)} is {7}: end game",
    "if {c.rank.worth - 1 for c in z} is {7}: end game",
    "if depth is in {1, 2}: end game",
    "if n - 900 is in {1, 2}: end game",
    "if n - 5 is in [n - 5, 900000 - n] and n > 500: end game",
]
RULES = (
    "define below(a: 0..999): a - 1\n"
    "define few_of(a: 0..999) -> 0..9: (a if a < 9 else 9)\n"
    "define taking(s: several 0..999): count s\n"
)


def written(folder: Path, statements: list[str]) -> Path:
    path = folder / "x.rules"
    lines = "".join(f"    {line}\n" for line in statements)
    path.write_text(game(MORE, phase=lines, rules=RULES), encoding="utf-8")
    return path


def played(path: Path) -> None:
    state = load(path).start(1)
    while not state.over:
        state.push(state.legal_moves[0])


@pytest.mark.parametrize("statement", OUTSIDE)
def test_what_could_lead_outside_is_refused(statement: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        load(written(tmp_path, [statement]))
    errors = [finding for finding in caught.value.diagnostics if finding.severity == "error"]
    assert [error.code for error in errors] == ["E0344"]
    assert errors[0].span.text and errors[0].helps


def test_what_stays_inside_is_played(tmp_path: Path) -> None:
    played(written(tmp_path, INSIDE))


def expression(rng: random.Random, depth: int = 0) -> tuple[str, int, int]:
    """A sum or product of notes and numbers, with the least and the greatest it can be."""
    if depth == 3 or rng.random() < 0.3:
        number = rng.choice((0, 1, 2, 3, 7, 40, 900))
        return rng.choice(((str(number), number, number), ("n", 0, 999), ("depth", -9, 9)))
    (one, a, b), (other, c, d) = expression(rng, depth + 1), expression(rng, depth + 1)
    sign = rng.choice("+-*")
    corners = [x * y for x in (a, b) for y in (c, d)]
    low, high = {"+": (a + c, b + d), "-": (a - d, b - c), "*": (min(corners), max(corners))}[sign]
    return f"({one} {sign} {other})", low, high


def test_arithmetic_is_refused_exactly_where_its_range_leads_outside(tmp_path: Path) -> None:
    rng = random.Random(5)
    tried = [expression(rng) for _ in range(150)]
    inside = [text for text, low, high in tried if low >= 0 and high <= 4095]
    assert 20 < len(inside) < 130
    statements = [f"if {{{text}}} is {{9}}: set n to n" for text, _, _ in tried]
    with pytest.raises(RulesError) as caught:
        load(written(tmp_path, statements))
    lines = (tmp_path / "x.rules").read_text("utf-8").splitlines()
    refused = {lines[int(finding.span.location.split(":")[-2]) - 1] for finding in caught.value.diagnostics}
    accepted = [line for line in lines if line.endswith("set n to n") and line not in refused]
    assert [line.split("{")[1].split("}")[0] for line in accepted] == inside
    played(written(tmp_path, [f"if {{{text}}} is {{9}}: set n to n" for text in inside]))
