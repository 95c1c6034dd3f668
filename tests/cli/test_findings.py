"""`check --format json`: places in lines, columns and bytes, and texts to put there, for editors and programs."""

import json

import pytest

from tests.cli.conftest import PEBBLES, valid

GAME = """\
game "Nüsse" for 2 players ann, ben

== components ==

piece Nut: 15 in heap
zone heap holds Nut
zone taken[p: Player] holds Nut

== phases ==

phase taking, turns from ann, over when haep is empty:
    must take   # „eine Nuss“

action take:
    move 1 from heap to taken[me]

== scoring ==

winner highest taken[me]
"""


@pytest.fixture
def findings(run, own_folder):
    """What is found in a file of these bytes."""

    def findings(data: bytes) -> list[dict]:
        (own_folder / "nuts.rules").write_bytes(data)
        return valid("check", run("check", "nuts.rules", "--format", "json").output)["files"][0]["diagnostics"]

    return findings


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["line feeds", "carriage returns"])
def test_places_are_those_of_the_file(findings, mark, end):
    data = mark + GAME.replace("\n", end).encode()
    first, second = findings(data)
    for finding, line, text in ((first, 11, "haep"), (second, 19, "taken[me]")):
        place = finding["place"]
        assert data[place["byte"] : place["end_byte"]].decode() == text
        column = GAME.split("\n")[line - 1].index(text) + 1
        assert (place["line"], place["column"]) == (line, column)
        assert (place["end_line"], place["end_column"]) == (line, column + len(text))


def test_an_editor_can_take_the_ways_out(findings):
    data = b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode()
    for _ in range(2):
        way = findings(data)[0]["replacements"][0]
        data = data[: way["place"]["byte"]] + way["text"].encode() + data[way["place"]["end_byte"] :]
    assert findings(data) == []
    assert b"over when heap is empty" in data and b"winner highest count taken[me]" in data


def test_columns_count_characters_and_bytes_count_bytes(findings):
    label = '    "eine Nuß für {nobdy}"'
    data = GAME.replace("haep", "heap").replace("highest", "highest count")
    data = data.replace("action take:\n", f"action take:\n{label}\n").encode()
    (found,) = findings(data)
    assert found["place"]["column"] == label.index("nobdy") + 1
    assert found["place"]["byte"] == data.index(b"nobdy")


def test_what_clashes_is_shown_at_both_places(findings):
    found = findings(GAME.replace("== phases", "zone heap holds Nut\n\n== phases").replace("haep", "heap").encode())
    twice = next(finding for finding in found if finding["code"] == "E0202")
    assert [twice["place"]["line"], *(label["place"]["line"] for label in twice["labels"])] == [9, 6]


def test_a_board_says_what_its_names_could_be(run, own_folder):
    board = {"format": 1, "name": "X", "towns": [{"id": "harbour"}, {"id": "market"}]}
    board["lanes"] = [{"id": "lane", "ends": ["harbor", "market"]}]
    (own_folder / "x.json").write_text(json.dumps(board))
    (found,) = valid("check", run("check", "x.json", "--format", "json").output)["files"][0]["diagnostics"]
    assert [way["text"] for way in found["replacements"]] == ['"harbour"']
    place = found["replacements"][0]["place"]
    assert json.dumps(board)[place["byte"] : place["end_byte"]] == '"harbor"'


def test_a_right_game_has_none(run):
    assert valid("check", run("check", PEBBLES, "--format", "json").output)["files"][0]["diagnostics"] == []
