"""Who knows what: our views and logs beside OpenSpiel's information states.

Random games of large games never share an information state, so other histories are made on purpose from those played.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from tests.classic.knowing import Knowledge, varied, watching
from tests.classic.twin import Twin, in_step
from tests.classic.twins import TWINS

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

WANTED, WANTED_LONG = 2, 100
GAMES = 400  # after so many there must have been enough


@pytest.mark.parametrize("twin", [twin for twin in TWINS if twin.hidden], ids=lambda twin: twin.spiel)
def test_a_seat_knows_the_same_as_in_the_reference(twin: Twin, long_run: bool) -> None:
    wanted = WANTED_LONG if long_run else WANTED
    knowledge, rng = Knowledge(), random.Random(twin.spiel)
    for seed in itertools.count():
        assert seed < GAMES * wanted, f"only {knowledge.shared} histories that look alike"
        for pair in in_step(twin, pyspiel, seed):
            chosen = rng.random() < 0.15
            if chosen or twin.hidden == "all":
                knowledge.meet(pair)
            if chosen and (seats := watching(pair)):
                for other in [varied(pair, pyspiel, rng.choice(seats), rng) for _ in range(5)]:
                    if other is not None:
                        knowledge.meet(other)
        if knowledge.shared >= wanted:
            return
