"""What we would publish: the wheel holds what it should, and works in a fresh environment and an empty folder."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal
from tests.support.project import ROOT, written

GAME = "chinesische_mauer"
PACKAGED = {".py", ".lark", ".json", ".html", ".css", ".tcss", ".js", ".md", ".po"}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a terminal of the POSIX kind")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return folder


@pytest.fixture(scope="session")
def command(built: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """`regelwerk`, installed from the wheel with its dependencies into an environment of its own."""
    home = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", "--without-pip", str(home))  # ours can install there as well
    (wheel,) = built.glob("*.whl")
    run(sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", "--no-compile", str(wheel))
    return str(home / "bin/regelwerk")


def run(*words: str, folder: Path | None = None) -> str:
    done = subprocess.run(words, cwd=folder, env=outside(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def outside(home: Path | None = None) -> dict[str, str]:
    """The environment of somebody who has nothing of this project but the wheel."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "PYTEST"))
    }
    if home:
        kept |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    return {**kept, "TERM": "xterm"}


def test_the_wheel_holds_grammar_schemas_and_games(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        str(path.relative_to(ROOT))
        for package in ("regelwerk", "dsl", "interpreter", "cli", "web", "editors")
        for path in written(package)
        if not path.is_relative_to(ROOT / "web" / "playground") and not path.is_relative_to(ROOT / "editors" / "vscode")
        if path.suffix in {".py", ".lark", ".json", ".html", ".css", ".tcss", ".js", ".md", ".po", ".c"}
        or path.name == "py.typed"
    }
    games = ROOT / "games"
    expected |= {f"interpreter/shipped/{path.relative_to(games)}" for path in games.rglob("*") if path.is_file()}
    expected |= {f"cli/docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert expected - names == set()
    assert f"interpreter/shipped/{GAME}.rules" in names
    assert {name.split("/")[0] for name in names} == {
        "regelwerk", "dsl", "interpreter", "cli", "web", "editors", "regelwerk-0.2.0.dist-info",
    }  # fmt: skip


def test_the_source_distribution_holds_what_the_project_needs(built: Path) -> None:
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {
        "dsl/grammar.lark",
        "regelwerk/__init__.py",
        f"games/{GAME}.rules",
        "run.py",
        "Makefile",
        "LICENSE",
        "tests/conftest.py",
    } <= names
    assert not [name for name in names if ".venv" in name or "__pycache__" in name]


def test_installed_it_shows_its_documentation_and_copies_games(command: str, tmp_path: Path) -> None:
    assert " variants " in run(command, "help", folder=tmp_path)
    assert "A variant states only how it differs from a game" in run(command, "help", "variants", folder=tmp_path)
    run(command, "copy", GAME, "mine", folder=tmp_path)
    assert "no problems" in run(command, "check", f"mine/{GAME}.rules", folder=tmp_path)


def test_installed_it_finds_its_games(command: str, tmp_path: Path) -> None:
    assert GAME in run(command, "games", folder=tmp_path)
    assert "0.2.0" in run(command, "--version", folder=tmp_path)


PROGRAM = f"""
import regelwerk
state = regelwerk.load({GAME!r}, players=3).start(seed=7)
print(state.player, state.view('red').over, state.evaluate('count hand[green]'))
"""


def test_installed_programs_can_use_it(command: str, tmp_path: Path) -> None:
    python = str(Path(command).parent / "python")
    assert run(python, "-c", PROGRAM, folder=tmp_path) == "red False 5\n"


@pytest.mark.long
def test_installed_it_is_a_typed_package(command: str, tmp_path: Path) -> None:
    """The normal run looks whether the wheel has the mark of a package with types."""
    python = str(Path(command).parent / "python")
    script = tmp_path / "script.py"
    script.write_text(f"{PROGRAM}reveal_type(state.view('red').zones)\n", encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python, str(script)]
    done = subprocess.run(words, cwd=tmp_path, env=outside(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "interpreter.seat.views.model.ZoneView" in done.stdout


def test_installed_it_plays_to_the_end(command: str, tmp_path: Path) -> None:
    """Other numbers of players are played in `tests/cli/test_shipped.py`."""
    printed = run(command, "play", GAME, "--players", "4", "--seat", "all=random", "--seed", "1", folder=tmp_path)
    assert "winner" in printed or "wins" in printed
    assert "Traceback" not in printed


def test_a_killed_game_goes_on_in_another_process(command: str, tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    begin = [command, "play", "--plain", GAME, "--players", "2", "--seed", "3", "--save", str(save)]
    with Terminal(begin, tmp_path, outside(tmp_path)) as one:
        one.wait(prompt="> ")
        for _ in range(2):
            one.type("1\n")
            one.wait()
        one.kill()
    before = moves_in(save)
    assert len(before) >= 2
    with Terminal([command, "play", "--plain", "--resume", str(save)], tmp_path, outside(tmp_path)) as two:
        two.wait(prompt="> ")
        assert moves_in(save)[: len(before)] == before
        two.type("1\n")
        two.wait()
        after = moves_in(save)
        two.type("quit\n")
        assert two.end() == 0
    assert after[: len(before)] == before
    assert len(after) > len(before)


def moves_in(save: Path) -> list[object]:
    moves = json.loads(save.read_text("utf-8"))["moves"]
    assert isinstance(moves, list)
    return moves
