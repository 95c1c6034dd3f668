"""Saves, files and questions with characters that act on a terminal: all are spelled out wherever they are shown."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from cli.main import app
from cli.seat_access import SAVED_RULES
from dsl.text.visible import HIDDEN
from interpreter.errors import SaveError
from interpreter.play.game import load
from interpreter.play.saves.files import Note, SaveMeta, checksum, read_save, resume, write_save
from tests.cli.conftest import PEBBLES

EVIL = "\x1b]0;owned\x07\x1b[2J\0\x9b31m\u202e\u2066\u061c\u200b\r\nred  built a house\x7f\u2028\x08"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\x00\x9b31m\u202e\u2066\u061c\u200b\r\nred  built a house\x7f\u2028\x08"
PATTERN = re.compile(f"(?!\n)[{HIDDEN}]")


def hidden_in(text):
    """The hidden characters of a text, but for the ends of its lines."""
    return PATTERN.findall(text)


def plain(text):
    """Words without the ends of lines between them, for texts that were folded into a width."""
    return re.sub(r"\s+", "", text)


def written(path, document):
    """A save with a checksum that fits."""
    path.write_text(json.dumps({**document, "checksum": checksum(document)}))
    return path


@pytest.fixture
def document(running):
    """A save of a game that a person left, as data."""
    return json.loads(running.read_text())


def noted(document, **more):
    note = {"ply": 1, "kind": "undo", "player": "red", "text": EVIL, "agreed": [], "moves": []}
    return {**document, "notes": [note | more]}


FIELDS = {
    "board": lambda d: {**d, "board": f"/tmp/{EVIL}.json"},
    "board of no board": lambda d: {**d, "board": EVIL},
    "variants": lambda d: {**d, "variants": [f"/tmp/{EVIL}.rules"]},
    "variant of none": lambda d: {**d, "variants": [EVIL]},
    "title": lambda d: {**d, "title": EVIL, "variants": ["none.rules"]},
    "title of a board": lambda d: {**d, "title": EVIL, "board": "none.json"},
    "options": lambda d: {**d, "options": {EVIL: EVIL}},
    "value": lambda d: {**d, "options": {**d["options"], "turns": EVIL}},
    "players": lambda d: {**d, "players": ["red", EVIL]},
    "seats": lambda d: {**d, "seats": {EVIL: "human"}},
    "kind": lambda d: {**d, "seats": {"red": EVIL, "green": "human"}},
    "unknown": lambda d: {**d, EVIL: 1},
    "version": lambda d: {**d, "format_version": EVIL},
    "versions": lambda d: {**d, "versions": {EVIL: EVIL}},
    "game": lambda d: {**d, "game": EVIL},
    "game that is gone": lambda d: {**d, "game": EVIL, "path": "/none.rules"},
    "path": lambda d: {**d, "path": f"/tmp/{EVIL}.rules", "game": "none"},
    "path of no rules": lambda d: {**d, "path": EVIL},
    "hash": lambda d: {**d, "rules_hash": EVIL},
    "half of a character": lambda d: {**d, "title": "\ud800"},
    "warning": lambda d: {**d, "warning": EVIL},
    "move": lambda d: {**d, "moves": [*d["moves"][:1], {"player": d["moves"][1]["player"], "move": EVIL}]},
    "player": lambda d: {**d, "moves": [*d["moves"][:1], {"player": EVIL, "move": "build"}]},
    "key of a move": lambda d: {**d, "moves": [{EVIL: 1}]},
    "chance": lambda d: {**d, "chance": [EVIL]},
    "supplied": lambda d: {**d, "chance": [EVIL], "chance_from": "supplied"},
    "text": noted,
    "text of an open game": lambda d: noted(d, kind="opened"),
    "player of a note": lambda d: noted(d, player=EVIL),
    "agreed": lambda d: noted(d, agreed=[EVIL]),
    "moves of a note": lambda d: noted(d, moves=[{"player": EVIL, "move": EVIL}]),
    "kind of a note": lambda d: noted(d, kind=EVIL),
    "key of a note": lambda d: noted(d, **{EVIL: 1}),
}


@pytest.mark.parametrize("field", FIELDS)
def test_nothing_of_a_save_acts_on_the_terminal(run, own_folder, document, field):
    path = written(own_folder / "a.json", FIELDS[field](document))
    for words in (
        ("play", "--resume", path, "--save", "b.json"),
        ("why", path, "points(red)", "--as", "red"),
        ("trace", path, "--plain", "--as", "red"),
        ("trace", path, "--format", "json", "--as", "red"),
        ("trace", path, "--html", "a.html", "--as", "red"),
    ):
        result = run(*words, typed=["log all", "view", "quit"])
        assert hidden_in(result.output) == [], words
        assert "bug in Regelwerk" not in result.output
        assert result.exit_code in (0, 1, 2)
        assert "owned" not in result.output or r"\x1b]0;owned\x07" in plain(result.output)
        shown = any(f"error: {told}" in result.output for told in ("move 2", "what was decided after move 1"))
        if result.exit_code == 1 and not shown:  # there the table is shown, too
            lines = [line for line in result.output.splitlines() if line != str(SAVED_RULES)]
            assert len(lines) == 1, result.output
        (own_folder / "b.json").unlink(missing_ok=True)
        if words[0] == "play" and result.exit_code == 1:
            break  # the other verbs refuse it in the same words
    page = own_folder / "a.html"
    assert not page.exists() or hidden_in(page.read_text("utf-8")) == []


def test_a_note_is_shown_as_it_is(run, own_folder, document):
    path = written(own_folder / "a.json", noted(document))
    result = run("play", "--resume", path, typed=["log all", "quit"])
    assert result.exit_code == 0
    assert plain(SHOWN) in plain(result.output)
    again = read_save(path)
    assert again.notes[0].text == EVIL
    assert hidden_in(path.read_text("utf-8")) == []


def test_half_a_character(run, own_folder, document):
    """A save with one is refused; none is written."""
    result = run("play", "--resume", written(own_folder / "a.json", {**noted(document), "title": "\ud800"}))
    assert result.exit_code == 1
    assert "half of a character" in " ".join(result.output.split())
    write_save(own_folder / "b.json", load("nim").start(), SaveMeta({}, [Note(0, "undo", None, "a\ud800b")]))
    assert read_save(own_folder / "b.json").notes[0].text == "a?b"


def test_on_a_real_terminal(terminal, own_folder, document):
    path = written(own_folder / "a.json", noted(document))
    one = terminal("play", "--plain", "--resume", path, columns=120)
    one.until("red> ")
    one.enter("log all", "red> ")
    one.type("quit\n")
    assert one.end() == 0
    assert plain(SHOWN) in plain(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", one.raw))
    for sign in ("\x1b]", "\x07", "\0", "\x9b", "\u202e", "\u2066", "\u061c", "\u200b", "\u2028", "\x7f", "\x08"):
        assert sign not in one.raw, repr(sign)


def test_an_error_on_a_real_terminal(terminal, own_folder, document):
    path = written(own_folder / "a.json", {**document, "title": EVIL, "variants": [f"{EVIL}.rules"]})
    one = terminal("play", "--plain", "--resume", path)
    one.until("which one? ")  # the game can go on under the rules in the save
    one.type("\r")
    assert one.end() == 0
    assert r"\x1b]0;owned\x07" in plain(one.raw)
    assert "\x1b]" not in one.raw and "\x07" not in one.raw and "\u202e" not in one.raw


signs = st.text(st.sampled_from([*EVIL, "a", "/", ".", "[", "é"]), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text_in_any_field(own_folder, document, data):
    """One to three values or keys anywhere in a save replaced by texts full of control characters."""
    changed = json.loads(json.dumps(noted(document)))
    for _ in range(data.draw(st.integers(1, 3))):
        inner = changed
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(inner[key], dict | list) and inner[key] and data.draw(st.booleans()):
                inner = inner[key]
                continue
            if isinstance(inner, dict) and data.draw(st.integers(0, 3)) == 0:
                inner[data.draw(signs)] = inner.pop(key)
            else:
                inner[key] = data.draw(signs)
            break
    path = written(own_folder / "a.json", changed)
    try:
        resume(read_save(path))
    except SaveError as fault:
        assert not PATTERN.search(str(fault)) and "\n" not in str(fault)
    result = CliRunner().invoke(app, ["play", "--resume", str(path), "--save", "b.json"], input="log all\nquit\n")
    (own_folder / "b.json").unlink(missing_ok=True)
    assert hidden_in(result.output) == []
    assert result.exit_code in (0, 1, 2)
    assert "bug in Regelwerk" not in result.output


# ---- what a save may name


@pytest.mark.parametrize("target", ["/etc/passwd", "id_key", "id.rules/../id_key", "link.rules", "config.json"])
def test_a_save_quotes_no_other_file(run, own_folder, document, target):
    (own_folder / "id_key").write_text("PRIVATE KEY\n")
    (own_folder / "id.rules").mkdir()
    (own_folder / "link.rules").symlink_to(own_folder / "id_key")
    (own_folder / "config.json").write_text('{"auth": "PRIVATE"}')
    for change in (
        {"path": target},
        {"path": target, "game": target},
        {"path": "/none.rules", "game": target},
        {"board": target},
        {"variants": [target]},
    ):
        path = written(own_folder / "a.save", {**document, **change})
        for words in (("play", "--resume", path), ("trace", path, "--plain"), ("why", path, "1")):
            result = run(*words)
            assert result.exit_code == 1
            assert "PRIVATE" not in result.output and "root:" not in result.output, (change, result.output)


def test_a_save_can_name_only_certain_files(run, own_folder, document):
    path = written(own_folder / "a.json", {**document, "path": "/etc/passwd"})
    output = " ".join(run("play", "--resume", path).output.split())
    assert "names `/etc/passwd` as its rules file, but that name does not end in `.rules`" in output


# ---- other ways in


@pytest.mark.parametrize("words", [
    ("check", "{}.rules"), ("check", "{}.json"), ("check", "--format", "json", "{}.rules"), ("fmt", "{}.rules"),
    ("fmt", "--diff", "{}.rules"), ("test", "{}.rules"), ("games", "{}.rules"), ("play", "{}"), ("explain", "{}"),
    ("trace", "{}"), ("why", "{}", "1"), ("diff", "{}", "nim"), ("play", "nim", "--option", "{}=1"),
    ("play", "nim", "--option", "last_loses={}"), ("play", "nim", "--players", "{}"),
    ("play", "nim", "--seat", "{}=human"),
    ("play", "nim", "--variant", "{}"), ("play", "nim", "--board", "{}"), ("play", "nim", "--save", "none/{}"),
    ("simulate", "nim", "--format", "{}"), ("{}",), ("play", "--{}"), ("simulate", "nim", "-n", "{}"),
])  # fmt: skip
@pytest.mark.parametrize("made", [False, True], ids=["no file", "a file"])
def test_words_of_the_command_line(run, own_folder, words, made):
    name = EVIL.replace("\0", "")
    if made:
        for suffix in (".rules", ".json", ""):
            (own_folder / f"{name}{suffix}").write_text(f'game "{EVIL}" nonsense\n', "utf-8", "surrogatepass")
    result = run(*(word.format(name) for word in words))
    assert result.exit_code in (0, 1, 2)
    assert hidden_in(result.output) == []
    assert "bug in Regelwerk" not in result.output


def test_a_game_with_an_odd_file_name(run, own_folder):
    name = "a\x1b[31m\u202eb"
    (own_folder / f"{name}.rules").write_text(Path(PEBBLES).read_text("utf-8"), "utf-8")
    game = f"./{name}.rules"
    for words in (
        ("check", game), ("fmt", game), ("fmt", "--diff", game), ("test", game),
        ("test", game, "--coverage", "--playouts", "1"), ("games", game), ("simulate", game, "-n", "2"),
        ("perft", game, "--depth", "1"), ("diff", game, game, "--games", "1"),
        ("play", game, "--seat", "all=random", "--save", "c.json"), ("trace", "c.json", "--plain"),
        ("trace", "c.json", "--format", "json"), ("trace", "c.json", "--html", "c.html"),
        ("why", "c.json", "points(red)"),
    ):  # fmt: skip
        result = run(*words)
        assert result.exit_code == 0, result.output
        assert hidden_in(result.output) == [], words
    for path in ("c.json", "c.html"):
        assert hidden_in((own_folder / path).read_text("utf-8")) == []


@pytest.mark.parametrize("question", [EVIL, f"points({EVIL})", f"throw({EVIL})", f'"{EVIL}"', f"bag {EVIL}"])
def test_questions(run, running, question):
    for words in (("why", running, "--", question), ("why", running, "--format", "json", "--", question)):
        result = run(*words)
        assert result.exit_code in (0, 1, 2)
        assert hidden_in(result.output) == []
    line = question.replace("\n", "")
    typed = [f"{word} {line}" for word in ("why", "log", "save", "", "undo")]
    result = run("play", PEBBLES, typed=[*typed, "quit"])
    assert hidden_in(result.output) == []
