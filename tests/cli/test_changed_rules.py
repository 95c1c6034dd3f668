"""Saves under rules that have changed since: they go on while their moves are legal, else both sides are shown."""

import base64
import json
import shutil
import zlib

import pytest

from interpreter.play.saves.files import checksum
from regelwerk import load, resume
from tests.cli.conftest import PEBBLES, quiet_seed, read

VERBS = [("play", "--resume"), ("trace",), ("why",)]


@pytest.fixture
def saved(run, own_folder):
    """A game of bots, saved, with its rules in the current folder."""
    shutil.copy(PEBBLES, own_folder)
    run("play", "pebbles.rules", "--seat", "all=random", "--seed", 53, "--save", "a.json")
    return own_folder / "a.json"


def change(folder, old, new):
    path = folder / "pebbles.rules"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_both_sides_of_a_move_that_is_no_longer_legal(run, saved, own_folder, verb):
    change(
        own_folder,
        'require store[me] is not empty          because "you have no hut left"',
        'require count store[me] > 5 because "five huts stay at home"',
    )
    before = saved.read_bytes()
    result = run(*verb, saved, *(["points(red)"] if verb == ("why",) else []))
    assert result.exit_code == 1
    assert "then  " in result.output and "made the move build" in result.output
    assert "`build` is not legal: five huts stay at home" in result.output
    assert "count store[me] = 2" in result.output
    assert "nearest legal moves: " in result.output
    assert "error: the rules have changed since the save was written; move " in result.output
    assert saved.read_bytes() == before


def test_a_save_goes_on_while_its_moves_are_legal(run, saved, own_folder):
    change(own_folder, "stone  2  4", "stone  1  4")
    assert run("trace", saved).exit_code == 0
    assert run("play", "--resume", saved).exit_code == 0
    assert "the rules have been changed" in read(saved)["notes"][-1]["text"]


def test_another_seat_decides_or_the_game_ends_earlier(run, saved, own_folder):
    change(own_folder, "turns from start", "turns from green")
    result = run("trace", saved)
    assert result.exit_code == 1
    assert "but now it is green's decision" in result.output
    assert "green must grab, show, build or throw" in result.output


def test_a_person_does_not_learn_what_a_bot_holds(run, own_folder):
    shutil.copy(PEBBLES, own_folder)
    run("play", "pebbles.rules", "--seed", quiet_seed(2), "--save", "b.json", typed=["build", "1", "1", "quit"])
    other = next(made for made in read(own_folder / "b.json")["moves"] if made["player"] == "green")
    name = other["move"].partition("(")[0]
    change(own_folder, f"action {name}", f"action not_{name}")
    change(
        own_folder,
        "must grab or show or build or throw",
        "must grab or show or build or throw".replace(name, f"not_{name}"),
    )
    result = run("trace", "b.json")
    assert result.exit_code == 1
    assert "hand[me]" not in result.output


def test_comments_and_layout_change_nothing(run, saved, own_folder):
    change(own_folder, "== phases ==", "# how it goes\n\n== phases ==\n\n")
    assert run("play", "--resume", saved).exit_code == 0
    assert read(saved)["notes"] == []


NEW_RULE = (
    'require store[me] is not empty          because "you have no hut left"',
    'require count store[me] > 5 because "five huts stay at home"',
)


@pytest.fixture
def left(run, own_folder):
    """A game that a person has left, whose rules are in the current folder."""
    shutil.copy(PEBBLES, own_folder)
    run("play", "pebbles.rules", "--seed", quiet_seed(2), "--save", "b.json", typed=["build", "1", "1", "quit"])
    return own_folder / "b.json"


def test_a_game_goes_on_under_the_rules_it_began_with(run, left, own_folder):
    change(own_folder, *NEW_RULE)
    refused = run("play", "--resume", left)
    assert refused.exit_code == 1
    assert "`--rules saved` goes on under the rules that the game began with" in refused.output
    before = read(left)
    result = run("play", "--resume", left, "--rules", "saved", typed=["quit"])
    assert result.exit_code == 0
    after = read(left)
    assert after["moves"] == before["moves"] and after["rules"] == before["rules"]
    assert after["path"] == before["path"] and after["rules_hash"] == before["rules_hash"]
    assert after["notes"] == []
    for verb in (["trace", left, "--plain"], ["why", left, "1"], ["position", left]):
        assert run(*verb).exit_code == 1
        assert run(*verb, "--rules", "saved").exit_code == 0
    assert run("trace", left, "--rules", "mine").exit_code == 2
    # It goes on like that however often it is left.
    (own_folder / "pebbles.rules").unlink()
    assert run("play", "--resume", left, "--rules", "saved", typed=["quit"]).exit_code == 0
    assert run("play", "--resume", left, "--rules", "saved", "--at", "0", typed=["quit"]).exit_code == 0


def test_of_legal_moves_the_owner_chooses_the_rules(run, left, own_folder):
    change(own_folder, "stone  2  4", "stone  1  4")
    assert run("play", "--resume", left, "--rules", "new", "--save", "new.json", typed=["quit"]).exit_code == 0
    assert "the rules have been changed" in read(own_folder / "new.json")["notes"][-1]["text"]
    assert run("play", "--resume", left, "--rules", "saved", "--save", "old.json", typed=["quit"]).exit_code == 0
    assert read(own_folder / "old.json")["notes"] == []
    hashes = {name: read(own_folder / name)["rules_hash"] for name in ("b.json", "new.json", "old.json")}
    assert hashes["old.json"] == hashes["b.json"] != hashes["new.json"]
    assert resume(left, rules="saved").game.rules.hash == hashes["b.json"]
    assert resume(left).game.rules.hash == hashes["new.json"]


@pytest.mark.parametrize("answer", ["1", "2", ""])
def test_at_a_terminal_the_owner_is_asked(run, left, own_folder, monkeypatch, answer):
    change(own_folder, "stone  2  4", "stone  1  4")
    before = read(left)["rules_hash"]
    monkeypatch.setattr("cli.verbs.play.is_at_terminal", lambda: True)
    result = run("play", "--resume", left, typed=["3", answer, "quit"])
    assert result.exit_code == 0
    assert "the rules of Pebbles have changed since this game began" in result.output
    assert "type one of the numbers, or just Enter" in result.output
    assert (read(left)["rules_hash"] == before) == (answer != "2")
    assert ("saved; resume with" in result.output) == (answer != "")


def test_saves_of_old_versions_and_damaged_texts(run, left, own_folder):
    document = read(left)
    for text, message in (
        (None, "does not hold the text of its rules"),
        ("bm8=", "the text of the rules in the save of Pebbles cannot be used"),
        (packed({"rules": "../x.rules", "variants": [], "board": None, "files": {"../x.rules": ""}}), "cannot be used"),
        (packed({"rules": "x.rules", "variants": [], "board": None, "files": {"y.rules": ""}}), "cannot be used"),
    ):
        kept = {key: value for key, value in document.items() if key != "rules"}
        changed = kept if text is None else kept | {"rules": text}
        (own_folder / "c.json").write_text(json.dumps(changed | {"checksum": checksum(changed)}), encoding="utf-8")
        refused = run("play", "--resume", "c.json", "--rules", "saved")
        assert refused.exit_code == 1
        assert message in " ".join(refused.output.split())
        assert run("play", "--resume", "c.json", typed=["quit"]).exit_code == 0
        assert read(own_folder / "c.json")["rules"] == document["rules"]  # which is written again
    assert run("play", "--resume", left, "--rules", "other").exit_code == 2
    assert run("play", "pebbles.rules", "--rules", "saved").exit_code == 2


def packed(content):
    return base64.b64encode(zlib.compress(json.dumps(content).encode())).decode()


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("china", {}),
        ("chess", {"variants": ["three_check"]}),
        ("hearts", {"language": "de"}),
        ("dschingis_khan", {"options": {"initial_wall": "twelve_pieces"}}),
    ],
)
def test_games_of_several_files(own_folder, game, settings):
    state = load(game, **settings).start(3)
    for _ in range(4):
        state.push(state.legal_moves[0])
    state.save("d.json")
    now, then = resume("d.json"), resume("d.json", rules="saved")
    assert then.key() == now.key() and then.game.rules.hash == now.game.rules.hash
    assert then.game.rules.path.parent != now.game.rules.path.parent
    assert then.view(None) == now.view(None)
    then.save("e.json")
    assert read(own_folder / "e.json") == read(own_folder / "d.json")
