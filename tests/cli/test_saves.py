"""Saves: what is written can be read and played again; what is wrong with one is said in one line."""

import contextlib
import json
import os
import pickle
import random
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.text.replacing import replace_text
from interpreter.errors import SaveError
from interpreter.play.game import load
from interpreter.play.saves.files import (
    DivergedError,
    Note,
    SaveMeta,
    checksum,
    notes_of,
    read_save,
    resume,
    save_text,
    write_save,
)
from interpreter.play.saves.model import schema
from tests.cli.conftest import PEBBLES
from tests.support.json_schemas import validate
from tests.support.project import ROOT

"""Saves of format version 1, where chance followed differently from the seed: a game begun, and the same game over."""
META = SaveMeta({"red": "human", "green": "random"})
META_3 = SaveMeta(dict.fromkeys(("red", "green", "blue"), "random"))


def played(seed: int, decisions: int, players: int = 2):
    state = load(PEBBLES, players).start(seed=seed)
    bot = random.Random(seed)
    while state.outcome is None and state.ply < decisions:
        state.push(bot.choice(state.legal_moves))
    return state


def edited(save: Path, /, **changes) -> None:
    """Change fields of a save and make its checksum fit again."""
    document = {**json.loads(save.read_text()), **changes}
    save.write_text(json.dumps({**document, "checksum": checksum(document)}))


@pytest.fixture
def save(tmp_path):
    path = tmp_path / "game.json"
    write_save(path, played(5, 6), META)
    return path


def fault(path: Path) -> str:
    with pytest.raises(SaveError) as raised:
        resume(read_save(path))
    message = str(raised.value)
    assert "\n" not in message
    return message


def test_the_schema_file_is_that_of_the_model():
    text = (ROOT / "interpreter" / "play" / "saves" / "save.schema.json").read_text(encoding="utf-8")
    assert json.loads(text) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("seed", range(5))
def test_every_decision_can_be_saved_and_resumed(tmp_path, seed):
    path = tmp_path / "game.json"
    state = load(PEBBLES, 3, {"turns": "many", "start": "random"}).start(seed=seed)
    bot = random.Random(seed)
    while True:
        write_save(path, state, META)
        again = resume(read_save(path))
        assert again.key() == state.key()
        assert [made.notation for made in again.history] == [made.notation for made in state.history]
        if state.outcome is not None:
            break
        state.push(bot.choice(state.legal_moves))
    validate(json.loads(path.read_text()), schema())


def test_a_resumed_game_goes_on_as_the_old_one_would(tmp_path):
    path = tmp_path / "game.json"
    state = played(9, 5)
    write_save(path, state, META)
    again = resume(read_save(path))
    bot = random.Random(1)
    while state.outcome is None:
        move = bot.choice(state.legal_moves)
        state.push(move)
        again.push(move.notation)
    assert again.key() == state.key()
    assert again.chance_results == state.chance_results


def test_a_part_of_a_save(save):
    saved = read_save(save)
    for at in range(len(saved.moves) + 1):
        assert resume(saved, at=at).ply == at


def test_notes_come_back(tmp_path):
    note = Note(3, "undo", "red", "took back the last decision", ("green",), (("red", "grab"), ("green", "throw")))
    path = tmp_path / "game.json"
    write_save(path, played(5, 6), SaveMeta({"red": "human"}, [note]))
    assert notes_of(read_save(path)) == [note]


def test_supplied_chance_is_played_again(tmp_path):
    def supply(event):
        return list(reversed(range(event.size))) if event.kind == "shuffle" else 0

    state = load(PEBBLES).start(seed=1, chance=supply)
    state.push("throw")
    path = tmp_path / "game.json"
    write_save(path, state, META)
    again = resume(read_save(path), chance=supply)
    assert again.key() == state.key()
    again.push("throw")
    alone = resume(read_save(path))
    with pytest.raises(SaveError, match="supplied from outside"):
        alone.push("throw")
    assert alone.key() == state.key()


def test_it_says_that_it_holds_secrets(save):
    assert "secret" in json.loads(save.read_text())["warning"]
    assert save.stat().st_mode & 0o077 == 0


# ---- what can be wrong with a save


def test_missing(tmp_path):
    assert fault(tmp_path / "none.json") == f"there is no save {tmp_path / 'none.json'}"


def test_a_folder(tmp_path):
    assert "is a folder, not a save" in fault(tmp_path)


def test_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "is a pipe, not a save" in fault(tmp_path / "pipe")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable(save):
    save.chmod(0)
    assert "cannot be read: permission denied" in fault(save)


def test_empty(save):
    save.write_text(" \n")
    assert "is empty" in fault(save)


def test_not_text(save):
    save.write_bytes(b"\xff\xfe\x00{")
    assert "is not text" in fault(save)


def test_too_large(save, monkeypatch):
    monkeypatch.setattr("interpreter.play.saves.files.MAX_SAVE_BYTES", 100)
    assert "too large" in fault(save)


READER = """
import resource, sys
from pathlib import Path
from interpreter.errors import SaveError
from interpreter.play.saves.files import read_save
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_save(Path(sys.argv[1]))
except SaveError as fault:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, fault)
"""
MOVE = '{"player": "a", "move": "b"}'


@pytest.mark.parametrize(
    ("part", "number", "said"),
    [
        (MOVE, 1_000_000, "too large for a save, which may have at most 16 MB"),
        (MOVE, 100_001, "has 100001 moves; a save may have at most 100000"),
        ("[]", 3_000_000, "has too many values for a save"),
        ('"a1"', 2_500_000, "has too many values for a save"),
        ("0", 1_900_000, "has 1900000 moves; a save may have at most 100000"),
    ],
)
def test_what_would_take_much_memory(tmp_path, part, number, said):
    """It is recognised from the size, and from the number of parts before they are built."""
    path = tmp_path / "a.json"
    moves = ", ".join([part] * number)
    path.write_text(f'{{"format": "regelwerk save", "format_version": 2, "moves": [{moves}]}}', encoding="utf-8")
    read = subprocess.run([sys.executable, "-c", READER, path], cwd=ROOT, capture_output=True, text=True, check=True)
    kilobytes, _, message = read.stdout.partition(" ")
    assert said in message
    assert int(kilobytes) < 200_000


def test_a_game_too_long_to_be_read_again_is_not_written(save, monkeypatch):
    before = save.read_text()
    monkeypatch.setattr("interpreter.play.saves.files.MAX_MOVES", 6)
    with pytest.raises(SaveError, match="has 7 moves; a save may have at most 6"):
        write_save(save, played(5, 7), META)
    assert save.read_text() == before


@pytest.mark.parametrize("text", ["nonsense", "[" * 100_000, '{"a": ' + "1" * 5000 + "}", "{'format': 1}"])
def test_not_json(save, text):
    save.write_text(text)
    assert "is not JSON" in fault(save)


@pytest.mark.parametrize("text", ["[]", "3", '{"format": "something else"}', "{}"])
def test_other_json(save, text):
    save.write_text(text)
    assert "is not a Regelwerk save" in fault(save)


@pytest.mark.parametrize("version", [1, 99])
def test_another_version(save, version):
    edited(save, format_version=version)
    assert f"format version {version}; this version of Regelwerk reads version 2" in fault(save)


@pytest.mark.parametrize(("version", "shown"), [(None, "null"), ("2", '"2"'), (True, "true"), ([2], "[2]")])
def test_a_version_that_is_no_number(save, version, shown):
    edited(save, format_version=version)
    assert f"is not a valid save: format_version: expected 2, found {shown}" in fault(save)


def test_edited(save):
    save.write_text(save.read_text().replace("grab", "show", 1).replace("human", "random", 1))
    assert "was edited or damaged" in fault(save)


@pytest.mark.parametrize(
    "changes",
    [
        {"moves": 3},
        {"moves": [{"player": "red"}]},
        {"seed": "7"},
        {"players": []},
        {"extra": 1},
        {"notes": [{"ply": -1}]},
    ],
)
def test_well_signed_nonsense(save, changes):
    edited(save, **changes)
    assert "is not a valid save" in fault(save)


def test_cut_off_anywhere(save):
    whole = save.read_bytes()
    for length in range(0, len(whole.rstrip()), 7):
        save.write_bytes(whole[:length])
        assert "truncated" in (message := fault(save)) or "empty" in message or "not JSON" in message


@given(st.binary(max_size=300))
def test_any_bytes_give_one_message(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("noise") / "game.json"
    path.write_bytes(content)
    fault(path)


@given(st.data())
def test_one_changed_character_is_noticed(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("noise") / "game.json"
    text = save_text(played(5, 6), META)
    place = data.draw(st.integers(0, len(text) - 2))
    path.write_text(text[:place] + data.draw(st.sampled_from('x{}0,"')) + text[place + 1 :])
    if json_of(path) != json.loads(text):
        fault(path)


def json_of(path):
    try:
        return json.loads(path.read_text())
    except ValueError:
        return None


# ---- rules and games that changed


@pytest.fixture
def own_game(tmp_path):
    """A copy of the game, and a save of it, of bots: nothing is hidden in it."""
    rules = tmp_path / "own.rules"
    rules.write_text(Path(PEBBLES).read_text())
    state = load(str(rules)).start(seed=3)
    for move in ("throw", "throw", "grab"):
        state.push(move)
    save = tmp_path / "own.json"
    write_save(save, state, SaveMeta(dict.fromkeys(META.seats, "random")))
    return rules, save


def test_changed_rules_that_still_allow_the_moves(own_game):
    rules, save = own_game
    rules.write_text(rules.read_text() + "\n# a remark\n")
    assert resume(read_save(save)).ply == 3


def test_changed_rules_name_the_first_move_no_longer_legal(own_game):
    rules, save = own_game
    rules.write_text(
        rules.read_text().replace("    roll luck\n", '    require thrown is 0   because "no more"\n    roll luck\n')
    )
    message = fault(save)
    assert message.startswith("the rules have changed since the save was written; move 2, `throw` by green")
    assert "no longer legal" in message


def test_a_save_that_parted_from_its_rules_can_be_pickled(own_game):
    rules, save = own_game
    rules.write_text(rules.read_text().replace("turns from start", "turns from left(start)"))
    with pytest.raises(DivergedError) as caught:
        resume(read_save(save))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.state.key() == caught.value.state.key()
    assert again.divergence == caught.value.divergence


def test_changed_rules_where_somebody_else_decides(own_game):
    rules, save = own_game
    rules.write_text(rules.read_text().replace("turns from start", "turns from left(start)"))
    assert "move 1 was `throw` by red, but now" in fault(save)


def test_changed_rules_that_shuffle_otherwise(own_game):
    rules, save = own_game
    rules.write_text(rules.read_text().replace("1, 2, 3, 4, 5, 6", "1, 2"))
    assert "shuffles and dice come out differently" in fault(save)


def test_rules_with_errors(own_game):
    from dsl.diagnostics import RulesError

    rules, save = own_game
    rules.write_text("game nonsense")
    with pytest.raises(RulesError):
        resume(read_save(save))


def test_rules_that_are_gone(own_game):
    rules, save = own_game
    rules.unlink()
    assert "cannot be resumed: there is no game `own`" in fault(save)


def test_another_option_or_seat(save):
    edited(save, options={"turns": "never"})
    assert "cannot be resumed" in fault(save)
    edited(save, players=["red", "purple"])
    assert "cannot be resumed" in fault(save)


# ---- a kill at any instant


def test_a_failed_write_leaves_the_old_save(save, monkeypatch):
    before = save.read_text()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_save(save, played(5, 7), META)
    assert save.read_text() == before
    assert [path.name for path in save.parent.iterdir() if path.suffix == ".tmp"] == []


def test_a_link_stays_a_link(save, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(save)
    write_save(link, played(5, 7), META)
    assert link.is_symlink()
    assert resume(read_save(save)).ply == 7


WRITER = """
import sys, itertools
from pathlib import Path
from dsl.text.replacing import replace_text
for number in itertools.count():
    replace_text(Path(sys.argv[1]), f"{number} " * 5000, durable=False)
    if number == 0: print("ready", flush=True)
"""


def test_a_kill_leaves_a_whole_file(tmp_path):
    path = tmp_path / "file"
    for pause in (0.0, 0.003, 0.011, 0.02):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], cwd=ROOT, stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        try:
            writer.wait(pause)
        except subprocess.TimeoutExpired:
            writer.kill()
            writer.wait()
        writer.stdout.close()
        words = path.read_text().split()
        assert len(words) == 5000
        assert len(set(words)) == 1


@pytest.mark.parametrize("name", ["gone/game.rules", "folder", "file/game.rules"])
def test_a_failure_to_write_names_the_file_that_was_asked_for(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError) as caught:
        replace_text(tmp_path / name, "rules")
    assert (caught.value.filename, caught.value.filename2) == (str(tmp_path / name), None)


def test_replacing_keeps_unicode(tmp_path):
    replace_text(tmp_path / "x", "Spielgröße →\n")
    assert (tmp_path / "x").read_text(encoding="utf-8") == "Spielgröße →\n"


def test_a_kill_at_any_moment_of_a_game_loses_no_decision(run, tmp_path, long_run):
    """The save of a killed game is its beginning: it continues to the very same end."""
    words = ["play", PEBBLES, "--players", "3", "--option", "turns=many", "--seat", "all=random", "--seed", "7"]
    words += ["--follow", "--save"]
    assert run(*words, tmp_path / "whole.json").exit_code == 0
    moves = read_save(tmp_path / "whole.json").moves
    rng, plies = random.Random(1), set()
    for number in range(60 if long_run else 2):
        path = tmp_path / f"{number}.json"
        command = [sys.executable, "-m", "cli.main", *words, path]
        player = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        while not path.exists() and player.poll() is None:
            time.sleep(0.001)
        with contextlib.suppress(subprocess.TimeoutExpired):
            player.wait(rng.random() * 0.2)
        player.kill()
        player.wait()
        saved = read_save(path)
        assert saved.moves == moves[: len(saved.moves)]
        plies.add(len(saved.moves))
        assert run("play", "--resume", path).exit_code == 0
        assert read_save(path).moves == moves
    assert min(plies) < len(moves)
