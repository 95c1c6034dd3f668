"""One cause, one message: a file with one mistake gets one finding, or very few, that point at the mistake or name it.

The mistakes are those of `tests/support/slips.py`, made in the shipped games.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse
from dsl.text.span import Source
from interpreter.loading.game_library import companion_of
from interpreter.loading.rules import board_of
from tests.support.library import GAMES as FOLDER
from tests.support.library import representative
from tests.support.slips import Slip, broken_lines, slips

GAMES = [FOLDER / f"{name}.rules" for name in representative()]
SMALL = [path for path in GAMES if companion_of(path) is None]
MOST = 12
"""How many findings one mistake may ever have."""
MOST_OF_A_LINE = 4
"""How many findings, warnings among them, one line that is wrong or missing may have."""
MEAN = {"type changed": 3.0, "value declared as a binder": 3.5}
"""How many findings one kind of mistake may have on average, other than 1.5."""
POINTING = 0.7
"""How many of the findings must point at the mistake or name it."""


def tree_of(path: Path) -> ast.GameFile:
    tree = parse(Source(path.name, path.read_text("utf-8")))[0]
    assert isinstance(tree, ast.GameFile)
    return tree


@cache
def companion(path: Path) -> ast.ExamplesFile | None:
    beside = companion_of(path)
    if beside is None:
        return None
    tree = parse(Source(beside.name, beside.read_text("utf-8")), first_number=1_000_000)[0]
    assert isinstance(tree, ast.ExamplesFile)
    return tree


def errors(path: Path, text: str) -> list[Diagnostic]:
    return [found for found in findings_in(path, text) if found.severity == "error"]


def findings_in(path: Path, text: str) -> list[Diagnostic]:
    tree, findings = parse(Source(path.name, text))
    if isinstance(tree, ast.GameFile):
        board, wrong = board_of(path, tree)
        findings += wrong or check(tree, companion(path), board=board)[1]
    return findings


def points_at(found: Diagnostic, slip: Slip, name: str) -> bool:
    spans = [found.span, *found.other_spans, *(label.span for label in found.labels)]
    if any(span.source.name == name and span.line in slip.lines for span in spans):
        return True
    words = [found.message, *found.helps, *(label.text for label in found.labels)]
    return any(f"`{about}`" in text for about in slip.names for text in words)


def test_a_mistake_has_few_findings(long_run: bool) -> None:
    counts: dict[str, list[int]] = defaultdict(list)
    pointing: dict[str, int] = defaultdict(int)
    for path in GAMES if long_run else SMALL:
        sorts: dict[str, list[Slip]] = defaultdict(list)
        for slip in slips(tree_of(path)):
            sorts[slip.sort].append(slip)
        rng = random.Random(path.name)
        for found in sorts.values():
            sampled = (10 if path in SMALL else 3) if long_run else 1
            for slip in rng.sample(found, min(len(found), sampled)):
                told = errors(path, slip.text)
                drawn = "\n".join(one.draw() for one in told)
                assert len(told) <= MOST, f"{path.name}: {slip}\n{drawn}"
                counts[slip.sort].append(len(told))
                pointing[slip.sort] += sum(points_at(one, slip, path.name) for one in told)
    assert len(counts) == 11
    for sort, numbers in counts.items():
        assert sum(numbers) / len(numbers) <= MEAN.get(sort, 1.5), (sort, numbers)
        assert pointing[sort] >= POINTING * sum(numbers), sort


def test_a_broken_line_has_few_findings(long_run: bool) -> None:
    """Of one kind there is a single finding that lists the other places, or few; warnings count, too."""
    numbers = []
    for path in GAMES if long_run else SMALL:
        tree = tree_of(path)
        before = {(found.code, found.message) for found in findings_in(path, tree.span.source.text)}
        broken = list(broken_lines(tree))
        sights = [slip for slip in broken if slip.sort == "sight changed"]
        lines = [slip for slip in broken if slip.sort == "line deleted"]
        for slip in [*sights, *random.Random(path.name).sample(lines, 40 if long_run else 4)]:
            told = [one for one in findings_in(path, slip.text) if (one.code, one.message) not in before]
            drawn = f"{path.name}: {slip}\n" + "\n".join(one.draw() for one in told)
            assert len(told) <= MOST_OF_A_LINE, drawn
            if slip.sort == "sight changed":
                assert len(told) == len({(one.code, one.severity, one.helps) for one in told}), drawn
            numbers.append(len(told))
    assert numbers and sum(numbers) / len(numbers) <= 1.1


GAME = """game "Small" for 2 players ann, ben

== components ==

type Suit is clubs, hearts
type Rank is low, high
type Cell from grid(4, 4)
piece Card: 2 for each suit: Suit, rank: Rank in deck
zone deck holds stack of Card
zone hand[p: Player] holds Card
zone spot[x: Cell] holds one Card
note marks[s: Suit]: 0..9 = 0
note open: several Cell = {a1, b2, c3, d4}

== phases ==

phase main, turns from ann, over when deck is empty:
    deal
    must play

step deal:
    move 1 from deck to hand[me]

action play(c in hand[me], x: Cell):
    require spot[x] is empty and x is in open   because "taken"
    require marks[c.suit] < 3                   because "enough of it"
    move c to spot[x]
    add 1 to marks[c.suit]

define worth(p: Player): sum marks[s] for s in Suit where some c in hand[p] where c is clubs or c.suit is s

== scoring ==

winner highest worth(me) then highest count hand[me]
"""
PATH = Path("small.rules")


def changed(*changes: tuple[str, str]) -> list[Diagnostic]:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return errors(PATH, text)


def test_the_small_game_is_right() -> None:
    assert errors(PATH, GAME) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "words", "places"),
    [
        ("zone hand[p: Player] holds Card\n", "", "E0201", "there is no zone, note or die `hand`", 3),
        ("zone hand", "zone hadn", "E0201", "there is no zone, note or die `hand`", 3),
        ("grid(4, 4)", "grid(2, 1)", "E0201", "there is no `b2`", 2),
        ("note marks[s: Suit]", "note marks[s: Rank]", "E0306", "expected a `Rank` as the index of `marks`", 2),
        ("type Rank is low, high", "type Rank is c, high", "E0204", "2 other names `c` would hide this `c`", 2),
        ("step deal:", "step deall:", "E0201", "there is no step `deal`", 0),
        ("type Suit is clubs, hearts\n", "", "E0201", "there is no type `Suit`", 3),
        ("type Suit is clubs, hearts", "type Suti is clubs, hearts", "E0201", "there is no type `Suit`", 2),
    ],
)
def test_one_cause_one_message(old: str, new: str, code: str, words: str, places: int) -> None:
    told = changed((old, new))
    drawn = "\n".join(found.draw() for found in told)
    assert len(told) == 1, drawn
    assert told[0].code == code and words in told[0].message, drawn
    assert len(told[0].other_spans) == places, drawn


INDEPENDENT = [
    ("    deal\n", "    dael\n"),
    ("over when deck is empty", "over when dekc is empty"),
    ("marks[c.suit] < 3", "marks[c.rank] < 3"),
    ("grid(4, 4)", "grid(4, 3)"),
    ("count hand[me]", "count hand"),
    ("move 1 from deck", "move deck from deck"),
    ("x is in open ", "x is in 4 "),
    ("s in Suit", "s in Siut"),
]


@pytest.mark.parametrize("one", range(len(INDEPENDENT)))
def test_two_mistakes_have_two_messages(one: int) -> None:
    alone = [{(found.code, found.message) for found in changed(change)} for change in INDEPENDENT]
    for two in range(one + 1, len(INDEPENDENT)):
        together = {(found.code, found.message) for found in changed(INDEPENDENT[one], INDEPENDENT[two])}
        assert together & alone[one] and together & alone[two], (INDEPENDENT[one], INDEPENDENT[two], together)
        assert len(together) >= 2


def test_a_declaration_that_is_misspelt_is_shown() -> None:
    (found,) = changed(("zone hand", "zone hadn"))
    assert [(label.span.text, label.text) for label in found.labels] == [
        ("hadn", "or is `hand` misspelt here? `hadn` is never used")
    ]
    assert found.replacements[0].result == GAME


def test_further_places_are_drawn_in_one_line() -> None:
    (found,) = changed(("zone hand", "zone hadn"))
    assert found.draw().splitlines()[-2:] == ["   = also in lines 24, 30 and 34", "   = help: did you mean `hadn`?"]
