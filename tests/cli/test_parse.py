"""`parse`: the syntax tree of a file, for people and as data that its JSON Schema describes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cli.json_output import schema
from dsl.schema import DIALECT, json_schema
from tests.cli.conftest import PEBBLES, valid

SCHEMA = Path(__file__).parents[2] / "cli" / "schemas" / "parse.schema.json"
VARIANT = 'variant "Short" of pond:\n    remove zone b\n    in define f:\n        remove otherwise\n'
BROKEN = 'game "Broken" for 2 players a, b\n\n== phases ==\nphase main turns from a:\n'


def whole_schema() -> dict[str, Any]:
    """The schema of the document: the tree as its classes say, diagnostics as in `check`."""
    tree, checked = json_schema(), schema("check")
    return {
        "$schema": DIALECT,
        "title": "What `regelwerk parse` prints",
        "type": "object",
        "additionalProperties": False,
        "required": ["format", "format_version", "path", "tree", "diagnostics"],
        "properties": {
            "format": {"const": "regelwerk parse"},
            "format_version": {"const": 1},
            "path": {"type": "string", "description": "the file as it was named"},
            "tree": {
                "description": "the file without positions and comments; null if it cannot be parsed",
                "anyOf": [*tree["anyOf"], {"type": "null"}],
            },
            "diagnostics": checked["properties"]["files"]["items"]["properties"]["diagnostics"],
        },
        "$defs": checked["$defs"] | tree["$defs"],
    }


def test_the_schema_is_that_of_the_tree() -> None:
    text = json.dumps(whole_schema(), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("REGELWERK_UPDATE"):
        SCHEMA.write_text(text, encoding="utf-8")
    assert text == SCHEMA.read_text(encoding="utf-8"), "run REGELWERK_UPDATE=1 pytest tests/cli/test_parse.py"


@pytest.fixture
def here(own_folder, monkeypatch):
    monkeypatch.chdir(own_folder)
    return own_folder


@pytest.mark.parametrize("name", ["tic_tac_toe", str(PEBBLES)])
def test_a_game_as_data(run, name) -> None:
    document = valid_document(run("parse", name, "--format", "json"), 0)
    assert document["path"] == name
    assert document["tree"]["kind"] == "game_file"
    assert document["diagnostics"] == []


def test_examples_and_variants(run, here) -> None:
    here.joinpath("short.rules").write_text(VARIANT)
    tree = valid_document(run("parse", "short.rules", "--format", "json"), 0)["tree"]
    assert [change["kind"] for change in tree["changes"]] == ["change", "inside"]
    here.joinpath("x.examples.rules").write_text('examples of x\n\nexample "a":\n    then over\n')
    tree = valid_document(run("parse", "x.examples.rules", "--format", "json"), 0)["tree"]
    assert tree["examples"][0]["scenes"] == [{"kind": "then", "condition": {"kind": "name", "name": "over"}}]


def test_a_file_with_errors(run, here) -> None:
    here.joinpath("broken.rules").write_text(BROKEN)
    document = valid_document(run("parse", "broken.rules", "--format", "json"), 1)
    assert document["tree"] is None
    assert document["diagnostics"][0]["place"]["line"] == 4
    result = run("parse", "broken.rules")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "broken.rules:4:" in result.stderr


def test_no_such_file_or_format(run, here) -> None:
    assert run("parse", "nothing_here").exit_code == 2
    assert run("parse", "tic_tac_toe", "--format", "xml").exit_code == 2


def test_people_read_one_line_for_each_node(run) -> None:
    lines = run("parse", "tic_tac_toe").output.splitlines()
    assert lines[0].startswith("game_file  [line ")
    assert any(line.startswith("  header: header counts=2 ") for line in lines)


def valid_document(result: Any, exit_code: int) -> dict[str, Any]:
    assert result.exit_code == exit_code
    document: dict[str, Any] = valid("parse", result.stdout)
    return document
