"""Conclusions drawn from conditions are true in every position in which the conditions hold."""

from __future__ import annotations

import random
from itertools import product

from dsl.checker.logic.terms import FALSE, TRUE, Term, assumed, decided, negated, number, same

TRUTHS = tuple(Term(name) for name in ("open", "ready"))
VALUES = tuple(Term(name) for name in ("stage", "round", "count"))
RANGE = range(3)
POSITIONS = [
    dict(zip((*TRUTHS, *VALUES), position, strict=True))
    for position in product((False, True), (False, True), RANGE, RANGE, RANGE)
]


def value(rng: random.Random, depth: int) -> Term:
    if depth and rng.random() < 0.2:
        return Term("if", (condition(rng, depth - 1), value(rng, depth - 1), value(rng, depth - 1)))
    return rng.choice((*VALUES, *map(number, RANGE)))


def condition(rng: random.Random, depth: int) -> Term:
    match rng.randrange(8 if depth else 4):
        case 0:
            return rng.choice(TRUTHS)
        case 1:
            return Term("<", (rng.choice(VALUES), value(rng, 0)))
        case 2:
            return same(value(rng, depth), value(rng, depth))
        case 3:
            return rng.choice((TRUE, FALSE, *(same(one, two) for one in TRUTHS for two in TRUTHS)))
        case 4:
            return negated(condition(rng, depth - 1))
        case 5:
            return Term("if", tuple(condition(rng, depth - 1) for _ in range(3)))
        case _:
            return Term(rng.choice(("and", "or")), (condition(rng, depth - 1), condition(rng, depth - 1)))


def holds(term: Term, position: dict[Term, int]) -> int:
    match term.head, term.parts:
        case "true" | "false" as word, ():
            return word == "true"
        case "not", (one,):
            return not holds(one, position)
        case "and", (one, other):
            return holds(one, position) and holds(other, position)
        case "or", (one, other):
            return holds(one, position) or holds(other, position)
        case "if", (one, then, otherwise):
            return holds(then if holds(one, position) else otherwise, position)
        case "is", (one, other):
            return holds(one, position) == holds(other, position)
        case "<", (one, other):
            return holds(one, position) < holds(other, position)
    return position[term] if term in position else next(n for n in RANGE if term == number(n))


def test_what_follows_is_so_wherever_the_conditions_hold(long_run: bool) -> None:
    told = 0
    for seed in range(40_000 if long_run else 800):
        rng = random.Random(seed)
        conditions = [condition(rng, 2) for _ in range(rng.randrange(4))]
        question = condition(rng, 2)
        truths = frozenset[Term]()
        for term in conditions:
            truths = assumed(truths, term)
        found = decided(question, truths)
        possible = [position for position in POSITIONS if all(holds(term, position) for term in conditions)]
        if found is not None and possible:
            told += 1
            assert {bool(holds(question, position)) for position in possible} == {found}, seed
    assert told > (6_000 if long_run else 120)
