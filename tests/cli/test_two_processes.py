"""Two processes open one save: the second learns of the first, and no decision of either is lost."""

from __future__ import annotations

import os
import signal

import pytest

from dsl.text import claims
from dsl.text.claims import Claim, ClaimedError
from interpreter.play.saves.files import read_save
from tests.cli.conftest import PEBBLES, QUIET, read
from tests.cli.terminal import Terminal


@pytest.fixture
def folder(own_folder):
    path = own_folder / "data" / "regelwerk" / "saves"
    path.mkdir(parents=True)
    return path


@pytest.fixture
def playing(terminal, folder) -> Terminal:
    """A game that a person plays line by line, in the save `evening`."""
    game = terminal("play", PEBBLES, "--seed", QUIET, "--save", "evening", "--plain")
    game.until("red>")
    return game


def moves_in(path) -> list[str]:
    return [move["move"] for move in read(path)["moves"]]


def ended(game: Terminal) -> None:
    game.enter("quit", "saved; resume with")
    game.end()


def names_in(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("flags", [[], ["--plain"]])
def test_the_second_one_may_play_a_copy(terminal, playing, folder, flags):
    second = terminal("play", "--resume", "evening", *flags)
    shown = second.until("which one? ")
    assert f"evening is being played by another process ({playing.process.pid})" in shown
    second.enter("1", "Pebbles")
    second.until("red")
    playing.enter("build", "red>")
    second.enter("quit", "evening-2")
    second.end()
    ended(playing)
    assert len(moves_in(folder / "evening.json")) > len(moves_in(folder / "evening-2.json"))
    assert names_in(folder) == ["evening-2.json", "evening.json"]


def test_the_second_one_may_look(terminal, playing, folder):
    before = (folder / "evening.json").read_bytes()
    second = terminal("play", "--resume", "evening", TERM="dumb")
    second.until("which one? ")
    second.enter("what", "type 1 or 2, or just Enter")
    second.enter("2", "the game is set up")
    second.end()
    third = terminal("play", "--resume", "evening")
    third.until("which one? ")
    third.enter("", "")
    third.end()
    assert (folder / "evening.json").read_bytes() == before


def test_without_a_terminal_it_is_refused(run, playing, folder, own_folder):
    before, process = (folder / "evening.json").read_bytes(), playing.process.pid
    for words in (["--resume", "evening"], ["--resume", folder / "evening.json"], ["pebbles", "--resume"]):
        result = run("play", *words, typed=["build"])
        assert (result.exit_code, result.stdout) == (1, ""), result.output
        assert result.stderr.splitlines()[-1] == (
            f"error: evening is being played by another process ({process}); play a copy with `regelwerk play "
            "--resume evening --save NAME`, or look at it with `regelwerk trace evening`"
        )
    (own_folder / "link.json").symlink_to(folder / "evening.json")
    assert run("play", "--resume", "link.json").exit_code == 1
    assert (folder / "evening.json").read_bytes() == before
    assert run("play", "--resume", "evening", "--save", "copy", typed=["quit"]).exit_code == 0
    assert run("play", "--resume", "evening", "--at", "0", typed=["quit"]).exit_code == 0
    assert names_in(folder) == [".evening.json.lock", "copy.json", "evening-at0.json", "evening.json"]


def test_other_commands_that_would_change_it(run, playing, folder):
    before = (folder / "evening.json").read_bytes()
    for words in (
        ["saves", "--delete", "--yes", "evening"],
        ["saves", "--rename", "evening", "night"],
        *([verb, "evening", *more, "--as", "red", "--all"] for verb, *more in (["trace", "--plain"], ["why", "1"])),
        ["know", "evening", "--as", "red", "--all"],
    ):
        result = run(*words)
        assert result.exit_code == 1, (words, result.output)
        assert f"error: evening is being played by another process ({playing.process.pid})" in result.stderr, words
    assert (folder / "evening.json").read_bytes() == before
    for words in (["trace", "evening", "--plain"], ["why", "evening", "1"], ["know", "evening"], ["saves"]):
        assert run(*words).exit_code == 0, words


def test_a_killed_process_holds_nothing(run, playing, folder):
    os.kill(playing.process.pid, signal.SIGKILL)
    playing.end()
    assert ".evening.json.lock" in names_in(folder)
    assert run("play", "--resume", "evening", typed=["build", "quit"]).exit_code == 0
    assert names_in(folder) == ["evening.json"]


def test_games_begun_in_the_same_second_have_saves_of_their_own(terminal, folder):
    games = [terminal("play", "nim", "--plain", "--seed", number) for number in range(3)]
    for game in games:
        game.until(" 1 ")
    assert len({read(path)["seed"] for path in folder.glob("*.json")}) == 3
    for game in games:
        ended(game)


def test_one_name_for_two_new_games(run, own_folder, folder):
    with Claim(folder / "evening.json"):
        result = run("play", PEBBLES, "--save", "evening", typed=["quit"])
    assert (result.exit_code, "already exists" in result.stderr) == (2, True)
    assert names_in(folder) == []


@pytest.mark.parametrize("flags", [["--plain"], []])
def test_where_there_are_no_locks_both_games_are_kept(terminal, run, playing, folder, flags):
    """Another program, or a machine on a network without locks, writes the save meanwhile."""
    ended(playing)
    game = terminal("play", "--resume", "evening", *flags, columns=100, lines=30)
    game.until("1 ")
    game.rest()
    (folder / ".evening.json.lock").unlink()
    assert run("play", "--resume", "evening", typed=["build", "quit"]).exit_code == 0
    others = (folder / "evening.json").read_bytes()
    game.enter("build", "evening.json was changed by another program")
    game.until("evening-2.json")
    if flags:
        game.enter("quit", "evening-2")
    else:
        game.type("q")
        game.type("\x11")
        game.until("evening-2")
    game.end()
    assert (folder / "evening.json").read_bytes() == others
    assert len(moves_in(folder / "evening-2.json")) >= 1
    assert read_save(folder / "evening-2.json").game == "pebbles"


def test_an_undo_is_a_change_of_our_own(run, folder):
    result = run("play", PEBBLES, "--seed", QUIET, "--save", "evening", typed=["build", "undo", "build", "quit"])
    assert "taken back" in result.output
    assert names_in(folder) == ["evening.json"]


# ---- claims themselves


def test_a_claim_ends_when_it_is_released(tmp_path):
    path = tmp_path / "file"
    first = Claim(path)
    with pytest.raises(ClaimedError) as taken:
        Claim(path)
    assert (taken.value.process, taken.value.path) == (os.getpid(), path)
    path.write_text("new")
    path.with_name("newer").write_text("newer")
    path.with_name("newer").replace(path)  # replaced, as every save is
    with pytest.raises(ClaimedError):
        Claim(path)
    first.release()
    first.release()
    with Claim(path), pytest.raises(ClaimedError):
        Claim(path)
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["stale", "garbage", "folder", "link", "dangling", "pipe"])
def test_whatever_is_at_the_place_of_the_lock(tmp_path, kind):
    lock, elsewhere = tmp_path / ".file.lock", tmp_path / "elsewhere"
    if kind == "stale":
        lock.write_text("1\n")
    elif kind == "garbage":
        lock.write_bytes(b"\xff" * 1000)
    elif kind == "folder":
        lock.mkdir()
    elif kind == "pipe":
        os.mkfifo(lock)
    else:
        lock.symlink_to(elsewhere)
        if kind == "link":
            elsewhere.write_text("precious")
    with Claim(tmp_path / "file"):
        assert not elsewhere.exists() or elsewhere.read_text() == "precious"


def test_no_locks_no_folder_no_permission(tmp_path, monkeypatch):
    Claim(tmp_path / "missing" / "file").release()
    Claim(tmp_path / ("x" * 300)).release()

    def unsupported(handle: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(claims, "_lock", unsupported)
    with Claim(tmp_path / "file"), Claim(tmp_path / "file"):
        pass


def test_a_lock_removed_by_its_owner_while_we_open_it(tmp_path, monkeypatch):
    real, removed = claims._lock, []

    def lock(handle: int) -> None:
        if not removed:
            removed.append(handle)
            (tmp_path / ".file.lock").unlink()
        real(handle)

    monkeypatch.setattr(claims, "_lock", lock)
    with Claim(tmp_path / "file"), pytest.raises(ClaimedError):
        Claim(tmp_path / "file")
