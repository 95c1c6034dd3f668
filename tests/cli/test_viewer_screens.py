"""Screens of the viewer as text, and its pictures in the documents; `REGELWERK_UPDATE=1` writes both anew."""

import os
import re
from pathlib import Path

import pytest

from interpreter.opponents.budgets import Budget
from tests.cli.conftest import PEBBLES
from tests.cli.viewing import at_once, compared, played, viewing

GOLDEN = Path(__file__).parent / "golden" / "viewer"
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
UPDATE = os.environ.get("REGELWERK_UPDATE") == "1"
SMALL, LARGE, LARGEST = (80, 24), (120, 40), (200, 60)
TO_A_CHANGE = ["c", "=street"]

SCREENS = {
    "begin": (SMALL, []),
    "change": (SMALL, TO_A_CHANGE),
    "change_large": (LARGE, ["w", "=count bag", *TO_A_CHANGE]),
    "change_largest": (LARGEST, TO_A_CHANGE),
    "table": (SMALL, [*TO_A_CHANGE, "3"]),
    "changes": (SMALL, [*TO_A_CHANGE, "4"]),
    "values": (SMALL, [*TO_A_CHANGE, "w", "=points(red)", "w", "=s", "escape", "5"]),
    "knowledge": (SMALL, ["g", "=4", "6"]),
    "knowledge_large": (LARGE, ["g", "=4", "v", "3", "6"]),
    "analysis": (SMALL, ["g", "=4", "7"]),
    "analysis_largest": (LARGEST, ["v", "2", "g", "=4", "7"]),
    "analysis_zoomed": (LARGE, ["7", "z", "g", "=14"]),
    "costly": (LARGE, ["7", "WAIT", "m"]),
    "folded": (SMALL, ["g", "=4", "down", "down", "down", "down", "left", "2"]),
    "breakpoint": (LARGE, ["c", "=thrown", "b", "r"]),
    "value": (LARGE, [*TO_A_CHANGE, "e", "=points(green)"]),
    "wrong": (SMALL, ["e", "=count hond[red]"]),
    "why": (LARGE, ["g", "=2", "y", "=show(gem)"]),
    "other_seat": (SMALL, ["g", "=3", "v"]),
    "as_other_seat": (LARGE, ["g", "=3", "v", "3"]),
    "help": (LARGE, ["question_mark"]),
    "end": (LARGE, ["end"]),
    "nothing_found": (SMALL, ["slash", "=no such words"]),
    "too_small": ((44, 12), []),
}


async def pressed(viewer, keys):
    for key in keys:
        if key == "WAIT":
            await viewer.settle()
        else:
            await (viewer.answer(key[1:]) if key[0] == "=" and key != "=" else viewer.press(key))


@pytest.fixture(scope="module")
def game():
    return played(PEBBLES, 3, seed=1059, turns="many")


@pytest.fixture
def quick_review(monkeypatch):
    monkeypatch.setattr("cli.viewer.analysis_pane.REVIEW", Budget(iterations=12))


@pytest.mark.usefixtures("quick_review")
@pytest.mark.parametrize("name", SCREENS)
@at_once
async def test_screens(game, name):
    size, keys = SCREENS[name]
    async with viewing(game, size=size) as viewer:
        await pressed(viewer, keys)
        await viewer.settle()
        text = viewer.text
    compared(GOLDEN / f"{name}.txt", text, size)


SHOWN = {
    "viewer": ("chinesische_mauer", 3, LARGE, ["w", "=points(red, A)", "g", "=40", "c", "=row"]),
    "viewer_small": ("chinesische_mauer", 3, SMALL, ["g", "=40", "c", "=row"]),
    "viewer_value": ("chinesische_mauer", 3, LARGE, ["g", "=40", "e", "=points(blue, B)"]),
    "viewer_analysis": ("connect_four", 2, LARGE, ["7", "WAIT", "z", "g", "=16"]),
    "viewer_board": ("china", 3, (150, 44), ["g", "=60", "c", "=house"]),
}


@pytest.mark.parametrize("name", SHOWN)
@at_once
async def test_pictures_for_the_documents(name):
    title, players, size, keys = SHOWN[name]
    picture = PICTURES / f"{name}.svg"
    if UPDATE:
        async with viewing(played(title, players), size=size) as viewer:
            await pressed(viewer, keys)
            drawn = viewer.app.export_screenshot(title=f"regelwerk trace {title}.json", simplify=True)
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL), encoding="utf-8")
    assert "regelwerk" in picture.read_text(encoding="utf-8")
    assert f"pictures/{picture.name}" in (PICTURES.parent / "trace.md").read_text(encoding="utf-8")
