"""The page on opponents does what it says: its commands, and its custom bot."""

from __future__ import annotations

import random
import re
import shlex
import tomllib

import pytest

from interpreter.opponents.specs import EXAMPLES, KINDS, BotSpec, spec_of
from interpreter.play.saves.files import read_save, resume
from tests.support.project import ROOT

PAGE = (ROOT / "docs" / "opponents.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("regelwerk play ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_work(run, own_folder, command):
    """Bots that may think for seconds do so for some milliseconds: without a person they play a whole game."""
    for spec in re.findall(r"\w+:\d+s\b", command):
        assert isinstance(spec_of(spec), BotSpec)
    quick = re.sub(r":\d+s\b", ":20ms", command)
    result = run(*shlex.split(quick)[1:], "--seed", 3, "--save", "a.json", typed=["quit"])
    assert result.exit_code == 0, result.output
    assert (own_folder / "a.json").exists()


def test_all_bots_are_named():
    assert len(COMMANDS) >= 4
    assert all(f"`{name}`" in PAGE for name in (*KINDS, *EXAMPLES))


@pytest.fixture
def cautious(own_folder, monkeypatch):
    """The bot of the page, installed as it says."""
    (package,) = [tomllib.loads(text) for text in blocks("toml")]
    (code,) = blocks("python")
    folder, metadata = own_folder / "site", own_folder / "site" / "cautious-1.0.dist-info"
    metadata.mkdir(parents=True)
    entries = package["project"]["entry-points"]["regelwerk.bots"]
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: cautious\nVersion: 1.0\n", encoding="utf-8")
    listed = "".join(f"{name} = {place}\n" for name, place in entries.items())
    (metadata / "entry_points.txt").write_text(f"[regelwerk.bots]\n{listed}", encoding="utf-8")
    (module,) = package["tool"]["setuptools"]["py-modules"]
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.parametrize("bot", ["cautious", "cautious:8"])
def test_the_bot_of_the_page_plays(run, own_folder, cautious, bot):
    result = run("play", "tic_tac_toe", "--seat", f"cross={bot}", "--seat", "nought=random", "--save", "a.json")
    assert result.exit_code in (0, 1)
    assert run("play", "tic_tac_toe", "--seat", f"all={bot}", "--seed", 2, "--save", "b.json").exit_code == 0
    assert resume(read_save(own_folder / "b.json")).over


def test_the_bot_of_the_page_beats_random_moves(cautious):
    from interpreter.opponents.driver import Driver
    from interpreter.play.game import load

    game, won = load("tic_tac_toe"), 0
    spec = spec_of("cautious:8")
    assert isinstance(spec, BotSpec)
    for seed in range(12):
        state, rng = game.start(seed=seed), random.Random(seed)
        own = game.seats[seed % 2]
        driver = Driver(spec, own)
        while state.player is not None:
            state.push(driver.play(state) if state.player == own else rng.choice(state.legal_moves))
        assert state.outcome is not None
        won += own in state.outcome.winners
    assert won >= 9


def test_the_bot_of_the_page_is_typed(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(ROOT)  # where mypy finds what it knows of the packages; working it out takes 15 s
    (code,) = blocks("python")
    (tmp_path / "cautious.py").write_text(code, encoding="utf-8")
    settings = ["--strict", "--config-file", str(ROOT / "pyproject.toml")]
    out, _, exit_code = api.run([*settings, str(tmp_path / "cautious.py")])
    assert exit_code == 0, out
