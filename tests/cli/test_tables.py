"""Tables of the server as saves: listed, traced, explained, played on in a copy, while the server runs or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.completion import candidates
from interpreter.play.game import load
from interpreter.play.saves.files import read_save, resume
from interpreter.play.saves.tables import LAYOUT

pytest.importorskip("starlette", reason="the server of tables is the extra `web`")

from web.server.store import Store
from web.table import Table


@pytest.fixture
def store(own_folder) -> Iterator[Store]:
    """The file of a server that runs."""
    folder = own_folder / "data" / "regelwerk" / "saves"
    folder.mkdir(parents=True)
    store = Store(folder / "tables.sqlite")
    yield store
    store.close()


def table_in(store: Store, game: str, decisions: int, kinds: str = "human") -> tuple[str, Table]:
    state = load(game, 2).start(5)
    seats = dict.fromkeys(state.game.seats, kinds)
    name, _ = store.add(state, seats, {}, None, 1000.0)
    table = Table(state, seats, keeper=store.keeper(name))
    table.begin()
    while not table.state.over and decisions:
        seat, decisions = table.state.player or "", decisions - 1
        table.play(seat, table.known(seat), table.state.legal_moves[-1].notation)
    return name, table


def test_tables_are_listed_among_the_saves(run, store):
    begun, _ = table_in(store, "nim", 2)
    over, table = table_in(store, "tic_tac_toe", 100)
    run("play", "nim", "--save", "evening", typed=["1"])
    for _ in range(2):  # while the server runs, and when it has ended
        output = run("saves").output
        assert f"table:{begun} " in output and "2 decisions" in output and "evening" in output
        listed = {save["name"]: save for save in json.loads(run("saves", "--format", "json").output)["saves"]}
        assert listed[f"table:{begun}"]["decisions"] == 2 and not listed[f"table:{begun}"]["over"]
        assert listed[f"table:{over}"]["over"] and listed[f"table:{over}"]["result"]
        assert run("saves", f"table:{over}").output.count("table:") > 0
        store.close()
    assert table.state.over


def test_shells_complete_the_names_of_tables(store):
    name, _ = table_in(store, "nim", 2)
    whole, head = f"table:{name}", name[:4]

    def completed(*words: str) -> list[str]:
        return [word.value for word in candidates(words[:-1], words[-1])]

    assert completed("trace", "tab") == [whole]
    assert completed("play", "--resume", whole[:9]) == [whole]
    assert completed("trace", "table", ":", head) == [name]  # as bash passes it on
    assert completed("trace", whole, "--as", "") == ["ann", "ben"]
    assert completed("trace", "table", ":", name, "--as", "b") == ["ben"]
    store.close()
    store.path.write_bytes(b"no tables")
    assert completed("trace", "") == []


@pytest.mark.parametrize("game", ["nim", "chinesische_mauer", "texas_holdem"])
def test_a_table_is_a_save(run, store, game):
    """It can be continued with the chance that is still to come."""
    name, table = table_in(store, game, 9)
    state = resume(read_save(store.path / name))
    assert (state.key(), [made.notation for made in state.history]) == (
        table.state.key(), [made.notation for made in table.state.history],
    )  # fmt: skip


def test_every_command_that_expects_a_save_takes_a_table(run, store):
    over, _ = table_in(store, "tic_tac_toe", 100)
    begun, _ = table_in(store, "nim", 2)
    path = store.path / over
    assert run("trace", f"table:{over}", "--plain").output == run("trace", path, "--plain").output
    assert "ann" in run("trace", f"table:{begun}", "--plain", "--as", "ann").output
    for words in (("why",), ("know",), ("hint", "--budget", "10")):
        verb, *more = words
        arguments = [verb, f"table:{begun}", *(["1"] if verb == "why" else []), "--as", "ann", *more]
        assert run(*arguments).exit_code == 0, arguments


def test_a_running_game_is_shown_to_a_seat_and_opened_only_without_a_server(run, store):
    name, _ = table_in(store, "texas_holdem", 2)
    assert run("trace", f"table:{name}", "--plain").exit_code == 2
    opened = run("trace", f"table:{name}", "--plain", "--all")
    assert (opened.exit_code, "is used by a server" in opened.stderr) == (1, True)
    assert not store.table(name).save.notes
    store.close()
    assert run("trace", f"table:{name}", "--plain", "--all").exit_code == 0
    assert [note.kind for note in read_save(store.path / name).notes] == ["opened"]


def test_a_table_is_played_on_in_a_copy(run, store):
    name, _ = table_in(store, "nim", 2)
    before = store.table(name)
    output = run("play", "--resume", f"table:{name}", "--save", "copy", typed=["1"]).output
    assert "Nim" in output
    assert run("play", "--resume", f"table:{name}", typed=["1"]).exit_code == 0
    assert store.table(name) == before
    copies = sorted(store.path.parent.glob("*.json"))
    assert len(copies) == 2
    for copy in map(read_save, copies):
        assert copy.moves == before.save.moves and [note.kind for note in copy.notes] == ["branch"]
        assert f"table-{name}" in copy.notes[0].text


def test_a_table_is_deleted_only_without_a_server(run, store):
    name, _ = table_in(store, "nim", 2)
    other, _ = table_in(store, "nim", 1)
    words = ("saves", "--delete", "--yes", f"table:{name}", f"table:{other}")
    assert run(*words).exit_code == 1
    store.close()
    assert run(*words).exit_code == 0
    assert run("saves", f"table:{name}").stderr == f"error: there is no table {name}\n"


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_a_file_that_holds_no_tables_is_said_so(run, own_folder, content):
    path = own_folder / "odd.sqlite"
    if content is None:
        import sqlite3

        with sqlite3.connect(path) as file:
            file.executescript(LAYOUT.replace("user_version = 2", "user_version = 77"))
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    result = run("trace", path / "x")
    assert result.exit_code == 1 and result.stderr.startswith("error: ") and "Traceback" not in result.stderr
    assert path.read_bytes() == before


def test_a_table_that_is_not_there(run, store):
    for words in (("trace", "table:nope"), ("saves", "table:nope"), ("play", "--resume", "table:nope")):
        result = run(*words)
        assert (result.exit_code, "there is no table nope" in result.stderr) == (1, True), words
    assert isinstance(store.path, Path)
