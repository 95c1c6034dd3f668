"""What holds for the project as a whole: no game in the generic packages, small modules, true documents."""

import ast
import ctypes
import doctest
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import (
    against,
    by_hand,
    classic,
    environments,
    graphs,
    in_c,
    iterations,
    large,
    machine,
    outside,
    passes,
    scaling,
    serving,
    stepwise,
)
from benchmarks.__main__ import TABLES
from benchmarks.figures import Figure
from benchmarks.worlds import worlds
from interpreter.analysis.playouts import playouts
from interpreter.play.game import load
from run import CHECKS, IN_PROCESSES
from tests.support.project import ROOT, written

PACKAGES = ("regelwerk", "dsl", "interpreter", "cli", "web", "editors")
LONGEST_MODULE = 1000
SUFFIXES = {".py", ".lark", ".json", ".toml", ".html", ".css", ".tcss", ".js", ".mjs", ".h"}


def generic_files() -> list[Path]:
    return [path for name in PACKAGES for path in written(name) if path.suffix in SUFFIXES]


def python_files() -> list[Path]:
    folders = (*PACKAGES, "website", "tests", "benchmarks", "examples")
    return [ROOT / "run.py", *(path for name in folders for path in written(name) if path.suffix == ".py")]


def keywords() -> set[str]:
    """The words of the language itself, as its grammar has them."""
    terminals = re.findall(
        r"^_?[A-Z_]+(?:\.\d)?: /(.*)/$", (ROOT / "dsl/grammar.lark").read_text("utf-8"), re.MULTILINE
    )
    return set(re.findall(r"(?<!\\)[a-z]{2,}", " ".join(terminals)))


def words_of_games() -> set[str]:
    """The names of the games: file names, their long parts, and the long words of titles.

    A name of two letters is left out, as `go` is a word of every text; so are words of drawings, numbers and networks.
    That the words *in* the games mean nothing to the interpreter is shown by `games/test_renamed.py`.
    """
    found: set[str] = set()
    for path in (ROOT / "games").rglob("*.rules"):
        name = path.name.split(".")[0]
        title = re.search(r'^(?:game|variant) "([^"]*)"', path.read_text("utf-8"), re.MULTILINE)
        parts = [*name.split("_"), *(title.group(1).split() if title else ())]
        found |= {*([name] if len(name) > 2 else []), *(part.lower() for part in parts if len(part) > 5)}
    return found - keywords() - {"bridge", "connect", "twenty"}


def words_in(text: str) -> set[str]:
    """The words of a text in small letters: whole names, and their parts at underscores and capitals."""
    names = set(re.findall(r"[^\W\d]\w*", text))
    parts = {part for name in names for part in re.findall(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])", name)}
    return {word.lower() for word in names | parts}


def test_the_words_of_the_games_are_found() -> None:
    assert {"chinesische_mauer", "chinesische", "china", "dschingis"} <= words_of_games()


def test_no_word_of_a_game_in_the_generic_packages() -> None:
    forbidden = words_of_games()
    forbidden |= {f"{word}s" for word in forbidden}
    found = {
        f"{path.relative_to(ROOT)}:{number}: {word}"
        for path in generic_files()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in words_in(line) & forbidden
    }
    assert not found, "\n".join(sorted(found))


TOP_LEVEL = {
    ".ci", ".github", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
    "README.md", "SECURITY.md", "benchmarks", "cli", "docs", "dsl", "editors", "examples", "games", "interpreter",
    "pyproject.toml", "regelwerk", "run.py", "tests", "web", "website",
}  # fmt: skip


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a checkout")
def test_the_top_level_holds_what_belongs_there() -> None:
    """No save of a game that was played here, and nothing else by accident."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {name.split("/")[0] for name in listed.splitlines()} == TOP_LEVEL


def test_the_hooks_of_commits_are_the_checks_of_the_test_command() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    entries = re.findall(r"entry: \.venv/bin/(.+)$", hooks, re.MULTILINE)
    assert [entry.split() for entry in entries] == [list(check) for check in CHECKS]


def test_modules_stay_small() -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text("utf-8").splitlines()) for path in python_files()}
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_nothing_is_keyed_by_where_an_object_lies_in_memory() -> None:
    """`id()` is given anew once an object is gone, and orders nothing the same way twice.

    Only the tables of `identity.py` use it: they keep their keys, and cannot be gone through.
    """
    called = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files()
        if path.relative_to(ROOT).parts[0] in PACKAGES
        and path != ROOT / "interpreter" / "compiler" / "ir" / "identity.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id"
    ]
    assert called == []


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


WRITERS = {
    "cli/render/echo.py",
    "cli/render/screen.py",
    "cli/errors.py",
    "cli/render/pieces.py",
    "cli/play/keyboard.py",
    "web/serve.py",
    "editors/lsp/examples.py",
}
"""Where text is made visible before it is written; `pieces.py` measures only, `serve.py` writes its address.

`examples.py` writes JSON for another process.
"""
WRITES = re.compile(
    r"\btyper\.(?:echo|secho|style)\(|(?<![.\w])print\(|(?<![.\w])Console\(|\bsys\.std(?:out|err)\.write\("
)


def test_all_output_for_people_passes_one_function() -> None:
    """`echo` and `SafeConsole` spell out hidden characters; what is written past them says why it holds none."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for name in PACKAGES
        for path in (ROOT / name).rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in WRITERS
        for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1)
        if WRITES.search(line) and "parsed" not in line
    ]
    assert found == []


def test_links_in_the_documents_lead_somewhere() -> None:
    broken = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in documents()
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text("utf-8"))
        if "://" not in target and not (document.parent / target).exists()
    ]
    assert broken == []


EXAMPLE_MODULES = {"cautious.py", "reference_NAME.py", "comparing_NAME.py", "NAME_properties.py", "script.py"}
"""Modules that documents name as examples of what an author might write."""


def test_modules_that_comments_and_documents_name_exist() -> None:
    """A module that joins another leaves its name behind in the comments and documents that explain it."""
    paths = {path.relative_to(ROOT).as_posix() for path in python_files()}
    named = {
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path in [*generic_files(), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for name in re.findall(r"(?<![\w./])[a-zA-Z_]+(?:/[a-z_]+)*\.py\b", line)
        if name not in EXAMPLE_MODULES and not any(f"/{known}".endswith(f"/{name}") for known in paths)
    }
    assert not named, "\n".join(sorted(named))


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    names = {re.split(r"[\[<>=]", line)[0] for line in asked} - {project["name"]}
    text = (ROOT / "docs/dependencies.md").read_text("utf-8")
    assert {name for name in names if f"`{name}`" not in text} == set()
    assert all(">=" in line and "<" not in line for line in asked if not line.startswith(project["name"]))


@pytest.mark.parametrize("command", ["play", "demo", "test", "bench", "site"])
def test_the_commands_of_the_readme_exist(command: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"python3 run.py {command}" in readme
    assert f"run.py {command}" in (ROOT / "Makefile").read_text("utf-8")
    assert f"python3 run.py {command}" in helped()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_readme_quotes_the_rules_as_they_are() -> None:
    def said(text: str) -> set[str]:
        return {" ".join(re.sub(r"\s\[[A-Z]+-[^\]]*\]$", "", line).split()) for line in text.splitlines()}

    rules = said("".join(path.read_text("utf-8") for path in (ROOT / "games").glob("*.rules")))
    quoted = blocks("rules")
    assert len(quoted) >= 2
    assert set().union(*map(said, quoted)) - rules == set()


def test_the_readme_counts_the_games() -> None:
    tens = {"eighty": 80, "ninety": 90, "a hundred": 100, "a hundred and ten": 110}
    counted = re.search(r"more than ([\w ]+) others", (ROOT / "README.md").read_text("utf-8"))
    assert counted
    others = {path.name.partition(".")[0] for path in (ROOT / "games").glob("*.rules")} - {*large.GAMES}
    assert tens[counted[1]] < len(others) <= tens[counted[1]] + 10


def test_the_python_of_the_readme_does_what_it_says() -> None:
    (block,) = blocks("python")
    example = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert len(example.examples) > 5
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=told.append)
    assert "".join(told) == ""


def test_the_picture_of_the_readme_is_what_one_sees(tmp_path: Path) -> None:
    typed = ["lay(wall, 1, A)", "why ride(A)"]
    words = [
        sys.executable,
        "-m",
        "cli.main",
        "play",
        "chinesische_mauer",
        "--players",
        "3",
        "--seed",
        "2",
        "--bots",
        "random",
    ]
    around = {**os.environ, "COLUMNS": "84", "XDG_DATA_HOME": str(tmp_path)}
    text = "\n".join(typed)
    done = subprocess.run(words, input=text, env=around, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    last = max(number for number, line in enumerate(lines) if line.startswith(" since your last"))
    end = max(number for number, line in enumerate(lines) if line == "red>")
    (picture,) = blocks("text")
    assert "\n".join(lines[last:end]) + "\n" == picture


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert "run.py test" in (ROOT / ".ci/run").read_text("utf-8")


def test_an_interrupt_of_run_py_is_no_traceback() -> None:
    waiting = "import time; print('here', flush=True); time.sleep(60)"
    program = f"import run, sys; run.run([sys.executable, '-c', {waiting!r}])"
    words = [sys.executable, "-c", program]
    with subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "here\n"
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "run.py: interrupted"
    assert "run.py" not in told.removesuffix("run.py: interrupted\n")


WAITING = """
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

def test_waits():
    time.sleep(100)

def test_waits_for_its_threads():
    with ThreadPoolExecutor() as pool:
        pool.submit(time.sleep, 100).result()

@pytest.mark.parametrize("number", range(20))
def test_passes(number):
    pass
"""
"""Two tests that wait for ever; no exception ends the second one."""


def test_a_test_that_waits_for_ever_is_named_and_the_others_run(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("timeout")
    assert pytestconfig.getoption("timeout")
    (tmp_path / "test_waiting.py").write_text(WAITING)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    words = ["-q", "-p", "xdist", "-p", "pytest_timeout", "-p", "no:cacheprovider", "-n", "2", *IN_PROCESSES]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "faulthandler_timeout=8", "--timeout=2"], cwd=tmp_path,
        capture_output=True, text=True, check=False, env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert "FAILED test_waiting.py::test_waits - Failed: Timeout" in done.stdout
    assert "crashed while running 'test_waiting.py::test_waits_for_its_threads'" in done.stdout
    assert "2 failed, 20 passed" in done.stdout


def test_run_py_refuses_what_it_does_not_know() -> None:
    done = subprocess.run([sys.executable, ROOT / "run.py", "pley"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pley" in done.stderr
    assert "Traceback" not in done.stderr


def helped() -> str:
    return subprocess.run([sys.executable, ROOT / "run.py"], capture_output=True, text=True, check=True).stdout


Benchmarks = Callable[..., str]


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], long_run: bool) -> Benchmarks:
    """Run `python -m benchmarks` in this process: what it prints.

    In the normal run fewer games are measured, and smaller boards; `test_the_games_of_the_benchmarks_are_there` loads
    all of them.
    """
    if not long_run:
        for module in (large, against):
            monkeypatch.setattr(module, "GAMES", (large.MOVED,))
        monkeypatch.setattr(by_hand, "GAMES", {name: by_hand.GAMES[name] for name in ("tic_tac_toe", "leduc_poker")})
        monkeypatch.setattr(scaling, "BOARDS", (("hex", "hex", 3, 4), ("othello", scaling.BOARDS[-1][1], 4, 6)))
        monkeypatch.setattr(against, "BOARDS", (("hex", 3), ("go", 5)))
        for name, value in (("TABLES", 2), ("SECONDS_BETWEEN_MOVES", 0.1), ("STORED_TABLES", 100)):
            monkeypatch.setattr(serving, name, value)
        monkeypatch.setattr(classic, "GAMES", {name: classic.GAMES[name] for name in ("tic_tac_toe", "kuhn_poker")})

    def run(*words: str | Path) -> str:
        short = ("benchmarks", "--rounds", "1", "--seconds", "0.02")
        monkeypatch.setattr(sys, "argv", [*short, *map(str, words)])
        assert command.main() == 0
        return capsys.readouterr().out

    return run


@pytest.mark.long
@pytest.mark.skipif(not Path(outside.COMMAND).exists(), reason="the command is not installed beside this Python")
def test_the_benchmarks_run(tmp_path: Path, benchmarks: Benchmarks) -> None:
    written = tmp_path / "figures.json"
    tables = [word for title in TABLES if title not in LONG_TABLES for word in ("--table", title)]
    printed = benchmarks("--game", "tic_tac_toe", "--json", written, *tables)
    figures = json.loads(written.read_text("utf-8"))["figures"]
    assert all(f"| {figure['name']} " in printed for figure in figures)
    assert all(0 < figure["least"] <= figure["median"] <= figure["most"] for figure in figures)
    notes = [figure["note"] for figure in figures if "against hand-written Python" in figure["name"]]
    assert len(notes) == len(by_hand.GAMES)
    assert all("; the same game: " in note for note in notes)


def test_worlds_are_measured_at_each_share_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.worlds.SPAN", 0.02)
    figures = list(worlds(load("leduc_poker"), range(2)))
    assert figures and all(min(figure.values) > 0 for figure in figures)
    assert {figure.name.rpartition(": ")[2] for figure in figures} == {"first world", "worlds", "different worlds"}


def test_the_games_of_the_benchmarks_are_there() -> None:
    large_games = {name: load(name, large.PLAYERS) for name in (*large.GAMES, large.MOVED, *against.GAMES)}
    assert large_games.keys() == {"chinesische_mauer", "china", "mauerbauer", "dschingis_khan"}
    boards = [(game, size) for _, game, *sizes in scaling.BOARDS for size in sizes] + [*against.BOARDS]
    assert all(load(game, options={"size": str(size)}).options["size"] == str(size) for game, size in boards)


@pytest.mark.parametrize("name", classic.GAMES)
def test_a_classic_game_is_played_by_openspiel(name: str) -> None:
    spiel = pytest.importorskip("pyspiel")
    assert load(name).seats
    assert classic.there(spiel.load_game(classic.GAMES[name]))(0, 1) == 1


LONG_TABLES = {
    "the machine engine", "the machine engine step by step, and C written by hand", "iterations of mcts", "graphs",
    "passes", "random games in a web page", "the playground", "worlds", "environments",
}  # fmt: skip
"""Only a part of these tables is tested: they are about large games, rows of squares, or all games.

That of a web page is tested in `interpreter/test_browser.py`, where a browser has been opened already.
"""


def test_the_benchmarks_that_take_long_run() -> None:
    assert TABLES.keys() >= LONG_TABLES
    name, longer = "tic_tac_toe", "pig"
    figures = [
        *machine.large(1, 0.02, [name]),
        machine.threads(1, 100, name),
        machine.threads_on_idle_cores(1, 100, name),
        *machine.preparing(1, [name]),
    ]
    figures += [*stepwise.operations(1, [name]), *stepwise.steps(1, 0.02, [name])]
    figures += [*stepwise.rollouts(1, 0.02, [longer]), *iterations.iterations(1, 0.02, [longer])]
    links = graphs.hexagons(6, 10)
    figures += [graphs.asked("flooded", graphs.flooded, links, [*graphs.edges_removed(links)], 1)]
    figures += [graphs.rows_of("best rows", links, 3, 1), *graphs.in_games(1, 0.02)]
    figures += [*environments.of_game(name, 1, 0.02)][:1]
    assert [len(figure.values) for figure in figures] == [1] * 20
    assert all(value > 0 for figure in figures for value in figure.values)


def test_what_passes_are_worth_is_measured_in_each_engine() -> None:
    chosen = [passes.NOTHING, "inlining", "lines at once", "hoisting"]
    figures = [*passes.worth("machine", ["tic_tac_toe"], 1, 0.02, chosen[1:])]
    assert figures == [*passes.worth("machine", ["tic_tac_toe"], 1, 0.02, chosen[1:])], "they are counted, not measured"
    figures += passes.worth("time", ["tic_tac_toe"], 1, 0.02, chosen)
    figures += passes.worth("python", ["tic_tac_toe"], 1, 0.02, chosen[:2])
    assert all(value > 0 for figure in figures for value in figure.values)
    drawn = re.sub(r"[*]*\d[.]\d\d[*]*", "0", passes.grid(figures))
    head = "| without | tic_tac_toe |\n| --- | ---: |\n"
    assert drawn.split("\n\n") == [
        "machine", f"{head}| inlining | 0 |\n| hoisting | = |\n| lines at once | 0 |",
        "time", f"{head}| nothing | 0 |\n| inlining | 0 |\n| hoisting | = |\n| lines at once | 0 |",
        "python", f"{head}| nothing | 0 |\n| inlining | 0 |",
    ]  # fmt: skip


def test_what_a_pass_is_worth_is_bold_if_it_is_more_than_noise() -> None:
    sure = Figure("python: a: inlining", "times", (0.5, 0.7, 0.6, 0.5, 0.8, 0.6))
    unsure = Figure("python: b: inlining", "times", (0.5, 0.7, 1.6, 0.5, 0.8, 0.6))
    rows = passes.grid([sure, unsure]).splitlines()
    assert rows == ["python", "", "| without | a | b |", "| --- | ---: | ---: |", "| inlining | **0.60** | 0.65 |"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler (cc)")
def test_the_games_written_in_c_are_measured() -> None:
    count = in_c.entry("mailbox_chess.c", "chess_perft", ctypes.c_int64, ctypes.c_int)
    assert count is not None
    assert {depth: count(depth) for depth in stepwise.CHESS} == stepwise.CHESS
    figures = [*stepwise.against_c(1, 0.02, ["tic_tac_toe"]), *stepwise.chess(1, 0.02, 2)]
    assert [len(figure.values) for figure in figures] == [1, 1]


def test_without_a_c_compiler_a_note_says_what_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    in_c.by_hand.cache_clear()
    assert [*stepwise.against_c(1, 0.02), *stepwise.chess(1, 0.02)] == []
    in_c.by_hand.cache_clear()
    assert "there is no C compiler (cc): nothing is compared with hand-written C" in capsys.readouterr().err


@pytest.mark.long
def test_the_benchmarks_compare_two_checkouts(benchmarks: Benchmarks) -> None:
    printed = benchmarks("--against", ROOT)
    of_games = re.findall(r"^\| random games of \w+, 3 players, (Python|machine) ", printed, re.MULTILINE)
    assert len(of_games) == 2 * len(against.GAMES)
    assert "| china: legal_moves and push " in printed
    on_boards = re.findall(r"^\| (hex|go), \d+ by \d+, (Python|machine) ", printed, re.MULTILINE)
    assert len(on_boards) == 2 * len(against.BOARDS)


@pytest.mark.parametrize("name", [".", "missing"])
def test_what_is_no_checkout_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--against", str(tmp_path / name)])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code not in (None, 0)
    assert str(tmp_path) in f"{ended.value.code} {capsys.readouterr().err}"


def test_the_sized_copy_of_a_game_is_the_game() -> None:
    copy = load(ROOT / "benchmarks/othello_of_a_size.rules", 2)
    assert list(playouts(copy, 20)) == list(playouts(load("othello", 2), 20))
