"""The guide: its files check, test and play, and its excerpts and screens are those of the files and the command."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from interpreter.analysis.random_choices import random_move
from interpreter.play.game import load

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "guide.md").read_text("utf-8")
FILES = sorted(path for path in (DOCS / "guide").glob("low_tide_*.rules"))
WRONG = "low_tide_6_wrong"
ELISION = "…"

EXCERPTS = re.findall(r"```rules\n(.*?)```", GUIDE, re.DOTALL)
SCREENS = [screen for screen in re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL) if screen.startswith("$ ")]


@pytest.fixture
def guide(tmp_path, monkeypatch):
    """A copy of the folder of the guide, in which the commands are run."""
    shutil.copytree(DOCS / "guide", tmp_path / "guide")
    monkeypatch.chdir(tmp_path / "guide")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_step_checks_tests_and_plays(run, path):
    checked = run("check", path)
    assert checked.exit_code == 0 and "warning" not in checked.output, checked.output
    if path.stem not in (WRONG, *(f"low_tide_{step}" for step in range(1, 6))):
        assert run("test", path).exit_code == 0
    header = load(path).rules.model.file.header
    for players in header.counts:
        state = load(path, players).start(players)
        while not state.over:
            state.push(random_move(state))


@pytest.mark.parametrize("number", range(len(EXCERPTS)))
def test_each_excerpt_is_part_of_a_file(number):
    files = [path.read_text("utf-8") for path in (DOCS / "guide").glob("*.rules")]
    assert any(EXCERPTS[number] in text for text in files), EXCERPTS[number]


@pytest.mark.parametrize("number", range(len(SCREENS)))
def test_each_screen_is_what_the_command_prints(run, guide, number):
    command, *lines = SCREENS[number].splitlines()
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    shown = "\n".join(line for line in lines if not line.startswith("> ")).split(ELISION)
    output = run(*shlex.split(command)[2:], typed=typed).output
    rest = "\n".join(line.rstrip() for line in output.splitlines())
    for part in filter(None, (part.strip("\n") for part in shown)):
        assert part in rest, f"{part}\n---- is not in ----\n{output}"
        rest = rest.partition(part)[2]
