"""Screens of play as text, and their pictures in the documents; `REGELWERK_UPDATE=1` writes both anew."""

import os
import random
import re
from functools import cache
from pathlib import Path

import pytest

from tests.cli.at_table import at_table, session_of
from tests.cli.viewing import at_once, compared

GOLDEN = Path(__file__).parent / "golden" / "fullscreen"
DOCUMENTS = Path(__file__).parents[2] / "docs"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"
SMALL, LARGE, LARGEST = (80, 24), (120, 40), (200, 50)
LARGE_GAMES = ("chinesische_mauer", "china", "mauerbauer", "dschingis_khan")


@cache
def way_to_the_widest_decision(name, most=120):
    """The moves of a random game up to the decision of the first seat with most legal moves."""
    session = session_of(name)
    state, chosen = session.state, random.Random(3)
    me, made, widest = state.player, [], ((0, []))
    while not state.over and state.ply < most:
        if state.player == me:
            widest = max(widest, (len(state.legal_moves), list(made)), key=lambda each: each[0])
        move = chosen.choice(state.legal_moves).notation
        made.append(move)
        state.push(move)
    return widest[1]


SCREENS = {
    "begin": ("dschingis_khan", SMALL, []),
    "side": ("china", LARGE, []),
    "broad": ("china", LARGEST, []),
    "boardless": ("hearts", LARGE, []),
    "answered": ("dschingis_khan", SMALL, ["=e2"]),
    "typed": ("dschingis_khan", SMALL, [*"red", "space", *"b4"]),
    "chosen": ("chess", SMALL, [*"e4", "down"]),
    "help": ("chess", LARGE, ["f1"]),
    "why": ("chess", LARGE, ["=why go(e2, e5)"]),
    "names": ("china", SMALL, ["f3"]),
}


@pytest.mark.parametrize("name", SCREENS)
@at_once
async def test_screens(name):
    game, size, keys = SCREENS[name]
    async with at_table(session_of(game), size=size) as table:
        await table.press(*keys)
        compared(GOLDEN / f"{name}.txt", table.text, size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("game", LARGE_GAMES)
@at_once
async def test_the_widest_decision_with_the_board_in_sight(game, size):
    name = f"play_{game}_{'small' if size is SMALL else 'large'}"
    session = session_of(game, before=way_to_the_widest_decision(game))
    async with at_table(session, size=size) as table:
        compared(GOLDEN / f"{name}.txt", table.text, size)
        picture = DOCUMENTS / "pictures" / f"{name}.svg"
        if UPDATE:
            drawn = table.app.export_screenshot(title=f"regelwerk play {game}", simplify=True)
            picture.write_text(re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL), encoding="utf-8")
        step, lists = table.app.step(), table.app.candidates
        assert len(step.moves) == len(session.state.legal_moves)
        assert lists.size.height == lists.virtual_size.height, "no list is longer than its pane"
    assert picture.exists()
    assert f"pictures/{picture.name}" in (DOCUMENTS / "play.md").read_text(encoding="utf-8")
