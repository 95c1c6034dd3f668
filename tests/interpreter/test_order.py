"""`before` and `after` in rows and stacks, against a plain definition on the pieces as they lie."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest

from interpreter.play.game import State, load
from interpreter.seat.explain.query import evaluate_query
from interpreter.watchdog import watchdog

RULES = """game "Order" for 2 players ann, ben

== components ==

piece Card: 1 for each rank: 1..6 in box
zone box holds stack of Card
zone line holds row of Card
zone pile holds stack of Card
zone heap holds Card
note chosen[c: Card]: Truth = false

== setup ==

shuffle box
move 3 from box to line
move 3 from box to pile

== phases ==

phase main, turns from ann, over when chosen[top(pile)]:
    must take

action take(c in pile):
    "take {c}"
    require c before bottom(pile)   because "the last one stays"
    require no d in pile where d before c  because "only the top one may be taken"
    set chosen[c] to true

define earlier(c: Card): {d in ZONE where d before c}
define later(c: Card): {d in ZONE where d after c}
define pairs: count a in ZONE with b in ZONE where a before b
define first_one: the c in ZONE where no d in ZONE where d before c
define itself: some c in ZONE where c before c or c after c

== scoring ==

winner highest 1
"""


def value(state: State, text: str) -> str:
    return evaluate_query(state.program, state.cells, text, None).value


@pytest.mark.parametrize("zone", ["line", "pile"])
def test_a_piece_lies_before_those_behind_it_and_not_before_itself(zone: str, tmp_path: Path) -> None:
    path = tmp_path / "order.rules"
    path.write_text(RULES.replace("ZONE", zone), encoding="utf-8")
    game = load(path)
    for seed in range(6):
        state = game.start(seed)
        order = [int(value(state, f"nth({place}, {zone}).rank")) for place in (1, 2, 3)]
        for here, rank in enumerate(order, 1):
            piece = f"nth({here}, {zone})"
            for there in range(1, 4):
                other = f"nth({there}, {zone})"
                assert value(state, f"{piece} before {other}") == ("true" if here < there else "false")
                assert value(state, f"{piece} after {other}") == ("true" if here > there else "false")
                assert value(state, f"not {piece} before {other}") == ("false" if here < there else "true")
            ranks = {"earlier": order[: here - 1], "later": order[here:]}
            for name, lying in ranks.items():
                assert value(state, f"count {name}({piece})") == str(len(lying))
                assert value(state, f"sum c.rank for c in {name}({piece})") == str(sum(lying))
            assert value(state, f"count d in {zone} where d before {piece} or d after {piece}") == "2"
            assert value(state, f"{{d.rank for d in {zone} where d before {piece}}} is {_set(order[: here - 1])}")
            assert rank in order
        assert value(state, "pairs") == "3"
        assert value(state, "first_one.rank") == str(order[0])
        assert value(state, "itself") == "false"
        away = "nth(1, pile)" if zone == "line" else "nth(1, line)"
        assert value(state, f"{away} before nth(1, {zone}) or {away} after nth(1, {zone})") == "false"
        assert len(state.legal_moves) == 1


def _set(ranks: list[int]) -> str:
    return "{" + ", ".join(map(str, sorted(ranks))) + "}"


def test_nothing_lies_before_or_after_in_a_heap_or_at_the_same_end(tmp_path: Path) -> None:
    path = tmp_path / "order.rules"
    path.write_text(RULES.replace("ZONE", "pile"), encoding="utf-8")
    state = load(path).start(1)
    for end in ("top(pile)", "bottom(pile)", "first(line)", "last(line)"):
        assert value(state, f"{end} before {end}") == value(state, f"{end} after {end}") == "false"


KINDS = ("red", "blue", "wall", "gate", "red wall", "blue gate", "red gate", "Stone")
STONES = """game "Kinds" for 2 players ann, ben

== components ==

type Colour is red, blue
type Form is wall, gate
piece Stone: 6 for each colour: Colour, form: Form in box
zone box holds Stone
zone heap holds Stone

== phases ==

phase main, turns from ann, over when count heap > 20:
    must take

action take(c in box):
    "take {c}"
    move c to heap

== scoring ==

winner highest 1
"""


def fits(stones: list[str], kinds: list[str]) -> bool:
    """True if each stone can be given a different kind: tried in all orders."""
    return any(
        all(
            kind == "Stone" or set(kind.split()) <= set(stone.split())
            for stone, kind in zip(stones, order, strict=True)
        )
        for order in permutations(kinds)
    )


def test_a_heap_is_compared_with_kinds_that_overlap(tmp_path: Path) -> None:
    path = tmp_path / "kinds.rules"
    path.write_text(STONES, encoding="utf-8")
    rng = random.Random(7)
    game, held = load(path), 0
    for seed in range(60):
        state = game.start(seed)
        stones = []
        for _ in range(rng.randrange(5)):
            move = rng.choice(state.legal_moves)
            stones.append(str(move.arguments["c"]))
            state.push(move)
        for _ in range(4):
            kinds = [rng.choice(KINDS) for _ in stones] if rng.random() < 0.9 else [rng.choice(KINDS)]
            wanted = len(kinds) == len(stones) and fits(stones, kinds)
            held += wanted
            assert value(state, f"heap is [{', '.join(kinds)}]") == ("true" if wanted else "false"), (stones, kinds)
    assert held > 40


def test_a_large_heap_is_compared_with_a_long_list_at_once(tmp_path: Path) -> None:
    path = tmp_path / "kinds.rules"
    path.write_text(STONES, encoding="utf-8")
    state = load(path).start(1)
    with watchdog(1.0):
        assert value(state, "box is [12 red, 12 blue]") == "true"
        assert value(state, "box is [12 red, 11 blue, red]") == "false"
        assert value(state, "box is [6 red wall, 6 blue gate, 6 red, 6 blue]") == "true"
        assert value(state, "box is [7 red wall, 5 red, 12 blue]") == "false"
        assert value(state, "box is [12 Stone, 6 wall, 6 red gate]") == "true"
