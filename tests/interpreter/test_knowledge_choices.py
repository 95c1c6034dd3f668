"""States where answers have left little of what somebody chose in secret among many values.

Ann hides some numbers, and answers what remains of the first one when it is divided by 7, 11 and 13:
only that number agrees with all three answers. If she hides several, it is not the latest choice that has to differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.play.game import load

RULES = """\
game "Remainders" for 2 players ann, ben

== components ==

type Place is 1..{places}
type Divisor is 7, 11, 13, 17
note number[p: Place]: 1..{most} or none = none, seen by ann
note hidden: 0..{places} = 0
note answer[d: Divisor]: 0..16 or none = none

== phases ==

phase hiding, repeated until hidden is {places}:
    each player from ann to ann: must hide
phase asking, repeated until no d in Divisor where answer[d] is none:
    each player from ben to ben: must ask

action hide(secret n: 1..{most}):
    "hide {{n}}"
    add 1 to hidden
    set number[hidden] to n

action ask(d: Divisor):
    "ask for {{d}}"
    require answer[d] is none     because "it was asked for"
    set answer[d] to remainder(number[1], d)

== scoring ==

winner me is ben "asked, or not"
"""


@pytest.mark.parametrize(("places", "most"), [(1, 1000), (4, 150)])
@pytest.mark.parametrize("number", [1, 75, 150])
def test_the_only_value_that_agrees_is_found(places: int, most: int, number: int, tmp_path: Path) -> None:
    path = tmp_path / "remainders.rules"
    path.write_text(RULES.format(places=places, most=most), encoding="utf-8")
    game = load(path)
    state = game.start(0)
    for _ in range(places):
        state.push(state.legal_moves[number - 1])
    for _ in range(3):
        state.push(state.legal_moves[0])
    assert {other.evaluate("number[1]") for other in sampler_of(state, "ben", 0, size=2).states(2)} == {number}
