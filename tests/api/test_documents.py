"""The page on Python does what it says, and programs that use the package are typed."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import regelwerk
from tests.support.project import ROOT

PAGE = ROOT / "docs" / "python.md"


@pytest.mark.parametrize(("page", "least"), [("python.md", 40), ("research.md", 15)])
def test_the_examples_of_the_pages_on_python_are_true(page: str, least: int) -> None:
    if page == "research.md":
        pytest.importorskip("pettingzoo")
    path = ROOT / "docs" / page
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    example = doctest.DocTestParser().get_doctest(code, {}, page, str(path), 0)
    assert len(example.examples) > least
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(example, out=told.append)
    assert "".join(told) == ""


def test_every_error_is_on_the_page_and_ends_in_error() -> None:
    text = PAGE.read_text(encoding="utf-8")
    errors = {name for name in regelwerk.__all__ if name.endswith("Error")}
    raised = {
        name
        for name in regelwerk.__all__
        if inspect.isclass(found := getattr(regelwerk, name))
        and issubclass(found, Exception)
        and not issubclass(found, Warning)
    }
    assert errors == raised
    assert {name for name in errors if f"`{name}`" not in text} == set()


def test_everything_public_is_documented() -> None:
    for name in regelwerk.__all__:
        found = getattr(regelwerk, name)
        if inspect.isclass(found) or inspect.isfunction(found):
            assert found.__doc__ and not found.__doc__.startswith(f"{name}("), name
    for class_ in (regelwerk.Game, regelwerk.State, regelwerk.View):
        for name, method in inspect.getmembers(class_, inspect.isfunction):
            assert name.startswith("_") or method.__doc__, f"{class_.__name__}.{name}"


RIGHT = """
import regelwerk
from regelwerk import Game, HiddenError, State, Value, View

def hands(state: State) -> dict[str, int]:
    view: View = state.view(None)
    return {name: zone.count for name, zone in view.zones.items() if name.startswith("hand")}

game: Game = regelwerk.load("nim", players=2, options={}, variants=[], board=None)
state: State = game.start(seed=3)
move: regelwerk.Move = state.legal_moves[0]
state.push(move)
value: Value = state.evaluate("me")
try:
    state.evaluate("me", seat) if (seat := state.player) else None
except HiddenError as error:
    print(error)
for played in state.game.playouts(2):
    winners: tuple[str, ...] = played.winners
    length: int = played.decisions
for table in state.view("ann").tables:
    for row in table.rows:
        for cell in row:
            if cell.kind == "value":
                print(cell.text.upper(), cell.value)
            elif cell.kind == "pieces":
                print([piece.name.upper() for piece in cell.pieces])
            else:
                print([entry.note.text for entry in cell.entries])
print(hands(state), state.copy().game.playouts(1), winners, length, value)
"""
WRONG = """
import regelwerk
regelwerk.load("nim", players="two")
regelwerk.load("nim").start().view("first").zons
"""


@pytest.mark.parametrize(("program", "errors"), [(RIGHT, 0), (WRONG, 2)])
def test_programs_are_checked_by_their_types(tmp_path: Path, program: str, errors: int) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "program.py")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.count("error:") == errors, done.stdout + done.stderr


def test_a_program_that_is_accepted_runs(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(RIGHT, encoding="utf-8")
    words = [sys.executable, "-c", f"import runpy; runpy.run_path({str(tmp_path / 'program.py')!r})"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
