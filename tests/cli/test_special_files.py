"""Whatever the command is asked to read or write: a pipe, a device, a folder, a loop of links, something huge."""

import os
import signal
import socket
import stat
from pathlib import Path

import pytest

from dsl.text.files import Unreadable, read_file
from tests.cli.conftest import PEBBLES

SECONDS = 20


@pytest.fixture(autouse=True)
def no_hanging():
    """A test that waits for a pipe fails."""

    def hung(number, frame):
        raise TimeoutError("the command waits for something")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe(path):
    os.mkfifo(path)


def folder(path):
    path.mkdir()


def bound(path):
    """A socket; its name must be short, so it is given relative to the current folder."""
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))


def loop(path):
    path.symlink_to(path)


def zeros(path):
    path.symlink_to("/dev/zero")


def null(path):
    path.symlink_to("/dev/null")


def terminal(path):
    path.symlink_to(os.ttyname(os.openpty()[1]))


def huge(path):
    with path.open("wb") as file:
        file.truncate(1 << 40)


def secret(path):
    other = path.with_name("id_secret")
    other.write_text("PRIVATE KEY")
    path.symlink_to(other)


SPECIAL = (pipe, folder, bound, loop, zeros, null, terminal, huge, secret)
VERBS = (
    ("check", "{}"),
    ("check", "--format", "json", "{}"),
    ("fmt", "{}"),
    ("fmt", "--check", "{}"),
    ("test", "{}"),
    ("test", "--coverage", "{}"),
    ("games", "{}"),
    ("play", "{}"),
    ("simulate", "{}", "-n", "1"),
    ("perft", "{}"),
    ("diff", "{}", PEBBLES),
    ("diff", PEBBLES, "{}"),
    ("play", PEBBLES, "--variant", "{}"),
)


@pytest.mark.parametrize("made", SPECIAL, ids=lambda made: made.__name__)
def test_what_is_no_rules_file(run, own_folder, made):
    path = own_folder / "x.rules"
    made(path)
    for words in VERBS:
        if made is folder and words[0] in ("fmt", "test"):
            continue  # a folder of rules files is read there
        result = run(*(word.format(path) for word in words))
        assert result.exit_code in (1, 2) or (words[0] == "games" and "1 error" in result.output), result.output
        assert "bug in Regelwerk" not in result.output
        assert "PRIVATE" not in result.output
        assert len(result.output) < 3000


def test_each_verb_says_that_it_is_a_pipe(run, own_folder):
    pipe(own_folder / "x.rules")
    for words in (("check", "x.rules"), ("play", "x.rules"), ("simulate", "x.rules"), ("perft", "x.rules")):
        assert "is a pipe, not a file" in run(*words).output


@pytest.mark.parametrize("made", SPECIAL, ids=lambda made: made.__name__)
def test_what_is_no_board(run, own_folder, made):
    path = own_folder / "x.json"
    made(path)
    for words in (("check", path), ("play", "china", "--board", path)):
        result = run(*words)
        assert result.exit_code in (1, 2), result.output
        assert "bug in Regelwerk" not in result.output
        assert "PRIVATE" not in result.output


@pytest.mark.parametrize("made", SPECIAL, ids=lambda made: made.__name__)
def test_what_is_no_save(run, own_folder, made):
    path = own_folder / "x.save"
    made(path)
    for words in (("play", "--resume", path), ("trace", path), ("why", path, "1"), ("trace", path, "--html", "a.html")):
        result = run(*words)
        assert result.exit_code == 1
        assert result.output.startswith("error: ")
        assert "bug in Regelwerk" not in result.output
        assert "PRIVATE" not in result.output
        assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize("made", [pipe, folder, terminal, huge, secret], ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", ["own.examples.rules", "own.items", "variants/own.rules"])
def test_what_lies_beside_a_game(run, own_folder, name, made):
    (own_folder / "own.rules").write_text(Path(PEBBLES).read_text("utf-8"))
    (own_folder / "variants").mkdir()
    made(own_folder / name)
    for words in (("check", "own.rules"), ("test", "own.rules"), ("games", "own.rules")):
        result = run(*words)
        assert result.exit_code in (0, 1, 2)
        assert "bug in Regelwerk" not in result.output
        assert "PRIVATE" not in result.output


@pytest.mark.parametrize("made", [pipe, folder, bound, null, terminal], ids=lambda made: made.__name__)
def test_what_cannot_be_written_to(run, own_folder, save, made):
    path = own_folder / "out"
    made(path)
    before = os.lstat(path).st_mode
    words = (
        ("trace", save, "--html", path),
        ("play", PEBBLES, "--save", path),
        ("play", "--resume", save, "--save", path),
        ("test", PEBBLES, "--annotate", path, "--playouts", "0"),
    )
    for line in words:
        result = run(*line)
        assert result.exit_code == 2, (line, result.output)
        assert "not a file" in result.output
    assert stat.S_IFMT(os.lstat(path).st_mode) == stat.S_IFMT(before)
    result = run("play", PEBBLES, typed=["save ./out", "quit"])
    assert "not a file" in result.output
    assert result.exit_code == 0


def test_a_save_that_became_something_else_while_it_was_played(run, own_folder):
    """The game continues, and says that it is not saved."""
    from interpreter.play.game import load
    from interpreter.play.saves.files import SaveMeta, write_save

    path = own_folder / "a.json"
    for made in (pipe, null):
        made(path)
        with pytest.raises(OSError, match="not a file"):
            write_save(path, load(PEBBLES).start(), SaveMeta({}))
        path.unlink()
    folder(path)
    with pytest.raises(OSError):
        write_save(path, load(PEBBLES).start(), SaveMeta({}))


@pytest.mark.parametrize("name", ["x" * 300, "~nobody_of_that_name/x", "/dev/null/x", "a\x1b[2Jb"])
def test_names_that_no_file_has(run, own_folder, save, name):
    for words in (
        ("check", f"{name}.rules"),
        ("check", f"{name}.json"),
        ("fmt", f"{name}.rules"),
        ("test", f"{name}.rules"),
        ("play", f"{name}.rules"),
        ("play", PEBBLES, "--board", name),
        ("play", PEBBLES, "--variant", f"{name}.rules"),
        ("play", "--resume", name),
        ("trace", name),
        ("why", name, "1"),
        ("trace", save, "--html", f"{name}/page.html"),
    ):
        result = run(*words)
        assert result.exit_code in (1, 2)
        assert "bug in Regelwerk" not in result.output
        assert "\x1b" not in result.output
    result = run("play", PEBBLES, typed=[f"save {name}/y", "quit"])
    assert result.exit_code == 0
    assert "bug in Regelwerk" not in result.output


@pytest.mark.parametrize("name", ["", ".", "./", "..", "/", "//"])
def test_folders_without_a_name_of_their_own(run, own_folder, save, name):
    written = sorted(own_folder.iterdir())
    for words in (
        ("check", name),
        ("check", "--format", "json", name),
        ("rules", name),
        ("rulebook", name),
        ("games", name),
        ("copy", name, "other"),
        ("explore", name),
        ("mutate", name),
        ("diff", name, PEBBLES),
        ("diff", PEBBLES, name),
        ("simulate", name, "-n", "1"),
        ("simulate", PEBBLES, "-n", "1", "--into", name),
        ("simulate", PEBBLES, "-n", "1", "--figures", name),
        ("play", PEBBLES, "--save", name),
        ("play", PEBBLES, "--board", name),
        ("play", PEBBLES, "--variant", name),
        ("play", PEBBLES, "--from", name),
        ("play", "--resume", name, "--plain"),
        ("trace", name, "--plain"),
        ("trace", save, "--html", name),
        ("test", PEBBLES, "--coverage", "--playouts", "1", "-j", "1", "--annotate", name),
        ("rulebook", PEBBLES, "--output", name),
        ("saves", name),
        ("saves", "--delete", "--yes", name),
        ("saves", "--rename", save, name),
    ):
        if name or "--resume" not in words:
            result = run(*words)
            assert result.exit_code in (1, 2) or words[0] == "games", words
    assert sorted(own_folder.iterdir()) == written


def test_no_name_to_write_to(run, own_folder, save):
    """A folder without a name is not the one of the shell."""
    written = sorted(own_folder.iterdir())
    for flag, *words in (
        ("--into", "explore", PEBBLES, "--decisions", "3"),
        ("--into", "mutate", PEBBLES, "--time", "1"),
        ("--into", "sweep", "pig", "-o", "goal=20,21", "-n", "1"),
        ("--into", "compare", "pig", "pig", "-n", "1"),
        ("--into", "arena", PEBBLES, "random", "random", "-n", "2"),
        ("--svg", "simulate", PEBBLES, "-n", "1"),
        ("--html", "simulate", PEBBLES, "-n", "1"),
        ("--output", "rulebook", PEBBLES),
        ("--save", "play", PEBBLES),
        ("FOLDER", "copy", PEBBLES),
    ):
        for name in ("", " "):
            result = run(*words, *([] if flag == "FOLDER" else [flag]), name)
            assert result.exit_code == 2, (words, name)
            assert f"{flag} needs a name" in result.output or flag == "--save"
    assert sorted(own_folder.iterdir()) == written


def test_what_is_no_rules_file_by_its_name_is_not_quoted(run, own_folder):
    (own_folder / "notes.txt").write_text("my secret\n")
    (own_folder / "game.rules").write_text('game "X" for 2 players red, blue\n== components ==\nboard "token.txt"\n')
    (own_folder / "token.txt").write_text("my secret\n")
    for words in (("check", "notes.txt"), ("fmt", "notes.txt"), ("test", "notes.txt"), ("check", "game.rules")):
        result = run(*words)
        assert result.exit_code in (1, 2)
        assert "secret" not in result.output
        assert "its name does not end in" in result.output


@pytest.mark.parametrize("text", ['{"token": "my secret"}', '["my secret"]', '"my secret" x', '{"a": "my secret",}'])
def test_json_that_is_no_board_is_not_quoted(run, own_folder, text):
    (own_folder / "x.json").write_text(text)
    result = run("check", "x.json")
    assert result.exit_code == 1
    assert "secret" not in result.output and "token" not in result.output


def test_reading_is_bounded(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abcdef")
    assert read_file(path, 3) == b"abcd"
    assert read_file(path, 6) == b"abcdef"
    for made, kind in ((pipe, "special"), (folder, "special"), (null, "special"), (loop, "failed")):
        other = tmp_path / made.__name__
        made(other)
        with pytest.raises(Unreadable) as caught:
            read_file(other, 3)
        assert caught.value.kind == kind
    with pytest.raises(Unreadable) as caught:
        read_file(tmp_path / "none", 3)
    assert caught.value.kind == "missing"


@pytest.mark.parametrize("made", SPECIAL, ids=lambda made: made.__name__)
def test_what_is_no_file_of_results(run, own_folder, made):
    path = own_folder / "r.jsonl"
    made(path)
    result = run("arena", PEBBLES, "random", "random", "-n", "1", "-j", "1", "--into", path)
    assert result.exit_code in (1, 2)
    assert "bug in Regelwerk" not in result.output
    assert "PRIVATE" not in result.output
