"""Our classic games are the same games as OpenSpiel's: an implementation that others wrote, driven in step.

OpenSpiel comes with the extra `classic` and has no wheels for every machine. Where it is not installed these tests are
skipped and say so; with CI in the environment that is an error.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.classic.twin import Twin, in_step
from tests.classic.twins import TWINS

try:
    import pyspiel
except ImportError:
    if os.environ.get("CI"):
        raise
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install open_spiel")

FEW, MANY = 4, 200

by_name = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.spiel)


@by_name
def test_a_few_random_games_in_step(twin: Twin) -> None:
    for seed in range(FEW):
        in_step(twin, pyspiel, seed)


@pytest.mark.long
@by_name
def test_many_random_games_in_step(twin: Twin) -> None:
    for seed in range(FEW, MANY + FEW):
        in_step(twin, pyspiel, seed)
