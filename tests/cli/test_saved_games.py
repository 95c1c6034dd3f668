"""Saves by name: listing, renaming, deleting, resuming the newest, branching off; pages that others may read."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from interpreter.play.game import load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from tests.cli.conftest import PEBBLES, QUIET, read, valid


@pytest.fixture
def folder(own_folder) -> Path:
    """The folder for saves, there already."""
    path = own_folder / "data" / "regelwerk" / "saves"
    path.mkdir(parents=True)
    return path


@pytest.fixture
def three(run, folder) -> Path:
    """Three saves, the newest first: a game begun, another one of bots that is over, and the oldest, begun too."""
    run("play", PEBBLES, "--seed", QUIET, "--save", "oldest", typed=["build"])
    run("play", PEBBLES, "--seed", 53, "--seat", "all=random", "--save", "over")
    run("play", "nim", "--save", "newest", typed=["1"])
    for age, name in enumerate(("newest", "over", "oldest")):
        moment = time.time() - 1000 * age
        os.utime(folder / f"{name}.json", (moment, moment))
    return folder


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---- names


def test_a_save_has_a_name(run, folder):
    run("play", PEBBLES, "--seed", QUIET, "--save", "evening", typed=["build"])
    assert names_in(folder) == ["evening.json"]
    assert " Pebbles, resumed\n" in run("play", "--resume", "evening").output
    assert run("trace", "evening", "--plain").output == run("trace", folder / "evening.json", "--plain").output
    assert run("why", "evening", "1").exit_code == 0
    assert run("trace", "evening.json", "--plain").exit_code == 0


def test_a_name_comes_before_a_file_of_that_name_and_a_path_before_a_name(run, folder, own_folder):
    run("play", PEBBLES, "--seed", QUIET, "--save", "one", typed=["build"])
    run("play", "nim", "--save", "./one", typed=["1"])
    assert "Pebbles" in run("play", "--resume", "one").output
    assert "Nim" in run("play", "--resume", "./one").output
    run("play", "nim", "--save", "one.json", typed=["1"])
    assert (own_folder / "one.json").exists()
    assert "Nim" in run("play", "--resume", "one.json").output


@pytest.mark.parametrize("name", ["two words", "-x", "x-", "a*b", "x" * 101, "a\tb"])
def test_what_cannot_be_a_name(run, folder, name):
    result = run("play", PEBBLES, f"--save={name}")
    assert (result.exit_code, "cannot be the name of a save" in result.stderr) == (2, True), result.output
    assert names_in(folder) == []


def test_a_name_that_is_taken(run, three):
    before = (three / "over.json").read_bytes()
    assert run("play", PEBBLES, "--save", "over").exit_code == 2
    result = run("saves", "--rename", "newest", "over")
    assert (result.exit_code, result.stderr) == (2, "error: there is already a save `over`; choose another name\n")
    assert (three / "over.json").read_bytes() == before


def test_a_name_that_is_unknown(run, three):
    for words in (
        ("play", "--resume", "newst"),
        ("trace", "newst"),
        ("saves", "newst"),
        ("saves", "--delete", "newst"),
    ):
        result = run(*words)
        assert result.exit_code == 1
        assert "there is no save `newst`; did you mean newest?; see `regelwerk saves`" in result.stderr


def test_a_copy_by_name_from_the_prompt(run, folder, own_folder):
    result = run("play", PEBBLES, "--seed", QUIET, "--save", "a.json", typed=["save kept", "save kept", "save no good"])
    assert "copied the save to data/regelwerk/saves/kept.json" in result.output
    assert "kept already exists" in result.output
    assert "`no good` cannot be the name of a save" in result.output
    assert names_in(folder) == ["kept.json"]
    assert read(folder / "kept.json") == read(own_folder / "a.json")


# ---- the list


def test_the_list_begins_with_the_newest(run, three):
    result = run("saves")
    head, *lines = result.output.splitlines()
    assert head.split() == ["name", "game", "players", "last", "played", "progress"]
    lines, hints = lines[:3], lines[3:]
    assert [line.split()[0] for line in lines] == ["newest", "over", "oldest"]
    assert hints[0] == "go on playing: regelwerk play --resume newest"
    assert hints[1].startswith("result: regelwerk play --resume over")
    assert "Nim      ann, 1 bot" in lines[0]
    assert "2 bots" in lines[1]
    known = len(read(three / "over.json")["moves"])
    assert lines[1].endswith(f"red wins, {known} decisions")


def test_the_list_as_data(run, three):
    found = valid("saves", run("saves", "--format", "json").output)["saves"]
    assert [(one["name"], one["game"], one["over"]) for one in found] == [
        ("newest", "nim", False), ("over", "pebbles", True), ("oldest", "pebbles", False),
    ]  # fmt: skip
    assert found[2]["seats"] == {"red": "human", "green": "random"}
    assert valid("saves", run("saves", "over", "--format", "json").output)["saves"] == [found[1]]


def test_no_saves_yet(run):
    assert run("saves").output == "there is no save in data/regelwerk/saves yet\n"
    assert valid("saves", run("saves", "--format", "json").output)["saves"] == []
    for words in (("play", "--resume"), ("trace",)):
        result = run(*words)
        assert (result.exit_code, "there is no save" in result.stderr) == (1, True)


def test_what_is_no_save_is_not_listed_and_a_damaged_one_says_why(run, three):
    (three / "other.json").write_text("{}")
    (three / "note.txt").write_text("mine")
    (three / "folder.json").mkdir()
    text = (three / "oldest.json").read_text()
    (three / "oldest.json").write_text(text[: len(text) // 2])
    result = run("saves")
    assert "cannot be read" in result.output
    assert "oldest.json is truncated or damaged" in result.output
    assert all(word not in result.output for word in ("other", "note", "folder"))
    entry = valid("saves", run("saves", "oldest", "--format", "json").output)["saves"][0]
    assert (entry["game"], "truncated" in entry["problem"]) == (None, True)


def test_the_list_counts_no_decision_of_which_only_one_seat_knows(run, folder):
    game = load(PEBBLES, 2)
    for seed in range(200):
        state, bot = game.start(seed=seed), random.Random(seed)
        while not state.over and not any(made.unnoticed for made in state.history):
            state.push(bot.choice(state.legal_moves))
        secret = sum(made.unnoticed for made in state.history)
        if secret and not state.over:
            break
    else:
        pytest.fail("no game with a secret decision")
    write_save(folder / "game.json", state, SaveMeta(dict.fromkeys(state.game.seats, "human")))
    (entry,) = valid("saves", run("saves", "--format", "json").output)["saves"]
    assert entry["decisions"] == state.ply - secret
    result = run("play", "--resume", "game", "--at", state.ply)
    assert (result.exit_code, f"--at must be at most {state.ply - secret}" in result.stderr) == (2, True)


# ---- renaming and deleting


def test_renaming(run, three):
    before = (three / "over.json").read_bytes()
    result = run("saves", "--rename", "over", "first")
    assert (result.exit_code, result.output) == (0, "over is now called first\n")
    assert names_in(three) == ["first.json", "newest.json", "oldest.json"]
    assert (three / "first.json").read_bytes() == before
    for words, message in (
        (("--rename", "first"), "--rename expects two names"),
        (("--rename", "first", "x.json"), "cannot be the name of a save"),
        (("--rename", "first", "x", "--delete"), "--delete cannot be combined with --rename"),
        (("first", "--yes"), "--yes belongs to --delete"),
    ):
        result = run("saves", *words)
        assert (result.exit_code, message in result.stderr) == (2, True)


def test_deleting_asks_first(run, three):
    result = run("saves", "--delete", "over", "oldest", typed="n\n")
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "nothing was deleted")
    assert run("saves", "--delete", "over", typed="").exit_code == 2
    assert len(names_in(three)) == 3
    result = run("saves", "--delete", "over", "oldest", typed="y\n")
    assert "delete these 2 saves? [y/N] y\ndeleted: over, oldest\n" in result.output
    assert names_in(three) == ["newest.json"]


def test_deleting_without_asking(run, three):
    result = run("saves", "--delete", "over", "--yes")
    assert (result.exit_code, result.output) == (0, "deleted: over\n")
    assert names_in(three) == ["newest.json", "oldest.json"]


def test_only_saves_are_deleted_and_all_or_none(run, three, own_folder):
    (three / "other.json").write_text('{"format": "something else"}')
    rules = own_folder / "mine.rules"
    rules.write_text("mine")
    for victim in ("other", rules, own_folder, "gone.json"):
        result = run("saves", "--delete", "over", victim, "--yes")
        assert result.exit_code == 1, result.output
    assert names_in(three) == ["newest.json", "oldest.json", "other.json", "over.json"]
    assert rules.exists()
    assert run("saves", "--delete").exit_code == 2


def test_a_damaged_save_can_be_deleted(run, three):
    (three / "over.json").write_text((three / "over.json").read_text()[:300])
    assert run("saves", "--delete", "over", "--yes").exit_code == 0
    assert names_in(three) == ["newest.json", "oldest.json"]


# ---- the newest


def test_without_a_name_the_newest_is_taken_in_a_pipe(run, three):
    result = run("play", "--resume")
    assert result.stderr == "the newest save: newest\n"
    assert " Nim, resumed\n" in result.output
    result = run("trace", "--format", "json")
    assert result.stderr == "the newest save: newest\n"
    assert valid("trace", result.stdout)["game"] == "nim"
    assert "Pebbles, resumed" in run("play", PEBBLES, "--resume").output


def test_a_game_that_is_over_is_not_resumed_unasked(run, three):
    (three / "newest.json").unlink()
    assert run("trace", "--plain").stderr == "the newest save: over\n"
    assert run("play", "--resume").stderr == "the newest save: oldest\n"
    (three / "oldest.json").unlink()
    result = run("play", "--resume")
    assert result.exit_code == 1
    assert result.stderr == "error: there is no save of an unfinished game in data/regelwerk/saves yet\n"
    assert "of an unfinished game of nim in" in run("play", "nim", "--resume").stderr


def test_a_flag_after_resume_is_not_its_value(run, three):
    result = run("play", "--resume", "--all")
    assert (result.exit_code, result.stderr) == (0, "the newest save: newest\n")
    assert read(three / "newest.json")["notes"][0]["kind"] == "opened"


def test_on_a_terminal_one_chooses(terminal, three):
    play = terminal("play", "--resume")
    shown = play.until("which one? [1 is newest] ")
    assert "over, " not in shown
    play.enter("3", "type a number from 1 to 2")
    play.enter("old", "Pebbles")
    play.until("red>")
    play.enter("quit", "saved; resume with")
    again = terminal("trace", TERM="dumb")
    again.until("which one?")
    again.enter("", "the game is set up")


# ---- branching off


def test_a_branch_is_a_save_of_its_own(run, folder):
    run("play", PEBBLES, "--seed", QUIET, "--players", 3, "--save", "whole", typed=["1"] * 4)
    before = (folder / "whole.json").read_bytes()
    result = run("play", "--resume", "whole", "--at", 3, typed=["quit"])
    assert result.exit_code == 0
    assert "the game branches from whole here" in result.output
    assert (folder / "whole.json").read_bytes() == before
    whole, branch = read(folder / "whole.json"), read(folder / "whole-at3.json")
    assert branch["moves"][:3] == whole["moves"][:3]
    assert [note["kind"] for note in branch["notes"]] == ["branch"]
    assert resume(read_save(folder / "whole-at3.json")).ply == len(branch["moves"])
    run("play", "--resume", "whole", "--at", 0, "--save", "other", typed=["quit"])
    assert read(folder / "other.json")["chance"][0] == whole["chance"][0]
    assert (folder / "whole.json").read_bytes() == before


def test_the_same_moves_in_a_branch_are_the_same_game(run, folder):
    run("play", PEBBLES, "--seed", QUIET, "--players", 3, "--save", "whole", typed=["1"] * 6)
    whole = read(folder / "whole.json")
    run("play", "--resume", "whole", "--at", 2, "--save", "again", typed=["1"] * 6)
    again = read(folder / "again.json")
    shared = min(len(whole["moves"]), len(again["moves"]))
    assert again["moves"][:shared] == whole["moves"][:shared]


def test_a_game_that_is_over_goes_on_from_an_earlier_decision(run, three):
    result = run("play", "--resume", "over", "--at", 4, "--seat", "red=human", typed=["quit"])
    assert result.exit_code == 0
    assert read(three / "over-at4.json")["progress"]["over"] is False


def test_decisions_that_are_not_there(run, three):
    known = len(read(three / "over.json")["moves"])
    result = run("play", "--resume", "over", "--at", known + 1)
    assert (result.exit_code, result.stderr) == (
        2, f"error: the game has {known} decisions, so --at must be at most {known}\n",
    )  # fmt: skip
    assert run("play", PEBBLES, "--at", 3).exit_code == 2
    assert names_in(three) == ["newest.json", "oldest.json", "over.json"]


def test_a_branch_stays_open_if_the_game_was_opened_later(run, folder):
    run("play", PEBBLES, "--seed", QUIET, "--save", "game", typed=["build"])
    run("trace", "game", "--plain", "--all")
    run("play", "--resume", "game", "--at", 0, "--save", "branch", typed=["quit"])
    notes = [(note["kind"], note["ply"]) for note in read(folder / "branch.json")["notes"]]
    assert notes == [("opened", 0), ("branch", 0)]


def test_a_branch_before_a_decision_that_is_no_longer_legal(run, folder, own_folder):
    rules = own_folder / "pebbles.rules"
    text = Path(PEBBLES).read_text("utf-8")
    rules.write_text(text, encoding="utf-8")
    run("play", rules, "--seed", QUIET, "--save", "game", typed=["throw", "build", "quit"])
    moves = read(folder / "game.json")["moves"]
    number = next(ply for ply, move in enumerate(moves) if move == {"player": "red", "move": "build"})
    rules.write_text(text.replace("require store[me] is not empty", "require count store[me] > 2"), encoding="utf-8")
    assert "is no longer legal" in run("play", "--resume", "game", "--at", number + 1).stderr
    result = run("play", "--resume", "game", "--at", 1, "--save", "branch", typed=["quit"])
    assert result.exit_code == 0
    assert read(folder / "branch.json")["moves"][:1] == moves[:1]


# ---- a page for others


def test_a_page_may_be_read_by_others_and_a_save_may_not(run, three, own_folder):
    before = os.umask(0o022)
    try:
        run("trace", "over", "--html", "page.html")
    finally:
        os.umask(before)
    assert (own_folder / "page.html").stat().st_mode & 0o777 == 0o644
    assert (three / "over.json").stat().st_mode & 0o077 == 0
    (own_folder / "page.html").chmod(0o600)
    run("trace", "over", "--html", "page.html", "--level", "moves")
    assert (own_folder / "page.html").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("width", [40, 50, 66, 80, 86, 90, 96, 120])
def test_the_list_breaks_no_word(run, folder, monkeypatch, width):
    run("play", "chinesische_mauer", "--seed", 3, "--players", 3, typed=["quit"])
    run("play", "dschingis_khan", "--seed", 3, "--save", "a-quite-long-name-for-a-saved-game", typed=["quit"])
    run("play", "nim", "--save", "x", "--seat", "all=random")
    run("play", "hearts", "--seed", 3, typed=["quit"])
    monkeypatch.setenv("COLUMNS", "300")
    words = {word.strip(";,") for line in run("saves").output.splitlines() for word in line.split()}
    monkeypatch.setenv("COLUMNS", str(width))
    listed = run("saves").output.partition("go on playing")[0].splitlines()
    assert all(len(line) <= width for line in listed)
    assert {word.strip(";,") for line in listed for word in line.split()} <= words


def test_the_list_shows_the_result_of_a_game_that_is_over(run, folder):
    run("play", "nim", "--seed", 3, "--seat", "all=random", "--save", "x", "--language", "de")
    result = read(folder / "x.json")["progress"]["result"]
    assert result in ("ann wins", "ben wins")
    assert result in run("saves").output
    assert valid("saves", run("saves", "--format", "json").output)["saves"][0]["result"] == result
