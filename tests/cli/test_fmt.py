"""`fmt`: what it writes, what it says, and that it writes nothing it should not."""

import shutil
from pathlib import Path

import pytest

from dsl.formatter import proving
from tests.cli.conftest import GAMES, PEBBLES
from tests.cli.terminal import Terminal

UGLY = 'game "X" for 2 players red,blue\n== setup ==\nshuffle   pile # so\n'
TIDY = 'game "X" for 2 players red, blue\n\n== setup ==\n\nshuffle pile  # so\n'
WRONG = 'game "X" for 2 players red, blue\n\n== setup ==\n\nshuffle\n'


@pytest.fixture
def ugly(own_folder: Path) -> Path:
    path = own_folder / "ugly.rules"
    path.write_text(UGLY, encoding="utf-8")
    return path


def test_a_file_gets_its_canonical_text(run, ugly):
    result = run("fmt", "ugly.rules")
    assert result.exit_code == 0
    assert result.output.splitlines() == ["ugly.rules changed", "1 of 1 file changed"]
    assert ugly.read_bytes().decode() == TIDY
    result = run("fmt", "ugly.rules")
    assert (result.exit_code, result.output.splitlines()) == (0, ["0 of 1 file changed"])
    assert [path.name for path in ugly.parent.iterdir()] == ["ugly.rules"]


def test_check_writes_nothing_and_names_what_would_change(run, ugly):
    (ugly.parent / "tidy.rules").write_text(TIDY, encoding="utf-8")
    result = run("fmt", "--check", "tidy.rules", "ugly.rules")
    assert result.exit_code == 1
    assert result.output.splitlines() == ["ugly.rules would change", "1 of 2 files would change"]
    assert ugly.read_text() == UGLY
    assert run("fmt", "--check", "tidy.rules").exit_code == 0


def test_diff_writes_nothing_and_shows_a_patch(run, ugly):
    result = run("fmt", "--diff", "ugly.rules")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "--- ugly.rules\tcurrent", "+++ ugly.rules\tcanonical", "@@ -1,3 +1,5 @@",
        '-game "X" for 2 players red,blue', '+game "X" for 2 players red, blue', "+", " == setup ==",
        "-shuffle   pile # so", "+", "+shuffle pile  # so",
    ]  # fmt: skip
    assert result.stderr == "1 of 1 file would change\n"
    assert ugly.read_text() == UGLY
    assert run("fmt", "--check", "--diff", "ugly.rules").exit_code == 1


def test_a_patch_of_an_unfinished_last_line(run, ugly):
    ugly.write_text(TIDY.rstrip("\n"))
    shown = run("fmt", "--diff", "ugly.rules").stdout
    assert shown.endswith("-shuffle pile  # so\n\\ No newline at end of file\n+shuffle pile  # so\n")


def test_a_patch_has_colours_on_a_terminal(ugly):
    with Terminal("fmt", "--diff", ugly) as terminal:
        shown = terminal.until("would change")
    assert "\x1b[91m-shuffle   pile # so\x1b[0m" in shown
    assert "\x1b[36m@@" in shown


def test_standard_input_goes_to_standard_output(run):
    assert run("fmt", "-", typed=UGLY).stdout == TIDY
    result = run("fmt", "--check", "-", typed=UGLY)
    assert (result.exit_code, result.output) == (1, "<stdin> would change\n")
    assert run("fmt", "--check", "-", typed=TIDY).exit_code == 0
    assert "+shuffle pile  # so" in run("fmt", "--diff", "-", typed=UGLY).stdout
    result = run("fmt", "-", typed=WRONG)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[E0105]" in result.stderr
    assert "<stdin>:5:8" in result.stderr
    assert run("fmt", "-", "other.rules", typed=UGLY).exit_code == 2


def test_a_file_with_errors_stays_and_the_others_are_written(run, ugly):
    wrong = ugly.parent / "a.rules"
    wrong.write_text(WRONG)
    result = run("fmt", "a.rules", "ugly.rules")
    assert result.exit_code == 1
    assert "error[E0105]" in result.stderr
    assert result.stdout.splitlines() == ["ugly.rules changed", "1 of 2 files changed, 1 has errors"]
    assert wrong.read_text() == WRONG
    assert ugly.read_text() == TIDY


def test_folders_and_names(run, own_folder):
    shutil.copytree(GAMES, own_folder / "a" / "games")
    (own_folder / "a" / ".hidden").mkdir()
    for place in ("a/ugly.rules", "a/games/x.rules", "a/games/x.examples.rules", "a/.hidden/x.rules", "a/x.txt"):
        (own_folder / place).write_text(UGLY)
    result = run("fmt", "--check", "a", "a/ugly.rules")
    named = {line.split()[0] for line in result.output.splitlines()[:-1]}
    assert {name for name in named if "x.rules" in name} == {"a/games/x.rules"}
    assert {"a/ugly.rules", "a/games/x.examples.rules"} < named
    shutil.copy(PEBBLES, own_folder)
    (own_folder / "pebbles.rules").write_text(UGLY)
    (own_folder / "pebbles.examples.rules").write_text('examples of pebbles\nexample  "a":\n  then over\n')
    assert run("fmt", "pebbles").output.splitlines()[-1] == "2 of 2 files changed"
    assert run("fmt", "peebles").exit_code == 2


def test_marks_and_line_ends_of_other_systems_go(run, ugly):
    ugly.write_bytes(b"\xef\xbb\xbf" + TIDY.encode())
    assert run("fmt", "--check", ugly).exit_code == 1
    run("fmt", ugly)
    assert ugly.read_bytes() == TIDY.encode()
    ugly.write_bytes(TIDY.replace("\n", "\r\n").encode())
    run("fmt", ugly)
    assert ugly.read_bytes() == TIDY.encode()


def test_who_may_read_a_file_stays_as_it_was(run, ugly):
    ugly.chmod(0o644)
    run("fmt", ugly)
    assert ugly.stat().st_mode & 0o777 == 0o644


def test_what_is_no_text_is_told(run, ugly):
    ugly.write_bytes(b"\x89PNG\0")
    result = run("fmt", ugly)
    assert result.exit_code == 1
    assert "E0101" in result.stderr


def test_a_text_that_is_not_proved_is_not_written(run, ugly, monkeypatch):
    render = proving.render
    monkeypatch.setattr(proving, "render", lambda text: render(text).replace("  # so", ""))
    result = run("fmt", ugly)
    assert result.exit_code == 1
    wanted = "formatting would lose or move a comment, so it is left untouched; this is a bug in Regelwerk"
    assert wanted in result.stderr
    assert ugly.read_text() == UGLY
