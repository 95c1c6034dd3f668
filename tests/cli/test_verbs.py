"""The verbs that do not ask: games, check, test, trace, simulate; their JSON; messages and exit codes of all."""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

from cli.json_output import schema
from cli.verbs import MODULES, VERBS
from tests.cli.conftest import GAMES, PEBBLES, saves, valid
from tests.support.project import ROOT


@pytest.fixture
def here(own_folder):
    """The small game in the current folder."""
    shutil.copy(PEBBLES, own_folder)
    return own_folder


# ---- help


def test_without_a_verb_it_shows_its_help(run):
    result = run()
    assert result.exit_code == 0
    assert all(f"  {verb} " in result.output for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(run, verb):
    for flag in ("--help", "-h"):
        result = run(verb, flag)
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: regelwerk {verb}") or f" {verb} " in result.output.splitlines()[0]


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_begins_with_its_short_text(verb):
    function = getattr(import_module(MODULES.get(verb, f"cli.verbs.{verb}")), verb)
    assert function.__doc__.partition("\n")[0] == f"{VERBS[verb]}."


def test_the_verbs_are_the_modules_in_their_folder():
    assert set(VERBS) - set(MODULES) == {path.stem for path in (ROOT / "cli" / "verbs").glob("[!_]*.py")}


def test_the_readme_lists_the_verbs_as_the_help_does(run):
    listed = re.findall(
        r"^regelwerk (\w+)[A-Z ]*  ?([A-Z][a-z].*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert dict(listed) == VERBS
    assert all(f"  {verb:<8}  {text}\n" in run("--help").output for verb, text in listed)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["pley"], ["fmt", "--help"], ["explain", "E0101"]])
def test_the_interpreter_is_loaded_only_by_the_verbs_that_use_it(words):
    loaded = "any(name in sys.modules for name in ('interpreter.play.game', 'interpreter.engine.program'))"
    code = f"import sys, cli.main as m; m.app(sys.argv[1:], standalone_mode=False); print({loaded})"
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_version(run):
    result = run("--version")
    assert (result.exit_code, result.output.split()[0]) == (0, "regelwerk")


# ---- check


def test_check_a_good_file(run):
    result = run("check", PEBBLES)
    assert (result.exit_code, result.output) == (0, "no problems in 1 file\n")


def test_check_by_name_and_a_file_once(run, here):
    assert run("check", "pebbles", "pebbles").output == "no problems in 1 file\n"


@pytest.fixture
def wrong(own_folder):
    path = own_folder / "wrong.rules"
    text = Path(PEBBLES).read_text()
    path.write_text(text.replace("set thrown to luck", "set throw to luck").replace("count store[p]", "count stoer[p]"))
    return path


def test_check_a_bad_file(run, wrong):
    result = run("check", wrong.name, PEBBLES)
    assert result.exit_code == 1
    assert "error[E" in result.output
    assert "wrong.rules:" in result.output
    assert "^^^" in result.output
    assert result.output.splitlines()[-1].endswith("errors in 2 files")


def test_check_as_json(run, wrong):
    result = run("check", wrong, "--format", "json")
    assert result.exit_code == 1
    found = valid("check", result.output)["files"][0]["diagnostics"]
    assert {finding["severity"] for finding in found} == {"error"}
    assert all(finding["place"]["line"] > 1 for finding in found)


BOARD = {
    "format": 1,
    "name": "Triangle",
    "posts": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
    "hedges": [{"id": "ab", "ends": ["a", "b"]}, {"id": "bc", "ends": ["b", "c"]}, {"id": "ca", "ends": ["c", "a"]}],
    "meadows": [{"id": "inner", "edges": ["ab", "bc", "ca"]}],
}


def test_check_a_board(run, own_folder):
    (own_folder / "triangle.json").write_text(json.dumps(BOARD))
    result = run("check", "triangle.json", PEBBLES)
    assert result.exit_code == 0
    assert result.output == "triangle.json: 3 places, 3 edges, 1 face, no errors\nno problems in 2 files\n"
    assert valid("check", run("check", "triangle.json", "--format", "json").output)["files"] == [
        {"path": "triangle.json", "diagnostics": []}
    ]


def test_check_a_bad_board(run, own_folder):
    text = json.dumps(BOARD, indent=1).replace('"id": "bc"', '"id": "bd"')
    (own_folder / "triangle.json").write_text(text)
    result = run("check", "triangle.json")
    assert result.exit_code == 1
    assert "error[E0707]: there is no edge `bc`" in result.output
    assert "triangle.json:" in result.output
    assert result.output.splitlines()[-1] == "1 error in 1 file"
    (finding,) = valid("check", run("check", "triangle.json", "--format", "json").output)["files"][0]["diagnostics"]
    assert finding["code"] == "E0707"


def test_check_a_board_that_is_not_there(run):
    result = run("check", "nowhere.json")
    assert result.exit_code == 1
    assert "no such file" in result.output


def test_check_the_companion_means_its_game(run, here):
    (here / "pebbles.examples.rules").write_text('examples of pebbles\n\nexample "x":\n    then thrown is red\n')
    result = run("check", "pebbles.examples.rules")
    assert result.exit_code == 1
    assert "pebbles.examples.rules:4" in result.output


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"\xff\xfe", b"game", b"(" * 20_000])
def test_check_says_what_is_wrong_with_anything(run, own_folder, content):
    (own_folder / "x.rules").write_bytes(content)
    result = run("check", "x.rules")
    assert result.exit_code == 1
    assert "error[E" in result.output
    assert run("play", "x.rules").exit_code == 1


# ---- test

EXAMPLES = """examples of pebbles

example "a throw":                          [P-1]
    given 2 players
    given luck is 3
    when red: throw
    then thrown is 3

example "a wrong throw":                    [P-2]
    given 2 players
    given luck is 3
    when red: throw
    then thrown is 4
"""


def test_examples(run, here):
    (here / "pebbles.examples.rules").write_text(EXAMPLES)
    result = run("test", "pebbles")
    assert result.exit_code == 1
    assert 'FAILED "a wrong throw" [P-2]' in result.output
    assert "pebbles.examples.rules:13" in result.output
    assert result.output.splitlines()[-1] == "1 of 2 examples passed in 1 file, 1 failed"


def test_examples_of_a_folder_as_json(run, here):
    (here / "pebbles.examples.rules").write_text(EXAMPLES)
    result = run("test", ".", "--format", "json")
    assert result.exit_code == 1
    document = valid("test", result.output)
    assert (document["passed"], document["failed"]) == (1, 1)


def test_no_examples(run, here):
    result = run("test", "pebbles.rules")
    assert (result.exit_code, result.output) == (0, "no examples in 1 file\n")


def test_examples_of_rules_with_errors(run, wrong):
    result = run("test", wrong)
    assert result.exit_code == 1
    assert "error[E" in result.output


# ---- perft


def test_perft_counts_every_sequence_of_moves(run):
    result = run("perft", "tic_tac_toe", "--depth", 5)
    assert result.exit_code == 0
    assert [line.split() for line in result.output.splitlines()[-7:-2]] == [
        ["1", "9", "0"], ["2", "72", "0"], ["3", "504", "0"], ["4", "3024", "0"], ["5", "15120", "1440"],
    ]  # fmt: skip
    document = valid("perft", run("perft", "tic_tac_toe", "--depth", 5, "--format", "json").output)
    assert (document["over"], document["chance"]) == (1440, False)
    assert valid("perft", run("perft", "pig", "--depth", 2, "--format", "json").output)["chance"]
    assert run("perft", "nim", "--depth", 0).exit_code == 2


# ---- messages and exit codes


@pytest.mark.parametrize("words", [("trace", "game.json"), ("play", "--resume", "game.json"), ("simulate", PEBBLES)])
def test_a_terminal_without_our_signs(save, words):
    import os
    import subprocess
    import sys

    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(GAMES.parents[2])}
    done = subprocess.run([sys.executable, "-m", "cli.main", *words], env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_and_a_reader_who_has_gone(save):
    import os
    import subprocess
    import sys

    env = {**os.environ, "PYTHONPATH": str(GAMES.parents[2])}
    command = [sys.executable, "-m", "cli.main", "trace", "game.json"]
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(command, env=env, stdout=full, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (1, b"error: no space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, env=env, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["pley"], 2, "did you mean"),
        (["play", "--sede", "3"], 2, "no such option"),
        (["play"], 2, "play needs a GAME"),
        (["play", "peebles"], 2, "there is no game `peebles`"),
        (["play", "nowhere/x.rules"], 2, "there is no rules file"),
        (["check", "nowhere.rules"], 2, "there is no rules file"),
        (["play", PEBBLES, "--players", "9"], 2, "is for 2 to 3 players, not 9"),
        (["play", PEBBLES, "--players", "-1"], 2, "not -1"),
        (["play", PEBBLES, "--players", "red,grene"], 2, "no seat `grene`; did you mean green"),
        (["play", PEBBLES, "--players", ","], 2, "a number of players or names"),
        (["play", PEBBLES, "--seed", "x"], 2, "invalid value for '--seed': expected a whole number"),
        (["play", PEBBLES, "--option", "turn=few"], 2, "no option `turn`; did you mean turns?"),
        (["play", PEBBLES, "--option", "turns=fwe"], 2, "few or many"),
        (["play", PEBBLES, "--option", "turns"], 2, "--option expects NAME=VALUE"),
        (["play", PEBBLES, "--option", "turns=few", "--option", "turns=many"], 2, "given twice"),
        (["play", PEBBLES, "--seat", "rad=human"], 2, "no seat `rad`; did you mean red?"),
        (["play", PEBBLES, "--seat", "red=humen"], 2, "did you mean human?"),
        (["play", PEBBLES, "--seat", "red"], 2, "--seat expects"),
        (["play", PEBBLES, "--seat", "blue=human", "--players", "red,green"], 2, "--players does not"),
        (["play", PEBBLES, "--seat", "all=human", "--follow"], 2, "at most one person"),
        (["play", PEBBLES, "--save", "."], 2, "is a folder"),
        (["play", "--resume", "none.json"], 1, "there is no save none.json"),
        (["play", "--resume", "x", "--seed", "3"], 2, "--seed cannot be changed with --resume"),
        (["play", "--resume", "x", "--seed", "0"], 2, "--seed cannot be changed with --resume"),
        (["simulate", PEBBLES, "-n", "0"], 2, "--games must be"),
        (["simulate", PEBBLES, "-j", "0"], 2, "--jobs must be"),
        (["simulate", PEBBLES, "--format", "xml"], 2, "text, json or csv"),
        (["test", "nowhere"], 2, "there is no game `nowhere`"),
    ],
)
def test_misuse_is_one_clear_message(run, words, code, message):
    result = run(*words)
    assert result.exit_code == code, result.output
    assert message.casefold() in result.output.casefold()
    assert result.output.splitlines()[0].startswith("error: ")
    assert len(result.output.splitlines()) <= 2
    assert saves(Path.cwd()) == []


def test_errors_go_to_standard_error(run):
    result = run("play", "peebles")
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")


def test_the_help_speaks_of_no_game(run):
    texts = [run(verb, "--help").output for verb in VERBS] + [run().output]
    titles = [game["title"] for game in json.loads(run("games", "--format", "json").output)["games"]]
    named = [title for title in titles for text in texts if re.search(rf"\b{re.escape(title)}\b", text, re.IGNORECASE)]
    assert named == []


def test_the_schemas_are_schemas():
    for path in Path(schema.__code__.co_filename).parent.joinpath("schemas").glob("*.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))
    assert GAMES.is_dir()


def test_games_tell_runs_of_numbers_by_their_ends(run, own_folder):
    shutil.copy(PEBBLES, own_folder)
    path = own_folder / "pebbles.rules"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("option start", "option goal: 10..200 = 50\noption start", 1), encoding="utf-8")
    assert "goal = 50, or 10 to 49, 51 to 200" in run("games", "pebbles.rules").output
